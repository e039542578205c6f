"""Sheets: every format gives the same cells, and a bad file gives one finding."""

from __future__ import annotations

import io
import zipfile
from datetime import date, datetime, time, timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from ods_files import ods

from rulespec.base.spreadsheet.columns import Columns, columns_of
from rulespec.base.spreadsheet.delimited import uncalculated
from rulespec.base.spreadsheet.reading import from_bytes
from rulespec.base.spreadsheet.sheet import Cell, Content, Edit, Sheet, letters
from rulespec.base.spreadsheet.writing import as_excel, edited

openpyxl = pytest.importorskip("openpyxl")

ROWS = [["Suit", "Value", "Name"], ["sun", "1", 'the "old", grey\none'], ["moon", "3", "Ґава 卡"]]


def texts(sheet: Sheet | None) -> list[list[str]]:
    assert sheet is not None
    return [[cell.text for cell in row] for row in sheet.rows]


def xlsx(rows: list[list[Any]], **sheets: list[list[Any]]) -> bytes:
    book = openpyxl.Workbook()
    book.active.title = "Main"
    for row in rows:
        book.active.append(row)
    for name, more in sheets.items():
        for row in more:
            book.create_sheet(name).append(row)
    return saved(book)


def saved(book: Any) -> bytes:
    stream = io.BytesIO()
    book.save(stream)
    return stream.getvalue()


def csv(rows: list[list[str]], sign: str) -> str:
    return "".join(sign.join('"' + cell.replace('"', '""') + '"' for cell in row) + "\r\n" for row in rows)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be"])
@pytest.mark.parametrize("sign", ",;\t|")
def test_csv_in_any_encoding_with_any_delimiter(sign: str, encoding: str) -> None:
    assert texts(from_bytes(csv(ROWS, sign).encode(encoding), "cards.csv")[0]) == ROWS


def test_workbooks_give_the_same_cells() -> None:
    rows = [[int(cell) if cell.isdigit() else cell for cell in row] for row in ROWS]
    assert texts(from_bytes(xlsx(rows), "cards.xlsx")[0]) == ROWS
    assert texts(from_bytes(ods({"Main": ROWS}), "cards.ods")[0]) == ROWS
    assert texts(from_bytes(as_excel(ods({"Main": ROWS})), "cards.ods")[0]) == ROWS


def test_a_csv_cell_has_its_place_in_the_text() -> None:
    sheet, _ = from_bytes(b'sep=;\nsuit;value\n"su\nn";1\n;;\n  moon ;2;;\n', "cards.csv")
    assert texts(sheet) == [["suit", "value"], ["su\nn", "1"], ["moon", "2"]]
    assert sheet is not None
    places = [sheet.place(cell) for row in sheet.rows for cell in row]
    assert places == [f"cards.csv:{at}" for at in ("2:1", "2:6", "3:1", "4:4", "6:1", "6:9")]
    assert sheet.place(sheet.cell(sheet.rows[2], 4)) == "cards.csv:6:10"


@pytest.mark.parametrize(
    ("value", "format_", "text", "content"),
    [
        (3.0, "General", "3", Content.NUMBER),
        (0.1 + 0.2, "General", "0.3", Content.NUMBER),
        (0.5, "# ?/?", "0.5", Content.NUMBER),
        (7, '0 "days";[Red]-0 "days"', "7", Content.NUMBER),
        (True, "General", "true", Content.TEXT),
        (" x ", "General", "x", Content.TEXT),
        (date(2026, 1, 2), "d-mmm", "2026-01-02", Content.DATE),
        (datetime(2026, 1, 2, 3, 4), "dd.mm.yy hh:mm", "2026-01-02 03:04:00", Content.DATE),
        (time(3, 4), "h:mm", "03:04:00", Content.DATE),
        (timedelta(hours=3), "[h]:mm", "3:00:00", Content.DATE),
        (0.5, "0%", "50%", Content.NUMBER),
        (2, "0.00%;[Red]-0.00%", "200%", Content.NUMBER),
        (3, '"$"#,##0.00', "3", Content.NUMBER),
        ("#REF!", "General", "#REF!", Content.TEXT),
        ("=1+1", "General", "=", Content.UNCALCULATED),
    ],
)
def test_values_of_cells(value: object, format_: str, text: str, content: Content) -> None:
    book = openpyxl.Workbook()
    book.active["A1"], book.active["B1"] = value, "last"
    book.active["A1"].number_format = format_
    sheet, findings = from_bytes(saved(book), "cards.xlsx")
    assert sheet is not None and not findings
    assert (sheet.header[0].text, sheet.header[0].content) == (text, content)


