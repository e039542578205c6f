"""Machine code for a setting: compiled once, kept on disk, called through ctypes."""

from __future__ import annotations

import ctypes
from array import array
from functools import cache
from pathlib import Path

from llvmlite import binding

from rulespec.engine import ir
from rulespec.engine.backend.cache import cached, kept, key
from rulespec.engine.backend.loading import loaded
from rulespec.engine.backend.machine import machine_source
from rulespec.model.constants import Setting


class Games:
    """Whole games of a setting. The code is this machine's own; others have others."""

    def __init__(self, setting: Setting, program: ir.Program) -> None:
        self.players = program.players
        self._code = loaded(cached(_name(setting), lambda: _compile(program)))
        types = (ctypes.c_uint64, ctypes.c_int64, ctypes.c_int64, ctypes.c_void_p)
        self._play = ctypes.CFUNCTYPE(None, *types)(self._code.get_function_address("play_games"))

    def play(self, seed: int, first: int, count: int) -> list[array[int]]:
        """Games `first` to `first + count - 1` of a seed: their decisions, the ranks by seat, the scores by seat."""
        columns = 1 + 2 * self.players
        out = array("q", bytes(8 * columns * count))
        self._play(seed & 2**64 - 1, first, count, out.buffer_info()[0])
        return [out[number * count : (number + 1) * count] for number in range(columns)]


def is_kept(setting: Setting) -> bool:
    """Whether machine code for whole games of a setting is there already."""
    return kept(_name(setting)) is not None


def _name(setting: Setting) -> str:
    return key(setting, "machine", _machine())


@cache
def _machine() -> str:
    return f"{binding.get_host_cpu_name()} {binding.llvm_version_info}"


def _compile(program: ir.Program) -> bytes:
    from rulespec.engine.backend.llvm import Module, object_code

    source = machine_source(program)
    runtime = Path(__file__).with_name("runtime.py").read_text(encoding="utf-8")
    return object_code(Module([runtime, source.text], source.tables, frozenset({"play_games"})))
