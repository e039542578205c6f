"""Splits a text into lines, sentences and paragraphs."""

from __future__ import annotations

import re
from collections.abc import Iterator

from rulespec.base.diagnostics import Span
from rulespec.text.languages.record import Language

_LINE = re.compile(r"[^\r\n]+")


def lines(text: str, start: int = 0, end: int | None = None) -> Iterator[Span]:
    """The lines of `text[start:end]` that are not blank, without line breaks."""
    for match in _LINE.finditer(text, start, len(text) if end is None else end):
        if match[0].strip():
            yield Span(match.start(), match.end())


def sentences(text: str, language: Language, start: int = 0, end: int | None = None) -> Iterator[Span]:
    """The sentences of `text[start:end]`, running text, with their end marks."""
    last = len(text) if end is None else end
    begin = start
    for match in language.stop.finditer(text, start, last):
        yield from _trimmed(text, begin, match.end())
        begin = match.end()
    yield from _trimmed(text, begin, last)


def paragraphs(text: str, start: int = 0, end: int | None = None) -> Iterator[Span]:
    """The paragraphs and list items of `text[start:end]`."""
    last = len(text) if end is None else end
    begin = start
    for match in _BORDER.finditer(text, start, last):
        yield from _trimmed(text, begin, match.start())
        begin = match.start()
    yield from _trimmed(text, begin, last)


def passages(text: str, language: Language, start: int, end: int) -> Iterator[Span]:
    """The sentences of a text with paragraphs and lists. A sentence ends at a blank line and at a list item."""
    for paragraph in paragraphs(text, start, end):
        yield from sentences(text, language, paragraph.start, paragraph.end)


def is_item(text: str, at: int) -> bool:
    """Whether a list item or a row of a table starts at an offset."""
    return _ITEM.match(text, at) is not None


_ITEM = re.compile(r"[-*•·–—|]\s|\d{1,2}[.)、]")
_BORDER = re.compile(r"\n[^\S\n]*\n|\n[^\S\n]*(?=[-*•·–—|]|\d{1,2}[.)、])")


def _trimmed(text: str, start: int, end: int) -> Iterator[Span]:
    piece = text[start:end]
    if piece.strip():
        yield Span(start + len(piece) - len(piece.lstrip()), start + len(piece.rstrip()))
