"""Merge patches of positioned nodes (RFC 7396): mappings merge, `null` removes, everything else replaces."""

from __future__ import annotations

from collections.abc import Iterator

from rulespec.language.document.nodes import Mapping, Node, Scalar

Path = tuple[str, ...]


def is_null(node: Node) -> bool:
    """Whether a value is a written `null`. A key without a value is a mistake, not a removal."""
    return isinstance(node, Scalar) and node.value is None and bool(node.text)


def patched(base: Node, patch: Node) -> Node:
    """The node with a patch. What comes from the patch keeps its place there."""
    if not isinstance(base, Mapping) or not isinstance(patch, Mapping):
        return patch
    entries = [entry for key, value in base.entries for entry in _entry(key, value, patch)]
    added = [(key, value) for key, value in patch.entries if base.get(key.text) is None and not is_null(value)]
    return Mapping(base.span, (*entries, *added), base.source)


def edited(base: Node, patch: Node) -> Node:
    """The node with a patch. As a whole it has the place of the patch, which makes it what it is in the variant."""
    node = patched(base, patch)
    return Mapping(patch.span, node.entries, patch.source) if isinstance(node, Mapping) else node


def _entry(key: Scalar, value: Node, patch: Mapping) -> Iterator[tuple[Scalar, Node]]:
    change = patch.get(key.text)
    if change is None:
        yield key, value
    elif not is_null(change):
        # A value that is replaced has its place in the patch, and so has its key.
        both = isinstance(value, Mapping) and isinstance(change, Mapping)
        yield key if both else patch.key(key.text) or key, patched(value, change)


def absent(base: Node, patch: Node) -> Iterator[Scalar]:
    """The keys that a patch removes and the base does not have."""
    for key, value in patch.entries if isinstance(patch, Mapping) else ():
        below = base.get(key.text) if isinstance(base, Mapping) else None
        if is_null(value) and below is None:
            yield key
        elif below is not None:
            yield from absent(below, value)


def paths(patch: Node) -> Iterator[tuple[Path, Node]]:
    """The path of keys to every value that a patch writes or removes, and that value."""
    if not isinstance(patch, Mapping) or not patch.entries:
        yield (), patch
        return
    for key, value in patch.entries:
        for path, leaf in paths(value):
            yield (key.text, *path), key if leaf is value else leaf
