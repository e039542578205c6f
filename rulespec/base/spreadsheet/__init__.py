"""Spreadsheets as rows of cells that know their place: CSV, XLSX and ODS."""

from rulespec.base.spreadsheet.columns import Columns, columns_of
from rulespec.base.spreadsheet.reading import (
    ENDINGS,
    SheetReading,
    Wanted,
    from_bytes,
    is_spreadsheet,
    read,
    sheet_names,
)
from rulespec.base.spreadsheet.sheet import MOST_ROWS, Cell, Content, Edit, Sheet, SheetError, source_of
from rulespec.base.spreadsheet.writing import as_excel, edited, edited_csv, new_csv, new_workbook

__all__ = [
    "ENDINGS",
    "MOST_ROWS",
    "Cell",
    "Columns",
    "Content",
    "Edit",
    "Sheet",
    "SheetError",
    "SheetReading",
    "Wanted",
    "as_excel",
    "columns_of",
    "edited",
    "edited_csv",
    "from_bytes",
    "is_spreadsheet",
    "new_csv",
    "new_workbook",
    "read",
    "sheet_names",
    "source_of",
]
