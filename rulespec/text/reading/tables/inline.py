"""Rows by number of players within one sentence or list item."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import groupby, pairwise, product

from rulespec.base.diagnostics import Span
from rulespec.text.languages.quantity.quantity import Kind, Quantity
from rulespec.text.reading.tables.row import Key, Table, TableRow, counts_of


def inline(table: Table, span: Span) -> tuple[TableRow, ...]:
    """Rows within one sentence or list item. A list in brackets or after a colon is read alone."""
    if span not in table.inline:
        table.inline[span] = tuple(_inline(table, span, table.keys))
    return table.inline[span]


def _inline(table: Table, span: Span, keys: dict[int, tuple[int, ...]]) -> Iterator[TableRow]:
    numbers = table.numbers(span)
    for part in _parts(table, span):
        # Of several ways to read a part, the one with most rows: “13 with three players and 8 with four” is one clause.
        inside = table.numbers(part)
        ways = _by_clause(table, part, keys), _alternating(table, inside, keys), _parallel(table, inside, keys)
        found = max(ways, key=len)
        if found:
            yield from found
            return
    if not any(q.start in keys for q in numbers):
        return
    groups = _groups(numbers, keys)
    if isinstance(groups[0], Key):  # counts come before their values
        yield from _following(groups)
    else:
        yield from (TableRow(row.counts, row.keys, row.values[::-1]) for row in _following(groups[::-1]))


_BRACKETS = re.compile(r"[(（]([^()（）]*)[)）]")


def _parts(table: Table, span: Span) -> Iterator[Span]:
    """The parts of a sentence that may be a table: what is in brackets, what follows the last colon, the whole."""
    yield from (Span(*match.span(1)) for match in _BRACKETS.finditer(table.text, span.start, span.end))
    colon = max(table.text.rfind(mark, span.start, span.end) for mark in ":：")
    if colon >= 0:
        yield Span(colon + 1, span.end)
    yield span


def _by_clause(table: Table, span: Span, keys: dict[int, tuple[int, ...]]) -> list[TableRow]:
    """The rows of several clauses that each state player counts and numbers: `2 players 54, 3 or 4 players 60`."""
    found = []
    begin, before = span.start, Key((), ())
    for end in [*(m.start() for m in table.language.clause.finditer(table.text, span.start, span.end)), span.end]:
        groups = _groups(table.numbers(Span(begin, end)), keys)
        named = [group for group in groups if isinstance(group, Key)]
        values = tuple(group for group in groups if isinstance(group, Quantity))
        key = Key((), ())
        if len(named) == 1:
            key = Key(before.counts + named[0].counts, before.quantities + named[0].quantities)
        if key.counts and values:
            found.append(TableRow(key.counts, key.quantities, values))
        before = key if not values else Key((), ())
        begin = end
    return found if len(found) > 1 else []


_Cell = tuple[Quantity, ...]


def _alternating(table: Table, numbers: list[Quantity], keys: dict[int, tuple[int, ...]]) -> list[TableRow]:
    """The rows of a sentence in which every other number is a player count: `3 cards with 2 players, 4 with 3`.

    One count may be wrong, so that the mistake is reported, but a reading in which all are right comes first: “4 with 3
    and 2 with 4” could be a value for 3 and 2. Without the word for players the counts must be all those of the game.
    """
    counted = [q for q in numbers if q.kind != Kind.RELATIVE]
    single: list[_Cell] = [(q,) for q in counted]
    joined = _joined(table, counted)
    ways = (single,) if len(joined) == len(single) else (joined, single)
    for wrong, cells in product((0, 1), ways):
        found = _pairs(table, cells, keys, wrong)
        if found:
            return found
    return []


def _parallel(table: Table, numbers: list[Quantity], keys: dict[int, tuple[int, ...]]) -> list[TableRow]:
    """The rows of a list of values and one of all player counts: `60, 72 or 80 cards for 2, 3 or 4 players`."""
    half = len(table.players)
    if half < 3 or len(numbers) != 2 * half:
        return []
    for counts, values in ((numbers[half:], numbers[:half]), (numbers[:half], numbers[half:])):
        if (
            [q.value for q in counts] == list(table.players)
            and counts[-1].start in keys
            and values[-1].start not in keys
        ):
            return [TableRow(counts_of(key), (key,), (value,)) for key, value in zip(counts, values, strict=True)]
    return []


def _pairs(table: Table, cells: list[_Cell], keys: dict[int, tuple[int, ...]], wrong: int) -> list[TableRow]:
    """The rows of cells that are player counts and values in turn, with at most so many wrong counts."""
    first = next((i for i, cell in enumerate(cells) if cell[-1].start in keys), None)
    starts = ((0, 1), (0, 0)) if first is None else ((first - 1, 1), (first, 0))
    for start, phase in starts:
        counts, values = cells[max(0, start) :][phase::2], cells[max(0, start) :][1 - phase :: 2]
        if start >= 0 and _are_pairs(table, counts, values, keys, first is not None, wrong):
            flat = (value for (value,) in values)
            return [TableRow(_of_cell(key, keys), key, (value,)) for key, value in zip(counts, flat, strict=True)]
    return []


def _are_pairs(
    table: Table,
    counts: list[_Cell],
    values: list[_Cell],
    keys: dict[int, tuple[int, ...]],
    marked: bool,
    wrong: int,
) -> bool:
    """Whether cells are the player counts, of which so many may be wrong, and the values of a table.

    Not `marked`: no word says that they are counts.
    """
    if len(counts) != len(values) or len(counts) < 2 or any(len(cell) > 1 for cell in values):
        return False
    every = [count for cell in counts for count in _of_cell(cell, keys)]
    if not marked:
        return len(counts) > 2 and every == list(table.players)
    named = {q.start for cell in values for q in cell if q.start in keys}
    return not named and is_rising(table, [q for cell in counts for q in cell], wrong)


def _of_cell(cell: _Cell, keys: dict[int, tuple[int, ...]]) -> tuple[int, ...]:
    return tuple(count for q in cell for count in keys.get(q.start, counts_of(q)))


def _joined(table: Table, numbers: list[Quantity]) -> list[_Cell]:
    """The numbers with those of one list together: `five or six`."""
    cells: list[_Cell] = []
    for quantity in numbers:
        last = cells[-1][-1] if cells else None
        if last is not None and last.end < quantity.start and _is_joint(table, last, quantity):
            cells[-1] = (*cells[-1], quantity)
        else:
            cells.append((quantity,))
    return cells


def _is_joint(table: Table, before: Quantity, after: Quantity) -> bool:
    """Whether a conjunction joins two numbers. A comma may also stand between the rows of a table."""
    between = table.text[before.end : after.start].strip()
    joint = table.language.joint.fullmatch(table.text, before.end, after.start)
    return bool(between) and between[0] not in ",，" and joint is not None


def is_rising(table: Table, counts: list[Quantity], allowed: int) -> bool:
    """Whether numbers are consecutive player counts. Of three or more, one may be wrong if that is `allowed`."""
    steps = [int(after.value - before.value) for before, after in pairwise(counts)]
    wrong = sum(step != 1 for step in steps)
    inside = sum(q.kind == Kind.CARDINAL and q.value in table.players for q in counts)
    if wrong == 0:
        return inside == len(counts)
    if not allowed:
        return False
    return len(counts) > 2 and wrong < len(steps) and inside >= len(counts) - 1 and all(abs(step) < 3 for step in steps)


def _groups(numbers: list[Quantity], keys: dict[int, tuple[int, ...]]) -> list[Key | Quantity]:
    """The numbers in order, with adjacent player counts combined.

    Counts that fall are a count and its value: “with five there are three of them”.
    """
    found: list[Key | Quantity] = []
    for is_key, run in groupby(numbers, key=lambda quantity: quantity.start in keys):
        several = tuple(run)
        counts = tuple(count for quantity in several for count in keys.get(quantity.start, ()))
        if is_key and len(several) == 2 and counts[0] > counts[-1]:
            found += (Key(keys[several[0].start], several[:1]), several[1])
        else:
            found += (Key(counts, several),) if is_key else several
    return found


def _following(groups: list[Key | Quantity]) -> Iterator[TableRow]:
    key: Key | None = None
    values: list[Quantity] = []
    # An empty key at the end completes the last row.
    for item in [*groups, Key((), ())]:
        if isinstance(item, Key):
            if key is not None and values:
                yield TableRow(key.counts, key.quantities, tuple(values))
            key, values = item, []
        else:
            values.append(item)
