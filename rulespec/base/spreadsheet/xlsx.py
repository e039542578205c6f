"""XLSX: the sheets of a workbook of Excel, read from its parts.

Formulas count by their stored values. Of merged cells the first has the value, and so have those below it: a suit is
often merged over its rows.
"""

from __future__ import annotations

import datetime
import posixpath
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, reduce
from xml.etree.ElementTree import Element

from rulespec.base.spreadsheet.archive import Archive, local
from rulespec.base.spreadsheet.sheet import MOST_COLUMNS, Content, Raw

_DATES = frozenset((*range(14, 23), *range(27, 37), *range(45, 48), *range(50, 59)))
"""The built-in number formats that show dates and times."""
_NOT_SIGNS = re.compile(r'"[^"]*"|\\.|_.|\*.|\[(?!h+\]|m+\]|s+\])[^\]]*\]', re.IGNORECASE)
"""What is in a number format beside its signs: literal text, colours, conditions, locales."""
_REFERENCE = re.compile(r"([A-Z]{1,3})([0-9]{1,7})")
_ESCAPE = re.compile(r"_x(00[0-9A-Fa-f]{2})_")
"""How XLSX writes a control character."""
_RELATION = "}id"
_WORKSHEET = "/worksheet"
"""The ends of the names of an attribute and of a type, which exist in two namespaces."""

Area = tuple[int, int, int, int]
"""Merged cells: the first row and column, the last row and column."""


@dataclass(frozen=True)
class Workbook:
    """A workbook of Excel: its sheets and their rows."""

    archive: Archive

    @cached_property
    def tree(self) -> Element:
        return self.archive.tree("xl/workbook.xml")

    @cached_property
    def parts(self) -> dict[str, str]:
        """The part of each worksheet by its name. Charts have sheets, too, which are left out."""
        links = self.archive.tree("xl/_rels/workbook.xml.rels")
        targets = {one.get("Id"): one.get("Target", "") for one in links if one.get("Type", "").endswith(_WORKSHEET)}
        sheets = {one.get("name", ""): targets.get(_relation(one)) for one in self.tree.iterfind("{*}sheets/{*}sheet")}
        return {name: posixpath.join("/xl", part).lstrip("/") for name, part in sheets.items() if part}

    @property
    def sheets(self) -> tuple[str, ...]:
        """The names of the sheets, in order."""
        return tuple(self.parts)

    @property
    def hidden(self) -> frozenset[str]:
        """The names of the sheets that people do not see."""
        every = self.tree.iterfind("{*}sheets/{*}sheet")
        return frozenset(one.get("name", "") for one in every if one.get("state", "visible") != "visible")

    @cached_property
    def _texts(self) -> list[str]:
        """The texts that cells share."""
        name = "xl/sharedStrings.xml"
        # Without spaces around them here, and not in each cell with the text: that would be a copy of it.
        return [_text(one).strip() for one in self.archive.tree(name)] if name in self.archive.names else []

    @cached_property
    def _formats(self) -> list[str]:
        """The number format of each style, without what is in it beside its signs."""
        if "xl/styles.xml" not in self.archive.names:
            return []
        tree = self.archive.tree("xl/styles.xml")
        formats = dict.fromkeys(map(str, _DATES), "d") | {"9": "%", "10": "%"}
        formats |= {one.get("numFmtId", ""): one.get("formatCode", "") for one in tree.iterfind("{*}numFmts/{*}numFmt")}
        used = (formats.get(one.get("numFmtId", ""), "") for one in tree.iterfind("{*}cellXfs/{*}xf"))
        return [_NOT_SIGNS.sub("", one.partition(";")[0]) for one in used]

    @cached_property
    def _day_zero(self) -> datetime.datetime:
        options = self.tree.find("{*}workbookPr")
        from_1904 = options is not None and options.get("date1904") in ("1", "true")
        return datetime.datetime(1904, 1, 1) if from_1904 else datetime.datetime(1899, 12, 30)

    def rows(self, name: str) -> Iterator[Raw]:
        """The rows of a sheet."""
        tree, rows, number = self.archive.tree(self.parts[name]), [], 0
        merged = [_area_of(element.get("ref", "")) for element in tree.iterfind("{*}mergeCells/{*}mergeCell")]
        for element in tree.iterfind("{*}sheetData/{*}row"):
            number = int(element.get("r", number + 1))
            if len(element) or merged:
                rows.append(Raw(number, [*self._cells(element)]))
        known = {(row.row, cell[0]): cell for row in rows for cell in row.cells}
        waiting, here = sorted(merged, reverse=True), list[Area]()
        for row in sorted(rows, key=lambda row: row.row):
            while waiting and waiting[-1][0] <= row.row:
                here.append(waiting.pop())
            here = [area for area in here if area[2] >= row.row]
            if len(here) > MOST_COLUMNS:
                raise ValueError("more merged cells beside each other than columns")
            yield _shown(row, here, known)

    def _cells(self, row: Element) -> Iterator[tuple[int, str, Content]]:
        column = 0
        for cell in (one for one in row if local(one) == "c"):
            place = _REFERENCE.fullmatch(cell.get("r", ""))
            column = _column_of(place[1]) if place else column + 1
            text, content = self._value(cell)
            yield column, text.strip(), content

    def _value(self, cell: Element) -> tuple[str, Content]:
        """The value of a cell as text, and what it is."""
        parts = {local(part): part for part in cell}
        kind, value = cell.get("t", "n"), (parts["v"].text if "v" in parts else "") or ""
        if kind == "inlineStr":
            return _text(parts["is"]) if "is" in parts else "", Content.TEXT
        if not value and kind != "str" and "f" in parts:
            return "=", Content.UNCALCULATED
        if kind == "n" and value:
            return self._number(value, int(cell.get("s", 0)))
        if kind == "s":
            return self._texts[int(value)] if value else "", Content.TEXT
        if kind == "b":
            return ("true" if value in ("1", "true") else "false") if value else "", Content.TEXT
        return _unescaped(value), _OTHER.get(kind, Content.TEXT)

    def _number(self, value: str, style: int) -> tuple[str, Content]:
        number, signs = float(value), self._formats[style] if style < len(self._formats) else ""
        if re.search("[dmyhs]", signs, re.IGNORECASE) and -1e6 < number < 2.9e6:
            return self._date(number), Content.DATE
        return (f"{number_text(number * 100)}%" if "%" in signs else number_text(number)), Content.NUMBER

    def _date(self, days: float) -> str:
        # In seconds: a part of a day is rarely exact.
        at = self._day_zero + datetime.timedelta(seconds=round(days * 86_400))
        if 0 <= days < 1:
            return at.time().isoformat()
        return at.date().isoformat() if at.time() == datetime.time() else at.isoformat(" ")