ODS_CELLS = {
    '<table:table-cell office:value-type="float" office:value="3"><text:p>3,00</text:p></table:table-cell>': "3",
    '<table:table-cell office:value-type="boolean" office:boolean-value="true"/>': "true",
    '<table:table-cell office:value-type="date" office:date-value="2026-01-02"/>': "2026-01-02 date",
    '<table:table-cell office:value-type="percentage" office:value="2"><text:p>2%</text:p></table:table-cell>': "2%",
    '<table:table-cell office:value-type="string" office:string-value="" calcext:value-type="error"><text:p>#REF!'
    "</text:p>"
    "</table:table-cell>": "#REF!",
    '<table:table-cell table:formula="of:=[.A1]"/>': "= uncalculated",
    '<table:table-cell office:value-type="string"><text:p>a<text:s text:c="2"/><text:tab/>b<office:annotation><text:p>x'
    "</text:p></office:annotation></text:p></table:table-cell>": "a  \nb",
    "<table:covered-table-cell><text:p>x</text:p></table:covered-table-cell>": "",
}


@pytest.mark.parametrize("cell", ODS_CELLS)
def test_values_of_opendocument_cells(cell: str) -> None:
    sheet, findings = from_bytes(ods({"Main": [[cell, "last"]]}), "cards.ods")
    assert sheet is not None and not findings
    first = sheet.header[0]
    shown = first.text + f" {first.content.value}" * (first.content not in (Content.TEXT, Content.NUMBER))
    assert shown == ODS_CELLS[cell]


def test_merged_cells_have_the_value_of_the_first_below_it() -> None:
    book = openpyxl.Workbook()
    for row in (["a", "b", "c"], ["d", "e", "f"]):
        book.active.append(row)
    data = saved(book)
    book.active.merge_cells("A1:B2")
    merged = part_replaced(
        data,
        "xl/worksheets/sheet1.xml",
        b"</sheetData>",
        b'</sheetData><mergeCells><mergeCell ref="A1:B2"/></mergeCells>',
    )
    for data in (saved(book), merged):
        assert texts(from_bytes(data, "cards.xlsx")[0]) == [["a", "", "c"], ["a", "", "f"]]


def part_replaced(data: bytes, name: str, old: bytes, new: bytes) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as before, zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as after:
        for one in before.namelist():
            content = before.read(one)
            assert one != name or old in content
            after.writestr(one, content.replace(old, new) if one == name else content)
    return stream.getvalue()


def with_rows(xml: bytes) -> bytes:
    return part_replaced(xlsx(ROWS), "xl/worksheets/sheet1.xml", b"</sheetData>", xml + b"</sheetData>")


def test_names_and_places_of_cells() -> None:
    assert [letters(number) for number in (1, 26, 27, 703)] == ["A", "Z", "AA", "AAA"]
    book = openpyxl.Workbook()
    book.active.title = "Sun's cards"
    book.active["C12"] = "x"
    sheet, _ = from_bytes(saved(book), "cards.xlsx")
    assert sheet is not None and sheet.place(sheet.header[2]) == "cards.xlsx, 'Sun''s cards'!C12"


def encrypted() -> bytes:
    return b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600) + "EncryptedPackage".encode("utf-16-le")


def bomb() -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("xl/workbook.xml", "<workbook/>")
        archive.writestr("xl/_rels/workbook.xml.rels", b" " * (33 << 20))
    return stream.getvalue()


