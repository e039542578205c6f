"""Lists of numbers of which one holds that have the same number twice: three, three or four players."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from rulespec.text.quantity import Kind, Quantity
from rulespec.text.reading import Reading

_COMMAS = (",", "，", "、")


def repeated(reading: Reading) -> Iterator[Quantity]:
    """The wrong one of two equal numbers of such a list. A list with “and” may repeat numbers: 1, 1 and 2."""
    for members in _lists(reading):
        seen: dict[object, int] = {}
        for at, one in enumerate(members):
            if one.value in seen:
                yield members[_wrong(members, seen[one.value], at)]
            seen[one.value] = at


def _wrong(members: Sequence[Quantity], first: int, second: int) -> int:
    """Which of two equal numbers to replace so that the list counts up; the second if that is not clear."""
    values = [int(one.value) for one in members]
    lower = [value - (at == first) for at, value in enumerate(values)]
    return first if len(values) > 2 and all(b - a == 1 for a, b in pairwise(lower)) else second


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
