"""Expressions of the old version of a spec, written with the names of the new one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any

from rulespec.language.model import typed as t
from rulespec.language.model.spec import Spec, column_of, field_of
from rulespec.language.model.substitution import written_out
from rulespec.language.model.types import Type
from rulespec.versions.changes.renames import Renames

Scope = Mapping[str, t.Local]
"""What each variable of the old version is called in the new one."""


class Untranslatable(Exception):
    """Raised for an expression with a name that the new version does not have, or with another meaning there."""


_NAMED: Mapping[type, tuple[str, str]] = {
    t.Value: ("value", "name"),
    t.Repeated: ("value", "counter"),
    t.Table: ("table", "name"),
    t.ZoneRef: ("zone", "name"),
    t.CardField: ("field", "field"),
    t.Ruling: ("ruling", "id"),
}


@dataclass(frozen=True)
class Translation:
    """Translates expressions of `old` into the names of `new`. Numbers of members must mean the same in both."""

    old: Spec
    new: Spec
    names: Renames
    _types: dict[Type, Type | None] = field(default_factory=dict, compare=False, repr=False)

    def __call__(self, node: Any, scope: Scope) -> Any:
        """The node with the new names. Raises Untranslatable."""
        if isinstance(node, t.Local):
            if node.name not in scope:
                raise Untranslatable(node.name)
            return scope[node.name]
        if isinstance(node, t.Fold):
            return self._fold(node, scope)
        if isinstance(node, t.Let):
            return self(written_out(node), scope)
        if isinstance(node, Type):
            return self.type(node)
        if isinstance(node, tuple):
            return tuple(self(item, scope) for item in node)
        if not isinstance(node, t.Part):
            return node
        changed = {item.name: self(getattr(node, item.name), scope) for item in fields(node)}
        if type(node) in _NAMED:
            changed |= self._named(node)
        return replace(node, **changed)

    def _named(self, node: Any) -> dict[str, Any]:
        """The new name in a node, and the type that it has there."""
        kind, attribute = _NAMED[type(node)]
        name = self._of(kind, getattr(node, attribute))
        declared = self._section(kind).get(name)
        if declared is None:
            raise Untranslatable(name)
        return {attribute: name} | ({"type": declared.type} if kind == "value" else {})

    def _of(self, kind: str, name: str) -> str:
        own = self.old.deck.per_member.get(field_of(name)) if kind == "field" else None
        if own is None:
            return self.names.of((kind, name))[1]
        member = self.old.enums[own.enum].members[own.columns.index(name)]
        return column_of(self.names.of((kind, own.name))[1], self._member(own.enum, member))

    def _section(self, kind: str) -> Mapping[str, Any]:
        return self.new.deck.fields if kind == "field" else getattr(self.new, f"{kind}s")

    def _fold(self, node: t.Fold, scope: Scope) -> t.Fold:
        """A fold, whose variable gets another name if that one stands for something else in the new version."""
        taken, variable = {local.name for local in scope.values()}, node.variable
        while variable in taken:
            variable += "_"
        domain = self(node.domain, scope)
        inner = {**scope, node.variable: t.Local(domain.type, variable)}
        parts = (self(part, inner) for part in (node.condition, node.body))
        return t.Fold(self.type(node.type), node.function, variable, domain, *parts)

    def type(self, type_: Type) -> Type:
        """A type of the old version in the new one. Raises Untranslatable if its members have other numbers there."""
        if type_.kind not in ("enum", "set"):
            return type_
        if type_ not in self._types:
            self._types[type_] = self._renamed(type_)
        if (found := self._types[type_]) is None:
            raise Untranslatable(type_.name)
        return found

    def _renamed(self, type_: Type) -> Type | None:
        ruling, _, id_ = type_.name.rpartition(":")
        kind, sections = ("ruling", "rulings") if ruling else ("enum", "enums")
        name = self.names.of((kind, id_))[1]
        was, now = getattr(self.old, sections).get(id_), getattr(self.new, sections).get(name)
        attribute = "options" if ruling else "members"
        renamed = [self._member(id_, member) for member in getattr(was, attribute)]
        if now is None or renamed != list(getattr(now, attribute)):
            return None
        return replace(type_, name=f"{ruling}:{name}" if ruling else name)

    def _member(self, enum: str, member: str) -> str:
        new = self.names.names.get(("member", f"{enum}.{member}"), f"{enum}.{member}")
        return new.partition(".")[2]


def key(node: Any, bound: Mapping[str, int] | None = None) -> Any:
    """What an expression is, without its types and the names of the variables that it binds."""
    known = bound or {}
    if isinstance(node, t.Local):
        return ("Local", known.get(node.name, node.name))
    if isinstance(node, tuple):
        return tuple(key(item, known) for item in node)
    if isinstance(node, t.Let):
        return key(written_out(node), known)
    if isinstance(node, t.Const):
        return ("Const", node.type.kind, node.type.name, node.value)
    if not isinstance(node, t.Part):
        return node
    inner = {**known, node.variable: len(known)} if isinstance(node, t.Fold) else known
    parts = [item.name for item in fields(node) if item.name not in ("variable", "type")]
    found = tuple(key(getattr(node, name), known if name == "domain" else inner) for name in parts)
    return (type(node).__name__, str(node.type) if isinstance(node, t.Members) else "", *found)
