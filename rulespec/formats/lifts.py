"""What lifts change in the document of a file, as patches."""

from __future__ import annotations

import re
from collections.abc import Iterator

from rulespec.diagnostics import Span
from rulespec.document import Mapping, Node, Scalar, Sequence
from rulespec.document.patches import Patch, column, end_of_line, is_flow, line_break
from rulespec.source import Source

GOES_ON = "{note: The game goes on.}"
"""What a loop did at its bound before it had to say so."""

_BLOCK = "|>"
"""The styles of scalars that end with their last line break."""

_MODELINE = re.compile(r"^[ \t]*#[ \t]*yaml-language-server:.*?\b(?P<key>[a-z]+)-(?P<number>\d+)\.schema\.json", re.M)


def number(source: Source, root: Mapping, key: str, to: int) -> Iterator[Patch]:
    """Writes the number of the format, also in the name of the schema that a comment gives to editors."""
    value = root.get(key)
    if value is not None:
        yield Patch(value.span, str(to))
    else:
        entry = f"{key}: {to}"
        first = root.entries[0][0].span.start
        yield Patch(Span(first, first), f"{entry}, " if is_flow(source, root) else entry + line_break(source))
    for named in _MODELINE.finditer(source.text):
        if named["key"] == key:
            yield Patch(Span(*named.span("number")), str(to))


def bounds(source: Source, root: Mapping) -> Iterator[Patch]:
    """Loops with `at_most` say that the game goes on after so many rounds. An edit of an overlay that removes the bound
    of a loop removes what happens there."""
    for key, step in _entries(root):
        if key.text == "repeat" and isinstance(step, Mapping) and step.get("then") is None:
            bound = step.get("at_most")
            if bound is not None:
                removed = isinstance(bound, Scalar) and bound.value is None
                yield _beside(source, step, "at_most", f"then: {'null' if removed else GOES_ON}")


def also(source: Source, root: Mapping) -> Iterator[Patch]:
    """Facts that a text may repeat from other rules are under `about`, which takes all names of a spec."""
    for key, facts in _entries(root):
        for fact, _ in _entries(facts) if key.text == "states" else ():
            if fact.text == "also":
                yield Patch(fact.span, "about")


def confirmations(source: Source, root: Mapping) -> Iterator[Patch]:
    """Confirmations say the format of their digests."""
    for section in ("rules", "rulings"):
        texts = root.get(section)
        for _, passage in texts.entries if isinstance(texts, Mapping) else ():
            seal = passage.get("confirmed") if isinstance(passage, Mapping) else None
            if isinstance(seal, Scalar) and seal.text and not seal.text.startswith(("1-", "2-")):
                yield Patch(Span(seal.offset(0), seal.offset(0)), "1-")


def _entries(node: Node) -> Iterator[tuple[Scalar, Node]]:
    """All entries of all mappings in a node."""
    if isinstance(node, Mapping):
        for key, value in node.entries:
            yield key, value
            yield from _entries(value)
    elif isinstance(node, Sequence):
        for item in node.items:
            yield from _entries(item)


def _beside(source: Source, mapping: Mapping, name: str, entry: str) -> Patch:
    """Adds an entry to a mapping after the one with a key; before it if its text has line breaks of its own."""
    key, value = next((key, value) for key, value in mapping.entries if key.text == name)
    if is_flow(source, mapping):
        return Patch(Span(value.span.end, value.span.end), f", {entry}")
    indent = line_break(source) + " " * column(source, key)
    if isinstance(value, Scalar) and value.style and value.style in _BLOCK:
        return Patch(Span(key.span.start, key.span.start), entry + indent)
    end = end_of_line(source, value.span.end)
    return Patch(Span(end, end), indent + entry)
