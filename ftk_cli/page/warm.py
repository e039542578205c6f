"""The work that Python does before its memory is kept for browsers (`static/memory.mjs`).

It is the first table, check and text of a game, for which libraries are imported and the data of languages read.
"""

from __future__ import annotations

from ftk_cli.page import desk, play, workbench
from ftk_cli.page.lexicon import known_languages, nearest, with_texts

SEED = 1


def warm() -> None:
    """Does it with the first game of the project that has texts, and leaves no game, file or text open. Nothing without
    such a game."""
    game = next((one for one in with_texts() if known_languages(one)), "")
    if game:
        _play(game)
        _check(game)
        _read(game, nearest("en", known_languages(game)) or known_languages(game)[0])


def _play(game: str) -> None:
    seats = play.PERSON, *["random"] * (play.game(game, "en")["players"][0] - 1)
    play.start(game, list(seats), "en", SEED)
    play.leave()


def _check(game: str) -> None:
    spec = workbench.files(game)[0]
    workbench.check_file(**spec)
    workbench.prepare()
    workbench.leave()


def _read(game: str, lang: str) -> None:
    opened = desk.open_(game, lang)
    desk.unit(opened["entries"][0]["id"], "en")
    desk.close()
