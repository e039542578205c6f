"""New files with a sheet: CSV and XLSX."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence

from rulespec.base.spreadsheet.delimited import uncalculated

Values = Iterable[Sequence[str | int]]


def new_csv(rows: Values) -> bytes:
    """A CSV file in UTF-8 with commas."""
    stream = io.StringIO()
    csv.writer(stream, lineterminator="\n").writerows([uncalculated(str(value)) for value in row] for row in rows)
    return stream.getvalue().encode()


def new_workbook(rows: Values, name: str) -> bytes:
    """A workbook with one sheet."""
    import openpyxl  # takes a third of a second

    book = openpyxl.Workbook()
    page = book.worksheets[0]
    page.title = name
    for number, row in enumerate(rows, 1):
        for column, value in enumerate(row, 1):
            if value != "":
                cell = page.cell(number, column, value)
                cell.data_type = "n" if isinstance(value, int) else "s"  # never a formula
    stream = io.BytesIO()
    book.save(stream)
    return stream.getvalue()
