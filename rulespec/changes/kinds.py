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
    """A kind of change: its name, its impact, and what it is in words.

    Without an impact it follows from the program: breaking if a decision can come after what has changed, else play.
    """

    name: str
    impact: Impact | None
    says: str

    @property
    def mirror(self) -> str:
        """The name of the kind that the change has if the versions are exchanged: what is new then is gone."""
        noun, _, what = self.name.rpartition("-")
        return f"{noun}-{_OPPOSITE.get(what, what)}"


_OPPOSITE = {"added": "removed", "removed": "added"}
_BY_EFFECT = None


def _declared() -> Iterator[Kind]:
    """The kinds of declarations that come, go, or get another name or content."""
    nouns = {
        "enum": "enum",
        "field": "card field",
        "table": "table",
        "value": "value",
        "zone": "zone",
        "procedure": "procedure",
    }
    for name, noun in nouns.items():
        yield Kind(f"{name}-added", _BY_EFFECT, f"new {noun}")
        yield Kind(f"{name}-removed", _BY_EFFECT, f"{noun} removed")
        yield Kind(f"{name}-renamed", Impact.DATA, f"{noun} renamed")
        yield Kind(f"{name}-changed", _BY_EFFECT, f"{noun} changed")


KINDS: Mapping[str, Kind] = {
    kind.name: kind
    for kind in (
        Kind("players-added", Impact.PLAY, "more numbers of players"),
        Kind("players-removed", Impact.BREAKING, "fewer numbers of players"),
        Kind("game-renamed", Impact.DATA, "another id of the game"),
        Kind("title-changed", Impact.TEXT, "title changed"),
        Kind("builds-on-changed", Impact.DATA, "builds on another game"),
        Kind("component-changed", Impact.DATA, "number of components changed"),
        Kind("cards-changed", _BY_EFFECT, "cards changed"),
        Kind("faces-changed", Impact.BREAKING, "other fields distinguish cards"),
        Kind("start-changed", Impact.BREAKING, "cards start in another zone"),
        Kind("status-changed", Impact.DATA, "status or source of cards changed"),
        Kind("member-renamed", Impact.DATA, "member renamed"),
        *_declared(),
        Kind("rule-added", _BY_EFFECT, "new rule"),
        Kind("rule-removed", _BY_EFFECT, "rule removed"),
        Kind("rule-renamed", Impact.DATA, "rule renamed"),
        Kind("rule-changed", _BY_EFFECT, "rule changed"),
        Kind("statement-added", _BY_EFFECT, "rule does more"),
        Kind("statement-removed", _BY_EFFECT, "rule does less"),
        Kind("statement-changed", _BY_EFFECT, "rule does something else"),
        Kind("order-changed", _BY_EFFECT, "other order"),
        Kind("sight-changed", Impact.PLAY, "other players see a zone"),
        Kind("words-changed", Impact.TEXT, "title, note, origin or words of a move changed"),
        Kind("facts-changed", Impact.TEXT, "other facts that a text must state"),
        Kind("ruling-added", Impact.PLAY, "new ruling"),
        Kind("ruling-removed", Impact.BREAKING, "ruling removed"),
        Kind("ruling-renamed", Impact.DATA, "ruling renamed"),
        Kind("answer-changed", _BY_EFFECT, "another default answer to a ruling"),
        Kind("answer-added", Impact.PLAY, "another possible answer to a ruling"),
        Kind("answer-removed", Impact.BREAKING, "an answer to a ruling removed"),
        Kind("question-changed", Impact.TEXT, "question of a ruling changed"),
        Kind("silence-changed", Impact.DATA, "other sources are silent on a ruling"),
        Kind("invariant-changed", Impact.DATA, "other invariant or claim"),
    )
}
"""Every kind of change by its name."""
