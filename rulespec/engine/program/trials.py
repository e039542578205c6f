"""What is tried: steps with a condition, and what takes the steps back.

A cell that is set once at most is kept when it is set, with its index; what a loop sets is kept before, all of it.
Sets that nothing tried reads are left out.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import accumulate

from rulespec.engine.program import ir
from rulespec.engine.program.expressions import ExpressionLowering
from rulespec.engine.program.operations import ONE, ZERO, operation


def trial(low: ExpressionLowering, steps: Sequence[ir.Instruction], condition: ir.Expr, own: int) -> ir.Try:
    """`condition` after steps; registers from `own` on are used by the steps alone."""
    steps = _needed(steps, condition)
    journal = _Journal(low, own)
    looped, passed = _looped(steps), _passed(steps)
    written = [
        journal.written(i, place in looped, place in passed) if isinstance(i, ir.Let) else [i]
        for place, i in enumerate(steps)
    ]
    places = [*accumulate((len(part) for part in written), initial=len(journal.before))]
    moved = [_to(i, places) for part in written for i in part]
    return ir.Try((*journal.before, *moved), condition, tuple(journal.undo()))


def _to(i: ir.Instruction, places: Sequence[int]) -> ir.Instruction:
    """An instruction with the place that its target has now."""
    return replace(i, target=places[i.target]) if isinstance(i, ir.Branch | ir.Jump) else i


def _needed(steps: Sequence[ir.Instruction], condition: ir.Expr) -> list[ir.Instruction]:
    """The steps without what changes nothing that is read, and without jumps to the next step."""
    code = list(steps)
    while True:
        read = set(_read((condition, *((i.index, i.expression) if isinstance(i, ir.Let) else i for i in code))))
        kept = [
            not read.isdisjoint(_cells(i)) if isinstance(i, ir.Let) else _target(i) != place + 1
            for place, i in enumerate(code)
        ]
        if all(kept):
            return code
        places = [*accumulate(kept, initial=0)]
        code = [_to(i, places) for i, stays in zip(code, kept, strict=True) if stays]


def _read(parts: Iterable[object]) -> Iterator[int]:
    """The registers that parts of a program read."""
    for node in ir.walk(tuple(parts)):
        if isinstance(node, ir.Register):
            yield node.slot
        elif isinstance(node, ir.Element):
            yield from range(node.base, node.base + node.size)


def _cells(i: ir.Let) -> range:
    """The registers that an instruction may set."""
    if isinstance(i.index, ir.Const):
        return range(i.base + i.index.value, i.base + i.index.value + 1)
    return range(i.base, i.base + i.size)


def _target(i: ir.Instruction) -> int:
    """Where an instruction may jump to; -1 if it never jumps."""
    return i.target if isinstance(i, ir.Branch | ir.Jump) else -1


def _looped(steps: Sequence[ir.Instruction]) -> set[int]:
    """The places that are reached more than once."""
    return {inner for place, i in enumerate(steps) if _target(i) >= 0 for inner in range(_target(i), place + 1)}


def _passed(steps: Sequence[ir.Instruction]) -> set[int]:
    """The places that are not always reached."""
    return {inner for place, i in enumerate(steps) for inner in range(place + 1, _target(i))}


class _Journal:
    """What is kept of the cells that steps set: by the steps, which `taken` brings back from the last on, and `before`
    them, which `restored` does after that."""

    def __init__(self, low: ExpressionLowering, own: int) -> None:
        self.low, self.own = low, own
        self.before: list[ir.Instruction] = []
        self.taken: list[ir.Instruction] = []
        self.restored: list[ir.Instruction] = []
        self._kept: set[range] = set()

    def undo(self) -> list[ir.Instruction]:
        """The instructions that bring everything back."""
        places = range(len(self.taken), len(self.taken) + len(self.restored) + 1)
        return [*self.taken, *(_to(i, places) for i in self.restored)]

    def written(self, let: ir.Let, looped: bool, passed: bool) -> list[ir.Instruction]:
        """The instructions of a set: before it, the cell is kept."""
        let = replace(let, value="")
        if let.base < 0:  # scratch
            return [let]
        if isinstance(let.index, ir.Const) or looped or let.base >= self.own:
            self._keep(_cells(let))
            return [let]
        index, content = ir.Register(self.low.temporary()), ir.Register(self.low.temporary())
        if passed:  # a cell that keeps what it is
            self.before += [_set(index, ZERO), _set(content, ir.Register(let.base))]
        self.taken.insert(0, replace(let, index=index, expression=content))
        old = ir.Element(let.base, index, let.size)
        return [_set(index, let.index), _set(content, old), replace(let, index=index)]

    def _keep(self, cells: range) -> None:
        """Keeps cells before all steps, and brings them back after what the steps kept."""
        if cells in self._kept:
            return
        self._kept.add(cells)
        base, size = cells.start, len(cells)
        if base >= self.own:
            self._each(self.restored, size, (base, ZERO))
        elif size == 1:
            content = ir.Register(self.low.temporary())
            self.before.append(_set(content, ir.Register(base)))
            self.restored.append(_set(ir.Register(base), content))
        else:
            copy = self.low.allocate(size)
            self._each(self.before, size, (copy, base))
            self._each(self.restored, size, (base, copy), (copy, ZERO))

    def _each(self, code: list[ir.Instruction], size: int, *pairs: tuple[int, int | ir.Expr]) -> None:
        """Adds a loop that sets each cell of registers to an expression, or to the same cell of other registers."""
        count = ir.Register(self.low.temporary())
        code.append(_set(count, ZERO))
        top = len(code)
        code.append(ir.Branch(condition=operation("<", count, ir.Const(size)), target=top + len(pairs) + 3))
        for base, source in pairs:
            content = ir.Element(source, count, size) if isinstance(source, int) else source
            code.append(ir.Let(base=base, index=count, expression=content, size=size))
        code += [_set(count, operation("+", count, ONE)), ir.Jump(target=top)]


def _set(register: ir.Register, expression: ir.Expr) -> ir.Let:
    return ir.Let(base=register.slot, index=ZERO, expression=expression)
