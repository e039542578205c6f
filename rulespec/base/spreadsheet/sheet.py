"""Sheets: rows of cells, their names and places, and what is wrong with the value of a cell."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from enum import Enum

from rulespec.base.diagnostics import Finding, Position, Severity, Span, placed
from rulespec.base.messages import NOTHING, Message, say
from rulespec.base.source import Source

MOST_ROWS = 10_000
"""Rows that are read. The largest card games have some thousand kinds of cards."""
MOST_COLUMNS = 256
MOST_ABOVE = 10
"""Rows above the header of a list, at most: its title, and notes about it."""
MOST_CELLS = 200_000
"""Cells of a sheet, with those that a row or a cell is repeated for: 10,000 rows of twenty columns."""
MOST_CHARACTERS = 10_000_000
"""Characters of all these cells: a text that many cells share counts in each."""

_MONTHS = (
    "jan feb mar apr may jun jul aug sep oct nov dec mär mai okt dez "  # English, German
    "sty lut kwi maj cze lip sie wrz paź lis gru січ лют бер кві тра чер лип сер вер жов лис гру"
)
_MONTH = rf"(?:{_MONTHS.replace(' ', '|')})[^\W\d]*\.?"
_DAY = re.compile(
    rf"\d{{1,4}}([-.])\d{{1,2}}\1\d{{1,4}}|\d{{4}}/\d\d?/\d\d?|\d\d?/\d\d?/\d{{4}}"
    rf"|\d{{1,2}}[-. ]+{_MONTH}|{_MONTH}[- ]+\d{{2}}",
    re.IGNORECASE,
)
"""How spreadsheets export the dates that they make of 1/2: 01/02/2026, 2-Jan, Jan-02, 02. Jan. 1/2/3 is a list."""


_ERROR = re.compile(r"#(?:[A-Z]+[!?]|DIV/0!|N/A)|Err:[0-9]+")
"""What a formula has in place of a value that cannot be calculated."""


class Content(Enum):
    """What a cell contains."""

    TEXT = "text"
    NUMBER = "number"
    DATE = "date"
    UNCALCULATED = "uncalculated"
    """A formula whose value has never been calculated, as scripts write it."""


class SheetError(Exception):
    """A file that cannot be read as a sheet: why, and a hint."""

    def __init__(self, message: Message, hint: Message = NOTHING, name: str = "bad-sheet") -> None:
        super().__init__(message)
        self.message, self.hint, self.name = message, hint, name

    def at(self, path: str) -> Finding:
        """The finding about the file."""
        return Finding(self.name, self.message, path, Position(1, 1), Position(1, 1), self.hint)


Shown = tuple[str, Content]
"""The value of a cell as text, and what it is."""


@dataclass(frozen=True)
class Cell:
    """A cell: its row and column from 1, the text of its value without spaces around it, and what it contains. `span`
    is its place in the text of a CSV file. One that `is_new` is in a row that the sheet does not have yet, and that
    stands before the row that has its number now."""

    row: int
    column: int
    text: str
    content: Content = Content.TEXT
    span: Span = field(default=Span(0, 0), compare=False)
    is_new: bool = False

    @property
    def name(self) -> str:
        """Its name as spreadsheets show it, such as C12."""
        return f"{letters(self.column)}{self.row}"

    @property
    def is_faulty(self) -> bool:
        """Whether it has no value that could be read."""
        return self.content is Content.UNCALCULATED or _ERROR.fullmatch(self.text) is not None

    @property
    def is_date(self) -> bool:
        """Whether the spreadsheet has a date here, as it makes one of the text 1/2."""
        return self.content is Content.DATE or _DAY.fullmatch(self.text) is not None


@dataclass(frozen=True)
class Edit:
    """A new value for a cell: a text, or a whole number. The text "" empties it."""

    cell: Cell
    value: str | int


@dataclass(frozen=True)
class Sheet:
    """The rows of a sheet that are not empty, the heading first. A row ends with its last cell that is not empty.

    `name` is "" for CSV, which has a `source`: the places of its cells are lines and columns of that text. `names` are
    all sheets of a workbook, `above` the rows above the heading.
    """

    path: str
    name: str
    rows: tuple[tuple[Cell, ...], ...]
    source: Source | None = field(default=None, compare=False)
    names: tuple[str, ...] = field(default=(), compare=False)
    above: tuple[tuple[Cell, ...], ...] = field(default=(), compare=False)

    @property
    def header(self) -> tuple[Cell, ...]:
        return self.rows[0]

    def cell(self, row: tuple[Cell, ...], column: int) -> Cell:
        """The cell of a row in a column; an empty one, at the end of the row, if the row is shorter."""
        if column <= len(row):
            return row[column - 1]
        end = row[-1].span.end
        return Cell(row[0].row, column, "", span=Span(end, end), is_new=row[0].is_new)

    def place(self, cell: Cell) -> str:
        """Where a cell is: `cards.xlsx, Main!C12`, or `cards.csv:12:3`."""
        return placed(self.path, self.position(cell)[0])

    def position(self, cell: Cell) -> tuple[Position, Position]:
        """The start and the end of a cell: in the text of CSV, else its row and column."""
        if self.source is not None and not cell.is_new:
            return self.source.position(cell.span.start), self.source.position(cell.span.end)
        if self.source is not None:  # of a new row, whose line is the first after those of the rows above it
            above = next(row[-1] for row in reversed(self.rows) if row[0].row < cell.row)
            line = self.position(above)[1].line + cell.row - above.row
            return Position(line, cell.column), Position(line, cell.column + 1)
        plain = re.fullmatch(r"\w+", self.name)
        quoted = self.name if plain else "'" + self.name.replace("'", "''") + "'"
        return Position(cell.row, cell.column, f"{quoted}!{cell.name}"), Position(cell.row, cell.column + 1)

    def finding(
        self, name: str, message: Message, cell: Cell, hint: Message = NOTHING, level: Severity | None = None
    ) -> Finding:
        """A finding at a cell."""
        return Finding(name, message, self.path, *self.position(cell), hint, level=level)

    def fault(self, cell: Cell) -> Finding | None:
        """The finding about a cell without a value that could be read: an error of a formula, a formula that has not
        been calculated, a date; None for others."""
        message = say("The cell contains the date {text}, not a value.", text=cell.text)
        hint = say(
            "The spreadsheet has taken a value such as 1/2 for a date: format the column as text and type it again."
        )
        if cell.content is Content.UNCALCULATED:
            message = say("The formula of this cell has not been calculated, so it has no value.")
            hint = say("Open the file in a spreadsheet program and save it.")
        elif cell.is_faulty:
            message = say("The cell contains the error {text}, not a value.", text=cell.text)
            hint = say("Correct the formula, or write the value.")
        return self.finding("wrong-value", message, cell, hint) if cell.is_faulty or cell.is_date else None


Places = Callable[[Cell], Span]


@dataclass(frozen=True)
class SheetSource(Source):
    """A sheet of a workbook as a text: a line for each cell. The positions of a span are those of its first cell."""

    sheet: Sheet = field(repr=False)
    cells: tuple[Cell, ...] = field(repr=False, compare=False)

    def located(self, span: Span) -> tuple[str, Position, Position]:
        cell = self.cells[min(self.position(span.start).line, len(self.cells)) - 1]
        return self.path, *self.sheet.position(cell)


def source_of(sheet: Sheet) -> tuple[Source, Places]:
    """The text of a sheet, and the place of each of its cells there. That of CSV is the text of the file."""
    if sheet.source is not None:
        return sheet.source, lambda cell: cell.span
    cells = tuple(cell for row in sheet.rows for cell in row)
    lines = [" ".join(cell.text.split()) for cell in cells]
    source = SheetSource(sheet.path, "\n".join(lines), sheet, cells)
    spans = {}
    at = 0
    for cell, line in zip(cells, lines, strict=True):
        spans[cell.row, cell.column] = Span(at, at + len(line))
        at += len(line) + 1
    return source, lambda cell: spans.get((cell.row, cell.column), Span(0, 0))


def letters(column: int) -> str:
    """The letters of a column, from A."""
    name = ""
    while column:
        column, rest = divmod(column - 1, 26)
        name = chr(ord("A") + rest) + name
    return name


def sheet_of(path: str, name: str, rows: Iterable[tuple[int, Mapping[int, Shown]]]) -> Sheet:
    """The sheet with these rows: the number of each, and its cells by column. Raises SheetError for too many rows,
    columns, cells or characters."""
    made: list[tuple[Cell, ...]] = []
    cells_in_all = characters = 0
    for row, shown in rows:
        filled = {at: Cell(row, at, said, content) for at, (text, content) in shown.items() if (said := text.strip())}
        if filled:
            refuse_wide(filled[max(filled)])
            cells_in_all += max(filled)
            characters += sum(len(cell.text) for cell in filled.values())
            refuse_large(cells_in_all, characters)
            made.append(tuple(filled.get(at) or Cell(row, at, "") for at in range(1, max(filled) + 1)))
    refuse_long(len(made))
    return Sheet(path, name, tuple(made))


def refuse_long(rows: int) -> None:
    """Raises SheetError for more rows than are read."""
    if rows > MOST_ROWS:
        message = say("The sheet has {number:,} rows, and at most {most:,} are read.", number=rows, most=MOST_ROWS)
        raise SheetError(message, say("Check that it is the right sheet, and delete what does not belong to it."))


def refuse_large(cells: int, characters: int = 0) -> None:
    """Raises SheetError for more cells, or more characters in them, than are read."""
    if cells > MOST_CELLS or characters > MOST_CHARACTERS:
        values = {"cells": MOST_CELLS, "characters": MOST_CHARACTERS}
        message = say("The sheet has more than {cells:,} cells, or {characters:,} characters.", **values)
        raise SheetError(message, say("Check that it is the right sheet, and delete what does not belong to it."))


def refuse_wide(last: Cell) -> None:
    """Raises SheetError for a row whose last cell is beyond the columns that are read."""
    if last.column > MOST_COLUMNS:
        message = say("The cell {name} is beyond the {most} columns that are read.", name=last.name, most=MOST_COLUMNS)
        raise SheetError(message, say("Check that it is the right sheet, and delete what does not belong to it."))
