"""Operators and plain functions: what they demand of their arguments, and the type of the result."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import repeat

from rulespec.base.messages import NOTHING, say
from rulespec.language.expr import tree
from rulespec.language.model import typed as t
from rulespec.language.model.infer.advice import or_else, other_kind
from rulespec.language.model.infer.base import Base
from rulespec.language.model.names import suggest
from rulespec.language.model.operators import OPERATORS, Demand, Operator
from rulespec.language.model.types import BOOL, CARD, Type, describe, enum, integer, join


class Lying(Base):
    def is_zone(self, node: tree.Expr) -> bool:
        """Whether an expression begins with the name of a zone."""
        base = node.base if isinstance(node, tree.Index) else node
        return isinstance(base, tree.Name) and base.name not in self.locals and base.name in self.names.zones

    def in_zone(self, place: tree.Expr, card: tree.Expr) -> t.TExpr | None:
        """Whether a zone has a card: whether any card in it is that one."""
        zone, wanted = self.zone(place), self.fits(card, CARD.maybe())
        return lies_in(wanted, zone) if zone is not None and wanted is not None else None

    def where_lies(self, node: tree.Call) -> t.TExpr | None:
        """The index of the zone of a declaration in which a card lies; absent if it is in none of them."""
        first, place = node.arguments
        if not self.is_zone(place) or not isinstance(place, tree.Name):
            hint = suggest(place.name, self.names.zones) if isinstance(place, tree.Name) else NOTHING
            hint = say("Write the card first, then the zone.") if self.is_zone(first) else hint
            self.fail("type-mismatch", say("Here, the name of a zone is needed, without an index."), place, hint)
            return None
        card, per = self.fits(first, CARD.maybe()), self.names.zones[place.name]
        if card is None or per is None or place.name in self.names.contested:
            return None
        if len(per) != 1:
            hint = say("Ask for a single zone: `has({zone}, …)`.", zone=place.name)
            if per:
                hint = say("Go through them: `first(i in … if any(j in … if has({zone}[i, j], …)))`.", zone=place.name)
            message = say(
                "`where` needs a zone with one index; `{zone}` has {number}.", zone=place.name, number=len(per)
            )
            self.fail("wrong-index", message, place, hint)
            return None
        (type_,) = per
        found = lies_in(card, t.ZoneRef(place.name, (t.Local(type_, t.PLACE),)))
        return t.Fold(type_.maybe(), "first", t.PLACE, _all_of(type_), found, None)


def lies_in(card: t.TExpr, zone: t.ZoneRef) -> t.TExpr:
    """Whether a card lies in a zone."""
    return t.Fold(BOOL, "any", t.IN_ZONE, t.Cards(CARD, zone), t.Op(BOOL, "==", (t.Local(CARD, t.IN_ZONE), card)), None)


def _all_of(type_: Type) -> t.Domain:
    """All values of an index."""
    if type_.kind != "int":
        return t.Members(type_)
    low, high = (t.Const(integer(end, end), end) for end in (type_.low, type_.high))
    return t.Range(type_, low, high)


Arguments = Sequence[tree.Expr]


class Operators(Lying):
    def unary(self, node: tree.Unary, expected: Type | None) -> t.TExpr | None:
        if node.operator == "the":
            return self._certain(node, expected)
        found = self.applied(OPERATORS["not" if node.operator == "not" else "neg"], node, (node.operand,))
        # A negative number is a constant like any other: code that looks for constants looks for `Const`.
        if isinstance(found, t.Op) and found.operator == "neg" and isinstance(found.arguments[0], t.Const):
            return t.Const(integer(found.type.low, found.type.high), found.type.low)
        return found

    def _certain(self, node: tree.Unary, expected: Type | None) -> t.TExpr | None:
        """What may be absent as far as its type says, but is there by the conditions before it."""
        found = self.typed(node.operand, expected)
        if found is None:
            return None
        if not found.type.optional:
            # Accepted if a condition around it makes it redundant, as `??` is.
            if not any(part in self.facts for part in t.walk(found)):
                message = say("This is never absent, so `the` has no effect.")
                self.fail("never-absent", message, node.operand, say("Leave `the` out."))
            return found
        # What there is to report about it has been reported already.
        proven = replace(self, proving=True, report=lambda *finding: None).typed(node.operand, expected)
        if proven is not None and not proven.type.optional:
            return proven
        message = say("No condition before this shows that it is there.")
        hint = say(
            "Test it first with the same words, as in `if: any(c in row if c.value > 3)` before "
            "`the first(c in row if c.value > 3)`, or give a default with `??`."
        )
        self.fail("may-be-absent", message, node.operand, hint)
        return None

    def binary(self, node: tree.Binary, expected: Type | None) -> t.TExpr | None:
        return self.applied(OPERATORS[node.operator], node, (node.left, node.right))

    def applied(self, row: Operator, node: tree.Expr, arguments: Arguments) -> t.TExpr | None:
        """An operator with its arguments, typed; None after a finding."""
        return _DEMANDS[row.demand](self, row, node, arguments)

    def _kinds(self, row: Operator, node: tree.Expr, arguments: Arguments) -> t.TExpr | None:
        wanted = repeat(row.takes[0]) if row.open_ended else row.takes
        # Not strict: `repeat` has no end.
        typed = [self.of_kind(kind, argument) for kind, argument in zip(wanted, arguments, strict=False)]
        known = [found for found in typed if found is not None]
        if len(known) < len(typed):
            return None
        while len(known) > len(row.takes):  # every operator of a program has a fixed number of arguments
            first = self._op(row, node, arguments, known[: len(row.takes)])
            if first is None:
                return None
            known[: len(row.takes)] = [first]
        return self._op(row, node, arguments, known)

    def _junction(self, row: Operator, node: tree.Expr, arguments: Arguments) -> t.TExpr | None:
        """`and` or `or`. The second side is evaluated only where the first one does not decide."""
        left = self.of_kind("bool", arguments[0])
        right = self.where(left, row.guards is True).of_kind("bool", arguments[1])
        return self._op(row, node, arguments, (left, right)) if left is not None and right is not None else None

    def _op(self, row: Operator, node: tree.Expr, arguments: Arguments, typed: Sequence[t.TExpr]) -> t.TExpr | None:
        if row.by_players and self.names.players is None:
            return None
        types, players = tuple(one.type for one in typed), self.names.players or range(1, 2)
        if (misuse := row.misuse(types, players)) is not None:
            place = node if misuse.argument is None else arguments[misuse.argument]
            self.fail(misuse.name, misuse.message, place, misuse.hint)
            return None
        type_ = row.type(types, players)
        return t.Op(type_, row.name, tuple(typed)) if type_ is not None else None

    def _equal(self, row: Operator, node: tree.Expr, arguments: Arguments) -> t.TExpr | None:
        left, right = self._pair(*arguments)
        if left is None or right is None:
            return None
        if left.type.kind == right.type.kind == "none":
            self.fail(
                "always-same", say("This is always true.") if row.name == "==" else say("This is always false."), node
            )
        elif "none" in (left.type.kind, right.type.kind):
            for side, typed in zip(arguments, (left, right), strict=True):
                if not typed.type.optional:
                    message, hint = (
                        say("This is never absent, so it is never `none`."),
                        say("Leave the comparison out."),
                    )
                    self.fail("never-absent", message, side, hint)
        elif not left.type.comparable(right.type):
            self._unlike(node, left, right)
            return None
        return self._compared(row, node, left, right)

    def _ordered(self, row: Operator, node: tree.Expr, arguments: Arguments) -> t.TExpr | None:
        left, right = self._pair(*arguments)
        if left is None or right is None:
            return None
        if not left.type.comparable(right.type):
            self._unlike(node, left, right)
            return None
        if not (self._has_order(left, arguments[0]) and self._has_order(right, arguments[1])):
            return None
        return self._compared(row, node, left, right)

    def _compared(self, row: Operator, node: tree.Expr, left: t.TExpr, right: t.TExpr) -> t.TExpr | None:
        """The comparison, after a warning if it always has the same outcome."""
        if left.type.kind == right.type.kind == "int":
            outcome = row.outcome(left.type, right.type)
            if outcome is not None:
                sides = say(
                    "{left} {sign} {right}", left=describe(left.type), sign=row.sign, right=describe(right.type)
                )
                hint = say("Compare with a number that can occur, or leave the comparison out.")
                if any(part in self.facts for side in (left, right) for part in t.walk(side)):
                    hint = say("A condition before it decides it already: correct one of them, or leave this one out.")
                self.fail(
                    "always-same",
                    say("This is always true: {sides}.", sides=sides)
                    if outcome
                    else say("This is always false: {sides}.", sides=sides),
                    node,
                    hint,
                )
        return self._op(row, node, (), (left, right))

    def _unlike(self, node: tree.Expr, left: t.TExpr, right: t.TExpr) -> None:
        sides = sorted(((left, right), (right, left)), key=lambda pair: not isinstance(pair[0], t.Const))
        hints = (other_kind(found, other.type.kind, other.type.name, self.names) for found, other in sides)
        message = say("This compares {left} with {right}.", left=describe(left.type), right=describe(right.type))
        self.fail("type-mismatch", message, node, next(filter(None, hints), NOTHING))

    def _has_order(self, found: t.TExpr, node: tree.Expr) -> bool:
        if found.type.kind not in ("int", "enum") or found.type.name.startswith("ruling:"):
            self.fail("type-mismatch", say("This is {type}, which has no order.", type=describe(found.type)), node)
        elif found.type.optional:
            message = say("This may be absent, and an absent value has no order.")
            self.fail("may-be-absent", message, node, or_else("int"))
        else:
            return True
        return False

    def _pair(self, a: tree.Expr, b: tree.Expr) -> tuple[t.TExpr | None, t.TExpr | None]:
        """Both sides. A bare member name takes its enum from the other side."""
        if isinstance(a, tree.Name) and (a.name not in self.locals and bool(self.names.members_named(a.name))):
            right = self.typed(b)
            return (self.typed(a, right.type.required()) if right is not None else None), right
        left = self.typed(a)
        return left, self.typed(b, left.type.required()) if left is not None else None

    def _fallback(self, row: Operator, node: tree.Expr, arguments: Arguments) -> t.TExpr | None:
        left, right = self._pair(*arguments)
        if left is None or right is None:
            return None
        found = self._op(row, node, arguments, (left, right)) if left.type.kind != "none" else None
        if found is None:
            self.fail(
                "type-mismatch",
                say("This is {left}, but falls back to {right}.", left=describe(left.type), right=describe(right.type)),
                node,
            )
        # Accepted if only a condition around it makes it redundant: to delete it would change the digest of the rule.
        elif not left.type.optional and not any(part in self.facts for part in t.walk(left)):
            hint = say("Leave the `??` part out.")
            self.fail("never-absent", say("This is never absent, so `??` has no effect."), arguments[0], hint)
            return left
        return found

    def _membership(self, row: Operator, node: tree.Expr, arguments: Arguments) -> t.TExpr | None:
        """A set and a member of its enum, or a zone and a card. An absent set has no members."""
        if self.is_zone(arguments[0]):
            return self.in_zone(*arguments)
        found = self.typed(arguments[0])
        if found is None:
            return None
        if found.type.name in self.names.rows and not found.type.optional:
            return self.on_row(found, arguments[1])
        if found.type.kind != "set":
            message = say("This is {type}; only a set has members.", type=describe(found.type))
            hint = say("Write the zone first, then the card.") if self.is_zone(arguments[1]) else NOTHING
            self.fail("type-mismatch", message, arguments[0], hint)
            return None
        member = self.fits(arguments[1], enum(found.type.name))
        return self._op(row, node, arguments, (found, member)) if member is not None else None

    def _ordinal(self, row: Operator, node: tree.Expr, arguments: Arguments) -> t.TExpr | None:
        """The place of a member in the order of its enum, from 1 to the number of members."""
        found = self.typed(arguments[0])
        if found is None or not self._has_order(found, arguments[0]):
            return None
        if found.type.kind != "enum":
            message = say("This is {type}; only a member of an enum has an ordinal.", type=describe(found.type))
            self.fail("type-mismatch", message, arguments[0], say("Use the number itself."))
            return None
        return t.Op(integer(1, self.names.extent(found.type)), row.name, (found,))

    def conditional(self, node: tree.Conditional, expected: Type | None) -> t.TExpr | None:
        condition = self.of_kind("bool", node.condition)
        then = self.where(condition).typed(node.then, expected)
        otherwise = self.where(condition, False).typed(node.otherwise, expected)
        if condition is None or then is None or otherwise is None:
            return None
        joined = join(then.type, otherwise.type)
        if joined is None:
            message = say(
                "One side is {left}, the other {right}.", left=describe(then.type), right=describe(otherwise.type)
            )
            self.fail("type-mismatch", message, node)
            return None
        return t.If(joined, condition, then, otherwise)


_DEMANDS: dict[Demand, Callable[[Operators, Operator, tree.Expr, Arguments], t.TExpr | None]] = {
    Demand.KINDS: Operators._kinds,
    Demand.JUNCTION: Operators._junction,
    Demand.EQUAL: Operators._equal,
    Demand.ORDERED: Operators._ordered,
    Demand.FALLBACK: Operators._fallback,
    Demand.MEMBER: Operators._membership,
    Demand.ORDINAL: Operators._ordinal,
}
