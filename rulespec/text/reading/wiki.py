"""Headings and lists in the markup of wikis, as Markdown writes them."""

from __future__ import annotations

import regex

_HEADING = regex.compile(r"^(={1,6})[ \t]*+([^=\n]++)\1[ \t]*+$", regex.MULTILINE)
_ITEM = regex.compile(r"^[*#]+(?=[ \t])", regex.MULTILINE)


def as_markdown(text: str) -> str:
    """A text with `== Title ==` as `## Title`, and `#` and `**` before items as indented `-`, if it has such headings.

    Everything stays at its offset. Without such a heading a text is returned as it is: `#` begins a heading then.
    """
    if not _HEADING.search(text):
        return text
    # Items first: afterwards headings begin with `#`, as items did.
    listed = _ITEM.sub(lambda mark: " " * (len(mark[0]) - 1) + "-", text)
    return _HEADING.sub(lambda one: _heading(one[0], len(one[1])), listed)


def _heading(line: str, level: int) -> str:
    title = line.strip(" \t=")
    return f"{'#' * level} {title}".ljust(len(line))
