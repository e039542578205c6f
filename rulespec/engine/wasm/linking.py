"""Sources for machine code as one WebAssembly module without imports, linked by `wasm-ld`."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Sequence
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory

from llvmlite import binding

from rulespec.engine.backend.engines.native import compiled
from rulespec.engine.backend.forms.machine_source import Source
from rulespec.engine.backend.llvm.faults import LinkError
from rulespec.engine.backend.llvm.loading import Target

STACK = 2**20
"""Bytes of the stack. It lies below everything else, so that an overflow traps. `play_games` keeps one game there."""

_TRIPLE = "wasm32-unknown-unknown"
_FEATURES = "+bulk-memory,+bulk-memory-opt,+simd128"


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


def linked(*parts: tuple[Source, Sequence[str]]) -> bytes:
    """Sources, each with the names of the functions that it exports, as one module. Raises LinkError; an undefined
    function is such an error, so the module has no imports."""
    exported = [name for _, names in parts for name in names]
    with TemporaryDirectory(prefix="ftk-") as folder:
        # Functions of different parts may have one name, so each part is an object file of its own.
        files = [Path(folder, f"{n}.o") for n in range(len(parts))]
        for file, (source, names) in zip(files, parts, strict=True):
            file.write_bytes(compiled(source, frozenset(names), target()))
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
    # From `__heap_base` on, memory belongs to the host, which lays out its states there.
    names = [f"--export={one}" for one in (*exported, "__heap_base")]
    return ["--no-entry", "--stack-first", "-z", f"stack-size={STACK}", "--strip-all", "--gc-sections", *names]


def _linker() -> list[str]:
    """The command for LLVM's linker inside the package ziglang. Its own command starts Python first."""
    package = find_spec("ziglang")
    folder = Path(package.origin).parent if package is not None and package.origin else Path()
    return [shutil.which("zig", path=folder) or "zig", "wasm-ld"]
