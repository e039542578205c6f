"""Expressions in plain Python: titled values for views, and conditions for enumerations that evaluate them often."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from typing import Any

from rulespec.engine.backend.dialects.lists import Lists
from rulespec.engine.backend.tree import syntax
from rulespec.engine.backend.tree.syntax import assign, give, name, tuple_of
from rulespec.engine.backend.tree.writer import REGISTERS
from rulespec.engine.program import ir


def values_source(program: ir.Program, expressions: Sequence[ir.Expr]) -> ast.Module:
    """A module with `VALUES`, a function `(r, z)` for each expression. It writes to no register: what an expression
    binds has a variable of its own."""
    bound = frozenset(
        node.slot for expression in expressions for node in ir.walk(expression) if isinstance(node, ir.Bind | ir.Fold)
    )
    writer = Lists(program, bound)
    functions = [_function(writer, f"value_{number}", one) for number, one in enumerate(expressions)]
    found = assign(tuple_of(*(name(one.name) for one in functions)), name("VALUES"))
    return syntax.module([*syntax.constants(writer.tables), *functions, found])


def _function(writer: Lists, called: str, expression: ir.Expr) -> ast.FunctionDef:
    writer.available.clear()
    statements, value = writer.written(lambda: writer.value(expression))
    return syntax.function(called, {"r": "", "z": ""}, [*statements, give(value)])


Holds = Callable[[list[int], Sequence[int]], bool]
"""Whether a condition holds for registers, into which it first writes the contents of its slots."""

_CONTENTS = name("contents")


class _ConditionWriter(Lists):
    longest_unrolled = 16


def compiled(condition: ir.Expr, slots: Sequence[int]) -> Holds:
    """The function of a condition that reads no zones; `slots` are the registers that differ from call to call.

    Raises one of `COMPILE_LIMITS` if the condition is nested too deeply for Python.
    """
    w = _ConditionWriter(_NO_PROGRAM)
    w.put(assign(_CONTENTS, tuple_of(*(w.register(slot) for slot in slots))))
    w.put(give(w.test(condition)))
    holds = syntax.function("holds", {str(REGISTERS): "", str(_CONTENTS): ""}, w.block)
    names: dict[str, Any] = {}
    exec(compile(syntax.module([*syntax.constants(w.tables), holds]), "<condition>", "exec"), names)
    found: Holds = names["holds"]
    return found


_NO_PROGRAM = ir.Program(
    players=1,
    code=(),
    rules=(),
    start=(),
    scratch=0,
    zones=(),
    zone_base={},
    value_base={},
    cards=(),
    start_zone=0,
    faces=(),
    actions=0,
    options=(),
    ranking=None,
    always=(),
)
