"""Tables by number in a raw text: a list with a row for each key, or all keys and values in one sentence."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from rulespec.text.languages.quantity import Kind, Quantity
from rulespec.text.raw.alignment import Alignment
from rulespec.text.raw.pairs import EXCHANGED
from rulespec.text.raw.segments import Role
from rulespec.text.raw.term_rows import term_tables
from rulespec.text.reading.mentions import Reading
from rulespec.text.reading.once import once
from rulespec.text.rules.content import ByKey, Fact
from rulespec.text.rules.evidence import each, keyed_rows, says
from rulespec.text.rules.facts import of_rule

ROWS = 3
"""The least number of right rows by which a list is the table of a fact."""

RIGHT = 0.7
"""The least share of right numbers by which a sentence is the table of a fact: `1: 0, 2 and 3: 1, 4: 2`."""


@dataclass(frozen=True)
class KeyedTable:
    """A table of a rule in a text: its numbers, and those that are wrong, each with the right value."""

    rule: str
    cells: frozenset[Quantity]
    wrong: tuple[tuple[Quantity, str], ...]


def keyed_tables(alignment: Alignment) -> Sequence[KeyedTable]:
    """The tables by term or number that a text states, those by number of listed facts first."""
    return once(alignment.reading, "keyed tables", lambda: list(_tables(alignment)))


def _tables(alignment: Alignment) -> Iterator[KeyedTable]:
    found: set[frozenset[Quantity]] = set()
    for table in term_tables(alignment):
        found.add(table.cells)
        yield _table(table.rule, table.cells, table.wrong)
    for rule, _, content in sorted(_facts(alignment), key=lambda one: one[1].derived):
        for cells, wrong in (*_lists(content, alignment), *_sentences(content, alignment)):
            if not any(cells & other for other in found):
                found.add(cells)
                yield _table(rule, cells, wrong)


def _table(rule: str, cells: frozenset[Quantity], wrong: Sequence[tuple[Quantity, str]]) -> KeyedTable:
    """A table, in which more numbers differ than a slip makes wrong, is about something else."""
    return KeyedTable(rule, cells, tuple(wrong) if len(wrong) <= EXCHANGED else ())


def _facts(alignment: Alignment) -> Iterator[tuple[str, Fact, ByKey]]:
    for rule in alignment.statements.rules:
        for fact in of_rule(alignment.book.spec, rule):
            content = fact.content
            if isinstance(content, ByKey) and all(isinstance(key, int) for key in content.rows):
                yield rule, fact, content


_Found = tuple[frozenset[Quantity], list[tuple[Quantity, str]]]


def _lists(content: ByKey, alignment: Alignment) -> Iterator[_Found]:
    """The lists of a text that have a row for most keys; rows without key may stand between them."""
    reading, concepts = alignment.reading, alignment.book.concepts
    for _, run in groupby(alignment.segments, key=lambda one: (one.section, one.role in (Role.RULE, Role.TABLE))):
        several = list(run)
        part = reading.part(several[0].start, several[-1].end)
        rows = [(keys, values[-1]) for keys, values in keyed_rows(content, part, concepts)]
        shapes = {_shape(reading, value) for keys, value in rows if _right(content, keys, value)}
        rows = [(keys, value) for keys, value in rows if _shape(reading, value) in shapes]
        wrong = [(value, _wanted(content, keys)) for keys, value in rows if not _right(content, keys, value)]
        right = len(rows) - len(wrong)
        if right >= ROWS and right >= 2 * len(wrong):
            lines = [_line(reading, value) for _, value in rows]
            yield frozenset(q for start, end in lines for q in reading.quantities_from(start, end)), wrong


def _shape(reading: Reading, quantity: Quantity) -> tuple[Kind, ...]:
    """The kinds of the numbers in the line of a number."""
    return tuple(q.kind for q in reading.quantities_from(*_line(reading, quantity)))


def _line(reading: Reading, quantity: Quantity) -> tuple[int, int]:
    end = reading.text.find("\n", quantity.start)
    return reading.text.rfind("\n", 0, quantity.start) + 1, end if end >= 0 else len(reading.text)


def _right(content: ByKey, keys: Sequence[int | str], value: Quantity) -> bool:
    return all(says(value, content.rows[key]) for key in keys)


def _wanted(content: ByKey, keys: Sequence[int | str]) -> str:
    return ", ".join(f"{content.rows[key]} for {key}" for key in keys)


def _sentences(content: ByKey, alignment: Alignment) -> Iterator[_Found]:
    """The sentences whose last numbers are the keys and values of a table in turn, all but a few."""
    orders = [_flat(content, key) for key in (lambda pair: pair[0], lambda pair: pair[1])]
    for segment in alignment.segments:
        numbers = [q for q in alignment.part(segment).quantities if q.kind in (Kind.CARDINAL, Kind.RANGE, Kind.NOTHING)]
        values = [(q, value) for q in numbers for value in each(q)]
        for order in orders:
            said = values[-len(order) :]
            right = sum(value == wanted for (_, value), wanted in zip(said, order, strict=False))
            if len(order) > 2 * ROWS - 1 and len(said) == len(order) and right >= RIGHT * len(order):
                pairs = zip(said, order, strict=True)
                yield frozenset(q for q, _ in said), [(q, str(want)) for (q, value), want in pairs if value != want]
                break


def _flat(content: ByKey, key: object) -> list[int]:
    """Keys and values in the order in which a sentence has them: each key with its value, or the keys of each value."""
    rows: Mapping[int, int] = {one: value for one, value in content.rows.items() if isinstance(one, int)}
    groups = groupby(rows.items(), key=key)  # type: ignore[call-overload]
    return [number for _, run in groups for number in _with_value(list(run))]


def _with_value(pairs: Sequence[tuple[int, int]]) -> list[int]:
    return [*(key for key, _ in pairs), pairs[0][1]]
