"""The rules of a spec as nodes of its document: found by id, changed, removed and inserted."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from collections.abc import Mapping as AbstractMapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from rulespec.language.document.nodes import Mapping, Node, Scalar, Sequence
from rulespec.language.formats.table import FORMATS
from rulespec.language.overlay.file import RULES, Edit
from rulespec.language.overlay.patch import edited
from rulespec.language.schema.validate import text as schema_text

_ROOTS = ("cards", "setup", "play", "procedures")
"""The sections with rules."""

_VALUES = frozenset({"set", "with", "manifest", "fields"})
"""Mappings whose keys are names of the spec: `id` is no id of a rule there."""


@dataclass(frozen=True)
class RuleNode:
    """A rule in the document: its node, the ids of the rules around it, the nearest first, and whether it is an item of
    a list of steps, so that others can be inserted beside it."""

    node: Mapping
    around: tuple[str, ...]
    in_list: bool


def rules_in(root: Mapping) -> dict[str, RuleNode]:
    """Every rule of a spec by its id."""
    found: dict[str, RuleNode] = {}
    for key in _ROOTS:
        if (node := root.get(key)) is not None:
            for rule in _rules(node, (), key in bodies()):
                found.setdefault(rule_id(rule.node), rule)
    return found


def _rules(node: Node, around: tuple[str, ...], in_list: bool) -> Iterator[RuleNode]:
    if isinstance(node, Sequence):
        for item in node.items:
            yield from _rules(item, around, True)
    elif isinstance(node, Mapping):
        id_ = rule_id(node)
        if id_:
            yield RuleNode(node, around, in_list)
        for key, value in node.entries:
            if key.text not in _VALUES:
                yield from _rules(value, (id_, *around) if id_ else around, key.text in bodies())


def rule_id(node: Node) -> str:
    """The id of the rule that a node is, "" if it is none."""
    id_ = node.get("id") if isinstance(node, Mapping) else None
    return id_.text if isinstance(id_, Scalar) and isinstance(id_.value, str) else ""


@cache
def bodies() -> frozenset[str]:
    """The keys of a spec that take a list of steps, or one step."""
    # From the schema, so that the keys of a new step or block are known here without a row.
    return frozenset(_bodies(json.loads(schema_text(FORMATS["spec"].schema))))


def _bodies(schema: Any) -> Iterator[str]:
    for part in schema.values() if isinstance(schema, dict) else schema if isinstance(schema, list) else ():
        yield from _bodies(part)
    properties = schema.get("properties", {}) if isinstance(schema, dict) else {}
    for key, part in properties.items():
        if isinstance(part, dict) and part.get("$ref") == "#/$defs/body":
            yield key


@dataclass
class Rewriter:
    """Applies the edits of rules to a document. `reached` collects the edits that found their rule."""

    changes: AbstractMapping[str, Edit]
    removals: AbstractMapping[str, Edit]
    insertions: AbstractMapping[str, list[Edit]]
    reached: list[Edit] = field(default_factory=list)

    @classmethod
    def of(cls, edits: Iterable[Edit]) -> Rewriter:
        changes: dict[str, Edit] = {}
        removals: dict[str, Edit] = {}
        insertions: dict[str, list[Edit]] = {}
        for edit in edits:
            if edit.section == RULES and edit.beside is not None:
                insertions.setdefault(edit.beside.text, []).append(edit)
            elif edit.section == RULES:
                (changes if edit.verb == "change" else removals)[edit.name] = edit
        return cls(changes, removals, insertions)

    def root(self, root: Mapping) -> Mapping:
        entries = [
            (key, value if key.text not in _ROOTS else self._value(key.text, value)) for key, value in root.entries
        ]
        return Mapping(root.span, tuple((key, value) for key, value in entries if value is not None), root.source)

    def _value(self, key: str, node: Node) -> Node | None:
        """The value of a key; None if it is a rule that is removed."""
        if isinstance(node, Sequence):
            return self._list(key, node)
        id_ = rule_id(node)
        if key in bodies() and (id_ in self.removals or id_ in self.insertions):
            # A single step becomes a list of one, from which it can be removed and which others can join.
            return self._list(key, Sequence(node.span, (node,), node.source))
        return self._node(node)

    def _list(self, key: str, node: Sequence) -> Sequence:
        items = [item for old in node.items for item in self._item(old)]
        if not items and node.items and key in bodies():
            # The step that takes the place of removed ones: a body must say that nothing happens
            at = next(self.removals[id_].key for item in node.items if (id_ := rule_id(item)) in self.removals)
            note, value = (Scalar(at.span, text, text, "", at.source) for text in ("note", rule_id(node.items[0])))
            items = [Mapping(at.span, ((note, value),), at.source)]
        # By identity: only a node of a file has a layout that can be kept.
        if len(items) == len(node.items) and all(a is b for a, b in zip(items, node.items, strict=True)):
            return node
        return Sequence(node.span, tuple(items), node.source)

    def _item(self, item: Node) -> Iterator[Node]:
        inserted = self.insertions.get(rule_id(item), [])
        self.reached += inserted
        yield from (step for edit in inserted if edit.side == "before" for step in _steps(edit))
        if (kept := self._node(item)) is not None:
            yield kept
        yield from (step for edit in inserted if edit.side == "after" for step in _steps(edit))

    def _node(self, node: Node) -> Node | None:
        id_ = rule_id(node)
        if id_ in self.removals:
            self.reached.append(self.removals[id_])
            return None
        if id_ in self.changes:
            edit = self.changes[id_]
            assert edit.value is not None
            self.reached.append(edit)
            node = edited(node, edit.value)
        if isinstance(node, Sequence):
            return self._list("", node)
        if not isinstance(node, Mapping):
            return node
        values = [value if key.text in _VALUES else self._value(key.text, value) for key, value in node.entries]
        if all(new is old for new, (_, old) in zip(values, node.entries, strict=True)):
            return node  # the very node, whose layout is kept
        entries = ((key, new) for (key, _), new in zip(node.entries, values, strict=True) if new is not None)
        return Mapping(node.span, tuple(entries), node.source)


def _steps(edit: Edit) -> tuple[Node, ...]:
    return edit.value.items if isinstance(edit.value, Sequence) else (edit.value,) if edit.value is not None else ()
