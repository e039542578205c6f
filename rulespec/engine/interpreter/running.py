"""What every module that runs a program shares: the running state as instructions see it, and where play stops."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

from rulespec.language.model.typed import TExpr
from rulespec.language.model.types import Type

Event = tuple[Any, ...]
"""A kind, the index of the rule that caused the event, and what the kind adds: see events.py."""

STOP = -1
"""What an instruction returns in place of the next one: a player must decide, or the game is over."""
SIMULTANEOUS = -2
"""What `current_player` returns when several players decide at once, as in OpenSpiel."""
NONE_ASKED: dict[int, list[int]] = {}
"""The value of `State.asked` while a single player decides. Shared by all states, and never changed."""


class RunningState(Protocol):
    """The parts of a state that instructions read and write.

    `r` holds the registers, `z` the cards of every zone, `pc` the decision point, `legal` and `player` the decision
    that is open there; `asked` the legal actions by player when several decide at once. `reported` are the events so
    far, None if the state does not record them.
    """

    r: list[int]
    z: list[list[int]]
    pc: int
    legal: list[int]
    player: int
    asked: dict[int, list[int]]
    reported: list[Event] | None

    def draw(self, bound: int, /) -> int:
        """A random number from 0 to `bound - 1`."""

    def emit(self, event: Event) -> None:
        """Appends an event if the state records events."""


Execute = Callable[[RunningState], int]
"""Carries out one instruction or more; returns the place of the next one, or STOP."""
Take = Callable[[RunningState, int], int]
"""Carries out an action chosen at a decision point; returns the place where play goes on."""


class DecisionCode(NamedTuple):
    """Code that runs from one decision to the next: `run` by the place it starts at, `take` by decision point.

    `checks` emit an event for an invariant that does not hold at a decision; there are none without events.
    """

    run: Mapping[int, Execute] | Sequence[Execute]
    take: Mapping[int, Take]
    checks: tuple[Callable[[RunningState], object], ...]


class StateError(ValueError):
    """A call that does not fit the state: an illegal action, or text that is not a saved state of this game."""


class WrongStart(StateError):
    """A position that does not fit the conditions around the rule that it starts at: an expression that always has a
    type there (`Rule.assumes`) has another content."""

    def __init__(self, rule: str, about: TExpr, type_: Type, found: int) -> None:
        super().__init__(f"the rule `{rule}` never begins in such a position: a condition around it does not hold")
        self.rule, self.about, self.type, self.found = rule, about, type_, found


@dataclass(frozen=True)
class StartPosition:
    """A position set up by hand instead of dealt: the rule to start at (empty for a possible world, which is in the
    middle of a rule), the registers and the cards in each zone.

    `values` maps register numbers to contents, `zones` zone numbers to cards from bottom to top. All other cards are
    in the zone `rest`.
    """

    at: str
    values: Mapping[int, int]
    zones: Mapping[int, tuple[int, ...]]
    rest: int


def cards_at_start(cards: Iterable[int], start_zone: int, position: StartPosition | None) -> dict[int, int]:
    """The zone of every card before the first instruction runs."""
    rest = position.rest if position is not None else start_zone
    placed = {c: zone for zone, group in position.zones.items() for c in group} if position is not None else {}
    return {card: placed.get(card, rest) for card in cards}
