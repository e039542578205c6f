"""All rows by number of players in a passage, whatever its layout."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from rulespec.diagnostics import Span
from rulespec.text.quantity import Quantity
from rulespec.text.segmentation import sentences
from rulespec.text.tables.counts import counts_of
from rulespec.text.tables.inline import inline
from rulespec.text.tables.lines import below, columns, counted_lines, groups_of_lines, heads
from rulespec.text.tables.row import Key, Table, TableRow


def rows(table: Table, start: int, end: int) -> Iterator[TableRow]:
    """The rows of columns and lists line by line, and of running text sentence by sentence."""
    carried: Key | None = None
    number, open_ = 0, False
    for group in groups_of_lines(table, start, end):
        if found := heads(table, group[0]) if len(group) > 1 else {}:
            for line in group[1:]:
                number += 1
                yield from (replace(row, table=number) for row in below(table, line, found))
            carried, open_ = None, False
            continue
        before, carried = carried, _key(table, group)
        read = [] if carried is not None else _read(table, group, before)
        number += bool(read) and not open_
        yield from (replace(row, table=number) for row in read)
        open_ = (bool(read) or carried is not None) and len(group) == 1


def _key(table: Table, group: Sequence[Span]) -> Key | None:
    """The numbers of players of a line that has no other numbers: its values are on the next line."""
    numbers = table.numbers(group[0])
    if len(group) > 1 or not numbers or any(q.start not in table.keys for q in numbers):
        return None
    return Key(tuple(count for q in numbers for count in table.keys[q.start]), tuple(numbers))


def _read(table: Table, group: list[Span], before: Key | None) -> Sequence[TableRow]:
    """The rows of lines that are read together. `before` is what the line before has, if that is a key."""
    numbers = [table.numbers(line) for line in group]
    if len(group) == 2 and columns(table, group[0], *numbers):
        return [TableRow(counts_of(key), (key,), (value,)) for key, value in zip(*numbers, strict=True)]
    if len(group) > 1 and counted_lines(table, group, numbers):
        return [TableRow(counts_of(first), (first,), tuple(rest)) for first, *rest in numbers]
    if before is not None and len(group) == 1 and numbers[0] and not _has_key(table, numbers[0]):
        return [TableRow(before.counts, before.quantities, tuple(numbers[0]))]
    spans = sentences(table.text, table.language, group[0].start, group[-1].end)
    return [row for sentence in spans for row in inline(table, sentence)]


def _has_key(table: Table, numbers: Sequence[Quantity]) -> bool:
    return any(q.start in table.keys for q in numbers)
