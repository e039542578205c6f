"""The code that runs a program: which engine it is for, compiled on first use and shared by all states of a game."""

from __future__ import annotations

import ast
import logging
import marshal
from collections.abc import Callable, Sequence
from functools import cached_property
from types import CodeType
from typing import TYPE_CHECKING, Any, TypeVar

from rulespec.base import store
from rulespec.base.messages import say
from rulespec.engine.backend.engines import cache
from rulespec.engine.backend.engines.table import AUTO, engine_named
from rulespec.engine.backend.engines.tiers import Tier
from rulespec.engine.interpreter import closures
from rulespec.engine.interpreter.choices import DecisionPoints
from rulespec.engine.interpreter.evaluate import Evaluate, evaluator
from rulespec.engine.interpreter.running import NONE_ASKED, DecisionCode, RunningState, Take
from rulespec.engine.program import ir
from rulespec.language.model.constants import Setting

if TYPE_CHECKING:
    from rulespec.engine.backend.engines.costs import Pace
    from rulespec.engine.backend.engines.native import MachinePlayouts
    from rulespec.engine.backend.engines.native_segments import Segments
    from rulespec.engine.backend.forms.machine_playout import TallyLayout

COMPILE_LIMITS = (SyntaxError, RecursionError, MemoryError)
"""Raised when generated code exceeds a limit of CPython or of the machine code; the interpreter is used instead."""

Playout = Callable[[int, int], tuple[Any, ...]]
"""Plays one game from the states of two random streams: that of the deal and that of the choices."""

T = TypeVar("T")

_LOG = logging.getLogger(__name__)

_INTERPRETED = say("{game} for {players} players is too large to compile: it is interpreted, many times slower")
_IN_PYTHON = say(
    "{game} for {players} players is too large for machine code: it runs in compiled Python, many times slower"
)


def within_limits(compile_: Callable[[], T]) -> T | None:
    """What `compile_` returns; None if the code exceeds a limit. Callers keep the None, so as not to try again."""
    try:
        return compile_()
    except COMPILE_LIMITS:
        return None


