"""Taking positioned nodes apart."""

from __future__ import annotations

from collections.abc import Iterator

from rulespec.document import Mapping as MapNode
from rulespec.document import Node, Scalar, Sequence


class Broken(Exception):
    """A node of the wrong shape: the schema has said so already, whoever reads it stops here."""


def mapping(node: Node | None) -> MapNode:
    if not isinstance(node, MapNode):
        raise Broken
    return node


def items(node: Node | None) -> tuple[Node, ...]:
    """The items of a list; a single node counts as a list of one, nothing as an empty list."""
    if node is None:
        return ()
    return node.items if isinstance(node, Sequence) else (node,)


def scalar(node: Node | None) -> Scalar:
    if not isinstance(node, Scalar) or node.value is None:
        raise Broken
    return node


def named(node: Node | None) -> Scalar:
    """A name; a number or a truth value is none, and the schema has said so."""
    found = scalar(node)
    if not isinstance(found.value, str):
        raise Broken
    return found


def text(node: Node | None) -> str:
    return scalar(node).text


def whole(node: Node | None) -> int:
    """A whole number as such; `true` is none."""
    value = scalar(node).value
    if not isinstance(value, int) or isinstance(value, bool):
        raise Broken
    return value


def entries(node: Node | None) -> Iterator[tuple[Scalar, Node]]:
    """Key and value nodes of a mapping, of repeated keys the first; nothing where there is none."""
    seen: set[str] = set()
    for key, value in mapping(node).entries if node is not None else ():
        if key.text not in seen:
            yield key, value
        seen.add(key.text)
