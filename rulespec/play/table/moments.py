"""A moment of a random game at which a rule applies, in words."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import takewhile
from typing import TYPE_CHECKING

from rulespec.engine.states.playout import random_game
from rulespec.play.table.narrator import TableNarrator, together
from rulespec.play.table.words import words_in

if TYPE_CHECKING:
    from rulespec.engine.states.game import Game
    from rulespec.games.api import Spec
    from rulespec.language.model.phrase import Phrase

GAMES = 5
"""The most random games that are searched for a rule, for each number of players."""


@dataclass(frozen=True)
class Moment:
    """What happens where a rule applies: the number of players, the seed of the random game, and the events in words,
    as an observer of everything sees them."""

    players: int
    seed: int
    lines: tuple[str, ...]


def moment(spec: Spec, rule: str, lang: str = "", players: int | None = None) -> Moment | None:
    """The first moment of random games at which a rule does something that is reported, in a language of the game
    (default: as the spec says it). None if no game has one.

    Raises KeyError for an unknown rule.
    """
    known = spec.model.rules[rule].id
    for number in [players] if players is not None else spec.players:
        game = spec.game(number, engine="interpreter")
        if known in game.program.rules:
            words = words_in(spec, game, lang)
            narrator = TableNarrator(game, None)
            for seed in range(GAMES):
                said = together(_first(game, known, seed), narrator)
                if lines := tuple(words.sentence(game.spec, one) for one in said):
                    return Moment(number, seed, lines)
    return None


def _first(game: Game, rule: str, seed: int) -> Iterator[Phrase]:
    """The words for the first events in a row that belong to a rule."""
    index = game.program.rules.index(rule)
    events = iter(_events(game, seed))
    for belongs, lines in events:
        if belongs == index and lines:
            yield from lines
            # `events` is an iterator: this goes on after the event of the loop.
            yield from (line for _, more in takewhile(lambda one: one[0] == index, events) for line in more)
            return


def _events(game: Game, seed: int) -> Iterator[tuple[int, list[Phrase]]]:
    """The rule of every event of a random game, and the words for it."""
    narrator, heard = None, 0
    for state in random_game(game, seed):
        if narrator is None:
            narrator = TableNarrator(game, None, state.position)
        events = state.events or []
        for event in events[heard:]:
            yield event[1], narrator.said(event)
        narrator.look()
        heard = len(events)
