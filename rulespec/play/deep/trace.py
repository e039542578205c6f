"""Traced games: the interpreter notes which steps run, which ways conditions go, and what values change.

A place of the program is noted when it first runs, and from then on runs as in any other game.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

from rulespec.engine.interpreter.closures import compile_closure
from rulespec.engine.interpreter.running import DecisionCode, Event, Execute, RunningState
from rulespec.engine.program import ir
from rulespec.engine.program.compile import LOWERING, compile_program
from rulespec.engine.program.lower import Lowering, LowerStep
from rulespec.engine.program.operations import ONE, Scope
from rulespec.engine.states.game import Game
from rulespec.engine.states.state import State
from rulespec.language.model import spec as m
from rulespec.language.model.constants import Setting

MOST_CONTENTS = 2_000
"""Contents of values that count as new."""

Fault = tuple[str, int]
"""What went wrong in a game: `bound` with the place of the program that stops it, `broken` with an invariant, `rounds`
with the place of a loop that goes round without change."""


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


class TracedGame(Game):
    """One setting of a spec whose games are traced. `steps` has the step behind every place of the program, `loops` the
    loop behind every place that counts rounds, with the register that counts."""

    def __init__(self, setting: Setting) -> None:
        super().__init__(setting)
        sourced = Sourced(setting)
        program = compile_program(setting, low=sourced)
        # Lowered a second time, since the game has made its own program: places must mean the same in both.
        assert len(program.code) == len(self.program.code)
        self.steps = sourced.steps_of
        self.present = {*filter(None, self.steps), *sourced.offered.values()}
        self.offers = sourced.offered
        self.loops = dict(self._loops())
        self.trace = Trace(self)

    def _loops(self) -> Any:
        for place, (branch, after) in enumerate(zip(self.program.code, self.program.code[1:], strict=False)):
            if isinstance(self.steps[place], m.Repeat) and isinstance(branch, ir.Branch) and isinstance(after, ir.Let):
                counts = after.expression
                if isinstance(counts, ir.Operation) and counts.operator == "+" and counts.arguments[1] == ONE:
                    yield place, after.base

    def owner(self, action: int) -> m.Step:
        """The option that an action belongs to."""
        return self.owners[action]

    @cached_property
    def owners(self) -> list[m.Step]:
        """The option of every action."""
        ordered = sorted(self.program.options, key=lambda one: one.first)
        return [self.offers[option.first] for option in ordered for _ in range(option.size)]

    def begin(self, seed: int) -> TracedState:
        return TracedState(self, seed, False)


class Trace:
    """What has happened in the games of a setting so far.

    `news` counts what was new: a place, a way, a content of a value, a number of cards in a zone. `ran` holds the
    places that ran, `ways` how often a branch went on (0) and jumped (1), until both have happened; `changed` the
    names of values that had another content than before.
    """

    def __init__(self, game: TracedGame) -> None:
        self.game = game
        self.news = 0
        self.ran: set[int] = set()
        self._contents: set[tuple[str, int, int]] = set()
        self._fullest = [0] * len(game.program.zones)
        self.ways: dict[int, list[int]] = {}
        self.changed: set[str] = set()
        self.offered: Counter[m.Step] = Counter()
        self.decided: Counter[int] = Counter()
        self.rounds: list[tuple[int, tuple[tuple[int, int], ...], int]] = []
        interpreted = game.code.decisions(True)
        self.code = DecisionCode(_Places(self), interpreted.take, interpreted.checks)

    def held(self, value: str, contents: Sequence[int]) -> None:
        """Notes what the cells of a value hold together."""
        found = value, max(contents), sum(contents)
        if found not in self._contents and len(self._contents) < MOST_CONTENTS:
            self._contents.add(found)
            self.news += 1

    def look(self, zones: Sequence[Sequence[int]]) -> bool:
        """Whether anything is new since the last look, zones with more cards than ever among it."""
        for zone, cards in enumerate(zones):
            if len(cards) > self._fullest[zone]:
                self._fullest[zone] = len(cards)
                self.news += 1
        news, self.news = self.news, 0
        return news > 0

    @property
    def steps(self) -> set[m.Step]:
        """The steps that ran, and the options that were legal."""
        return {step for place in self.ran if (step := self.game.steps[place])} | {*self.offered}


class TracedState(State):
    """A state of a traced game. `faults` holds what has gone wrong in it."""

    __slots__ = ("faults",)
    game: TracedGame

    def __init__(self, game: TracedGame, seed: int, record: bool) -> None:
        self.faults: list[Fault] = []
        super().__init__(game, seed, record)

    def _code(self, record: bool) -> DecisionCode:
        return self.game.trace.code

    def go_on(self, place: int) -> None:
        code = self.code.run
        while place >= 0:
            place = code[place](self)
        for check in self.code.checks:
            check(self)

    def emit(self, event: Event) -> None:
        if event[0] == "broken":
            self.faults.append(("broken", event[2]))

    def _copy_to(self, copy: State) -> None:
        super()._copy_to(copy)
        assert isinstance(copy, TracedState)
        copy.faults = self.faults[:]


class _Places(dict[int, Execute]):
    """The function of each place, which notes what happens there as long as it is new."""

    def __init__(self, trace: Trace) -> None:
        super().__init__()
        self._trace, self._program = trace, trace.game.program
        # Without shortcuts past jumps and silent instructions, so that every place is seen to run.
        self._straight = list(range(len(self._program.code) + 1))

    def __missing__(self, place: int) -> Execute:
        self._trace.ran.add(place)
        self._trace.news += 1
        instruction = self._program.code[place]
        raw = compile_closure(self._program, place, self._straight, False)
        noted = _NOTED.get(type(instruction))
        self[place] = noted(self._trace, self, place, instruction, raw) if noted is not None else raw
        return self[place]


def _branch(trace: Trace, places: _Places, place: int, branch: ir.Branch, raw: Execute) -> Execute:
    ways, counts = trace.ways.setdefault(place, [0, 0]), place in trace.game.loops

    def execute(s: RunningState) -> int:
        after = raw(s)
        way = int(after != place + 1)
        trace.news += not ways[way]
        ways[way] += 1
        if counts and way and isinstance(s, TracedState):
            s.faults.append(("rounds", place))
        # Both ways are known: from now on the branch runs without a note.
        if not counts and ways[1 - way]:
            places[place] = raw
        return after

    return execute


def _let(trace: Trace, places: _Places, place: int, let: ir.Let, raw: Execute) -> Execute:
    if not let.value:
        return raw
    part = slice(let.base, let.base + let.size)

    def execute(s: RunningState) -> int:
        before = s.r[part]
        after = raw(s)
        if s.r[part] != before:
            trace.changed.add(let.value)
            trace.held(let.value, s.r[part])
        return after

    return execute


def _note(trace: Trace, places: _Places, place: int, note: ir.Note, raw: Execute) -> Execute:
    def execute(s: RunningState) -> int:
        if isinstance(s, TracedState):
            s.faults.append(("bound", place))
        return raw(s)

    return execute if isinstance(note.report, ir.Bound) else raw


_NOTED: dict[type, Any] = {ir.Branch: _branch, ir.Let: _let, ir.Note: _note}
