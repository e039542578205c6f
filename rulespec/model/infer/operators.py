"""Operators: what they demand of their sides, and the interval of what comes out."""

from __future__ import annotations

import operator
from collections.abc import Callable

from rulespec.expr import tree
from rulespec.model.infer.advice import or_else, other_kind
from rulespec.model.infer.base import Base
from rulespec.model.typed import Const, If, Op, TExpr
from rulespec.model.types import BOOL, Type, describe, integer, join

_ORDERED = ("<", "<=", ">", ">=")


class Operators(Base):
    def unary(self, node: tree.Unary, expected: Type | None) -> TExpr | None:
        if node.operator == "not":
            condition = self.of_kind("bool", node.operand)
            return Op(BOOL, "not", (condition,)) if condition else None
        operand = self.number(node.operand)
        if operand is None:
            return None
        if isinstance(operand, Const):
            return Const(integer(-operand.value, -operand.value), -operand.value)
        return Op(integer(-operand.type.high, -operand.type.low), "neg", (operand,))

    def binary(self, node: tree.Binary, expected: Type | None) -> TExpr | None:
        if node.operator in ("and", "or"):
            both = self.of_kind("bool", node.left), self.of_kind("bool", node.right)
            return Op(BOOL, node.operator, (both[0], both[1])) if both[0] and both[1] else None
        if node.operator in ("==", "!="):
            return self._equality(node)
        if node.operator in _ORDERED:
            return self._order(node)
        return self._fallback(node) if node.operator == "??" else self._arithmetic(node)

    def _arithmetic(self, node: tree.Binary) -> TExpr | None:
        left, right = self.number(node.left), self.number(node.right)
        if left is None or right is None:
            return None
        if node.operator in ("//", "%") and right.type.low <= 0 <= right.type.high:
            hint = "Divide by something that is always at least 1."
            self.fail("division-by-zero", "this divisor can be 0", node.right, hint)
            return None
        return Op(_interval(node.operator, left.type, right.type), node.operator, (left, right))

    def _equality(self, node: tree.Binary) -> TExpr | None:
        left, right = self._pair(node.left, node.right)
        if left is None or right is None:
            return None
        if left.type.kind == right.type.kind == "none":
            self.fail("always-same", f"this is always {str(node.operator == '==').lower()}", node)
        elif "none" in (left.type.kind, right.type.kind):
            for side, typed in ((node.left, left), (node.right, right)):
                if not typed.type.optional:
                    self.fail("never-absent", "this is never absent, so there is nothing to ask", side)
        elif not left.type.comparable(right.type):
            self._unlike(node, left, right)
            return None
        self._question(node, left.type, right.type)
        return Op(BOOL, node.operator, (left, right))

    def _order(self, node: tree.Binary) -> TExpr | None:
        left, right = self._pair(node.left, node.right)
        if left is None or right is None:
            return None
        if not left.type.comparable(right.type):
            self._unlike(node, left, right)
            return None
        if not (self._has_order(left, node.left) and self._has_order(right, node.right)):
            return None
        self._question(node, left.type, right.type)
        return Op(BOOL, node.operator, (left, right))

    def _unlike(self, node: tree.Binary, left: TExpr, right: TExpr) -> None:
        sides = sorted(((left, right), (right, left)), key=lambda pair: not isinstance(pair[0], Const))
        hints = (other_kind(found, other.type.kind, other.type.name, self.names) for found, other in sides)
        message = f"{describe(left.type)} is compared with {describe(right.type)}"
        self.fail("type-mismatch", message, node, next(filter(None, hints), ""))

    def _has_order(self, found: TExpr, node: tree.Expr) -> bool:
        if found.type.kind not in ("int", "enum") or found.type.name.startswith("ruling:"):
            self.fail("type-mismatch", f"{describe(found.type)} has no order", node)
        elif found.type.optional:
            self.fail("may-be-absent", "this may be absent, and nothing is neither more nor less", node, or_else("int"))
        else:
            return True
        return False

    def _question(self, node: tree.Binary, left: Type, right: Type) -> None:
        """Warns of a comparison that can come out in one way only."""
        if left.kind == right.kind == "int" and (outcome := _outcome(node.operator, left, right)) is not None:
            message = f"this is always {'true' if outcome else 'false'}: {describe(left)} against {describe(right)}"
            self.fail("always-same", message, node, "Compare with a number that can occur, or leave it out.")

    def _pair(self, a: tree.Expr, b: tree.Expr) -> tuple[TExpr | None, TExpr | None]:
        """Both sides, the one that is a bare member name read in the light of the other."""
        if isinstance(a, tree.Name) and self._may_be_member(a.name):
            right = self.typed(b)
            return (self.typed(a, right.type.required()) if right is not None else None), right
        left = self.typed(a)
        return left, self.typed(b, left.type.required()) if left is not None else None

    def _may_be_member(self, name: str) -> bool:
        return name not in self.locals and bool(self.names.members_named(name))

    def _fallback(self, node: tree.Binary) -> TExpr | None:
        left, right = self._pair(node.left, node.right)
        if left is None or right is None:
            return None
        joined = join(left.type.required(), right.type)
        if joined is None or left.type.kind == "none":
            self.fail("type-mismatch", f"{describe(left.type)} falls back to {describe(right.type)}", node)
            return None
        if not left.type.optional:
            self.fail(
                "never-absent", "this is never absent, so `??` has no effect", node.left, "Leave the `??` part out."
            )
            return left
        return Op(joined, "??", (left, right))

    def conditional(self, node: tree.Conditional, expected: Type | None) -> TExpr | None:
        condition = self.of_kind("bool", node.condition)
        then, otherwise = self.typed(node.then, expected), self.typed(node.otherwise, expected)
        if condition is None or then is None or otherwise is None:
            return None
        joined = join(then.type, otherwise.type)
        if joined is None:
            message = f"one side is {describe(then.type)}, the other {describe(otherwise.type)}"
            self.fail("type-mismatch", message, node)
            return None
        return If(joined, condition, then, otherwise)


def _outcome(sign: str, a: Type, b: Type) -> bool | None:
    """What a comparison of two intervals always comes to, None where it depends."""
    if sign in ("==", "!="):
        if a.high < b.low or b.high < a.low:
            return sign == "!="
        same = a.low == a.high == b.low == b.high and not a.optional and not b.optional
        return sign == "==" if same else None
    compare: Callable[[int, int], bool] = {
        "<": operator.lt,
        "<=": operator.le,
        ">": operator.gt,
        ">=": operator.ge,
    }[sign]
    outcomes = {compare(a.low, b.high), compare(a.high, b.low)}
    return outcomes.pop() if len(outcomes) == 1 else None


def _interval(sign: str, a: Type, b: Type) -> Type:
    if sign == "%":
        return integer(0, b.high - 1) if b.low > 0 else integer(b.low + 1, 0)
    apply: dict[str, Callable[[int, int], int]] = {
        "+": operator.add,
        "-": operator.sub,
        "*": operator.mul,
        "//": operator.floordiv,
    }
    ends = [apply[sign](x, y) for x in (a.low, a.high) for y in (b.low, b.high)]
    return integer(min(ends), max(ends))
