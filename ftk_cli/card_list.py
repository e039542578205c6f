"""Card lists from a spreadsheet: reads CSV, returns the rows of a manifest."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import click

from ftk_cli import failure, inputs
from rulespec.messages import Message, say

if TYPE_CHECKING:
    from rulespec import Finding, Source
    from rulespec.model import Spec, Type

_STATUSES = ("printed", "derived", "reconstructed")
_EXTRA = ("copies", "status", "source")
_CELL = {delimiter: re.compile(rf'"(?:[^"]|"")*"?[^{delimiter}]*|[^{delimiter}]*') for delimiter in ",;\t"}


@dataclass(frozen=True)
class Cell:
    """One cell: its text, and its offsets in the file."""

    column: str
    text: str
    start: int
    end: int


def manifest(spec: Spec, path: str) -> str:
    """The manifest rows of a CSV file. Ends the command with the findings if there are errors."""
    from ftk_cli.report import FORMATS, Batch, Look, Sources
    from rulespec import Report

    source, findings = inputs.read(path)
    if source is None and inputs.unreadable(findings):
        raise inputs.refused(findings)
    rows = list(_rows(source)) if source is not None else []
    found = Report.of(findings, [f for row in rows for f in _mistakes(spec, row, source)] if source is not None else ())
    if not found.ok or source is None:
        sources = Sources()
        sources.add(source)
        click.echo(FORMATS["text"](Batch(found, (path,), sources), Look.of(None, error=True)), err=True, nl=False)
        raise click.exceptions.Exit(failure.FINDINGS)
    if len(rows) < 2:
        raise failure.Failure(f"{path} has a heading but no cards.", "Each line below the heading is a kind of card.")
    number = sum(_copies(row) for row in rows[1:])
    click.echo(f"{number} cards in {len(rows) - 1} rows.", err=True)
    return "manifest:\n" + "".join(f"  - {_yaml(spec, row)}\n" for row in rows[1:])


def _rows(source: Source) -> Iterator[list[Cell]]:
    """The lines of the file as cells under their columns; the heading is the first."""
    header: list[str] | None = None
    delimiter = _delimiter(source.line(1))
    for number in range(1, source.line_count + 1):
        line, start = source.line(number), source.line_start(number)
        if not line.strip(f" {delimiter}"):
            continue
        texts = [text.strip() for text in next(csv.reader([line], delimiter=delimiter))]
        header = header or texts
        columns = [*header, *[""] * len(texts)]
        spans = [(start + a, start + b) for a, b in _spans(line, delimiter)]
        yield [Cell(columns[i], text, *span) for i, (text, span) in enumerate(zip(texts, spans, strict=False))]


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


def _mistakes(spec: Spec, row: list[Cell], source: Source | None) -> Iterator[Finding]:
    from rulespec import Span, finding

    assert source is not None
    heading = row[0].start == source.line_start(1)
    problems = _heading_problems(spec, row) if heading else _row_problems(spec, row)
    for name, message, hint, cell in problems:
        yield finding(name, message, source, Span(cell.start, cell.end), hint)


_Problem = tuple[str, Message, Message, Cell]


def _heading_problems(spec: Spec, row: list[Cell]) -> Iterator[_Problem]:
    known = [*spec.deck.fields, *_EXTRA]
    for number, cell in enumerate(row):
        if cell.text not in known:
            close = failure.nearest(cell.text, known)
            hint = (
                say("Did you mean `{name}`?", name=close)
                if close
                else say("The columns are {known}.", known=", ".join(known))
            )
            yield "unknown-field", say("Cards have no field `{name}`.", name=cell.text), hint, cell
        elif any(cell.text == other.text for other in row[:number]):
            yield (
                "unknown-field",
                say("The column `{cell}` is there twice.", cell=cell.text),
                say("Delete one of the two."),
                cell,
            )
    for name, type_ in spec.deck.fields.items():
        if not type_.optional and all(cell.text != name for cell in row):
            yield (
                "field-missing",
                say("There is no column `{name}`, which every card needs.", name=name),
                say("Add the column `{name}`.", name=name),
                row[0],
            )


def _row_problems(spec: Spec, row: list[Cell]) -> Iterator[_Problem]:
    for cell in row:
        if cell.column in spec.deck.fields:
            yield from _value_problems(spec, spec.deck.fields[cell.column], cell)
        elif cell.column == "copies" and cell.text and not (cell.text.isdecimal() and 1 <= int(cell.text[:9]) <= 9999):
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
        if not re.fullmatch(r"-?[0-9]{1,9}", cell.text) or not low <= int(cell.text) <= high:
            yield (
                "wrong-value",
                say("`{cell}` is not a number from {low} to {high}.", cell=cell.text, low=low, high=high),
                say("Spreadsheets like to change numbers into dates."),
                cell,
            )
    elif cell.text not in (names := _members(spec, type_)):
        close = failure.nearest(cell.text, names)
        hint = (
            say("Did you mean `{name}`?", name=close) if close else say("It is one of {names}.", names=", ".join(names))
        )
        yield "wrong-value", say("`{cell}` is no {column}.", cell=cell.text, column=cell.column), hint, cell


def _members(spec: Spec, type_: Type) -> tuple[str, ...]:
    return ("false", "true") if type_.kind == "bool" else spec.enums[type_.name].members


def _source_problems(spec: Spec, cell: Cell) -> Iterator[_Problem]:
    for name in cell.text.split():
        if name not in spec.sources:
            close = failure.nearest(name, spec.sources)
            hint = (
                say("Did you mean `{name}`?", name=close)
                if close
                else say("The sources of this game are {names}.", names=", ".join(spec.sources))
            )
            yield "unknown-source", say("There is no source `{name}`.", name=name), hint, cell


def _copies(row: list[Cell]) -> int:
    return next((int(cell.text) for cell in row if cell.column == "copies" and cell.text), 1)


def _yaml(spec: Spec, row: list[Cell]) -> str:
    texts = {cell.column: cell.text for cell in row if cell.text}
    pairs = [f"{name}: {texts[name]}" for name in spec.deck.fields if name in texts]
    if _copies(row) > 1:
        pairs.append(f"copies: {_copies(row)}")
    if texts.get("status", "printed") != "printed":
        pairs.append(f"status: {texts['status']}")
    if "source" in texts:
        pairs.append(f"source: [{', '.join(texts['source'].split())}]")
    return "{" + ", ".join(pairs) + "}"
