"""Declarations as they are written in a spec, whatever their layout."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import lru_cache

from rulespec.base.diagnostics import Span
from rulespec.base.source import Source
from rulespec.language.document import parse
from rulespec.language.document.nodes import Mapping as MapNode
from rulespec.language.document.nodes import Node, Scalar, Sequence


def written(source: Source, span: Span) -> str:
    """The value at a span in one line, without comments; a key with its value."""
    found = _at(source).get(span)
    if isinstance(found, tuple):
        return _entry(*found)
    return _inline(found) if found is not None else " ".join(source.text[span.start : span.end].split())


@dataclass(frozen=True)
class Piece:
    """A part of a declaration that one version has, in one line, and its place."""

    text: str
    span: Span


def differing(old: Source, was: Span, new: Source, now: Span) -> tuple[list[Piece], list[Piece]]:
    """The smallest parts in which the values at two spans differ, before and after."""
    before, after = _at(old).get(was), _at(new).get(now)
    if before is None or after is None or isinstance(before, tuple) or isinstance(after, tuple):
        return [Piece(written(old, was), was)], [Piece(written(new, now), now)]
    found = list(_in_values(before, after))
    return [one for one, _ in found if one is not None], [other for _, other in found if other is not None]


_Pair = tuple[Piece | None, Piece | None]


def _differing(before: Node, after: Node, key: str = "") -> Iterator[_Pair]:
    """The parts that differ. Rules inside have changes of their own."""
    same_rule = _id(before) is not None and _id(before) == _id(after)
    if not same_rule and _inline(before) != _inline(after):
        yield from _in_values(before, after, key)


def _id(node: Node) -> str | None:
    id_ = node.get("id") if isinstance(node, MapNode) else None
    return id_.text if isinstance(id_, Scalar) else None


def _in_values(before: Node, after: Node, key: str = "") -> Iterator[_Pair]:
    if isinstance(before, MapNode) and isinstance(after, MapNode):
        yield from _in_mappings(before, after)
    elif isinstance(before, Sequence) and isinstance(after, Sequence):
        yield from _in_lists(before, after)
    else:
        yield _piece(before, key), _piece(after, key)


def _in_mappings(before: MapNode, after: MapNode) -> Iterator[_Pair]:
    was, now = ({key.text: value for key, value in node.entries} for node in (before, after))
    for key in dict.fromkeys((*was, *now)):
        if key in was and key in now:
            yield from _differing(was[key], now[key], key)
        else:
            yield _piece(was.get(key), key), _piece(now.get(key), key)


def _in_lists(before: Sequence, after: Sequence) -> Iterator[_Pair]:
    was, now = ([_inline(one) for one in node.items] for node in (before, after))
    if sorted(was) == sorted(now) and not any(map(_id, before.items)):
        yield from _moved(before, after, [one != other for one, other in zip(was, now, strict=True)])
        return
    # Without `autojunk`, which ignores frequent items in lists of 200 or more.
    for same, i, j, k, m in SequenceMatcher(None, was, now, autojunk=False).get_opcodes():
        if same == "replace" and j - i == m - k:
            for one, other in zip(before.items[i:j], after.items[k:m], strict=True):
                yield from _differing(one, other)
        elif same != "equal":
            yield from ((_piece(one), None) for one in before.items[i:j])
            yield from ((None, _piece(one)) for one in after.items[k:m])


def _moved(before: Sequence, after: Sequence, differ: list[bool]) -> Iterator[_Pair]:
    """The items of lists in another order, from the first place that differs to the last."""
    start, end = differ.index(True), len(differ) - differ[::-1].index(True)
    for one, other in zip(before.items[start:end], after.items[start:end], strict=True):
        yield _piece(one), _piece(other)


def _piece(node: Node | None, key: str = "") -> Piece | None:
    if node is None:
        return None
    return Piece(f"{key}: {_inline(node)}" if key else _inline(node), node.span)


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
