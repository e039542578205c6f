"""Expressions of a program as functions of the registers and the zones, made once and then only called."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cache
from typing import Any

from rulespec.engine.program import ir
from rulespec.language.model.folds import FOLDS, FoldRow, Gain
from rulespec.language.model.operators import OPERATORS, Operator
from rulespec.language.model.types import NONE

Registers = list[int]
Zones = list[list[int]]
Evaluate = Callable[[Registers, Zones], int]


def evaluator(node: ir.Expr) -> Evaluate:
    """The function that gives an expression's value."""
    return EXPRESSIONS[type(node)](node)


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
    """The source text of the operator over the closures of its arguments; constants stand in it as they are."""
    constant = tuple(isinstance(argument, ir.Const) for argument in node.arguments)
    arguments = [a.value if isinstance(a, ir.Const) else evaluator(a) for a in node.arguments]
    row = OPERATORS[node.operator]
    made: Evaluate = _compiled(_operation_source(row, constant))(*arguments)
    return made


def _operation_source(row: Operator, constant: tuple[bool, ...]) -> str:
    names = [f"a{i}" for i in range(len(constant))]
    parts = [name if known else f"{name}(r, z)" for name, known in zip(names, constant, strict=True)]
    # An argument that the source names twice is evaluated once: a second call would double the work at every level.
    once = [i for i in range(len(parts)) if row.repeated(i) and not constant[i]]
    lines = [f"        v{i} = {parts[i]}" for i in once]
    for i in once:
        parts[i] = f"v{i}"
    lines.append(f"        return {row.source.format(*parts)}")
    return "\n".join([f"def make({', '.join(names)}):", "    def operation(r, z):", *lines, "    return operation"])


# Programs have many operations and few sources, and `exec` takes longer than all else here.
@cache
def _compiled(source: str) -> Callable[..., Any]:
    """The function `make` of a source. Nothing but the texts of the tables of operators and folds reaches it."""
    namespace: dict[str, Any] = {}
    exec(compile(source, "<operators>", "exec"), namespace)
    made: Callable[..., Any] = namespace["make"]
    return made


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
        # Turned in advance for each start; a start after the last value begins with the first again.
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
    parts = [evaluator(part) if part is not None else None for part in (node.condition, node.body)]
    source = _fold_source(FOLDS[node.function], node.condition is not None)
    made: Evaluate = _compiled(source)(domain(node.domain), node.slot, *parts)
    return made


_FOLD = """def make(elements, slot, condition, body):
    def fold(r, z):
        result = {start}
        for element in elements(r, z):
            r[slot] = element
            if {test}:
                result {sign} {gain}{stop}
        return result
    return fold"""


def _fold_source(row: FoldRow, conditional: bool) -> str:
    tests = ["condition(r, z)"] if conditional else []
    if row.gain is Gain.BODY:
        tests.append(f"(value := body(r, z)) != {NONE}")
    if row.better:
        tests.append(row.better.format("value", "result"))
    return _FOLD.format(
        start=row.start,
        test=" and ".join(tests) or "True",
        sign="+=" if row.adds else "=",
        gain={Gain.ONE: "1", Gain.ELEMENT: "element", Gain.BODY: "value"}[row.gain],
        stop="\n                break" if row.stops else "",
    )


_ALL: int = 2**ir.WORD - 1


def _reached(node: ir.Reached) -> Evaluate:
    slot, way, ahead, squares, first = node.slot, node.way, node.ahead, node.squares.values, node.first
    start, item, condition, near = (
        evaluator(node.start),
        evaluator(node.item),
        evaluator(node.condition),
        domain(node.near),
    )

    def reached(r: Registers, z: Zones) -> int:
        found, queue = 0, list[int]()
        for square in squares:
            r[slot] = square
            if start(r, z):
                found |= 1 << square
                queue.append(square)
        for square in queue:
            r[slot] = square
            for one in near(r, z):
                r[way] = one
                r[ahead] = other = item(r, z)
                if not found >> other & 1 and condition(r, z):
                    found |= 1 << other
                    queue.append(other)
        return found >> first & _ALL

    return reached


def _try(node: ir.Try) -> Evaluate:
    steps, condition, undo = _run(node.steps), evaluator(node.condition), _run(node.undo)

    def tried(r: Registers, z: Zones) -> int:
        steps(r, z)
        result = condition(r, z)
        undo(r, z)
        return result

    return tried


def _run(code: Sequence[ir.Instruction]) -> Callable[[Registers, Zones], None]:
    """The function that carries out instructions of `ir.Try`."""
    functions = [_TRIED[type(instruction)](instruction, place + 1) for place, instruction in enumerate(code)]
    end = len(functions)

    def run(r: Registers, z: Zones) -> None:
        place = 0
        while place < end:
            place = functions[place](r, z)

    return run


def _tried_let(i: ir.Let, after: int) -> Evaluate:
    base, index, expression = i.base, evaluator(i.index), evaluator(i.expression)

    def let(r: Registers, z: Zones) -> int:
        r[base + index(r, z)] = int(expression(r, z))
        return after

    return let


def _tried_branch(i: ir.Branch, after: int) -> Evaluate:
    condition, target = evaluator(i.condition), i.target
    return lambda r, z: after if condition(r, z) else target


def _tried_jump(i: ir.Jump, after: int) -> Evaluate:
    target = i.target
    return lambda r, z: target


_TRIED: dict[type, Callable[[Any, int], Evaluate]] = {
    ir.Let: _tried_let,
    ir.Branch: _tried_branch,
    ir.Jump: _tried_jump,
}
"""The function of each instruction of `ir.Try`: it returns the place of the next one."""


EXPRESSIONS: dict[type, Callable[[Any], Evaluate]] = {
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
    ir.Reached: _reached,
    ir.Try: _try,
}
