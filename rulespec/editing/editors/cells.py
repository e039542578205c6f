"""Findings in the spreadsheet with the cards of a spec, where an editor can show them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from rulespec.base.diagnostics import Finding
from rulespec.base.source import Source
from rulespec.language.cards_from import spreadsheet_of
from rulespec.language.document import at, parse


def in_spreadsheet(source: Source, found: Iterable[Finding]) -> Iterator[Finding]:
    """The findings of a spec that are in the spreadsheet with its cards."""
    path = spreadsheet_of(source)
    return (one for one in found if path and one.path == path)


def at_its_name(source: Source, one: Finding) -> Finding:
    """A finding in a spreadsheet that is not shown itself: at the name of it in the spec, with its place in front."""
    root, _ = parse(source)
    assert root is not None
    span = at(root, ("cards", "from")).span
    start, end = source.position(span.start), source.position(span.end)
    return replace(one, message=f"{one.place}: " + one.message, path=source.path, start=start, end=end)
