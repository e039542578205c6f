"""Lowers the steps that remember and forget positions."""

from __future__ import annotations

from collections.abc import Mapping

from rulespec.engine.program import ir
from rulespec.engine.program.lower import Lowering, LowerStep
from rulespec.engine.program.operations import ONE, ZERO, Scope, operation
from rulespec.language.model import spec as m


def _remember(low: Lowering, step: m.Remember, scope: Scope) -> None:
    """Adds the present position behind the others, unless there are as many as there may be: then the game stops."""
    positions = low.remembered[step.target.name]
    number = low.stored(operation("+", positions.count, ONE))
    full = low.branch(operation(">", number, ir.Const(positions.most)))
    low.stop(number.slot, step.target.name)
    low.land(full)
    for column, expression in zip(positions.columns, low.numbers_of(step.target.name), strict=True):
        low.emit(ir.Let(base=column, index=positions.count, expression=expression, size=positions.most))
    low.let(positions.count.slot, number)


def _forget(low: Lowering, step: m.Forget, scope: Scope) -> None:
    low.let(low.remembered[step.target.name].count.slot, ZERO)


POSITIONS: Mapping[type[m.Step], LowerStep] = {m.Remember: _remember, m.Forget: _forget}
