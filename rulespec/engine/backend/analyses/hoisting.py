"""What can be evaluated before the place where an expression is: the parts that rely on no condition, and folds that do
not depend on the loops around them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass

from rulespec.engine.program import ir


def registers_read(node: object) -> Iterator[int]:
    """The registers that are read in a part of a program."""
    return (n.slot for n in ir.walk(node) if isinstance(n, ir.Register))


def always_evaluated(node: object) -> Iterator[object]:
    """The parts of an expression that can be evaluated wherever it is: not those that rely on a condition in it."""
    if isinstance(node, tuple | list):
        for part in node:
            yield from always_evaluated(part)
    elif is_dataclass(node):
        yield node
        relying = _RELYING.get(type(node), ()) if getattr(node, "condition", None) is not None else ()
        for item in fields(node):
            if item.name not in (*relying, "table"):
                yield from always_evaluated(getattr(node, item.name))


_RELYING: dict[type, tuple[str, ...]] = {
    ir.Choice: ("then", "otherwise"),
    ir.Fold: ("body",),
    ir.Reached: ("item",),
    ir.Try: ("steps", "condition"),
}
"""The fields of an expression that may have no value where its condition does not hold."""


def free_folds(condition: ir.Expr, picks: frozenset[int]) -> Iterator[ir.Fold]:
    """The outermost folds of a condition that depend on the state and the picks only."""
    if isinstance(condition, ir.Fold):
        inner = {n.slot for n in ir.walk(condition) if isinstance(n, ir.Fold | ir.Bind)}
        if all(slot >= 0 or slot in picks or slot in inner for slot in registers_read(condition)):
            yield condition
            return
    for part in _parts(condition):
        yield from free_folds(part, picks)


def _parts(node: ir.Expr) -> Iterator[ir.Expr]:
    if isinstance(node, ir.Operation):
        yield from node.arguments
    elif isinstance(node, ir.Choice):
        yield from (node.condition, node.then, node.otherwise)
    elif isinstance(node, ir.Bind):
        yield from (node.value, node.body)
