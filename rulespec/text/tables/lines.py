"""Lines that are read together: columns, Markdown tables, lists of player counts, broken sentences."""

from __future__ import annotations

import re
from collections.abc import Iterator

from rulespec.diagnostics import Span
from rulespec.text.quantity import Kind, Quantity
from rulespec.text.segmentation import lines
from rulespec.text.tables.counts import COUNTS, counts_of
from rulespec.text.tables.inline import is_rising
from rulespec.text.tables.row import Table, TableRow

_ONLY_NUMBERS = re.compile(r"[\s|:+\-−–\d０-９()（）]*")
_FIRST_NUMBER = re.compile(r"[\s|*_\-•·]*(?=\d)")
_ITEM = re.compile(r"(?:[-*•·–—]|\d{1,2}[.)、]|[（(]\d)\s*")


def groups_of_lines(table: Table, start: int, end: int) -> Iterator[list[Span]]:
    """Groups of lines that are read together: columns, a table, the lines of a broken sentence, or one line."""
    written = list(lines(table.text, start, end))
    at = 0
    while at < len(written):
        after = _group_end(table, written, at)
        yield written[at:after]
        at = after


def _group_end(table: Table, written: list[Span], at: int) -> int:
    """The index after the last line of the group that begins with line `at`."""
    if heads(table, written[at]):
        return next((i for i in range(at + 1, len(written)) if "|" not in _line(table, written[i])), len(written))
    two = written[at : at + 2]
    if len(two) > 1 and columns(table, two[0], *(table.numbers(line) for line in two)):
        return at + 2
    after = at + 1
    while after < len(written) and _are_rows(table, written[after - 1], written[after]):
        after += 1
    if after > at + 1:
        return after
    while after < len(written) and _goes_on(table, written[after - 1], written[after]):
        after += 1
    return after


def heads(table: Table, line: Span) -> dict[int, Quantity]:
    """The player counts in the head of a Markdown table with a column for each of them, by the number of the cell."""
    if "|" not in _line(table, line):
        return {}
    cells = {i: table.numbers(cell) for i, cell in enumerate(_cells(table, line))}
    heads = {i: numbers[0] for i, numbers in cells.items() if numbers}
    whole = [int(q.value) for q in heads.values()] == list(table.players)
    named = all(q.start in table.keys for q in heads.values())
    single = all(len(numbers) < 2 for numbers in cells.values()) and all(q.kind in COUNTS for q in heads.values())
    return heads if single and len(heads) > 1 and 0 not in heads and (whole or named) else {}


def below(table: Table, line: Span, heads: dict[int, Quantity]) -> Iterator[TableRow]:
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
    begins = _first_number(table, line) or (table.language.players is None and _is_item(table, line))
    return (
        len(numbers) > 1 and begins and numbers[0].value <= table.players[-1] + 1 and numbers[0].start not in table.keys
    )


def _first_number(table: Table, line: Span) -> bool:
    """Whether a line begins with a number in figures."""
    first, numbers = _FIRST_NUMBER.match(table.text, line.start, line.end), table.numbers(line)
    return first is not None and bool(numbers) and numbers[0].start == first.end()


def _is_item(table: Table, line: Span) -> bool:
    return _ITEM.match(table.text, line.start, line.end) is not None


def _head(table: Table, line: Span) -> str:
    """What a line has before its first number, without the mark of a list item."""
    numbers = table.numbers(line)
    end = numbers[0].start if numbers else line.end
    return _ITEM.sub("", table.text[line.start : end], count=1).strip()


def _goes_on(table: Table, line: Span, after: Span) -> bool:
    """Whether a sentence continues on the next line."""
    said, begins = table.text[line.start : line.end].rstrip(), table.text[after.start : after.end].lstrip()
    broken = not said.endswith((".", "!", "?", ":", ";", "。", "！", "？", "：", "；", "|")) and "|" not in begins
    words = sum(c.isalpha() for c in said) > 3 and not _ITEM.match(begins)
    return broken and words and (begins[:1].islower() or said.endswith((",", "，", "、")) or begins[:1].isdigit())


def counted_lines(table: Table, group: list[Span], numbers: list[list[Quantity]]) -> bool:
    """Whether the lines begin with consecutive player counts, with or without the word `players`.

    With a row for every number of players, one may be wrong.
    """
    begun = all(_starts_with_count(table, line) for line in group)
    counts = [line[0] for line in numbers if line]
    whole = len(counts) == len(table.players)
    return begun and len(counts) >= min(3, max(2, len(table.players))) and is_rising(table, counts, whole)


def columns(table: Table, line: Span, numbers: list[Quantity], below: list[Quantity]) -> bool:
    """Whether a line of player counts is followed by a line of as many numbers."""
    values = [q.value for q in numbers]
    return (
        len(numbers) >= 2
        and len(below) == len(numbers)
        and all(q.kind == Kind.CARDINAL for q in numbers)
        and values == sorted(set(values))
        and all(value in table.players for value in values)
        and bool(_ONLY_NUMBERS.fullmatch(table.text, line.start, line.end))
    )
