"""Features of a passage: its concepts, lemmas and numbers, by which passages are compared."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import TypeAlias

from rulespec.diagnostics import Span
from rulespec.text.glossary import Mention, tokens
from rulespec.text.glossary.tokens import Joint, Token
from rulespec.text.once import once
from rulespec.text.quantity import Kind, Quantity
from rulespec.text.reading import Reading

Features: TypeAlias = frozenset[str]
"""Concepts begin with “@”, numbers with “=”, the others are lemmas."""

_AMOUNTS = (Kind.CARDINAL, Kind.SIGNED, Kind.RANGE, Kind.FRACTION, Kind.RELATIVE, Kind.NOTHING)


def features(part: Reading, but: Sequence[Span] = ()) -> Features:
    """The features of a part of a text, without those of some words in it."""
    whole = part.whole or part
    read: _Features = once(whole, "features", lambda: _Features(whole))
    return read.within(part.start, part.end, but)


@dataclass(frozen=True, eq=False)
class _Features:
    """The features of a whole text by place."""

    reading: Reading

    @cached_property
    def _lemmas(self) -> list[tuple[int, int, str]]:
        return sorted(_lemmas(self.reading))

    @cached_property
    def _starts(self) -> list[int]:
        return [start for start, _, _ in self._lemmas]

    def within(self, start: int, end: int, but: Sequence[Span]) -> Features:
        first, last = bisect_left(self._starts, start), bisect_left(self._starts, end)
        lemmas = ((begin, stop, name) for begin, stop, name in self._lemmas[first:last])
        mentions = ((m.start, m.end, f"@{c}") for m in self.reading.mentions_from(start, end) for c in _concepts(m))
        numbers = ((q.start, q.end, f"={abs(q.value)}") for q in self._amounts(start, end))
        return frozenset(
            name
            for begin, stop, name in (*lemmas, *mentions, *numbers)
            if stop <= end and not any(begin < span.end and span.start < stop for span in but)
        )

    def _amounts(self, start: int, end: int) -> Iterator[Quantity]:
        return (q for q in self.reading.quantities_from(start, end) if q.kind in _AMOUNTS)


def _concepts(mention: Mention) -> tuple[str, ...]:
    return (mention.concept, *mention.also)


def _lemmas(reading: Reading) -> Iterator[tuple[int, int, str]]:
    """The lemmas of a text with their places; of a language without spaces, pairs of characters."""
    words = [word for word in tokens.read(reading.text, reading.language.tag) if not word.raw.isdecimal()]
    if reading.language.spaced:
        yield from ((word.start, word.end, _lemma(word)) for word in words)
    else:
        for one, two in pairwise(words):
            if two.joint is Joint.NEXT and one.end == two.start:
                yield one.start, two.end, one.raw + two.raw


def _lemma(word: Token) -> str:
    """The lemma of a word, or its shortest stem if no dictionary lists it."""
    stems = [key for key in word.keys if key.startswith("~")]
    return min(stems, key=len) if stems else word.keys[-1]
