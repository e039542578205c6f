"""CSV: its encoding, its delimiter and its cells."""

from __future__ import annotations

import codecs
import contextlib
import re
from collections.abc import Iterator
from itertools import islice

from rulespec.base.diagnostics import Finding, Span
from rulespec.base.messages import say
from rulespec.base.source import Reading, Source, from_bytes, from_text
from rulespec.base.spreadsheet.sheet import (
    MOST_ABOVE,
    MOST_ROWS,
    Cell,
    Sheet,
    SheetError,
    refuse_large,
    refuse_long,
    refuse_wide,
)

DELIMITERS = ",;\t|"
_STATED = re.compile(rf'"?sep=([{DELIMITERS}])"?[ \t]*(\r\n|\r|\n|\Z)')
"""The first line with which Excel states the delimiter."""
_CELL = {
    sign: re.compile(rf'[ ]*"(?P<quoted>(?:[^"]|"")*+)(?P<closed>"(?P<rest>[^{sign}\r\n]*))?|[^{sign}\r\n]*')
    for sign in DELIMITERS
}
_BREAK = re.compile(r"\r\n|\r|\n")
_QUOTED = re.compile(r'"[^"]*+"?')
_FORMULA = re.compile(r"'*(?![+-]?[0-9]+(?:[.,][0-9]+)?\Z)[=+\-@\t\r]")
"""What a cell begins with that spreadsheets calculate, perhaps after apostrophes; numbers with a sign are none."""
_BINARY = (b"\0\0\0", b"\x89PNG", b"%PDF", b"\xff\xd8\xff", b"GIF8")


def text_of(data: bytes, path: str) -> Reading:
    """The text of a CSV file in UTF-8 or UTF-16, with or without a byte order mark, and the findings about it."""
    _, encoding = encoding_of(data)
    if encoding != "utf-8":
        with contextlib.suppress(UnicodeDecodeError):
            return from_text(data.decode(encoding), path)
    if any(sign in data[:1024] for sign in _BINARY):
        hint = say("A card list is a file in the format CSV, XLSX or ODS.")
        return None, [SheetError(say("The file is no spreadsheet and no text."), hint).at(path)]
    return from_bytes(data, path)


def encoding_of(data: bytes) -> tuple[bytes, str]:
    """The byte order mark of a text, b"" if it has none, and the name of its encoding for what follows."""
    for mark, encoding in ((codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be")):
        if data.startswith(mark) and not data.startswith(codecs.BOM_UTF32_LE):
            return mark, encoding
        if b"\0" in data[:200] and _is_wide(data, encoding):
            return b"", encoding
    return codecs.BOM_UTF8 * data.startswith(codecs.BOM_UTF8), "utf-8"


def _is_wide(data: bytes, encoding: str) -> bool:
    """Whether every other byte of the first line is zero, as it is for Latin letters in UTF-16."""
    line = data[:200][: len(data[:200]) // 2 * 2]
    low, high = (line[0::2], line[1::2]) if encoding == "utf-16-le" else (line[1::2], line[0::2])
    return b"\0" not in low and 2 * high.count(0) >= len(high)


def sheet_of_text(source: Source) -> tuple[Sheet, list[Finding]]:
    """The sheet of a CSV file, and the finding about a quotation mark that is not closed. Raises SheetError for an
    empty one, and for too many rows or columns."""
    # Signs in quoted texts count as well: far fewer than the cells that are read.
    refuse_large(source.text.count(delimiter_of(source.text)[0]))
    rows = [*islice((shown for row in rows_of(source.text) if (shown := _without_end(row))), MOST_ROWS + 1)]
    if not rows:
        raise SheetError(say("The file is empty."), name="empty-file")
    if len(rows) > MOST_ROWS:  # the rest is only counted
        refuse_long(sum(bool(line.strip(DELIMITERS)) for line in source.text.splitlines()))
    refuse_wide(max((row[-1] for row in rows), key=lambda cell: cell.column))
    sheet = Sheet(source.path, "", tuple(rows), source)
    message = say("The quotation mark of this cell is not closed.")
    hint = say("Close it, or delete it.")
    return sheet, [
        sheet.finding("wrong-value", message, row[-1], hint) for row in rows[-1:] if _is_open(source, row[-1])
    ]


def rows_of(text: str) -> Iterator[tuple[Cell, ...]]:
    """The rows of a text, with all their cells."""
    sign, at = delimiter_of(text)
    number = 1 + bool(at)
    row: list[Cell] = []
    while at < len(text) or row:
        found = _CELL[sign].match(text, at)
        assert found is not None  # one half of the pattern matches nothing, too
        value = found["quoted"]
        value = found[0] if value is None else value.replace('""', '"') + (found["rest"] or "")
        row.append(Cell(number, len(row) + 1, _BREAK.sub("\n", as_written(value.strip())), span=Span(*found.span())))
        at = found.end() + 1
        if text[found.end() : at] != sign:
            yield tuple(row)
            end = _BREAK.match(text, found.end())
            row, number, at = [], number + 1, end.end() if end else len(text)


def uncalculated(text: str) -> str:
    """A text as a cell of CSV that no spreadsheet calculates: with an apostrophe before what begins a formula."""
    return f"'{text}" if _FORMULA.match(text) else text


def as_written(text: str) -> str:
    """A text without the apostrophe that keeps spreadsheets from calculating it."""
    return text[1:] if text.startswith("'") and _FORMULA.match(text[1:]) else text


def _without_end(row: tuple[Cell, ...]) -> tuple[Cell, ...]:
    return row[: max((cell.column for cell in row if cell.text), default=0)]


def _is_open(source: Source, last: Cell) -> bool:
    """Whether the last cell of a file has a quotation mark that nothing closes."""
    found = _CELL[","].match(source.text, last.span.start, last.span.end)
    return found is not None and found["quoted"] is not None and found["closed"] is None


def delimiter_of(text: str) -> tuple[str, int]:
    """The delimiter that the first line states, and where the next line begins; else the sign that is most frequent in
    the first line with one, outside of quotation marks: a title may stand above the heading. Spreadsheets write
    semicolons where the comma is the decimal sign, and tabs when cells are copied."""
    if stated := _STATED.match(text):
        return stated[1], stated.end()
    lines = _BREAK.split(_QUOTED.sub("", text.lstrip()), maxsplit=MOST_ABOVE + 1)[: MOST_ABOVE + 1]
    heading = next((line for line in lines if any(sign in line for sign in DELIMITERS)), "")
    return max(DELIMITERS, key=heading.count), 0
