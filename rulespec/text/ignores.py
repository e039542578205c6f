"""Findings set aside in the text itself: `ftk: ignore RS959 the publisher prints it so`, in a comment."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass

from rulespec.diagnostics import Finding, Report, Span, finding
from rulespec.source import Source

_COMMENT = re.compile(
    r"ftk:[ \t]*+ignore\b[ \t]*+(?P<which>[A-Za-z][\w-]*+(?:,[ \t]*+[A-Za-z][\w-]*+)*+)?(?P<reason>[^\r\n]*)"
)
_OPENERS = ("#", "//", "<!--", "[//]: # (")
_CLOSER = re.compile(r"(?:-->|\))?$")


@dataclass(frozen=True)
class Ignore:
    """A remark that sets findings aside: their codes or names, on its own line or, where that is all, on the next."""

    which: frozenset[str]
    reason: str
    span: Span
    line: int
    alone: bool

    def covers(self, found: Finding) -> bool:
        here = found.start.line == self.line + 1 if self.alone else found.start.line == self.line
        return here and (found.code in self.which or found.name in self.which)


def ignores(source: Source) -> Iterator[Ignore]:
    """The remarks of a text, in order."""
    for match in _COMMENT.finditer(source.text):
        line = source.position(match.start()).line
        # The opening sign is looked for backwards from the word: a pattern that begins with optional blanks would be
        # tried at every blank of the text, which is quadratic in runs of blanks.
        before = source.text[source.line_start(line) : match.start()].rstrip(" \t")
        opener = next((opener for opener in _OPENERS if before.endswith(opener)), "")
        before = before.removesuffix(opener)
        start = source.line_start(line) + len(before)
        which = frozenset(filter(None, re.split(r",[ \t]*", match["which"] or "")))
        reason = _CLOSER.sub("", match["reason"].rstrip()).strip(" :–—-")
        yield Ignore(which, reason, Span(start, match.end()), line, not before.strip())


def without_ignored(report: Report, source: Source) -> Report:
    """The findings about a text that no remark sets aside, and what is wrong with the remarks themselves."""
    remarks = list(ignores(source))
    if not remarks:
        return report
    inside = {remark.line for remark in remarks if remark.alone}
    by_line: dict[int, list[Ignore]] = defaultdict(list)
    for remark in remarks:
        by_line[remark.line + remark.alone].append(remark)
    used: set[Ignore] = set()
    left = []
    for found in report.findings:
        covering = [remark for remark in by_line[found.start.line] if remark.reason and remark.covers(found)]
        used.update(covering)
        if not covering and found.start.line not in inside:
            left.append(found)
    return Report.of(left, _faults(remarks, used, source))


def _faults(remarks: list[Ignore], used: set[Ignore], source: Source) -> Iterator[Finding]:
    for remark in remarks:
        if not remark.which or not remark.reason:
            message = "This remark does not say what it sets aside and why."
            hint = "Write it like `ftk: ignore RS959 the publisher prints it so`."
            yield finding("ignore-without-reason", message, source, remark.span, hint)
        elif remark not in used:
            message = f"There is no finding {' or '.join(sorted(remark.which))} here to set aside."
            yield finding("ignore-unused", message, source, remark.span, "Delete the remark.")
