"""Splits a text into runs with the same marks throughout, and groups these into paragraphs and lists."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, groupby, pairwise
from operator import itemgetter

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
    spans = [*((m.start, m.end) for m in [*wide, *form]), *(line.span() for line in _LINE.finditer(text))]
    places = {0, len(text), *chain.from_iterable(spans)}
    return tuple(_run(text, start, end, wide, form) for start, end in pairwise(sorted(places)))


def _form(text: str) -> Iterator[Marked]:
    for match in _STRONG.finditer(text):
        yield Marked("strong", 0, match.start(2), match.end(2))
        yield Marked("hidden", 0, *match.span(1))
        yield Marked("hidden", 0, *match.span(3))
    for match in _ITEM.finditer(text):
        yield Marked("item", 0, *match.span())


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


# --- paragraphs and lists ---------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class DiffSection:
    """A paragraph (one item) or a list (several items). Line breaks inside an item are kept."""

    listed: bool
    items: tuple[tuple[Run, ...], ...]


def sections(runs: Iterable[Run]) -> Iterator[DiffSection]:
    """The paragraphs and lists of a text, in order, without Markdown syntax."""
    for listed, group in groupby(_items(runs), itemgetter(0)):
        items = tuple(item for _, item in group)
        yield from [DiffSection(True, items)] if listed else (DiffSection(False, (item,)) for item in items)


def _items(runs: Iterable[Run]) -> Iterator[tuple[bool, tuple[Run, ...]]]:
    """Pairs: whether it is a list item, and its runs."""
    listed, pieces = False, list[Run]()
    for run in runs:
        blank = not run.text.strip("\n") and run.text.count("\n") > 1
        if (run.item or blank) and pieces:
            yield listed, _trimmed(pieces)
            listed, pieces = False, []
        if run.item:
            listed = True
        elif not run.hidden and not blank:
            pieces.append(run)
    if pieces:
        yield listed, _trimmed(pieces)


def _trimmed(pieces: list[Run]) -> tuple[Run, ...]:
    last = len(pieces) - (not pieces[-1].text.strip("\n"))
    return tuple(pieces[:last])
