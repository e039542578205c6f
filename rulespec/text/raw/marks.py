"""Marks: the words of a sentence whose opposite would make it say the contrary, with what stands around them.

A mark is a contrast, or a predicate that is affirmed or denied.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from rulespec.base.diagnostics import Span
from rulespec.text.judging.contradictions import names_thing
from rulespec.text.languages.quantity import Kind
from rulespec.text.raw.cases import Case, cases
from rulespec.text.raw.features import Features, features
from rulespec.text.raw.parts import parts
from rulespec.text.reading.by_place import ByPlace
from rulespec.text.reading.clauses import clauses
from rulespec.text.reading.contrasts import Contrast
from rulespec.text.reading.contrasts.predicates import DENIED
from rulespec.text.reading.mentions import Reading
from rulespec.text.reading.once import once
from rulespec.text.rules.book import Book

_DENIALS = frozenset({("truth", "not"), ("modality", "may_not"), ("quantity", "none")})

_OF_CASES = frozenset({"comparison"})
"""The families that are compared in conditions only. Of other conditions a text may state either case, and what is
less than another thing makes that one more."""


_IN_TURN = "change"
"""The family of which two values follow each other in the steps of a rule."""

_PARTS = re.compile(r"[\n|;；]")
"""What is between items of a list and cells of a table, which need no order."""

ANY = "any"
_ANY = frozenset({("quantity", "some"), ("quantity", "all")})
"""The contrasts before a noun that mean each one of a series."""


@dataclass(frozen=True)
class Mark:
    """A value of a family at `words`.

    `near` are the features of the part of the sentence around them, `wide` those of the sentence, both without the
    words; `case` are those of the condition at the start of the sentence. `open`: the words state a case, a part or
    what is denied, so that their opposite may be true as well. `conditional`: they are in a condition.
    """

    family: str
    value: str
    words: Span
    near: Features = field(repr=False)
    wide: Features = field(repr=False)
    case: Features = field(repr=False)
    open: bool = False
    conditional: bool = False


def marks(sentence: Reading, book: Book, before: Features = frozenset()) -> list[Mark]:
    """The marks of a sentence in order. `before` are features of the sentence before, for one that names no thing."""
    return list(_Sentence(sentence, book, before).marks())


def names_things(said: Features) -> bool:
    """Whether a sentence mentions a concept."""
    return any(name[0] == "@" for name in said)


class _Sentence:
    def __init__(self, sentence: Reading, book: Book, before: Features) -> None:
        self.reading, self.whole, self.book = sentence, sentence.whole or sentence, book
        self.before = frozenset() if names_things(features(sentence)) else before
        self.spans = sorted(parts(sentence), key=lambda span: span.end - span.start)
        self.conditions = list(_conditions(self.whole).over(sentence.start, sentence.end))

    def marks(self) -> Iterator[Mark]:
        found = list(self._values())
        yield from found
        yield from self._in_turn(sorted(found, key=lambda mark: mark.words.start))
        yield from self._occasions()
        for case in _cases(self.whole).inside(self.reading.start, self.reading.end):
            numbers = (one for one in self.reading.quantities if case.start < one.end and one.start < case.end)
            # “More than four” bounds a number, and is no majority.
            if case.value != "majority" or all(one.kind != Kind.CARDINAL for one in numbers):
                yield self._mark(case.family, case.value, Span(case.start, case.end), False)

    def _values(self) -> Iterator[Mark]:
        predicates = self.reading.predicates
        for contrast in self.reading.contrasts:
            if not names_thing(contrast, self.book):
                is_open = self._is_open(contrast) or _is_spared(contrast.words, predicates)
                yield self._mark(contrast.family, label(contrast), contrast.words, is_open)
        for one in predicates:
            words = Span(one.start, one.end)
            is_open = one.conditional or not one.certain or _is_spared(words, predicates)
            yield self._mark(one.family, one.value, words, is_open)

    def _in_turn(self, found: Sequence[Mark]) -> Iterator[Mark]:
        """Two values of a family that follow each other, unless one may choose: first up, then down."""
        either = self.reading.language.either
        for one, other in pairwise([mark for mark in found if mark.family == _IN_TURN]):
            between = self.reading.text[one.words.end : other.words.start]
            if one.value != other.value and not _PARTS.search(between) and not (either and either.search(between)):
                words = Span(one.words.start, other.words.end)
                yield self._mark(f"{_IN_TURN} in turn", f"{one.value}, {other.value}", words, False)

    def _occasions(self) -> Iterator[Mark]:
        """Which one of a series is meant: the third round, any round."""
        for quantity in self.reading.quantities:
            if quantity.kind == Kind.ORDINAL:
                over = [
                    one
                    for one in self.reading.mentions_over(quantity.start, quantity.end + 2)
                    if one.end > quantity.end
                ]
                for mention in over[:1]:
                    yield from self._occasion(quantity.start, quantity.end, mention.end, str(quantity.value))
        for contrast in self.reading.contrasts:
            if (contrast.family, contrast.value) in _ANY or (contrast.value == "none" and contrast.negator is not None):
                for mention in self.reading.mentions_from(contrast.end, contrast.end + 2):
                    yield from self._occasion(contrast.start, contrast.end, mention.end, ANY)

    def _occasion(self, start: int, noun: int, end: int, value: str) -> Iterator[Mark]:
        name = "".join(sorted(one for one in features(self.whole.part(noun, end)) if one[0] not in "@="))
        if name:
            yield self._mark(f"which {name}", value, Span(start, end), False)

    def _mark(self, family: str, value: str, words: Span, is_open: bool) -> Mark:
        start, end = self._around(words)
        near = features(self.whole.part(start, end), (words,))
        wide = features(self.reading, (words,)) | self.before
        conditional = self._in_case(words.start, start)
        return Mark(family, value, words, near, wide, self._case(words), is_open, conditional)

    def _case(self, words: Span) -> Features:
        """The features of the conditions of a sentence that do not contain the words."""
        cases = [one for one in self.conditions if not (one.start <= words.start < one.end)]
        return frozenset[str]().union(*(features(self.whole.part(one.start, one.end)) for one in cases))

    def _around(self, words: Span) -> tuple[int, int]:
        """The smallest part of the sentence that contains some words."""
        sentence = (self.reading.start, self.reading.end)
        return next(((s.start, s.end) for s in self.spans if s.start <= words.start and words.end <= s.end), sentence)

    def _is_open(self, contrast: Contrast) -> bool:
        """Whether the clause of a contrast is a condition, or denies something: nobody climbs down."""
        start, end = self._around(contrast.words)
        denied = any(denies(one) for one in self.whole.contrasts_from(start, end) if one != contrast)
        return (denied and contrast.negator is None) or self._in_case(contrast.start, start) == (
            contrast.family not in _OF_CASES
        )

    def _in_case(self, at: int, start: int) -> bool:
        """Whether an offset is in a condition, at the start of its sentence or of the part of it from `start` on."""
        if any(one.start <= at < one.end for one in self.conditions):
            return True
        opening = self.reading.language.clauses.condition
        return opening is not None and opening.search(self.reading.text, start, at) is not None


def denies(contrast: Contrast) -> bool:
    """Whether a contrast denies something."""
    return contrast.negated or (contrast.family, contrast.value) in _DENIALS


def label(contrast: Contrast) -> str:
    """The value of a contrast, with a “not” if it is negated."""
    return f"not {contrast.value}" if contrast.negated else contrast.value


def _is_spared(words: Span, predicates: Sequence[Contrast]) -> bool:
    """Whether a clause says before some words that one need not do something: “you need not pay” does not say that you
    pay, nor that you do not."""
    spared = (one for one in predicates if (one.family, one.value) == ("obligation", DENIED))
    return any(one.end <= words.start < one.clause.end for one in spared if one.clause is not None)


def _cases(whole: Reading) -> ByPlace[Case]:
    return once(whole, "cases", lambda: ByPlace(cases(whole.text, whole.language)))


def _conditions(whole: Reading) -> ByPlace[Span]:
    every = (one for one in clauses(whole.text, whole.language, whole.start, whole.end) if one.is_condition)
    return once(whole, "conditions", lambda: ByPlace(Span(one.start, one.end) for one in every))
