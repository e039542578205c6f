"""Declarations as they are written in a spec."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from rulespec.diagnostics import Span
from rulespec.document import Mapping as MapNode
from rulespec.document import Node, Sequence, parse
from rulespec.source import Source


def written(source: Source, span: Span) -> str:
    """The text at a span in one line; with its value if it is a key."""
    whole = _entries(source).get(span, span)
    return " ".join(source.text[whole.start : whole.end].split())


@lru_cache(maxsize=4)
def _entries(source: Source) -> Mapping[Span, Span]:
    """The span of every key, with that of the key and its value."""
    root, _ = parse(source)
    found: dict[Span, Span] = {}
    waiting: list[Node] = [root] if root is not None else []
    while waiting:
        node = waiting.pop()
        if isinstance(node, MapNode):
            found |= {key.span: Span(key.span.start, value.span.end) for key, value in node.entries}
            waiting += [value for _, value in node.entries]
        elif isinstance(node, Sequence):
            waiting += node.items
    return found
