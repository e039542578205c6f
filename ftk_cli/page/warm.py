"""The work that Python does before its memory is kept for browsers (`static/memory.mjs`).

It is the first table, check and rulebook of a game, for which libraries are imported. What checks of texts need is left
out: it would be three times as much memory.
"""

from __future__ import annotations

from ftk_cli.page import play, rules, workbench
from ftk_cli.page.lexicon import first, known_languages, with_texts

SEED = 1


def warm() -> None:
    """Does it with the first game of the project that has texts, and leaves no game, file or text open. Nothing without
    such a game."""
    game = first(with_texts())
    for lang in known_languages(game)[:1]:
        _play(game, lang)
        _check(game)
        rules.rules(game, lang)


def _play(game: str, lang: str) -> None:
    seats = play.PERSON, *["random"] * (play.game(game, lang)["players"][0] - 1)
    play.start(game, list(seats), lang, SEED)
    play.leave()


def _check(game: str) -> None:
    spec = workbench.files(game)[0]
    workbench.check_file(spec["name"], spec["text"])
    workbench.prepare()
    workbench.leave()
