"""Machine code for a setting: compiled once, cached on disk, called through ctypes."""

from __future__ import annotations

import ctypes
import gc
import os
from array import array
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import lru_cache, partial
from typing import Any

from llvmlite import binding

from rulespec.base import store
from rulespec.engine.backend.engines import cache
from rulespec.engine.backend.forms.machine_playout import TallyLayout, machine_source, result_columns
from rulespec.engine.backend.forms.machine_source import Source
from rulespec.engine.backend.llvm.compiler import Module, object_code
from rulespec.engine.backend.llvm.declarations import Given
from rulespec.engine.backend.llvm.faults import MachineFault, in_words
from rulespec.engine.backend.llvm.loading import Target, loaded
from rulespec.engine.program import ir
from rulespec.language.model.constants import Setting


class MachinePlayouts:
    """Playouts of a setting in machine code, which is specific to this kind of processor."""

    def __init__(self, setting: Setting, program: ir.Program, tally: TallyLayout | None = None) -> None:
        self.columns = result_columns(program)
        if tally is not None:
            prizes, faces = len(tally.prizes), len(setting.spec.deck.first_of_face)
            self.columns += prizes * (2 * program.players + 1) + faces * program.players
        details = cache.GAMES if tally is None else cache.TALLIES
        code = library(setting, details, lambda: machine_source(program, tally), frozenset({"play_games"}))
        # CFUNCTYPE releases the GIL, so that threads play at once; PYFUNCTYPE would keep it.
        types = (ctypes.c_uint64, ctypes.c_int64, ctypes.c_int64, ctypes.c_void_p)
        self._play = code.function("play_games", ctypes.CFUNCTYPE(None, *types))

    def play(self, seed: int, first: int, count: int) -> list[array[int]]:
        """Games `first` to `first + count - 1` of a seed, in the columns that `machine_source` names."""
        out = array("q", bytes(8 * self.columns * count))
        self._play(seed & 2**64 - 1, first, count, out.buffer_info()[0])
        return [out[number * count : (number + 1) * count] for number in range(self.columns)]


class Library:
    """Compiled functions. Those of a checked library raise MachineFault where a test in them fails."""

    def __init__(self, engine: binding.ExecutionEngine) -> None:
        self._engine = engine
        fault = engine.get_global_value_address("fault") if is_checked() else 0
        self._fault = (ctypes.c_int64 * 3).from_address(fault) if fault else None

    def function(self, name: str, prototype: Any) -> Any:
        """A function by name, of a prototype of ctypes. It keeps the library loaded."""
        function = prototype(self._engine.get_function_address(name))
        if self._fault is None:
            function.library = self
            return function
        return partial(self._checked, name, function)

    def _checked(self, name: str, function: Callable[..., Any], *arguments: Any) -> Any:
        result = function(*arguments)
        assert self._fault is not None
        if any(fault := list(self._fault)):
            self._fault[:] = [0, 0, 0]
            raise MachineFault(f"machine code `{name}`: {in_words(fault)}")
        return result


def is_checked() -> bool:
    """Whether machine code is compiled with tests, which the variable FTK_CHECKED demands. It is some times slower."""
    return os.environ.get("FTK_CHECKED", "0") not in ("", "0")


def library(
    setting: Setting, details: tuple[str, ...], source: Callable[[], Source], exported: frozenset[str]
) -> Library:
    """The machine code of a source, compiled unless it is cached. `details` distinguish the sources of one setting."""

    def made() -> bytes:
        with all_kept():
            code = compiled(source(), exported)
        store.put("native", cache.key(setting, *details), True)
        return code

    return cache.cached(_name(setting, details), made, lambda code: Library(loaded(code)))


@contextmanager
def all_kept() -> Iterator[None]:
    """No garbage collection: what a compiler makes stays until the end, and to search it takes half of its time."""
    collects = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collects:
            gc.enable()


def _name(setting: Setting, details: tuple[str, ...]) -> str:
    return cache.key(setting, *details, processor(), *(["checked"] if is_checked() else []))


@lru_cache
def processor() -> str:
    """The kind of processor, and the version of LLVM, on which machine code depends."""
    features = binding.get_host_cpu_features().flatten()
    return f"{binding.get_host_cpu_name()} {features} {binding.llvm_version_info}"


def compiled(source: Source, exported: frozenset[str], target: Target | None = None) -> bytes:
    """The object file of a source, for this machine or another target, which has no tests."""
    given = Given(source.tables, source.constants, source.sizes, is_checked() and target is None)
    return object_code(Module(source.whole(), exported, given, target))
