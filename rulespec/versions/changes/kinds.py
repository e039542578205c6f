"""The kinds of changes of a game and the impact of each: one row per kind."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import IntEnum


class Impact(IntEnum):
    """What a change does to games, from nothing to most.

    `DATA` concerns what is known about components, `TEXT` what players read. `PLAY` leaves every move of an old game
    legal and changes what comes of it. After a `BREAKING` change old games are illegal or mean something else.
    """

    NONE = 0
    DATA = 1
    TEXT = 2
    PLAY = 3
    BREAKING = 4

    def __str__(self) -> str:
        return self.name.lower()


@dataclass(frozen=True)
class Kind:
    """A kind of change: its name and its impact. What it is in words is data of each language (`phrases`).

    Without an impact it follows from the program: breaking if a decision can come after what has changed, else play.
    """

    name: str
    impact: Impact | None


_BY_EFFECT = None


DECLARED = ("enum", "field", "table", "value", "zone", "procedure")
"""The kinds of declarations, in the order in which they are compared."""


def _declared() -> Iterator[Kind]:
    """The kinds of declarations that come, go, or get another name or content."""
    for name in DECLARED:
        yield Kind(f"{name}-added", _BY_EFFECT)
        yield Kind(f"{name}-removed", _BY_EFFECT)
        yield Kind(f"{name}-renamed", Impact.DATA)
        yield Kind(f"{name}-changed", _BY_EFFECT)


KINDS: Mapping[str, Kind] = {
    kind.name: kind
    for kind in (
        Kind("players-added", Impact.PLAY),
        Kind("players-removed", Impact.BREAKING),
        Kind("game-renamed", Impact.DATA),
        Kind("title-changed", Impact.TEXT),
        Kind("builds-on-changed", Impact.DATA),
        Kind("component-changed", Impact.DATA),
        Kind("cards-changed", _BY_EFFECT),
        Kind("faces-changed", Impact.BREAKING),
        Kind("start-changed", Impact.BREAKING),
        Kind("status-changed", Impact.DATA),
        Kind("member-renamed", Impact.DATA),
        *_declared(),
        Kind("rule-added", _BY_EFFECT),
        Kind("rule-removed", _BY_EFFECT),
        Kind("rule-renamed", Impact.DATA),
        Kind("rule-changed", _BY_EFFECT),
        Kind("statement-added", _BY_EFFECT),
        Kind("statement-removed", _BY_EFFECT),
        Kind("statement-changed", _BY_EFFECT),
        Kind("order-changed", _BY_EFFECT),
        Kind("sight-changed", Impact.PLAY),
        Kind("words-changed", Impact.TEXT),
        Kind("facts-changed", Impact.TEXT),
        Kind("ruling-added", Impact.PLAY),
        Kind("ruling-removed", Impact.BREAKING),
        Kind("ruling-renamed", Impact.DATA),
        Kind("answer-changed", _BY_EFFECT),
        Kind("answer-added", Impact.PLAY),
        Kind("answer-removed", Impact.BREAKING),
        Kind("question-changed", Impact.TEXT),
        Kind("silence-changed", Impact.DATA),
        Kind("invariant-changed", Impact.DATA),
    )
}
"""Every kind of change by its name."""
