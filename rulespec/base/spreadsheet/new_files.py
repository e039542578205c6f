"""New files with a sheet: CSV and XLSX."""

from __future__ import annotations

import csv
import io
import zipfile
from collections.abc import Iterable, Sequence
from pathlib import Path
from xml.sax.saxutils import quoteattr

import yaml

from rulespec.base.spreadsheet.delimited import uncalculated
from rulespec.base.spreadsheet.sheet import Cell, Edit
from rulespec.base.spreadsheet.xlsx_edits import written_cell

Values = Iterable[Sequence[str | int]]

_XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'


def new_csv(rows: Values) -> bytes:
    """A CSV file in UTF-8 with commas."""
    stream = io.StringIO()
    csv.writer(stream, lineterminator="\n").writerows([uncalculated(str(value)) for value in row] for row in rows)
    return stream.getvalue().encode()


def new_workbook(rows: Values, name: str) -> bytes:
    """A workbook with one sheet. The same rows give the same bytes."""
    parts = yaml.safe_load(Path(__file__).with_name("workbook.yaml").read_text(encoding="utf-8"))
    values = {"name": quoteattr(name), "rows": _rows(rows)}
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for path, content in parts.items():
            entry = zipfile.ZipInfo(path)  # of 1980, whenever it is made
            archive.writestr(entry, _XML + content.format_map(values), zipfile.ZIP_DEFLATED)
    return stream.getvalue()


def _rows(rows: Values) -> str:
    made = []
    for number, row in enumerate(rows, 1):
        edits = [Edit(Cell(number, column, ""), value) for column, value in enumerate(row, 1) if value != ""]
        made.append(f'<row r="{number}">{"".join(written_cell("c", edit).decode() for edit in edits)}</row>')
    return "".join(made)
