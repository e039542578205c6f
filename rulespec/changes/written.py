"""Declarations as they are written in a spec, whatever their layout."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from rulespec.diagnostics import Span
from rulespec.document import Mapping as MapNode
from rulespec.document import Node, Scalar, Sequence, parse
from rulespec.source import Source


def written(source: Source, span: Span) -> str:
    """The value at a span in one line, without comments; a key with its value."""
    found = _at(source).get(span)
    if isinstance(found, tuple):
        return _entry(*found)
    return _inline(found) if found is not None else " ".join(source.text[span.start : span.end].split())


def _inline(node: Node) -> str:
    if isinstance(node, Sequence):
        return f"[{', '.join(map(_inline, node.items))}]"
    if isinstance(node, MapNode):
        return f"{{{', '.join(_entry(key, value) for key, value in node.entries)}}}"
    return " ".join(node.source.text[node.span.start : node.span.end].split())


def _entry(key: Scalar, value: Node) -> str:
    return f"{_inline(key)}: {_inline(value)}"


@lru_cache(maxsize=4)
def _at(source: Source) -> Mapping[Span, Node | tuple[Scalar, Node]]:
    """The node at every span; at the span of a key the key with its value."""
    root, _ = parse(source)
    found: dict[Span, Node | tuple[Scalar, Node]] = {}
    waiting: list[Node] = [root] if root is not None else []
    while waiting:
        node = waiting.pop()
        found[node.span] = node
        if isinstance(node, MapNode):
            found |= {key.span: (key, value) for key, value in node.entries}
            waiting += [value for _, value in node.entries]
        elif isinstance(node, Sequence):
            waiting += node.items
    return found
