"""What the door of the page shows of each game. It is known when the page is written, so that no visitor waits for
Python."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from importlib.resources import files
from itertools import islice
from random import Random
from typing import TYPE_CHECKING, Any

from ftk_cli.page import titles
from ftk_cli.page.lexicon import nearest
from rulespec.games.rulebook import texts_of

if TYPE_CHECKING:
    from rulespec.games.api import Spec

SECONDS = 10
"""How long a decision is assumed to take at a table: docs/page.md states it."""

DECISIONS = 300
"""After how many decisions no other random game is begun: enough for a mean that is rounded to `STEP` minutes."""

STEP = 5
_FIRST = re.compile(r".+?(?:[.!?…](?=\s|$)|[。！？])", re.DOTALL)


def described(spec: Spec) -> dict[str, Any]:
    """A game: its titles and sentences by language, its players, minutes of play and languages. `about` has a sentence
    in some languages; in others, the page says what `kind` of game it is."""
    texts = texts_of(spec)
    about = {lang: first_sentence(one) for lang, one in ((lang, _aim(text)) for lang, text in texts.items()) if one}
    shown = interface_languages()
    return {
        "id": spec.id,
        "titles": {lang: titles.of_game(spec.id, lang) for lang in shown},
        "about": {lang: about[found] for lang in shown if (found := nearest(lang, about))},
        "kind": kind(spec),
        "players": list(spec.players),
        "languages": list(texts),
        "minutes": minutes(decisions(spec)),
    }


def with_errors(game: str) -> dict[str, Any]:
    """A game whose spec has errors: all that is known is its title. It can be changed, not played."""
    shown = {lang: titles.of_game(game, lang) for lang in interface_languages()}
    return {"id": game, "titles": shown, "about": {}, "kind": "errors", "players": [], "languages": [], "minutes": 0}


def interface_languages() -> list[str]:
    return sorted(file.name.removesuffix(".json") for file in (files(__package__) / "static" / "words").iterdir())


def _aim(text: Any) -> str:
    """The text of the rule with the aim of the game: one of the first two, whose id ends so; "" without one."""
    first = islice(text.rules.items(), 2)
    return next((one.text.text for id_, one in first if id_.rpartition(".")[2] == "aim"), "")


def first_sentence(text: str) -> str:
    """The first sentence of a text, in one line and without marks of Markdown; all of it without an end."""
    found = _FIRST.match(text)
    return " ".join((found.group() if found else text).replace("**", "").split())


def kind(spec: Spec) -> str:
    """The kind of a game that the page has a sentence for: with or without cards, with or without hidden ones."""
    zones = spec.model.zones.values()
    if not zones:
        return "no_cards" if all(one.sight.public for one in spec.model.values.values()) else "hidden_values"
    return "open_cards" if all(one.sight.viewers.group == "everybody" for one in zones) else "hidden_cards"


def decisions(spec: Spec) -> float:
    """The mean number of decisions in random games of the middle number of players. Single choices are none."""
    game = spec.game(spec.players[len(spec.players) // 2], engine="interpreter")
    made: list[int] = []
    while sum(made) < DECISIONS and len(made) < DECISIONS:
        made.append(sum(_choices(game.new_initial_state(len(made)), Random(len(made)))))
    return sum(made) / len(made)


def _choices(state: Any, random: Random) -> Iterator[bool]:
    """Plays to the end, and yields of each choice whether there was another one."""
    while not state.is_terminal():
        for player in state.deciders():
            legal: Sequence[int] = state.legal_actions(player)
            state.apply_action(random.choice(legal), player)
            yield len(legal) > 1


def minutes(decided: float) -> int:
    """How long so many decisions take, in steps of five minutes."""
    return max(STEP, STEP * round(decided * SECONDS / 60 / STEP))
