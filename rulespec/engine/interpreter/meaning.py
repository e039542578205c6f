"""What instructions do to registers and zones, as texts of Python. Closures are compiled from them, and generated code
contains them.

In a text, the fields of the instruction are numbers or, if they hold expressions, functions of `r` and `z`. `draw(n)`
is a random number below n. `emit(kind, …)` emits an event of the instruction's rule, if events are recorded, and
`counted(card)` and `all_counted()` stand where generated code updates what it keeps of the zones between which cards
move.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields
from functools import cache
from typing import Any, TypeAlias

from rulespec.engine.program import ir
from rulespec.language.model.types import NONE

Variants: TypeAlias = Mapping[object, str]

_LETS: Variants = {
    "cell": """
r[cell] = int(expression(r, z))
""",
    "row": """
r[base + index(r, z)] = int(expression(r, z))
""",
    # To set a value to what it holds is no event; `_given` in knowledge/possible_worlds.py relies on it.
    "event": """
offset, content = index(r, z), int(expression(r, z))
if r[base + offset] != content:
    r[base + offset] = content
    emit("set", value, offset, content)
""",
}

_MOVES: Variants = {
    "card": """
card, a, b = amount(r, z), source(r, z), target(r, z)
if card in z[a]:
    emit("move", card, a, z[a].index(card), b)
    z[a].remove(card)
    z[b].append(card)
    counted(card)
""",
    "one": """
a, b = source(r, z), target(r, z)
if z[a]:
    emit("move", z[a][-1], a, len(z[a]) - 1, b)
    card = z[a].pop()
    z[b].append(card)
    counted(card)
""",
    "top": """
a, b = source(r, z), target(r, z)
last = len(z[a]) - 1
for position in range(last, max(last - amount(r, z), -1), -1):
    card = z[a].pop(position)
    z[b].append(card)
    counted(card)
    emit("move", card, a, position, b)
""",
    "random": """
a, b = source(r, z), target(r, z)
for _ in range(min(amount(r, z), len(z[a]))):
    position = draw(len(z[a]))
    card = z[a].pop(position)
    z[b].append(card)
    counted(card)
    emit("move", card, a, position, b)
""",
    # One event: players who know cards in the zone know that they are in the other zone now.
    "all": """
a, b = source(r, z), target(r, z)
if a != b:
    if z[a]:
        emit("move_all", a, b, *z[a])
    all_counted()
    z[b].extend(z[a])
    z[a].clear()
""",
    "every": """
a, b = source(r, z), target(r, z)
staying, gone = [], []
for r[slot] in z[a]:
    if where(r, z):
        emit("move", r[slot], a, len(staying), b)
        gone.append(r[slot])
        counted(r[slot])
    else:
        staying.append(r[slot])
z[a][:] = staying
z[b].extend(gone)
""",
}

_REPORTS: Variants = {
    ir.Bound: """
emit("stopped", r[number], thing)
""",
    ir.Award: """
emit("award", place, r[subject], r[winner], r[decided], int(worth(r, z)), *(r[cell] for cell in cells))
""",
    ir.Ranking: """
emit("rank", place, r[decided], *(r[cell] for cell in cells))
""",
}

TEXTS: Mapping[type[ir.Instruction], str | Variants] = {
    ir.Let: _LETS,
    ir.Move: _MOVES,
    ir.Note: _REPORTS,
    ir.Mark: """
emit("rule")
""",
    ir.Show: """
a = zone(r, z)
emit("show", r[card], a, z[a].index(r[card]), r[to], r[number])
""",
    ir.Shuffle: """
a = zone(r, z)
for last in range(len(z[a]) - 1, 0, -1):
    other = draw(last + 1)
    z[a][last], z[a][other] = z[a][other], z[a][last]
emit("shuffle", a, *z[a])
""",
    ir.Sink: """
a, place_in_a = zone(r, z), position(r, z)
z[a].insert(place_in_a, z[a].pop())
emit("sink", a, place_in_a)
""",
    ir.Draw: """
elements = domain(r, z)
r[slot] = elements[draw(len(elements))]
emit("random", place, r[slot], r[viewers] if viewers >= 0 else -1)
""",
    ir.Check: """
if not holds(r, z):
    broken(s, invariant, *(int(side(r, z)) for side in sides))
""",
    ir.SetupEnds: """
emit("setup", *map(len, z))
""",
}
"""The text of each instruction. Those that jump, wait or end have none: see `CONTROL` in closures.py."""


def meaning(i: ir.Instruction, record: bool, players: int) -> tuple[str, dict[str, Any]]:
    """The text of an instruction, with or without events, and the contents of the fields that it names."""
    text, contents = TEXTS.get(type(i), ""), dict(_fields(i))
    if isinstance(i, ir.Let) and isinstance(i.index, ir.Const):
        contents["cell"] = i.base + i.index.value
    elif isinstance(i, ir.Note):
        contents |= _reported(i.report, players)
    return text if isinstance(text, str) else text[_variant(i, record)], contents


def _variant(i: ir.Instruction, record: bool) -> object:
    """Which of its texts an instruction has."""
    if isinstance(i, ir.Let):
        return "event" if record and i.value else "cell" if isinstance(i.index, ir.Const) else "row"
    if isinstance(i, ir.Move):
        if i.how == "every" and i.where is None:
            return "all"
        return "one" if i.how == "top" and i.amount == ir.Const(1) else i.how
    return type(i.report) if isinstance(i, ir.Note) else None


def _fields(part: object) -> Iterator[tuple[str, Any]]:
    return ((one.name, getattr(part, one.name)) for one in fields(part))  # type: ignore[arg-type]


def _reported(report: ir.Award | ir.Ranking | ir.Bound, players: int) -> Iterator[tuple[str, Any]]:
    yield from _fields(report)
    if not isinstance(report, ir.Bound):
        rows = [report.candidates if isinstance(report, ir.Award) else report.ranks, *(key.base for key in report.keys)]
        yield "cells", tuple(base + player for base in rows for player in range(players))
    if isinstance(report, ir.Award) and report.worth is None:
        yield "worth", ir.Const(NONE)


@cache
def statements(text: str, record: bool) -> Sequence[ast.stmt]:
    """The statements of a text, without those that emit events unless `record`."""
    module: ast.Module = ast.parse(text)
    return module.body if record else _Silent().visit(module).body


class _Silent(ast.NodeTransformer):
    def visit_Expr(self, node: ast.Expr) -> ast.Expr | None:
        return None if called(node.value) == "emit" else node

    def visit_If(self, node: ast.If) -> ast.If | None:
        self.generic_visit(node)
        return node if node.body else None


def called(node: ast.AST) -> str:
    """The name of the function that an expression calls; empty for anything else."""
    return node.func.id if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) else ""
