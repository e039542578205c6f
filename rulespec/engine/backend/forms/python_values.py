"""Titled values in plain Python, for views: a function of the registers and the zones for each of them."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from rulespec.engine.backend.dialects.lists import Lists
from rulespec.engine.backend.tree import syntax
from rulespec.engine.backend.tree.syntax import assign, give, name, tuple_of
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
