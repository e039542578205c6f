"""The types of expressions in one setting: narrower intervals, because the number of players, the options of rulings
and the members in play are known there."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from rulespec.language.model import typed as t
from rulespec.language.model.constants import Setting
from rulespec.language.model.folds import FOLDS, Folded
from rulespec.language.model.narrowing import met
from rulespec.language.model.operators import OPERATORS
from rulespec.language.model.types import NONE, Type, integer, join

Known = Mapping[str, Type]
"""The types of the names in scope."""


@dataclass(frozen=True)
class Bounds:
    """Types in a setting. They are never wider than the types of the nodes, which hold in every setting."""

    setting: Setting

    def type(self, node: t.TExpr, known: Known) -> Type:
        if node.type.kind == "bool":
            return node.type
        try:
            found = self._constant(node) if t.constant(node) else self._type(node, known)
        except ArithmeticError:  # a part that is not evaluated in this setting
            return node.type
        # A part that is not evaluated in this setting may have no value left; its type says nothing then.
        return met(node.type, found) or node.type

    def _constant(self, node: t.TExpr) -> Type:
        value = self.setting.value(node)
        return integer(value, value) if node.type.kind == "int" and value != NONE else node.type

    def _type(self, node: t.TExpr, known: Known) -> Type:
        if isinstance(node, t.Local):
            return known.get(node.name, node.type)
        if isinstance(node, t.Value):
            return self._value(node, known)
        if isinstance(node, t.Table):
            return self._entries(node, known)
        if isinstance(node, t.Op):
            types = tuple(self.type(argument, known) for argument in node.arguments)
            players = range(self.setting.players, self.setting.players + 1)
            return OPERATORS[node.operator].type(types, players) or node.type
        if isinstance(node, t.If):
            return self._either(node, known)
        if isinstance(node, t.Let):
            return self.type(node.body, {**known, node.variable: self.type(node.value, known)})
        return self._fold(node, known) if isinstance(node, t.Fold) else node.type

    def _value(self, node: t.Value, known: Known) -> Type:
        """The type of a derived value is that of its definition for these indices."""
        declared = self.setting.spec.values[node.name]
        if declared.definition is None:
            return node.type
        types = (self.type(argument, known) for argument in node.arguments)
        return self.type(declared.definition, dict(zip((index.name for index in declared.per), types, strict=True)))

    def _entries(self, node: t.Table, known: Known) -> Type:
        """The interval of the entries that the indices can select."""
        table, types = self.setting.spec.tables[node.name], [self.type(index, known) for index in node.indices]
        entries = [entry for at, entry in table.rows.items() if entry != NONE and all(map(_selects, types, at))]
        number = node.type.kind == "int" and bool(entries)
        return Type("int", "", min(entries), max(entries), node.type.optional) if number else node.type

    def _either(self, node: t.If, known: Known) -> Type:
        if t.constant(node.condition):
            return self.type(node.then if self.setting.value(node.condition) else node.otherwise, known)
        return join(self.type(node.then, known), self.type(node.otherwise, known)) or node.type

    def _fold(self, node: t.Fold, known: Known) -> Type:
        element, most = self._domain(node.domain, known)
        body = self.type(node.body, {**known, node.variable: element}) if node.body is not None else None
        # What is never absent in any setting has an element in each.
        return FOLDS[node.function].type(Folded(element, most, body, certain=not node.type.optional))

    def _domain(self, domain: t.Domain, known: Known) -> tuple[Type, int]:
        """The type and the largest number of the elements of a domain."""
        if isinstance(domain, t.Range):
            low, high = self.type(domain.low, known), self.type(domain.high, known)
            within = met(domain.type, Type("int", "", low.low, high.high))
            return within or domain.type, within.high - within.low + 1 if within is not None else 0
        if isinstance(domain, t.Members):
            every = domain.type.kind == "player"
            return domain.type, self.setting.players if every else len(self.setting.in_play(domain.type.name))
        if isinstance(domain, t.Cards):
            cards, holds = len(self.setting.cards), self.setting.spec.zones[domain.zone.name].holds
            return domain.type, min(cards, self.setting.value(holds)) if holds is not None else cards
        return domain.type, domain.count.type.high if isinstance(domain, t.Listed) else domain.picked.type.high  # type: ignore[union-attr]


def _selects(type_: Type, at: int) -> bool:
    """Whether an index of a type can select an entry."""
    return type_.kind != "int" or type_.low <= at <= type_.high
