"""The cards of a sheet, held against the fields of a spec: a row is a number of equal cards."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from difflib import get_close_matches

from rulespec.base.diagnostics import Finding, Severity
from rulespec.base.messages import NOTHING, Message, all_of, counted, quoted, say
from rulespec.base.spreadsheet import Cell, Columns, Sheet, columns_of, date_hint
from rulespec.editing.card_rows import Group
from rulespec.language.model.manifest import MOST_COPIES
from rulespec.language.model.spec import Spec, field_of
from rulespec.language.model.types import NONE, Type

__all__ = ["CardTable", "headed_table", "heading_of", "names_of", "table_of"]

_STATUSES = ("printed", "derived", "reconstructed")
_EXTRA = ("copies", "status", "source")

Row = tuple[Cell, ...]


def names_of(spec: Spec) -> tuple[str, ...]:
    """The names of the columns that a list of cards may have: the fields, then what each row of the manifest has."""
    return *spec.deck.fields, *_EXTRA


def heading_of(name: str) -> str:
    """A column of cards as a spreadsheet heads it: `cost green` for `cost[green]`."""
    return name.replace("[", " ").removesuffix("]")


@dataclass(frozen=True)
class CardTable:
    """A sheet with a row for each group of equal cards."""

    spec: Spec
    columns: Columns

    @property
    def rows(self) -> tuple[Row, ...]:
        """The rows with cards. Others are notes, totals, or empty."""
        return self.columns.rows

    @property
    def unsaid(self) -> tuple[str, ...]:
        """What the sheet has no column for: of the status and the sources of a group."""
        parts = (("status", "status"), ("source", "sources"))
        return tuple(part for name, part in parts if name not in self.columns.headings)

    def group(self, row: Row) -> Group:
        """The cards of a row; what is wrong in it stays as it is written."""
        values = tuple(_value(type_, self._text(row, name)) for name, type_ in self.spec.deck.fields.items())
        return Group(values, self._text(row, "status") or "printed", tuple(self._text(row, "source").split()))

    def copies(self, row: Row) -> int:
        """How many cards a row stands for: 0 if its cell has no number."""
        cell = self.columns.cell(row, "copies")
        return max(0, cell.whole or 0) if cell is not None and cell.text else 1

    @property
    def groups(self) -> dict[Group, int]:
        """How many cards of each group there are, in order."""
        found: dict[Group, int] = {}
        for row in self.rows:
            group = self.group(row)
            found[group] = found.get(group, 0) + self.copies(row)
        return found

    def _text(self, row: Row, name: str) -> str:
        cell = self.columns.cell(row, name)
        return (cell.text if cell is not None else "") or _unwritten(self.spec, name)

    def repeated(self) -> Iterator[Finding]:
        """Warnings at both rows of equal cards with different numbers of copies."""
        first: dict[Group, Row] = {}
        for row in self.rows:
            other = first.setdefault(self.group(row), row)
            if self.copies(other) != self.copies(row):
                yield from (self._repeated(here, there) for here, there in ((other, row), (row, other)))

    def _repeated(self, here: Row, there: Row) -> Finding:
        copies = (self.copies(here), self.copies(there))
        sheet, place = self.columns.sheet, self._first(there)
        message = say(
            "This card is listed twice, with {one} and with {other} copies: {sum} in all. The other row is {row}.",
            one=copies[0],
            other=copies[1],
            sum=sum(copies),
            row=sheet.position(place)[0].line,
        )
        hint = say("If both mean the same cards, delete one of the two rows.")
        return sheet.finding("repeated-card", message, self._first(here), hint)

    def _first(self, row: Row) -> Cell:
        return next(cell for cell in row if cell.text)


def table_of(spec: Spec, sheet: Sheet, chosen: Mapping[str, str]) -> tuple[CardTable, list[Finding]]:
    """The cards of a sheet, and all findings about it. Only a table without errors has the groups that are meant.
    `chosen` gives the headings of names that are called otherwise in the sheet."""
    table, findings = headed_table(spec, sheet, chosen)
    findings += sheet.faults(table.columns.numbers)
    findings += [one for row in table.rows for one in _row_findings(spec, table.columns, row)]
    if not table.rows and table.columns.headings:
        findings.append(table.columns.without_rows())
    if not any(found.severity == Severity.ERROR for found in findings):
        findings += table.repeated()
    return table, findings


def headed_table(spec: Spec, sheet: Sheet, chosen: Mapping[str, str]) -> tuple[CardTable, list[Finding]]:
    """The cards of a sheet, and the findings about its headings."""
    columns, findings = columns_of(sheet, names_of(spec), chosen)
    return CardTable(spec, columns), [*findings, *(_heading_findings(spec, columns) if columns.headings else ())]


def _heading_findings(spec: Spec, columns: Columns) -> Iterator[Finding]:
    """Findings about columns: those that cards need, and those that are not used."""
    absent = [name for name in spec.deck.fields if name not in columns.headings]
    filled = _filled(spec)
    needed = [name for name in absent if name in filled or not spec.deck.fields[name].optional]
    likely = {name: cell for name in (*absent, "copies") if (cell := columns.likely(name)) is not None}
    wrong = {name: cell for name, cell in likely.items() if name in needed or name == "copies"}
    for name, cell in wrong.items():
        yield columns.instead_of(name, cell, _choose(name, cell))
    yield from _absent(spec, columns, [name for name in needed if name not in likely])
    hints = [_choose(name, cell) for name, cell in likely.items() if name not in wrong]
    yield from columns.remarks([*wrong.values()], hints[0] if hints else NOTHING)


def _unwritten(spec: Spec, name: str) -> str:
    """What an empty cell in the column of a member means: the value of a member that a row does not write."""
    field = spec.deck.per_member.get(field_of(name))
    if field is None or field.unwritten != 0:
        return ""
    return "false" if field.type.kind == "bool" else "0"


def _filled(spec: Spec) -> set[str]:
    """The fields that have a content on a card."""
    pairs = (pair for card in spec.deck.cards for pair in zip(spec.deck.fields, card, strict=True))
    return {name for name, content in pairs if content != NONE}


def _choose(name: str, cell: Cell) -> Message:
    option = f'--columns {name}="{cell.text}"' if " " in cell.text else f"--columns {name}={cell.text}"
    return say("If `{cell}` is `{name}`, add {option}; if not, rename it.", cell=cell.text, name=name, option=option)


def _absent(spec: Spec, columns: Columns, names: Iterable[str]) -> Iterator[Finding]:
    """Findings about the columns that cards need: a field without one would be empty."""
    first, lost = columns.sheet.header[0], []
    for name in names:
        if spec.deck.fields[name].optional:
            lost.append(name)
        else:
            yield columns.without(heading_of(name))
    if lost:
        message = counted(
            "There is no column for {names}, which cards of the game have.",
            "There are no columns for {names}, which cards of the game have.",
            len(lost),
            names=all_of(quoted([*map(heading_of, lost)])),
        )
        yield columns.sheet.finding("field-missing", message, first, say("Add them. A cell may be empty."))


_Problem = tuple[str, Message, Message]


def _row_findings(spec: Spec, columns: Columns, row: Row) -> Iterator[Finding]:
    for name in columns.headings:
        cell = columns.cell(row, name)
        if cell is not None and not cell.is_faulty:
            problems = _value_problems if name in spec.deck.fields else _extra_problems
            for kind, message, hint in problems(spec, name, cell):
                yield columns.sheet.finding(kind, message, cell, hint)


def _value_problems(spec: Spec, name: str, cell: Cell) -> Iterator[_Problem]:
    type_ = spec.deck.fields[name]
    if not cell.text:
        if not type_.optional and not _unwritten(spec, name):
            yield "field-missing", say("This card has no `{name}`.", name=name), say("Every card needs one.")
    elif type_.kind == "int":
        if cell.whole is None or not type_.low <= cell.whole <= type_.high:
            values = {"cell": cell.text, "low": type_.low, "high": type_.high}
            message = say("`{cell}` is not a number from {low} to {high}.", **values)
            yield "wrong-value", message, date_hint() if cell.is_date else NOTHING
    elif wrong := [word for word in _words(type_, cell.text) if word not in (names := _members(spec, type_))]:
        hint = _meant(wrong[0], names) or say("It is one of {names}.", names=names)
        message = say("`{cell}` is no {column}.", cell=" ".join(wrong[0].split()), column=name)
        yield "wrong-value", message, date_hint() if cell.is_date else hint


def _extra_problems(spec: Spec, name: str, cell: Cell) -> Iterator[_Problem]:
    if name == "source":
        for written in cell.text.split():
            if written not in spec.sources:
                hint = _meant(written, spec.sources)
                hint = hint or say("The sources of this game are {names}.", names=tuple(spec.sources))
                yield "unknown-source", say("There is no source `{name}`.", name=written), hint
    elif name == "copies" and cell.text and not 1 <= (cell.whole or 0) <= MOST_COPIES:
        message = say("`{cell}` is no number of copies.", cell=cell.text)
        yield "wrong-value", message, date_hint() if cell.is_date else say("Write a whole number from 1 on.")
    elif name == "status" and cell.text and cell.text not in _STATUSES:
        message = say("`{cell}` is no status.", cell=cell.text)
        yield "wrong-value", message, say("It is one of {names}.", names=_STATUSES)


def _meant(written: str, known: Iterable[str]) -> Message:
    """A hint that names the known name most similar to a written one; empty if none is similar."""
    close = get_close_matches(written, list(known), n=1, cutoff=0.6)
    return say("Did you mean `{name}`?", name=close[0]) if close else NOTHING


def _members(spec: Spec, type_: Type) -> tuple[str, ...]:
    return ("false", "true") if type_.kind == "bool" else spec.enums[type_.name].members


def _words(type_: Type, text: str) -> list[str]:
    """The names in a cell: several for a set, and truth values in small letters."""
    return text.split() if type_.kind == "set" else [text.lower() if type_.kind == "bool" else text]


def _value(type_: Type, text: str) -> str:
    number = Cell(0, 0, text).whole if type_.kind == "int" else None
    return " ".join(_words(type_, text)) if number is None else str(number)
