"""`ftk rename` in specs whose cards are in a spreadsheet: the sheet follows, and nothing else in it changes."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import openpyxl
import pytest
from command import ftk
from ods_files import ods
from test_cards_from import SPEC, spec_in
from test_spreadsheet import part_replaced

import rulespec

ROWS: list[list[object]] = [
    ["Suit", "VALUE", "marks", "Cost green", "Copies", "note"],
    ["Sun", "1-3", "red, green", 2, "2x", "the sun"],
    ["moon", "4, 6", "", "", "", "=B2"],
]
CHANGES = {
    ("suit.sun", ""): ["A2: Sun → Star"],
    ("gem.green", ""): ["C2: red, green → red, star", "D1: Cost green → Cost star"],
    ("value", ""): ["B1: VALUE → Star"],
    ("cost", ""): ["D1: Cost green → Star green"],
    ("suit", "field"): ["A1: Suit → Star"],
    ("suit", "enum"): [],
    ("deck", ""): [],
}


def workbook(path: Path, rows: Sequence[Sequence[object]] = ROWS, merged: str = "") -> None:
    book = openpyxl.Workbook()
    book.active.title = "Main"
    for row in rows:
        book.active.append(row)
    if merged:
        book.active.merge_cells(merged)
    book.save(path)


def cells(path: Path) -> dict[str, object]:
    sheet: Any = openpyxl.load_workbook(path).active
    return {cell.coordinate: cell.value for row in sheet.iter_rows() for cell in row}


def csv(path: Path) -> None:
    lines = [",".join(f'"{cell}"' if "," in str(cell) else str(cell) for cell in row) for row in ROWS]
    path.write_bytes("\r\n".join([*lines, ""]).encode("utf-16"))


def renamed(path: Path, old: str, kind: str = "", new: str = "star") -> list[str]:
    """Renames, and returns the cells that the command names."""
    before = rulespec.load(path).model
    result = ftk("rename", old, new, path, "--write", *(["--kind", kind] if kind else []))
    assert result.exit_code == 0, result.output
    after = rulespec.load(path)
    assert after.report.ok and after.model.deck.cards == before.deck.cards
    return [line.rpartition("cards.")[2] for line in result.stdout.splitlines() if " → " in line]


@pytest.mark.parametrize(("name", "changes"), CHANGES.items(), ids=map("-".join, CHANGES))
def test_a_workbook_follows(name: tuple[str, str], changes: list[str], tmp_path: Path) -> None:
    workbook(tmp_path / "cards.xlsx")
    before = cells(tmp_path / "cards.xlsx")
    said = renamed(spec_in(tmp_path, "from: cards.xlsx", SPEC), *name)
    assert sorted(said) == [f"xlsx, Main!{one}" for one in changes]
    assert cells(tmp_path / "cards.xlsx") == before | {
        one.partition(": ")[0]: one.rpartition(" → ")[2] for one in changes
    }


def test_csv_follows_in_its_encoding(tmp_path: Path) -> None:
    csv(tmp_path / "cards.csv")
    before = (tmp_path / "cards.csv").read_bytes().decode("utf-16")
    assert renamed(spec_in(tmp_path, "from: cards.csv", SPEC), "gem.green") == [
        "csv:1:18: Cost green → Cost star",
        "csv:2:9: red, green → red, star",
    ]
    after = (tmp_path / "cards.csv").read_bytes().decode("utf-16")
    assert after == before.replace("green", "star") and "\r\n" in after


def test_columns_change_in_the_spec_in_place_of_the_headings(tmp_path: Path) -> None:
    rows: list[list[object]] = [["Farbe", "Wert", "Zeichen", "Grün"], ["sun", 1, "", 2]]
    workbook(tmp_path / "cards.xlsx", rows)
    listed = 'from: cards.xlsx\n  columns: {suit: Farbe, value: Wert, marks: Zeichen, "cost green": Grün}'
    path = spec_in(tmp_path, listed, SPEC)
    assert renamed(path, "suit", "field", "colour") == [] == renamed(path, "gem.green", new="jade")
    assert renamed(path, "cost", new="price") == []
    assert 'columns: {colour: Farbe, value: Wert, marks: Zeichen, "price jade": Grün}' in path.read_text("utf-8")


def test_the_first_of_merged_cells_has_the_name_of_all(tmp_path: Path) -> None:
    rows: list[list[object]] = [["suit", "value"], ["sun", 1], ["sun", 2], ["moon", 3]]
    workbook(tmp_path / "cards.xlsx", rows, "A2:A3")
    renamed(spec_in(tmp_path, "from: cards.xlsx"), "suit.sun")
    assert [cells(tmp_path / "cards.xlsx")[one] for one in ("A2", "A3", "A4")] == ["star", None, "moon"]


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("suit.moon", "star", "The name `moon` in cards.xlsx, Main!A3 comes from a formula."),
        ("value", "note", "The column `note` is there twice. (cards.xlsx, Main!C1)"),
    ],
)
def test_what_a_sheet_cannot_follow_is_refused(
    old: str, new: str, says: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    workbook(tmp_path / "cards.xlsx", [["suit", "value", "note"], ["sun", 1, ""], ["moon", 2, ""]])
    data = (tmp_path / "cards.xlsx").read_bytes()
    (tmp_path / "cards.xlsx").write_bytes(data if old == "value" else with_formula(tmp_path / "cards.xlsx"))
    path = spec_in(Path(), "from: cards.xlsx")
    before = path.read_bytes()
    result = ftk("rename", old, new, path, "--write")
    assert result.exit_code == 3 and says in result.stderr and path.read_bytes() == before


def with_formula(path: Path) -> bytes:
    """A workbook with a formula that gives `moon`, and its value, which openpyxl does not write."""
    part = "xl/worksheets/sheet1.xml"
    with ZipFile(path) as archive:
        before = archive.read(part)
    at = before.index(b'<c r="A3"')
    cell = b'<c r="A3" t="str"><f>"mo"&amp;"on"</f><v>moon</v></c>'
    return part_replaced(path.read_bytes(), part, before[at : before.index(b"</c>", at) + 4], cell)


def test_a_file_that_is_not_written_or_is_shared_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "cards.ods").write_bytes(ods({"Main": [["suit", "value"], ["sun", "1"]]}))
    path = spec_in(Path(), "from: cards.ods")
    result = ftk("rename", "suit.sun", "star", path)
    assert result.exit_code == 3 and "cards.ods, Main!A2 has the name `sun`, too." in result.stderr
    assert "`.xlsx` or `.csv`" in result.stderr
    assert ftk("rename", "suit.moon", "star", path).exit_code == 0  # no cell has it
    (tmp_path / "cards.csv").write_text("suit,value\nsun,1\n", encoding="utf-8")
    spec_in(Path(), "from: cards.csv")
    Path("brook.yaml").write_text(path.read_text(encoding="utf-8").replace("id: river", "id: brook"), encoding="utf-8")
    result = ftk("rename", "suit.sun", "star", path)
    assert result.exit_code == 3 and "cards.csv has the cards of brook.yaml, too." in result.stderr
