"""New files with a sheet: CSV and XLSX."""

from __future__ import annotations

import csv
import io
import zipfile
from collections.abc import Iterable, Sequence
from xml.sax.saxutils import quoteattr

from rulespec.base.spreadsheet.sheet import Cell, Edit
from rulespec.base.spreadsheet.xlsx_edits import written_cell

Values = Iterable[Sequence[str | int]]

_XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
_MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006"
_TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml"
_PARTS = {
    "[Content_Types].xml": f"""<Types xmlns="{_PACKAGE}/content-types">\
<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>\
<Override PartName="/xl/workbook.xml" ContentType="{_TYPE}.sheet.main+xml"/>\
<Override PartName="/xl/worksheets/sheet1.xml" ContentType="{_TYPE}.worksheet+xml"/></Types>""",
    "_rels/.rels": f"""<Relationships xmlns="{_PACKAGE}/relationships">\
<Relationship Id="rId1" Type="{_OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>""",
    "xl/_rels/workbook.xml.rels": f"""<Relationships xmlns="{_PACKAGE}/relationships">\
<Relationship Id="rId1" Type="{_OFFICE}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>""",
}


def new_csv(rows: Values) -> bytes:
    """A CSV file in UTF-8 with commas."""
    stream = io.StringIO()
    csv.writer(stream, lineterminator="\n").writerows(rows)
    return stream.getvalue().encode()


def new_workbook(rows: Values, name: str) -> bytes:
    """A workbook with one sheet. The same rows give the same bytes."""
    sheet = f'<sheet name={quoteattr(name)} sheetId="1" r:id="rId1"/>'
    parts = _PARTS | {
        "xl/workbook.xml": f'<workbook xmlns="{_MAIN}" xmlns:r="{_OFFICE}"><sheets>{sheet}</sheets></workbook>',
        "xl/worksheets/sheet1.xml": f'<worksheet xmlns="{_MAIN}"><sheetData>{_rows(rows)}</sheetData></worksheet>',
    }
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for path, content in parts.items():
            entry = zipfile.ZipInfo(path)  # of 1980, whenever it is made
            archive.writestr(entry, _XML + content, zipfile.ZIP_DEFLATED)
    return stream.getvalue()


def _rows(rows: Values) -> str:
    made = []
    for number, row in enumerate(rows, 1):
        edits = [Edit(Cell(number, column, ""), value) for column, value in enumerate(row, 1) if value != ""]
        made.append(f'<row r="{number}">{"".join(written_cell("c", edit).decode() for edit in edits)}</row>')
    return "".join(made)
