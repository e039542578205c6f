"""Reads and writes glossaries as CSV with one row per term."""

from __future__ import annotations

import csv
from collections.abc import Iterator

from rulespec.base.diagnostics import Finding, Span, finding
from rulespec.base.messages import quoted, say
from rulespec.base.source import Source
from rulespec.base.spreadsheet.delimited import as_written
from rulespec.base.spreadsheet.writing import new_csv
from rulespec.text.glossary.concepts import PROPERTIES, Concept, Glossary
from rulespec.text.glossary.entries import Entry, collect

COLUMNS = ("concept", *PROPERTIES, "lang", "status", "term")
_NEEDED = ("concept", "names", "defined_by", "note", "lang", "status", "term")

_DELIMITERS = ",;\t"  # spreadsheets use a semicolon in locales with decimal commas


def to_csv(glossary: Glossary) -> str:
    """The glossary as CSV with a header. Properties of a concept are in its first row only."""
    return new_csv([COLUMNS, *(row for concept in glossary.concepts.values() for row in _rows(concept))]).decode()


def _rows(concept: Concept) -> Iterator[tuple[str, ...]]:
    said = tuple(concept.properties.values())
    terms = [(lang, *each) for lang, listed in concept.terms.items() for each in listed.each()]
    if not terms:
        yield (concept.id, *said, "", "", "")
    for number, (lang, status, term) in enumerate(terms):
        yield (concept.id, *([""] * len(said) if number else said), lang, str(status), term.text)


def from_csv(source: Source, game: str = "") -> tuple[str, list[Finding]]:
    """The glossary of a game (an id) in CSV as YAML, and its findings. Never raises for bad input.

    The YAML is "" if the text is not a table of terms. Invalid rows are left out.
    """
    try:
        rows = list(_read(source))
    except csv.Error as error:
        message = say("This cannot be read as CSV: {error}.", error=error)
        return "", [finding("terms-unreadable", message, source, Span(0, 0), say("Save the file as CSV in UTF-8."))]
    header = [name.strip().lower() for name in rows[0][1]] if rows else []
    wrong = list(_columns(source, header))
    if wrong:
        return "", wrong
    return collect(_entries(rows[1:], header), game, source)


def _read(source: Source) -> Iterator[tuple[Span, list[str]]]:
    """The rows that are not blank, with the span of their first line."""
    starts = [source.line_start(number) for number in range(1, source.line_count + 1)]
    lines = [source.text[a:b] for a, b in zip(starts, [*starts[1:], len(source.text)], strict=True)]
    first = lines[0].lstrip("\ufeff")
    delimiter = max(_DELIMITERS, key=first.count)
    # Line by line as editors count them, so that `line_num` is a line of the source.
    reader, line = csv.reader([first, *lines[1:]], delimiter=delimiter, strict=True), 0
    for row in reader:
        if any(cell.strip() for cell in row):
            yield Span(starts[line], starts[line] + len(source.line(line + 1))), row
        line = reader.line_num


def _columns(source: Source, header: list[str]) -> Iterator[Finding]:
    place, hint = Span(0, len(source.line(1))), say("The first row holds {columns}.", columns=quoted(COLUMNS))
    for name in COLUMNS:
        if header.count(name) > 1 or (name in _NEEDED and name not in header):
            what = (
                say("There are two columns `{name}`.", name=name)
                if name in header
                else say("The column `{name}` is missing.", name=name)
            )
            yield finding("terms-unreadable", what, source, place, hint)
    for name in dict.fromkeys(header):
        if name and name not in COLUMNS:
            yield finding("terms-unreadable", say("A glossary has no column `{name}`.", name=name), source, place, hint)


def _entries(rows: list[tuple[Span, list[str]]], header: list[str]) -> Iterator[Entry]:
    for place, row in rows:
        # Rows may be shorter than the header: the cells at their end are empty.
        cells = dict(zip(header, [*row, *[""] * len(header)], strict=False))
        read = {name: as_written(cells.get(name, "").strip()) for name in COLUMNS}
        properties = {name: read.pop(name) for name in PROPERTIES}
        yield Entry(place=place, properties=properties, **read)
