"""The outline of a file: its sections and names, and the parts that can be folded."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from rulespec.base.diagnostics import Span
from rulespec.base.source import Source
from rulespec.editing.editors.pieces import readable
from rulespec.language.document.nodes import Mapping, Node, Scalar
from rulespec.language.document.nodes import Sequence as ListNode


@dataclass(frozen=True)
class Entry:
    """A part of a file with a name. `span` is all of it, `name_span` the name."""

    name: str
    detail: str
    span: Span
    name_span: Span
    inside: tuple[Entry, ...] = ()


def outline(source: Source) -> tuple[Entry, ...]:
    """The sections of a file with the names declared in them, and rules with the rules inside; of one that is no
    YAML at some place, those elsewhere."""
    root = readable(source)
    if not isinstance(root, Mapping):
        return ()
    return tuple(_section(key, value) for key, value in root.entries)


def _section(key: Scalar, value: Node) -> Entry:
    inside = tuple(_rules(value)) or (tuple(_names(value)) if isinstance(value, Mapping) else ())
    return Entry(key.text, "", _both(key, value), key.span, inside)


def _names(node: Mapping) -> Iterator[Entry]:
    for key, value in node.entries:
        yield Entry(key.text, _title(value), _both(key, value), key.span)


def _rules(node: Node) -> Iterator[Entry]:
    """The nodes with an id in a part of a file; those inside another one belong to it."""
    if isinstance(node, Scalar):
        return
    children = node.items if isinstance(node, ListNode) else [value for _, value in node.entries]
    inside = tuple(entry for child in children for entry in _rules(child))
    id_ = node.get("id") if isinstance(node, Mapping) else None
    if isinstance(id_, Scalar):
        yield Entry(id_.text, _title(node), node.span, id_.span, inside)
    else:
        yield from inside


def _title(node: Node) -> str:
    """The title of an entry; an option without one is called by its words."""
    known = map(node.get, ("title", "question", "says")) if isinstance(node, Mapping) else ()
    return next((one.text for one in known if isinstance(one, Scalar)), "")


def _both(key: Scalar, value: Node) -> Span:
    return Span(key.span.start, max(key.span.end, value.span.end))


def folds(source: Source) -> tuple[tuple[int, int], ...]:
    """The first and the last line of every part of more than one line, counted from 1."""
    root = readable(source)
    spans = _parts(root) if root is not None else ()
    lines = {_lines(source, span) for span in spans}
    return tuple(sorted((first, last) for first, last in lines if last > first))


def _lines(source: Source, span: Span) -> tuple[int, int]:
    end = span.start + len(source.text[span.start : span.end].rstrip())
    return source.position(span.start).line, source.position(end).line


def _parts(node: Node) -> Iterator[Span]:
    if isinstance(node, Mapping):
        for key, value in node.entries:
            yield _both(key, value)
            yield from _parts(value)
    elif isinstance(node, ListNode):
        for item in node.items:
            yield item.span
            yield from _parts(item)
