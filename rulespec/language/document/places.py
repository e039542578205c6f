"""Positions in a source: of events, and of every character of a value."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from rulespec.base.diagnostics import Span
from rulespec.base.source import Source

_MARK = re.compile(r"[&!][^\s,\[\]{}]*")
_MARKS = re.compile(r"(?:[&!]\S*\s*)*")

_BR = r"(?:\r\n|\r|\n)"
_BREAK = re.compile(_BR)
_FOLD = rf"(?P<fold>[ \t]*+(?:{_BR}[ \t]*+)++)"
_PIECES = {
    "": re.compile(rf"{_FOLD}|(?P<run>[ \t]++|[^ \t\r\n]++)"),
    "'": re.compile(rf"{_FOLD}|(?P<escape>'')|(?P<run>[ \t]++|[^ \t\r\n']++)"),
    '"': re.compile(
        rf"(?P<join>\\(?:{_BR}[ \t]*+)++)|{_FOLD}"
        r"|(?P<escape>\\(?:x.{2}|u.{4}|U.{8}|.))|(?P<run>[ \t]++|[^ \t\r\n\\]++)"
    ),
}


def span(event: Any) -> Span:
    """The place of an event of the YAML parser, as the parser sees it."""
    return Span(event.start_mark.index, event.end_mark.index)


def mark_span(text: str, event: Any, sign: str) -> Span:
    """The anchor or tag of an event, which begins with `sign`."""
    start = max(text.find(sign, event.start_mark.index), event.start_mark.index)
    found = _MARK.match(text, start)
    return Span(start, found.end() if found else start + 1)


def scalar_span(text: str, event: Any) -> Span:
    """The place of a scalar without its anchor, its tag and the blank lines after it."""
    start, end = event.start_mark.index, event.end_mark.index
    if event.anchor is not None or event.tag is not None:  # the parser counts them in
        found = _MARKS.match(text, start, end)
        start = found.end() if found else start
    if event.style in ("|", ">"):  # the parser counts in the line breaks after it
        end = start + len(text[start:end].rstrip())
    return Span(start, max(start, end))


def offsets_of(source: Source, span: Span, text: str, style: str) -> list[int]:
    """The source offset of every character of a scalar's value, and that of its end; empty if there is no map."""
    if style == "|":
        # Every line of the value is the tail of its line in the source, whatever the indentation.
        offsets: list[int] = []
        first = source.position(span.start).line + 1
        for number, line in enumerate(text.removesuffix("\n").split("\n") if text else [], first):
            raw = source.line(number) if number <= source.line_count else ""
            # Better no map than a wrong one (see `Scalar.offset`).
            if not raw.endswith(line):
                return []
            begin = source.line_start(number) + len(raw) - len(line)
            offsets.extend(range(begin, begin + len(line) + 1))
        if len(offsets) == len(text):
            offsets.append(offsets[-1] + 1 if offsets else span.start)
        return offsets
    if style in _PIECES:
        quote = len(style)
        return list(_flow_offsets(source.text, Span(span.start + quote, span.end - quote), _PIECES[style]))
    return []


def _flow_offsets(text: str, span: Span, pieces: re.Pattern[str]) -> Iterator[int]:
    for piece in pieces.finditer(text, span.start, span.end):
        if piece.lastgroup == "run":
            yield from range(piece.start(), piece.end())
        elif piece.lastgroup == "escape":
            yield piece.start()
        else:  # one line break reads as a space (or, after a backslash, as nothing), each further one as a break
            breaks = [found.start() for found in _BREAK.finditer(text, piece.start(), piece.end())]
            yield from breaks[1:] or breaks[: piece.lastgroup == "fold"]
    yield span.end


def short(text: str) -> str:
    """A text for a message: on one line, and cut if it is long."""
    text = " ".join(text.split())
    return text if len(text) <= 40 else text[:39] + "…"
