"""Workbooks written again: the XML of one sheet gets other cells, and every other part stays byte for byte."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import groupby
from xml.parsers import expat
from xml.sax.saxutils import escape

from rulespec.base.spreadsheet.sheet import Content, Edit, letters
from rulespec.base.spreadsheet.xlsx import Area, Workbook, area_of, covers, place_of

_CALCULATION = re.compile(rb"<((?:\w+:)?calcPr)\b([^>]*?)(/?)>")
_FULL = re.compile(rb' fullCalcOnLoad="[^"]*"')
_BEFORE_CALCULATION = re.compile(rb"</((?:\w+:)?)(?:sheets|functionGroups|externalReferences|definedNames)>")
_FORMULA = re.compile(rb"<(?:\w+:)?f[\s/>]")
_DIMENSION = re.compile(rb'(<(?:\w+:)?dimension\b[^>]*?\bref=")([^"]*)"')


NO_ATTRIBUTES: Mapping[str, str] = {}


@dataclass
class Element:
    """A row or a cell in the XML of a sheet: its offsets, the offset where its content ends, and its attributes."""

    start: int
    number: int
    tag: str
    attributes: dict[str, str]
    end: int = 0
    inner: int = 0
    has_formula: bool = False
    cells: dict[int, Element] = field(default_factory=dict)

    @property
    def prefix(self) -> str:
        """The prefix of the namespace, such as `x:`; mostly empty."""
        return self.tag[: self.tag.rfind(":") + 1]


@dataclass
class Layout:
    """Where the rows and cells of a sheet are in its XML."""

    data: bytes
    rows: dict[int, Element] = field(default_factory=dict)
    merged: list[Area] = field(default_factory=list)
    end: int = 0
    """Where the rows end."""

    @classmethod
    def of(cls, data: bytes) -> Layout:
        layout = cls(data)
        parser = expat.ParserCreate()
        parser.StartElementHandler = partial(layout._start, parser)
        parser.EndElementHandler = partial(layout._end, parser)
        parser.Parse(data, True)
        return layout

    def _start(self, parser: expat.XMLParserType, tag: str, attributes: dict[str, str]) -> None:
        at, name = parser.CurrentByteIndex, tag.rpartition(":")[2]
        if name == "row":
            number = int(attributes.get("r", max(self.rows, default=0) + 1))
            self.rows[number] = self._row = Element(at, number, tag, attributes)
        elif name == "c":
            number = place_of(attributes["r"])[1] if "r" in attributes else max(self._row.cells, default=0) + 1
            self._row.cells[number] = self._cell = Element(at, number, tag, attributes)
        elif name == "f":
            self._cell.has_formula = True
        elif name == "mergeCell":
            self.merged.append(area_of(attributes.get("ref", "")))

    def _end(self, parser: expat.XMLParserType, tag: str) -> None:
        at, name = parser.CurrentByteIndex, tag.rpartition(":")[2]
        if name == "sheetData":
            self.end = at
        elif name in ("row", "c"):
            element = self._row if name == "row" else self._cell
            # An element without content ends where it starts: its end is that of the same tag.
            element.inner, element.end = at, self.data.index(b">", at) + 1

    def locked(self, edit: Edit) -> bool:
        """Whether a cell has a formula, or is covered by another one."""
        row, column = edit.cell.row, edit.cell.column
        cell = self.rows[row].cells.get(column) if row in self.rows else None
        covered = any(area[0] <= row <= area[2] and covers(area, row, column) for area in self.merged)
        return covered or (cell is not None and cell.has_formula)


Patch = tuple[int, int, bytes]
"""What takes the place of the bytes from one offset to another."""


def edited_workbook(book: Workbook, name: str, edits: Sequence[Edit]) -> tuple[bytes, list[Edit]]:
    """A workbook with new values in cells of a sheet, and the edits that were not made, because their cells have a
    formula or are merged with others."""
    part = book.parts[name]
    layout = Layout.of(book.archive.xml(part))
    locked = [edit for edit in edits if layout.locked(edit)]
    made = [edit for edit in edits if edit not in locked]
    parts = {part: _dimensioned(_patched(layout.data, _patches(layout, made, book.dates)), made)}
    if any(_FORMULA.search(book.archive.part(one)) for one in book.parts.values()):
        parts["xl/workbook.xml"] = _to_calculate(book.archive.xml("xl/workbook.xml"))
    return book.archive.replaced(parts if made else {}), locked


def _patched(data: bytes, patches: Iterable[Patch]) -> bytes:
    made, at = [], 0
    for start, end, new in sorted(patches, key=lambda patch: patch[:2]):
        made += [data[at:start], new]
        at = end
    return b"".join([*made, data[at:]])


def _patches(layout: Layout, edits: Iterable[Edit], dates: Collection[int]) -> Iterator[Patch]:
    for number, row in groupby(sorted(edits, key=_place), key=lambda edit: edit.cell.row):
        if number in layout.rows:
            yield from _in_row(layout, layout.rows[number], [*row], dates)
        else:
            yield _new_row(layout, number, [*row], dates)


def _place(edit: Edit) -> tuple[int, int]:
    return edit.cell.row, edit.cell.column


def _in_row(layout: Layout, row: Element, edits: Sequence[Edit], dates: Collection[int]) -> Iterator[Patch]:
    """The patches of a row that exists: cells replaced, and new ones in the order of their columns."""
    tag = row.prefix + "c"
    added = []
    for edit in edits:
        cell = row.cells.get(edit.cell.column)
        if cell is not None:
            yield cell.start, cell.end, written_cell(tag, edit, cell.attributes, dates)
        elif not row.cells and row.inner == row.start:
            added.append(written_cell(tag, edit, dates=dates))
        else:
            after = min((one.start for at, one in row.cells.items() if at > edit.cell.column), default=row.inner)
            yield after, after, written_cell(tag, edit, dates=dates)
    if added:
        opening = layout.data[row.start : row.end].rstrip(b"/> \n\r\t") + b">"
        yield row.start, row.end, opening + b"".join(added) + f"</{row.tag}>".encode()


def _new_row(layout: Layout, number: int, edits: Sequence[Edit], dates: Collection[int]) -> Patch:
    """The patch for a row that is new, with the styles of the row above."""
    above = layout.rows[max(at for at, row in layout.rows.items() if at < number and row.cells)]
    cells = []
    for edit in edits:
        like = above.cells.get(edit.cell.column)
        style = {"s": like.attributes["s"]} if like is not None and "s" in like.attributes else {}
        cells.append(written_cell(above.prefix + "c", edit, style, dates))
    at = min((row.start for number_, row in layout.rows.items() if number_ > number), default=layout.end)
    content = b"".join(cells).decode()
    return at, at, f'<{above.tag} r="{number}">{content}</{above.tag}>'.encode()


def written_cell(
    tag: str, edit: Edit, attributes: Mapping[str, str] = NO_ATTRIBUTES, dates: Collection[int] = ()
) -> bytes:
    """A cell with a new value. A number is written as a text where the cell has a text, or would show a date."""
    style = f' s="{attributes["s"]}"' if "s" in attributes else ""
    start, prefix, value = f'{tag} r="{edit.cell.name}"{style}', tag[:-1], escape(str(edit.value))
    is_text = edit.cell.text != "" and edit.cell.content is Content.TEXT
    if edit.value == "":
        return f"<{start}/>".encode()
    if attributes.get("t") == "b" and edit.value in ("false", "true"):
        return f'<{start} t="b"><{prefix}v>{int(edit.value == "true")}</{prefix}v></{tag}>'.encode()
    if isinstance(edit.value, int) and not is_text and int(attributes.get("s", 0)) not in dates:
        return f"<{start}><{prefix}v>{value}</{prefix}v></{tag}>".encode()
    inner = f'<{prefix}is><{prefix}t xml:space="preserve">{value}</{prefix}t></{prefix}is>'
    return f'<{start} t="inlineStr">{inner}</{tag}>'.encode()


def _dimensioned(data: bytes, edits: Iterable[Edit]) -> bytes:
    """The XML of a sheet whose stated size includes the edited cells."""
    found = _DIMENSION.search(data)
    if found is None:
        return data
    top, left, bottom, right = area_of(found[2].decode())
    rows, columns = zip((bottom, right), *map(_place, edits), strict=True)
    reference = f"{letters(left)}{top}:{letters(max(columns))}{max(rows)}"
    return data[: found.start(2)] + reference.encode() + data[found.end(2) :]


def _to_calculate(data: bytes) -> bytes:
    """The XML of a workbook whose formulas are calculated when it is opened: their stored values are old."""
    if found := _CALCULATION.search(data):
        kept = _FULL.sub(b"", found[2])
        new = b"<" + found[1] + kept + b' fullCalcOnLoad="1"' + found[3] + b">"
        return data[: found.start()] + new + data[found.end() :]
    *_, last = _BEFORE_CALCULATION.finditer(data)
    return data[: last.end()] + b"<" + last[1] + b'calcPr fullCalcOnLoad="1"/>' + data[last.end() :]
