"""Expressions of a program as functions of the registers and the zones, made once and then only called."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from rulespec.engine import ir
from rulespec.model.constants import OPERATORS
from rulespec.model.types import NONE

Registers = list[int]
Zones = list[list[int]]
Evaluate = Callable[[Registers, Zones], int]


def evaluator(node: ir.Expr) -> Evaluate:
    """The function that gives an expression's value."""
    return _EXPRESSIONS[type(node)](node)


def _const(node: ir.Const) -> Evaluate:
    value = node.value
    return lambda r, z: value


def _register(node: ir.Register) -> Evaluate:
    slot = node.slot
    return lambda r, z: r[slot]


def _element(node: ir.Element) -> Evaluate:
    base = node.base
    if isinstance(node.index, ir.Register):
        slot = node.index.slot
        return lambda r, z: r[base + r[slot]]
    index = evaluator(node.index)
    return lambda r, z: r[base + index(r, z)]


def _lookup(node: ir.Lookup) -> Evaluate:
    table, index = node.table, evaluator(node.index)
    if node.maybe:
        return lambda r, z: NONE if (i := index(r, z)) == NONE else table[i]
    if isinstance(node.index, ir.Register):
        slot = node.index.slot
        return lambda r, z: table[r[slot]]
    return lambda r, z: table[index(r, z)]


def _size(node: ir.Size) -> Evaluate:
    if isinstance(node.zone, ir.Const):
        number = node.zone.value
        return lambda r, z: len(z[number])
    zone = evaluator(node.zone)
    return lambda r, z: len(z[zone(r, z)])


def _card(node: ir.Card) -> Evaluate:
    zone = evaluator(node.zone)
    if node.position is None:
        return lambda r, z: cards[-1] if (cards := z[zone(r, z)]) else NONE
    position = evaluator(node.position)
    return lambda r, z: cards[i] if (i := position(r, z)) < len(cards := z[zone(r, z)]) else NONE


def _operation(node: ir.Operation) -> Evaluate:
    special = _BINARY.get(node.operator)
    if special is not None and len(node.arguments) == 2:
        left, right = node.arguments
        if isinstance(right, ir.Const) and node.operator in _WITH_CONSTANT:
            return _WITH_CONSTANT[node.operator](evaluator(left), right.value)
        return special(evaluator(left), evaluator(right))
    apply, arguments = OPERATORS[node.operator], [evaluator(a) for a in node.arguments]
    return lambda r, z: apply(*[a(r, z) for a in arguments])


_WITH_CONSTANT: dict[str, Callable[[Evaluate, int], Evaluate]] = {
    "==": lambda a, c: lambda r, z: a(r, z) == c,
    "!=": lambda a, c: lambda r, z: a(r, z) != c,
    "<": lambda a, c: lambda r, z: a(r, z) < c,
    ">": lambda a, c: lambda r, z: a(r, z) > c,
    "<=": lambda a, c: lambda r, z: a(r, z) <= c,
    ">=": lambda a, c: lambda r, z: a(r, z) >= c,
    "+": lambda a, c: lambda r, z: a(r, z) + c,
    "-": lambda a, c: lambda r, z: a(r, z) - c,
    "%": lambda a, c: lambda r, z: a(r, z) % c,
}
_BINARY: dict[str, Callable[[Evaluate, Evaluate], Evaluate]] = {
    "and": lambda a, b: lambda r, z: a(r, z) and b(r, z),
    "or": lambda a, b: lambda r, z: a(r, z) or b(r, z),
    "==": lambda a, b: lambda r, z: a(r, z) == b(r, z),
    "!=": lambda a, b: lambda r, z: a(r, z) != b(r, z),
    "<": lambda a, b: lambda r, z: a(r, z) < b(r, z),
    ">": lambda a, b: lambda r, z: a(r, z) > b(r, z),
    "<=": lambda a, b: lambda r, z: a(r, z) <= b(r, z),
    ">=": lambda a, b: lambda r, z: a(r, z) >= b(r, z),
    "+": lambda a, b: lambda r, z: a(r, z) + b(r, z),
    "-": lambda a, b: lambda r, z: a(r, z) - b(r, z),
    "??": lambda a, b: lambda r, z: b(r, z) if (v := a(r, z)) == NONE else v,
}
# Comparisons give Python's True and False, which are the numbers 1 and 0; registers get plain numbers (see `_let`).


