"""Turns errors of the YAML parser into findings."""

from __future__ import annotations

import re

from rulespec.diagnostics import Finding, Span, finding
from rulespec.document.syntax_messages import NO_COLON, UNCLOSED, WORDINGS, Wording
from rulespec.messages import say
from rulespec.source import Source


def syntax_finding(source: Source, error: Exception) -> Finding:
    """The finding for an exception of the YAML parser."""
    if conflict := _CONFLICT.search(source.text):
        hint = say("Keep one of the two versions, and delete the lines with `<<<<<<<`, `=======` and `>>>>>>>`.")
        return finding("yaml-syntax", say("A merge has left both versions here."), source, Span(*conflict.span()), hint)
    said = f"{getattr(error, 'context', '')}: {getattr(error, 'problem', error)}"
    wrong, begun = mark(error, "problem_mark"), mark(error, "context_mark")
    if source.text[wrong : wrong + 1] == "\t" and "quoted" not in said:
        said = "tab character"
    wording = next(row for row in WORDINGS if re.search(row.needle, said))
    if "',' or" in said and source.position(begun).line != source.position(wrong).line:
        wording = UNCLOSED
    close = _CLOSE.match(source.text, begun) if wording is NO_COLON else None
    if close is not None:
        place = Span(close.start("colon"), close.end("colon"))
        hint = say("Write a space after the colon: `{name}: {rest}`.", name=close["key"], rest=close["rest"])
        return finding("yaml-syntax", say("The colon after a key needs a space."), source, place, hint)
    return _syntax_at(source, begun if wording.at_start else wrong, wording)


_CONFLICT = re.compile(r"^<<<<<<<(?= |$)(?=[^\0]*^>>>>>>>)", re.MULTILINE)
"""The first mark that git writes around two versions of a passage."""

_CLOSE = re.compile(r"(?P<key>[a-z_][\w.]*)(?P<colon>:)(?P<rest>[^\s:][^\n]{0,40})$", re.MULTILINE)
"""A key and its value without a space between them."""


def _syntax_at(source: Source, offset: int, wording: Wording) -> Finding:
    sign = source.text[offset : offset + 1].strip("\r\n")
    span = Span(offset, offset + len(sign))
    return finding("yaml-syntax", say(wording.message, sign=sign), source, span, wording.hint)


def mark(error: Exception, name: str) -> int:
    """The offset of a mark of the parser, or that of its problem if it has no such mark."""
    mark = getattr(error, name, None) or getattr(error, "problem_mark", None)
    return int(mark.index) if mark else 0
