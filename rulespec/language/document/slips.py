"""Slips whose syntax error comes only later: an open quote, a hyphen without a space, a comment in a text."""

from __future__ import annotations

import re
from collections.abc import Iterator

import yaml

from rulespec.base.diagnostics import Finding, Span, finding
from rulespec.base.messages import say
from rulespec.base.source import Source
from rulespec.language.document.loader import LOADER
from rulespec.language.document.unquoted import unquoted

_HYPHEN = re.compile(r"""[ ]*(-)(?=[^\W\d]|[{\["'])""")
_COMMENT = re.compile(r"(?P<text>[^\s#\[\]{},:][^#\n\[\]{},:]*?)[ \t]+#[^\n]*[,}\]]")
_INSIDE = re.compile(r"[^\s,:\]}]")
_OTHERS = re.compile(r"\n|[,{] ?\w*: |: ?[\[{]")  # of a quoted text: a line break, or the keys that follow it
_INNER = {
    "'": say("Write an apostrophe inside single quotes twice."),
    '"': say('Write \\" for a quote inside double quotes, or put single quotes around the text.'),
}


def slips(source: Source, wrong: int, opened: int | None) -> Iterator[Finding]:
    """The slip that explains why the parser stopped at offset `wrong`, if there is one.

    `opened` is the offset of the outermost bracket that is known to be open there.
    """
    for found in (_open_quote(source, wrong), _hyphen(source, wrong), _comment(source, wrong, opened)):
        if found is not None:
            yield found
            return


def _open_quote(source: Source, wrong: int) -> Finding | None:
    """A quoted text that ends in front of a word: by a quote inside it, or by the first quote of another text."""
    line = source.position(wrong).line
    for start, end in _quoted(source):
        if source.position(end).line == line and _INSIDE.match(source.text, end):
            if _OTHERS.search(source.text, start, end):
                hint = say("Add the closing quote.")
                return finding("yaml-syntax", say("The quote is not closed."), source, Span(start, start + 1), hint)
            return finding(
                "yaml-syntax",
                say("The text ends at this quote."),
                source,
                Span(end - 1, end),
                _INNER[source.text[start]],
            )
    return None


def _quoted(source: Source) -> Iterator[tuple[int, int]]:
    try:
        for token in yaml.scan(source.text, Loader=LOADER):
            if isinstance(token, yaml.ScalarToken) and token.style in ("'", '"'):
                yield token.start_mark.index, token.end_mark.index
    except yaml.YAMLError:
        return


def _hyphen(source: Source, wrong: int) -> Finding | None:
    """The hyphen of a list item without a space, on the line where the parser stopped or the one above."""
    line = source.position(wrong).line
    for number in (line, line - 1) if line > 1 else (line,):
        text = source.line(number)
        if (found := _HYPHEN.match(text)) and re.search(r"[:{\[]", text):
            at = source.line_start(number) + found.start(1)
            message = say("The hyphen of a list item needs a space after it.")
            return finding("yaml-syntax", message, source, Span(at, at + 1), say("Write a space after the hyphen."))
    return None


def _comment(source: Source, wrong: int, opened: int | None) -> Finding | None:
    """A text in brackets with a comment that takes their end away."""
    found = _COMMENT.search(source.text, opened, wrong) if opened is not None else None
    if found is None:
        return None
    rest = re.match(r"[^,}\]\n]*", source.text[found.end("text") :])
    end = found.end("text") + len(rest[0].rstrip() if rest else "")
    inside = source.text[opened] if opened is not None else ""
    return unquoted(source, Span(found.start("text"), end), " #", inside)
