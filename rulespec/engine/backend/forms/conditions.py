"""A condition over registers as one Python function, for enumerations that evaluate it very often."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from rulespec.engine.backend.dialects.lists import Lists
from rulespec.engine.backend.tree import syntax
from rulespec.engine.backend.tree.syntax import assign, give, name, tuple_of
from rulespec.engine.backend.tree.writer import REGISTERS
from rulespec.engine.program import ir

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
