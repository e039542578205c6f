"""Operations of programs, with their results where their arguments determine these."""

from __future__ import annotations

from collections.abc import Mapping

from rulespec.engine.program import ir
from rulespec.language.model.operators import OPERATORS
from rulespec.language.model.types import NONE

Scope = Mapping[str, ir.Expr]
ZERO, ONE, ABSENT = ir.Const(0), ir.Const(1), ir.Const(NONE)


def operation(operator: str, *arguments: ir.Expr) -> ir.Expr:
    """An operation, or its result if the arguments determine it."""
    values = [a.value for a in arguments if isinstance(a, ir.Const)]
    if len(values) == len(arguments):
        return ir.Const(OPERATORS[operator].apply(*values))
    if operator in ("and", "or"):
        left, right = arguments
        for known, other in ((left, right), (right, left)):
            if isinstance(known, ir.Const):
                return other if bool(known.value) == (operator == "and") else ir.Const(int(operator == "or"))
    if operator in ("+", "-") and arguments[1] == ZERO:
        return arguments[0]
    if operator == "+" and arguments[0] == ZERO:
        return arguments[1]
    return ir.Operation(operator, arguments)


def choice(condition: ir.Expr, then: ir.Expr, otherwise: ir.Expr) -> ir.Expr:
    if isinstance(condition, ir.Const):
        return then if condition.value else otherwise
    return ir.Choice(condition, then, otherwise)
