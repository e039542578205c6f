"""Expressions of a program as functions of the registers and the zones, made once and then only called."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from textwrap import indent
from typing import Any

from rulespec.engine.program import ir
from rulespec.engine.program.trials import written
from rulespec.language.model.folds import FOLDS, FoldRow, Gain
from rulespec.language.model.operators import OPERATORS
from rulespec.language.model.types import NONE

Registers = list[int]
Zones = list[list[int]]
Evaluate = Callable[[Registers, Zones], int]


def evaluator(node: ir.Expr) -> Evaluate:
    """The function that gives an expression's value."""
    made: Evaluate = _made(node)
    return made


def _made(node: ir.Expr | ir.Domain) -> Callable[..., Any]:
    row = EXPRESSIONS[type(node)]
    text, contents = (row, contents_of(node)) if isinstance(row, str) else row(node)
    return closure(text, contents, "r, z")


def contents_of(part: Any) -> dict[str, Any]:
    """The contents of the fields of an expression or instruction, by name."""
    return {name: getattr(part, name) for name in part.__dataclass_fields__}


def closure(text: str, contents: Mapping[str, Any], arguments: str) -> Callable[..., Any]:
    """The function whose body is a text. `contents` are of the names in it: those that are expressions are called there
    with `(r, z)`."""
    constants = tuple([name for name, content in contents.items() if type(content) is ir.Const])
    registers = tuple([name for name, content in contents.items() if type(content) is ir.Register])
    make, names = _compiled(text, arguments, tuple(contents), constants, registers)
    return make(*[_argument(contents[name]) for name in names])


# Programs have many instructions and expressions and few texts, and `exec` takes longer than all else here.
@cache
def _compiled(
    text: str, arguments: str, names: tuple[str, ...], constants: tuple[str, ...], registers: tuple[str, ...]
) -> tuple[Callable[..., Callable[..., Any]], tuple[str, ...]]:
    """The function that makes the closures of a text, and those of the names that it contains. Nothing but the texts of
    the tables of instructions, expressions, operators and folds reaches it."""
    for name in constants:
        text = text.replace(f"{name}(r, z)", name)
    for name in registers:
        text = text.replace(f"{name}(r, z)", f"r[{name}]")
    words = {*re.findall(r"\w+", text)}
    named = tuple(name for name in names if name in words)
    namespace: dict[str, Any] = {"NONE": NONE}
    exec(f"def make({', '.join(named)}):\n def closure({arguments}):\n{indent(text, '  ')}\n return closure", namespace)
    return namespace["make"], named


def _argument(content: Any) -> Any:
    """What stands for the content of a field in a closure."""
    kind = type(content)
    if kind is ir.Const or kind is ir.Register:
        return content.value if kind is ir.Const else content.slot
    if kind is tuple and content and type(content[0]) in EXPRESSIONS:
        return tuple(map(_made, content))
    return _made(content) if kind in EXPRESSIONS else content


# Comparisons give Python's True and False, which are the numbers 1 and 0; registers get plain numbers (see meaning.py).


Made = tuple[str, Mapping[str, Any]]
"""A text, and the contents of the names in it."""


def _operation(node: ir.Operation) -> Made:
    contents = {f"a{i}": argument for i, argument in enumerate(node.arguments)}
    return _operation_text(node.operator, len(contents)), contents


@cache
def _operation_text(operator: str, arguments: int) -> str:
    """The source text of an operator over its arguments."""
    row, parts = OPERATORS[operator], [f"a{i}(r, z)" for i in range(arguments)]
    # An argument that the source names twice is evaluated once: a second call would double the work at every level.
    once = [i for i in range(len(parts)) if row.repeated(i)]
    lines = [f"v{i} = {parts[i]}" for i in once]
    for i in once:
        parts[i] = f"v{i}"
    return "\n".join([*lines, f"return {row.source.format(*parts)}"])


def domain(node: ir.Domain) -> Callable[[Registers, Zones], Iterable[int]]:
    """The function that gives the elements of a domain."""
    made: Callable[[Registers, Zones], Iterable[int]] = _made(node)
    return made


def _ring(node: ir.Ring) -> Made:
    # Turned in advance for each start; a start after the last value begins with the first again.
    turns = [turned(node.values, start) for start in range(max(node.values) + 1)]
    return "return turns[s] if (s := start(r, z)) < len(turns) else turns[0]", {"turns": turns, "start": node.start}


def turned(values: tuple[int, ...], start: int) -> tuple[int, ...]:
    """Rising values, turned so that the first is the first one not below `start`."""
    return tuple(v for v in values if v >= start) + tuple(v for v in values if v < start)


def _fold(node: ir.Fold) -> Made:
    return _fold_text(FOLDS[node.function], node.condition is not None), contents_of(node)


_FOLD = """
result = {start}
for element in domain(r, z):
    r[slot] = element
    if {test}:
        result {sign} {gain}{stop}
return result
"""


@cache
def _fold_text(row: FoldRow, conditional: bool) -> str:
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
        stop="\n        break" if row.stops else "",
    )


def _try(node: ir.Try) -> Made:
    parts = tuple(slice(cells.start, cells.stop) for cells in written(node.steps))
    functions = [
        closure(f"{STEPS[type(i)]}\nreturn after", contents_of(i) | {"after": place + 1}, "r, z")
        for place, i in enumerate(node.steps)
    ]
    end = len(functions)

    def run(r: Registers, z: Zones) -> None:
        place = 0
        while place < end:
            place = functions[place](r, z)

    return _TRY, {"steps": run, "condition": node.condition, "parts": parts}


STEPS: Mapping[type[ir.Instruction], str] = {
    ir.Let: "r[base + index(r, z)] = int(expression(r, z))",
    ir.Branch: "return after if condition(r, z) else target",
    ir.Jump: "return target",
}
"""What each instruction of `ir.Try` does; it may return the place of the next one."""


_LOOKUP_MAYBE = "return NONE if (i := index(r, z)) == NONE else table[i]"
_TOP_CARD = "return cards[-1] if (cards := z[zone(r, z)]) else NONE"
_CARD = "return cards[i] if (i := position(r, z)) < len(cards := z[zone(r, z)]) else NONE"
_TRY = """
kept = [r[part] for part in parts]
steps(r, z)
result = condition(r, z)
for part, before in zip(parts, kept):
    r[part] = before
return result
"""
_REACHED = f"""
found, queue = 0, []
for square in squares(r, z):
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
return found >> first & {2**ir.WORD - 1}
"""

EXPRESSIONS: Mapping[type, str | Callable[[Any], Made]] = {
    ir.Const: "return value",
    ir.Register: "return r[slot]",
    ir.Element: "return r[base + index(r, z)]",
    ir.Lookup: lambda node: (_LOOKUP_MAYBE if node.maybe else "return table[index(r, z)]", contents_of(node)),
    ir.Size: "return len(z[zone(r, z)])",
    ir.Card: lambda node: (_TOP_CARD if node.position is None else _CARD, contents_of(node)),
    ir.Operation: _operation,
    ir.Choice: "return then(r, z) if condition(r, z) else otherwise(r, z)",
    ir.Bind: "r[slot] = value(r, z)\nreturn body(r, z)",
    ir.Items: "return values",
    ir.Ring: _ring,
    ir.Span: "return range(low(r, z), high(r, z) + 1)",
    ir.Cards: "return z[zone(r, z)]",
    ir.Fold: _fold,
    ir.Try: _try,
    ir.Reached: _REACHED,
}
"""The body of the function that each expression or domain becomes."""
