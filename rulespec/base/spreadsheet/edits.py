"""Sheets written again with new values in some cells: everything else in the file stays as it is."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from rulespec.base.messages import say
from rulespec.base.spreadsheet.archive import Archive, damage_reported
from rulespec.base.spreadsheet.delimited import encoding_of
from rulespec.base.spreadsheet.delimited_edits import edited_text
from rulespec.base.spreadsheet.reading import from_bytes
from rulespec.base.spreadsheet.sheet import Edit, Sheet, SheetError
from rulespec.base.spreadsheet.xlsx import Workbook
from rulespec.base.spreadsheet.xlsx_edits import edited_workbook


def edited(data: bytes, sheet: Sheet, edits: Sequence[Edit]) -> tuple[bytes, list[Edit]]:
    """A file with new values in the cells of a sheet, and the edits that were not made, because their cells have a
    formula or are merged with others that keep their value. The file is read again: only the edited cells differ.
    Raises SheetError for a format that is not written, and for a file in which more would change."""
    with damage_reported():
        after, locked = _edited(data, sheet, edits)
    then = from_bytes(after, sheet.path, sheet.name)[0]
    shown = {(cell.row, cell.column): cell.text for row in (then.rows if then is not None else ()) for cell in row}
    # Cells that are merged with one above have its value: an edit of that one is theirs, too.
    locked = [edit for edit in locked if shown.get((edit.cell.row, edit.cell.column), "") != str(edit.value)]
    made = [edit for edit in edits if edit not in locked]
    if _texts(then, []) != _texts(sheet, made):
        message = say("The sheet is written in a way that cannot be changed without changing something else.")
        raise SheetError(message, say("Open the file in a spreadsheet program and save it."))
    return after, locked


def _edited(data: bytes, sheet: Sheet, edits: Sequence[Edit]) -> tuple[bytes, list[Edit]]:
    if sheet.source is not None:
        mark, encoding = encoding_of(data)
        return mark + edited_text(sheet.source.text, edits).encode(encoding), []
    archive = Archive(data)
    if "xl/workbook.xml" in archive.names:
        return edited_workbook(Workbook(archive), sheet.name, edits)
    message = say("Files in the format ODS are read, but not written.")
    raise SheetError(message, say("Save it as `.xlsx` or `.csv`."))


def _texts(sheet: Sheet | None, edits: Sequence[Edit]) -> list[dict[int, str]]:
    """The texts of a sheet with some edits, by row and column, without empty rows: CSV loses them."""
    rows: defaultdict[int, dict[int, str]] = defaultdict(dict)
    for cell in (cell for row in (sheet.rows if sheet is not None else ()) for cell in row):
        rows[cell.row][cell.column] = cell.text
    for edit in edits:
        rows[edit.cell.row][edit.cell.column] = str(edit.value).strip()
    filled = ({column: text for column, text in rows[row].items() if text} for row in sorted(rows))
    return [row for row in filled if row]
