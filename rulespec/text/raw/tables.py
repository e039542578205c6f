"""Tables of a raw text, by numbers of players and by names, in any layout: each belongs to the fact of a rule, or to
the list in our text, that most of its rows state.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby, pairwise
from statistics import median_high

from rulespec.base.messages import any_of
from rulespec.text.languages.quantity.quantity import Kind, Quantity
from rulespec.text.raw.alignment import Alignment
from rulespec.text.reading.mentions import Reading
from rulespec.text.reading.once import once
from rulespec.text.reading.tables.row import TableRow
from rulespec.text.rules.content import ByPlayers, Choices, with_players
from rulespec.text.rules.evidence import plain_values, same
from rulespec.text.rules.facts import of_rule

ROWS, RIGHT = 3, Fraction(2, 3)
"""How many rows of a list are right at least, and what share of the cells of a table: then it states a fact."""

SLIPS = 2
"""How many cells a slip makes wrong at most: one, or two exchanged. With more a table is about something else."""


@dataclass(frozen=True)
class Table:
    """The cells of a table that states a fact of a rule, and the wrong ones, each with what is right."""

    rule: str
    cells: frozenset[Quantity]
    wrong: tuple[tuple[Quantity, str], ...]


def tables(alignment: Alignment) -> Sequence[Table]:
    """The tables of a text that state facts."""
    return once(
        alignment.reading,
        "tables",
        lambda: list(_apart([*_columns(alignment), *_terms(alignment)])),
    )


def cells_of_tables(alignment: Alignment) -> frozenset[Quantity]:
    """The cells of all tables that state facts."""
    return frozenset(cell for table in tables(alignment) for cell in table.cells)


def _apart(every: Sequence[Table]) -> Iterator[Table]:
    """The tables without those that have a cell of an earlier one. One with many wrong cells has none that is wrong."""
    known: set[Quantity] = set()
    for one in every:
        if known.isdisjoint(one.cells):
            known |= one.cells
            yield Table(one.rule, one.cells, one.wrong if len(one.wrong) <= SLIPS else ())


# --- by numbers of players --------------------------------------------------------------------------------------------

_Cells = Sequence[tuple[TableRow, Quantity]]


def _columns(alignment: Alignment) -> Iterator[Table]:
    """The columns of tables by number of players. Those with the numbers of a choice are none."""
    facts, choices = list(_facts(alignment)), list(_choices(alignment))
    for table in _by_players(alignment) if facts else ():
        if not any(_lists(table, one) for one in choices):
            for at in range(max(len(row.values) for row in table)):
                cells = [(row, row.values[at]) for row in table if at < len(row.values)]
                fits = (
                    (
                        _fit(content, cells, alignment),
                        alignment.scores.get(alignment.index_at(cells[0][1].start), {}).get(rule, 0.0),
                        rule,
                        content,
                    )
                    for rule, content in facts
                )
                right, _, rule, content = max(fits, key=lambda one: one[:2])
                if right >= 2 and right >= RIGHT * len(cells):
                    yield Table(rule, frozenset(cell for _, cell in cells), tuple(_wrong(cells, content.rows)))


def _wrong(cells: _Cells, rows: Mapping[int, int]) -> Iterator[tuple[Quantity, str]]:
    for row, cell in cells:
        if cell.kind != Kind.NOTHING and any(n in rows and not same(cell, rows[n]) for n in row.counts):
            yield cell, with_players({n: rows[n] for n in row.counts if n in rows})


def _fit(content: ByPlayers, cells: _Cells, alignment: Alignment) -> int:
    """How many cells of a column state a fact; 0 if they are one value again and again, which any number may be, except
    in a table with a row for every number of players."""
    rows = content.rows
    right = [cell for row, cell in cells if all(n in rows and same(cell, rows[n]) for n in row.counts)]
    varied = len({cell.value for _, cell in cells}) > 1 and len(cells) == len(alignment.book.spec.players)
    return len(right) if varied or len({cell.value for cell in right}) > 1 else 0


def _facts(alignment: Alignment) -> Iterator[tuple[str, ByPlayers]]:
    """The facts by number of players, those that `states:` lists first, without those that are always so many more than
    the players: they look like a list of numbers."""
    every = [(rule, fact) for rule in alignment.statements.rules for fact in of_rule(alignment.book.spec, rule)]
    for rule, fact in sorted(every, key=lambda pair: (pair[1].derived, pair[1].optional)):
        if isinstance(fact.content, ByPlayers) and fact.content.offset is None:
            yield rule, fact.content


def _choices(alignment: Alignment) -> Iterator[Choices]:
    facts = (fact.content for rule in alignment.statements.rules for fact in of_rule(alignment.book.spec, rule))
    return (content for content in facts if isinstance(content, Choices))


def _lists(table: Sequence[TableRow], choices: Choices) -> bool:
    return 2 * sum(plain_values(row.values) == choices.rows.get(n) for row in table for n in row.counts) > len(table)


def _by_players(alignment: Alignment) -> Iterator[Sequence[TableRow]]:
    """The tables by number of players. A row in another sentence begins another one if the table has its numbers of
    players already, or as many as the game."""
    players = alignment.book.spec.players
    for _, rows in groupby(alignment.reading.rows, key=lambda row: row.table):
        table: list[TableRow] = []
        seen: list[int] = []
        for row in rows:
            elsewhere = bool(table) and alignment.index_at(row.keys[0].start) != alignment.index_at(
                table[-1].keys[0].start
            )
            if (elsewhere and (len(seen) >= len(players) or {*seen} >= {*row.counts})) or {*seen} >= {*players}:
                yield table
                table, seen = [], []
            table.append(row)
            seen += row.counts
        if table:
            yield table


# --- by names ---------------------------------------------------------------------------------------------------------

_MARK = re.compile(r"[,;:\n，；：、。|]|(?<!\.)\.(?!\.)")
_NUMBERED = (Kind.CARDINAL, Kind.ORDINAL, Kind.NOTHING)
_APART_SORTS = frozenset({"", "facing", "role"})
"""The sorts of things that no list gives numbers to: what has no sort, face up and face down, and players."""

BEFORE, AFTER = 1, 2
"""The most marks between a number and its term: floor 5, nobles; the nobles, right below on floor 5, bring 5."""


def _terms(alignment: Alignment) -> Iterator[Table]:
    """The rows of a text that give numbers to several terms of a sort, as our text does: nobles 5, officers 3."""
    for rule in alignment.statements.rules:
        for sort, known in _own_rows(alignment, rule).items():
            if len({*map(frozenset, known.values())}) >= ROWS:
                near = [i for i, row in alignment.chances.items() if rule in row]
                for _, run in groupby(enumerate(near), key=lambda pair: pair[1] - pair[0]):
                    rows = [row for _, index in run for row in _rows(alignment.sentence(index), sort, known, alignment)]
                    usual = median_high([len(cells) for _, cells in rows] or [0])
                    # More numbers than most rows have belong to what follows: 5 nobles, and floor 6 is the throne.
                    rows = [(term, cells[:usual]) for term, cells in rows]
                    wrong = [
                        (term, cells) for term, cells in rows if not {one.value for one in cells} <= {*known[term]}
                    ]
                    if len(rows) - len(wrong) >= max(ROWS, 2 * len(wrong)):
                        cells = frozenset(cell for _, several in rows for cell in several)
                        yield Table(rule, cells, tuple(_wrong_of(*row, known) for row in wrong))


def _wrong_of(term: str, cells: Sequence[Quantity], known: Mapping[str, Sequence[Fraction]]) -> tuple[Quantity, str]:
    """The first number that our text does not give to a term, with those that are left."""
    left = {*known[term]} - {one.value for one in cells} or {*known[term]}
    first = next(one for one in cells if one.value not in known[term])
    return first, any_of([str(number) for number in sorted(left)])


def _own_rows(alignment: Alignment, rule: str) -> Mapping[str, Mapping[str, Sequence[Fraction]]]:
    """For every sort the numbers of its terms in the items of our text of a rule that name one of the sort."""
    return once(alignment.statements, ("rows", rule), lambda: _read_rows(alignment, rule))


def _read_rows(alignment: Alignment, rule: str) -> Mapping[str, Mapping[str, Sequence[Fraction]]]:
    found: dict[str, dict[str, list[Fraction]]] = {}
    for of, sentence, ours in alignment.statements.readings():
        if of == rule and ours:
            names = Counter(sort for sort, _, _, _ in _values(sentence, alignment))
            for sort, name, _, _ in _values(sentence, alignment):
                numbers = [q.value for q in sentence.quantities if q.kind in _NUMBERED[:2]]
                if names[sort] == 1 and numbers:
                    found.setdefault(sort, {}).setdefault(name, []).extend(numbers)
    return found


def _values(part: Reading, alignment: Alignment) -> Iterator[tuple[str, str, int, int]]:
    """The terms of a part that another of their sort can replace: the sort, the concept, and the place. A word for two
    of a sort is none."""
    for one in part.mentions:
        sort, also = alignment.book.sort(one.concept), {alignment.book.sort(name) for name in one.also}
        if one.status.is_term and sort not in _APART_SORTS | also:
            yield sort, one.concept, one.start, one.end


def _rows(
    sentence: Reading, sort: str, known: Mapping[str, Sequence[Fraction]], alignment: Alignment
) -> Iterator[tuple[str, Sequence[Quantity]]]:
    """The terms of a sort in a sentence, each with the numbers nearest to it, at most as many as in our text."""
    every = [one for one in _values(sentence, alignment) if one[0] == sort]
    marks = [
        [m.end() for m in _MARK.finditer(sentence.text, one[3], other[2])][-1:] or [other[2]]
        for one, other in pairwise(every)
    ]
    cuts = [sentence.start, *(mark[0] for mark in marks), sentence.end]
    for (_, term, start, end), low, high in zip(every, cuts, cuts[1:], strict=False):
        near = []
        for one in sentence.quantities_from(low, high):
            between = sentence.text[min(one.end, end) : max(one.start, start)]
            away = len(_MARK.findall(between))
            digits = any(map(str.isdecimal, sentence.text[one.start : one.end]))
            amount = one.kind in _NUMBERED and one.start not in sentence.counts and (digits or one.value != 1)
            if amount and away <= (BEFORE if one.start < start else AFTER):
                near.append((away, len(between), one))
        cells = [one for _, _, one in sorted(near, key=lambda row: row[:2])][: len(known.get(term, ()))]
        if cells:
            yield term, cells
