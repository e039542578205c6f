"""For the King (and Me), written by hand in C (engine.c), compiled by gcc on first use.

    .venv/bin/python benchmarks/hand_c/__init__.py [GAMES]

Game for game the same as `rulespec.engine.states.playout` and `hand_python`; see there for what it leaves out.
"""

from __future__ import annotations

import ctypes
import subprocess
import sys
import time
from array import array
from ctypes import c_bool, c_int, c_int64, c_uint32, c_uint64
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

SOURCE = Path(__file__).resolve().parent / "engine.c"
COMPILER = ("gcc", "-std=c11", "-O3", "-march=native", "-shared", "-fPIC")
PLAYERS = range(2, 6)
MASK = 2**64 - 1


class Games(NamedTuple):
    """Finished games in columns, one entry per game; `ranks` and `scores` by seat."""

    decisions: array[int]
    ranks: list[array[int]]
    scores: list[array[int]]


@cache
def library() -> ctypes.CDLL:
    """The engine, compiled anew for every process. Raises CalledProcessError where gcc refuses, OSError without gcc."""
    with TemporaryDirectory() as folder:
        compiled = Path(folder) / "engine.so"
        subprocess.run([*COMPILER, "-o", str(compiled), str(SOURCE)], check=True)
        engine = ctypes.CDLL(str(compiled))  # stays loaded when the file is gone
    column = ctypes.POINTER(c_int64)
    engine.play.argtypes = (c_int, c_uint64, c_uint64, c_int64, column, column, column)
    engine.play.restype = c_bool
    engine.draw.argtypes = (c_uint64, c_uint32, c_int64, ctypes.POINTER(c_uint32))
    engine.draw.restype = None
    return engine


def play(players: int, seed: int, first: int, count: int) -> Games:
    """So many games of a seed, from number `first` on, in one call of the engine. Raises ValueError unless there are 2
    to 5 players."""
    decisions, ranks, scores = ((c_int64 * (count * columns))() for columns in (1, players, players))
    if not library().play(players, seed & MASK, first, count, decisions, ranks, scores):
        raise ValueError(f"no game for {players} players")
    parts = [slice(seat * count, (seat + 1) * count) for seat in range(players)]
    return Games(array("q", decisions), [array("q", ranks[p]) for p in parts], [array("q", scores[p]) for p in parts])


def draws(state: int, bound: int, count: int) -> list[int]:
    """Numbers below a bound, as the engine draws them from a state of its generator."""
    numbers = (c_uint32 * count)()
    library().draw(state & MASK, bound, count, numbers)
    return list(numbers)


def main(count: int) -> None:
    library()
    for players in PLAYERS:
        play(players, 1, 0, count // 10)
        began = time.perf_counter()
        play(players, 1, 0, count)
        print(f"{players} players: {count / (time.perf_counter() - began):,.0f} games/s")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 200_000)
