"""Component lists: consecutive counts of things in the box."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import groupby

from rulespec.text.raw.segments import Role, Segment
from rulespec.text.reading.mentions import Reading
from rulespec.text.rules.book import Book


def with_components(found: list[Segment], reading: Reading, book: Book) -> Iterator[Segment]:
    """The segments, with the role of components for three or more consecutive counts of things in the box."""
    for listed, run in groupby(found, key=lambda segment: _is_count(segment, reading, book)):
        several = list(run)
        whole = listed and len(several) >= 3
        yield from (replace(segment, role=Role.COMPONENT) if whole else segment for segment in several)


def _is_count(segment: Segment, reading: Reading, book: Book) -> bool:
    """Whether a segment starts with a number of components, or is a component followed by its number."""
    part = reading.part(segment.start, segment.end)
    things = [m for m in part.mentions if book.is_component(m.concept)]
    if segment.role not in (Role.RULE, Role.HEADING) or not part.quantities or not things:
        return False
    number, thing = part.quantities[0], things[0]
    leading = number.start - segment.start <= 1 and 0 <= thing.start - number.end <= 3
    trailing = thing.start == segment.start and 0 <= part.quantities[-1].start - thing.end <= 3
    return leading or (trailing and segment.end - part.quantities[-1].end <= 3)
