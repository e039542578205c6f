"""Files read as sheets, whatever their format is."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import replace
from difflib import get_close_matches

from rulespec.base.diagnostics import Finding
from rulespec.base.messages import Message, all_of, quoted, say
from rulespec.base.source import MAX_BYTES, read_bytes
from rulespec.base.spreadsheet.archive import Archive, damage_reported
from rulespec.base.spreadsheet.delimited import sheet_of_text, text_of
from rulespec.base.spreadsheet.sheet import Sheet, SheetError, sheet_of
from rulespec.base.spreadsheet.workbook import Workbook

SheetReading = tuple[Sheet | None, list[Finding]]
Wanted = Callable[[Sheet], bool]
"""Whether a sheet is the one to be read."""

_ZIP, _OLE = b"PK\x03\x04", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_ENCRYPTED = "EncryptedPackage".encode("utf-16-le")
"""The name of the stream of an encrypted workbook."""
ENDINGS = (".csv", ".tsv", ".xlsx", ".xlsm", ".ods")
"""The endings of the names of files that are read as sheets."""


def is_spreadsheet(path: str) -> bool:
    """Whether a file is a spreadsheet by its name."""
    return path.lower().endswith(ENDINGS)


def read(path: str | os.PathLike[str], name: str = "", wanted: Wanted | None = None) -> SheetReading:
    """A sheet of the file at `path`, and the findings about it: the one with a name, else the first visible one that is
    wanted, else the first visible one. Never raises for a bad file."""
    data, shown, findings = read_bytes(path)
    return from_bytes(data, shown, name, wanted) if data is not None else (None, findings)


def sheet_names(path: str | os.PathLike[str]) -> tuple[str, ...]:
    """The names of the sheets of a workbook; none for another file."""
    data, _, _ = read_bytes(path)
    try:
        with damage_reported():
            return tuple(_book(data).sheets) if data is not None and data.startswith(_ZIP) else ()
    except SheetError:
        return ()


def from_bytes(data: bytes, path: str, name: str = "", wanted: Wanted | None = None) -> SheetReading:
    """Like `read`, for bytes already at hand. A CSV file has one sheet, without a name."""
    try:
        if len(data) > MAX_BYTES:
            hint = say("Copy the card list into a new file, without pictures.")
            raise SheetError(say("The file is larger than 5 MiB."), hint, "file-too-large")
        if data.startswith(_OLE):
            raise _old_or_encrypted(data)
        if data.startswith(_ZIP):
            return _of_workbook(data, path, name, wanted), []
        source, findings = text_of(data, path)
        if source is None or findings:
            return None, findings
        if name:
            message = say("A CSV file has no sheet `{name}`: it is one sheet without a name.", name=name)
            raise SheetError(message, say("Leave out the name of the sheet."))
        return sheet_of_text(source)
    except SheetError as error:
        return None, [error.at(path)]


def _old_or_encrypted(data: bytes) -> SheetError:
    if _ENCRYPTED in data:
        return _encrypted()
    message = say("The file has the format of Excel before 2007, in which errors of formulas cannot be read.")
    return SheetError(message, say("Save it as .xlsx, .ods or .csv."))


def _encrypted() -> SheetError:
    return SheetError(say("The file is encrypted with a password."), say("Save it without a password."))


def _book(data: bytes) -> Workbook:
    archive = Archive(data)
    if not archive.is_excel and "content.xml" not in archive.parts:
        message = say("The file is a ZIP archive, but no workbook in the format XLSX or ODS.")
        raise SheetError(message, say("Save it as .xlsx, .ods or .csv."))
    if b"encryption-data" in archive.parts.get("META-INF/manifest.xml", b""):
        raise _encrypted()
    return Workbook(archive)


def _of_workbook(data: bytes, path: str, name: str, wanted: Wanted | None) -> Sheet:
    with damage_reported():
        book = _book(data)
        names = tuple(book.sheets)
    if name and name not in names:
        close = get_close_matches(name, names, n=1, cutoff=0.6)
        message = say("The file has no sheet `{name}`.", name=name)
        raise SheetError(message, say("Did you mean `{name}`?", name=close[0]) if close else _sheets(names))
    visible = [one for one, is_visible in book.sheets.items() if is_visible] or names
    found: list[Sheet] = []
    errors: list[SheetError] = []
    for one in (name,) if name else visible:
        try:
            with damage_reported():
                sheet = replace(sheet_of(path, one, book.cells(one)), names=names)
        except SheetError as error:  # of a sheet that may not be meant
            errors.append(error)
            continue
        if not sheet.rows:
            errors.append(SheetError(say("The sheet `{name}` is empty.", name=one), _sheets(names), "empty-file"))
        elif name or wanted is None or wanted(sheet):
            return sheet
        else:
            found.append(sheet)
    if found:
        return found[0]
    raise errors[0]


def _sheets(names: tuple[str, ...]) -> Message:
    return say("The sheets of the file are {names}.", names=all_of(quoted(names)))
