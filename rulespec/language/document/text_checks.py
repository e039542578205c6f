"""Checks of single texts of a document: quotes that YAML does not know as quotes, titles of several lines, escapes of
control characters."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rulespec.base.characters import STEERING
from rulespec.base.diagnostics import Finding, finding
from rulespec.base.messages import say
from rulespec.language.document.nodes import Mapping, Node, Scalar, Sequence
from rulespec.language.document.places import short

_PARTNERS = {"“": "”", "”": "”", "„": "“”", "«": "»", "»": "«", "‘": "’", "‚": "‘’"}
_STRAIGHT = "\"'"


def half_quoted(node: Node) -> Iterator[Finding]:
    """The texts of a document that begin with a typographic quote and end without it: players would read the mark."""
    if isinstance(node, Scalar):
        yield from _half(node)
        return
    for child in _children(node):
        yield from half_quoted(child)


def _children(node: Mapping | Sequence) -> Iterable[Node]:
    return (part for entry in node.entries for part in entry) if isinstance(node, Mapping) else node.items


def _half(scalar: Scalar) -> Iterator[Finding]:
    text = scalar.text
    partners = _PARTNERS.get(text[:1], "")
    if scalar.style or not partners or any(mark in text[1:] for mark in partners):
        return
    straight = text.endswith(tuple(_STRAIGHT))
    message = say("The quote {text} has no partner, and YAML does not know it as a quote.", text=text[0])
    inner = text[1:-1] if straight else text[1:]
    simple = '"' not in inner and "\\" not in inner and "\n" not in inner
    hint = say('Write "{text}".', text=inner) if simple else say("Use straight quotes, both of the same kind.")
    yield finding("half-quoted", message, scalar.source, scalar.value_span(0, 1), hint)


_ONE_LINE = ("title", "says")
"""Keys of texts that players read on one line: headings, names on cards and boards, actions."""


def broken_lines(node: Node) -> Iterator[Finding]:
    """The titles of a document that have several lines, or only spaces."""
    for key, below in node.entries if isinstance(node, Mapping) else ():
        if key.text in _ONE_LINE and isinstance(below, Scalar):
            lines = [line for line in below.text.split("\n") if line.strip()]
            if below.text and not lines:
                message = say("`{key}` has only spaces.", key=key.text)
                yield finding("too-few", message, below.source, below.span, say("Add a text."))
            if len(lines) > 1:
                message = say("`{key}` is one line, but this has {number}.", key=key.text, number=len(lines))
                hint = say("Write “{text}”.", text=short(" ".join(below.text.split())))
                yield finding("wrong-kind", message, below.source, below.span, hint)
    children = () if isinstance(node, Scalar) else [item for item in _children(node) if not isinstance(item, Scalar)]
    for child in children:
        yield from broken_lines(child)


def escaped_controls(scalar: Scalar) -> Iterator[Finding]:
    """One finding for all steering characters of a value, at the first.

    They come from escapes: `source.control_characters` refuses a file that holds one itself.
    """
    places = [found.start() for found in STEERING.finditer(scalar.text)]
    if places:
        what = say("This escape is the control character U+{code:04X}", code=ord(scalar.text[places[0]]))
        more = say(", and {number} more follow.", number=len(places) - 1) if len(places) > 1 else say(".")
        place = scalar.value_span(places[0], places[0] + 1)
        yield finding("escaped-control", what + more, scalar.source, place, say("Delete the escape."))
