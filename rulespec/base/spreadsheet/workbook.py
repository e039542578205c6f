"""The sheets of a workbook, XLSX or ODS: calamine reads the cells, or openpyxl where calamine does not know them.

calamine knows neither errors nor formats such as 0%, and reserves memory for every cell of the range that a sheet
claims, which may be more than there is. So the XML of a sheet is surveyed first.

Formulas count by their stored values. Of merged cells the first has the value, and so have those below it: a suit is
often merged over its rows.
"""

from __future__ import annotations

import datetime
import io
import posixpath
import re
import warnings
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any
from xml.etree.ElementTree import Element

from rulespec.base.messages import say
from rulespec.base.spreadsheet.archive import Archive
from rulespec.base.spreadsheet.sheet import (
    MOST_CELLS,
    MOST_CHARACTERS,
    MOST_COLUMNS,
    Cell,
    Content,
    SheetError,
    Shown,
    letters,
    refuse_large,
    refuse_long,
    refuse_wide,
)

_REFERENCE = re.compile(r"([A-Z]{1,3})([0-9]{1,7})")
_ESCAPE = re.compile(r"_x(00[0-9A-Fa-f]{2})_")
"""How XLSX writes a control character."""
_MOST_RESERVED = 5 * MOST_CELLS
"""Cells from A1 to the last one, most of them empty, for which calamine may reserve memory."""
_LAST_ROW = 1_048_576
_UNSEEN = re.compile(r'"[^"]*"|\\.|_.|\*.|\[[^\]]*\]')
"""What is in a number format beside its signs: literal text, gaps, colours, conditions."""

Place = tuple[int, int]
"""The row and the column of a cell, from 1."""
Area = tuple[int, int, int, int]
"""Merged cells: the first row and column, the last row and column."""


@dataclass
class Survey:
    """What the XML of a sheet says: which rows there are, and which have a value; the last row and the last column; the
    merged cells; cells that no library knows; whether openpyxl is to read it."""

    rows: set[int] = field(default_factory=set)
    filled: set[int] = field(default_factory=set)
    last: Place = (0, 0)
    merged: list[Area] = field(default_factory=list)
    known: dict[Place, Shown] = field(default_factory=dict)
    needs_openpyxl: bool = False


