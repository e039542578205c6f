"""Lowers the connection of squares on a board: a queue of squares that are reached, each with its neighbours."""

from __future__ import annotations

from dataclasses import dataclass

from rulespec.engine.program import ir
from rulespec.engine.program.lower import Lowering
from rulespec.engine.program.operations import ONE, ZERO, Scope, operation
from rulespec.language.model import spec as m


@dataclass(frozen=True)
class _Reached:
    """The registers of the squares that are reached: a mark for each square, the squares in order, and their number."""

    marks: int
    queue: int
    number: ir.Register
    size: int

    def mark(self, square: ir.Expr) -> ir.Expr:
        """Whether a square is reached."""
        return ir.Element(self.marks, square, self.size)

    def add(self, low: Lowering, square: ir.Expr) -> None:
        low.emit(ir.Let(base=self.marks, index=square, expression=ONE, size=self.size))
        low.emit(ir.Let(base=self.queue, index=self.number, expression=square, size=self.size))
        low.let(self.number.slot, operation("+", self.number, ONE))


def connect(low: Lowering, step: m.Connect, scope: Scope) -> None:
    """Marks the squares to start from, then neighbours of each marked square; the target is set where it differs."""
    size = low.setting.extent(step.domain.type)
    reached = _Reached(low.allocate(size), low.allocate(size), ir.Register(low.allocate()), size)
    low.let(reached.number.slot, ZERO)
    with low.loop(step.domain, scope) as square:
        low.emit(ir.Let(base=reached.marks, index=square, expression=ZERO, size=size))
        apart = low.branch(low.expr(step.start, {**scope, step.variable: square}))
        reached.add(low, square)
        low.land(apart)
    _spread(low, step, scope, reached)
    with low.loop(step.domain, scope) as square:
        _stored(low, step, {**scope, step.variable: square}, reached.mark(square))


def _spread(low: Lowering, step: m.Connect, scope: Scope, reached: _Reached) -> None:
    """Adds the neighbours of each square that can be passed, in the order in which squares are reached."""
    done, square = ir.Register(low.allocate()), ir.Register(low.allocate())
    low.let(done.slot, ZERO)
    top, stop = low.here, low.branch(operation("<", done, reached.number))
    low.let(square.slot, ir.Element(reached.queue, done, reached.size))
    low.let(done.slot, operation("+", done, ONE))
    with low.loop(step.near, {**scope, step.variable: square}) as beside:
        passable = low.expr(step.through, {**scope, step.variable: square, step.ahead or step.variable: beside})
        closed = low.branch(operation("and", operation("not", reached.mark(beside)), passable))
        reached.add(low, beside)
        low.land(closed)
    low.emit(ir.Jump(target=top))
    low.land(stop)


def _stored(low: Lowering, step: m.Connect, scope: Scope, mark: ir.Expr) -> None:
    declared = low.spec.values[step.target.name]
    arguments = [low.expr(argument, scope) for argument in step.target.arguments]
    base, index = low.address(declared, arguments)
    same = low.branch(operation("!=", low.cell(declared, arguments), mark))
    low.emit(ir.Let(base=base, index=index, expression=mark, size=low.setting.cells(declared), value=declared.name))
    low.land(same)
