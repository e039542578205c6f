"""The engines that run a program, named and chosen here only."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib.util import find_spec

from rulespec.language.model.constants import Setting


@dataclass(frozen=True)
class Engine:
    """One way to run a program. All engines produce the same states, events and results.

    `chunk` is the number of games that a worker plays in one go. `generated` says whether the engine runs source that
    is generated for the setting; `package` names what must be installed.
    """

    name: str
    summary: str
    chunk: int
    generated: bool = True
    package: str = ""

    @property
    def missing(self) -> str:
        """Why this machine cannot run the engine, with the command that installs what is missing; empty if it can."""
        if not self.package or find_spec(self.package):
            return ""
        return f"the {self.name} engine needs the package {self.package}: pip install 'ftk[{self.name}]'"


# A chunk takes tenths of a second in a usual game and seconds in a slow one: long enough that sending it to a worker
# costs little, short enough that an interrupted run loses little. Native code is that much faster per game.
ENGINES: Mapping[str, Engine] = {
    engine.name: engine
    for engine in (
        Engine("interpreter", "closures; the definition of what a program does", 50, generated=False),
        Engine("compiled", "Python source made for the setting", 500),
        Engine("native", "machine code made for the setting", 20_000, package="llvmlite"),
    )
}

AUTO = "auto"
"""Stands for the fastest engine that suits the number of games; see `choose`."""

PAYS_FROM = 5_000
"""Playouts from which `auto` compiles machine code in any case."""

MEASURED_FROM = 500
"""Playouts from which `auto` measures how long a game takes in compiled Python; for fewer it is not worth it."""

COMPILING = 3.0
"""Seconds that machine code of a large game takes to compile: it pays if compiled Python would play for longer."""


def engine_named(name: str) -> Engine:
    """The engine of a name. Raises ValueError if there is none, or if it cannot run on this machine."""
    if name not in ENGINES:
        raise ValueError(f"unknown engine `{name}`: write one of {', '.join((AUTO, *ENGINES))}")
    if missing := ENGINES[name].missing:
        raise ValueError(missing)
    return ENGINES[name]


def choose(name: str, setting: Setting, playouts: int, game_seconds: Callable[[Setting], float]) -> str:
    """The name of the engine to take: `auto` depends on the number of playouts and on how long compiled Python takes
    for one, any other name stands for itself."""
    if name != AUTO:
        return name
    return "native" if _pays(setting, playouts, game_seconds) else "compiled"


def _pays(setting: Setting, playouts: int, game_seconds: Callable[[Setting], float]) -> bool:
    """Whether machine code saves time."""
    if not playouts or ENGINES["native"].missing:
        return False
    # Imports llvmlite, which takes longer than a short game.
    from rulespec.engine.backend.engines.native import is_cached

    if playouts >= PAYS_FROM or is_cached(setting):
        return True
    return playouts >= MEASURED_FROM and playouts * game_seconds(setting) > COMPILING
