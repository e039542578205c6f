"""Turns errors of the YAML parser into findings RS101 `yaml-syntax`, by a table of messages and hints."""

from __future__ import annotations

import re
from dataclasses import dataclass

from rulespec.base.diagnostics import Finding, Span, finding
from rulespec.base.messages import Message, say
from rulespec.base.source import Source


@dataclass(frozen=True)
class Wording:
    """A message and hint for an error of the parser; `needle` is searched in its text "context: problem"."""

    needle: str
    message: Message
    hint: Message
    at_start: bool = False  # the finding is at the start of the construct, not where parsing failed


# The parser reports an unclosed bracket only lines later, so the finding is at the bracket.
UNCLOSED = Wording(
    "",
    say("The bracket is not closed, or a comma is missing inside it."),
    say("Close it, or add the comma."),
    at_start=True,
)
NO_COLON = Wording(
    "could not find expected ':'",
    say('The line is neither "key: value" nor "- item".'),
    say("Add a colon and a space after the key, or join the line to the text above."),
    at_start=True,
)
# The first row that is found in the text of the parser counts, so special ones come before general ones.
WORDINGS = (
    Wording("tab character|'\\\\t'", say("A tab is used for indentation."), say("Indent with spaces.")),
    Wording(
        "quoted scalar: found unexpected (end|document)",
        say("The quote is not closed."),
        say("Add the closing quote. In single quotes, write an apostrophe twice."),
        at_start=True,
    ),
    Wording(
        "quoted",
        say("The escape does not exist in double quotes."),
        say("Write \\\\ for a backslash, or use single quotes."),
    ),
    Wording(
        "',' or",
        say("A comma or a closing bracket is missing before this position."),
        say("Add it, or put quotes around the text."),
    ),
    Wording(
        "mapping values are not allowed",
        say("The colon starts a second value on this line."),
        say('Put quotes around a text that contains ": ", or indent the line like its neighbours.'),
    ),
    NO_COLON,
    Wording("cannot start any token", say("A value cannot begin with {sign}."), say("Put quotes around it.")),
    Wording(
        "alphabetic or numeric|tag",
        say("A value cannot begin with {sign}."),
        say("Put quotes around it."),
        at_start=True,
    ),
    Wording(
        "directive|incompatible",
        say("A line that begins with % is a YAML directive, which is not allowed."),
        say("Delete the line."),
    ),
    Wording(
        "block scalar",
        say("Only an indentation number, + or - may follow | and > on their line."),
        say("Begin the text on the next line, indented."),
    ),
    Wording(
        "document start",
        say("The value is complete before this position."),
        say("Put quotes around the whole text, or delete the rest."),
    ),
    Wording(
        "node content",
        say("A value is missing before this character."),
        say("Write the value, or delete the character."),
    ),
    Wording(
        "sequence entries are not allowed",
        say("A list cannot begin on the line of its key."),
        say("Put each item on a line of its own, or put quotes around a text that begins with a hyphen."),
    ),
    Wording(
        "block end|expected key|'-' indicator",
        say("The indentation or the syntax does not fit the lines above."),
        say("Indent it like its neighbours. Delete text after a closing quote or bracket."),
    ),
    Wording("", say("The text is not valid YAML."), say("Compare it with the lines around it.")),
)


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
    offset = begun if wording.at_start else wrong
    sign = source.text[offset : offset + 1].strip("\r\n")
    span = Span(offset, offset + len(sign))
    return finding("yaml-syntax", say(wording.message, sign=sign), source, span, wording.hint)


_CONFLICT = re.compile(r"^<<<<<<<(?= |$)(?=[^\0]*^>>>>>>>)", re.MULTILINE)
"""The first mark that git writes around two versions of a passage."""

_CLOSE = re.compile(r"(?P<key>[a-z_][\w.]*)(?P<colon>:)(?P<rest>[^\s:][^\n]{0,40})$", re.MULTILINE)
"""A key and its value without a space between them."""


def mark(error: Exception, name: str) -> int:
    """The offset of a mark of the parser, or that of its problem if it has no such mark."""
    mark = getattr(error, name, None) or getattr(error, "problem_mark", None)
    return int(mark.index) if mark else 0
