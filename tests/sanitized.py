"""A vector under the address sanitiser, which ends the process where machine code leaves its memory.

    .venv/bin/python tests/sanitized.py [STEPS] [GAME...]

plays STEPS steps (default 1,000,000) over all numbers of players of all games. Needs gcc with its sanitiser, and the
package ziglang, whose clang instruments the code.
"""

from __future__ import annotations

import ctypes
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import rulespec
from rulespec.base.project import playable_games
from rulespec.engine.backend.forms.machine_source import Source
from rulespec.engine.backend.llvm.compiler import Module
from rulespec.engine.backend.llvm.declarations import Given
from rulespec.engine.states import vector_code
from rulespec.engine.states.vector import Vector

SLOTS = 256


class Instrumented:
    """A library of instrumented functions, in the place of `native.Library`."""

    def __init__(self, source: Source, exported: frozenset[str]) -> None:
        module = Module(source.whole(), exported, Given(source.tables, source.constants, source.sizes))
        for function, _ in module.functions.values():
            function.attributes.add("sanitize_address")
        with TemporaryDirectory() as folder:
            path = Path(folder)
            (path / "game.ll").write_text(str(module.module), encoding="ascii")
            clang = [sys.executable, "-m", "ziglang", "cc", "-w", "-c", "-O1", "-fPIC"]
            environment = {name: value for name, value in os.environ.items() if name != "LD_PRELOAD"}
            # Bound to its own symbols: the C library has an `advance`, too.
            for command in (
                [*clang, "-fsanitize=address", path / "game.ll", "-o", path / "game.o"],
                ["gcc", "-shared", "-Wl,-Bsymbolic", "-fsanitize=address", path / "game.o", "-o", path / "game.so"],
            ):
                subprocess.run(command, check=True, env=environment)
            self._library = ctypes.CDLL(str(path / "game.so"))

    def function(self, name: str, prototype: Any) -> Any:
        """A function by name, of a prototype of ctypes."""
        function = prototype((name, self._library))
        function.library = self
        return function


def library(setting: object, details: object, source: Callable[[], Source], exported: frozenset[str]) -> Instrumented:
    """In the place of `native.library`: nothing is cached."""
    return Instrumented(source(), exported)


def main(steps: int, names: list[str]) -> None:
    """Plays every setting, with threads and information states."""
    settings = [(name, players) for name in names for players in rulespec.load(name).players]
    each = -(-steps // len(settings) // SLOTS)
    for name, players in settings:
        game = rulespec.load(name).game(players=players)
        with Vector([game], SLOTS, seed=players, threads=2, observe="information_state") as vector:
            for _ in range(each):
                vector.step(vector.random_actions())
    print(f"{each * len(settings) * SLOTS:,} steps in {len(settings)} settings, and no fault")


if __name__ == "__main__":
    if "LD_PRELOAD" not in os.environ:
        asan = subprocess.run(["gcc", "-print-file-name=libasan.so"], capture_output=True, text=True, check=True).stdout
        preloaded = {"LD_PRELOAD": asan.strip(), "ASAN_OPTIONS": "detect_leaks=0", "PYTHONMALLOC": "malloc"}
        os.execve(sys.executable, [sys.executable, *sys.argv], os.environ | preloaded)
    vector_code.library = library  # type: ignore[assignment]
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000, sys.argv[2:] or playable_games())
