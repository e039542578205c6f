"""WebAssembly: the playouts and segments of a program as one module without imports, linked by `wasm-ld`.

A state is one block of memory: the arrays `m`, `w` and `z` of machine_segments.py, in this order. The module exports
functions over such blocks; docs/wasm.md describes them.
"""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from llvmlite import binding

from rulespec.engine.backend import syntax
from rulespec.engine.backend.arrays import SIZES, ZONES, i64
from rulespec.engine.backend.faults import LinkError
from rulespec.engine.backend.loading import Target
from rulespec.engine.backend.machine_playout import MOST_CARDS, Source, machine_source
from rulespec.engine.backend.machine_segments import MachineSegments, part
from rulespec.engine.backend.native import compiled
from rulespec.engine.backend.segments import ACTION
from rulespec.engine.backend.syntax import assign, call, loop, name, number
from rulespec.engine.backend.writer import REGISTERS
from rulespec.engine.program import ir

STACK = 2**20
"""Bytes of the stack. It lies below everything else, so that an overflow traps. `play_games` keeps one game there."""

STATES = ("new_state", "act", "reveal", "rollout")
"""The functions over one state."""

GAMES = ("play_games",)
_TRIPLE = "wasm32-unknown-unknown"
_FEATURES = "+bulk-memory,+bulk-memory-opt,+simd128"


class StateSegments(MachineSegments):
    """The segments of a program over states in one block of memory each."""

    def exported(self) -> list[ast.FunctionDef]:
        policy = {"policy": "u64"}
        return [
            self.export("new_state", {"seed": "u64"}, self.body(self._new_state)),
            self.export("act", {"action": "i64"}, [self.runs(call("take", ACTION, *self.passed))]),
            self.export("reveal", {}, [self.runs(call("reveal_all", *self.passed))]),
            self.export("rollout", policy, self.body(self.random_play)),
        ]

    def export(self, called: str, arguments: dict[str, str], body: list[ast.stmt]) -> ast.FunctionDef:
        return syntax.function(called, {"state": "i64s"} | arguments, [*self._arrays(), *self.parts(), *body], "None")

    def _arrays(self) -> list[ast.stmt]:
        layout = self.layout()
        desk, zones = layout.r + layout.n, layout.r + layout.n + layout.w
        parts = (("m", "i64s", 0, desk), ("w", "i64s", desk, layout.w), ("z", "i16s", zones, layout.z))
        return [part(name(array), kind, "state", first, size) for array, kind, first, size in parts]

    def _new_state(self) -> None:
        """Writes: lay out registers and cards, then run to the first decision."""
        self._fill(REGISTERS, 0, self.program.start)
        self.put(assign(i64(name("seed")), REGISTERS[self.stream]))
        self._fill(SIZES, 0, [0] * len(self.program.zones))
        if self.program.zones:
            start = self.program.start_zone
            self._fill(ZONES, start * self.room, self.program.cards)
            self.put(assign(len(self.program.cards), SIZES[start]))
        self.put(self.runs(number(self.follows[0])))

    def _fill(self, array: syntax.Code, first: int, numbers: Sequence[int]) -> None:
        """Writes: copy numbers into an array."""
        place = name("i")
        if numbers:
            with self.inside(loop(place, call("range", 0, len(numbers)))):
                self.put(assign(self.table(numbers)[place], array[place + first]))


def wasm_module(program: ir.Program) -> bytes:
    """The module of a program. Raises MemoryError if the program exceeds the limits of machine code."""
    if len(program.faces) > MOST_CARDS:
        raise MemoryError("card numbers do not fit 16 bits")
    parts: tuple[tuple[Source, tuple[str, ...]], ...] = (
        (machine_source(program), GAMES),
        (StateSegments(program).source(), STATES),
    )
    # Each part has functions of the same names, so each is an object file of its own.
    return linked([compiled(source, frozenset(names), target()) for source, names in parts], (*STATES, *GAMES))


def linked_source(source: Source, exported: Sequence[str]) -> bytes:
    """A source as a module of its own."""
    return linked([compiled(source, frozenset(exported), target())], exported)


@cache
def target() -> Target:
    """WebAssembly with 32-bit addresses and nothing of this machine.

    Its vectors are short, so loops run often. Unrolling those whose number of turns is known makes King Me! a fifth
    faster; with all others unrolled too, its code for six players is a fifth slower in V8.
    """
    binding.set_option("", "-unroll-runtime=false")  # of the whole process, where nothing else is unrolled
    binding.initialize_all_targets()
    binding.initialize_all_asmprinters()
    return Target(_TRIPLE, False, _machine, str(_machine().target_data), unrolls=True)


def _machine(optimised: bool = True) -> binding.TargetMachine:
    made = binding.Target.from_triple(_TRIPLE)
    return made.create_target_machine(cpu="generic", features=_FEATURES, opt=3 if optimised else 0, reloc="static")


def linked(objects: Sequence[bytes], exported: Sequence[str]) -> bytes:
    """Object files as one module. An undefined function is an error, so the module has no imports. Raises LinkError."""
    with TemporaryDirectory(prefix="ftk-") as folder:
        files = [Path(folder, f"{n}.o") for n in range(len(objects))]
        for file, content in zip(files, objects, strict=True):
            file.write_bytes(content)
        module = Path(folder, "game.wasm")
        _run([*_linker(), *_flags(exported), "-o", module, *files])
        return module.read_bytes()


def _run(command: Sequence[str | Path]) -> None:
    try:
        ended = subprocess.run(command, capture_output=True, encoding="utf-8", errors="replace", check=False)
    except OSError as error:
        raise LinkError(str(error)) from None
    if ended.returncode:
        last = ended.stderr.strip().splitlines()[-1:] or [f"it ended with status {ended.returncode}"]
        raise LinkError(last[0])


def _flags(exported: Sequence[str]) -> list[str]:
    names = [f"--export={one}" for one in (*exported, "__heap_base")]
    return ["--no-entry", "--stack-first", "-z", f"stack-size={STACK}", "--strip-all", "--gc-sections", *names]


def _linker() -> list[str]:
    """The command for LLVM's linker inside the package ziglang."""
    return [sys.executable, "-m", "ziglang", "wasm-ld"]
