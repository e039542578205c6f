"""The parts of a sentence that may state a rule of their own: clauses, and what stands between marks."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from rulespec.base.diagnostics import Span
from rulespec.text.reading.by_place import ByPlace
from rulespec.text.reading.clauses import clauses
from rulespec.text.reading.mentions import Reading
from rulespec.text.reading.once import once

_MARK = re.compile(r"[,;:|，；：、。（）()]|\s[–—-]\s|->|→|=")


def parts(sentence: Reading) -> Sequence[Span]:
    """A sentence, its clauses, and its parts between marks."""
    return _parts(sentence).every


def part_around(sentence: Reading, start: int, end: int) -> Reading:
    """The smallest part of a sentence that contains `text[start:end]`."""
    known, whole = _parts(sentence), sentence.whole or sentence
    around = [span for level in known.levels for span in level.over(start, end) if _contains(span, start, end)]
    span = min(around, key=lambda span: span.end - span.start, default=known.sentence)
    return whole.part(span.start, span.end)


def _contains(span: Span, start: int, end: int) -> bool:
    return span.start <= start and end <= span.end


@dataclass(frozen=True)
class _Parts:
    """The parts of a sentence. Those of one of the levels (clauses, and parts between marks) do not overlap."""

    sentence: Span
    levels: tuple[ByPlace[Span], ByPlace[Span]]

    @cached_property
    def every(self) -> Sequence[Span]:
        spans = {self.sentence, *(span for level in self.levels for span in level.every)}
        return sorted(spans, key=lambda span: (span.start, span.end))


def _parts(sentence: Reading) -> _Parts:
    return once(sentence.whole or sentence, (sentence.start, sentence.end), lambda: _cut(sentence))


def _cut(sentence: Reading) -> _Parts:
    cuts = [sentence.start, *(m.end() for m in _MARK.finditer(sentence.text, sentence.start, sentence.end))]
    between = (Span(start, end) for start, end in zip(cuts, [*cuts[1:], sentence.end], strict=True))
    clause_spans = _clauses(sentence) if len(cuts) > 1 else ()
    return _Parts(Span(sentence.start, sentence.end), (ByPlace(clause_spans), ByPlace(between)))


def _clauses(sentence: Reading) -> list[Span]:
    found = clauses(sentence.text, sentence.language, sentence.start, sentence.end)
    return [Span(one.start, one.end) for one in found]
