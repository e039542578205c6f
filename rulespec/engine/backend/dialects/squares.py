"""Conditions about all squares of a board, or other members of an enum, tested at once: a bit for each of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from rulespec.engine.backend.analyses.hoisting import registers_read
from rulespec.engine.backend.tree.syntax import Code, call
from rulespec.engine.backend.tree.writer import REGISTERS, Writer
from rulespec.engine.program import ir

FEWEST, MOST = 8, 64
"""Members for which it pays: as many numbers as are compared at once, and the bits of a word."""


def among(
    w: Writer, domain: ir.Domain, slot: int, conditions: Sequence[ir.Expr]
) -> tuple[Code, Sequence[ir.Expr]] | None:
    """The bits of the members, which `slot` stands for, that satisfy some of the conditions, and the other conditions;
    None if no condition is that simple: it compares a register of each member with the same number."""
    if not isinstance(domain, ir.Items) or not FEWEST <= len(domain.values) <= MOST:
        return None
    size, found, rest = len(domain.values), list[Code](), list[ir.Expr]()
    if domain.values != tuple(range(size)):
        return None
    for condition in conditions:
        if (simple := _comparison(condition, ir.Register(slot))) is None:
            rest.append(condition)
            continue
        base, offset, number, is_equal = simple
        first = w.value(ir.Operation("+", (ir.Const(base), offset)) if offset is not None else ir.Const(base))
        bits = call("equal_bits", REGISTERS, first, size, w.value(number))
        found.append(bits if is_equal else call("u64", 2**size - 1) - bits)
    if not found:
        return None
    both = found[0]
    for bits in found[1:]:
        both = both & bits
    return both, rest


_Comparison: TypeAlias = "tuple[int, ir.Expr | None, ir.Expr, bool]"
"""Registers from a base and an offset on, the number that they are compared with, and whether they equal it."""


def _comparison(condition: ir.Expr, own: ir.Register) -> _Comparison | None:
    if isinstance(condition, ir.Element):
        return _registers(condition, own, ir.Const(0), False)
    if not isinstance(condition, ir.Operation):
        return None
    if condition.operator == "not":
        return _registers(condition.arguments[0], own, ir.Const(0), True)
    if condition.operator in ("==", "!="):
        for element, number in (condition.arguments, condition.arguments[::-1]):
            if (found := _registers(element, own, number, condition.operator == "==")) is not None:
                return found
    return None


def _registers(element: ir.Expr, own: ir.Register, number: ir.Expr, is_equal: bool) -> _Comparison | None:
    if not isinstance(element, ir.Element) or not _is_plain(number, own):
        return None
    if element.index == own:
        return element.base, None, number, is_equal
    index = element.index
    if isinstance(index, ir.Operation) and index.operator == "+" and own in index.arguments:
        (offset,) = [one for one in index.arguments if one != own] or [own]
        return (element.base, offset, number, is_equal) if _is_plain(offset, own) else None
    return None


_SAFE = frozenset({"+", "-", "*", "%"})


def _is_plain(node: ir.Expr, own: ir.Register) -> bool:
    """Whether an expression is the same for all members and has a value whatever holds."""
    return all(map(_has_value, ir.walk(node))) and own.slot not in registers_read(node)


def _has_value(node: object) -> bool:
    if isinstance(node, ir.Operation):
        divides = node.operator == "%"
        return node.operator in _SAFE and (not divides or isinstance(node.arguments[1], ir.Const))
    return isinstance(node, ir.Const | ir.Register)
