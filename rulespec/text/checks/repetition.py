"""Numbers that a choice repeats."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import regex

from rulespec.base.diagnostics import Finding, Span
from rulespec.base.messages import say
from rulespec.text.checks.page import Page
from rulespec.text.languages import Pattern
from rulespec.text.languages.quantity import Quantity
from rulespec.text.reading.mentions import Reading
from rulespec.text.reading.prose import Prose
from rulespec.text.reading.tables import COUNTED
from rulespec.text.rules.evidence import comma_part, line_at

_COMMAS = regex.compile(r"\s*[,，、]\s*")


def repeated(page: Page) -> Iterator[Finding]:
    """Choices with a repeated number: `4 or 4`, `4, 4 or 5`, `5, 4 or 5`."""
    prose, reading, numbers = page.prose, page.reading, page.reading.quantities
    for i, (before, after) in enumerate(pairwise(numbers)):
        last = numbers[i + 2] if i + 2 < len(numbers) else after
        choice = _between(reading.language.either, before, after, prose)
        listed = _between(_COMMAS, before, after, prose) and _between(reading.language.either, after, last, prose)
        beginning = listed and _same(before, after) and not _end_and_start(before, after, reading)
        if (choice and _same(before, after)) or beginning or (listed and _same(before, last)):
            end = last.end if listed and not beginning else after.end
            message = say("“{prose}” repeats a number.", prose=prose.text[before.start : end])
            yield prose.say("number-repeated", message, before.start, end, say("Correct one of them."))


def _same(one: Quantity, other: Quantity) -> bool:
    return (one.kind, one.value, one.high) == (other.kind, other.value, other.high)


def _end_and_start(before: Quantity, after: Quantity, reading: Reading) -> bool:
    """Whether one number ends a row of a table and the next begins another: `5 gives 2, 2 or 3 gives 1`."""
    line = line_at(reading, before.start) or Span(before.start, after.end)
    ending, beginning = (comma_part(reading, quantity, line.start, line.end) for quantity in (before, after))
    earlier = reading.quantities_from(ending[0], before.start)
    later = list(reading.quantities_from(after.end, beginning[1]))
    return any(q.kind in COUNTED for q in earlier) and len(later) > 1


def _between(pattern: Pattern | None, before: Quantity, after: Quantity, prose: Prose) -> bool:
    if pattern is None or before.end >= after.start:
        return False
    return pattern.fullmatch(prose.text, before.end, after.start) is not None
