"""Random playouts on an NVIDIA GPU, one game in each thread, beside one core of this machine (decision 035).

    python benchmarks/ptx.py [--games N] [ID…]

For every setting with the default rulings: registers, stack and spills of a thread by `ptxas`, if that is on the path,
and games per second of both, if there is a GPU, whose driver compiles the PTX. The exit status is 1 if results differ.
"""

from __future__ import annotations

import ctypes
import re
import shutil
import subprocess
import sys
import time
from argparse import ArgumentParser, Namespace
from array import array
from pathlib import Path

from llvmlite import binding
from llvmlite import ir as llvm

import rulespec
from rulespec.engine.backend.forms.machine_playout import machine_source
from rulespec.engine.backend.forms.machine_source import functions_of
from rulespec.engine.backend.llvm.compiler import Module
from rulespec.engine.backend.llvm.declarations import I32, I64, VOID, Given
from rulespec.engine.backend.llvm.loading import Target

SPECS = Path(__file__).parents[1] / "specs"
TRIPLE, ARCH = "nvptx64-nvidia-cuda", "sm_80"
"""The driver compiles PTX for this processor for all later ones, too."""
REGISTERS = [f"llvm.nvvm.read.ptx.sreg.{name}.x" for name in ("ctaid", "ntid", "tid")]
"""The number of a block, the threads of a block, and the number of a thread in it."""
SEED, BLOCK = 7, 64

GAME = """
def play_game(seed: u64, first: i64, count: i64, out: i64s, g: i64) -> None:
    if g < count:
        game = stream(seed, first + g)
        play(stream(game, 0), stream(game, 1), out, count, g)
"""


def kernel(game: rulespec.Game, target: Target) -> str:
    """LLVM IR of the kernel `play_games(seed, first, count, out)`, of which each thread plays one game."""
    source = machine_source(game.program)
    functions = [*(each for each in source.whole() if each.name != "play_games"), *functions_of(GAME)]
    module = Module(functions, frozenset(), Given(source.tables, source.constants, source.sizes), target)
    made = llvm.Function(module.module, llvm.FunctionType(VOID, [I64, I64, I64, I64.as_pointer()]), "play_games")
    made.calling_convention = "ptx_kernel"
    b = llvm.IRBuilder(made.append_basic_block())
    reads = [llvm.Function(module.module, llvm.FunctionType(I32, []), name) for name in REGISTERS]
    block, size, thread = (b.zext(b.call(read, []), I64) for read in reads)
    b.call(module.functions["play_game"][0], [*made.args, b.add(b.mul(block, size), thread)])
    b.ret_void()
    return str(module.module)


def ptx(game: rulespec.Game) -> str:
    """The PTX of the kernel of a game."""
    binding.initialize_all_targets()
    binding.initialize_all_asmprinters()
    machine = binding.Target.from_triple(TRIPLE).create_target_machine(cpu=ARCH, opt=3)
    parsed = binding.parse_assembly(kernel(game, Target(TRIPLE, False, lambda _: machine, str(machine.target_data))))
    options = binding.create_pipeline_tuning_options(speed_level=2)
    options.loop_unrolling = False
    passes = binding.create_pass_builder(machine, options)
    passes.getModulePassManager().run(parsed, passes)
    return str(machine.emit_assembly(parsed))


def assembled(text: str) -> str:
    """What `ptxas` says of a thread."""
    if not shutil.which("ptxas"):
        return "no ptxas"
    command = ["ptxas", "-v", f"-arch={ARCH}", "-o", "/dev/null", "/dev/stdin"]
    said = subprocess.run(command, input=text, capture_output=True, text=True, check=True).stderr
    registers, stack = re.findall(r"Used (\d+) registers.*?(\d+) bytes cumulative stack", said)[0]
    spills = sum(map(int, re.findall(r"(\d+) bytes spill", said)))
    return f"{registers:>4} registers {stack:>6} B stack {spills:>4} B spilled"


class Gpu:
    """The first GPU of this machine. Raises OSError if there is none."""

    def __init__(self) -> None:
        self.driver = ctypes.CDLL("libcuda.so.1")
        device, context = ctypes.c_int(), ctypes.c_void_p()
        self._call("cuInit", 0)
        self._call("cuDeviceGet", ctypes.byref(device), 0)
        self._call("cuDevicePrimaryCtxRetain", ctypes.byref(context), device)
        self._call("cuCtxSetCurrent", context)

    def play(self, text: str, columns: int, count: int) -> tuple[array[int], float]:
        """The results of games 0 to `count - 1` by column, and the seconds that they take once they are compiled."""
        module, function, memory = (ctypes.c_void_p() for _ in range(3))
        out = array("q", bytes(8 * columns * count))
        size = ctypes.c_size_t(8 * len(out))
        self._call("cuModuleLoadData", ctypes.byref(module), text.encode())
        self._call("cuModuleGetFunction", ctypes.byref(function), module, b"play_games")
        self._call("cuMemAlloc_v2", ctypes.byref(memory), size)
        values = ctypes.c_uint64(SEED), ctypes.c_int64(0), ctypes.c_int64(count), memory
        given = (ctypes.c_void_p * 4)(*(ctypes.addressof(value) for value in values))
        for _ in range(2):  # the first launch also gives the threads their memory
            begun = time.perf_counter()
            self._call("cuLaunchKernel", function, -(-count // BLOCK), 1, 1, BLOCK, 1, 1, 0, None, given, None)
            self._call("cuMemcpyDtoH_v2", ctypes.c_void_p(out.buffer_info()[0]), memory, size)
            seconds = time.perf_counter() - begun
        self._call("cuMemFree_v2", memory)
        self._call("cuModuleUnload", module)
        return out, seconds

    def _call(self, name: str, *arguments: object) -> None:
        if status := getattr(self.driver, name)(*arguments):
            raise OSError(f"{name} of the CUDA driver ended with status {status}")


def compared(gpu: Gpu, game: rulespec.Game, text: str, count: int) -> tuple[bool, str]:
    """Whether both have the same results, and the speed of both."""
    native = game.code.machine()
    assert native is not None
    begun = time.process_time()
    wanted = native.play(SEED, 0, count)
    core = count / (time.process_time() - begun)
    out, seconds = gpu.play(text, native.columns, count)
    same = out.tobytes() == b"".join(column.tobytes() for column in wanted)
    return same, f"{core:>12,.0f} games/s on a core {count / seconds:>14,.0f} on the GPU{'' if same else ' DIFFERS'}"


def main(options: Namespace) -> int:
    """Prints a line for every setting; returns 1 if results differ."""
    gpu, differ = None, 0
    try:
        gpu = Gpu()
    except OSError as error:
        print(f"No GPU, so no games per second: {error}")
    names = [path.stem for folder in (SPECS, SPECS / "gallery") for path in sorted(folder.glob("*.yaml"))]
    for name in options.ids or names:
        spec = rulespec.load(name)
        for game in (spec.game(players, {}, "native") for players in spec.players):
            text = ptx(game)
            same, speed = compared(gpu, game, text, options.games) if gpu else (True, "")
            differ += not same
            print(f"{name:<18}{game.players}  {assembled(text)}  {speed}", flush=True)
    return 1 if differ else 0


if __name__ == "__main__":
    parser = ArgumentParser()
    parser.add_argument("ids", nargs="*")
    parser.add_argument("--games", type=int, default=200_000)
    sys.exit(main(parser.parse_args()))
