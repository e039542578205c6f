"""The cards of events: the one place of the tests that knows which kinds of events have cards, and where."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from rulespec.engine.interpreter.running import Event
from rulespec.engine.knowledge.events import KINDS

CARDS = {"move": slice(2, 3), "move_all": slice(4, None), "show": slice(2, 3), "shuffle": slice(3, None)}
"""The elements that are cards, by kind."""
_ENDS = {"move": (3, 5), "move_all": (2, 3)}
"""The elements of the source and the target of cards that are moved, by kind."""
WITHOUT = {"rule", "choice", "set", "random", "award", "rank", "sink", "stopped", "setup", "broken"}
assert {*KINDS} == {*CARDS} | WITHOUT and {*_ENDS} <= {*CARDS}, "a kind of event says here whether it has cards"


class Moved(NamedTuple):
    """Cards that go from one zone to another."""

    source: int
    target: int
    cards: tuple[int, ...]
    event: Event


def moved(events: Iterable[Event] | None) -> Iterator[Moved]:
    """All moves of cards among events."""
    for event in events or ():
        if event[0] in _ENDS:
            source, target = (event[at] for at in _ENDS[event[0]])
            yield Moved(source, target, tuple(event[CARDS[event[0]]]), event)
