"""Type inference of a whole expression: dispatch on the kind of node, and the limits of every node."""

from __future__ import annotations

from dataclasses import replace

from rulespec.base.messages import say
from rulespec.language.expr import tree
from rulespec.language.model import typed as t
from rulespec.language.model.declarations import PerMember
from rulespec.language.model.infer.advice import listed
from rulespec.language.model.infer.calls import Calls
from rulespec.language.model.infer.references import References
from rulespec.language.model.names import suggest
from rulespec.language.model.narrowing import occurring
from rulespec.language.model.types import CARD, LIMIT, Type, describe, enum, integer


class Attributes(References):
    def attribute(self, node: tree.Attribute, expected: Type | None) -> t.TExpr | None:
        """`card.field` or `member.attribute`."""
        return self._attribute(node, node, node.name, ())

    def _attribute(
        self, node: tree.Node, base: tree.Attribute, name: str, given: tuple[tree.Expr, ...]
    ) -> t.TExpr | None:
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
        self, node: tree.Node, base: tree.Attribute, card: t.TExpr, given: tuple[tree.Expr, ...]
    ) -> t.TExpr | None:
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
        return t.CardField(type_.maybe() if card.type.optional else type_, card, name)

    def _value_of(
        self, node: tree.Node, base: tree.Attribute, card: t.TExpr, field: PerMember, given: tuple[tree.Expr, ...]
    ) -> t.TExpr | None:
        """The value for one member: a column, or an entry of a table where the member is computed."""
        indices = self.arguments(node, _written(base), given, (enum(field.enum),))
        if indices is None:
            return None
        (member,), type_ = indices, field.type.maybe() if card.type.optional else field.type
        if isinstance(member, t.Const):
            return t.CardField(type_, card, field.columns[member.value])
        return t.Table(type_, field.table, (card, member))

    def _of_member(
        self, node: tree.Node, base: tree.Attribute, member: t.TExpr, given: tuple[tree.Expr, ...]
    ) -> t.TExpr | None:
        """An attribute of a member of an enum: an entry of the table of this attribute."""
        owner, name = member.type.name, base.name
        declared = self.names.tables.get(f"{owner}.{name}")
        if declared is not None:
            by, type_ = declared
            indices = self.arguments(node, _written(base), given, by[1:])
            type_ = type_.maybe() if member.type.optional else type_
            return t.Table(type_, f"{owner}.{name}", (member, *indices)) if indices is not None else None
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


WIDEST = 10_000
"""Numbers in the range of a fold or a loop, at most. With nested folds, a larger range takes seconds to evaluate."""


class Inference(Attributes, Calls):
    """Types one expression; see `Base` for what it is made of."""

    def typed(self, node: tree.Expr, expected: Type | None = None) -> t.TExpr | None:
        # Before its parts, each of which might have the same finding.
        if isinstance(node, tree.Fold) and self.free is not None:
            self._not_constant(node)
            return None
        found = self._typed(node, expected)
        if found is not None and self.free is not None and not t.fixed(found, self.free):
            self._not_constant(node)
            return None
        if found is not None and found.type.kind == "int" and max(-found.type.low, found.type.high) > LIMIT:
            hint = say("Limit it: `clamp(…, low, high)`.")
            self.fail("too-large", say("This can exceed {limit:,}, the largest number.", limit=LIMIT), node, hint)
            return None
        if self.proving and isinstance(found, t.Fold) and (known := self._element(found)) is not None:
            self.names.relied_on.add(known)
            return replace(found, type=found.type.required())
        # Nodes are compared without their types, so a fact is found whatever type this one has so far.
        narrower = self.facts.get(found) if self.facts and found is not None else None
        return replace(found, type=narrower) if found is not None and narrower is not None else found

    def _element(self, fold: t.Fold) -> t.TExpr | None:
        """The fact that a fold has an element."""
        # A card may lie in the zone of a member that is not in play, which no fold goes through.
        skips = t.where(fold) is not None and fold.domain.type.name in self.names.partial
        return None if skips else occurring(self.facts, fold)

    def _not_constant(self, node: tree.Expr) -> None:
        hint = say("Use only `players`, rulings, tables and numbers.")
        self.fail("not-constant", say("This is not known before the game begins."), node, hint)

    def _typed(self, node: tree.Expr, expected: Type | None) -> t.TExpr | None:
        match node:
            case tree.Number():
                return t.Const(integer(node.value, node.value), node.value)
            case tree.Name():
                return self.name(node, expected)
            case tree.Unary():
                return self.unary(node, expected)
            case tree.Binary():
                return self.binary(node, expected)
            case tree.Conditional():
                return self.conditional(node, expected)
            case tree.Let():
                return self.let(node, expected)
            case tree.Index(base=tree.Attribute() as base):
                return self._attribute(node, base, base.name, node.arguments)
            case tree.Index():
                return self.index(node, expected)
            case tree.Attribute():
                return self.attribute(node, expected)
            case tree.Call():
                return self.call(node, expected)
            case tree.Fold():
                return self.fold(node, expected)

    def domain(self, node: tree.DomainExpr) -> t.Domain | None:
        if isinstance(node, tree.RangeExpr):
            found = self.ends(node)
            if found is None:
                return None
            low, high = found
            if high.type.high - low.type.low >= WIDEST:
                self.fail("too-wide", say("This range can hold more than {widest:,} numbers.", widest=WIDEST), node)
                return None
            return t.Range(integer(low.type.low, high.type.high), low, high)
        if isinstance(node, tree.RingExpr):
            return self._ring(node)
        if isinstance(node, tree.Name) and self.names.is_domain(node.name):
            named = self.names.domain(node.name)
            known = named is not None and (named.kind != "player" or self.names.players is not None)
            return t.Members(named) if named and known else None
        if isinstance(node, tree.Name) and (picked := self.picked(node) or self.row(node)) is not None:
            return picked
        if isinstance(node, tree.Call) and node.function in ("near", "ray"):
            return self.squares(node)
        if isinstance(node, tree.Index) and isinstance(node.base, tree.Attribute) and self.is_board(node.base.base):
            return self.with_coordinate(node, node.base)
        zone = self.zone(node, say("`player`, an enum, a zone or a range such as `1..3`"))
        return t.Cards(CARD, zone) if zone else None

    def picked(self, node: tree.Name) -> t.Chosen | None:
        """The elements of a picked set; None if the name is no such set."""
        type_ = self.locals.get(node.name)
        return t.Chosen(type_.of, t.Local(type_, node.name)) if type_ is not None and type_.of is not None else None

    def _ring(self, node: tree.RingExpr) -> t.Domain | None:
        base = self.domain(node.base)
        if base is not None and not isinstance(base, t.Members):
            message = say("`from` needs players or an enum to start within.")
            self.fail(
                "wrong-from", message, node, say("Leave `from` out: cards are taken in the order in which they lie.")
            )
            return None
        start = self.fits(node.begin, base.type) if base is not None else None
        return t.Members(base.type, start) if base is not None and start is not None else None

    def ends(self, node: tree.RangeExpr) -> tuple[t.TExpr, t.TExpr] | None:
        """The ends of a range; None after a finding. A range that is empty only under the conditions around it has
        nothing to go through there: its ends have the intervals that they have elsewhere."""
        for inference in (self, replace(self, facts={})):
            low, high = inference.number(node.low), inference.number(node.high)
            if low is None or high is None:
                return None
            if low.type.low <= high.type.high:
                return low, high
        self.fail("empty-range", say("This range is always empty."), node, say("Write the smaller number first."))
        return None
