"""A form that does not agree with the number before it."""

from __future__ import annotations

from typing import NamedTuple

from rulespec.text.counted.pairs import Word


class Mismatch(NamedTuple):
    """A word whose form does not agree with a number, as it is written, and the forms that do; none if unknown."""

    word: Word
    number: str
    right: tuple[str, ...]