@dataclass(frozen=True)
class Workbook:
    """A workbook: its sheets and their cells."""

    archive: Archive

    @cached_property
    def _calamine(self) -> Any:
        """The workbook as calamine has it; None in a browser, where there is no calamine."""
        try:
            import python_calamine
        except ImportError:
            return None
        if not self.archive.is_excel:
            _ = self._surveys_of_ods
        return python_calamine.load_workbook(io.BytesIO(self.archive.repacked))

    @cached_property
    def _openpyxl(self) -> Any:
        import openpyxl  # takes a third of a second

        if not self.archive.is_excel:
            message = say("Files in the format ODS cannot be read here.")
            raise SheetError(message, say("Save it as `.xlsx` or `.csv`."))
        with warnings.catch_warnings(action="ignore"):  # of what is beside the cells
            return openpyxl.load_workbook(io.BytesIO(self.archive.repacked), read_only=True, data_only=True)

    @cached_property
    def _surveys_of_ods(self) -> dict[str, Survey]:
        return _surveys_of_ods(self.archive.tree("content.xml"))

    @cached_property
    def sheets(self) -> dict[str, bool]:
        """Whether people see each sheet, by its name, in order. Charts have sheets, too, which are left out."""
        if self._calamine is None:
            return {one.title: one.sheet_state == "visible" for one in self._openpyxl.worksheets}
        from python_calamine import SheetTypeEnum, SheetVisibleEnum

        known = (one for one in self._calamine.sheets_metadata if one.typ == SheetTypeEnum.WorkSheet)
        return {one.name: one.visible == SheetVisibleEnum.Visible for one in known}

    def cells(self, name: str) -> Iterator[tuple[int, dict[int, Shown]]]:
        """The rows of a sheet with their numbers: what each cell shows, by its column."""
        survey = self._survey_of_excel(name) if self.archive.is_excel else self._surveys_of_ods[name]
        refuse_long(len(survey.filled))
        if self._calamine is None or survey.needs_openpyxl or survey.last[0] * survey.last[1] > _MOST_RESERVED:
            found = self._by_openpyxl(name, survey)
        else:
            found = self._by_calamine(name)
        if not survey.known and not survey.merged:
            return found
        cells = dict(found)
        for (row, column), shown in survey.known.items():
            cells.setdefault(row, {})[column] = shown
        # The first of each row of merged cells has their value, and what they cover is taken away.
        rows, number = sorted(survey.rows), 0
        for top, left, bottom, right in survey.merged:
            value, right = cells.get(top, {}).get(left), min(right, MOST_COLUMNS)
            covered = rows[bisect_left(rows, top) : bisect_right(rows, bottom)]
            number += len(covered) * (right - left + 1)
            refuse_large(number)
            for line in covered:
                here = cells.setdefault(line, {})
                for at in range(left, right + 1):
                    here.pop(at, None)
                if value is not None:
                    here[left] = value
        return iter(sorted(cells.items()))

    def _by_calamine(self, name: str) -> Iterator[tuple[int, dict[int, Shown]]]:
        rows = self._calamine.get_sheet_by_name(name).to_python(skip_empty_area=False)
        for number, row in enumerate(rows, 1):
            yield number, {column: _shown(value) for column, value in enumerate(row, 1) if value != ""}

    def _by_openpyxl(self, name: str, survey: Survey) -> Iterator[tuple[int, dict[int, Shown]]]:
        page = self._openpyxl[name]
        page.reset_dimensions()
        with warnings.catch_warnings(action="ignore"):
            for number, row in enumerate(page.iter_rows(max_col=MOST_COLUMNS), 1):
                if number in survey.filled:
                    filled = (cell for cell in row if cell.value is not None)
                    yield number, {cell.column: _shown(cell.value, cell.number_format) for cell in filled}

    def _survey_of_excel(self, name: str) -> Survey:
        """The survey of a sheet in XLSX. Elements count wherever they are, as they do for calamine."""
        survey, row, column, shared = Survey(), 0, 0, 0
        shares = self._shares
        for element in self.archive.tree(self._part(name)).iter():
            kind = _local(element)
            if kind == "row":
                before, row, column = row, int(element.get("r", row + 1)), 0
                if not before < row <= _LAST_ROW:
                    raise ValueError("the rows are not in order")
                survey.rows.add(row)
            elif kind == "mergeCell":
                first, _, last = element.get("ref", "").partition(":")
                survey.merged.append((*_place(first), *_place(last or first)))
            elif kind == "c":
                place = _place(element.get("r", f"{letters(column + 1)}{row}"))
                column = place[1]
                if place[0] != row:
                    raise ValueError("a cell is in another row than it says")
                parts = {_local(part): part for part in element}
                type_, value = element.get("t", "n"), parts["v"].text if "v" in parts else None
                if parts:
                    survey.last = max(survey.last[0], row), max(survey.last[1], column)
                if value or "is" in parts:
                    refuse_wide(Cell(row, column, ""))
                    survey.filled.add(row)
                elif "f" in parts and type_ != "str":
                    survey.known[place] = "=", Content.UNCALCULATED
                shared += type_ == "s"
                survey.needs_openpyxl |= type_ == "e" or (type_ == "n" and element.get("s", "0") in shares)
        # calamine copies a text that cells share into each of them.
        texts = (len(text) for part in self.archive.parts.values() if b"sst" in part for text in part.split(b"<si"))
        survey.needs_openpyxl |= shared * max(texts, default=0) > 10 * MOST_CHARACTERS
        return survey

    def _part(self, name: str) -> str:
        links = {one.get("Id"): one.get("Target", "") for one in self.archive.tree("xl/_rels/workbook.xml.rels")}
        sheets = self.archive.tree("xl/workbook.xml").iterfind("{*}sheets/{*}sheet")
        link = next(_attribute(one, "id") for one in sheets if one.get("name") == name)
        return posixpath.join("/xl", links[link]).lstrip("/")

    @cached_property
    def _shares(self) -> set[str]:
        """The styles that may show numbers as shares, such as 0%."""
        if "xl/styles.xml" not in self.archive.parts:
            return set()
        tree = self.archive.tree("xl/styles.xml")
        formats = (one for one in tree.iterfind("{*}numFmts/{*}numFmt") if "%" in one.get("formatCode", ""))
        shares = {"9", "10", *(one.get("numFmtId") for one in formats)}
        return {str(at) for at, one in enumerate(tree.iterfind("{*}cellXfs/{*}xf")) if one.get("numFmtId") in shares}


