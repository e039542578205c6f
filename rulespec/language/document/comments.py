"""What is left of a YAML text without the comments that no check reads."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator

from rulespec.base.diagnostics import Span
from rulespec.base.source import Source
from rulespec.language.document import parse
from rulespec.language.document.nodes import Mapping, Node, Scalar

_COMMENT = re.compile(r"(?m)(?P<line>^[ \t]*|[ \t]+)(?P<sign>#)(?!\w)(?P<words>[^\r\n]*)(?P<end>\r?\n|\Z)")
"""A comment with the blanks before it and the line break after it. A word directly behind the sign is a mistake that
checks report."""

_READ = ("ftk", "yaml-language-server")
"""Words of comments that are instructions."""

_LONE_BREAK = re.compile(r"\r(?!\n)")


def without_comments(source: Source) -> tuple[str, ...] | None:
    """A YAML text without plain comments, then its values: two texts for which this is equal differ in nothing that a
    check reads but places. None for a text with findings, and for one whose comments may count.

    Comments count in a spec that lists renamed names, which belong to the text of a version to the letter.
    """
    root, found = parse(source)
    if not isinstance(root, Mapping) or found or root.get("renamed") is not None or _LONE_BREAK.search(source.text):
        return None
    scalars = sorted(_scalars(root), key=lambda one: one.span.start)
    # The values, too: without the comment after it, a text of several lines may have one more line break.
    return "".join(_left(source.text, [one.span for one in scalars])), *(one.text for one in scalars)


def _scalars(node: Node) -> Iterator[Scalar]:
    if isinstance(node, Scalar):
        yield node
        return
    for child in (part for entry in node.entries for part in entry) if isinstance(node, Mapping) else node.items:
        yield from _scalars(child)


def _left(text: str, values: list[Span]) -> Iterator[str]:
    """The pieces of a text between its plain comments. `values` are the places of its values, in order."""
    starts, at = [one.start for one in values], 0
    for found in _COMMENT.finditer(text):
        before = bisect_right(starts, found.start("sign")) - 1
        inside = before >= 0 and found.start("sign") < values[before].end
        if not inside and _is_plain(found["words"]):
            # A line that is nothing but a comment goes with its line break.
            is_line = found.start() == 0 or text[found.start() - 1] == "\n"
            yield text[at : found.start()]
            at = found.end() if is_line else found.start("end")
    yield text[at:]


def _is_plain(comment: str) -> bool:
    """Whether a comment is a plain one, which no check reads. Invisible characters are findings."""
    return comment.replace("\t", " ").isprintable() and not any(word in comment for word in _READ)