class ProgramCode:
    """The code of one program for one engine."""

    def __init__(self, setting: Setting, program: ir.Program, setup_only: bool, engine: str) -> None:
        self.engine = engine
        self._generates = engine == AUTO or engine_named(engine).generated
        self.points = DecisionPoints(program)
        self._setting, self._program, self._setup_only = setting, program, setup_only
        self._decisions: dict[bool, DecisionCode] = {}
        self._interpreted: dict[bool, DecisionCode] = {}
        self._playouts: dict[bool, Playout | None] = {}
        self._machines: dict[TallyLayout | None, MachinePlayouts | None] = {}
        self.tier: Tier | None = None  # for states of the engine `auto`
        self.paces: dict[bool, Pace] = {}  # for playouts of the engine `auto`, with a tally and without
        self._warned: set[str] = set()

    def _within_limits(self, compile_: Callable[[], T], otherwise: str = _INTERPRETED) -> T | None:
        """The same as `within_limits`. It is logged, once, what runs the program instead."""
        made = within_limits(compile_)
        if made is None and otherwise not in self._warned:
            self._warned.add(otherwise)
            _LOG.warning(say(otherwise, game=self._setting.spec.title, players=self._setting.players))
        return made

    @property
    def playing(self) -> str:
        """The engine that playouts are played on: never `auto`."""
        return next((pace.engine for pace in self.paces.values()), "compiled") if self.engine == AUTO else self.engine

    # from one decision to the next

    def decisions(self, record: bool) -> DecisionCode:
        """The code of the engine, or of the interpreter if the program exceeds the limits of the compiler."""
        if record not in self._decisions:
            made = self._within_limits(lambda: self.compile_decisions(record)) if self._generates else None
            self._decisions[record] = made or self.interpreted(record)
        return self._decisions[record]

    def interpreted(self, record: bool) -> DecisionCode:
        """The code of the interpreter."""
        if record not in self._interpreted:
            run, take = closures.Closures(self._program, record), _ClosureTakes(self.points)
            checks = (closures.checker(i, self._program) for i in self._program.always if record)
            self._interpreted[record] = DecisionCode(run, take, tuple(checks))
        return self._interpreted[record]

    def compile_decisions(self, record: bool) -> DecisionCode:
        """Segments in Python. Positions without a compiled segment run interpreted. Raises one of COMPILE_LIMITS."""
        from rulespec.engine.backend.forms.python_segments import PythonSegments

        segments = PythonSegments(self._program, record)
        names: dict[str, Any] = {"NAMES": segments.names, "NONE_ASKED": NONE_ASKED, "broken": closures.broken}
        exec(self._python(("decisions", str(record)), segments.source), names)
        return DecisionCode(closures.Closures(self._program, record, names["RUN"]), names["TAKE"], names["CHECKS"])

    def evaluators(self, expressions: Sequence[ir.Expr]) -> Sequence[Evaluate]:
        """A function for each of the titled values of the setting."""
        made = within_limits(lambda: self._compile_values(expressions)) if self._generates else None
        return made or [*map(evaluator, expressions)]

    def _compile_values(self, expressions: Sequence[ir.Expr]) -> Sequence[Evaluate]:
        from rulespec.engine.backend.forms.python_values import values_source

        names: dict[str, Any] = {}
        exec(self._python(("values",), lambda: values_source(self._program, expressions)), names)
        found: Sequence[Evaluate] = names["VALUES"]
        return found

    @cached_property
    def segments(self) -> Segments | None:
        """Machine code that takes a state from decision to decision; None if the program exceeds its limits."""
        from rulespec.engine.backend.engines.native_segments import Segments

        return self._within_limits(lambda: Segments(self._setting, self._program, self._setup_only), _IN_PYTHON)

    # playouts

    def playout(self, tally: bool) -> Playout | None:
        """A playout in Python, with what players were given if `tally`; None if the program exceeds the limits."""
        if tally not in self._playouts:
            self._playouts[tally] = self._within_limits(lambda: self._compile_playout(tally))
        return self._playouts[tally]

    def _compile_playout(self, tally: bool) -> Playout:
        from rulespec.engine.backend.forms.python_playout import playout_source

        names: dict[str, Any] = {}
        exec(self._python(("games", str(tally)), lambda: playout_source(self._program, tally)), names)
        play: Playout = names["play"]
        return play

    def machine(self, tally: TallyLayout | None = None) -> MachinePlayouts | None:
        """Playouts in machine code, with what a tally counts; None if the program exceeds the limits."""
        if tally not in self._machines:
            from rulespec.engine.backend.engines.native import MachinePlayouts

            made = self._within_limits(lambda: MachinePlayouts(self._setting, self._program, tally), _IN_PYTHON)
            self._machines[tally] = made
        return self._machines[tally]

    # source

    def _python(self, details: tuple[str, ...], source: Callable[[], ast.Module]) -> CodeType:
        """Bytecode of generated code, from the cache if it holds it."""
        key, compiled = self._key(details), lambda: marshal.dumps(compile(source(), "<compiled spec>", "exec"))
        return cache.cached(key, compiled, _bytecode)

    def _key(self, details: tuple[str, ...]) -> str:
        return cache.key(self._setting, "python", str(self._setup_only), *details)

    def is_kept(self, engine: str, tally: bool) -> bool:
        """Whether the cache has the code of an engine for playouts."""
        if engine == "native":
            return cache.has_native(self._setting, *(cache.TALLIES if tally else cache.GAMES))
        return store.get("code", self._key(("games", str(tally)))) is not None

    def source(self, engine: str, form: str) -> str:
        """The source that the compiled or the native engine runs. `form` is "games" (playouts) or "decisions"."""
        from rulespec.engine.backend.forms import blocks, machine_playout, python_playout, python_segments
        from rulespec.engine.backend.tree import syntax

        program, whole = self._program, form == "games"
        if engine == "compiled":
            segments = python_segments.PythonSegments(program, False)
            made = python_playout.playout_source(program) if whole else segments.source()
            return syntax.text(made.body)
        machine = blocks.BlockSegments(program)
        return (machine_playout.machine_source(program) if whole else machine.source()).text


_MARSHALLED_CODE = (b"c", b"\xe3")
"""The first byte of a marshalled code object; the second form is for an object that may be referred to."""


def _bytecode(content: bytes) -> CodeType:
    """The code object in a cache entry. Raises an exception for other content."""
    # For other bytes, marshal may allocate gigabytes before it fails.
    code = marshal.loads(content) if content[:1] in _MARSHALLED_CODE else None
    if not isinstance(code, CodeType):
        raise TypeError("these bytes are no code")
    return code


class _ClosureTakes(dict[int, Take]):
    """The closures that carry out actions, by decision point, each made on first use."""

    def __init__(self, points: DecisionPoints) -> None:
        super().__init__()
        self._points = points

    def __missing__(self, place: int) -> Take:
        option_of = self._points.option

        def take(s: RunningState, action: int) -> int:
            option, bind = option_of(place, action)
            s.emit(("choice", option.rule, s.player, action))
            bind(s, action, set())
            return option.target

        self[place] = take
        return take
