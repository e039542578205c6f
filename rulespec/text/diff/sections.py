"""Groups the runs of a text into paragraphs and lists."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from rulespec.text.diff.runs import Run


@dataclass(frozen=True)
class DiffSection:
    """A paragraph (one item) or a list (several items). Line breaks inside an item are kept."""

    listed: bool
    items: tuple[tuple[Run, ...], ...]


def sections(runs: Iterable[Run]) -> Iterator[DiffSection]:
    """The paragraphs and lists of a text, in order, without Markdown syntax."""
    items: list[tuple[Run, ...]] = []
    for listed, item in _items(runs):
        if listed:
            items.append(item)
            continue
        yield from _listed(items)
        items = []
        yield DiffSection(False, (item,))
    yield from _listed(items)


def _listed(items: list[tuple[Run, ...]]) -> Iterator[DiffSection]:
    if items:
        yield DiffSection(True, tuple(items))


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
