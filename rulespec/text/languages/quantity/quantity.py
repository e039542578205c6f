"""Quantities: the numbers of a text with their kind and value."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction


class Kind(StrEnum):
    """The kind of a number: what it does in its text."""

    CARDINAL = "cardinal"
    ORDINAL = "ordinal"
    ARTICLE = "article"
    """A word for one that does not count: `a card`, `one of them`, `один за одним`, 下一張. Its value is 1."""
    SIGNED = "signed"
    RANGE = "range"
    FRACTION = "fraction"
    RELATIVE = "relative"
    """The number of players plus `value`, which may be negative: `1 card per opponent` is -1."""
    NOTHING = "nothing"
    MARKER = "marker"
    """The number of a list item or heading, or a page number on its own line."""
    PAGE = "page"
    YEAR = "year"


@dataclass(frozen=True)
class Quantity:
    """A quantity at `text[start:end]`. `high` is the upper end of a range of numbers, pages or years, else None."""

    start: int
    end: int
    kind: Kind
    value: Fraction
    high: Fraction | None = None
