"""The width of texts on cards, in an estimate for usual sans-serif fonts, and texts in lines."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from unicodedata import combining, east_asian_width

SMALLEST = 2.1
"""The size of the smallest print that is read with ease: 6 points, in millimetres."""

_LEADING = 1.25
"""The distance of lines, in parts of the font size."""

_NOT_FIRST = "，。、！？；：）」』》〉】…,.!?;:)"
"""Signs that begin no line where text has no spaces."""

_WIDE = "⺀-￯"

_UNBROKEN = re.compile(
    rf"[+−-]?\d+\s+[^\s{_WIDE}]+|[+−-]?\d+\s*[{_WIDE}][{re.escape(_NOT_FIRST)}]*"
    rf"|\s+|[^\s{_WIDE}]+|[{_WIDE}][{re.escape(_NOT_FIRST)}]*"
)
"""Parts of a text between which a line may end: words, spaces, and Chinese and Japanese characters one by one; a number
stays beside what it counts."""


@dataclass(frozen=True)
class Block:
    """A text in lines: the font size, and the distance of lines, both in millimetres; `excess` is the number of
    characters for which there is no room at the smallest size."""

    lines: tuple[str, ...]
    size: float
    excess: int = 0

    @property
    def leading(self) -> float:
        return round(_LEADING * self.size, 2)


def ems(text: str) -> float:
    """The width of a line of text, in parts of the font size."""
    return sum(map(_em, text))


def fitted(text: str, size: float, width: float) -> float:
    """The largest font size up to `size` at which a line of text is about as wide as `width`, all in millimetres."""
    wide = ems(text)
    return round(min(size, width / wide), 2) if wide else size


def most(text: str, width: float) -> int:
    """How many characters of a text are no wider than this many times the font size."""
    return sum(ems(text[:end]) <= width for end in range(1, len(text) + 1))


def wrapped(text: str, size: float, width: float, height: float) -> Block:
    """A text in lines of a width, at the largest font size up to `size` at which it is no higher than `height`, all in
    millimetres. Line breaks of the text stay."""
    sizes = [size, *(one / 10 for one in range(int(10 * size), 0, -1))]
    block = next((one for one in (_at(text, size, width) for size in sizes) if _fits(one, width, height)), None)
    if block is not None and block.size >= min(size, SMALLEST):
        return block
    smallest = _at(text, SMALLEST, width)
    room = sum(map(len, smallest.lines[: max(0, int(height / smallest.leading))]))
    return replace(block or smallest, excess=max(1, len(text) - room))


def _at(text: str, size: float, width: float) -> Block:
    return Block(tuple(_lines(text, width / size)), size)


def _fits(block: Block, width: float, height: float) -> bool:
    widest = max(map(ems, block.lines), default=0)
    return len(block.lines) * block.leading <= height and widest * block.size <= width


def _lines(text: str, width: float) -> Iterator[str]:
    for paragraph in text.splitlines():
        line = ""
        for part in _UNBROKEN.findall(paragraph):
            if line and ems(line) + ems(part.rstrip()) > width:
                yield line.rstrip()
                line, part = "", part.lstrip()
            line += part
        yield line.rstrip()


def _em(sign: str) -> float:
    """The width of a letter of a usual sans-serif font, in parts of the font size."""
    if combining(sign):
        return 0.0
    return 1.0 if is_wide(sign) else 0.68 if sign.isupper() else 0.6


def is_wide(sign: str) -> bool:
    """Whether a sign is as wide as it is high, as Chinese characters are."""
    return east_asian_width(sign) in "WF"
