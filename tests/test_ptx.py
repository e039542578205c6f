"""The kernel of `benchmarks/ptx.py`, on this processor: each thread plays the game of its number."""

from __future__ import annotations

import ctypes
import sys
from array import array
from pathlib import Path
from random import Random

import pytest
from llvmlite import binding

import rulespec
from rulespec.engine.backend.llvm.loading import host, machine
from rulespec.engine.states.playout import playouts

sys.path.insert(0, str(Path(__file__).parents[1] / "benchmarks"))

from ptx import REGISTERS, kernel, ptx

pytestmark = pytest.mark.slow("machine code is compiled")

SEED, FIRST, COUNT, BLOCK, BLOCKS = 2**64 - 5, 3, 100, 32, 4
"""The last block has more threads than there are games left."""


@pytest.mark.parametrize(("name", "players"), [("goofspiel", 3), ("fortheking", 3), ("kingme", 3), ("checkers", 2)])
@pytest.mark.sample(1)
def test_each_thread_plays_the_game_of_its_number(name: str, players: int) -> None:
    game = rulespec.load(name).game(players, {}, "native")
    native = game.code.machine()
    assert native is not None
    code = binding.parse_assembly(_with_variables(kernel(game, host())))
    engine = binding.create_mcjit_compiler(code, machine())
    engine.finalize_object()
    types = (ctypes.c_uint64, ctypes.c_int64, ctypes.c_int64, ctypes.c_void_p)
    thread = ctypes.CFUNCTYPE(None, *types)(engine.get_function_address("play_games"))
    block, size, place = (ctypes.c_int32.from_address(engine.get_global_value_address(f"v{n}")) for n in range(3))
    out, size.value = array("q", [-1]) * (native.columns * COUNT + 1), BLOCK
    for number in Random(1).sample(range(BLOCK * BLOCKS), BLOCK * BLOCKS):
        block.value, place.value = divmod(number, BLOCK)
        thread(SEED, FIRST, COUNT, out.buffer_info()[0])
    assert out.tolist() == [value for column in native.play(SEED, FIRST, COUNT) for value in column] + [-1]
    assert out.tolist()[:COUNT] == list(playouts(game, SEED, range(FIRST, FIRST + COUNT)).decisions)


def _with_variables(code: str) -> str:
    """The IR of a kernel that reads the numbers of its thread in variables, as a function of this processor."""
    for number, name in enumerate(REGISTERS):
        read = (
            f'@v{number} = global i32 0\ndefine i32 @"r{number}"() {{\n %v = load i32, i32* @v{number}\n ret i32 %v\n}}'
        )
        code = code.replace(f'declare i32 @"{name}"()', read).replace(name, f"r{number}")
    return code.replace("ptx_kernel ", "")


def test_ptx_has_the_kernel() -> None:
    text = ptx(rulespec.load("goofspiel").game(2, {}, "native"))
    assert ".visible .entry play_games(" in text and ".extern" not in text
