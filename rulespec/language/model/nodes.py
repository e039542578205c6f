"""Access to positioned nodes of an expected shape."""

from __future__ import annotations

import re
from collections.abc import Iterator

from rulespec.language.document.nodes import Mapping as MapNode
from rulespec.language.document.nodes import Node, Scalar, Sequence

_NAME = re.compile(r"[a-z][a-z0-9_]*")


class Broken(Exception):
    """Raised for a node of the wrong shape. The schema has reported it, so the reader only stops."""


def mapping(node: Node | None) -> MapNode:
    if not isinstance(node, MapNode):
        raise Broken
    return node


def items(node: Node | None) -> tuple[Node, ...]:
    """The items of a list. A single node is a list of one item, an absent node an empty list."""
    if node is None:
        return ()
    return node.items if isinstance(node, Sequence) else (node,)


def scalar(node: Node | None) -> Scalar:
    if not isinstance(node, Scalar) or node.value is None:
        raise Broken
    return node


def named(node: Node | None) -> Scalar:
    """A scalar with a name. Raises Broken for a number or a truth value, which the schema reports."""
    found = scalar(node)
    if not isinstance(found.value, str):
        raise Broken
    return found


def declared(node: Node | None) -> Scalar:
    """A scalar with a name that a declaration can have. Raises Broken for any other, which the schema reports."""
    found = named(node)
    if not _NAME.fullmatch(found.text):
        raise Broken
    return found


def text(node: Node | None) -> str:
    return scalar(node).text


def whole(node: Node | None) -> int:
    """A whole number; `true` is not one."""
    value = scalar(node).value
    if not isinstance(value, int) or isinstance(value, bool):
        raise Broken
    return value


def entries(node: Node | None) -> Iterator[tuple[Scalar, Node]]:
    """Keys and values of a mapping, the first of repeated keys; none if the node is absent."""
    seen: set[str] = set()
    for key, value in mapping(node).entries if node is not None else ():
        if key.text not in seen:
            yield key, value
        seen.add(key.text)
