"""ODS: the sheets of an OpenDocument spreadsheet, as LibreOffice saves it.

Formulas count by their stored values. Of merged cells the first has the value, and so have those below it: a suit is
often merged over its rows.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple
from xml.etree.ElementTree import Element

from rulespec.base.spreadsheet.archive import Archive, local
from rulespec.base.spreadsheet.sheet import Content, Raw
from rulespec.base.spreadsheet.xlsx import number_text

_ONCE = 300
"""How often a cell is repeated at most: beyond the columns that are read, one more says it all."""
_SIGNS = {"s": " ", "tab": "\t", "line-break": "\n"}
"""Elements that stand for characters."""


@dataclass(frozen=True)
class Document:
    """An OpenDocument spreadsheet: its sheets and their rows."""

    archive: Archive

    @cached_property
    def _tree(self) -> Element:
        return self.archive.tree("content.xml")

    @cached_property
    def _tables(self) -> dict[str, Element]:
        return {_attribute(one, "name"): one for one in self._tree.iterfind("{*}body/{*}spreadsheet/{*}table")}

    @property
    def sheets(self) -> tuple[str, ...]:
        """The names of the sheets, in order."""
        return tuple(self._tables)

    @property
    def hidden(self) -> frozenset[str]:
        """The names of the sheets that people do not see: those with a style that is not displayed."""
        every = self._tree.iterfind("{*}automatic-styles/{*}style")
        unseen = (one for one in every if any(_attribute(part, "display") == "false" for part in one))
        styles = {_attribute(one, "name") for one in unseen}
        return frozenset(name for name, table in self._tables.items() if _attribute(table, "style-name") in styles)

    def rows(self, name: str) -> Iterator[Raw]:
        """The rows of a sheet."""
        row = 1
        above: dict[int, _Merged] = {}
        for element in self._tables[name].iterfind(".//{*}table-row"):
            times = int(_attribute(element, "number-rows-repeated") or 1)
            yield Raw(row, [*_cells(element, above)], times)
            row += times


class _Merged(NamedTuple):
    """A cell that is merged with cells below it, and how many of them there are still."""

    rows: int
    text: str
    content: Content


def _cells(row: Element, above: dict[int, _Merged]) -> Iterator[tuple[int, str, Content]]:
    """The cells of a row. `above` has the cells of rows before it that are merged with one of this row, by column."""
    column = 1
    for cell in row:
        if local(cell) in ("table-cell", "covered-table-cell"):
            times = int(_attribute(cell, "number-columns-repeated") or 1)
            text, content = _value(cell) if local(cell) == "table-cell" else _covered(above, column)
            if (rows := int(_attribute(cell, "number-rows-spanned") or 1)) > 1:
                above[column] = _Merged(rows - 1, text, content)
            if text.strip():
                yield from ((at, text.strip(), content) for at in range(column, column + min(times, _ONCE)))
            column += times


def _covered(above: dict[int, _Merged], column: int) -> tuple[str, Content]:
    """The value of a cell that another one covers: that of the first one, if this is below it."""
    merged = above.pop(column, None)
    if merged is None:
        return "", Content.TEXT
    if merged.rows > 1:
        above[column] = merged._replace(rows=merged.rows - 1)
    return merged.text, merged.content


def _value(cell: Element) -> tuple[str, Content]:
    """The value of a cell as text, and what it is."""
    kind = _attribute(cell, "value-type", "opendocument")
    if kind in ("float", "percentage", "currency"):
        number, is_share = float(_attribute(cell, "value")), kind == "percentage"
        return number_text(100 * number) + "%" if is_share else number_text(number), Content.NUMBER
    if kind in ("date", "time"):
        return _attribute(cell, f"{kind}-value"), Content.DATE
    if kind == "boolean":
        return _attribute(cell, "boolean-value"), Content.TEXT
    if not kind and _attribute(cell, "formula"):
        return "=", Content.UNCALCULATED
    written = "\n".join(_text(part) for part in cell if local(part) == "p")
    is_error = _attribute(cell, "value-type", "calcext") == "error"
    return _attribute(cell, "string-value") or written, Content.ERROR if is_error else Content.TEXT


def _text(element: Element) -> str:
    """The text of a paragraph, without the notes in it."""
    inner = "".join(_inner(part) + (part.tail or "") for part in element)
    return (element.text or "") + inner


def _inner(part: Element) -> str:
    sign = _SIGNS.get(local(part))
    if sign is not None:
        return sign * min(int(_attribute(part, "c") or 1), 100)
    return "" if local(part) in ("annotation", "note") else _text(part)


def _attribute(element: Element, name: str, prefix: str = "") -> str:
    """An attribute by its name without a namespace, or by that of a namespace whose address contains a prefix; "" if it
    is absent."""
    for key, value in element.items():
        space, _, local_name = key.rpartition("}")
        if local_name == name and prefix in space:
            return value
    return ""
