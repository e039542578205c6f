"""One error of jsonschema in its context, and the problem that is made of it."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from rulespec.base.diagnostics import Span
from rulespec.base.messages import Message, all_of, any_of, quoted, say
from rulespec.language.document.nodes import Mapping, Node, Scalar, key_at
from rulespec.language.document.nodes import at as at_document
from rulespec.language.document.places import short
from rulespec.language.document.scalars import resolve

if TYPE_CHECKING:
    from jsonschema import ValidationError

Path = tuple[str | int, ...]

NEAR = 0.65
"""Similarity of words for a suggestion, as `difflib` measures it: allows one or two errors in six letters."""


@dataclass(frozen=True)
class Problem:
    """A finding before duplicates are removed.

    `path` leads to the value or mapping; `keys` are the keys it lacks. `instead` are the known keys that an unknown key
    was meant to be, `inside` the paths where misplaced keys belong.
    """

    name: str
    message: Message
    hint: Message
    path: Path
    span: Span
    keys: tuple[str, ...] = ()
    instead: tuple[str, ...] = ()
    inside: tuple[Path, ...] = ()


@dataclass(frozen=True)
class SchemaContext:
    error: ValidationError
    root: Node
    whole: Any

    @cached_property
    def path(self) -> Path:
        return tuple(self.error.absolute_path)

    @property
    def given(self) -> Any:
        return self.error.instance

    @property
    def asked(self) -> Any:
        """The value of the keyword of the schema that failed."""
        return self.error.validator_value

    @property
    def schema(self) -> dict[str, Any]:
        return self.error.schema if isinstance(self.error.schema, dict) else {}

    @property
    def node(self) -> Node:
        return at_document(self.root, self.path)

    @property
    def bad_key(self) -> str | None:
        """The wrong key, which jsonschema gives as the instance of its mapping; None if a value is wrong."""
        key = self.given
        return key if isinstance(key, str) and isinstance(self.node, Mapping) else None

    @property
    def already_said(self) -> bool:
        """Whether the value is a stand-in for a number that has been reported as out of bounds."""
        node = self.node
        return isinstance(node, Scalar) and not node.style and node.value != resolve(node.text)

    @property
    def operation(self) -> str:
        """The key whose companions the schema describes; empty if it describes all keys of a mapping."""
        place = list(self.error.absolute_schema_path)
        return str(place[-2]) if place[-3:-2] == ["dependentSchemas"] else ""

    @property
    def owner(self) -> dict[str, Any]:
        """The schema of the whole mapping."""
        if not self.operation:
            return self.schema
        owners = (item for item in self.whole["$defs"].values())
        return next(item for item in owners if item.get("dependentSchemas", {}).get(self.operation) is self.schema)

    @property
    def called(self) -> Message:
        return say(self.owner.get("x-name", say("mapping")))

    @property
    def label(self) -> Message:
        """The name of the value in messages: its key, or its position in a list."""
        if not self.path:
            return say("The file")
        if isinstance(self.path[-1], str):
            return say("`{key}`", key=short(self.path[-1]))
        owner = next((step for step in reversed(self.path) if isinstance(step, str)), "")
        return say("Item {number} of `{owner}`", number=self.path[-1] + 1, owner=owner)

    @property
    def operations(self) -> Collection[str]:
        """The keys of the operations of a step."""
        operations: dict[str, Any] = self.whole["$defs"].get("step", {}).get("dependentSchemas", {})
        return operations.keys()

    @cached_property
    def present(self) -> list[str]:
        """The operations that the mapping has."""
        rivals = self.owner.get("dependentSchemas", {})
        return [key for key in self.given if key in rivals]

    def keys_inside(self, part: dict[str, Any]) -> dict[str, Any]:
        """The keys of the mapping that a part of the schema refers to; none if it has no keys of its own."""
        target = self.whole["$defs"].get(str(part.get("$ref", "")).removeprefix("#/$defs/"), {})
        properties: dict[str, Any] = target.get("properties", {})
        return properties

    def key_span(self, key: str) -> Span:
        return key_at(self.root, (*self.path, key)).span

    @property
    def value_span(self) -> Span:
        # An empty value has no width, so the finding points at its key.
        node = self.node
        empty = isinstance(node, Scalar) and not node.text
        return self.head if empty else first_line(node)

    @property
    def head(self) -> Span:
        """The visible start of the value: its key, or the first line of a list item."""
        return first_line(key_at(self.root, self.path))


# --- wording helpers -------------------------------------------------------------------------------------------------


def what(node: Node) -> Message:
    if not isinstance(node, Scalar):
        return say("a mapping") if isinstance(node, Mapping) else say("a list")
    return say("`{text}`", text=short(node.text)) if node.text.strip() else say("empty")


def first_line(node: Node) -> Span:
    end = node.source.text.find("\n", node.span.start, node.span.end)
    return node.span if end < 0 else Span(node.span.start, len(node.source.text[:end].rstrip()))


def with_article(noun: Message) -> Message:
    return say("an {noun}", noun=noun) if noun[0] in "aeio" else say("a {noun}", noun=noun)


def either(names: Sequence[object]) -> str:
    return any_of(quoted(names))


def joined(names: Sequence[object]) -> str:
    return all_of(quoted(names))
