"""Random edits of lists and of specs: an import has the cards of a list, an export changes the cells that differ."""

from __future__ import annotations

import csv
import io
import random
from collections import Counter
from typing import Any

import openpyxl
import pytest
from card_lists import sheet_of, table_in
from openpyxl.comments import Comment
from openpyxl.styles import Font, PatternFill

import rulespec
from rulespec.base.spreadsheet.writing import edited
from rulespec.editing.card_cells import edits_of
from rulespec.editing.card_rows import updated
from rulespec.editing.card_table import headed_table
from rulespec.games.api import Spec

pytestmark = pytest.mark.sample(20)

GAME = """\
rulespec: 2
game: {id: river, version: 1.0.0, title: River, players: 2}
enums: {suit: [sun, moon, star], gem: [red, green]}
cards:
  fields: {suit: suit, value: 1..6?, marks: "set of gem?", cost: {per: gem, type: 0..3}}
  manifest:
ROWS
  start: deck
zones: {deck: {order: stack, seen_by: nobody}}
play:
  - {id: end, title: End, rank: {among: {p: player}, by: [{high: seat_of(p), title: seat}], left: share}}
"""
NAMES = ("suit", "value", "marks", "cost red", "cost green", "copies")
QUOTED: tuple[Any, ...] = (csv.QUOTE_MINIMAL, csv.QUOTE_ALL)
Row = dict[str, str]
SEEDS = range(100)
"""Half of the lists are workbooks, half are CSV."""


def some_row(chance: random.Random) -> Row:
    marks = " ".join(gem for gem in ("red", "green") if chance.random() < 0.5)
    cost = {f"cost {gem}": str(chance.randint(0, 3)) for gem in ("red", "green")}
    value = chance.choice(["", *"123456"])
    return {"suit": chance.choice(["sun", "moon", "star"]), "value": value, "marks": marks, **cost, "copies": "1"}


def some_rows(chance: random.Random) -> list[Row]:
    return [{**some_row(chance), "copies": str(chance.randint(1, 4))} for _ in range(chance.randint(1, 8))]


def changed(rows: list[Row], chance: random.Random) -> list[Row]:
    """Rows after a few random edits: contents, deleted rows, new ones, another order."""
    rows = [dict(row) for row in rows]
    for _ in range(chance.randint(1, 5)):
        edit, at = chance.random(), chance.randrange(len(rows))
        if edit < 0.6:
            name = chance.choice(NAMES)
            rows[at][name] = str(chance.randint(1, 4)) if name == "copies" else some_row(chance)[name]
        elif edit < 0.75:
            rows.insert(at, some_rows(chance)[0])
        elif edit < 0.9 and len(rows) > 1:
            del rows[at]
        else:
            chance.shuffle(rows)
    return rows


def cards_of(rows: list[Row]) -> Counter[tuple[str, ...]]:
    """The cards of rows, with nothing of the code that is tested."""
    found: Counter[tuple[str, ...]] = Counter()
    for row in rows:
        found[tuple(row[name] for name in NAMES[:-1])] += int(row["copies"])
    return found


def cards_in(spec: Spec) -> Counter[tuple[str, ...]]:
    """The cards of a spec in the same words."""
    suits, gems = ("sun", "moon", "star"), ("red", "green")
    found: Counter[tuple[str, ...]] = Counter()
    for suit, value, marks, red, green in spec.model.deck.cards:
        named = " ".join(gem for at, gem in enumerate(gems) if marks > 0 and marks >> at & 1)
        found[suits[suit], str(value) if value >= 0 else "", named, str(red), str(green)] += 1
    return found


def spec_with(rows: list[Row], chance: random.Random) -> Spec:
    return rulespec.loads(GAME.replace("ROWS", "\n".join(f"    - {written(row, chance)}" for row in rows)))


def written(row: Row, chance: random.Random) -> str:
    """A row of a manifest, in one of the ways to write it."""
    parts = [f"suit: {row['suit']}", *[f"value: {row['value']}"] * bool(row["value"])]
    parts += [f"marks: [{', '.join(row['marks'].split())}]"] * bool(row["marks"])
    costs = [(name, row[f"cost {name}"]) for name in ("red", "green")]
    shown = [f"{name}: {cost}" for name, cost in costs if cost != "0" or chance.random() < 0.3]
    parts.append(f"cost: {{{', '.join(shown)}}}")
    parts += [f"copies: {row['copies']}"] * (row["copies"] != "1" or chance.random() < 0.3)
    chance.shuffle(parts)
    return "{" + ", ".join(parts) + "}" + "  # a comment" * (chance.random() < 0.2)


def file_of(rows: list[Row], chance: random.Random, is_csv: bool) -> bytes:
    """A list as people have it: other columns, another order, formats, a second sheet."""
    names = chance.sample(NAMES, len(NAMES))
    table = [["Note", *(chance.choice([name, name.title(), name.upper()]) for name in names)]]
    table += [[chance.choice(["", "rare", 'a "new" one, fine']), *(row[name] for name in names)] for row in rows]
    return as_csv(table, chance) if is_csv else as_workbook(table, chance)


