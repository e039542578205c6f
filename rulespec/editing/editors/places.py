"""The node at an offset of a document, with the keys and positions that lead to it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from rulespec.language.document.nodes import Mapping, Node, Scalar, Sequence

Path = tuple[str | int, ...]


@dataclass(frozen=True)
class Place:
    """A scalar: the path of its mapping or list, and its key there. `is_key` says that it is the key itself."""

    node: Scalar
    path: Path
    is_key: bool = False

    @property
    def around(self) -> Path:
        """The path of the mapping or list that the scalar stands in."""
        return self.path[:-1]

    @property
    def key(self) -> str:
        """The nearest key around a value, or the key itself."""
        return next((step for step in reversed(self.path) if isinstance(step, str)), "")


def places(node: Node, path: Path = ()) -> Iterator[Place]:
    """Every scalar of a document, keys included, in order."""
    if isinstance(node, Scalar):
        yield Place(node, path)
    elif isinstance(node, Sequence):
        for number, item in enumerate(node.items):
            yield from places(item, (*path, number))
    else:
        for key, value in node.entries:
            yield Place(key, (*path, key.text), True)
            yield from places(value, (*path, key.text))


def place_at(root: Node, offset: int) -> Place | None:
    """The scalar that contains an offset or ends there."""
    found = (one for one in places(root) if one.node.span.start <= offset <= one.node.span.end)
    return next((one for one in found if one.node.span.start < one.node.span.end), None)


def node_at(root: Node, path: Path) -> Node | None:
    """The node at the end of a path."""
    node: Node | None = root
    for step in path:
        if isinstance(node, Mapping):
            node = node.get(str(step))
        elif isinstance(node, Sequence) and isinstance(step, int):
            node = node.items[step]
        else:
            return None
    return node
