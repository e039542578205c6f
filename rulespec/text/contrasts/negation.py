"""The scope of negation: which contrasts a negator negates."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from rulespec.diagnostics import Span
from rulespec.meaning.contrasts import NEGATED, NEGATIVE
from rulespec.text.contrasts.lexicon import Lexicon, Role
from rulespec.text.glossary.tokens import Joint, Token
from rulespec.text.languages import Language


@dataclass(frozen=True)
class Contrast:
    """A value of a family at `text[start:end]`, after negation.

    `negated`: the words deny `value` and state no other. `negator` is the place of the word that negates them; a value
    that negation turned into another has one too. `within` is the concept whose term contains the words.
    """

    family: str
    value: str
    start: int
    end: int
    negated: bool = False
    negator: Span | None = None
    within: str = ""

    @property
    def words(self) -> Span:
        """The words with their negator."""
        if self.negator is None:
            return Span(self.start, self.end)
        return Span(min(self.start, self.negator.start), max(self.end, self.negator.end))


@dataclass(frozen=True)
class Negator:
    """A word that negates what follows it, or what precedes it."""

    start: int
    end: int
    role: Role


@dataclass(frozen=True, eq=False)
class Sentence:
    """Where negation is resolved: a text with its words. Negation ends at the boundaries of clauses."""

    text: str
    language: Language
    words: Sequence[Token]
    starts: Sequence[int]
    reach: int

    def joins(self, start: int, end: int) -> bool:
        """Whether `text[start:end]` is within one clause and has at most `reach` words."""
        first, last = bisect_left(self.starts, start), bisect_left(self.starts, end)
        if last - first > self.reach:
            return False
        if any(word.joint == Joint.END for word in self.words[first : last + 1]):
            return False
        return self.language.clause.search(self.text, start, end) is None


def resolved(
    contrasts: Sequence[Contrast], negators: Iterable[Negator], lexicon: Lexicon, sentence: Sentence
) -> Iterator[Contrast]:
    """The contrasts after negation. A negator that negates none of them is a contrast of its own, of family `truth`."""
    starts = [contrast.start for contrast in contrasts]
    by_place: dict[int, list[Span]] = {}
    denied = list(_denied(contrasts, starts, lexicon, sentence.text))
    for place, span in denied:
        by_place.setdefault(place, []).append(span)
    for place, contrast in enumerate(contrasts):
        for other in _negated_by_value(contrasts, place, sentence):
            by_place.setdefault(other, []).append(Span(contrast.start, contrast.end))
    for negator in negators:
        if any(span.start <= negator.start < span.end for _, span in denied):
            continue
        span = Span(negator.start, negator.end)
        places = _negated_by(negator, contrasts, starts, sentence)
        if not places:
            yield Contrast("truth", "not", negator.start, negator.end)
        for place in places:
            by_place.setdefault(place, []).append(span)
    for place, contrast in enumerate(contrasts):
        yield _after(contrast, by_place.get(place, []))


def _denied(
    contrasts: Sequence[Contrast], starts: Sequence[int], lexicon: Lexicon, text: str
) -> Iterator[tuple[int, Span]]:
    """The contrasts in A of “not A but B”, each with the place of the whole."""
    for pattern in lexicon.instead:
        for match in pattern.finditer(text):
            low, high = match.span("false")
            for place in range(bisect_left(starts, low), bisect_left(starts, high)):
                if contrasts[place].end <= high:
                    yield place, Span(match.start(), match.start("false"))


def _negated_by_value(contrasts: Sequence[Contrast], at: int, sentence: Sentence) -> Iterator[int]:
    """The places of the contrasts that the value of a contrast negates: the next one of each family."""
    contrast = contrasts[at]
    negates = NEGATIVE.get((contrast.family, contrast.value), frozenset())
    done: set[str] = set()
    for place in range(at + 1, len(contrasts)) if negates else ():
        other = contrasts[place]
        if other.start > contrast.start and not sentence.joins(contrast.end, other.start):
            return
        if (other.family, other.value) in negates and other.family not in done and other.start >= contrast.end:
            done.add(other.family)
            yield place


def _negated_by(
    negator: Negator, contrasts: Sequence[Contrast], starts: Sequence[int], sentence: Sentence
) -> list[int]:
    """The places of the nearest contrasts within reach; several if they have the same words."""
    if negator.role is Role.NEGATES_NEXT:
        at = bisect_left(starts, negator.end)
        near = at < len(contrasts) and sentence.joins(negator.end, starts[at])
    else:
        at = bisect_left(starts, negator.start) - 1
        near = at >= 0 and sentence.joins(contrasts[at].end, negator.start)
    return [place for place, start in _around(starts, at) if start == starts[at]] if near else []


def _around(starts: Sequence[int], at: int) -> Iterator[tuple[int, int]]:
    low = bisect_left(starts, starts[at])
    while low < len(starts) and starts[low] == starts[at]:
        yield low, starts[low]
        low += 1


def _after(contrast: Contrast, negators: Sequence[Span]) -> Contrast:
    """A contrast after its negators. Two negators cancel each other."""
    if not len(negators) % 2:
        return contrast
    value = NEGATED.get((contrast.family, contrast.value))
    return replace(contrast, value=value or contrast.value, negated=value is None, negator=negators[0])
