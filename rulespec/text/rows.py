"""Numbers by the number of players, however a text lays them out: in lists, tables, columns or running text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from rulespec.diagnostics import Span
from rulespec.text.language import Language, lines, sentences
from rulespec.text.quantity import Kind, Quantity

COUNTED = frozenset({Kind.CARDINAL, Kind.SIGNED, Kind.RANGE, Kind.NOTHING, Kind.RELATIVE})
"""Kinds of quantities that say how many; the others number, point or mark."""

_COUNTS = (Kind.CARDINAL, Kind.RANGE)
_ONLY_NUMBERS = re.compile(r"[\s|:+\-−–\d０-９()（）]*")
_ADVERB = re.compile(r"[ву]\w?['’ʼ]?\w*(?:о|ьо)х", re.IGNORECASE)  # вдвох, втрьох: so many players


@dataclass(frozen=True)
class Row:
    """What a text says for some numbers of players."""

    counts: tuple[int, ...]
    values: tuple[Quantity, ...]


@dataclass(frozen=True)
class _Key:
    counts: tuple[int, ...]
    quantities: tuple[Quantity, ...]
    explicit: bool


def player_counts(text: str, language: Language, quantities: tuple[Quantity, ...]) -> dict[int, tuple[int, ...]]:
    """The quantities that say for how many players something holds, by where they start: `2, 3 or 4 players`."""
    found: dict[int, tuple[int, ...]] = {}
    for i, quantity in enumerate(quantities):
        people = language.people.match(text, quantity.end) or _ADVERB.fullmatch(text, quantity.start, quantity.end)
        # "One player" and its like are anybody; a game for one says so in digits.
        anybody = quantity.value == 1 and not any(c.isdecimal() for c in text[quantity.start : quantity.end])
        if quantity.kind not in _COUNTS or not people or anybody:
            continue
        found[quantity.start] = _counts(quantity)
        for before, after in zip(reversed(quantities[:i]), reversed(quantities[1 : i + 1]), strict=True):
            joined = before.end < after.start and language.joint.fullmatch(text, before.end, after.start)
            if before.kind not in _COUNTS or not joined:
                break
            found[before.start] = _counts(before)
    return found


def _counts(quantity: Quantity) -> tuple[int, ...]:
    low, high = int(quantity.value), int(quantity.high if quantity.high is not None else quantity.value)
    return tuple(range(low, min(high, low + 20) + 1))


def rows(
    text: str, language: Language, quantities: tuple[Quantity, ...], players: range, start: int, end: int
) -> list[Row]:
    """All rows by number of players in `text[start:end]`."""
    return list(_rows(_Table(text, language, quantities, players), start, end))


@dataclass(frozen=True)
class _Table:
    text: str
    language: Language
    quantities: tuple[Quantity, ...]
    players: range

    def numbers(self, span: Span) -> list[Quantity]:
        return [q for q in self.quantities if span.start <= q.start < span.end and q.kind in COUNTED]

    def keys(self) -> dict[int, tuple[int, ...]]:
        return player_counts(self.text, self.language, self.quantities)


def _rows(table: _Table, start: int, end: int) -> Iterator[Row]:
    written = list(lines(table.text, start, end))
    keys = table.keys()
    carried: tuple[int, ...] = ()
    skip = -1
    for i, line in enumerate(written):
        numbers = table.numbers(line)
        below = table.numbers(written[i + 1]) if i + 1 < len(written) else []
        if i == skip:
            continue
        if _columns(table, line, numbers, below):
            yield from (Row(_counts(key), (value,)) for key, value in zip(numbers, below, strict=True))
            carried, skip = (), i + 1
            continue
        here = [q for q in numbers if q.start in keys]
        others = [q for q in numbers if q.start not in keys]
        if here and not others:
            carried = tuple(count for q in here for count in keys[q.start])
        elif carried and others and not here:
            yield Row(carried, tuple(others))
            carried = ()
        else:
            carried = ()
            for sentence in sentences(table.text, table.language, line.start, line.end):
                yield from _inline(table, table.numbers(sentence), keys)


def _columns(table: _Table, line: Span, numbers: list[Quantity], below: list[Quantity]) -> bool:
    """A line of player counts with a line of as many numbers below it."""
    values = [q.value for q in numbers]
    return (
        len(numbers) >= 2
        and len(below) == len(numbers)
        and all(q.kind == Kind.CARDINAL for q in numbers)
        and values == sorted(set(values))
        and all(value in table.players for value in values)
        and bool(_ONLY_NUMBERS.fullmatch(table.text, line.start, line.end))
    )


def _inline(table: _Table, numbers: list[Quantity], keys: dict[int, tuple[int, ...]]) -> Iterator[Row]:
    """Rows within one sentence or list item."""
    if not any(q.start in keys for q in numbers):
        return
    paired = _alternating(table, numbers, keys)
    if paired:
        yield from paired
        return
    groups = _groups(numbers, keys)
    if isinstance(groups[0], tuple):  # counts first: what follows belongs to them
        yield from _following(groups)
    else:
        yield from (Row(row.counts, row.values[::-1]) for row in _following(groups[::-1]))


def _alternating(table: _Table, numbers: list[Quantity], keys: dict[int, tuple[int, ...]]) -> list[Row]:
    """`3 cards with 2 players, 4 with 3, 5 with 4`: every other number is a count, whether it says so or not."""
    if len(numbers) % 2:
        numbers = numbers[1:]  # a sentence may begin with the rule in general
    for phase in (0, 1) if len(numbers) >= 4 else ():
        counts, values = numbers[phase::2], numbers[1 - phase :: 2]
        rising = [q.value for q in counts]
        told = {q.start for q in numbers if q.start in keys}
        if (
            all(after == before + 1 for before, after in pairwise(rising))
            and all(q.kind == Kind.CARDINAL and q.value in table.players for q in counts)
            and told <= {q.start for q in counts}
        ):
            return [Row(_counts(key), (value,)) for key, value in zip(counts, values, strict=True)]
    return []


def _groups(numbers: list[Quantity], keys: dict[int, tuple[int, ...]]) -> list[tuple[int, ...] | Quantity]:
    """Numbers in order, with neighbouring player counts taken together."""
    found: list[tuple[int, ...] | Quantity] = []
    for quantity in numbers:
        if quantity.start not in keys:
            found.append(quantity)
        elif found and isinstance(found[-1], tuple):
            found[-1] = (*found[-1], *keys[quantity.start])
        else:
            found.append(keys[quantity.start])
    return found


def _following(groups: list[tuple[int, ...] | Quantity]) -> Iterator[Row]:
    counts: tuple[int, ...] = ()
    values: list[Quantity] = []
    for item in [*groups, ()]:
        if isinstance(item, tuple):
            if counts and values:
                yield Row(counts, tuple(values))
            counts, values = item, []
        else:
            values.append(item)
