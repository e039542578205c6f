"""Sheets: rows of cells, their names and places, and what is wrong with the value of a cell."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import NamedTuple

from rulespec.base.diagnostics import Finding, Position, Severity, Span, placed
from rulespec.base.messages import NOTHING, Message, say
from rulespec.base.source import Source

MOST_ROWS = 10_000
"""Rows that are read. The largest card games have some thousand kinds of cards."""
MOST_COLUMNS = 256

_WHOLE = re.compile(r"([-+]?[0-9]{1,15})(?:[.,]0+)?")
"""A whole number, perhaps with decimals as spreadsheets write them."""
_DAY = re.compile(r"\d{1,4}([-./])\d{1,2}\1\d{1,4}|\d{1,2}[-. ][^\W\d]{3,9}\.?|[^\W\d]{3,9}\.?[- ]\d{2}")
"""How spreadsheets export the dates that they make of 1/2: 01/02/2026, 2-Jan, Jan-02."""


class Content(Enum):
    """What a cell contains."""

    TEXT = "text"
    NUMBER = "number"
    DATE = "date"
    ERROR = "error"
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


class Raw(NamedTuple):
    """A row as a reader finds it, and how often it is repeated: column, text and content of each cell."""

    row: int
    cells: list[tuple[int, str, Content]]
    times: int = 1


@dataclass(frozen=True)
class Cell:
    """A cell: its row and column from 1, the text of its value without spaces around it, and what it contains. `span`
    is its place in the text of a CSV file."""

    row: int
    column: int
    text: str
    content: Content = Content.TEXT
    span: Span | None = field(default=None, compare=False)

    @property
    def name(self) -> str:
        """Its name as spreadsheets show it, such as C12."""
        return f"{letters(self.column)}{self.row}"

    @property
    def whole(self) -> int | None:
        """The whole number that it holds, such as that of 3, 3.0 and 3,0; None if it holds none."""
        found = _WHOLE.fullmatch(self.text)
        return int(found[1]) if found else None

    @property
    def is_faulty(self) -> bool:
        """Whether it has no value that could be read."""
        return self.content in (Content.ERROR, Content.UNCALCULATED)

    @property
    def is_date(self) -> bool:
        """Whether the spreadsheet has a date here, as it makes one of the text 1/2."""
        return self.content is Content.DATE or (self.span is not None and bool(_DAY.fullmatch(self.text)))


@dataclass(frozen=True)
class Edit:
    """A new value for a cell: a text, or a whole number. The text "" empties it."""

    cell: Cell
    value: str | int


@dataclass(frozen=True)
class Sheet:
    """The rows of a sheet that are not empty, the heading first. A row ends with its last cell that is not empty.

    `name` is "" for CSV, which has a `source`: the places of its cells are lines and columns of that text.
    """

    path: str
    name: str
    rows: tuple[tuple[Cell, ...], ...]
    source: Source | None = field(default=None, compare=False)

    @property
    def header(self) -> tuple[Cell, ...]:
        return self.rows[0]

    def cell(self, row: tuple[Cell, ...], column: int) -> Cell:
        """The cell of a row in a column; an empty one, at the end of the row, if the row is shorter."""
        if column <= len(row):
            return row[column - 1]
        last = row[-1].span
        return Cell(row[0].row, column, "", span=last and Span(last.end, last.end))

    def place(self, cell: Cell) -> str:
        """Where a cell is: `cards.xlsx, Main!C12`, or `cards.csv:12:3`."""
        return placed(self.path, self.position(cell)[0])

    def position(self, cell: Cell) -> tuple[Position, Position]:
        """The start and the end of a cell: in the text of CSV, else its row and column."""
        if self.source is not None and cell.span is not None:
            return self.source.position(cell.span.start), self.source.position(cell.span.end)
        return Position(cell.row, cell.column, self._name(cell)), Position(cell.row, cell.column + 1)

    def finding(
        self, name: str, message: Message, cell: Cell, hint: Message = NOTHING, level: Severity | None = None
    ) -> Finding:
        """A finding at a cell."""
        return Finding(name, message, self.path, *self.position(cell), hint, level=level)

    def _name(self, cell: Cell) -> str:
        plain = re.fullmatch(r"\w+", self.name)
        quoted = self.name if plain else "'" + self.name.replace("'", "''") + "'"
        return f"{quoted}!{cell.name}"

    def faults(self, columns: Iterable[int]) -> Iterator[Finding]:
        """Findings about the cells of some columns that have no value: errors of formulas, and formulas without one."""
        used = {*columns}
        for cell in (cell for row in self.rows for cell in row if cell.column in used and cell.is_faulty):
            message = say("The formula of this cell has not been calculated, so it has no value.")
            hint = say("Open the file in a spreadsheet program and save it.")
            if cell.content is Content.ERROR:
                message = say("The cell contains the error {text}, not a value.", text=cell.text)
                hint = say("Correct the formula, or write the value.")
            yield self.finding("wrong-value", message, cell, hint)


def letters(column: int) -> str:
    """The letters of a column, from A."""
    name = ""
    while column:
        column, rest = divmod(column - 1, 26)
        name = chr(ord("A") + rest) + name
    return name


def date_hint() -> Message:
    """The hint at a date where another value is wanted."""
    return say("The spreadsheet has taken a value such as 1/2 for a date: format the column as text and type it again.")


def sheet_of(path: str, name: str, rows: Iterable[Raw]) -> Sheet:
    """The sheet with these rows. Raises SheetError for too many rows or columns."""
    made: list[tuple[Cell, ...]] = []
    number = 0
    for row, cells, times in rows:
        filled = {column: Cell(row, column, text, content) for column, text, content in cells if text}
        if filled:
            refuse_wide(filled[max(filled)])
            number += times
            made += [_row(at, filled) for at in range(row, row + times)] if number <= MOST_ROWS else ()
    refuse_long(number)
    return Sheet(path, name, tuple(made))


def _row(row: int, cells: dict[int, Cell]) -> tuple[Cell, ...]:
    """A row with an empty cell in each gap."""
    here = [cells.get(at) or Cell(row, at, "") for at in range(1, max(cells) + 1)]
    return tuple(cell if cell.row == row else replace(cell, row=row) for cell in here)


def refuse_long(rows: int) -> None:
    """Raises SheetError for more rows than are read."""
    if rows > MOST_ROWS:
        message = say("The sheet has {number:,} rows, and at most {most:,} are read.", number=rows, most=MOST_ROWS)
        raise SheetError(message, say("Check that it is the right sheet, and delete what does not belong to it."))


def refuse_wide(last: Cell) -> None:
    """Raises SheetError for a row whose last cell is beyond the columns that are read."""
    if last.column > MOST_COLUMNS:
        message = say("The cell {name} is beyond the {most} columns that are read.", name=last.name, most=MOST_COLUMNS)
        raise SheetError(message, say("Check that it is the right sheet, and delete what does not belong to it."))
