"""Rows by number of players that stand alone in a raw text: with five of you three are left over."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from rulespec.text.languages.quantity import Kind, Quantity
from rulespec.text.raw.alignment import Alignment
from rulespec.text.raw.columns import columns, wrong_key
from rulespec.text.reading.tables import TableRow
from rulespec.text.rules.content import ByPlayers
from rulespec.text.rules.evidence import same
from rulespec.text.rules.facts import of_rule


@dataclass(frozen=True)
class WrongRow:
    """A number of players of a row whose value a rule has for other players, and those players."""

    quantity: Quantity
    rule: str
    instead: str


def wrong_rows(alignment: Alignment) -> Iterator[WrongRow]:
    """The rows outside tables whose number of players is wrong: the rules of their sentence have its value for others.

    A row that some fact of these rules states is right, whatever the others say, and so is one of the rules beside it.
    """
    in_columns = {row for column in columns(alignment) for row, _ in column.cells}
    for row in alignment.reading.rows:
        if row not in in_columns and all(key.kind == Kind.CARDINAL for key in row.keys):
            yield from _of_row(row, alignment)


def _of_row(row: TableRow, alignment: Alignment) -> Iterator[WrongRow]:
    index = alignment.index_at(row.keys[0].start)
    tables = list(_tables(alignment.rules_at(index), alignment))
    beside = [rule for i in (index - 1, index + 1) for rule in alignment.rules_at(i)]
    around = [*tables, *_tables(beside, alignment)]
    if any(_is_right(row, value, rows) for _, rows in around for value in row.values):
        return
    for rule, rows in tables:
        for value in row.values:
            instead = _instead(row, value, rows)
            if instead is not None and value.start not in alignment.reading.counts:
                yield WrongRow(instead[0], rule, f"{instead[1]} players")
                return


def _tables(rules: Sequence[str], alignment: Alignment) -> Iterator[tuple[str, Mapping[int, int]]]:
    """The facts by number of players of some rules, each with its rule."""
    spec = alignment.book.spec
    for rule in rules:
        contents = (fact.content for fact in of_rule(spec, rule))
        yield from ((rule, one.rows) for one in contents if isinstance(one, ByPlayers) and one.offset is None)


def _is_right(row: TableRow, value: Quantity, rows: Mapping[int, int]) -> bool:
    """Whether a fact has a value for all numbers of players of a row, each of which stands there once."""
    right = all(n in rows and same(value, rows[n]) for n in row.counts)
    return right and len(set(row.counts)) == len(row.counts)


def _instead(row: TableRow, value: Quantity, rows: Mapping[int, int]) -> tuple[Quantity, int] | None:
    """The wrong number of players, and the only one for which the value is right, or the end of those in a row."""
    listed = wrong_key(row, value, rows, ())
    if listed is not None:
        return listed.quantity, listed.instead
    alone = [n for n in rows if same(value, rows[n])]
    if len(row.keys) == 1 and len(row.counts) > 1 and alone and alone == [n for n in row.counts if n in alone]:
        return row.keys[0], alone[-1 if alone[0] == row.counts[0] else 0]
    if len(row.counts) == 1 and row.counts[0] in rows and len(alone) == 1 and row.counts[0] not in alone:
        return row.keys[0], alone[0]
    return None
