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
from rulespec.base.spreadsheet.sheet import Content, Raw

_DATES = frozenset((*range(14, 23), *range(27, 37), *range(45, 48), *range(50, 59)))
"""The built-in number formats that show dates and times."""
_NOT_DATE = re.compile(r'"[^"]*"|\\.|_.|\*.|\[(?!h+\]|m+\]|s+\])[^\]]*\]', re.IGNORECASE)
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

    @cached_property
    def _texts(self) -> list[str]:
        """The texts that cells share."""
        name = "xl/sharedStrings.xml"
        return [_text(one) for one in self.archive.tree(name)] if name in self.archive.names else []

    @cached_property
    def dates(self) -> frozenset[int]:
        """The styles that show numbers as dates."""
        if "xl/styles.xml" not in self.archive.names:
            return frozenset()
        tree = self.archive.tree("xl/styles.xml")
        formats = {
            int(one.get("numFmtId", 0)): one.get("formatCode", "") for one in tree.iterfind("{*}numFmts/{*}numFmt")
        }
        used = [int(one.get("numFmtId", 0)) for one in tree.iterfind("{*}cellXfs/{*}xf")]
        return frozenset(
            at for at, one in enumerate(used) if (_shows_date(formats[one]) if one in formats else one in _DATES)
        )

    @cached_property
    def _day_zero(self) -> datetime.datetime:
        options = self.tree.find("{*}workbookPr")
        from_1904 = options is not None and options.get("date1904") in ("1", "true")
        return datetime.datetime(1904, 1, 1) if from_1904 else datetime.datetime(1899, 12, 30)

    def rows(self, name: str) -> Iterator[Raw]:
        """The rows of a sheet."""
        rows, merged = [], []
        number = 0
        for event, element in self.archive.elements(self.parts[name]):
            if event == "end" and local(element) == "row":
                number = int(element.get("r", number + 1))
                rows.append(Raw(number, [*self._cells(element)]))
                element.clear()
            elif event == "end" and local(element) == "mergeCell":
                merged.append(area_of(element.get("ref", "")))
        known = {(row.row, cell[0]): cell for row in rows for cell in row.cells}
        yield from (_shown(row, merged, known) for row in rows)

    def _cells(self, row: Element) -> Iterator[tuple[int, str, Content]]:
        column = 0
        for cell in (one for one in row if local(one) == "c"):
            place = _REFERENCE.fullmatch(cell.get("r", ""))
            column = column_of(place[1]) if place else column + 1
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
        number = float(value)
        if style in self.dates and -1e6 < number < 2.9e6:
            return self._date(number), Content.DATE
        return number_text(number), Content.NUMBER

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


def _shows_date(format_: str) -> bool:
    """Whether a number format shows a date or a time."""
    return bool(re.search("[dmyhs]", _NOT_DATE.sub("", format_.partition(";")[0]), re.IGNORECASE))


def column_of(letters: str) -> int:
    return reduce(lambda number, letter: 26 * number + ord(letter) - ord("A") + 1, letters, 0)


def area_of(reference: str) -> Area:
    first, _, last = reference.partition(":")
    return *place_of(first), *place_of(last or first)


def place_of(reference: str) -> tuple[int, int]:
    found = _REFERENCE.fullmatch(reference)
    if found is None:
        raise ValueError(f"no cell is called {reference!r}")
    return int(found[2]), column_of(found[1])


def _shown(row: Raw, merged: list[Area], known: Mapping[tuple[int, int], tuple[int, str, Content]]) -> Raw:
    """A row without what other cells cover, but with the values of cells that are merged with those below them."""
    here = [area for area in merged if area[0] <= row.row <= area[2]]
    own = [cell for cell in row.cells if not any(covers(area, row.row, cell[0]) for area in here)]
    above = [known[area[:2]] for area in here if area[0] < row.row and area[:2] in known]
    return Raw(row.row, sorted([*own, *above], key=lambda cell: cell[0]))


def covers(area: Area, row: int, column: int) -> bool:
    top, left, _, right = area
    return left <= column <= right and (row, column) != (top, left)
