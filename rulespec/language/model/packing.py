"""Positions packed into numbers of 32 bits: the digits of a number in a mixed base are the contents of cells."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from rulespec.language.model.types import LIMIT


class Digit(NamedTuple):
    """A cell of a value, by the numbers of both, and what its content is multiplied with."""

    value: int
    cell: int
    weight: int


def packed(values: Iterable[tuple[int, int]]) -> list[list[Digit]]:
    """The digits of each number for all cells of some values, of which each has a number of cells and of contents. What
    has more contents than a number has a number of its own."""
    numbers: list[list[Digit]] = []
    weight = LIMIT + 1
    for value, (cells, contents) in enumerate(values):
        for cell in range(cells):
            if weight * contents > LIMIT + 1:
                numbers.append([])
                weight = 1
            numbers[-1].append(Digit(value, cell, weight))
            weight *= contents
    return numbers