def _choice(node: ir.Choice) -> Evaluate:
    condition, then, otherwise = evaluator(node.condition), evaluator(node.then), evaluator(node.otherwise)
    return lambda r, z: then(r, z) if condition(r, z) else otherwise(r, z)


def _bind(node: ir.Bind) -> Evaluate:
    slot, value, body = node.slot, evaluator(node.value), evaluator(node.body)

    def bind(r: Registers, z: Zones) -> int:
        r[slot] = value(r, z)
        return body(r, z)

    return bind


def domain(node: ir.Domain) -> Callable[[Registers, Zones], Iterable[int]]:
    """The function that gives the elements of a domain."""
    if isinstance(node, ir.Items):
        values = node.values
        return lambda r, z: values
    if isinstance(node, ir.Ring):
        start, turns = evaluator(node.start), [turned(node.values, s) for s in range(max(node.values) + 1)]
        return lambda r, z: turns[s] if (s := start(r, z)) < len(turns) else turns[0]
    if isinstance(node, ir.Cards):
        zone = evaluator(node.zone)
        return lambda r, z: z[zone(r, z)]
    low, high = evaluator(node.low), evaluator(node.high)
    return lambda r, z: range(low(r, z), high(r, z) + 1)


def turned(values: tuple[int, ...], start: int) -> tuple[int, ...]:
    """Rising values, turned so that the first is the first one not below `start`."""
    return tuple(v for v in values if v >= start) + tuple(v for v in values if v < start)


def _fold(node: ir.Fold) -> Evaluate:
    elements, slot = domain(node.domain), node.slot
    condition = evaluator(node.condition) if node.condition is not None else lambda r, z: 1
    body = evaluator(node.body) if node.body is not None else lambda r, z: 0
    return _FOLDS[node.function](elements, slot, condition, body)


def _sum(elements: Any, slot: int, condition: Evaluate, body: Evaluate) -> Evaluate:
    def fold(r: Registers, z: Zones) -> int:
        total = 0
        for element in elements(r, z):
            r[slot] = element
            if condition(r, z) and (value := body(r, z)) != NONE:
                total += value
        return total

    return fold


def _counted(elements: Any, slot: int, condition: Evaluate, body: Evaluate) -> Evaluate:
    def fold(r: Registers, z: Zones) -> int:
        total = 0
        for element in elements(r, z):
            r[slot] = element
            if condition(r, z):
                total += 1
        return total

    return fold


def _any(elements: Any, slot: int, condition: Evaluate, body: Evaluate) -> Evaluate:
    def fold(r: Registers, z: Zones) -> int:
        for element in elements(r, z):
            r[slot] = element
            if condition(r, z):
                return 1
        return 0

    return fold


def _first(elements: Any, slot: int, condition: Evaluate, body: Evaluate) -> Evaluate:
    def fold(r: Registers, z: Zones) -> int:
        for element in elements(r, z):
            r[slot] = element
            if condition(r, z):
                return int(element)
        return NONE

    return fold


def _extreme(pick: Callable[..., int]) -> Callable[[Any, int, Evaluate, Evaluate], Evaluate]:
    def build(elements: Any, slot: int, condition: Evaluate, body: Evaluate) -> Evaluate:
        def fold(r: Registers, z: Zones) -> int:
            found = []
            for element in elements(r, z):
                r[slot] = element
                if condition(r, z) and (value := body(r, z)) != NONE:
                    found.append(value)
            return pick(found, default=NONE)

        return fold

    return build


_FOLDS: dict[str, Callable[[Any, int, Evaluate, Evaluate], Evaluate]] = {
    "sum": _sum,
    "count": _counted,
    "any": _any,
    "first": _first,
    "min": _extreme(min),
    "max": _extreme(max),
}
_EXPRESSIONS: dict[type, Callable[[Any], Evaluate]] = {
    ir.Const: _const,
    ir.Register: _register,
    ir.Element: _element,
    ir.Lookup: _lookup,
    ir.Size: _size,
    ir.Card: _card,
    ir.Operation: _operation,
    ir.Choice: _choice,
    ir.Bind: _bind,
    ir.Fold: _fold,
}
