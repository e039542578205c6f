"""All rows by number of players in a passage: in columns, Markdown tables, lists of player counts, running text."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from rulespec.base.diagnostics import Span
from rulespec.text.languages.quantity.quantity import Kind, Quantity
from rulespec.text.reading.clauses import lines, sentences
from rulespec.text.reading.tables.inline import inline, is_rising
from rulespec.text.reading.tables.row import COUNTS, Key, Table, TableRow, counts_of

_ONLY_NUMBERS = re.compile(r"[\s|:+\-−–\d０-９()（）]*")
_FIRST_NUMBER = re.compile(r"[\s|*_\-•·]*(?=\d)")
_ITEM = re.compile(r"(?:[-*•·–—]|\d{1,2}[.)、]|[（(]\d)\s*")


def rows(table: Table, start: int, end: int) -> Iterator[TableRow]:
    """The rows of columns and lists line by line, and of running text sentence by sentence."""
    carried: Key | None = None
    number, open_ = 0, False
    for group in _groups_of_lines(table, start, end):
        if found := _heads(table, group[0]) if len(group) > 1 else {}:
            for line in group[1:]:
                number += 1
                yield from (replace(row, table=number) for row in _below(table, line, found))
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
    if len(group) > 1 and not _is_whole(table, group) and _columns(table, group[0], group[1]):
        cells = (zip(numbers[0], below, strict=True) for below in numbers[1:])
        return [TableRow(counts_of(key), (key,), (value,)) for row in cells for key, value in row]
    if len(group) > 1 and _counted_lines(table, group, numbers):
        return [TableRow(counts_of(first), (first,), tuple(rest)) for first, *rest in numbers]
    if before is not None and len(group) == 1 and numbers[0] and not any(q.start in table.keys for q in numbers[0]):
        return [TableRow(before.counts, before.quantities, tuple(numbers[0]))]
    spans = sentences(table.text, table.language, group[0].start, group[-1].end)
    return [row for sentence in spans for row in inline(table, sentence)]


# --- which lines are read together ------------------------------------------------------------------------------------


def _groups_of_lines(table: Table, start: int, end: int) -> Iterator[list[Span]]:
    """Groups of lines that are read together: columns, a table, the lines of a broken sentence, or one line."""
    written = list(lines(table.text, start, end))
    at = 0
    while at < len(written):
        after = _group_end(table, written, at)
        yield written[at:after]
        at = after


def _group_end(table: Table, written: list[Span], at: int) -> int:
    """The index after the last line of the group that begins with line `at`."""
    if _heads(table, written[at]):
        return next((i for i in range(at + 1, len(written)) if "|" not in _line(table, written[i])), len(written))
    if _is_whole(table, written[at : at + len(table.players)]):
        return at + len(table.players)
    after = at + 1
    # The strictest reading comes first; each of the others is tried where those before it found no second line.
    while after < len(written) and _columns(table, written[at], written[after]):
        after += 1
    if after > at + 1:
        return after
    while after < len(written) and _are_rows(table, written[after - 1], written[after]):
        after += 1
    if after > at + 1:
        return after
    while after < len(written) and _goes_on(table, written[after - 1], written[after]):
        after += 1
    return after


def _heads(table: Table, line: Span) -> dict[int, Quantity]:
    """The player counts in the head of a Markdown table with a column for each of them, by the number of the cell."""
    if "|" not in _line(table, line):
        return {}
    cells = {i: table.numbers(cell) for i, cell in enumerate(_cells(table, line))}
    heads = {i: numbers[0] for i, numbers in cells.items() if numbers}
    whole = [int(q.value) for q in heads.values()] == list(table.players)
    named = all(q.start in table.keys for q in heads.values())
    single = all(len(numbers) < 2 for numbers in cells.values()) and all(q.kind in COUNTS for q in heads.values())
    return heads if single and len(heads) > 1 and 0 not in heads and (whole or named) else {}


def _below(table: Table, line: Span, heads: dict[int, Quantity]) -> Iterator[TableRow]:
    """The cells of a line below player counts, each as a row."""
    for i, cell in enumerate(_cells(table, line)):
        numbers = table.numbers(cell)
        if i in heads and len(numbers) == 1:
            yield TableRow(counts_of(heads[i]), (heads[i],), (numbers[0],))


def _cells(table: Table, line: Span) -> Iterator[Span]:
    """The cells of a line of a Markdown table, the first one after its first bar."""
    bars = [line.start + at for at, c in enumerate(_line(table, line)) if c == "|"]
    ends = [*bars[1:], line.end]
    yield from (Span(bar + 1, end) for bar, end in zip(bars, ends, strict=True))


def _line(table: Table, line: Span) -> str:
    return table.text[line.start : line.end]


def _are_rows(table: Table, line: Span, after: Span) -> bool:
    """Whether two lines begin with numbers that may be player counts, and with the same words before them."""
    both = (line, after)
    return all(_starts_with_count(table, one) for one in both) and (
        all(_first_number(table, one) for one in both) or _head(table, line) == _head(table, after)
    )


def _starts_with_count(table: Table, line: Span) -> bool:
    """Whether a line begins with a number that may be a player count, and has more numbers.

    In a language without words for players, an item of a list may have other words before that number.
    """
    numbers = table.numbers(line)
    is_item = _ITEM.match(table.text, line.start, line.end) is not None
    begins = _first_number(table, line) or (table.language.players is None and is_item)
    return (
        # One more than the most players, because the number of a row may be wrong and is reported then.
        len(numbers) > 1 and begins and numbers[0].value <= table.players[-1] + 1 and numbers[0].start not in table.keys
    )


def _first_number(table: Table, line: Span) -> bool:
    """Whether a line begins with a number in figures."""
    first, numbers = _FIRST_NUMBER.match(table.text, line.start, line.end), table.numbers(line)
    return first is not None and bool(numbers) and numbers[0].start == first.end()


def _head(table: Table, line: Span) -> str:
    """What a line has before its first number, without the mark of a list item."""
    numbers = table.numbers(line)
    end = numbers[0].start if numbers else line.end
    return _ITEM.sub("", table.text[line.start : end], count=1).strip()


def _goes_on(table: Table, line: Span, after: Span) -> bool:
    """Whether a sentence continues on the next line."""
    said, begins = table.text[line.start : line.end].rstrip(), table.text[after.start : after.end].lstrip()
    broken = not said.endswith((".", "!", "?", ":", ";", "。", "！", "？", "：", "；", "|")) and "|" not in begins
    open_ = broken and (begins[:1].islower() or said.endswith((",", "，", "、")) or begins[:1].isdigit())
    return open_ and not _ITEM.match(begins) and sum(c.isalpha() for c in said) > 3  # the slowest question comes last


def _counted_lines(table: Table, group: list[Span], numbers: list[list[Quantity]]) -> bool:
    """Whether the lines begin with consecutive player counts, with or without the word `players`.

    With a row for every number of players, one may be wrong.
    """
    begun = all(_starts_with_count(table, line) for line in group)
    counts = [line[0] for line in numbers if line]
    whole = len(counts) == len(table.players)
    return begun and len(counts) >= min(3, max(2, len(table.players))) and is_rising(table, counts, whole)


def _is_whole(table: Table, group: list[Span]) -> bool:
    """Whether lines of a Markdown table begin with all player counts, one after the other: “3 | 4” above “4 | 3” is no
    pair of columns then."""
    first = [table.numbers(line)[0].value for line in group if "|" in _line(table, line) and table.numbers(line)]
    return len(group) > 2 and first == [*table.players] and all(_starts_with_count(table, line) for line in group)


def _columns(table: Table, line: Span, after: Span) -> bool:
    """Whether a line of player counts is followed by a line of as many numbers.

    Both may begin with words if there is a column for every number of players.
    """
    numbers, below = table.numbers(line), table.numbers(after)
    values = [q.value for q in numbers]
    return (
        len(numbers) >= 2
        and len(below) == len(numbers)
        and all(q.kind == Kind.CARDINAL for q in numbers)
        and values == sorted(set(values))
        and all(value in table.players for value in values)
        and (_has_only_numbers(table, line, line.start) or _are_labelled(table, line, after))
    )


def _are_labelled(table: Table, line: Span, after: Span) -> bool:
    """Whether two lines begin with words, and have only numbers after them, the first one those of all players."""
    numbers = table.numbers(line)
    ends = all(_has_only_numbers(table, one, table.numbers(one)[0].start) for one in (line, after))
    return len(numbers) > 2 and ends and [q.value for q in numbers] == list(table.players)


def _has_only_numbers(table: Table, line: Span, start: int) -> bool:
    return bool(_ONLY_NUMBERS.fullmatch(table.text, start, line.end))
