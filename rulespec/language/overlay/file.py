"""An overlay file: which version of which game it extends, and its edits."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from rulespec.base.diagnostics import Finding, Related, Severity, finding
from rulespec.base.messages import NOTHING, Message, say
from rulespec.base.project import JOINT
from rulespec.base.source import Source
from rulespec.language.document.nodes import Mapping, Node, Scalar, Sequence, plain
from rulespec.language.formats.current import document

Verb = Literal["change", "add", "remove"]

ABOUT_ROW = frozenset({"copies", "status", "source"})
"""The keys of a row of the manifest that say nothing about the card. The others identify the row."""


@dataclass(frozen=True)
class Edit:
    """One edit of an overlay: the thing that it changes, adds or removes, by section and name.

    `key` is the node with its name, `value` what it writes there. A step that is added has the rule `beside` which it
    is inserted, and the side.
    """

    verb: Verb
    section: str
    name: str
    key: Node
    value: Node | None = None
    beside: Scalar | None = None
    side: Literal["before", "after"] = "after"

    @property
    def label(self) -> Message:
        """The thing in a message: its name, or a row of the manifest as it is written."""
        if self.section == MANIFEST and isinstance(self.value, Mapping):
            return say("the row {fields}", fields=list(_fields(self.value)))
        return say("`{name}`", name=self.name)

    def report(self, name: str, message: Message, hint: Message = NOTHING, others: Iterable[Related] = ()) -> Finding:
        """A finding at the place where the edit names its thing."""
        rule = self.name if self.section == RULES else ""
        return finding(name, message, self.key.source, self.key.span, hint, rule, related=others)


RULES, MANIFEST = "rules", "manifest"
WHOLE = ("game", "cards")
"""Sections that are one thing. They can only be changed."""

LISTED = ("invariants", "claims")
"""Sections that are lists of things with an id."""


@dataclass(frozen=True)
class Overlay:
    """An overlay file of the right form, or a deck, and its findings, which are warnings at most."""

    root: Mapping
    findings: tuple[Finding, ...] = ()
    kind: Literal["overlay", "deck"] = "overlay"

    @property
    def source(self) -> Source:
        return self.root.source

    @property
    def id(self) -> str:
        return self.node("id").text

    @property
    def title(self) -> str:
        return self.node("title").text

    @property
    def game(self) -> str:
        return self._extends[0]

    @property
    def below(self) -> tuple[str, ...]:
        """The overlays that this one builds on."""
        return self._extends[1:]

    @property
    def version(self) -> str:
        """The version of the game that it was written for."""
        return self.node("version").text

    @property
    def base(self) -> Scalar:
        """The node that names the game."""
        return self.node("extends" if self.kind == "overlay" else "game")

    @property
    def _extends(self) -> tuple[str, ...]:
        return tuple(self.base.text.split(JOINT))

    def node(self, key: str) -> Scalar:
        node = self.root.get(key)
        assert isinstance(node, Scalar)  # the schema has accepted it
        return node

    @cached_property
    def edits(self) -> tuple[Edit, ...]:
        return tuple(
            edit for verb in _VERBS for section, node in self._sections(verb) for edit in _read(verb, section, node)
        )

    def _sections(self, verb: Verb) -> Iterator[tuple[Scalar, Node]]:
        node = self.root.get(verb)
        return iter(node.entries if isinstance(node, Mapping) else ())


_VERBS: tuple[Verb, ...] = ("change", "add", "remove")


def read_overlay(source: Source, kind: Literal["overlay", "deck"] = "overlay") -> tuple[Overlay | None, list[Finding]]:
    """The overlay in a text, or the deck; None if its form is wrong. Never raises for bad text."""
    root, found = document(source, kind)
    if not isinstance(root, Mapping) or any(one.severity == Severity.ERROR for one in found):
        return None, found
    return Overlay(root, tuple(found), kind), found


def _read(verb: Verb, section: Scalar, node: Node) -> Iterator[Edit]:
    """The edits of one section under a verb."""
    name = section.text
    if name in WHOLE:
        yield Edit(verb, name, name, section, node)
    elif name == RULES and verb == "add":
        for item in node.items if isinstance(node, Sequence) else ():
            assert isinstance(item, Mapping)
            side: Literal["before", "after"] = "after" if item.get("after") is not None else "before"
            beside, steps = item.get(side), item.get("insert")
            assert isinstance(beside, Scalar) and steps is not None
            yield Edit("add", RULES, "", beside, steps, beside, side)
    elif isinstance(node, Mapping):
        yield from (Edit(verb, name, key.text, key, value) for key, value in node.entries)
    elif isinstance(node, Sequence):
        yield from (_item(verb, name, item) for item in node.items)


def _item(verb: Verb, section: str, item: Node) -> Edit:
    """An item of a list: a name, a row of the manifest, or a statement with its id."""
    if isinstance(item, Scalar):
        return Edit(verb, section, item.text, item)
    if section == MANIFEST and isinstance(item, Mapping):
        return Edit(verb, section, row_name(item), item, item)
    id_ = item.get("id") if isinstance(item, Mapping) else None
    return Edit(verb, section, id_.text if isinstance(id_, Scalar) else "", id_ or item, item)


def row_name(row: Mapping) -> str:
    """The name of a row of the manifest: the values of its fields, in the order of their names."""
    return ", ".join(sorted(_fields(row)))


def _fields(row: Mapping) -> Iterator[str]:
    return (f"{key} {_value(plain(value))}" for key, value in row.items() if key not in ABOUT_ROW)


def _value(value: object) -> str:
    if isinstance(value, dict):  # the members of an enum in any order
        return f"{{{', '.join(f'{key}: {_value(one)}' for key, one in sorted(value.items()))}}}"
    return f"[{', '.join(map(str, value))}]" if isinstance(value, list) else str(value)
