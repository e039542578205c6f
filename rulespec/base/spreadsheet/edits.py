"""Sheets written again with new values in some cells: everything else in the file stays as it is."""

from __future__ import annotations

from collections.abc import Sequence

from rulespec.base.messages import say
from rulespec.base.spreadsheet.archive import Archive, damage_reported
from rulespec.base.spreadsheet.delimited import encoding_of
from rulespec.base.spreadsheet.delimited_edits import edited_text
from rulespec.base.spreadsheet.sheet import Edit, Sheet, SheetError
from rulespec.base.spreadsheet.xlsx import Workbook
from rulespec.base.spreadsheet.xlsx_edits import edited_workbook


def edited(data: bytes, sheet: Sheet, edits: Sequence[Edit]) -> tuple[bytes, list[Edit]]:
    """A file with new values in the cells of a sheet, and the edits that were not made, because their cells have a
    formula or are merged with others. Raises SheetError for a format that is not written."""
    if sheet.source is not None:
        mark, encoding = encoding_of(data)
        return mark + edited_text(sheet.source.text, edits).encode(encoding), []
    with damage_reported():
        archive = Archive(data)
        if "xl/workbook.xml" in archive.names:
            return edited_workbook(Workbook(archive), sheet.name, edits)
    message = say("Files in the format ODS are read, but not written.")
    raise SheetError(message, say("Save it as `.xlsx` or `.csv`."))
