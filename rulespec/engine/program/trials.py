"""What is tried: steps with a condition, after which all registers are as before. Sets that nothing tried reads are
left out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate

from rulespec.engine.program import ir


def trial(steps: Sequence[ir.Instruction], condition: ir.Expr) -> ir.Try:
    """`condition` after the steps that it depends on."""
    needed = _needed(steps, condition)
    return ir.Try(tuple(replace(i, value="") if isinstance(i, ir.Let) else i for i in needed), condition)


@dataclass(frozen=True)
class Kept:
    """How to bring back what the steps of a trial set: `registers` that are kept before all steps, `ranges` of
    registers that are kept when the steps at these places set one of them, then, from the last one back, the cells that
    steps at the places `cells` set. Places in `passed` are not always reached."""

    registers: tuple[int, ...]
    ranges: tuple[tuple[range, frozenset[int]], ...]
    cells: tuple[int, ...]
    passed: frozenset[int]


def kept(steps: Sequence[ir.Instruction]) -> Kept:
    """A cell that is set once at most is kept alone. Of what a loop sets, all cells are kept, as they are after what is
    set before it."""
    looped, registers, ranges, cells = _looped(steps), [], [], list[int]()
    for together, places in _ranges(steps):
        if len(together) == 1:
            registers.append(together.start)
            continue
        first = min(looped.intersection(places), default=len(steps))
        alone = [place for place in places if place < first]
        cells += alone
        if len(alone) < len(places):
            ranges.append((together, frozenset(places).difference(alone)))
    return Kept(tuple(registers), tuple(ranges), tuple(sorted(cells)), frozenset(_passed(steps)))


def written(steps: Sequence[ir.Instruction]) -> list[range]:
    """The registers that steps may set, apart."""
    return [together for together, _ in _ranges(steps)]


def _ranges(steps: Sequence[ir.Instruction]) -> list[tuple[range, list[int]]]:
    """Ranges of registers that do not overlap, with the places of the steps that may set them."""
    found: list[tuple[range, list[int]]] = []
    sets = ((_cells(i), place) for place, i in enumerate(steps) if isinstance(i, ir.Let) and i.base >= 0)
    for cells, place in sorted(sets, key=lambda one: (one[0].start, one[0].stop)):
        if found and cells.start < found[-1][0].stop:
            before, places = found[-1]
            found[-1] = range(before.start, max(before.stop, cells.stop)), [*places, place]
        else:
            found.append((cells, [place]))
    return found


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
