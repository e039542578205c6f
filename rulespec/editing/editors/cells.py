"""What editors show of the spreadsheet with the cards of a spec: its findings, its columns, and what may name them."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from dataclasses import replace

from rulespec.base.diagnostics import Finding
from rulespec.base.source import Source
from rulespec.base.spreadsheet.reading import is_spreadsheet, sheet_names
from rulespec.editing.editors.places import Place, place_at
from rulespec.language.cards_from import card_list, spreadsheet_of
from rulespec.language.document import parse
from rulespec.language.document.nodes import at

PATH, SHEET, COLUMNS = ("cards", "from"), ("cards", "sheet"), ("cards", "columns")


def is_of_sheet(place: Place) -> bool:
    """Whether a scalar of a spec is a word of the spreadsheet: its path, the name of a sheet, or a heading."""
    return not place.is_key and place.path[:2] in (PATH, SHEET, COLUMNS)


def in_spreadsheet(source: Source, found: Iterable[Finding]) -> Iterator[Finding]:
    """The findings of a spec that are in the spreadsheet with its cards."""
    path = spreadsheet_of(source)
    return (one for one in found if path and one.path == path)


def at_its_name(source: Source, one: Finding) -> Finding:
    """A finding in a spreadsheet that is not shown itself: at the name of it in the spec, with its place in front."""
    root, _ = parse(source)
    assert root is not None
    span = at(root, PATH).span
    start, end = source.position(span.start), source.position(span.end)
    return replace(one, message=f"{one.place}: " + one.message, path=source.path, start=start, end=end)


def spreadsheet_at(source: Source, offset: int) -> str:
    """The path of the spreadsheet that is named at an offset of a spec; "" elsewhere."""
    root = parse(source)[0] if spreadsheet_of(source) else None
    place = place_at(root, offset) if root is not None else None
    return spreadsheet_of(source) if place is not None and place.path == PATH and not place.is_key else ""


def about_spreadsheet(source: Source) -> str:
    """The columns of the spreadsheet of a spec and what they are read as, in Markdown; "" if it cannot be read."""
    listed = card_list(source)
    if listed is None:
        return ""
    columns = listed.columns
    names = {cell.column: f"`{name}`" for name, cell in columns.headings.items()}
    rows = [f"| {cell.text} | {names.get(cell.column, 'not used')} |" for cell in columns.sheet.header if cell.text]
    title = f"**{columns.sheet.path}**" + (f", {columns.sheet.name}" if columns.sheet.name else "")
    number = len(columns.rows)
    return "\n".join(
        [f"{title}: {number} row{'s' * (number != 1)} of cards", "", "| column | read as |", "|---|---|", *rows]
    )


def words_of_sheet(source: Source, place: Place) -> Iterator[str]:
    """What can stand at a place under `from`, `sheet` or `columns`: files, sheets, fields, and headings."""
    listed = card_list(source) if place.path[:2] == COLUMNS else None
    if place.path[:2] == PATH:
        with os.scandir(os.path.dirname(source.path) or ".") as files:
            yield from sorted(
                one.name for one in files if is_spreadsheet(one.name) and not one.name.startswith((".", "~"))
            )
    elif place.path[:2] == SHEET:
        yield from sheet_names(spreadsheet_of(source))
    elif listed is not None and place.is_key:
        yield from (name for name in listed.names if name not in listed.columns.headings)
    elif listed is not None:
        yield from (cell.text for cell in listed.columns.unused)
