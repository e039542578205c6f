"""Quantities: the numbers of a text with their kind and value."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum, StrEnum
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


class Form(Enum):
    """How an atom is written. The value is its sign in an outline, a private-use character."""

    FIGURES = "\ue000"
    FIGURE_ONE = "\ue001"
    YEAR = "\ue002"
    WORDS = "\ue003"
    WORD_ONE = "\ue004"
    ORDINAL = "\ue005"
    ARTICLE = "\ue006"
    FRACTION = "\ue007"
    DECIMAL = "\ue00c"
    NOTHING = "\ue008"
    NO = "\ue009"
    ROMAN = "\ue00a"
    CIRCLED = "\ue00b"


YEARS = range(1900, 2100)
"""A number of four digits in this range may be a year: games in print and their copyrights fall in it."""
REST = "\ue010"
"""The sign for every character of an atom except the first."""

TAKEN = "\ue011"
"""The sign for a character of a quantity that an earlier pattern read."""

_PRIVATE = re.compile("[\ue000-\ue011]")


def _slot(*forms: Form) -> str:
    # Possessive: a slot matches a whole atom or nothing.
    return f"(?:[{''.join(form.value for form in forms)}]{REST}*+)"


_FIGURES = (Form.FIGURES, Form.FIGURE_ONE, Form.YEAR)
_WORDS = (Form.WORDS, Form.WORD_ONE)

SLOTS = {
    "n": _slot(*_FIGURES, *_WORDS),
    "d": _slot(*_FIGURES),
    "w": _slot(*_WORDS),
    "one": _slot(Form.FIGURE_ONE, Form.WORD_ONE),
    "unit": _slot(Form.WORD_ONE),
    "y": _slot(Form.YEAR),
    "o": _slot(Form.ORDINAL),
    "a": _slot(Form.ARTICLE),
    "f": _slot(Form.FRACTION, Form.DECIMAL),
    "decimal": _slot(Form.DECIMAL),
    "nothing": _slot(Form.NOTHING),
    "no": _slot(Form.NO),
    "r": _slot(Form.ROMAN),
    "c": _slot(Form.CIRCLED),
    "taken": TAKEN,
    "ends": "\ue000-\ue011",
    "han": "[\u4e00-\u9fff]",
}
"""The names allowed in braces in a pattern. `ends` is for character classes."""


@dataclass(frozen=True)
class Atom:
    """A number at `text[start:end]`."""

    start: int
    end: int
    form: Form
    value: Fraction


def outline(text: str, atoms: Iterable[Atom]) -> str:
    """The text with its atoms replaced by signs. The length does not change."""
    # A text may itself have private-use characters, which would be read as atoms.
    letters = list(_PRIVATE.sub("\ufffd", text))
    for atom in atoms:
        letters[atom.start : atom.end] = atom.form.value + REST * (atom.end - atom.start - 1)
    return "".join(letters)
