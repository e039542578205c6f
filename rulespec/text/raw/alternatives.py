"""Lists of numbers of which one holds that have the same number twice: three, three or four players."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from rulespec.text.quantity import Kind, Quantity
from rulespec.text.reading import Reading

_COMMAS = (",", "，", "、")


def repeated(reading: Reading) -> Iterator[Quantity]:
    """The numbers that stand a second time in such a list. A list with “and” may repeat numbers: 1, 1 and 2."""
    for members in _lists(reading):
        seen = set()
        for one in members:
            if one.value in seen:
                yield one
            seen.add(one.value)


def _lists(reading: Reading) -> Iterator[list[Quantity]]:
    """The lists of numbers whose last two are joined by “or”."""
    members: list[Quantity] = []
    for one, other in pairwise([q for q in reading.quantities if q.kind == Kind.CARDINAL]):
        between = _between(reading, one, other)
        members = [*(members or [one]), other]
        if between.strip() not in _COMMAS:
            if reading.language.either and reading.language.either.fullmatch(between):
                yield members
            members = []


def _between(reading: Reading, one: Quantity, other: Quantity) -> str:
    """What stands between two numbers, in a language without spaces without the measure word after the first."""
    measured = not reading.language.spaced and reading.text[one.end : one.end + 1].isalpha()
    followed = measured and reading.text[other.end : other.end + 1] == reading.text[one.end]
    return reading.text[one.end + followed : other.start]
