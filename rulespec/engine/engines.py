"""The engines that run a program: the interpreter, compiled Python, and machine code."""

from __future__ import annotations

import marshal
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from importlib.util import find_spec
from types import CodeType
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from rulespec.engine import closures
from rulespec.model.constants import Setting

if TYPE_CHECKING:
    from rulespec.engine.game import Game
    from rulespec.engine.state import State

ENGINES = ("auto", "interpreter", "compiled", "native")
"""What may be asked for; `auto` takes the fastest there is for the work at hand."""

Take = Callable[["State", int], int]


class Code(NamedTuple):
    """What runs on from a place of the program, and what carries out an action chosen at a place (and tells of it): it
    gives the place where play goes on."""

    run: Mapping[int, closures.Execute] | Sequence[closures.Execute]
    take: Mapping[int, Take]


def native_missing() -> str:
    """Why there is no machine code here, in words; empty where there is."""
    return "" if find_spec("llvmlite") else "machine code needs the package llvmlite: pip install 'ftk[native]'"


TOO_MUCH = (SyntaxError, RecursionError, MemoryError)
"""What a program may come to that is nested more deeply than Python can say; the interpreter runs it all the same."""

T = TypeVar("T")


def made(make: Callable[[], T]) -> T | None:
    """What `make` compiles; None where it comes to too much, so that nobody tries again."""
    try:
        return make()
    except TOO_MUCH:
        return None


LARGE = 5_000
"""Games from which on `auto` takes the time to make machine code that is not there yet."""


def chosen(engine: str, setting: Setting, games: int = 0) -> str:
    """The engine that `auto` means for a number of whole games; any other one means itself."""
    if engine != "auto":
        return engine
    if games and not native_missing():
        from rulespec.engine.backend.native import is_kept

        if games >= LARGE or is_kept(setting):
            return "native"
    return "compiled"


def interpreted(game: Game, record: bool) -> Code:
    """Code of the interpreter, the definition of what a program does."""
    return Code(closures.compile_closures(game.program, record), _Takes(game))


class _Takes(dict[int, Take]):
    def __init__(self, game: Game) -> None:
        super().__init__()
        self.game = game

    def __missing__(self, place: int) -> Take:
        game = self.game

        def take(s: State, action: int) -> int:
            option, bind = game.option(place, action)
            s.emit(("choice", option.rule, s.player, action))
            bind(s, action, set())
            return option.target

        self[place] = take
        return take


def compiled(game: Game, record: bool) -> Code:
    """Code of plain Python, made for this setting. What begins no piece of it is left to the interpreter. Raises one of
    TOO_MUCH."""
    from rulespec.engine.backend.python_segments import PythonSegments

    segments = PythonSegments(game.program, record)
    names: dict[str, Any] = {"NAMES": segments.names, "NOBODY": closures.NOBODY, "broken": closures.broken}
    exec(_python(game, ("decisions", str(record)), segments.source), names)
    return Code(_Run(game, record, names["RUN"]), names["TAKE"])


class _Run(dict[int, closures.Execute]):
    """Segments by place; a place that begins none is interpreted until one is reached."""

    def __init__(self, game: Game, record: bool, segments: Mapping[int, closures.Execute]) -> None:
        super().__init__(segments)
        self.game, self.record = game, record

    @cached_property
    def _follows(self) -> list[int]:
        return closures.onward(self.game.program.code, () if self.record else closures.SILENT)

    def __missing__(self, place: int) -> closures.Execute:
        self[place] = closures.compile_closure(self.game.program, place, self._follows, self.record)
        return self[place]


Player = Callable[[int, int], tuple[Any, ...]]
"""Plays a whole game from the states of two random streams, that of the deal and that of the choices."""


def player(game: Game, tally: bool) -> Player:
    """Whole games in plain Python, with what players were given where `tally` says so. Raises one of TOO_MUCH."""
    from rulespec.engine.backend.python_playout import playout_source

    names: dict[str, Any] = {}
    exec(_python(game, ("games", str(tally)), lambda: playout_source(game.program, tally)), names)
    play: Player = names["play"]
    return play


def _python(game: Game, details: tuple[str, ...], source: Callable[[], str]) -> CodeType:
    """Source of a game, compiled for this version of Python, or as it is kept."""
    from rulespec.engine.backend import cache

    name = cache.key(game.setting, "python", str(game.setup_only), *details)
    found = cache.cached(name, lambda: marshal.dumps(compile(source(), "<compiled spec>", "exec")))
    code: CodeType = marshal.loads(found)
    return code


def source(game: Game, engine: str, form: str) -> str:
    """What the compiled or the native engine runs, to read: "games" or "decisions" (those without events)."""
    from rulespec.engine.backend import machine_playout, machine_segments, python_playout, python_segments

    if engine == "compiled":
        segments = python_segments.PythonSegments(game.program, False)
        return python_playout.playout_source(game.program) if form == "games" else segments.source()
    flat = machine_segments.MachineSegments(game.program)
    found = machine_playout.machine_source(game.program) if form == "games" else flat.source()
    return "\n".join([*(f"{name} = {values}" for name, values in found.tables.items()), "", "", found.text])
