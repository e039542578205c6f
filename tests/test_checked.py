"""Checked machine code reports what is outside of an array or too large, and finds nothing in games."""

from __future__ import annotations

import ctypes
from array import array
from pathlib import Path

import pytest
from agreement import shortest

import rulespec
from rulespec.engine.backend.forms.machine_source import functions_of
from rulespec.engine.states.playout import playouts

pytest.importorskip("llvmlite")

from rulespec.engine.backend.engines.native import Library
from rulespec.engine.backend.llvm import compiler
from rulespec.engine.backend.llvm.declarations import Given
from rulespec.engine.backend.llvm.faults import MachineFault
from rulespec.engine.backend.llvm.loading import loaded

pytestmark = pytest.mark.slow("machine code with tests is compiled")

SOURCE = """
def index(a: i64s, i: i64) -> i64:
    b = array(i64s, 3)
    b[0] = 1
    b[1] = 2
    b[2] = 3
    return inner(b, i)

def inner(b: i64s, i: i64) -> i64:
    return b[i]

def given(a: i64s, i: i64) -> i64:
    return a[i]

def table(a: i64s, i: i64) -> i64:
    return T[i]

def quotient(a: i64s, i: i64) -> i64:
    return 7 // i

def power(a: i64s, i: i64) -> i64:
    return 1 << i

def product(a: i64s, i: i64) -> i64:
    return i * 9223372036854775807

def narrow(a: i64s, i: i64) -> i64:
    z = array(i16s, 1)
    z[0] = i
    return z[0]
"""
CASES = {
    ("index", 3): "`index`: index 3 of the array `b`, which has 3 elements",
    ("index", -1): "`index`: index -1 of the array `b`, which has 3 elements",
    ("given", 2): "`given`: index 2 of the array `a`, which has 2 elements",
    ("table", 4): "`table`: index 4 of the array `T`, which has 4 elements",
    ("quotient", 0): "`quotient`: a number is divided by 0",
    ("power", 64): "`power`: a number is shifted by 64 bits, of at most 63",
    ("power", -1): "`power`: a number is shifted by -1 bits, of at most 63",
    ("product", 2): "`product`: the result of an operation on 2 and 9223372036854775807 has more than 64 bits",
    ("narrow", 2**15): "`narrow`: 32768 does not fit into 16 bits",
}
GOOD = {"index": (2, 3), "given": (1, 9), "table": (3, 1), "quotient": (2, 3), "power": (62, 2**62), "narrow": (-7, -7)}
PROTOTYPE = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_void_p, ctypes.c_int64)


@pytest.fixture(autouse=True)
def checked(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("FTK_CHECKED", "1")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))


@pytest.fixture
def library(checked: None) -> Library:
    given = Given({"T": (3, 1, 4, 1)}, sizes={"a": 2}, checked=True)
    functions = functions_of(SOURCE)
    exported = frozenset(node.name for node in functions) - {"inner"}
    return Library(loaded(compiler.object_code(compiler.Module(functions, exported, given))))


@pytest.mark.parametrize(("name", "number"), CASES)
def test_a_fault_is_reported_and_the_next_call_is_good(library: Library, name: str, number: int) -> None:
    numbers = array("q", [8, 9])
    function = library.function(name, PROTOTYPE)
    with pytest.raises(MachineFault) as raised:
        function(numbers.buffer_info()[0], number)
    assert str(raised.value) == f"machine code {CASES[name, number]}"
    if name in GOOD:
        function(numbers.buffer_info()[0], GOOD[name][0])


def test_numbers_that_no_position_has_are_a_fault() -> None:
    state = rulespec.load("hearts").game(4, engine="native").new_initial_state(1)
    for slot in range(len(state.game.program.start)):
        state.r[slot] = 10**6
    with pytest.raises(MachineFault, match=r"index -?\d+ of the array"):
        while not state.is_terminal():
            state.apply_action(state.legal_actions()[0])


@pytest.mark.parametrize("name", ["fortheking", "kingme", "hearts", "keyflower_king", "checkers", "hanabi"])
@pytest.mark.sample(1)
def test_games_have_no_fault(name: str) -> None:
    spec = rulespec.load(name)
    players = spec.players[-1]
    games = [spec.game(players, engine=engine) for engine in ("interpreter", "native")]
    assert shortest(games, range(2)) is None
    assert playouts(games[0], 1, range(20)) == playouts(games[1], 1, range(20))
