"""Writes what instructions do to the state."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from typing import Any

from rulespec.engine.backend.tree.choosing import Choosing
from rulespec.engine.backend.tree.syntax import (
    Code,
    Operand,
    assign,
)
from rulespec.engine.program import ir


class InstructionWriter(Choosing):
    """Writes the code of instructions and options."""

    # overridden by dialects

    @abstractmethod
    def draw(self, stream: str, bound: Operand, drawn: Code | None = None) -> Code:
        """Draws a random number below a bound; returns its variable (a new one unless `drawn` is given)."""

    @abstractmethod
    def move(self, i: ir.Move) -> None:
        """Writes a move of cards."""

    @abstractmethod
    def shuffle(self, i: ir.Shuffle) -> None:
        """Writes the shuffling of a zone."""

    @abstractmethod
    def sink(self, i: ir.Sink) -> None:
        """Writes that the top card of a zone goes to a position in it."""

    # for every dialect

    def draw_from(self, domain: ir.Items | ir.Ring | ir.Span) -> Code:
        """A random element of a domain."""
        if isinstance(domain, ir.Span):
            low = self.once(self.value(domain.low))
            return low + self.draw("deal", self.value(domain.high) + 1 - low)
        if isinstance(domain, ir.Ring):
            table, begin, length = self.ring(domain)
            return table[begin + self.draw("deal", length)]
        drawn = self.draw("deal", len(domain.values))
        return drawn if domain.values == tuple(range(len(domain.values))) else self.table(domain.values)[drawn]

    def instruction(self, i: ir.Instruction) -> None:
        """Writes what an instruction does to the state."""
        WRITTEN[type(i)](self, i)

    def random(self, i: ir.Draw) -> None:
        """Writes a draw from a domain."""
        register = self.register(i.slot)
        self.put(assign(self.draw_from(i.domain), register))

    def _nothing(self, i: ir.Instruction) -> None:
        """The instruction only reports something, or only says where the program goes on."""


WRITTEN: dict[type[ir.Instruction], Callable[[InstructionWriter, Any], None]] = {
    ir.Let: InstructionWriter.let,
    ir.Draw: lambda writer, i: writer.random(i),
    ir.Move: lambda writer, i: writer.move(i),
    ir.Shuffle: lambda writer, i: writer.shuffle(i),
    ir.Sink: lambda writer, i: writer.sink(i),
    **dict.fromkeys(
        (ir.Mark, ir.Show, ir.Note, ir.Check, ir.SetupEnds, ir.Branch, ir.Jump), InstructionWriter._nothing
    ),
}
"""The code of each instruction. Choices and the end are written by `playout.py` and `segments.py`."""
