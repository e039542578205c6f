"""Slips whose syntax error comes only later: a character that looks like another, an open quote, a hyphen without a
space, a comment in a text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

import yaml

from rulespec.base.characters import IMPOSTORS, unmasked
from rulespec.base.diagnostics import Finding, Span, finding
from rulespec.base.messages import say
from rulespec.base.source import Source
from rulespec.language.document.loader import LOADER
from rulespec.language.document.nodes import Node, Scalar
from rulespec.language.document.syntax import mark
from rulespec.language.document.unquoted import unquoted

_HYPHEN = re.compile(r"""[ ]*(-)(?=[^\W\d]|[{\["'])""")
_INDENT = re.compile(r" *([^\S \t\r\n])")
_COMMENT = re.compile(r"(?P<text>[^\s#\[\]{},:][^#\n\[\]{},:]*?)[ \t]+#[^\n]*[,}\]]")
_INSIDE = re.compile(r"[^\s,:\]}]")
_OTHERS = re.compile(r"\n|[,{] ?\w*: |: ?[\[{]")  # of a quoted text: a line break, or the keys that follow it
_INNER = {
    "'": say("Write an apostrophe inside single quotes twice."),
    '"': say('Write \\" for a quote inside double quotes, or put single quotes around the text.'),
}


_TRIED = 1_000_000
"""Characters that are parsed in search of impostors, at most: a second or two."""


def impostors(source: Source, wrong: int) -> Iterator[Finding]:
    """The characters that look like others, without which the parser gets beyond offset `wrong` and on from there."""
    starts = [*(source.line_start(number) for number in range(1, source.line_count + 1)), len(source.text)]
    lines = [source.text[start:end] for start, end in pairwise(starts)]
    at, left, tries = source.position(wrong).line - 1, len(source.text) - wrong, _TRIED // len(source.text)
    while at >= 0 and left >= 0 and tries > 0:
        line = lines[at]
        for found in IMPOSTORS.finditer(line):
            tries -= 1
            lines[at] = as_meant(line, found.end())
            now = Source("", "".join(lines))
            if (rest := len(now.text) - _stop(now.text)) < left:
                yield impostor(source, starts[at + 1] - len(line) + found.start())
                at, left = now.position(len(now.text) - rest).line - 1, rest
                break
        else:
            lines[at], at = line, at - 1
    if left == len(source.text) - wrong:  # nothing helps: a wrong blank may be one of too many or too few
        last = source.position(wrong).line
        indents = (_INDENT.match(source.text, starts[line - 1]) for line in (last, last - 1) if line)
        yield from [impostor(source, found.start(1)) for found in indents if found][:1]


def impostor_in(node: Node) -> Finding | None:
    """The first character that looks like another in a text without quotes that has only ordinary ones beside it."""
    if not isinstance(node, Scalar) or node.style or not (found := IMPOSTORS.search(node.text)):
        return None
    meant = as_meant(node.text)
    is_range = re.fullmatch(r"\d+ *- *\d+", meant)  # written with two dots
    return impostor(node.source, node.offset(found.start())) if meant.isascii() and not is_range else None


def as_meant(text: str, end: int | None = None) -> str:
    """A text with ordinary characters up to an offset, and a space behind those that need one in YAML."""

    def meant(found: re.Match[str]) -> str:
        sign = unmasked(found[1])[0] * len(found[0])
        return f"{sign} " if sign in ("-", ":", ",") and text[found.end() : found.end() + 1].strip() else sign

    return IMPOSTORS.sub(meant, text[:end]) + ("" if end is None else text[end:])


def _stop(text: str) -> int:
    """The offset where the parser stops at an error; one behind the text if it has none."""
    try:
        for _ in yaml.parse(text, Loader=LOADER):
            pass
    except (yaml.YAMLError, ValueError, OverflowError) as error:
        return mark(error, "problem_mark")
    return len(text) + 1


def impostor(source: Source, offset: int) -> Finding:
    _, message, hint = unmasked(source.text[offset])
    return finding("yaml-syntax", message, source, Span(offset, offset + 1), hint)


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
