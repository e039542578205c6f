"""Games that note what is covered: the program with cells, registers that are set where something happens first.

The cells are registers like any others, so every engine keeps them, and playouts return them in columns. They are no
part of the rules: the draws, the legal actions and the results of a game are those of its own program.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import compress, pairwise
from typing import Any

from rulespec.base import store
from rulespec.engine.backend.engines.code import ProgramCode
from rulespec.engine.program import ir
from rulespec.engine.program.compile import LOWERING, compile_program
from rulespec.engine.program.lower import Lowering, LowerStep
from rulespec.engine.program.operations import ABSENT, ONE, ZERO, Scope, choice, operation
from rulespec.engine.states.game import Game
from rulespec.engine.states.state import State
from rulespec.language.model import spec as m
from rulespec.language.model.constants import Setting

Cell = tuple[str, Any]
"""What is covered: `on` or `jumps` with the place of a branch, `option` with its first action, `none` with the place of
a choice without a legal action, `changes` with a value, `decides` with a seat; `bound` with the place of a bound that
must not be reached, `broken` with an invariant."""

Fault = tuple[str, int]
"""What goes wrong in a game: a cell `bound` or `broken`, or `rounds` with the place of a loop at its bound."""


Position = tuple[object, ...]
"""What makes a position: it compares with others of its setting."""


class Sourced(Lowering):
    """A lowering that remembers the step behind each instruction (`steps_of`) and each option (`offered`)."""

    def __init__(self, setting: Setting, steps: Mapping[type[m.Step], LowerStep] = LOWERING) -> None:
        super().__init__(setting, steps)
        self.steps_of: list[m.Step | None] = []
        self.offered: dict[int, m.Step] = {}
        self._step: m.Step | None = None

    def emit(self, instruction: Any) -> Any:
        self.steps_of.append(self._step)
        return super().emit(instruction)

    def tried(self, option: m.Option, scope: Scope) -> ir.Expr | None:
        known = len(self.steps_of)
        found = super().tried(option, scope)
        del self.steps_of[known:]
        return found

    def step(self, step: m.Step, scope: Scope) -> None:
        outer, self._step = self._step, step
        super().step(step, scope)
        self._step = outer

    def numbered(self, key: m.Step, *rest: Any, **options: Any) -> ir.Option:
        option = super().numbered(key, *rest, **options)
        self.offered[option.first] = key
        return option


@dataclass(frozen=True, kw_only=True)
class CoveredProgram(ir.Program):
    """A program with cells, which playouts return in place of what the game is worth."""

    cells: Mapping[Cell, int]

    @property
    def returns(self) -> range:
        return range(len(self.start) - len(self.cells), len(self.start))


class _Covering:
    """Writes the code with cells. Each instruction that has some goes behind the others, with a jump in its place, so
    that places keep what they mean."""

    def __init__(self, program: ir.Program, setting: Setting) -> None:
        self._before = program
        self._cards = {name for name, value in setting.spec.values.items() if value.type.kind == "card"}
        self._code = [*program.code]
        self._kept = len(program.start)
        always = [check.invariant for check in program.always]
        # Seats first: the cell of the one who decides is found by number. `holds` begins as 1.
        names: list[Cell] = [("decides", seat) for seat in range(program.players)]
        self.cells = {name: self._kept + 1 + n for n, name in enumerate([*names, *(("holds", k) for k in always)])}

    def program(self) -> CoveredProgram:
        p = self._before
        for place, i in enumerate(p.code):
            if covered := [*self._covered(place, i)]:
                self._code[place] = ir.Jump(target=len(self._code))
                self._code += covered
                if i.next:
                    self._code.append(ir.Jump(target=place + 1))
        start = (*p.start, 0, *(int(kind == "holds") for kind, _ in self.cells))
        fields = {name: getattr(p, name) for name in p.__dataclass_fields__}
        fields |= {"code": tuple(self._code), "start": start, "cells": self.cells}
        return CoveredProgram(**fields)

    def _slot(self, cell: Cell) -> int:
        return self.cells.setdefault(cell, self._kept + 1 + len(self.cells))

    def _set(self, cell: Cell, condition: ir.Expr = ONE) -> ir.Let:
        """Sets a cell if a condition holds."""
        slot = self._slot(cell)
        return ir.Let(base=slot, index=ZERO, expression=choice(condition, ONE, ir.Register(slot)))

    def _aside(self, lets: list[ir.Let], target: int) -> int:
        """The place of new code that sets cells and goes on at a target."""
        place = len(self._code)
        self._code += [*lets, ir.Jump(target=target)]
        return place

    def _covered(self, place: int, i: ir.Instruction) -> Iterator[ir.Instruction]:
        """An instruction with what sets its cells; nothing if it has none."""
        if isinstance(i, ir.Branch):
            yield replace(i, target=self._aside([self._set(("jumps", place))], i.target))
            yield self._set(("on", place))
        elif isinstance(i, ir.Choose):
            options = [replace(o, target=self._aside([*self._taken(i, o)], o.target)) for o in i.options]
            none = self._aside([self._set(("none", place))], i.none) if i.none >= 0 else i.none
            yield from self._tests()
            yield replace(i, options=options, none=none)
        elif isinstance(i, ir.Secret):
            yield from self._tests()
            yield i
            yield from self._revealed(i)
        elif isinstance(i, ir.Let) and i.value:
            yield from self._changes(i)
        elif isinstance(i, ir.Note) and isinstance(i.report, ir.Bound):
            yield self._set(("bound", place))
            yield i
        elif isinstance(i, ir.Check):
            yield self._set(("broken", i.invariant), operation("not", i.holds))
        elif isinstance(i, ir.End):
            yield from (
                self._set(("broken", one.invariant), operation("not", one.holds)) for one in self._before.always
            )
            yield i

    def _tests(self) -> Iterator[ir.Let]:
        """Keeps whether each invariant holds where a player decides: only then is it broken if it does not."""
        for check in self._before.always:
            yield ir.Let(base=self.cells["holds", check.invariant], index=ZERO, expression=check.holds)

    def _broken(self, decided: ir.Expr = ONE) -> Iterator[ir.Let]:
        for check in self._before.always:
            fails = operation("not", ir.Register(self.cells["holds", check.invariant]))
            yield self._set(("broken", check.invariant), operation("and", decided, fails))

    def _taken(self, i: ir.Choose, option: ir.Option) -> Iterator[ir.Let]:
        yield self._set(("option", option.first))
        yield ir.Let(base=self._kept + 1, index=i.by, expression=ONE, size=self._before.players)
        yield from self._broken()

    def _revealed(self, i: ir.Secret) -> Iterator[ir.Let]:
        decided: ir.Expr = ZERO
        for asking in i.askings:
            chosen = ir.Register(asking.chosen)
            took = operation("!=", chosen, ABSENT)
            decided = operation("or", decided, took)
            yield self._set(("decides", asking.player), took)
            for number, option in enumerate(asking.options):
                yield self._set(("option", option.first), operation("==", chosen, ir.Const(number)))
        yield from self._broken(decided)

    def _changes(self, i: ir.Let) -> Iterator[ir.Instruction]:
        cell = operation("+", ir.Const(i.base), i.index)
        here = ir.Register(cell.value) if isinstance(cell, ir.Const) else ir.Element(i.base, i.index, i.size)
        if i.value in self._cards:
            # Cards are compared with none only: playouts with faces for cards cannot distinguish them.
            there, held = (operation("!=", one, ABSENT) for one in (i.expression, here))
            yield self._set(("changes", i.value), operation("or", there, held))
            yield i
        else:
            kept = ir.Register(self._kept)
            yield ir.Let(base=self._kept, index=ZERO, expression=i.expression)
            yield self._set(("changes", i.value), operation("!=", kept, here))
            yield replace(i, expression=kept)


class CoveredGame(Game):
    """One setting of a spec whose games note what they cover. `plain` is its own program: places of cells are those of
    it, `steps` has the step behind each, and `loops` the branches that end a loop at its bound, with the register that
    counts its rounds. `cells` has the register of each cell."""

    def __init__(self, setting: Setting, engine: str = "compiled") -> None:
        super().__init__(setting, engine=engine)
        self.plain, low = self.program, Sourced(setting)
        # Lowered a second time, since the game has made its own program: places must mean the same in both.
        assert len(compile_program(setting, low=low).code) == len(self.plain.code)
        self.program = covered = _Covering(self.plain, setting).program()
        # Another digest, under which the cache keeps the code that has cells.
        spec = replace(setting.spec, digest=store.key(setting.spec.digest, code=("play/deep",)))
        self._apart = replace(setting, spec=spec)
        self.run_by(engine)
        self.steps, self.offers, self.loops = low.steps_of, low.offered, dict(self._loops(low.steps_of))
        self.present = {*filter(None, self.steps), *self.offers.values()}
        self.cells, self.cell_names = covered.cells, list(covered.cells)
        self._faults = [(slot, fault) for cell, slot in covered.cells.items() if (fault := self.fault(cell))]

    def run_by(self, engine: str) -> None:
        """Has new states run by another engine."""
        self.code = ProgramCode(self._apart, self.program, False, engine)

    def _loops(self, steps: Sequence[m.Step | None]) -> Iterator[tuple[int, int]]:
        code = self.plain.code
        for place, (branch, after) in enumerate(pairwise(code)):
            if isinstance(steps[place], m.Repeat) and isinstance(branch, ir.Branch) and isinstance(after, ir.Let):
                counts = after.expression
                if isinstance(counts, ir.Operation) and counts.operator == "+" and counts.arguments[1] == ONE:
                    yield place, after.base

    def fault(self, cell: Cell) -> Fault | None:
        """What is wrong in a game that sets a cell; None if nothing is."""
        kind, about = cell
        if kind == "jumps" and about in self.loops:
            return "rounds", about
        return (kind, about) if kind in ("bound", "broken") else None

    def faults(self, state: State) -> set[Fault]:
        """What has gone wrong in a game so far."""
        registers = state.r
        found = {fault for slot, fault in self._faults if registers[slot]}
        if not state.is_terminal():
            holds = ((self.cells["holds", check.invariant], check) for check in self.program.always)
            found |= {("broken", check.invariant) for slot, check in holds if not registers[slot]}
        return found

    def subject(self, fault: Fault) -> tuple[str, object]:
        """What a fault is about, in all settings: its kind, and the step that stops at a bound or the invariant."""
        kind, about = fault
        return kind, about if kind == "broken" else self.steps[about]

    def fails(self, subject: tuple[str, object]) -> Callable[[State], bool]:
        """Whether a fault about this has happened in a state, as a function."""
        return lambda state: subject in map(self.subject, self.faults(state))

    def covered(self, state: State) -> Iterator[Cell]:
        """The cells that a game has set."""
        return compress(self.cell_names, state.r[self.program.returns.start : self.program.returns.stop])

    def position(self, state: State) -> Position:
        """What a state and all that can follow depend on, without the numbers of rounds; what chance will bring comes
        last. The state may also be one of the game without cells."""
        registers = state.r[: len(self.plain.start)]
        for slot in self.loops.values():
            registers[slot] = 0
        decided = tuple(sorted(state.decided.items()))
        return (*registers, *map(tuple, state.z), state.pc, state.player, decided, state.generator.state)

    def reached(self, cells: Container[Cell]) -> set[int]:
        """The places that run in games that set these cells."""
        ahead, found = [0], set[int]()
        while ahead:
            if (place := ahead.pop()) not in found:
                found.add(place)
                ahead += self._after(place, cells)
        return found

    def _after(self, place: int, cells: Container[Cell]) -> Iterable[int]:
        i = self.plain.code[place]
        if isinstance(i, ir.Branch):
            noted = [(("on", place), place + 1), (("jumps", place), i.target)]
        elif isinstance(i, ir.Choose):
            noted = [(("option", option.first), option.target) for option in i.options]
            noted.append((("none", place), i.none))
        else:
            return ir.ways(i, place)
        return [to for cell, to in noted if cell in cells]

    @cached_property
    def option_of(self) -> list[int]:
        """The option of every action, as the number of its first action: a key of `offers`."""
        found, first = list[int](), dict[m.Step, int]()
        for option in sorted(self.plain.options, key=lambda one: one.first):
            # An option with a picked set is several ones of the program.
            found += [first.setdefault(self.offers[option.first], option.first)] * option.size
        return found
