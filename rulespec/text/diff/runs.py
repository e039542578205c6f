"""Splits a text into runs with the same marks throughout."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

_STRONG = re.compile(r"(\*\*)(?=\S)([^\n]+?)(?<=\S)(\*\*)")
_ITEM = re.compile(r"^[ \t]*(?:[-*+•][ \t]+)", re.MULTILINE)
_LINE = re.compile(r"[^\n]+")


@dataclass(frozen=True)
class Marked:
    """A mark at `text[start:end]`: its kind ("said", "number", "finding") and its index among the marks of its kind."""

    kind: str
    index: int
    start: int
    end: int


@dataclass(frozen=True)
class Run:
    """A part of a text on one line, or a sequence of line breaks.

    `said`, `numbers` and `findings` are indexes into those of its side; `ends` are the findings that end here.
    `hidden` marks Markdown syntax, `item` the marker of a list item.
    """

    text: str
    start: int
    said: tuple[int, ...] = ()
    numbers: tuple[int, ...] = ()
    findings: tuple[int, ...] = ()
    ends: tuple[int, ...] = ()
    strong: bool = False
    hidden: bool = False
    item: bool = False


def runs(text: str, marked: Sequence[Marked]) -> tuple[Run, ...]:
    """The runs of a text, without gaps. An empty mark is extended to one character."""
    wide = [Marked(m.kind, m.index, m.start, max(m.end, min(m.start + 1, len(text)))) for m in marked]
    form = list(_form(text))
    places = {0, len(text), *_ends((m.start, m.end) for m in [*wide, *form]), *_ends(_lines(text))}
    return tuple(_run(text, start, end, wide, form) for start, end in pairwise(sorted(places)))


def _form(text: str) -> Iterator[Marked]:
    for match in _STRONG.finditer(text):
        yield Marked("strong", 0, match.start(2), match.end(2))
        yield Marked("hidden", 0, *match.span(1))
        yield Marked("hidden", 0, *match.span(3))
    for match in _ITEM.finditer(text):
        yield Marked("item", 0, *match.span())


def _lines(text: str) -> Iterator[tuple[int, int]]:
    return (match.span() for match in _LINE.finditer(text))


def _ends(spans: Iterable[tuple[int, int]]) -> Iterator[int]:
    for start, end in spans:
        yield from (start, end)


def _run(text: str, start: int, end: int, marked: list[Marked], form: list[Marked]) -> Run:
    here = [m for m in marked if m.start <= start and end <= m.end]
    forms = {m.kind for m in form if m.start <= start and end <= m.end}
    return Run(
        text[start:end],
        start,
        tuple(m.index for m in here if m.kind == "said"),
        tuple(m.index for m in here if m.kind == "number"),
        tuple(m.index for m in here if m.kind == "finding"),
        tuple(m.index for m in here if m.kind == "finding" and m.end == end),
        "strong" in forms,
        bool(forms & {"hidden", "item"}),
        "item" in forms,
    )
