"""Values of a text that another of their sort can replace: the terms of the members of one enum, zones, markers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from rulespec.text.reading.by_place import ByPlace
from rulespec.text.reading.mentions import Reading
from rulespec.text.reading.once import once
from rulespec.text.rules.book import Book

_APART = frozenset({"", "facing", "role"})
"""The sorts that no number is given to: what has no sort, face up and face down, and players."""


@dataclass(frozen=True)
class Value:
    """The words at `text[start:end]` for one of the things of a sort: `names` are the concepts that they may mean."""

    sort: str
    names: tuple[str, ...]
    start: int
    end: int


def values(part: Reading, book: Book) -> tuple[Value, ...]:
    """The values in a part of a text, in order."""
    whole = part.whole or part
    return once(whole, "values", lambda: ByPlace(_values(whole, book))).inside(part.start, part.end)


def _values(whole: Reading, book: Book) -> Iterator[Value]:
    for mention in whole.mentions:
        sort = book.sort(mention.concept)
        if mention.status.is_term and sort not in _APART:
            also = (one for one in mention.also if book.sort(one) == sort)
            yield Value(sort, (mention.concept, *also), mention.start, mention.end)