def as_csv(table: list[list[str]], chance: random.Random) -> bytes:
    stream = io.StringIO()
    sign, end = chance.choice(",;\t"), chance.choice(["\n", "\r\n"])
    csv.writer(stream, delimiter=sign, quoting=chance.choice(QUOTED), lineterminator=end).writerows(table)
    return stream.getvalue().encode(chance.choice(["utf-8", "utf-8-sig", "utf-16"]))


def as_workbook(table: list[list[str]], chance: random.Random) -> bytes:
    book = openpyxl.Workbook()
    sheet: Any = book.active
    for row in table:
        sheet.append([int(cell) if cell.isdecimal() and chance.random() < 0.8 else cell or None for cell in row])
    for cell in chance.sample([cell for row in sheet.iter_rows() for cell in row], 3):
        cell.font, cell.fill = Font(bold=True, color="FF0000"), PatternFill("solid", fgColor="FFFF00")
        cell.comment = Comment("look", "us")
    sheet.column_dimensions["B"].width, sheet.freeze_panes = 31.5, "A2"
    book.create_sheet("Other").append(["=SUM(Sheet!C2:C9)", "kept"])
    stream = io.BytesIO()
    book.save(stream)
    return stream.getvalue()


@pytest.mark.parametrize("seed", SEEDS)
def test_an_imported_list_is_the_cards_of_the_spec(seed: int) -> None:
    chance = random.Random(seed)
    rows = some_rows(chance)
    spec, listed = spec_with(rows, chance), changed(rows, chance)
    data = file_of(listed, chance, is_csv=seed % 2 == 0)
    table = table_in(spec, data)
    after = rulespec.loads(updated(spec.model, table.groups, table.unsaid))
    assert cards_in(after) == cards_of(listed)
    assert not edits_of(table_in(after, data))
    assert updated(after.model, table.groups, table.unsaid).text == after.model.source.text


@pytest.mark.parametrize("seed", SEEDS)
def test_an_export_changes_the_cells_that_differ_and_nothing_else(seed: int) -> None:
    chance = random.Random(seed)
    rows = some_rows(chance)
    data = file_of(rows, chance, is_csv=seed % 2 == 0)
    spec = spec_with(changed(rows, chance), chance)
    table, _ = headed_table(spec.model, sheet_of(data), {})
    edits = edits_of(table)
    after, _, locked = edited(data, table.columns, edits)
    assert not locked and table_in(spec, after).groups == table_in(spec, file_of(rows_of(spec), chance, True)).groups
    assert all(edit.cell.text != str(edit.value) for edit in edits)
    changes = {(edit.cell.row, edit.cell.column): str(edit.value) for edit in edits}
    (assert_same_text if seed % 2 == 0 else assert_same_book)(data, after, changes)


def rows_of(spec: Spec) -> list[Row]:
    return [dict(zip(NAMES, (*card, str(number)), strict=True)) for card, number in cards_in(spec).items()]


Changes = dict[tuple[int, int], str]


def assert_same_text(before: bytes, after: bytes, changes: Changes) -> None:
    """Lines without an edit are the same bytes, but for a line whose cells are all gone; others have the same cells."""
    encoding = "utf-16" if before[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8"
    was, now = (data.decode(encoding).splitlines(keepends=True) for data in (before, after))
    assert before[:3] == after[:3]
    sign = max(",;\t", key=was[0].count)
    at = 0
    for number, line in enumerate(was, 1):
        new = {column: value for (row, column), value in changes.items() if row == number}
        cells = next(csv.reader([line], delimiter=sign))
        wanted = [new.get(column, cell) for column, cell in enumerate(cells, 1)]
        if any(wanted):
            assert now[at] == line if not new else next(csv.reader([now[at]], delimiter=sign)) == wanted
            assert now[at].endswith("\r\n") == line.endswith("\r\n")
            at += 1
    assert len(now) - at == len({row for row, _ in changes if row > len(was)})


def assert_same_book(before: bytes, after: bytes, changes: Changes) -> None:
    """Every cell without an edit is the same, and the format of all."""
    old, new = (openpyxl.load_workbook(io.BytesIO(data)) for data in (before, after))
    assert [[cell.value for cell in row] for row in new["Other"]] == [
        [cell.value for cell in row] for row in old["Other"]
    ]
    one, other_sheet = old["Sheet"], new["Sheet"]
    assert (one.column_dimensions["B"].width, one.freeze_panes) == (other_sheet.column_dimensions["B"].width, "A2")
    for row in one.iter_rows():
        for cell in row:
            then = other_sheet[cell.coordinate]
            wanted = changes.get((cell.row, cell.column))
            assert (
                then.value == cell.value
                if wanted is None
                else ("" if then.value is None else str(then.value)) == wanted
            )
            assert repr((then.font, then.fill, then.number_format)) == repr((cell.font, cell.fill, cell.number_format))
            assert (then.comment is None) == (cell.comment is None)
