"""The columns of a sheet, matched with the names that are read from it."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from difflib import get_close_matches

from rulespec.base.diagnostics import Finding, Severity
from rulespec.base.messages import NOTHING, Message, say
from rulespec.base.spreadsheet.sheet import Cell, Sheet

_COUNTS = ("qty", "quantity", "count", "amount", "anzahl", "кількість", "數量", "張數")
"""Headings of columns with the number of copies, as `copies` is called elsewhere."""
_SIGNS = ("#", "x", "×", "n", "no.", "№")
_NUMBER = re.compile(r"(?:[x×][ ]?)?[0-9]{1,3}(?:[.,]0+)?(?:[ ]?(?:[x×]|\w{1,4}))?", re.IGNORECASE)
_TEXT = re.compile(r"(title|text)[\s_]+([a-z]{2,3}(?:-[A-Za-z0-9]{2,8})*)", re.IGNORECASE)
"""Headings of texts in a language: `text en`, `Title zh-Hant`."""
MOST_ABOVE = 10
"""Rows above the header of a list, at most: its title, and notes about it."""
_TOTALS = frozenset(
    ("total", "totals", "sum", "summe", "gesamt", "разом", "всього", "усього", "合計", "總計", "总计", "合计")
)
"""What the first cell of a row with totals says."""


@dataclass(frozen=True)
class Columns:
    """The columns of a sheet: the heading of each name, and the headings that have no name."""

    sheet: Sheet
    headings: Mapping[str, Cell]
    unused: tuple[Cell, ...]

    def cell(self, row: tuple[Cell, ...], name: str) -> Cell | None:
        """The cell of a row under a name; None if the sheet has no such column."""
        heading = self.headings.get(name)
        return self.sheet.cell(row, heading.column) if heading is not None else None

    @property
    def texts(self) -> dict[tuple[str, str], Cell]:
        """The headings of texts, `text en` or `title zh-Hant`, by what they are and their language."""
        named = ((cell, _TEXT.fullmatch(cell.text)) for cell in self.unused)
        return {(said[1].lower(), said[2]): cell for cell, said in named if said is not None}

    @property
    def rows(self) -> tuple[tuple[Cell, ...], ...]:
        """The rows with a value in one of the columns that are used, but for totals. Others are notes."""
        used = self.numbers
        filled = (row for row in self.sheet.rows[1:] if any(cell.text for cell in row if cell.column in used))
        return tuple(row for row in filled if not self._is_total(row))

    def _is_total(self, row: tuple[Cell, ...]) -> bool:
        """Whether a row has a total: a word for it, and no other content but a number of copies."""
        copies = self.headings.get("copies")
        first, *more = (cell for cell in row if cell.text and cell.column in {*self.numbers, row[0].column})
        alone = all(copies is not None and cell.column == copies.column for cell in more)
        return alone and folded(first.text).rstrip(":") in _TOTALS

    @property
    def numbers(self) -> frozenset[int]:
        """The numbers of the columns that are used."""
        return frozenset(heading.column for heading in self.headings.values())

    def likely(self, name: str) -> Cell | None:
        """The unused column that seems to have what a missing name stands for; None if none does."""
        if name in self.headings:
            return None
        similar = get_close_matches(folded(name), [folded(cell.text) for cell in self.unused], n=1, cutoff=0.7)
        alike = (cell for cell in self.unused if folded(cell.text) in similar)
        counts = (cell for cell in self.unused if name == "copies" and self._counts(cell))
        return next(alike, next(counts, None))

    def _counts(self, heading: Cell) -> bool:
        """Whether an unused column seems to have numbers of copies: it is called so, or has a sign and numbers of which
        some are equal, unlike those of cards."""
        texts = [self.sheet.cell(row, heading.column).text for row in self.rows]
        numbers = [text for text in texts if _NUMBER.fullmatch(text)]
        is_sign = heading.text in _SIGNS and len(set(numbers)) < len(numbers)
        return is_sign or (folded(heading.text).startswith(_COUNTS) and bool(numbers or not any(texts)))

    def without(self, name: str) -> Finding:
        """The finding that there is no column for what every card needs."""
        message = say("There is no column `{name}`, which every card needs.", name=name)
        hint = say("Add the column `{name}`.", name=name)
        return self.sheet.finding("field-missing", message, self.sheet.header[0], hint)

    def instead_of(self, name: str, heading: Cell, hint: Message) -> Finding:
        """The finding about an unused column that seems to have what is wanted under a name."""
        message = say("There is no column `{name}`, and `{cell}` is not used.", name=name, cell=heading.text)
        return self.sheet.finding("unknown-field", message, heading, hint)

    def without_rows(self) -> Finding:
        """The finding about a list of cards without any."""
        hint = say("Each row below the headings is a kind of card.")
        message = say("The list has headings but no cards.")
        return self.sheet.finding("field-missing", message, self.sheet.header[0], hint)

    def remarks(self, but: Collection[Cell] = (), hint: Message = NOTHING) -> Iterator[Finding]:
        """Information about the columns that are not used, but for some: one finding at the first of them."""
        cells = [cell for cell in self.unused if cell not in but and not _TEXT.fullmatch(cell.text)]
        if cells:
            message = say("Not used: {names}.", names=tuple(dict.fromkeys(cell.text for cell in cells)))
            yield self.sheet.finding("unknown-field", message, cells[0], hint, Severity.INFO)


def columns_of(sheet: Sheet, names: Collection[str], chosen: Mapping[str, str]) -> tuple[Columns, list[Finding]]:
    """The columns with these names, and findings about headings. `chosen` gives the headings of names that are called
    otherwise in the sheet. Case, spaces and underscores do not count."""
    called = {folded(name): name for name in names if name not in chosen}
    called |= {folded(heading): name for name, heading in chosen.items()}
    sheet = _from_header(sheet, called)
    headings: dict[str, Cell] = {}
    unused, findings = [], []
    for cell in sheet.header:
        name = called.get(folded(cell.text))
        if name in headings:
            message = say("The column `{cell}` is there twice.", cell=cell.text)
            findings.append(sheet.finding("unknown-field", message, cell, say("Delete one of the two.")))
        elif name is not None:
            headings[name] = cell
        elif cell.text:
            unused.append(cell)
    columns = Columns(sheet, headings, tuple(unused))
    return columns, [*findings, *_absent(columns, names, chosen), *_beyond(sheet)]


def _from_header(sheet: Sheet, called: Collection[str]) -> Sheet:
    """A sheet from its header on: of the first rows, the one with most of the headings. Titles may stand above it."""
    matches = [sum(folded(cell.text) in called for cell in row) for row in sheet.rows[: MOST_ABOVE + 1]]
    return replace(sheet, rows=sheet.rows[matches.index(max(matches)) :])


def folded(heading: str) -> str:
    """A heading or a name without what does not count in it: `Forget-me-not` is `forget_me_not`. The brackets are those
    of `cost[green]`, headed `cost green`."""
    return re.sub(r"[\s_\[\]'’-]+", "", heading).casefold()


def _absent(columns: Columns, names: Collection[str], chosen: Mapping[str, str]) -> Iterator[Finding]:
    """Findings about chosen headings that are not there, and about a sheet without any of the headings."""
    first = columns.sheet.header[0]
    for name, heading in chosen.items():
        if name not in columns.headings:
            message = say("There is no column `{heading}`, which `{name}` is read from.", heading=heading, name=name)
            yield columns.sheet.finding("unknown-field", message, first, _known(columns))
    if not columns.headings and not chosen:
        message = say("The first row has none of the headings that are read.")
        yield columns.sheet.finding("field-missing", message, first, say("They are {names}.", names=tuple(names)))


def _known(columns: Columns) -> Message:
    return say("The columns are {known}.", known=tuple(cell.text for cell in columns.sheet.header if cell.text))


def _beyond(sheet: Sheet) -> Iterator[Finding]:
    """Findings about rows of CSV that are longer than the heading: a cell with a comma lacks quotation marks."""
    for row in sheet.rows if sheet.source is not None else ():
        if len(row) > len(sheet.header):
            hint = say("Delete it, or give its column a heading.")
            yield sheet.finding("unknown-field", say("This cell has no heading."), row[len(sheet.header)], hint)