def _surveys_of_ods(tree: Element) -> dict[str, Survey]:
    """The surveys of the sheets of an ODS file, of which calamine reads all at once. Raises SheetError for more cells
    or characters, with those that are repeated, than it may reserve memory for."""
    surveys: dict[str, Survey] = {}
    survey, start, end, column, characters = Survey(), 0, 0, 0, 0
    for element in tree.iter():
        kind, times = _local(element), int(_attribute(element, "number-columns-repeated") or 1)
        if kind == "table":
            survey = surveys[_attribute(element, "name")] = Survey()
            start = end = 0
        elif kind == "table-row":
            start, end, column = end, end + int(_attribute(element, "number-rows-repeated") or 1), 0
        elif kind in ("table-cell", "covered-table-cell"):
            # LibreOffice has two types of a cell, its own and that of the standard, which knows no errors.
            place = start + 1, column + 1
            types = {value for key, value in element.items() if key.endswith("}value-type")}
            column += times
            if len(element) or any(key.endswith(("value", "type", "formula")) for key in element.attrib):
                survey.last = max(survey.last[0], end), max(survey.last[1], column)
            elif kind == "covered-table-cell":
                survey.last = max(survey.last[0], end), survey.last[1]
            spaces = sum(int(_attribute(one, "c") or 1) for one in element.iterfind(".//{*}s"))
            characters += (end - start) * times * (len("".join(element.itertext())) + spaces)
            if survey.last[0] * survey.last[1] > _MOST_RESERVED or characters > 10 * MOST_CHARACTERS:
                refuse_large(MOST_CELLS + 1)
            if len(element) or kind == "covered-table-cell":
                survey.rows.update(range(start + 1, end + 1))
            if types & {"percentage", "error"}:
                shown = "".join("".join(part.itertext()) for part in element.iterfind("{*}p"))
                survey.known[place] = shown or _shown(float(_attribute(element, "value")), "%")[0], Content.TEXT
            elif not types and _attribute(element, "formula"):
                survey.known[place] = "=", Content.UNCALCULATED
            if (down := int(_attribute(element, "number-rows-spanned") or 1)) > 1:
                survey.merged.append((*place, start + down, place[1]))
    return surveys


def _shown(value: Any, format_: str = "") -> Shown:
    """The value of a cell with a number format as text, and what it is."""
    if isinstance(value, str):
        return _ESCAPE.sub(lambda found: chr(int(found[1], 16)), value), Content.TEXT
    if isinstance(value, bool):
        return str(value).lower(), Content.TEXT
    if isinstance(value, int | float):
        is_share = "%" in _UNSEEN.sub("", format_.partition(";")[0])
        return f"{_number(100 * value)}%" if is_share else _number(value), Content.NUMBER
    if isinstance(value, datetime.datetime):
        return str(value.date() if value.time() == datetime.time() else value), Content.DATE
    return str(value), Content.DATE


def _number(value: float) -> str:
    """A number as a spreadsheet shows it: with at most 15 digits, and without decimals if it is whole."""
    return str(int(value)) if value == int(value) and abs(value) < 1e15 else f"{value:.15g}"


def _local(element: Element) -> str:
    """The name of an element without its namespace, of which there are several for the same format."""
    return element.tag.rpartition("}")[2]


def _place(reference: str) -> Place:
    found = _REFERENCE.fullmatch(reference)
    if found is None:
        raise ValueError(f"no cell is called {reference!r}")
    column = 0
    for letter in found[1]:
        column = 26 * column + ord(letter) - ord("A") + 1
    return int(found[2]), column


def _attribute(element: Element, name: str) -> str:
    """An attribute by its name without a namespace; "" if it is absent."""
    return next((value for key, value in element.items() if key.rpartition("}")[2] == name), "")
