"""Workbooks written again by openpyxl, if it keeps all that is in them."""

from __future__ import annotations

import io
import re
from collections.abc import Sequence
from copy import copy

from rulespec.base.messages import say
from rulespec.base.spreadsheet.archive import Archive
from rulespec.base.spreadsheet.sheet import Content, Edit, Sheet, SheetError

_KEPT = re.compile(
    r"\[Content_Types\]\.xml|_rels/\.rels|docProps/(?:app|core|custom)\.xml|docMetadata/LabelInfo\.xml|.*/"
    r"|xl/(?:workbook|styles|sharedStrings|calcChain|comments\d*)\.xml|xl/_rels/workbook\.xml\.rels|xl/theme/[^/]+"
    r"|xl/worksheets/(?:_rels/)?[^/]+|xl/comments/[^/]+|xl/drawings/(?:vmlDrawing|commentsDrawing)\d*\.vml"
    r"|xl/(?:tables|printerSettings)/[^/]+"
)
"""The parts of a workbook that openpyxl writes again, or whose loss nobody sees. Pictures, charts, pivot tables and
macros are in others."""
_EXTENSIONS = re.compile(rb"<(?:\w+:)?extLst\b")
"""Where a sheet has what came after Excel 2007, such as sparklines."""


def edited_workbook(data: bytes, sheet: Sheet, edits: Sequence[Edit]) -> tuple[bytes, list[Edit]]:
    """A workbook with new values in cells of a sheet, and the edits that were not made, because their cells have a
    formula or are merged with others. Raises SheetError for a workbook in which something would be lost."""
    # Takes a third of a second, and only an export and a rename need it.
    import openpyxl

    _refuse_losses(Archive(data))
    if below := [row for row in sheet.rows if any(edit.cell.is_new and edit.cell.row == row[0].row for edit in edits)]:
        raise SheetError(say("New rows would stand where row {row} is.", row=below[0][0].row))
    book = openpyxl.load_workbook(io.BytesIO(data), rich_text=True)
    page, locked = book[sheet.name], list[Edit]()
    for edit in edits:
        cell = page.cell(edit.cell.row, edit.cell.column)
        if isinstance(cell, openpyxl.cell.MergedCell) or cell.data_type == "f":
            locked.append(edit)
            continue
        is_text = edit.cell.text != "" and edit.cell.content is Content.TEXT
        if edit.cell.is_new and cell.row > 1:  # looks as the one above
            cell._style = copy(
                page.cell(min(edit.cell.row for edit in edits if edit.cell.is_new) - 1, cell.column)._style
            )
        if edit.value == "":
            cell.value = None
        elif cell.data_type == "b" and edit.value in ("false", "true"):
            cell.value = edit.value == "true"
        elif isinstance(edit.value, int) and not is_text and not cell.is_date:
            cell.value = edit.value
        else:
            cell.value, cell.data_type = str(edit.value), "s"  # never a formula, nor an error
    stream = io.BytesIO()
    book.save(stream)
    return stream.getvalue(), locked


def _refuse_losses(archive: Archive) -> None:
    if not archive.is_excel:
        message = say("Files in the format ODS are read, but not written.")
        raise SheetError(message, say("Save it as `.xlsx` or `.csv`."))
    lost = [name for name in sorted(archive.names) if not _KEPT.fullmatch(name)]
    # Google Sheets writes a drawing without anything in it for each sheet.
    empty = {name for name, part in archive.parts.items() if name.startswith("xl/drawings/") and b"Anchor" not in part}
    lost = [name for name in lost if name not in empty]
    parts = ((name, part) for name, part in archive.parts.items() if name.startswith("xl/worksheets/"))
    if lost := lost or [name for name, part in parts if _EXTENSIONS.search(part)]:
        message = say(
            "The workbook has what would be lost if it were written, such as pictures or charts: {part}.", part=lost[0]
        )
        raise SheetError(message, say("Change the cells in a spreadsheet program."))
