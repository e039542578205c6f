"""Lowers the steps that remember and forget positions."""

from __future__ import annotations

from collections.abc import Mapping

from rulespec.engine.program import ir
from rulespec.engine.program.lower import Lowering, LowerStep
from rulespec.engine.program.operations import ONE, ZERO, Scope, operation
from rulespec.engine.program.positions import present
from rulespec.language.model import spec as m
from rulespec.language.model import typed as t


def _counted(low: Lowering, step: m.Remember | m.Forget) -> t.Repeated:
    definition = low.spec.values[step.target.name].definition
    assert isinstance(definition, t.Repeated)
    return definition


def _remember(low: Lowering, step: m.Remember, scope: Scope) -> None:
    """Adds the present position behind the others, unless there are as many as there may be: then the game stops."""
    node = _counted(low, step)
    kept = low.remembered[node]
    number = low.stored(operation("+", kept.count, ONE))
    full = low.branch(operation(">", number, ir.Const(kept.most)))
    low.stop(number.slot, step.target.name)
    low.land(full)
    for column, expression in zip(kept.columns, present(low, node), strict=True):
        low.emit(ir.Let(base=column, index=kept.count, expression=expression, size=kept.most))
    low.let(kept.count.slot, number)


def _forget(low: Lowering, step: m.Forget, scope: Scope) -> None:
    low.let(low.remembered[_counted(low, step)].count.slot, ZERO)


POSITIONS: Mapping[type[m.Step], LowerStep] = {m.Remember: _remember, m.Forget: _forget}
