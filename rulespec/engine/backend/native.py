"""Machine code for a setting: compiled once, cached on disk, called through ctypes."""

from __future__ import annotations

import ctypes
from array import array
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path

from llvmlite import binding

from rulespec.engine import ir
from rulespec.engine.backend import cache
from rulespec.engine.backend.loading import loaded
from rulespec.engine.backend.machine_playout import Source, TallyLayout, machine_source, result_columns
from rulespec.model.constants import Setting

GAMES = ("games",)
RUNTIME = "runtime.py"


class MachinePlayouts:
    """Playouts of a setting in machine code, which is specific to this kind of processor."""

    def __init__(self, setting: Setting, program: ir.Program, tally: TallyLayout | None = None) -> None:
        self.columns = result_columns(program)
        if tally is not None:
            prizes, faces = len(tally.prizes), len(setting.spec.deck.first_of_face)
            self.columns += prizes * (2 * program.players + 1) + faces * program.players
        details = GAMES if tally is None else (*GAMES, "tally")
        self._code = library(setting, details, lambda: machine_source(program, tally), frozenset({"play_games"}))
        types = (ctypes.c_uint64, ctypes.c_int64, ctypes.c_int64, ctypes.c_void_p)
        self._play = ctypes.CFUNCTYPE(None, *types)(self._code.get_function_address("play_games"))

    def play(self, seed: int, first: int, count: int) -> list[array[int]]:
        """Games `first` to `first + count - 1` of a seed, in the columns that `machine_source` names."""
        out = array("q", bytes(8 * self.columns * count))
        self._play(seed & 2**64 - 1, first, count, out.buffer_info()[0])
        return [out[number * count : (number + 1) * count] for number in range(self.columns)]


def is_cached(setting: Setting) -> bool:
    """Whether the machine code for playouts of a setting is in the cache."""
    return cache.read(_name(setting, GAMES)) is not None


def library(
    setting: Setting, details: tuple[str, ...], source: Callable[[], Source], exported: frozenset[str]
) -> binding.ExecutionEngine:
    """The machine code of a source, compiled unless it is cached. `details` distinguish the sources of one setting."""
    return cache.cached(_name(setting, details), lambda: _compile(source(), exported), loaded)


def _name(setting: Setting, details: tuple[str, ...]) -> str:
    return cache.key(setting, *details, _machine())


@lru_cache
def _machine() -> str:
    features = binding.get_host_cpu_features().flatten()
    return f"{binding.get_host_cpu_name()} {features} {binding.llvm_version_info}"


def _compile(source: Source, exported: frozenset[str]) -> bytes:
    from rulespec.engine.backend.llvm import Module, functions_of, object_code

    files = (Path(__file__).with_name(name) for name in (RUNTIME, source.runtime))
    runtime = [node for file in files for node in functions_of(file.read_text(encoding="utf-8"))]
    return object_code(Module([*runtime, *source.functions], source.tables, exported, source.constants))
