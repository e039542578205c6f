"""Nodes of a document: scalars, lists and mappings with their positions."""

from __future__ import annotations

from collections import abc
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, TypeAlias
from unicodedata import normalize

from rulespec.base.diagnostics import Span
from rulespec.base.source import Source
from rulespec.language.document.places import offsets_of
from rulespec.language.document.scalars import Value

Node: TypeAlias = "Scalar | Sequence | Mapping"


@dataclass(frozen=True)
class Scalar:
    """A single value. `text` is what was written, without quotes and escapes; `style` is one of '', ', ", | and >."""

    span: Span
    value: Value
    text: str
    style: str
    source: Source = field(repr=False, compare=False)

    @cached_property
    def _offsets(self) -> list[int] | None:
        offsets = offsets_of(self.source, self.span, self.text, self.style)
        # Better no map than a wrong one: a caret under another character misleads more than one at the start.
        return offsets if len(offsets) == len(self.text) + 1 else None

    def offset(self, index: int) -> int:
        """The source offset of character `index` of `text`; `len(text)` gives the place just after the last.

        Text folded with ">" has no such map: every index gives the start of the scalar.
        """
        if self._offsets is None:
            return self.span.start
        return self._offsets[max(0, min(index, len(self.text)))]

    def value_span(self, start: int, end: int) -> Span:
        """The source span of `text[start:end]`; the whole scalar if there is no exact map."""
        return self.span if self._offsets is None else Span(self.offset(start), self.offset(max(start, end)))


@dataclass(frozen=True)
class Sequence:
    """A list of nodes."""

    span: Span
    items: tuple[Node, ...]
    source: Source = field(repr=False, compare=False)


@dataclass(frozen=True)
class Mapping:
    """Keys and values in the order of the file. Keys are looked up by their text, in Unicode form NFC."""

    span: Span
    entries: tuple[tuple[Scalar, Node], ...]
    source: Source = field(repr=False, compare=False)

    @cached_property
    def _by_key(self) -> dict[str, tuple[Scalar, Node]]:
        # Reversed, so that the first of repeated keys remains.
        return {normalize("NFC", entry[0].text): entry for entry in reversed(self.entries)}

    def get(self, key: str) -> Node | None:
        """The value of `key`, or the first one if the key is repeated."""
        entry = self._by_key.get(normalize("NFC", key))
        return entry[1] if entry else None

    def key(self, key: str) -> Scalar | None:
        """The node of the key itself."""
        entry = self._by_key.get(normalize("NFC", key))
        return entry[0] if entry else None

    def items(self) -> abc.Iterator[tuple[str, Node]]:
        return ((key.text, value) for key, value in self.entries)


def plain(node: Node) -> Any:
    """The node as ordinary dicts, lists and values; keys are always text, and of a repeated key the first counts."""
    if isinstance(node, Scalar):
        return node.value
    if isinstance(node, Sequence):
        return [plain(item) for item in node.items]
    result: dict[str, Any] = {}
    for key, value in node.entries:
        result.setdefault(key.text, plain(value))
    return result


def at(node: Node, path: abc.Iterable[str | int]) -> Node:
    """The node a path of keys and list indexes (as jsonschema gives them) leads to, or the deepest that exists."""
    for step in path:
        if isinstance(node, Mapping):
            below = node.get(str(step))
        elif isinstance(node, Sequence) and isinstance(step, int) and 0 <= step < len(node.items):
            below = node.items[step]
        else:
            below = None
        if below is None:
            return node
        node = below
    return node


def key_at(node: Node, path: abc.Iterable[str | int]) -> Node:
    """Like `at`, but the node of the last key rather than of its value; for a list item the item."""
    steps = list(path)
    parent = at(node, steps[:-1])
    if steps and isinstance(parent, Mapping):
        return parent.key(str(steps[-1])) or parent
    return at(node, steps)
