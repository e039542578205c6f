"""Features of a passage: its concepts, lemmas and numbers, by which passages are compared."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import NamedTuple, TypeAlias

from rulespec.base.diagnostics import Span
from rulespec.text.glossary import tokens
from rulespec.text.glossary.finder import Mention
from rulespec.text.glossary.tokens import Joint, Token
from rulespec.text.languages.quantity.quantity import Kind
from rulespec.text.reading.by_place import ByPlace
from rulespec.text.reading.mentions import Reading
from rulespec.text.reading.once import once

Features: TypeAlias = frozenset[str]
"""Concepts begin with “@”, numbers with “=”, the others are lemmas."""

_AMOUNTS = (Kind.CARDINAL, Kind.SIGNED, Kind.RANGE, Kind.FRACTION, Kind.RELATIVE, Kind.NOTHING)


def features(part: Reading, but: Sequence[Span] = ()) -> Features:
    """The features of a part of a text, without those of some words in it."""
    whole = part.whole or part
    read: _Features = once(whole, "features", lambda: _Features(whole))
    return read.within(part.start, part.end, but)


class _Named(NamedTuple):
    start: int
    end: int
    name: str


@dataclass(frozen=True, eq=False)
class _Features:
    """The features of a whole text by place."""

    reading: Reading

    @cached_property
    def _named(self) -> ByPlace[_Named]:
        reading = self.reading
        mentions = (_Named(m.start, m.end, f"@{c}") for m in reading.mentions for c in _concepts(m))
        numbers = (_Named(q.start, q.end, f"={abs(q.value)}") for q in reading.quantities if q.kind in _AMOUNTS)
        return ByPlace((*_lemmas(reading), *mentions, *numbers))

    def within(self, start: int, end: int, but: Sequence[Span]) -> Features:
        every = self._counts(start, end)
        if not but:
            return every.names
        inside = {one for span in but for one in self._named.over(span.start, span.end)}
        hidden = Counter(one.name for one in inside if start <= one.start and one.end <= end)
        # A feature stays if it is also elsewhere in the part.
        return every.names - {name for name, count in hidden.items() if count == every.count[name]}

    def _counts(self, start: int, end: int) -> _Counts:
        return once(self.reading, (start, end), lambda: _Counts(self._named.inside(start, end)))


class _Counts:
    """How often a part of a text has each feature."""

    def __init__(self, every: Iterable[_Named]) -> None:
        self.count = Counter(one.name for one in set(every))
        self.names = frozenset(self.count)


def _concepts(mention: Mention) -> tuple[str, ...]:
    return (mention.concept, *mention.also)


def _lemmas(reading: Reading) -> Iterator[_Named]:
    """The lemmas of a text with their places; of a language without spaces, pairs of characters."""
    words = [word for word in tokens.read(reading.text, reading.language.tag) if not word.raw.isdecimal()]
    if reading.language.spaced:
        yield from (_Named(word.start, word.end, _lemma(word)) for word in words)
    else:
        for one, two in pairwise(words):
            if two.joint is Joint.NEXT and one.end == two.start:
                yield _Named(one.start, two.end, one.raw + two.raw)


def _lemma(word: Token) -> str:
    """The lemma of a word, or its shortest stem if no dictionary lists it."""
    stems = [key for key in word.keys if key.startswith("~")]
    return min(stems, key=len) if stems else word.keys[-1]