BAD = {
    "empty": (b"", "empty-file: The file is empty."),
    "only delimiters": (b",,\n,\n", "empty-file: The file is empty."),
    "too large": (b"a" * (5 * 2**20 + 1), "file-too-large: The file is larger than 5 MiB."),
    "a picture": (b"\x89PNG\r\n\x1a\n\0\0\0", "bad-sheet: The file is no spreadsheet and no text."),
    "no UTF-8": ("Ґ".encode("cp1251"), "not-utf-8: The file is not UTF-8"),
    "encrypted": (encrypted(), "bad-sheet: The file is encrypted with a password."),
    "old": (encrypted()[:600], "bad-sheet: The file has the format of Excel before 2007"),
    "cut": (xlsx(ROWS)[:2000], "bad-sheet: The file is damaged"),
    "without its parts": (part_replaced(xlsx(ROWS), "xl/workbook.xml", b"<", b""), "bad-sheet: The file is damaged"),
    "another archive": (
        ods({}, mimetype="x", content="other.xml"),
        "bad-sheet: The file is a ZIP archive",
    ),
    "a bomb": (bomb(), "file-too-large: The file is larger than 32 MiB when it is unpacked."),
    "many rows": (b"a\n" * 10_001, "bad-sheet: The sheet has 10,001 rows, and at most 10,000 are read."),
    "many rows in a workbook": (
        ods({"Main": [["a"]]}, repeated=20_000),
        "bad-sheet: The sheet has 20,000 rows, and at most 10,000 are read.",
    ),
    "many cells": (ods({"Main": [["a"] * 250]}, repeated=9000), "bad-sheet: The sheet has more than 200,000 cells"),
    "many empty cells": (b"a" + b"," * 1_000_000, "bad-sheet: The sheet has more than 200,000 cells"),
    "many tags": (with_rows(b"<row/>" * 1_000_000), "file-too-large: Its part xl/worksheets/sheet1.xml has 1,000,0"),
    "far apart": (
        with_rows(b"<row><c r='XFD4'><v>1</v></c></row>"),
        "bad-sheet: The cell XFD4 is beyond the 256 columns",
    ),
    "a row beyond all": (with_rows(b"<row r='4294967295'><c><v>1</v></c></row>"), "bad-sheet: The file is damaged"),
    "many spaces": (
        ods(
            {
                "Main": ROWS,
                "B": [['<table:table-cell><text:p><text:s text:c="1000000000"/></text:p></table:table-cell>']],
            }
        ),
        "bad-sheet: The sheet has more than 200,000 cells, or 10,000,000 characters.",
    ),
    "many columns": (b"a," * 256 + b"a", "bad-sheet: The cell IW1 is beyond the 256 columns that are read."),
    "an empty sheet": (xlsx([]), "empty-file: The sheet `Main` is empty."),
    "an open quotation mark": (b'a,b\n1,"2\n3,4', "wrong-value: The quotation mark of this cell is not closed."),
    "a document type": (
        part_replaced(xlsx(ROWS), "xl/workbook.xml", b"<workbook", b"<!DOCTYPE x><workbook"),
        "bad-sheet: The file is damaged",
    ),
}


@pytest.mark.parametrize("case", BAD)
def test_a_bad_file_is_one_finding(case: str) -> None:
    data, wanted = BAD[case]
    (found,) = from_bytes(data, "cards")[1]
    assert f"{found.name}: {found.message}".startswith(wanted)


def test_a_sheet_by_its_name() -> None:
    data = xlsx(ROWS, Second=[["x"]])
    assert texts(from_bytes(data, "cards.xlsx", "Second")[0]) == [["x"]]
    (found,) = from_bytes(data, "cards.xlsx", "Secnd")[1]
    assert (found.message, found.hint) == ("The file has no sheet `Secnd`.", "Did you mean `Second`?")
    (found,) = from_bytes(data, "cards.xlsx", "x")[1]
    assert found.hint == "The sheets of the file are `Main` and `Second`."
    assert from_bytes(b"a", "cards.csv", "Main")[1]


