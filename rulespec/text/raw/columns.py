"""Tables by number of players in a raw text: each column belongs to the fact that it fits best."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from rulespec.text.languages.quantity import Kind, Quantity
from rulespec.text.raw.alignment import Alignment
from rulespec.text.reading.once import once
from rulespec.text.reading.tables import TableRow
from rulespec.text.rules.content import ByPlayers, Choices, Fact
from rulespec.text.rules.evidence import plain_values, same
from rulespec.text.rules.facts import of_rule

Cells = Sequence[tuple[TableRow, Quantity]]
"""The cells of a column, each with its row."""


@dataclass(frozen=True)
class Column:
    """A column of a table by number of players, and the fact of a rule that most of its cells state."""

    rule: str
    fact: Fact
    cells: Cells

    @property
    def wrong(self) -> Iterator[tuple[Quantity, str]]:
        """The cells with another value than the fact, or their numbers of players, each with what is right."""
        rows = _rows(self.fact)
        for row, cell in self.cells:
            wants = ", ".join(f"{rows[n]} with {n} players" for n in row.counts if n in rows)
            others = {n for other, _ in self.cells if other is not row for n in other.counts}
            key = wrong_key(row, cell, rows, others) if len(self.cells) > 2 else None
            if key is not None:
                yield key.quantity, f"{key.instead} players"
            elif cell.kind != Kind.NOTHING and any(n in rows and not same(cell, rows[n]) for n in row.counts):
                yield cell, wants


@dataclass(frozen=True)
class WrongKey:
    """A number of players of a row, and the one for which the value of the row is right."""

    quantity: Quantity
    instead: int


def wrong_key(row: TableRow, cell: Quantity, rows: Mapping[int, int], others: Collection[int]) -> WrongKey | None:
    """The number of players of a row that is wrong, if its value is right for just one that no row has.

    Another row, or the row itself, has the wrong number too, or the game does not, or the others of its list are right.
    """
    right = {n for n in row.counts if n in rows and same(cell, rows[n])}
    lacking = [n for n in rows if n not in right and n not in others and same(cell, rows[n])]
    if len(lacking) != 1 or len(row.keys) != len(row.counts):
        return None
    pairs = list(zip(row.keys, row.counts, strict=True))
    pairs = pairs if lacking[0] < row.counts[-1] else pairs[::-1]  # of the same number twice, the one out of order
    listed = bool(right) and len(row.counts) > 1
    for key, n in pairs:
        doubtful = row.counts.count(n) > 1 or (n not in right and (listed or n in others or n not in rows))
        if doubtful and key.kind == Kind.CARDINAL:
            return WrongKey(key, lacking[0])
    return None


def columns(alignment: Alignment) -> Sequence[Column]:
    """The columns of a text that state a fact."""
    return once(alignment.reading, "columns", lambda: list(_columns(alignment)))


def _columns(alignment: Alignment) -> Iterator[Column]:
    facts = list(_facts(alignment))
    for cells in _all_cells(alignment) if facts else ():
        fits = ((_fit(rule, fact, cells, alignment), rule, fact) for rule, fact in facts)
        (right, _), rule, fact = max(fits, key=lambda one: one[0])
        if right >= 2 and 3 * right >= 2 * len(cells):
            yield Column(rule, fact, cells)


def _fit(rule: str, fact: Fact, cells: Cells, alignment: Alignment) -> tuple[int, float]:
    """How many cells state a fact, and how well the sentence of the first cell fits its rule."""
    index = alignment.index_at(cells[0][1].start)
    right = [cell for row, cell in cells if _states(_rows(fact), row.counts, cell)]
    # One value again and again may be any number, except in a table with a row for every number of players.
    varied = len({cell.value for _, cell in cells}) > 1
    clear = len({cell.value for cell in right}) > 1 or (varied and len(cells) == len(alignment.book.spec.players))
    return len(right) if clear else 0, alignment.fit(index, rule)


def _facts(alignment: Alignment) -> Iterator[tuple[str, Fact]]:
    """The facts by number of players, those that `states:` lists first; without those that are always so many more
    than the players, which look like a list of numbers."""
    spec = alignment.book.spec
    every = [(rule, fact) for rule in alignment.statements.rules for fact in of_rule(spec, rule)]
    tables = [(rule, fact) for rule, fact in every if _is_table(fact)]
    yield from sorted(tables, key=lambda pair: (pair[1].derived, pair[1].optional))


def _is_table(fact: Fact) -> bool:
    return isinstance(fact.content, ByPlayers) and fact.content.offset is None


def _all_cells(alignment: Alignment) -> Iterator[Cells]:
    choices = [one for rule in alignment.statements.rules for one in _choices(alignment, rule)]
    for table in _all_tables(alignment):
        if any(_chosen(table, one) for one in choices):
            continue
        for at in range(max(len(row.values) for row in table)):
            yield _cells(table, at)


def _all_tables(alignment: Alignment) -> Iterator[Sequence[TableRow]]:
    """The tables of a text. A row that repeats numbers of players begins another table if the one before has all of
    them. So it does in another sentence, also after as many numbers as the game has: one of them may be wrong."""
    players = alignment.book.spec.players
    for _, rows in groupby(alignment.reading.rows, key=lambda row: row.table):
        table: list[TableRow] = []
        seen: set[int] = set()
        for row in rows:
            repeats = bool(table) and seen.issuperset(row.counts)
            ends = repeats or _is_full(table, alignment)
            if (repeats and seen.issuperset(players)) or (ends and _apart(table, row, alignment)):
                yield table
                table, seen = [], set()
            table.append(row)
            seen.update(row.counts)
        yield table


def _apart(table: Sequence[TableRow], row: TableRow, alignment: Alignment) -> bool:
    """Whether a row stands in another sentence than a table: in the same line, or after a table that is one sentence or
    has as many numbers of players as the game."""
    last, first = max(q.end for q in (*table[-1].keys, *table[-1].values)), min(q.start for q in row.keys)
    sentences = {alignment.index_at(one.keys[0].start) for one in table}
    in_line = "\n" not in alignment.reading.text[last:first]
    whole = len(table) > 1 and len(sentences) == 1
    return alignment.index_at(first) not in sentences and (in_line or whole or _is_full(table, alignment))


def _is_full(table: Sequence[TableRow], alignment: Alignment) -> bool:
    return sum(len(row.counts) for row in table) >= len(alignment.book.spec.players)


def _choices(alignment: Alignment, rule: str) -> Iterator[Choices]:
    facts = (fact.content for fact in of_rule(alignment.book.spec, rule))
    return (content for content in facts if isinstance(content, Choices))


def _chosen(table: Sequence[TableRow], choices: Choices) -> bool:
    """Whether most rows list the numbers of a choice, so that they are no columns."""
    fits = (plain_values(row.values) == choices.rows.get(n) for row in table for n in row.counts)
    return sum(fits) * 2 > len(table)


def _cells(table: Sequence[TableRow], at: int) -> Cells:
    return [(row, row.values[at]) for row in table if at < len(row.values)]


def _rows(fact: Fact) -> Mapping[int, int]:
    assert isinstance(fact.content, ByPlayers)
    return fact.content.rows


def _states(rows: Mapping[int, int], counts: Sequence[int], cell: Quantity) -> bool:
    return all(n in rows and same(cell, rows[n]) for n in counts)
