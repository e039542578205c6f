"""The parts of a sentence that may state a rule of their own: clauses, and what stands between marks."""

from __future__ import annotations

import re

from rulespec.diagnostics import Span
from rulespec.text.clauses import clauses
from rulespec.text.reading import Reading

_MARK = re.compile(r"[,;:|，；：、。（）()]|\s[–—-]\s|->|→|=")


def parts(sentence: Reading) -> list[Span]:
    """A sentence, its clauses, and its parts between marks."""
    cuts = [sentence.start, *(m.end() for m in _MARK.finditer(sentence.text, sentence.start, sentence.end))]
    spans = {(sentence.start, sentence.end), *zip(cuts, [*cuts[1:], sentence.end], strict=True)}
    if len(cuts) > 1:
        spans |= {(one.start, one.end) for one in _clauses(sentence)}
    return [Span(start, end) for start, end in sorted(spans)]


def part_around(sentence: Reading, start: int, end: int) -> Reading:
    """The smallest part of a sentence that contains `text[start:end]`."""
    around = (span for span in parts(sentence) if span.start <= start and end <= span.end)
    span = min(around, key=lambda span: span.end - span.start)
    return (sentence.whole or sentence).part(span.start, span.end)


def _clauses(sentence: Reading) -> list[Span]:
    found = clauses(sentence.text, sentence.language, sentence.start, sentence.end)
    return [Span(one.start, one.end) for one in found]
