"""References: the numbers and contrasts of the statements, each with what stands around it.

A value of a raw text is compared with those of our sentences that are most like its own: with the same clause around
them, the same sentence, the same thing beside them.
"""

from __future__ import annotations

import math
import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Generic, TypeVar

from rulespec.base.diagnostics import Span
from rulespec.text.raw.statements import Features, Index, Statements, features
from rulespec.text.reading.mentions import Reading
from rulespec.text.reading.once import once

_V = TypeVar("_V")

_MARK = re.compile(r"[,;:|\n，；：、。（）()]|\s[–—-]\s|->|→|=")

FAINT = 0.02
"""The least probability of a rule that counts."""

BESIDE = {True: 3, False: 2}
"""How many characters away the thing beside a number is at most, in languages with and without spaces."""


def clause_around(sentence: Reading, start: int, end: int) -> Reading:
    """The part of a sentence between marks that contains `text[start:end]`."""
    whole = sentence.whole or sentence
    cuts = once(whole, "cuts", lambda: [m.end() for m in _MARK.finditer(whole.text)])
    before, after = bisect_right(cuts, start), bisect_left(cuts, end)
    low = cuts[before - 1] if before else 0
    high = cuts[after] if after < len(cuts) else len(whole.text)
    return whole.part(max(low, sentence.start), min(high, sentence.end))


def things_beside(sentence: Reading, start: int, end: int) -> frozenset[str]:
    """The concepts of the terms next to `text[start:end]`."""
    reach = BESIDE[sentence.language.spaced]
    near = sentence.mentions_over(start - reach, end + reach)
    return frozenset(concept for mention in near for concept in (mention.concept, *mention.also))


@dataclass(frozen=True)
class Place:
    """What stands around a value: the features of its clause and its sentence without it, and the things beside it."""

    clause: Features
    sentence: Features
    things: frozenset[str] = frozenset()


def place_of(sentence: Reading, words: Span, *, numbers: bool = True) -> Place:
    """The place of a value at some words of a sentence; without the numbers around it if they are not wanted."""
    parts = (clause_around(sentence, words.start, words.end), sentence)
    clause, whole = (features(part, (words,)) for part in parts)
    if not numbers:
        clause, whole = (frozenset(name for name in one if name[0] != "=") for one in (clause, whole))
    return Place(clause, whole, things_beside(sentence, words.start, words.end))


@dataclass(frozen=True)
class Reference(Generic[_V]):
    """A value in a statement of a rule."""

    value: _V
    rule: str
    place: Place
    sentence: Reading = field(repr=False)
    ours: bool = True


class References(Generic[_V]):
    """The references of a kind, and how like a place of a raw text is to theirs."""

    def __init__(self, every: Iterable[Reference[_V]], known: Statements) -> None:
        self.every: Sequence[Reference[_V]] = tuple(every)
        self._known = known
        self._cache: dict[Features, Mapping[int, float]] = {}

    @cached_property
    def _places(self) -> Mapping[Features, int]:
        parts = (part for one in self.every for part in (one.place.clause, one.place.sentence))
        return {part: place for place, part in enumerate(dict.fromkeys(parts))}

    @cached_property
    def _index(self) -> Index:
        return self._known.index(list(self._places))

    def _like(self, part: Features) -> Mapping[int, float]:
        if part not in self._cache:
            self._cache[part] = self._index.cosines(part)
        return self._cache[part]

    def like(self, place: Place) -> Iterator[tuple[float, Reference[_V]]]:
        """How like a place is to that of each reference: the sum of two cosines, from 0 to 2."""
        clause, sentence, places = self._like(place.clause), self._like(place.sentence), self._places
        for one in self.every:
            like = clause.get(places[one.place.clause], 0.0) + sentence.get(places[one.place.sentence], 0.0)
            yield like, one


def probability(weights: Sequence[float], evidence: Sequence[float]) -> float:
    """The probability that evidence has under the weights of a logistic regression, of which the last is constant."""
    total = sum(weight * one for weight, one in zip(weights, (*evidence, 1.0), strict=True))
    return 1 / (1 + math.exp(-total)) if total > -700 else 0.0
