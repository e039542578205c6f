"""What is tried: code that carries out steps, evaluates a condition, and brings everything back."""

from __future__ import annotations

import ast

from rulespec.engine.backend.analyses.flow import Flow, goes_on
from rulespec.engine.backend.tree.available import AvailableExpressions
from rulespec.engine.backend.tree.statements import Statements
from rulespec.engine.backend.tree.syntax import Code, assign, give, negation, when
from rulespec.engine.backend.tree.writer import Writer
from rulespec.engine.interpreter.closures import onward
from rulespec.engine.program import ir
from rulespec.engine.program.trials import kept


def tried(w: Writer, node: ir.Try) -> Code:
    """The variable with what the condition is after the steps."""
    # What is known outside holds again once the steps are taken back.
    known, memory = w.available, w.memory
    w.available, w.memory = AvailableExpressions(), {}
    trial = _Trial(w, node.steps)
    trial.write()
    result = w.name()
    w.put(assign(w.value(node.condition), result))
    trial.undo()
    w.available, w.memory = known, memory
    return result


class _Trial:
    """Writes steps. `copies` are the arrays that ranges of registers are copied to before the first of their cells is
    set, with the variables that say whether they are; `alone` brings single cells back."""

    def __init__(self, w: Writer, steps: tuple[ir.Instruction, ...]) -> None:
        self.w, self.code, self.kept = w, (*steps, ir.End()), kept(steps)
        self.copies = [(w.copies(len(cells)), w.name("c")) for cells, _ in self.kept.ranges]
        self.alone: list[ast.stmt] = []

    def write(self) -> None:
        w, follows = self.w, onward(self.code, ())
        w.put(*(assign(0, is_copied) for _, is_copied in self.copies))
        for slot in self.kept.registers:
            self.alone.append(assign(content := w.name("o"), w.register(slot)))
            w.put(assign(w.register(slot), content))
        cells = {place: self._cell(place) for place in self.kept.cells}

        def work(place: int, i: ir.Instruction) -> None:
            if isinstance(i, ir.Let):
                self._let(place, i, cells.get(place))

        flow = Flow([follows[0]], lambda place: goes_on(self.code[place], place, follows))
        Statements(w, self.code, work, give).write(flow.tree(follows[0]))

    def undo(self) -> None:
        """Writes what brings everything back."""
        for (cells, _), (array, is_copied) in zip(self.kept.ranges, self.copies, strict=True):
            with self.w.inside(when(is_copied)):
                self.w.put_back(cells, array)
        self.w.put(*reversed(self.alone))

    def _cell(self, place: int) -> tuple[Code, Code]:
        """The variables for the index and the content of a cell that is kept alone."""
        w, let = self.w, self.code[place]
        assert isinstance(let, ir.Let)
        index, content = w.name("j"), w.name("o")
        cell = w.cell(let.base, index)
        if place in self.kept.passed:  # a cell that keeps what it is
            w.put(assign(0, index), assign(cell, content))
        self.alone.append(assign(content, cell))
        return index, content

    def _let(self, place: int, i: ir.Let, cell: tuple[Code, Code] | None) -> None:
        w = self.w
        if cell is not None:
            index, content = cell
            w.put(assign(w.value(i.index), index), assign(w.cell(i.base, index), content))
            w.put(assign(w.value(i.expression), w.cell(i.base, index)))
            return
        for (cells, places), (array, is_copied) in zip(self.kept.ranges, self.copies, strict=True):
            if place in places:
                with w.inside(when(negation(is_copied))):
                    w.put(assign(1, is_copied))
                    w.copy(cells, array)
        w.inline(i)
