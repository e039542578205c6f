"""The engines written by hand, which the benchmarks compare with, play the very games the interpreter plays."""

from __future__ import annotations

import shutil
import sys
from functools import cache
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

import pytest

import rulespec
from rulespec.engine.interpreter.random import Generator
from rulespec.engine.states.playout import Chunk, playouts

pytestmark = pytest.mark.slow("a compiler of C runs")

BENCHMARKS = Path(__file__).resolve().parent.parent / "benchmarks"
ENGINES = [
    "hand_python.py",
    pytest.param(
        "hand_c/__init__.py", marks=pytest.mark.skipif(shutil.which("gcc") is None, reason="gcc is not installed")
    ),
]
GAMES = {1: range(100), -7: range(2**40, 2**40 + 5)}
"""The numbers of the games by their seed."""


@cache
def module(path: str) -> ModuleType:
    """A file of the benchmarks, which are no package, as a module."""
    found = spec_from_file_location("benchmark_" + Path(path).parts[0].removesuffix(".py"), BENCHMARKS / path)
    assert found is not None and found.loader is not None
    loaded = sys.modules[found.name] = module_from_spec(found)
    found.loader.exec_module(loaded)
    return loaded


@cache
def interpreted(players: int, seed: int) -> Chunk:
    return playouts(rulespec.load("fortheking").game(players, {"overbid": "forbidden"}), seed, GAMES[seed])


@pytest.mark.parametrize("players", rulespec.load("fortheking").players)
@pytest.mark.parametrize("seed", GAMES)
@pytest.mark.parametrize("path", ENGINES)
@pytest.mark.sample(6)
def test_plays_the_same_games(path: str, seed: int, players: int) -> None:
    games = module(path).play(players, seed, GAMES[seed].start, len(GAMES[seed]))
    block = interpreted(players, seed)
    assert (games.decisions, games.ranks, games.scores) == (block.decisions, block.ranks, block.scores)


def test_some_of_these_games_are_tied() -> None:
    for players in rulespec.load("fortheking").players:
        assert any(len(set(scores)) < players for scores in zip(*interpreted(players, 1).scores, strict=True))


@pytest.mark.parametrize("bound", [1, 2, 88, 2**31 + 1, 3_000_000_000])
def test_draws_again_where_the_interpreter_does(bound: int) -> None:
    """In games a number is hardly ever drawn again; with bounds as large as these one in four is or more."""
    generator = Generator(5)
    expected = [generator.below(bound) for _ in range(200)]
    state, numbers = 5, []
    for _ in expected:
        state, number = module("hand_python.py").below(state, bound)
        numbers.append(number)
    assert numbers == expected
    if shutil.which("gcc") is not None:
        assert module("hand_c/__init__.py").draws(5, bound, 200) == expected
