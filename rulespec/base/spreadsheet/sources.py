"""The cells of a sheet as a text, for source maps: places in the text are cells."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from rulespec.base.diagnostics import Position, Span
from rulespec.base.source import Source
from rulespec.base.spreadsheet.sheet import Cell, Sheet

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
