"""Tables by player count, in any layout: lists, Markdown tables, columns or running text."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import groupby, pairwise, product

from rulespec.diagnostics import Span
from rulespec.text.languages import Language, match_end, matches
from rulespec.text.quantity import Kind, Quantity
from rulespec.text.segmentation import lines, sentences

COUNTED = frozenset({Kind.CARDINAL, Kind.SIGNED, Kind.RANGE, Kind.NOTHING, Kind.RELATIVE})
"""Kinds of quantities that are amounts. The others are ordinals, references and list numbers."""

_COUNTS = (Kind.CARDINAL, Kind.RANGE)
_ONLY_NUMBERS = re.compile(r"[\s|:+\-−–\d０-９()（）]*")
_FIRST_NUMBER = re.compile(r"[\s|*_\-•·]*(?=\d)")
_ITEM = re.compile(r"(?:[-*•·–—]|\d{1,2}[.)、]|[（(]\d)\s*")


@dataclass(frozen=True)
class TableRow:
    """The values for some player counts. `keys` are the quantities that state the counts. Rows of one list, table or
    sentence have the same number `table`."""

    counts: tuple[int, ...]
    keys: tuple[Quantity, ...]
    values: tuple[Quantity, ...]
    table: int = 0


@dataclass(frozen=True)
class _Key:
    """Player counts stated together: `2, 3 or 4 players`."""

    counts: tuple[int, ...]
    quantities: tuple[Quantity, ...]


def player_counts(
    text: str, language: Language, quantities: tuple[Quantity, ...], players: range
) -> dict[int, tuple[int, ...]]:
    """The quantities that are player counts, such as `2, 3 or 4 players`, by their start."""
    found: dict[int, tuple[int, ...]] = {}
    for i, quantity in enumerate(quantities):
        people = _people(text, language, quantity) if quantity.kind in _COUNTS else None
        # "One player" usually means any player. A count of one is written in digits.
        anybody = quantity.value == 1 and not any(c.isdecimal() for c in text[quantity.start : quantity.end])
        if people is None or anybody:
            continue
        found[quantity.start] = _bounded(text, language, quantity, people, players)
        for at in range(i, 0, -1):
            before, after = quantities[at - 1], quantities[at]
            joined = before.end < after.start and language.joint.fullmatch(text, before.end, after.start)
            if before.kind not in _COUNTS or not joined or before.value >= after.value:
                break
            found[before.start] = _counts(before)
    return found


def _people(text: str, language: Language, quantity: Quantity) -> int | None:
    """The end of the words that make a quantity a player count; None if it is none."""
    adverb = language.counts_people
    after = match_end(language.players, text, quantity.end)
    for more in (language.fewer, language.more):  # three or more players
        if after is None and (said := match_end(more, text, quantity.end)) is not None:
            after = match_end(language.players, text, said)
    if after is None and adverb is not None and adverb.fullmatch(text, quantity.start, quantity.end):
        return quantity.end
    return after


def _bounded(text: str, language: Language, quantity: Quantity, end: int, players: range) -> tuple[int, ...]:
    """The counts of `4 players`, `4 players or fewer`, `4 or more players`."""
    counts = _counts(quantity)
    if any(matches(language.fewer, text, at) for at in (end, quantity.end)):
        return tuple(n for n in players if n <= counts[-1])
    if any(matches(language.more, text, at) for at in (end, quantity.end)):
        return tuple(n for n in players if n >= counts[0])
    return counts


def _counts(quantity: Quantity) -> tuple[int, ...]:
    low, high = int(quantity.value), int(quantity.high if quantity.high is not None else quantity.value)
    return tuple(range(low, min(high, low + 20) + 1))


def rows(
    text: str, language: Language, quantities: tuple[Quantity, ...], players: range, start: int, end: int
) -> list[TableRow]:
    """All rows by number of players in `text[start:end]`."""
    return list(_rows(_Table(text, language, quantities, players), start, end))


@dataclass(frozen=True)
class _Table:
    text: str
    language: Language
    quantities: tuple[Quantity, ...]
    players: range

    def numbers(self, span: Span) -> list[Quantity]:
        first, after = bisect_left(self._starts, span.start), bisect_left(self._starts, span.end)
        return [q for q in self.quantities[first:after] if q.kind in COUNTED]

    @cached_property
    def _starts(self) -> list[int]:
        return [q.start for q in self.quantities]

    @cached_property
    def keys(self) -> dict[int, tuple[int, ...]]:
        return player_counts(self.text, self.language, self.quantities, self.players)


def _rows(table: _Table, start: int, end: int) -> Iterator[TableRow]:
    """The rows of columns and lists line by line, and of running text sentence by sentence."""
    keys = table.keys
    carried: _Key | None = None
    number, open_ = 0, False
    for group in _groups_of_lines(table, start, end):
        if heads := _heads(table, group[0]) if len(group) > 1 else {}:
            for line in group[1:]:
                number += 1
                yield from (replace(row, table=number) for row in _below(table, line, heads))
            carried, open_ = None, False
            continue
        numbers = [table.numbers(line) for line in group]
        found: list[TableRow] = []
        here = [q for q in numbers[0] if q.start in keys]
        others = [q for q in numbers[0] if q.start not in keys]
        before, carried = carried, None
        if len(group) == 2 and _columns(table, group[0], *numbers):
            found = [TableRow(_counts(key), (key,), (value,)) for key, value in zip(*numbers, strict=True)]
        elif len(group) > 1 and _counted_lines(table, group, numbers):
            found = [TableRow(_counts(first), (first,), tuple(rest)) for first, *rest in numbers]
        elif len(group) == 1 and here and not others:
            carried = _Key(tuple(count for q in here for count in keys[q.start]), tuple(here))
        elif len(group) == 1 and before is not None and others and not here:
            found = [TableRow(before.counts, before.quantities, tuple(others))]
        else:
            spans = sentences(table.text, table.language, group[0].start, group[-1].end)
            found = [row for sentence in spans for row in _inline(table, sentence, keys)]
        number += bool(found) and not open_
        yield from (replace(row, table=number) for row in found)
        open_ = (bool(found) or carried is not None) and len(group) == 1


def _groups_of_lines(table: _Table, start: int, end: int) -> Iterator[list[Span]]:
    """Groups of lines that are read together: columns, a table, the lines of a broken sentence, or one line."""
    written = list(lines(table.text, start, end))
    at = 0
    while at < len(written):
        after = _group_end(table, written, at)
        yield written[at:after]
        at = after


def _group_end(table: _Table, written: list[Span], at: int) -> int:
    """The index after the last line of the group that begins with line `at`."""
    if _heads(table, written[at]):
        return next((i for i in range(at + 1, len(written)) if "|" not in _line(table, written[i])), len(written))
    two = written[at : at + 2]
    if len(two) > 1 and _columns(table, two[0], *(table.numbers(line) for line in two)):
        return at + 2
    after = at + 1
    while after < len(written) and all(_starts_with_count(table, line) for line in written[after - 1 : after + 1]):
        after += 1
    if after > at + 1:
        return after
    while after < len(written) and _goes_on(table, written[after - 1], written[after]):
        after += 1
    return after


def _heads(table: _Table, line: Span) -> dict[int, Quantity]:
    """The player counts in the head of a Markdown table with a column for each of them, by the number of the cell."""
    if "|" not in _line(table, line):
        return {}
    cells = {i: table.numbers(cell) for i, cell in enumerate(_cells(table, line))}
    heads = {i: numbers[0] for i, numbers in cells.items() if numbers}
    whole = [int(q.value) for q in heads.values()] == list(table.players)
    named = all(q.start in table.keys for q in heads.values())
    single = all(len(numbers) < 2 for numbers in cells.values()) and all(q.kind in _COUNTS for q in heads.values())
    return heads if single and len(heads) > 1 and 0 not in heads and (whole or named) else {}


def _below(table: _Table, line: Span, heads: dict[int, Quantity]) -> Iterator[TableRow]:
    """The cells of a line below player counts, each as a row."""
    for i, cell in enumerate(_cells(table, line)):
        numbers = table.numbers(cell)
        if i in heads and len(numbers) == 1:
            yield TableRow(_counts(heads[i]), (heads[i],), (numbers[0],))


def _cells(table: _Table, line: Span) -> Iterator[Span]:
    """The cells of a line of a Markdown table, the first one after its first bar."""
    bars = [line.start + at for at, c in enumerate(_line(table, line)) if c == "|"]
    ends = [*bars[1:], line.end]
    yield from (Span(bar + 1, end) for bar, end in zip(bars, ends, strict=True))


def _line(table: _Table, line: Span) -> str:
    return table.text[line.start : line.end]


def _starts_with_count(table: _Table, line: Span) -> bool:
    """Whether a line begins with a number that may be a player count, and has more numbers."""
    first = _FIRST_NUMBER.match(table.text, line.start, line.end)
    numbers = table.numbers(line)
    begins = first is not None and len(numbers) > 1 and numbers[0].start == first.end()
    return begins and numbers[0].value <= table.players[-1] + 1 and numbers[0].start not in table.keys


def _goes_on(table: _Table, line: Span, after: Span) -> bool:
    """Whether a sentence continues on the next line."""
    said, begins = table.text[line.start : line.end].rstrip(), table.text[after.start : after.end].lstrip()
    broken = not said.endswith((".", "!", "?", ":", ";", "。", "！", "？", "：", "；", "|")) and "|" not in begins
    words = sum(c.isalpha() for c in said) > 3 and not _ITEM.match(begins)
    return broken and words and (begins[:1].islower() or said.endswith((",", "，", "、")) or begins[:1].isdigit())


def _counted_lines(table: _Table, group: list[Span], numbers: list[list[Quantity]]) -> bool:
    """Whether the lines begin with consecutive player counts, with or without the word `players`.

    With a row for every number of players, one may be wrong.
    """
    begun = all(_starts_with_count(table, line) for line in group)
    counts = [line[0] for line in numbers if line]
    whole = len(counts) == len(table.players)
    return begun and len(counts) >= min(3, max(2, len(table.players))) and _rising(table, counts, whole)


def _columns(table: _Table, line: Span, numbers: list[Quantity], below: list[Quantity]) -> bool:
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


def _inline(table: _Table, span: Span, keys: dict[int, tuple[int, ...]]) -> Iterator[TableRow]:
    """Rows within one sentence or list item. A list in brackets or after a colon is read alone."""
    numbers = table.numbers(span)
    for part in _parts(table, span):
        # Of two ways to read a part, the one with more rows: “13 with three players and 8 with four” is one clause.
        ways = _by_clause(table, part, keys), _alternating(table, table.numbers(part), keys)
        found = max(ways, key=len)
        if found:
            yield from found
            return
    if not any(q.start in keys for q in numbers):
        return
    groups = _groups(numbers, keys)
    if isinstance(groups[0], _Key):  # counts come before their values
        yield from _following(groups)
    else:
        yield from (TableRow(row.counts, row.keys, row.values[::-1]) for row in _following(groups[::-1]))


_BRACKETS = re.compile(r"[(（]([^()（）]*)[)）]")


def _parts(table: _Table, span: Span) -> Iterator[Span]:
    """The parts of a sentence that may be a table: what is in brackets, what follows the last colon, the whole."""
    yield from (Span(*match.span(1)) for match in _BRACKETS.finditer(table.text, span.start, span.end))
    colon = max(table.text.rfind(mark, span.start, span.end) for mark in ":：")
    if colon >= 0:
        yield Span(colon + 1, span.end)
    yield span


def _by_clause(table: _Table, span: Span, keys: dict[int, tuple[int, ...]]) -> list[TableRow]:
    """The rows of several clauses that each state player counts and numbers: `2 players 54, 3 or 4 players 60`."""
    found = []
    begin, before = span.start, _Key((), ())
    for end in [*(m.start() for m in table.language.clause.finditer(table.text, span.start, span.end)), span.end]:
        groups = _groups(table.numbers(Span(begin, end)), keys)
        named = [group for group in groups if isinstance(group, _Key)]
        values = tuple(group for group in groups if isinstance(group, Quantity))
        if len(named) == 1 and values:
            key = _Key(before.counts + named[0].counts, before.quantities + named[0].quantities)
            found.append(TableRow(key.counts, key.quantities, values))
        before = named[0] if len(named) == 1 and not values else _Key((), ())
        begin = end
    return found if len(found) > 1 else []


_Cell = tuple[Quantity, ...]


def _alternating(table: _Table, numbers: list[Quantity], keys: dict[int, tuple[int, ...]]) -> list[TableRow]:
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


def _pairs(table: _Table, cells: list[_Cell], keys: dict[int, tuple[int, ...]], wrong: int) -> list[TableRow]:
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
    table: _Table,
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
    return not named and _rising(table, [q for cell in counts for q in cell], wrong)


def _of_cell(cell: _Cell, keys: dict[int, tuple[int, ...]]) -> tuple[int, ...]:
    return tuple(count for q in cell for count in keys.get(q.start, _counts(q)))


def _joined(table: _Table, numbers: list[Quantity]) -> list[_Cell]:
    """The numbers with those of one list together: `five or six`."""
    cells: list[_Cell] = []
    for quantity in numbers:
        last = cells[-1][-1] if cells else None
        if last is not None and last.end < quantity.start and _is_joint(table, last, quantity):
            cells[-1] = (*cells[-1], quantity)
        else:
            cells.append((quantity,))
    return cells


def _is_joint(table: _Table, before: Quantity, after: Quantity) -> bool:
    """Whether a conjunction joins two numbers. A comma may also stand between the rows of a table."""
    between = table.text[before.end : after.start].strip()
    joint = table.language.joint.fullmatch(table.text, before.end, after.start)
    return bool(between) and between[0] not in ",，" and joint is not None


def _rising(table: _Table, counts: list[Quantity], allowed: int) -> bool:
    """Whether numbers are consecutive player counts. Of three or more, one may be wrong if that is `allowed`."""
    steps = [int(after.value - before.value) for before, after in pairwise(counts)]
    wrong = sum(step != 1 for step in steps)
    inside = sum(q.kind == Kind.CARDINAL and q.value in table.players for q in counts)
    if wrong == 0:
        return inside == len(counts)
    if not allowed:
        return False
    return len(counts) > 2 and wrong < len(steps) and inside >= len(counts) - 1 and all(abs(step) < 3 for step in steps)


def _groups(numbers: list[Quantity], keys: dict[int, tuple[int, ...]]) -> list[_Key | Quantity]:
    """The numbers in order, with adjacent player counts combined.

    Counts that fall are a count and its value: “with five there are three of them”.
    """
    found: list[_Key | Quantity] = []
    for is_key, run in groupby(numbers, key=lambda quantity: quantity.start in keys):
        several = tuple(run)
        counts = tuple(count for quantity in several for count in keys.get(quantity.start, ()))
        if is_key and len(several) == 2 and counts[0] > counts[-1]:
            found += (_Key(keys[several[0].start], several[:1]), several[1])
        else:
            found += (_Key(counts, several),) if is_key else several
    return found


def _following(groups: list[_Key | Quantity]) -> Iterator[TableRow]:
    key: _Key | None = None
    values: list[Quantity] = []
    for item in [*groups, _Key((), ())]:
        if isinstance(item, _Key):
            if key is not None and values:
                yield TableRow(key.counts, key.quantities, tuple(values))
            key, values = item, []
        else:
            values.append(item)
