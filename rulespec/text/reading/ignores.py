"""Ignore comments: `ftk: ignore RS959 the publisher prints it so` suppresses a finding."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from rulespec.base.diagnostics import Finding, Report, Span, finding
from rulespec.base.findings.table import GROUPS, RETIRED
from rulespec.base.messages import say
from rulespec.base.source import Source
from rulespec.language.document import parse
from rulespec.language.document.nodes import Mapping as MapNode
from rulespec.language.document.nodes import Node
from rulespec.language.document.nodes import Sequence as ListNode

_COMMENT = re.compile(
    r"ftk:[ \t]*+ignore\b[ \t]*+(?P<which>[A-Za-z][\w-]*+(?:,[ \t]*+[A-Za-z][\w-]*+)*+)?(?P<reason>[^\r\n]*)"
)
_OPENERS = ("#", "//", "<!--", "[//]: # (")
_CLOSER = re.compile(r"(?:-->|\))?$")


NEVER_UNUSED = frozenset((*RETIRED, *RETIRED.values())).union(
    word
    for group in GROUPS
    if group.id in ("search", "reviews")
    for kind in group.kinds
    for word in (kind.code, kind.name)
)
"""Kinds of finding that only a deep search or a reviewer can have, and those that earlier versions reported: no comment
about them is unused."""


@dataclass(frozen=True)
class Ignore:
    """An ignore comment: the codes or names that it suppresses in its `lines`. Those are its own line; if it stands
    alone, the next one, or all lines of the YAML node below it."""

    which: frozenset[str]
    reason: str
    span: Span
    line: int
    lines: range

    @property
    def alone(self) -> bool:
        return self.line not in self.lines

    def covers(self, found: Finding) -> bool:
        return found.start.line in self.lines and (found.code in self.which or found.name in self.which)


def ignores(source: Source, root: Node | None = None) -> Iterator[Ignore]:
    """The ignore comments of a text, in order. `root` is the root of a YAML file, whose comments are about nodes."""
    ends, scalars = _ends(source, root), _long_scalars(root)
    for match in _COMMENT.finditer(source.text):
        line = source.position(match.start()).line
        # Search the comment sign backwards from the word: a pattern that starts with optional blanks is tried at every
        # blank of the text, which is quadratic in runs of blanks.
        before = source.text[source.line_start(line) : match.start()].rstrip(" \t")
        opener = next((opener for opener in _OPENERS if before.endswith(opener)), "")
        before = before.removesuffix(opener)
        start = source.line_start(line) + len(before)
        which = frozenset(filter(None, re.split(r",[ \t]*", match["which"] or "")))
        reason = _CLOSER.sub("", match["reason"].rstrip()).strip(" :–—-")
        lines = range(line, line + 1)
        if not before.strip():
            in_text = any(one.start <= start < one.end for one in scalars)
            lines = range(line + 1, line + 2) if in_text else _below(source, line, ends)
        yield Ignore(which, reason, Span(start, match.end()), line, lines)


def _below(source: Source, line: int, ends: Mapping[int, int]) -> range:
    """The lines that a comment of its own line is about: those of the node below it and below further comments."""
    first = line + 1
    # Without nodes this is a raw text, in which a line with `#` is a heading, not a further comment.
    while ends and first <= source.line_count and source.line(first).lstrip().startswith("#"):
        first += 1
    return range(first, ends.get(first, first) + 1)


def _ends(source: Source, root: Node | None) -> dict[int, int]:
    """The last line of the outermost entry or item that begins on a line."""
    found: dict[int, int] = {}
    for span in _parts(root):
        found.setdefault(source.position(span.start).line, source.position(span.end).line)
    return found


def _parts(node: Node | None) -> Iterator[Span]:
    """The entries and items of a node, those around others first."""
    if isinstance(node, MapNode):
        for key, value in node.entries:
            yield Span(key.span.start, max(key.span.end, value.span.end))
            yield from _parts(value)
    elif isinstance(node, ListNode):
        for item in node.items:
            yield item.span
            yield from _parts(item)


def _long_scalars(node: Node | None) -> list[Span]:
    """The texts of several lines, in which a comment is a part of the text."""
    if isinstance(node, MapNode):
        return [span for _, value in node.entries for span in _long_scalars(value)]
    if isinstance(node, ListNode):
        return [span for item in node.items for span in _long_scalars(item)]
    is_long = node is not None and "\n" in node.source.text[node.span.start : node.span.end]
    return [node.span] if is_long and node is not None else []


def not_ignored(found: Iterable[Finding], source: Source) -> list[Finding]:
    """The findings about a YAML file that no ignore comment with a reason suppresses."""
    comments = [comment for comment in ignores(source, parse(source)[0]) if comment.reason]
    return [one for one in found if one.path != source.path or not any(comment.covers(one) for comment in comments)]


def without_ignored(report: Report, source: Source, root: Node | None = None) -> Report:
    """The findings that no ignore comment suppresses, and findings about the ignore comments."""
    comments = list(ignores(source, root))
    if not comments:
        return report
    # Such a line is no text of the game, so what checks find in it is no finding.
    inside = {comment.line for comment in comments if comment.alone}
    by_line: dict[int, list[Ignore]] = defaultdict(list)
    for comment in comments:
        for line in comment.lines:
            by_line[line].append(comment)
    used: set[Ignore] = set()
    left = []
    for found in report.findings:
        line = found.start.line if found.path == source.path else 0  # a finding may be about another file
        covering = [comment for comment in by_line[line] if comment.reason and comment.covers(found)]
        used.update(covering)
        if not covering and line not in inside:
            left.append(found)
    return Report.of(left, _faults(comments, used, source))


def _faults(comments: list[Ignore], used: set[Ignore], source: Source) -> Iterator[Finding]:
    for comment in comments:
        if not comment.which or not comment.reason:
            message = say("This ignore comment has no code or no reason.")
            hint = say("Write it like `ftk: ignore RS959 the publisher prints it so`.")
            yield finding("ignore-without-reason", message, source, comment.span, hint)
        elif comment not in used and not comment.which & NEVER_UNUSED:
            message = say(
                "Unused ignore comment: there is no finding {names} here.", names=" or ".join(sorted(comment.which))
            )
            yield finding("ignore-unused", message, source, comment.span, say("Delete the comment."))
