"""The rulebook of a game at the page, for one language and number of players."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from ftk_cli.page.lexicon import nearest
from ftk_cli.renderer import javascript
from rulespec.games.api import load
from rulespec.games.rulebook import book_of, examples_of, texts_of
from rulespec.play.living.illustrated import table
from rulespec.play.living.page import parts
from rulespec.text.output.render.book import Rulebook


def rules(name: str, lang: str, players: int | None = None) -> dict[str, Any]:
    """The rulebook that plays, as an HTML page in the nearest language with the `data` of what it plays, its languages,
    and the numbers of players. Raises ValueError for a game without texts."""
    spec = load(name)
    texts = texts_of(spec)
    if not texts:
        raise ValueError(f"{name} has no texts.")
    found = nearest(lang, texts) or next(iter(texts))
    number = players if players in spec.players else spec.players[0]
    game = spec.game(number, engine="interpreter")
    book = Rulebook(texts[found], game.setting, book_of(spec), True, examples_of(spec, found, game.setting))
    book = replace(book, pictures={"": (table(spec, game, book),)})
    html, data = parts(book, spec, javascript())
    return {
        "name": name,
        "html": html,
        "data": data,
        "title": texts[found].title,
        "lang": found,
        "languages": list(texts),
        "players": number,
        "numbers": list(spec.players),
    }


CALLS: Mapping[str, Callable[..., Any]] = {"rules": rules}
