"""Ignore comments: `ftk: ignore RS959 the publisher prints it so` suppresses a finding."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from rulespec.diagnostics import Finding, Report, Span, finding
from rulespec.findings import GROUPS
from rulespec.messages import say
from rulespec.source import Source

_COMMENT = re.compile(
    r"ftk:[ \t]*+ignore\b[ \t]*+(?P<which>[A-Za-z][\w-]*+(?:,[ \t]*+[A-Za-z][\w-]*+)*+)?(?P<reason>[^\r\n]*)"
)
_OPENERS = ("#", "//", "<!--", "[//]: # (")
_CLOSER = re.compile(r"(?:-->|\))?$")


SEARCHED = frozenset(
    word for group in GROUPS if group.id == "search" for kind in group.kinds for word in (kind.code, kind.name)
)
"""Kinds of finding that only a deep search can have, so that no comment about them is unused."""


@dataclass(frozen=True)
class Ignore:
    """An ignore comment: the codes or names that it suppresses on its line, or on the next line if it stands alone."""

    which: frozenset[str]
    reason: str
    span: Span
    line: int
    alone: bool

    def covers(self, found: Finding) -> bool:
        here = found.start.line == self.line + 1 if self.alone else found.start.line == self.line
        return here and (found.code in self.which or found.name in self.which)


def ignores(source: Source) -> Iterator[Ignore]:
    """The ignore comments of a text, in order."""
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
        yield Ignore(which, reason, Span(start, match.end()), line, not before.strip())


def not_ignored(found: Iterable[Finding], source: Source) -> list[Finding]:
    """The findings that no ignore comment with a reason suppresses."""
    comments = [comment for comment in ignores(source) if comment.reason]
    return [one for one in found if not any(comment.covers(one) for comment in comments)]


def without_ignored(report: Report, source: Source) -> Report:
    """The findings that no ignore comment suppresses, and findings about the ignore comments."""
    comments = list(ignores(source))
    if not comments:
        return report
    inside = {comment.line for comment in comments if comment.alone}
    by_line: dict[int, list[Ignore]] = defaultdict(list)
    for comment in comments:
        by_line[comment.line + comment.alone].append(comment)
    used: set[Ignore] = set()
    left = []
    for found in report.findings:
        covering = [comment for comment in by_line[found.start.line] if comment.reason and comment.covers(found)]
        used.update(covering)
        if not covering and found.start.line not in inside:
            left.append(found)
    return Report.of(left, _faults(comments, used, source))


def _faults(comments: list[Ignore], used: set[Ignore], source: Source) -> Iterator[Finding]:
    for comment in comments:
        if not comment.which or not comment.reason:
            message = say("This ignore comment has no code or no reason.")
            hint = say("Write it like `ftk: ignore RS959 the publisher prints it so`.")
            yield finding("ignore-without-reason", message, source, comment.span, hint)
        elif comment not in used and not comment.which & SEARCHED:
            message = say(
                "Unused ignore comment: there is no finding {names} here.", names=" or ".join(sorted(comment.which))
            )
            yield finding("ignore-unused", message, source, comment.span, say("Delete the comment."))