def test_a_cell_at_the_far_end_costs_nothing() -> None:
    book = openpyxl.Workbook()
    book.active["A1"], book.active["B1048576"] = "a", "b"
    assert texts(from_bytes(saved(book), "cards.xlsx")[0]) == [["a"], ["", "b"]]


def test_headings_match_without_case_spaces_and_underscores() -> None:
    sheet, _ = from_bytes(b"Card name,VALUE,Qty,notes,Value", "cards.csv")
    assert sheet is not None
    columns, findings = columns_of(sheet, ["card_name", "value", "copies"], {})
    assert {name: cell.name for name, cell in columns.headings.items()} == {"card_name": "A1", "value": "B1"}
    assert [found.message for found in findings] == ["The column `Value` is there twice."]
    assert [found.message for found in columns.findings((), (), (), str)] == ["Not used: Qty, notes."]
    likely = columns.likely("copies")
    assert likely is not None and likely.text == "Qty"
    columns, _ = columns_of(sheet, ["value", "copies"], {"copies": "qty"})
    assert columns.headings["copies"].text == "Qty"
    (absent,) = columns_of(sheet, ["notes"], {"notes": "remarks"})[1]
    assert absent.message == "There is no column `remarks`, which `notes` is read from."


@settings(max_examples=30, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(st.lists(st.text("ab,;|\t\"'\n é卡=#1", max_size=5), min_size=1, max_size=4), min_size=1, max_size=4))
def test_csv_of_any_cells_is_read_as_written(rows: list[list[str]]) -> None:
    wanted = [[cell.strip() for cell in row] for row in [["head"], *rows]]
    rows = [[uncalculated(cell) for cell in row] for row in wanted[1:]]
    for sign in ",;\t|":
        sheet, findings = from_bytes(csv([["head", *"xyz"], *rows], sign).encode(), "cards.csv")
        assert not findings
        assert texts(sheet)[1:] == [trimmed for row in wanted[1:] if (trimmed := without_end(row))]


def without_end(row: list[str]) -> list[str]:
    return row[: max((at for at, cell in enumerate(row, 1) if cell), default=0)]


@pytest.mark.parametrize("path", sorted(Path(__file__).parent.glob("spreadsheets/*")), ids=lambda path: path.name)
def test_samples(path: Path) -> None:
    sheet, findings = from_bytes(path.read_bytes(), path.name)
    assert not findings and len(texts(sheet)) == 13


# --- sheets written again ---------------------------------------------------------------------------------------------


def changed(data: bytes, path: str, values: dict[tuple[int, int], Any]) -> tuple[bytes, list[Edit], Sheet]:
    sheet, _ = from_bytes(data, path)
    assert sheet is not None
    cells = {(cell.row, cell.column): cell for row in sheet.rows for cell in row}
    last = sheet.rows[-1][0].row
    made = [Edit(cells.get(at, Cell(*at, "", is_new=at[0] > last)), value) for at, value in values.items()]
    headings = {str(column): Cell(1, column, "") for column in range(1, 6)}
    after, _, locked = edited(data, Columns(sheet, headings, ()), made)
    return after, locked, sheet


def test_formulas_and_merged_cells_are_not_written() -> None:
    book = openpyxl.Workbook()
    for row in (["a", "b", "c"], ["=1+1", '=""', "d"], ["e", "f", "g"]):
        book.active.append(row)
    book.active.merge_cells("A3:B3")
    book.active["C4"].number_format = "d-mmm"
    values = {(2, 1): 5, (2, 2): "x", (2, 3): 4, (3, 1): "m", (3, 2): "n", (4, 3): 7}
    after, locked, _ = changed(saved(book), "cards.xlsx", values)
    assert [(edit.cell.row, edit.cell.column) for edit in locked] == [(2, 1), (2, 2), (3, 2)]
    assert texts(from_bytes(after, "cards.xlsx")[0]) == [
        ["a", "b", "c"],
        ["=", "=", "d"],
        ["e", "", "g"],
        ["", "", "7"],
    ]
    theirs = openpyxl.load_workbook(io.BytesIO(after))
    assert theirs.calculation.fullCalcOnLoad and theirs.active["A2"].value == "=1+1"
