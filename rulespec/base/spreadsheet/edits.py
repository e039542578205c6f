"""Sheets written again with new values in some cells: everything else in the file stays as it is."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Sequence

from rulespec.base.messages import say
from rulespec.base.spreadsheet.archive import damage_reported
from rulespec.base.spreadsheet.columns import Columns
from rulespec.base.spreadsheet.delimited import encoding_of
from rulespec.base.spreadsheet.delimited_edits import edited_text
from rulespec.base.spreadsheet.new_files import new_csv
from rulespec.base.spreadsheet.reading import from_bytes
from rulespec.base.spreadsheet.sheet import Content, Edit, Sheet, SheetError
from rulespec.base.spreadsheet.xlsx_edits import edited_workbook


def edited(data: bytes, columns: Columns, edits: Sequence[Edit]) -> tuple[bytes, list[Edit], list[Edit]]:
    """A file with new values in the cells of a sheet, the edits that were made, and those of cells that have a formula
    or are merged with others that keep their value: of their rows none is made. The file is read again: only the edited
    cells differ. Raises SheetError for a format that is not written, and for a file in which more would change."""
    sheet, made, kept = columns.sheet, [*edits], list[Edit]()
    while made:
        with damage_reported():
            after, locked = _edited(data, sheet, made)
        then = from_bytes(after, sheet.path, sheet.name)[0]
        cells = [cell for row in (then.rows if then is not None else ()) for cell in row]
        shown = {(cell.row, cell.column): cell.text for cell in cells}
        # Cells that are merged with one above have its value: an edit of that one is theirs, too.
        still = [edit for edit in locked if shown.get((edit.cell.row, edit.cell.column), "") != str(edit.value)]
        if not still:
            break
        kept += still
        rows = {edit.cell.row for edit in still}  # half a row would be another card
        made = [edit for edit in made if edit.cell.row not in rows]
    if not made:
        return data, made, kept
    # A formula loses its stored value, which is of no account where no card is read from it.
    read = {(cell.row, cell.column) for row in columns.rows for cell in row if cell.column in columns.numbers}
    lost = {(cell.row, cell.column) for cell in cells if cell.content is Content.UNCALCULATED}
    stored = (cell for row in sheet.rows for cell in row if cell.content is not Content.UNCALCULATED)
    if needed := [cell for cell in stored if (cell.row, cell.column) in lost & read]:
        message = say("The formula in {cell} would lose its value, which the card is read from.", cell=needed[0].name)
        raise SheetError(message, say("Change the cells in a spreadsheet program."))
    if then is None or _rows(then, [], lost) != _rows(sheet, made, lost):
        message = say("The sheet is written in a way that cannot be changed without changing something else.")
        raise SheetError(message, say("Open the file in a spreadsheet program and save it."))
    return after, made, kept


def _edited(data: bytes, sheet: Sheet, edits: Sequence[Edit]) -> tuple[bytes, list[Edit]]:
    if sheet.source is None:
        return edited_workbook(data, sheet, edits)
    mark, encoding = encoding_of(data)
    return mark + edited_text(sheet.source.text, edits).encode(encoding), []


def edited_csv(sheet: Sheet, edits: Sequence[Edit]) -> bytes:
    """A sheet with new values in some cells as CSV."""
    rows = _rows(sheet, edits)
    width = max((max(row) for row in rows), default=0)
    return new_csv([row.get(column, "") for column in range(1, width + 1)] for row in rows)


def _rows(sheet: Sheet, edits: Sequence[Edit], but: Collection[tuple[int, int]] = ()) -> list[dict[int, str]]:
    """The texts of a sheet with some edits, by column, without empty rows: CSV loses them."""
    rows: defaultdict[tuple[int, int], dict[int, str]] = defaultdict(dict)
    above = min((edit.cell.row for edit in edits if edit.cell.is_new), default=1) - 1
    for cell in (cell for row in (*sheet.above, *sheet.rows) for cell in row):
        is_known = (cell.row, cell.column) not in but and cell.content is not Content.UNCALCULATED
        rows[cell.row, 0][cell.column] = cell.text if is_known else ""
    for edit in edits:
        row = (above, edit.cell.row) if edit.cell.is_new else (edit.cell.row, 0)
        rows[row][edit.cell.column] = str(edit.value).strip()
    filled = ({column: text for column, text in sorted(rows[row].items()) if text} for row in sorted(rows))
    return [row for row in filled if row]
