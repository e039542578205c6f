"""The engines that run a program, named here only, and what they cost."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from importlib.util import find_spec


@dataclass(frozen=True)
class Engine:
    """One way to run a program. All engines produce the same states, events and results.

    `load`, `node` and `option` are the seconds until it plays the first game: for its modules, and for every node and
    every option and move of the program (see `costs`). `speed` is its usual speed, as a multiple of the interpreter's.
    `generated` says whether it runs source that is generated for the setting; `package` names what must be installed.
    """

    name: str
    summary: str
    load: float
    node: float
    option: float
    speed: float
    generated: bool = True
    package: str = ""

    @property
    def missing(self) -> str:
        """Why this machine cannot run the engine, with the command that installs what is missing; empty if it can."""
        if not self.package or find_spec(self.package):
            return ""
        return f"the {self.name} engine needs the package {self.package}: pip install 'ftk[{self.name}]'"


# Fitted to all games of the package: `benchmarks/engines.py compile` measures them.
ENGINES: Mapping[str, Engine] = {
    engine.name: engine
    for engine in (
        Engine("interpreter", "closures; the definition of what a program does", 0.0015, 3e-6, 0, 1, generated=False),
        Engine("compiled", "Python source made for the setting", 0.012, 28e-6, 0, 6),
        Engine("native", "machine code made for the setting", 0.05, 167e-6, 0.012, 400, package="llvmlite"),
    )
}

AUTO = "auto"
"""Stands for the engine that is cheapest, which may change while games are played: see `costs`."""


def engine_named(name: str) -> Engine:
    """The engine of a name. Raises ValueError if there is none, or if it cannot run on this machine."""
    if name not in ENGINES:
        raise ValueError(f"unknown engine `{name}`: write one of {', '.join((AUTO, *ENGINES))}")
    if missing := ENGINES[name].missing:
        raise ValueError(missing)
    return ENGINES[name]
