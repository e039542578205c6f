"""The cells of a sheet that differ from the cards of a spec, and their new values.

A row of the sheet keeps its cards if the spec has them. A row whose cards are gone takes the most similar group that is
new; if there is none, its cells are emptied. What is left of the new groups gets rows at the end.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from rulespec.base.spreadsheet import Cell, Edit
from rulespec.editing.card_rows import MOST_DIFFERENT, Group, groups_of, silent
from rulespec.editing.card_table import CardTable, heading_of, names_of
from rulespec.editing.card_texts import text_headings, texts_on
from rulespec.language.model.spec import Spec
from rulespec.text import Translation

__all__ = ["edits_of", "table_rows"]


@dataclass
class _Line:
    """A row of the sheet with its cards now, and as they are to be."""

    row: tuple[Cell, ...]
    before: tuple[Group, int]
    after: tuple[Group, int]


def table_rows(spec: Spec, translations: Mapping[str, Translation]) -> Iterator[tuple[str | int, ...]]:
    """The headings of a list of the cards of a spec with their texts in some translations, and its rows."""
    yield *map(heading_of, names_of(spec)), *text_headings(spec, translations)
    for row in spec.deck.rows:
        for group, number in groups_of(spec, row).items():
            values = _values(spec, group, number)
            yield *(values[name] for name in names_of(spec)), *texts_on(spec, values, translations)


def edits_of(table: CardTable) -> list[Edit]:
    """The edits with which a sheet has the cards of its spec, and no others. Cells that mean the same stay."""
    lines, new = _lines(table)
    edits = [edit for line in lines if line.before != line.after for edit in _changes(table, line)]
    last = table.columns.sheet.rows[-1][0].row
    for number, (group, copies) in enumerate(new, last + 1):
        values = _values(table.spec, group, copies)
        edits += [
            Edit(Cell(number, heading.column, ""), values[name])
            for name, heading in table.columns.headings.items()
            if values[name] != ""
        ]
    return edits


def _lines(table: CardTable) -> tuple[list[_Line], list[tuple[Group, int]]]:
    """The rows of the sheet with their cards, and the cards that need new rows."""
    left = _wanted(table)
    lines = []
    for row in table.rows:
        group, copies = silent(table.group(row), table.unsaid), table.copies(row)
        kept = min(copies, left.get(group, 0))
        left[group] = left.get(group, 0) - kept
        lines.append(_Line(row, (group, copies), (group, kept)))
    _add(table, lines, left)
    new = [(group, number) for group, number in left.items() if number]
    if "copies" not in table.columns.headings:
        new = [(group, 1) for group, number in new for _ in range(number)]
    for line in lines:
        if not line.after[1] and new:
            closest = min(new, key=lambda one: line.before[0].differs(one[0]))
            if line.before[0].differs(closest[0]) <= MOST_DIFFERENT:
                line.after = closest
                new.remove(closest)
    return lines, new


def _wanted(table: CardTable) -> dict[Group, int]:
    """How many cards of each group the spec has, without what the sheet does not say."""
    found: dict[Group, int] = {}
    for row in table.spec.deck.rows:
        for group, number in groups_of(table.spec, row).items():
            known = silent(group, table.unsaid)
            found[known] = found.get(known, 0) + number
    return found


def _add(table: CardTable, lines: list[_Line], left: dict[Group, int]) -> None:
    """Adds cards that are left to the first row with others of their group, if the sheet has numbers of copies."""
    for line in lines if "copies" in table.columns.headings else ():
        group, kept = line.after
        if kept and left[group]:
            line.after = group, kept + left[group]
            left[group] = 0


def _changes(table: CardTable, line: _Line) -> Iterator[Edit]:
    """The edits of a row: where a content differs, not where it is only written in another way."""
    before = _values(table.spec, *line.before)
    after = _values(table.spec, *line.after) if line.after[1] else dict.fromkeys(before, "")
    for name in table.columns.headings:
        cell = table.columns.cell(line.row, name)
        if cell is not None and (before[name] != after[name] or (cell.text and not line.after[1])):
            yield Edit(cell, after[name])


def _values(spec: Spec, group: Group, copies: int) -> dict[str, str | int]:
    """What the columns have for a number of equal cards."""
    values: dict[str, str | int] = {}
    for (name, type_), word in zip(spec.deck.fields.items(), group.values, strict=True):
        values[name] = int(word) if type_.kind == "int" and word.lstrip("-").isdecimal() else word
    return values | {"copies": copies, "status": group.status, "source": " ".join(group.sources)}
