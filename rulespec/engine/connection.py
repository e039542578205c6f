"""Lowers the connection of squares on a board: marks spread to neighbours until no square is new."""

from __future__ import annotations

from rulespec.engine import ir
from rulespec.engine.lower import Lowering
from rulespec.engine.operations import ONE, ZERO, Scope, operation
from rulespec.model import spec as m


def connect(low: Lowering, step: m.Connect, scope: Scope) -> None:
    """Marks the squares to start from, then neighbours of marked squares; the target is set where it differs."""
    size = low.setting.extent(step.domain.type)
    marks, spread = low.allocate(size), ir.Register(low.allocate())
    with low.loop(step.domain, scope) as square:
        begins = low.expr(step.start, {**scope, step.variable: square})
        low.emit(ir.Let(base=marks, index=square, expression=begins, size=size))
    top = low.here
    low.let(spread.slot, ZERO)
    with low.loop(step.domain, scope) as square:
        passed = low.branch(_joins(low, step, {**scope, step.variable: square}, square, marks))
        low.emit(ir.Let(base=marks, index=square, expression=ONE, size=size))
        low.let(spread.slot, ONE)
        low.land(passed)
    still = low.branch(spread)
    low.emit(ir.Jump(target=top))
    low.land(still)
    with low.loop(step.domain, scope) as square:
        _stored(low, step, {**scope, step.variable: square}, ir.Element(marks, square, size))


def _joins(low: Lowering, step: m.Connect, scope: Scope, square: ir.Expr, marks: int) -> ir.Expr:
    """Whether a square without a mark gets one: it can be passed, and a neighbour has one."""
    size, number = low.setting.extent(step.domain.type), low.temporary()
    beside = ir.Element(marks, low.item(step.near, ir.Register(number), scope), size)
    reached = ir.Fold("any", number, low.domain(step.near, scope), beside, None)
    passable = operation("and", low.expr(step.through, scope), reached)
    return operation("and", operation("not", ir.Element(marks, square, size)), passable)


def _stored(low: Lowering, step: m.Connect, scope: Scope, mark: ir.Expr) -> None:
    declared = low.spec.values[step.target.name]
    arguments = [low.expr(argument, scope) for argument in step.target.arguments]
    base, index = low.address(declared, arguments)
    same = low.branch(operation("!=", low.cell(declared, arguments), mark))
    low.emit(ir.Let(base=base, index=index, expression=mark, size=low.cells(declared), value=declared.name))
    low.land(same)
