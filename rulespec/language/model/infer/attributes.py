"""Fields of cards and attributes of members, and their values for one member of an enum."""

from __future__ import annotations

from rulespec.base.messages import say
from rulespec.language.expr import tree
from rulespec.language.model.declarations import PerMember
from rulespec.language.model.infer.advice import listed
from rulespec.language.model.infer.references import References
from rulespec.language.model.names import suggest
from rulespec.language.model.typed import CardField, Const, Table, TExpr
from rulespec.language.model.types import Type, describe, enum


class Attributes(References):
    def attribute(self, node: tree.Attribute, expected: Type | None) -> TExpr | None:
        """`card.field` or `member.attribute`."""
        return self._attribute(node, node, node.name, ())

    def of_one_member(self, node: tree.Index, base: tree.Attribute) -> TExpr | None:
        """`card.field[member]` or `member.attribute[member]`."""
        return self._attribute(node, base, base.name, node.arguments)

    def _attribute(
        self, node: tree.Node, base: tree.Attribute, name: str, given: tuple[tree.Expr, ...]
    ) -> TExpr | None:
        owner = self.typed(base.base)
        if owner is None:
            return None
        if owner.type.kind == "enum":
            return self._of_member(node, base, owner, given)
        if owner.type.kind == "card":
            return self._of_card(node, base, owner, given)
        message = say("This is {type}; only cards and members of enums have fields.", type=describe(owner.type))
        self.fail("type-mismatch", message, base.base)
        return None

    def _of_card(
        self, node: tree.Node, base: tree.Attribute, card: TExpr, given: tuple[tree.Expr, ...]
    ) -> TExpr | None:
        names, name = self.names, base.name
        if name in names.per_member:
            field = names.per_member[name]
            return self._value_of(node, base, card, field, given) if field is not None else None
        if name not in names.fields:
            if not names.incomplete:
                hint = suggest(name, names.field_names) or listed(say("A card has {names}."), names.field_names)
                self.fail("unknown-field", say("Cards have no field `{name}`.", name=name), _last(base), hint)
            return None
        type_ = names.fields[name]
        if type_ is None or self.arguments(node, _written(base), given, ()) is None:
            return None
        return CardField(type_.maybe() if card.type.optional else type_, card, name)

    def _value_of(
        self, node: tree.Node, base: tree.Attribute, card: TExpr, field: PerMember, given: tuple[tree.Expr, ...]
    ) -> TExpr | None:
        """The value for one member: a column, or an entry of a table where the member is computed."""
        indices = self.arguments(node, _written(base), given, (enum(field.enum),))
        if indices is None:
            return None
        (member,), type_ = indices, field.type.maybe() if card.type.optional else field.type
        if isinstance(member, Const):
            return CardField(type_, card, field.columns[member.value])
        return Table(type_, field.table, (card, member))

    def _of_member(
        self, node: tree.Node, base: tree.Attribute, member: TExpr, given: tuple[tree.Expr, ...]
    ) -> TExpr | None:
        """An attribute of a member of an enum: an entry of the table of this attribute."""
        owner, name = member.type.name, base.name
        declared = self.names.tables.get(f"{owner}.{name}")
        if declared is not None:
            by, type_ = declared
            indices = self.arguments(node, _written(base), given, by[1:])
            type_ = type_.maybe() if member.type.optional else type_
            return Table(type_, f"{owner}.{name}", (member, *indices)) if indices is not None else None
        self.no_attribute(base, owner)
        return None

    def no_attribute(self, node: tree.Attribute, owner: str) -> None:
        """Reports an attribute that members of an enum do not have."""
        name = node.name
        known = [table.partition(".")[2] for table in self.names.tables if table.startswith(f"{owner}.")]
        hint = (
            suggest(name, known)
            or listed(say("A member has {names}."), known)
            or say("Add attributes to the enum `{owner}`.", owner=owner)
        )
        if not self.names.incomplete:
            message = say("Members of `{owner}` have no attribute `{node}`.", owner=owner, node=name)
            self.fail("unknown-field", message, _last(node), hint)


def _last(node: tree.Attribute) -> tree.Name:
    """The name of an attribute, with which it ends."""
    return tree.Name(node.end - len(node.name), node.end, node.name)


def _written(node: tree.Attribute) -> str:
    """An attribute in messages, without what its base is made of."""
    return f"{node.base.name if isinstance(node.base, tree.Name) else '…'}.{node.name}"
