"""Remembered positions in registers. A position is packed into numbers of 32 bits, and those of all remembered positions
are kept: comparing them is exact."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import reduce

from rulespec.engine.program import ir
from rulespec.engine.program.operations import ABSENT, ONE, ZERO, choice, operation
from rulespec.language.model.types import LIMIT, Type


@dataclass(frozen=True)
class Positions:
    """The positions that a value remembers: `count` is the register of their number, and each of `columns` the first of
    `most` registers with one number of each position."""

    count: ir.Register
    columns: tuple[int, ...]
    most: int

    @property
    def slots(self) -> range:
        """The registers of the positions and of their number."""
        return range(self.count.slot, self.columns[-1] + self.most)

    def like(self, numbers: Sequence[ir.Expr], temporary: Callable[[], int]) -> ir.Expr:
        """How many positions have these numbers."""
        at, slots = temporary(), [temporary() for _ in numbers]
        same = (
            operation("==", ir.Register(slot), ir.Element(column, ir.Register(at), self.most))
            for slot, column in zip(slots, self.columns, strict=True)
        )
        every = ir.Span(ZERO, operation("-", self.count, ONE), 0, self.most - 1)
        found: ir.Expr = ir.Fold("count", at, every, reduce(lambda a, b: operation("and", a, b), same), None)
        for slot, number in zip(slots, numbers, strict=True):
            found = ir.Bind(slot, number, found)
        return found


def as_digit(content: ir.Expr, type_: Type, contents: int, temporary: Callable[[], int]) -> ir.Expr:
    """The content of a cell as a number from 0 to below `contents`, or as it is if that is more than fits."""
    if contents > LIMIT:
        return content
    low = ir.Const(type_.low - type_.optional)
    if not type_.optional:
        return operation("-", content, low)
    kept = ir.Register(temporary())
    counted = choice(operation("==", kept, ABSENT), ZERO, operation("-", kept, low))
    return ir.Bind(kept.slot, content, counted)
