"""A board: squares, their neighbours and the lines that they lie on."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import product

from rulespec.base.messages import Message, say
from rulespec.language.model.types import Type

COMPASS: Mapping[str, tuple[int, int]] = {
    **{"north": (0, 1), "north_east": (1, 1), "east": (1, 0), "south_east": (1, -1)},
    **{"south": (0, -1), "south_west": (-1, -1), "west": (-1, 0), "north_west": (-1, 1)},
}
"""The directions of a grid: steps to later letters and to higher numbers."""
NEIGHBOURS: Mapping[str, tuple[str, ...]] = {
    "orthogonal": ("north", "east", "south", "west"),
    "diagonal": ("north_east", "south_east", "south_west", "north_west"),
    "all": tuple(COMPASS),
    "hex": ("north", "east", "south_east", "south", "west", "north_west"),
}
"""The directions in which the neighbours of a square lie."""

Place = tuple[int, int]


@dataclass(frozen=True)
class Board:
    """The squares of a grid by letter and number (`places`), or points on `lines`; `near` are the neighbours of each,
    None if the spec does not say which they are, and `ways` the directions of a grid in which they lie."""

    squares: tuple[str, ...]
    near: tuple[tuple[int, ...], ...] | None
    places: tuple[Place, ...] = ()
    ways: tuple[Place, ...] = ()
    lines: tuple[tuple[int, ...], ...] = ()

    @cached_property
    def _at(self) -> Mapping[Place, int]:
        """The squares of a grid by their places."""
        return {place: number for number, place in enumerate(self.places)}

    def along(self, square: int, way: Place) -> Iterator[int]:
        """The squares of a grid from one of them in a direction to the edge, itself first."""
        east, north = self.places[square]
        while (east, north) in self._at:
            yield self._at[east, north]
            east, north = east + way[0], north + way[1]

    def rows(self, length: int) -> Iterator[tuple[int, ...]]:
        """All rows of that many squares: along the lines, or in the directions of neighbours, each once."""
        for line in self._whole_lines():
            yield from (line[at : at + length] for at in range(len(line) - length + 1))

    def _whole_lines(self) -> Iterator[tuple[int, ...]]:
        yield from self.lines
        for way, (square, (east, north)) in product(self.ways, enumerate(self.places)):
            # Each line once, from its first square: of two opposite directions only one is greater than (0, 0).
            if way > (0, 0) and (east - way[0], north - way[1]) not in self._at:
                yield tuple(self.along(square, way))


def without_neighbours(board: str) -> tuple[Message, Message]:
    """What is wrong where neighbours of a square are needed, but a board does not say which they are; and a hint."""
    message = say("The board `{board}` does not say which squares are neighbours.", board=board)
    return message, say("Add `near: orthogonal` to the board, or `near: all`.")


def called(what: str, by: Iterable[Type]) -> str:
    """The name of a table of a board, which no expression can write."""
    return f"{what}({', '.join(type_.name for type_ in by)})"
