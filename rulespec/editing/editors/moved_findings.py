"""What an editor shows while a file is typed, before it is checked again."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import TypeVar

from rulespec.base.diagnostics import Finding, Position, Related
from rulespec.base.source import Source
from rulespec.editing.editors.pieces import piece_at
from rulespec.language.document import parse

Located = TypeVar("Located", Finding, Related)

_OF_SYNTAX = "RS1"
"""The beginning of the codes of what parsing finds."""


def moved_findings(checked: Source, found: Iterable[Finding], now: Source) -> Iterator[Finding]:
    """The findings of a file when it was checked, at their places in its present text, with those of the syntax of the
    entry that has changed."""
    start = _equal(checked.text, now.text)
    room = min(len(checked.text), len(now.text)) - start
    end = _equal(checked.text[::-1], now.text[::-1], room)
    new = now.text[start : len(now.text) - end].rstrip()
    piece = piece_at(now, max(start, start + len(new) - 1))
    first = min(start, len(piece.text) - len(piece.text.lstrip()))
    changed = range(now.position(first).line, now.position(len(piece.text.rstrip())).line + 1)
    rest, longer = len(checked.text) - end, len(now.text) - len(checked.text)

    def moved(at: Position) -> Position:
        offset = checked.line_start(at.line) + at.column - 1
        return at if offset <= start else now.position(min(offset, rest + longer) if offset < rest else offset + longer)

    def placed(one: Located) -> Located:
        return replace(one, start=moved(one.start), end=moved(one.end)) if one.path == now.path else one

    for one in found:
        one = replace(placed(one), related=tuple(map(placed, one.related)))
        if one.path != now.path or one.start.line not in changed or not one.code.startswith(_OF_SYNTAX):
            yield one
    yield from (one for one in parse(piece)[1] if one.name != "empty-document")


def _equal(first: str, second: str, most: int | None = None) -> int:
    """How many characters two texts have in common at their start."""
    low, high = 0, min(len(first), len(second)) if most is None else most
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if first[low:middle] == second[low:middle] else (low, middle - 1)
    return low
