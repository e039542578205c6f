"""Sheets written as CSV or by openpyxl: new files, and files with new values in some cells."""

from __future__ import annotations

import csv
import io
import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from copy import copy

from rulespec.base.messages import say
from rulespec.base.spreadsheet.archive import Archive, damage_reported
from rulespec.base.spreadsheet.columns import Columns
from rulespec.base.spreadsheet.delimited import delimiter_of, encoding_of, rows_of, uncalculated
from rulespec.base.spreadsheet.reading import from_bytes
from rulespec.base.spreadsheet.sheet import Content, Edit, Sheet, SheetError, refuse_large
from rulespec.base.spreadsheet.workbook import Workbook

Values = Iterable[Sequence[str | int]]
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


def as_excel(data: bytes) -> bytes:
    """A workbook as XLSX with the texts that its cells show, for readers without calamine. Raises SheetError."""
    import openpyxl

    with damage_reported():
        read, book = Workbook(Archive(data)), openpyxl.Workbook()
        book.remove(book.worksheets[0])
        for name, is_visible in read.sheets.items():
            page = book.create_sheet(name)
            page.sheet_state = "visible" if is_visible else "hidden"
            for row, shown in read.cells(name):
                for column, (text, content) in shown.items():
                    # A formula that has no value stays one, and no text becomes one.
                    page.cell(row, column, text).data_type = "f" if content is Content.UNCALCULATED else "s"
        stream = io.BytesIO()
        book.save(stream)
        return stream.getvalue()


def edited_csv(sheet: Sheet, edits: Sequence[Edit]) -> bytes:
    """A sheet with new values in some cells as CSV."""
    rows = _rows(sheet, edits)
    width = max((max(row) for row in rows), default=0)
    return new_csv([row.get(column, "") for column in range(1, width + 1)] for row in rows)


def edited(data: bytes, columns: Columns, edits: Sequence[Edit]) -> tuple[bytes, list[Edit], list[Edit]]:
    """A file with new values in the cells of a sheet, the edits that were made, and those of cells that have a formula
    or are merged with others that keep their value: of their rows none is made. Raises SheetError for a format that is
    not written, and for a workbook in which something would be lost."""
    sheet, made, kept = columns.sheet, [*edits], list[Edit]()
    if sheet.source is not None:
        mark, encoding = encoding_of(data)
        return mark + _edited_text(sheet.source.text, edits).encode(encoding), made, kept
    while made:
        with damage_reported():
            after, locked = _edited_workbook(data, sheet, made)
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


def _edited_workbook(data: bytes, sheet: Sheet, edits: Sequence[Edit]) -> tuple[bytes, list[Edit]]:
    """A workbook with new values in cells of a sheet, and the edits that were not made, because their cells have a
    formula or are merged with others."""
    import openpyxl

    archive = Archive(data)
    _refuse_losses(archive)
    # openpyxl makes a cell for each that is merged or linked, on all sheets.
    pages = (archive.tree(name) for name in archive.parts if name.startswith("xl/worksheets/"))
    areas = (
        one.get("ref", "A1") for page in pages for one in page.iter() if one.tag.endswith(("mergeCell", "hyperlink"))
    )
    bounds = map(openpyxl.utils.range_boundaries, areas)
    refuse_large(sum((right - left + 1) * (bottom - top + 1) for left, top, right, bottom in bounds))
    new = [edit.cell.row for edit in edits if edit.cell.is_new]
    if below := [row for row in sheet.rows if row[0].row in new]:
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
            cell._style = copy(page.cell(min(new) - 1, cell.column)._style)
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
    # Google Sheets writes a drawing without anything in it for each sheet.
    empty = {name for name, part in archive.parts.items() if name.startswith("xl/drawings/") and b"Anchor" not in part}
    extended = [
        name for name, part in archive.parts.items() if name.startswith("xl/worksheets/") and _EXTENSIONS.search(part)
    ]
    if lost := [name for name in sorted(archive.names - empty) if not _KEPT.fullmatch(name)] or extended:
        message = say(
            "The workbook has what would be lost if it were written, such as pictures or charts: {part}.", part=lost[0]
        )
        raise SheetError(message, say("Change the cells in a spreadsheet program."))


def _edited_text(text: str, edits: Sequence[Edit]) -> str:
    """A text with new values in some cells: rows without an edit stay as they are, and so do the other cells of a row.
    A row that has no value any more is deleted; new rows stand in front of the row that has the number of the first of
    them."""
    sign, at = delimiter_of(text)
    end = "\r\n" if "\r\n" in text else "\r" if "\r" in text and "\n" not in text else "\n"
    values, new = (defaultdict[int, dict[int, str]](dict) for _ in range(2))
    for edit in edits:
        (new if edit.cell.is_new else values)[edit.cell.row][edit.cell.column] = str(edit.value)
    rows = [*rows_of(text)]
    columns = range(1, max(map(len, rows), default=0) + 1)
    added = [
        sign.join(_written(new[number].get(column, ""), sign) for column in columns) + end for number in sorted(new)
    ]
    made = [text[:at]]
    for row, stop in zip(rows, [*(row[0].span.start for row in rows[1:]), len(text)], strict=True):
        if row[0].row >= min(new, default=row[0].row + 1):
            made, added = [*made, *added], []
        old, changed = [text[cell.span.start : cell.span.end] for cell in row], values[row[0].row]
        old += [""] * (max(changed, default=0) - len(old))
        cells = [
            _written(changed[column], sign, quoted=cell.startswith('"')) if column in changed else cell
            for column, cell in enumerate(old, 1)
        ]
        if not changed or any(changed.get(cell.column, cell.text) for cell in row) or any(changed.values()):
            made += [sign.join(cells), text[row[-1].span.end : stop]]
    if added and made[-1] and not made[-1].endswith(("\r", "\n")):
        made.append(end)
    return "".join([*made, *added])


def _written(value: str, sign: str, quoted: bool = False) -> str:
    """A value as CSV has it, in quotation marks where it needs them or where the value before had them."""
    value = uncalculated(value)
    if quoted or any(one in value for one in (sign, '"', "\n", "\r")):
        return '"' + value.replace('"', '""') + '"'
    return value


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
