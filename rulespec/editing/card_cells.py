"""The cells of a sheet that differ from the cards of a spec, and their new values.

A row of the sheet keeps its cards if the spec has them. A row whose cards are gone takes the most similar group that is
new; if there is none, its cells are emptied. A row for several cards, of which only some stay as they are, keeps these.
What is left of the new groups gets rows below the last row with cards.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice

from rulespec.base.spreadsheet.sheet import Cell, Edit
from rulespec.editing.card_rows import INTEGER, MOST_DIFFERENT, Group, Numbers, groups_of, in_ranges, silent
from rulespec.editing.card_table import CardTable, heading_of, names_of
from rulespec.editing.card_texts import text_headings, texts_on
from rulespec.language.cards_from import RANGE, Row
from rulespec.language.model.manifest import MOST_CARDS
from rulespec.language.model.spec import Spec
from rulespec.text.reading.translation import Translation

__all__ = ["edits_of", "table_rows"]

MOST_COMPARED = 500
"""New cards that a card that is gone is compared with."""


@dataclass
class _Line:
    """A row of the sheet with its cards now, and as they are to be."""

    row: Row
    before: Numbers
    after: Numbers

    @property
    def is_gone(self) -> bool:
        return not any(self.after.values())


def table_rows(
    spec: Spec, translations: Mapping[str, Translation], kept: Collection[int] | None = None
) -> Iterator[tuple[str | int, ...]]:
    """The headings of a list of the cards of a spec, or of those that are kept, with their texts in some translations,
    and its rows."""
    yield *names_of(spec), *text_headings(spec, translations)
    for row in spec.deck.rows:
        for group, number in groups_of(spec, row, kept).items():
            values = _values(spec, group) | {"copies": number}
            fields = {name: values[heading_of(name)] for name in spec.deck.fields}
            yield *(values[name] for name in names_of(spec)), *texts_on(spec, fields, translations)


def edits_of(table: CardTable) -> list[Edit]:
    """The edits with which a sheet has the cards of its spec, and no others. Cells that mean the same stay."""
    lines, new = _lines(table)
    edits = [edit for line in lines if line.before != line.after for edit in _changes(table, line)]
    headings, known = table.columns.headings, [row.cells[0].row for row, _ in table.rows]
    last = max([table.columns.sheet.header[0].row, *known])
    below = [row for row in table.columns.sheet.rows if row[0].row > last]
    if below and table.columns.sheet.source is None and not any(map(table.columns.is_total, below)):
        last = below[-1][0].row  # no row can be put in between
    rows = [*new.items()]
    if "copies" not in headings:
        rows = [(group, 1) for group, number in rows for _ in range(number)]
    for at, (group, copies) in enumerate(rows, last + 1):
        values = _values(table.spec, group) | {"copies": copies}
        cells = ((Cell(at, heading.column, "", is_new=True), values[name]) for name, heading in headings.items())
        edits += [Edit(cell, value) for cell, value in cells if value != ""]
    return edits


def _lines(table: CardTable) -> tuple[list[_Line], Numbers]:
    """The rows of the sheet with their cards, and the cards that need new rows."""
    left: Numbers = {}
    for row in table.spec.deck.rows:
        for group, number in groups_of(table.spec, row).items():
            known = silent(group, table.unsaid)
            left[known] = left.get(known, 0) + number
    lines = []
    for one, groups in table.rows:
        before = {silent(group, table.unsaid): number for group, number in groups.items()}
        # A number that cannot be read, such as that of a formula without a value, may be any.
        after = {group: min(number or MOST_CARDS, left.get(group, 0)) for group, number in before.items()}
        left |= {group: left.get(group, 0) - number for group, number in after.items()}
        lines.append(_Line(one, before, after))
    if "copies" in table.columns.headings:  # cards that are left go to the first row with others of their group
        for line in lines:
            for group, kept in line.after.items():
                if kept and left[group]:
                    line.after[group], left[group] = kept + left[group], 0
    for line in lines:
        for group, number in _apart(table, line).items():
            left[group] = left.get(group, 0) + number
    new = {group: number for group, number in left.items() if number}
    for line in lines:
        if line.is_gone and len(line.before) == 1 and new:
            gone = next(iter(line.before))
            # Of thousands of other cards, the most similar is hardly the one that is meant.
            closest = min(islice(new, MOST_COMPARED), key=gone.differs)
            if gone.differs(closest) <= MOST_DIFFERENT:
                number = new.pop(closest)
                line.after = {closest: number if "copies" in table.columns.headings else 1}
                if number > 1 and "copies" not in table.columns.headings:
                    new[closest] = number - 1
    return lines, new


def _apart(table: CardTable, line: _Line) -> Numbers:
    """Takes out of a row for several cards those that no longer fit in it: it keeps as many as have the same number and
    all combinations of their contents, changed in one column at most."""
    if line.after == line.before or len({*line.after.values()}) == 1:
        return {}
    parts: list[Numbers] = []
    for at in range(len(table.spec.deck.fields)):
        by_number: dict[int, Numbers] = {}
        for word in dict.fromkeys(group.values[at] for group in line.after):
            share = {group: number for group, number in line.after.items() if group.values[at] == word}
            if len(numbers := {*share.values()}) == 1 and (number := numbers.pop()):
                by_number.setdefault(number, {}).update(share)
        parts += by_number.values()
    kept = max(parts, key=len, default={})
    apart = {group: number for group, number in line.after.items() if group not in kept}
    line.after = kept
    return apart


def _changes(table: CardTable, line: _Line) -> Iterator[Edit]:
    """The edits of a row: where a content differs, not where it is only written in another way."""
    before = _written(table, line.row, line.before)
    after = _written(table, line.row, line.after) if not line.is_gone else dict.fromkeys(before, "")
    for name in table.columns.headings:
        cell = table.columns.cell(line.row.cells, name)
        if cell is not None and (before[name] != after[name] or (cell.text and line.is_gone)):
            yield Edit(cell, after[name])


def _written(table: CardTable, row: Row, groups: Numbers) -> dict[str, str | int]:
    """What the columns have for the cards of a row, with ranges where a cell of the row has one."""
    every = [_values(table.spec, group) for group in ([one for one, number in groups.items() if number] or groups)]
    found: dict[str, str | int] = {}
    for name in every[0]:
        words = [*dict.fromkeys(values[name] for values in every)]
        found[name] = words[0]
        if len(words) > 1:
            cell = table.columns.cell(row.cells, name)
            dash = RANGE.search(cell.text) if cell is not None else None
            type_ = next(type_ for key, type_ in table.spec.deck.fields.items() if heading_of(key) == name)
            ranges = in_ranges(table.spec, type_, [*map(str, words)], 2 if dash is not None else len(words) + 1)
            found[name] = ", ".join(one.replace("..", dash[2]) if dash is not None else one for one in ranges)
    return found | {"copies": next((number for number in groups.values() if number), "")}


def _values(spec: Spec, group: Group) -> dict[str, str | int]:
    """What the columns have for a card, without a number of copies."""
    values: dict[str, str | int] = {}
    for (name, type_), word in zip(spec.deck.fields.items(), group.values, strict=True):
        values[heading_of(name)] = int(word) if type_.kind == "int" and INTEGER.fullmatch(word) else word
    return values | {"status": group.status, "source": " ".join(group.sources)}
