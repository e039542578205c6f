"""Picked sets in programs: registers for the elements, the numbers of the sets, and folds over the elements.

A set of k elements is k picks whose elements fall in their order: members by position, players by seat, cards by face
and then by number. So the conditions that order the picks make each set one combination, and the engines enumerate it
with the picks of other options. The number of a set is the sum of what each element adds (see
language/model/combinations.py).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import groupby, pairwise
from typing import NamedTuple

from rulespec.engine.program import ir
from rulespec.engine.program.operations import ABSENT, ONE, ZERO, Scope, choice, operation
from rulespec.language.model.combinations import things

_TOO_HIGH = ir.Const(2**31)
"""More than any number (see model.types.LIMIT)."""


def in_scope(name: str, slots: Sequence[int], length: ir.Expr) -> dict[str, ir.Expr]:
    """A picked set as names of a scope: one for each element, highest first, and one for their number."""
    return {f"{name}#": length, **{f"{name}#{at}": ir.Register(slot) for at, slot in enumerate(slots)}}


def elements(name: str, scope: Scope) -> Iterator[tuple[ir.Expr, ir.Expr]]:
    """The registers of a picked set, lowest element first, each with the condition that it holds one."""
    length, slots = scope[f"{name}#"], list[ir.Expr]()
    while (slot := scope.get(f"{name}#{len(slots)}")) is not None:
        slots.append(slot)
    for at, slot in reversed(list(enumerate(slots))):
        yield operation("<", ir.Const(at), length), slot


def falling(slots: Sequence[int], order: tuple[int, ...] | None) -> ir.Expr:
    """The condition that elements fall: by themselves, or by what a table has for each card."""
    registers = [ir.Register(slot) for slot in slots]
    keys = [ir.Lookup(order, register) if order is not None else register for register in registers]
    condition: ir.Expr = ONE
    for higher, lower in pairwise(keys):
        condition = operation("and", condition, operation("<", lower, higher))
    return condition


class Element(NamedTuple):
    """An element of a set in a fold: its register, the condition under which it counts, and the body there."""

    register: ir.Expr
    counts: ir.Expr
    body: ir.Expr | None


def unrolled(function: str, found: Sequence[Element], slot: int) -> ir.Expr:
    """A fold over the elements of a picked set. The scratch register at `slot` is free for it."""
    if function in ("min", "max"):
        return _extreme(function, [choice(one.counts, one.body or ZERO, ABSENT) for one in found], slot)
    result: ir.Expr = ABSENT if function == "first" else ZERO
    for one in reversed(found):
        if function == "any":
            result = operation("or", one.counts, result)
        elif function == "first":
            result = choice(one.counts, one.register, result)
        else:
            amount = operation("??", one.body, ZERO) if one.body is not None else ONE
            result = operation("+", choice(one.counts, amount, ZERO), result)
    return result


def _extreme(name: str, values: Sequence[ir.Expr], slot: int) -> ir.Expr:
    """The lowest or the highest of values that may be absent. An absent one is stored as the lowest number of all."""
    absent = ABSENT if name == "max" else _TOO_HIGH
    result: ir.Expr = absent
    for value in values:
        result = operation(name, result, value if name == "max" else operation("??", value, _TOO_HIGH))
    if name == "max":
        return result
    register = ir.Register(slot)
    return ir.Bind(slot, result, choice(operation("==", register, _TOO_HIGH), ABSENT, register))


# numbers


Digits = Callable[[int], list[int]]


def digits(option: ir.Option) -> Digits:
    """The function from the number of an action within an option to the digits of its picks, in order."""
    system = [(group[0].size, tuple(pick.ranks for pick in group)) for group in reversed(groups(option.picks))]

    def decode(number: int) -> list[int]:
        found: list[int] = []
        for size, ranks in system:
            number, digit = divmod(number, size)
            found = [*(things(digit, ranks) if ranks[0] else [digit]), *found]
        return found

    return decode


def groups(picks: Sequence[ir.Pick]) -> list[list[ir.Pick]]:
    """The picks of an option, those of the elements of one set together."""
    return [list(group) for _, group in groupby(picks, key=lambda pick: pick.name)]
