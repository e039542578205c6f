"""Text in terminal cells: its width, its escapes, and the part of a long line to show."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import repeat

from rulespec.base.characters import UNSEEN, escaped, visible

TAB = 4
_HAN = "\u2e80-\u2fdf\u3005-\u3007\u3040-\u9fff\uf900-\ufaff"
_OPENING, _CLOSING = "「『（《〈【", "」』）》〉】，。、：；！？"
_WORD = re.compile(
    rf"\s*[{_OPENING}]*(?:[{_HAN}]|(?:`[^`\s]+`|[^\s{_HAN}{_OPENING}{_CLOSING}])+)[{_CLOSING}]*(?: —(?= ))?\s*"
    r"|\s*\S\s*|\s+"
)
"""A word, or a Chinese character, with its marks and the spaces behind; the first of a line with those before.
Code stays whole, and a dash goes with the word before it."""
_SPACE = re.compile(r"[\t\r\n]+")


def cells(character: str) -> int:
    """How many cells a character takes. East Asian Ambiguous ones (Cyrillic, dashes, quotes) take one."""
    # The quick way for most texts: no character below is wide or combining.
    if character < "\u0300":
        return 1
    if unicodedata.category(character) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def width(text: str) -> int:
    """How many cells a text without tabs takes."""
    return sum(map(cells, text))


def left(text: str, columns: int) -> str:
    """A cell of a table, filled up on its right."""
    return text + " " * (columns - width(text))


def right(text: str, columns: int) -> str:
    """A cell of a table, filled up on its left."""
    return " " * (columns - width(text)) + text


def columns(
    rows: Sequence[Sequence[str]], sides: Sequence[Callable[[str, int], str]], least: Iterable[int] = repeat(0)
) -> Iterator[str]:
    """The rows of a table as lines, each cell at its side of its column, which takes `least` cells at the least."""
    wide = [max(room, *map(width, column)) for room, column in zip(least, zip(*rows, strict=True), strict=False)]
    for row in rows:
        yield "  ".join(side(cell, room) for side, cell, room in zip(sides, row, wide, strict=True)).rstrip()


def harmless(text: str) -> str:
    """A text on one line, with every steering or invisible character as an escape."""
    return visible(_SPACE.sub(" ", text.strip("\r\n")))


def wrapped(text: str, columns: int) -> str:
    """A text whose lines are broken between words where they take more cells; what goes on is indented by two more."""
    lines = text.split("\n")
    return "\n".join(part for line in lines for part in folded(line, columns, len(line) - len(line.lstrip()) + 2))


def folded(line: str, columns: int, further: int = 0) -> list[str]:
    """A line broken between words, or Chinese characters, where it takes more cells; what goes on is indented."""
    lines = [""]
    for word in _WORD.findall(line):
        if lines[-1].strip() and width(lines[-1] + word.rstrip()) > columns:
            lines.append(" " * further)
        lines[-1] += word
    return [one.rstrip() for one in lines]


def excerpt(line: str, start: int, end: int, limit: int) -> tuple[str, int, int]:
    """The part of a line around code points start..end (from 0) in at most `limit` cells.

    Gives the part to print, the cells before the mark under it and the cells of the mark (at least 1).
    """
    start = min(start, len(line))
    end = max(start, min(end, len(line), start + limit))
    # Only what can be in the part is measured: a file of one long line may have thousands of findings.
    skipped = max(0, start - limit)
    line, start, end = line[skipped : end + limit], start - skipped, end - skipped
    shown, offsets = _spread(line)
    first, last = offsets[start], max(offsets[end], offsets[start] + 1)
    if offsets[-1] <= limit:
        return "".join(shown).rstrip(), first, last - first
    return _window(shown, offsets, start, last, limit)


def _spread(line: str) -> tuple[list[str], list[int]]:
    """What to print for each character, and the cell at which each begins, and the line ends."""
    shown: list[str] = []
    offsets = [0]
    unseen = {found.start() for found in UNSEEN.finditer(line)}
    for index, character in enumerate(line):
        tab = " " * (TAB - offsets[-1] % TAB) if character == "\t" else ""
        shown.append(tab or (escaped(character) if index in unseen else character))
        offsets.append(offsets[-1] + width(shown[-1]))
    return shown, offsets


def _window(shown: list[str], offsets: list[int], start: int, last: int, limit: int) -> tuple[str, int, int]:
    room = limit - 2  # an ellipsis at either end
    size = min(last - offsets[start], room)
    wanted = max(0, offsets[start] - max(0, (room - size) // 3))
    left = next(i for i, cell in enumerate(offsets) if cell >= min(wanted, max(0, offsets[-1] - room)))
    right = max(i for i, cell in enumerate(offsets) if cell <= offsets[left] + room)
    head, tail = "…" if left else "", "…" if right < len(shown) else ""
    before = offsets[start] - offsets[left] + len(head)
    return head + "".join(shown[left:right]).rstrip() + tail, before, max(1, min(last, offsets[right]) - offsets[start])
