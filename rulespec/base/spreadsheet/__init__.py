"""Spreadsheets as rows of cells that know their place: CSV, XLSX and ODS, read without other packages."""

from typing import TYPE_CHECKING

from rulespec.base.lazy import importer

if TYPE_CHECKING:
    from rulespec.base.spreadsheet.columns import Columns, columns_of
    from rulespec.base.spreadsheet.edits import edited
    from rulespec.base.spreadsheet.new_files import new_csv, new_workbook
    from rulespec.base.spreadsheet.reading import ENDINGS, SheetReading, from_bytes, is_spreadsheet, read, sheet_names
    from rulespec.base.spreadsheet.sheet import MOST_ROWS, Cell, Content, Edit, Sheet, SheetError, date_hint
    from rulespec.base.spreadsheet.sources import source_of

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
    "columns_of",
    "date_hint",
    "edited",
    "from_bytes",
    "is_spreadsheet",
    "new_csv",
    "new_workbook",
    "read",
    "sheet_names",
    "source_of",
]

__getattr__ = importer(
    __name__,
    {
        "rulespec.base.spreadsheet.columns": "Columns columns_of",
        "rulespec.base.spreadsheet.edits": "edited",
        "rulespec.base.spreadsheet.new_files": "new_csv new_workbook",
        "rulespec.base.spreadsheet.reading": "ENDINGS SheetReading from_bytes is_spreadsheet read sheet_names",
        "rulespec.base.spreadsheet.sheet": "MOST_ROWS Cell Content Edit Sheet SheetError date_hint",
        "rulespec.base.spreadsheet.sources": "source_of",
    },
)
