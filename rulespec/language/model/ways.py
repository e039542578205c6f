"""The longest ways through a part of a game: from its beginning and from choices in it, to all that they lead to."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from enum import Enum, auto
from typing import Any, Protocol

from rulespec.language.model.typed import Domain, TExpr


class Point(Enum):
    """Where ways begin and lead: the beginning and the end of a part, a choice of a player, the end of the play."""

    START = auto()
    END = auto()
    CHOICE = auto()
    PLAY = auto()


Exit = Point | str
"""What a way leads to. The name of a loop is that of one that it leaves, as in `Leave`."""

_Lengths = Mapping[tuple[Point, Exit], int]


@dataclass(frozen=True)
class Ways:
    """The length of the longest way from each point to each exit that it can lead to.

    A way ends at the first choice that it meets, where another one begins.
    """

    lengths: _Lengths

    @property
    def longest(self) -> int:
        return max(self.lengths.values(), default=0)

    @property
    def waits(self) -> bool:
        """Whether all ways from the beginning lead to a choice."""
        return all(end == Point.CHOICE for start, end in self.lengths if start == Point.START)

    def either(self, other: Ways) -> Ways:
        """The ways through this part or the other."""
        return _longest([*self.lengths.items(), *other.lengths.items()])

    def chosen(self, *passes: Exit) -> Ways:
        """The ways through a choice with this part after it, which may also pass to other exits without a decision."""
        before = [((Point.START, end), 1) for end in (Point.CHOICE, *passes)]
        return _longest([*before, *(((Point.CHOICE, end), length) for (_, end), length in self.lengths.items())])

    def then(self, after: Ways) -> Ways:
        """The ways through this part and the one after it."""
        every = [(way, length) for way, length in self.lengths.items() if way[1] != Point.END]
        for (start, end), length in after.lengths.items():
            if start == Point.START:
                ended = ((way[0], self.lengths[way]) for way in self.lengths if way[1] == Point.END)
                every += [((first, end), before + length) for first, before in ended]
            else:
                every.append(((start, end), length))
        return _longest(every)

    def times(self, rounds: int) -> Ways:
        """The ways through so many rounds of this part, or fewer but not none."""
        if rounds < 2:
            return self if rounds else NOTHING
        # A way that meets a choice, or leaves, does so in the first or the last round; the others may pass without.
        passed = self.lengths.get((Point.START, Point.END), 0)
        return self.then(steps((rounds - 2) * passed)).then(self)

    def loop(self, names: Collection[str], after: Ways) -> Ways:
        """The ways of a loop with these names: those that leave it end there, the others go through `after`."""
        left = [((way[0], Point.END), length) for way, length in self.lengths.items() if way[1] in names]
        kept = [(way, length) for way, length in self.lengths.items() if way[1] not in names]
        return _longest(kept).then(after).either(_longest(left))


def _longest(every: Iterable[tuple[tuple[Point, Exit], int]]) -> Ways:
    lengths: dict[tuple[Point, Exit], int] = {}
    for way, length in every:
        lengths[way] = max(length, lengths.get(way, 0))
    return Ways(lengths)


def steps(number: int, end: Exit = Point.END) -> Ways:
    """A part with so many steps and one way through, to an exit."""
    return Ways({(Point.START, end): number})


NOTHING = steps(0)


class Count(Protocol):
    """What is counted along the ways through a game, and the bounds of what it is counted for."""

    @property
    def players(self) -> int:
        """The most players."""

    @property
    def cards(self) -> int:
        """The most cards."""

    @property
    def skipped(self) -> tuple[Exit, ...]:
        """Where a choice without a legal action leads that is skipped then."""

    def body(self, body: tuple[Any, ...]) -> Ways:
        """The ways through steps one after the other."""

    def any(self, body: tuple[Any, ...]) -> Ways:
        """The ways through one of the steps."""

    def procedure(self, name: str) -> Ways:
        """The ways through the steps of a procedure."""

    def most(self, number: TExpr) -> int:
        """The largest number that an expression can be, at least 0."""

    def extent(self, domain: Domain) -> int:
        """The largest number of elements of a domain."""

    def rounds(self, loop: Any) -> int:
        """The largest number of rounds of a `repeat`."""

    def work(self, number: int, end: Exit = Point.END) -> Ways:
        """So many steps of the engine, with one way through."""

    def decisions(self, number: int) -> Ways:
        """So many decisions of players."""

    def draws(self, number: int) -> Ways:
        """So many random draws."""

    def choice(self, ways: Ways, *passes: Exit) -> Ways:
        """A choice with ways after it, which may also pass to some exits without a decision."""

    def perhaps(self, ways: Ways) -> Ways:
        """Ways that may not be gone at all."""