_OTHER = {"e": Content.ERROR, "d": Content.DATE}
"""The kinds of cell whose value is the text that they have."""


def number_text(number: float) -> str:
    """A number as a spreadsheet shows it: with at most 15 digits, and without decimals if it is whole."""
    return str(int(number)) if number.is_integer() and abs(number) < 1e15 else f"{number:.15g}"


def _relation(sheet: Element) -> str:
    return next((value for name, value in sheet.items() if name.endswith(_RELATION)), "")


def _text(element: Element) -> str:
    """The text of a cell, in one run or in several, without the reading aids of East Asian writing."""
    runs = [element, *element.iterfind("{*}r")]
    return _unescaped("".join(run.findtext("{*}t") or "" for run in runs))


def _unescaped(text: str) -> str:
    return _ESCAPE.sub(lambda found: chr(int(found[1], 16)), text)


def _column_of(letters: str) -> int:
    return reduce(lambda number, letter: 26 * number + ord(letter) - ord("A") + 1, letters, 0)


def _area_of(reference: str) -> Area:
    first, _, last = reference.partition(":")
    return *_place_of(first), *_place_of(last or first)


def _place_of(reference: str) -> tuple[int, int]:
    found = _REFERENCE.fullmatch(reference)
    if found is None:
        raise ValueError(f"no cell is called {reference!r}")
    return int(found[2]), _column_of(found[1])


def _shown(row: Raw, here: list[Area], known: Mapping[tuple[int, int], tuple[int, str, Content]]) -> Raw:
    """A row without what other cells cover, but with the values of cells that are merged with those below them. The
    areas are those that the row is in."""
    own = [cell for cell in row.cells if not any(_covers(area, row.row, cell[0]) for area in here)]
    above = [known[area[:2]] for area in here if area[0] < row.row and area[:2] in known]
    return Raw(row.row, sorted([*own, *above], key=lambda cell: cell[0]))


def _covers(area: Area, row: int, column: int) -> bool:
    top, left, _, right = area
    return left <= column <= right and (row, column) != (top, left)
