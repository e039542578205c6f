"""Lists whose items stand in another order than in every other text of the rule."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from rulespec.base.diagnostics import Span
from rulespec.text.judging.parallel import similarity
from rulespec.text.reading.mentions import Reading
from rulespec.text.reading.segmentation import is_item, paragraphs

MORE = 0.1
"""By how much each item that has moved is more similar to the one that it stands for than to the one in its place."""


MOST = 4_000
"""The most pairs of items that are compared: a list of 63 items. Longer lists are hostile."""


def reordered(here: Reading, others: Sequence[Reading]) -> Iterator[Span]:
    """The first item out of place of each list that every other text has in one and the same other order."""
    mine, theirs = _lists(here), [_lists(other) for other in others]
    for at, items in enumerate(mine):
        orders = {_order(items, lists[at]) if len(lists) == len(mine) else None for lists in theirs}
        order = orders.pop() if len(orders) == 1 else None
        if order is not None:
            first = next(item for place, item in zip(order, items, strict=True) if item is not items[place])
            yield Span(first.start, first.end)


def _lists(reading: Reading) -> list[list[Reading]]:
    grouped = groupby(
        paragraphs(reading.text, reading.start, reading.end), key=lambda span: is_item(reading.text, span.start)
    )
    return [[reading.part(span.start, span.end) for span in group] for is_list, group in grouped if is_list]


def _order(items: Sequence[Reading], others: Sequence[Reading]) -> tuple[int, ...] | None:
    """The places at which another list has our items; None if it has them in our order, or if that is not clear."""
    if len(items) != len(others) or len(items) ** 2 > MOST:
        return None
    likes = [[similarity(item, other) for other in others] for item in items]
    order = tuple(row.index(max(row)) if row[own] < max(row) else own for own, row in enumerate(likes))
    moved = [row[at] - row[own] for own, (at, row) in enumerate(zip(order, likes, strict=True)) if at != own]
    return order if moved and len(set(order)) == len(order) and min(moved) >= MORE else None
