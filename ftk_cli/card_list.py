"""Card lists from a spreadsheet: reads CSV, and updates the manifest of a spec in its text.

Spreadsheets write lists in habits of their own: a byte order mark, semicolons or tabs, a line `sep=;`, Windows line
ends, empty columns at the end, quotes round cells, capital truth values, and numbers as 3,0 or 3.0.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import click

from ftk_cli import failure, inputs
from ftk_cli.cards import heading
from ftk_cli.output import Rewritten, differences, emit, replace_all
from rulespec.base.messages import NOTHING, Message, all_of, counted, say

if TYPE_CHECKING:
    from rulespec import Finding, Report, Source
    from rulespec.editing.card_rows import Group
    from rulespec.language.model import Spec, Type

_STATUSES = ("printed", "derived", "reconstructed")
_EXTRA = ("copies", "status", "source")
_SEPARATOR = re.compile(r'"?sep=([,;\t])"?')
_WHOLE = re.compile(r"(-?[0-9]{1,9})(?:[.,]0+)?")
"""A whole number, perhaps with decimals as spreadsheets write them."""
_CELL = {delimiter: re.compile(rf'"(?:[^"]|"")*"?[^{delimiter}]*|[^{delimiter}]*') for delimiter in ",;\t"}


@dataclass(frozen=True)
class Cell:
    """One cell: its text, and its offsets in the file."""

    column: str
    text: str
    start: int
    end: int


def update(spec: Spec, path: str, write: bool, quiet: bool, output: str | None) -> None:
    """Shows the difference that the cards of a CSV file make to a spec, which is written if wanted. Ends the command
    with the findings if there are errors in the list, or in the spec with it."""
    from rulespec.editing.card_rows import WithErrors, updated

    groups, unsaid = _groups(spec, path)
    try:
        after = updated(spec, groups, unsaid)
    except WithErrors as error:
        _heed(error.after)
        raise failure.Failure(str(error), "Nothing was written.") from None
    except ValueError as error:
        raise failure.Failure(str(error), "Nothing was written.") from None
    change = Rewritten(spec.source.path, spec.source.text, after.text)
    if write and change.is_other:
        replace_all({change.path: change.after})
    emit("".join(differences([change])), output, data=True)
    if not quiet:
        click.echo(_summary(change, sum(groups.values()), write), err=True)
    _heed(after)


def _summary(change: Rewritten, cards: int, written: bool) -> str:
    if not change.is_other:
        return f"{cards} cards: {change.path} has them already."
    return f"{cards} cards: {change.path} is written." if written else f"{cards} cards. Write them with: --write"


def _heed(after: Source) -> None:
    """Prints the errors of a spec with the new cards, such as a total that is wrong now, and ends the command."""
    from rulespec import Report, check_source

    errors = check_source(after).errors
    if errors:
        _print(Report.of(errors), after)
        raise click.exceptions.Exit(failure.FINDINGS)


def _print(found: Report, source: Source | None) -> None:
    from ftk_cli.report import FORMATS, Batch, Look, Sources

    sources = Sources()
    sources.add(source)
    path = source.path if source is not None else ""
    click.echo(FORMATS["text"](Batch(found, (path,), sources), Look.of(None, error=True)), err=True, nl=False)


def _groups(spec: Spec, path: str) -> tuple[dict[Group, int], list[str]]:
    """The cards of a CSV file, and what it has no column for: of their status and sources. Ends the command with the
    findings if there are errors."""
    from rulespec import Report

    source, findings = inputs.read(path)
    if source is None and inputs.unreadable(findings):
        raise inputs.refused(findings)
    rows = [_with_columns(spec, row) for row in _rows(source)] if source is not None else []
    found = Report.of(findings, _mistakes(spec, rows, source) if source is not None else ())
    if not found.ok or source is None:
        _print(found, source)
        raise click.exceptions.Exit(failure.FINDINGS)
    if len(rows) < 2:
        raise failure.Failure(f"{path} has a heading but no cards.", "Each line below the heading is a kind of card.")
    cards: dict[Group, int] = {}
    for row in rows[1:]:
        group = _group(spec, row)
        cards[group] = cards.get(group, 0) + _copies(row)
    columns = {cell.text for cell in rows[0]}
    return cards, [part for column, part in (("status", "status"), ("source", "sources")) if column not in columns]


def _rows(source: Source) -> Iterator[list[Cell]]:
    """The lines of the file as cells under their columns; the heading is the first."""
    header: list[str] | None = None
    said = _SEPARATOR.fullmatch(source.line(1))
    delimiter = said[1] if said else _delimiter(source.line(1))
    for number in range(1, source.line_count + 1):
        line, start = source.line(number), source.line_start(number)
        if not line.strip(f' "{delimiter}') or (header is None and _SEPARATOR.fullmatch(line)):
            continue
        texts = [text.strip() for text in next(csv.reader([line], delimiter=delimiter))]
        header = header or texts
        columns = [*header, *[""] * len(texts)]
        spans = [(start + a, start + b) for a, b in _spans(line, delimiter)]
        yield [Cell(columns[i], text, *span) for i, (text, span) in enumerate(zip(texts, spans, strict=False))]


def _with_columns(spec: Spec, row: list[Cell]) -> list[Cell]:
    """A line with the columns of the spec for those of members: `cost[green]` for `cost green`. An empty cell has what
    a member has that is not written."""
    columns = {heading(column): column for field in spec.deck.per_member.values() for column in field.columns}
    return [_of_member(spec, cell, columns[cell.column]) if cell.column in columns else cell for cell in row]


def _of_member(spec: Spec, cell: Cell, column: str) -> Cell:
    field = next(field for field in spec.deck.per_member.values() if column in field.columns)
    plain = {"int": "0", "bool": "false"}.get(field.type.kind, "") if field.unwritten == 0 else ""
    return replace(cell, column=column, text=column if cell.text == cell.column else cell.text or plain)


def _delimiter(heading: str) -> str:
    """The separator of cells. Spreadsheets use semicolons if the comma is the decimal sign, and tabs when copied."""
    return max(",;\t", key=heading.count)


def _spans(line: str, delimiter: str) -> Iterator[tuple[int, int]]:
    at = 0
    while at <= len(line):
        match = _CELL[delimiter].match(line, at)
        assert match is not None  # both halves of the pattern match nothing, too
        yield match.span()
        at = match.end() + 1


def _mistakes(spec: Spec, rows: list[list[Cell]], source: Source) -> Iterator[Finding]:
    from rulespec import Span, finding

    for row in rows:
        open_ = [cell for cell in row if _is_open(source.text[cell.start : cell.end].strip())]
        for name, message, hint, cell in _open_problem(open_[0]) if open_ else _problems(spec, row):
            yield finding(name, message, source, Span(cell.start, cell.end), hint)
        if open_:
            return  # where the cells of the next lines end is not known


def _is_open(written: str) -> bool:
    """Whether a cell begins with a quotation mark that is not closed; inside a cell it is a sign like any other."""
    return written.startswith('"') and written.count('"') % 2 == 1


def _problems(spec: Spec, row: list[Cell]) -> Iterator[_Problem]:
    heading = all(cell.text == cell.column for cell in row)
    return _heading_problems(spec, row) if heading else _row_problems(spec, row)


def _open_problem(cell: Cell) -> Iterator[_Problem]:
    message = say("The quotation mark of this cell is not closed on its line.")
    yield "wrong-value", message, say("Close it. A cell may not contain a line break."), cell


_Problem = tuple[str, Message, Message, Cell]


def _heading_problems(spec: Spec, row: list[Cell]) -> Iterator[_Problem]:
    known = [*spec.deck.fields, *_EXTRA]
    for number, cell in enumerate(row):
        if not cell.text:
            continue  # a column without a heading may be empty
        if cell.text not in known:
            hint = _meant(cell.text, known) or say("The columns are {known}.", known=", ".join(known))
            yield "unknown-field", say("Cards have no field `{name}`.", name=cell.text), hint, cell
        elif any(cell.text == other.text for other in row[:number]):
            yield (
                "unknown-field",
                say("The column `{cell}` is there twice.", cell=cell.text),
                say("Delete one of the two."),
                cell,
            )
    yield from _absent(spec, row)


def _meant(written: str, known: Iterable[str]) -> Message:
    """A hint that names the known name most similar to a written one; empty if none is similar."""
    close = failure.nearest(written, known)
    return say("Did you mean `{name}`?", name=close) if close else NOTHING


def _absent(spec: Spec, row: list[Cell]) -> Iterator[_Problem]:
    """The columns that cards need: a field without one would be empty. One that is misspelt is reported as that."""
    from rulespec.language.model import NONE

    there = {cell.text for cell in row}
    absent = [name for name in spec.deck.fields if name not in there]
    needed = [name for name in absent if not spec.deck.fields[name].optional]
    pairs = (pair for card in spec.deck.cards for pair in zip(spec.deck.fields, card, strict=True))
    filled = {name for name, content in pairs if content != NONE}
    lost = [f"`{heading(name)}`" for name in absent if name in filled]
    for name in needed:
        message = say("There is no column `{name}`, which every card needs.", name=heading(name))
        yield "field-missing", message, say("Add the column `{name}`.", name=heading(name)), row[0]
    if lost and not needed and there <= {"", *spec.deck.fields, *_EXTRA}:
        message = counted(
            "There is no column for {names}, which cards of the game have.",
            "There are no columns for {names}, which cards of the game have.",
            len(lost),
            names=all_of(lost),
        )
        yield "field-missing", message, say("Add them. A cell may be empty."), row[0]


def _row_problems(spec: Spec, row: list[Cell]) -> Iterator[_Problem]:
    for cell in row:
        if cell.column in spec.deck.fields:
            yield from _value_problems(spec, spec.deck.fields[cell.column], cell)
        elif cell.column == "copies" and cell.text and not 1 <= (_number(cell.text) or 0) <= 999:
            yield (
                "wrong-value",
                say("`{cell}` is no number of copies.", cell=cell.text),
                say("Write a whole number from 1 on."),
                cell,
            )
        elif cell.column == "status" and cell.text and cell.text not in _STATUSES:
            yield (
                "wrong-value",
                say("`{cell}` is no status.", cell=cell.text),
                say("It is one of {names}.", names=", ".join(_STATUSES)),
                cell,
            )
        elif cell.column == "source":
            yield from _source_problems(spec, cell)
        elif not cell.column and cell.text:
            yield (
                "unknown-field",
                say("This cell has no heading."),
                say("Delete it, or give its column a heading."),
                cell,
            )


def _value_problems(spec: Spec, type_: Type, cell: Cell) -> Iterator[_Problem]:
    if not cell.text:
        if not type_.optional:
            yield (
                "field-missing",
                say("This card has no `{name}`.", name=cell.column),
                say("Every card needs one."),
                cell,
            )
    elif type_.kind == "int":
        low, high = type_.low, type_.high
        number = _number(cell.text)
        if number is None or not low <= number <= high:
            yield (
                "wrong-value",
                say("`{cell}` is not a number from {low} to {high}.", cell=cell.text, low=low, high=high),
                say("Spreadsheets like to change numbers into dates."),
                cell,
            )
    elif wrong := [word for word in _words(type_, cell.text) if word not in (names := _members(spec, type_))]:
        hint = _meant(wrong[0], names) or say("It is one of {names}.", names=", ".join(names))
        yield "wrong-value", say("`{cell}` is no {column}.", cell=wrong[0], column=cell.column), hint, cell


def _members(spec: Spec, type_: Type) -> tuple[str, ...]:
    return ("false", "true") if type_.kind == "bool" else spec.enums[type_.name].members


def _source_problems(spec: Spec, cell: Cell) -> Iterator[_Problem]:
    for name in cell.text.split():
        if name not in spec.sources:
            known = ", ".join(spec.sources)
            hint = _meant(name, spec.sources) or say("The sources of this game are {names}.", names=known)
            yield "unknown-source", say("There is no source `{name}`.", name=name), hint, cell


def _number(text: str) -> int | None:
    """The whole number that a cell holds; None if it holds none."""
    whole = _WHOLE.fullmatch(text)
    return int(whole[1]) if whole else None


def _words(type_: Type, text: str) -> list[str]:
    """The names in a cell: several for a set, and truth values in small letters."""
    return text.split() if type_.kind == "set" else [text.lower() if type_.kind == "bool" else text]


def _copies(row: list[Cell]) -> int:
    return next((_number(cell.text) or 1 for cell in row if cell.column == "copies" and cell.text), 1)


def _group(spec: Spec, row: list[Cell]) -> Group:
    """The cards of a line without mistakes."""
    from rulespec.editing.card_rows import Group

    texts = {cell.column: cell.text for cell in row if cell.text}
    values = tuple(_value(type_, texts.get(name, "")) for name, type_ in spec.deck.fields.items())
    return Group(values, texts.get("status", "printed"), tuple(texts.get("source", "").split()))


def _value(type_: Type, text: str) -> str:
    if type_.kind == "int":
        return str(_number(text)) if text else ""
    return " ".join(_words(type_, text))
