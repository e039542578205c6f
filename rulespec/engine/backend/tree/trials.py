"""Writes what is tried: steps, what a condition is after them, and what takes them back."""

from __future__ import annotations

from collections.abc import Sequence

from rulespec.engine.backend.analyses.flow import Flow, goes_on
from rulespec.engine.backend.tree.available import AvailableExpressions
from rulespec.engine.backend.tree.statements import Arm, Statements
from rulespec.engine.backend.tree.syntax import Code, assign, give, negation
from rulespec.engine.backend.tree.writer import Writer
from rulespec.engine.interpreter.closures import onward
from rulespec.engine.program import ir


def tried(w: Writer, node: ir.Try) -> Code:
    """The variable with what the condition is after the steps."""
    # What is known outside holds again once the steps are taken back.
    known, memory = w.available, w.memory
    w.available, w.memory = AvailableExpressions(), {}
    _run(w, node.steps)
    result = w.name()
    w.put(assign(w.value(node.condition), result))
    _run(w, node.undo)
    w.available, w.memory = known, memory
    return result


def _run(w: Writer, steps: Sequence[ir.Instruction]) -> None:
    """Writes the instructions of `ir.Try`."""
    code = (*steps, ir.End())
    follows = onward(code, ())

    def work(place: int) -> None:
        i = code[place]
        if isinstance(i, ir.Let):
            w.let(i)
            w.available.happened(i)

    def ways(place: int) -> list[Arm]:
        i = code[place]
        assert isinstance(i, ir.Branch)
        return [(lambda: negation(w.test(i.condition)), None), (None, None)]

    flow = Flow([follows[0]], lambda place: goes_on(code[place], place, follows))
    Statements(w, code, work, ways, give).write(flow.tree(follows[0]))
