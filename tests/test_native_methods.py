"""Methods of states in machine code do what those in Python do, also where anything is unusual."""

from __future__ import annotations

import gc
import random
import sys
from collections.abc import Iterator
from threading import Thread

import pytest
from agreement import HERE

import rulespec
from rulespec.engine.interpreter.running import StateError
from rulespec.engine.states.state import State

pytestmark = pytest.mark.skipif("native" not in HERE, reason="llvmlite is not installed")

METHODS = ("apply_action", "legal_actions", "is_terminal")


def both(name: str, seed: int = 3) -> tuple[State, State]:
    spec = rulespec.load(name)
    native, python = (spec.game(spec.players[0], None, engine) for engine in ("native", "compiled"))
    return native.new_initial_state(seed), python.new_initial_state(seed)


def test_they_are_no_functions_of_python() -> None:
    native, python = both("chess")
    assert all(type(getattr(type(native), name)).__name__ == "method_descriptor" for name in METHODS)
    assert all(getattr(type(native), name).__doc__ == getattr(type(python), name).__doc__ for name in METHODS)


@pytest.mark.parametrize("name", ["chess", "goofspiel", "liars_dice", "hex"])
def test_the_same_game(name: str) -> None:
    """Also with `player`, by its name, and where several decide at once."""
    native, python = both(name)
    chance = random.Random(5)
    while not python.is_terminal():
        assert not native.is_terminal()
        for player in (None, -1, *range(2)):
            assert native.legal_actions(player) == python.legal_actions(player)
            assert native.legal_actions(player=player) == python.legal_actions(player=player)
        player = chance.choice(python.deciders())
        action = chance.choice(python.legal_actions(player))
        given = chance.choice([{"player": player}, {}]) if len(python.deciders()) == 1 else {"player": player}
        for state in (native, python):
            state.apply_action(action, **given)
        assert (native.choices, native.pc, native.player) == (python.choices, python.pc, python.player)
        assert native.snapshot() == python.snapshot()
    assert native.is_terminal() and native.legal_actions() == [] and native.returns() == python.returns()


@pytest.mark.parametrize("given", [(-1,), (10**30,), ("e4",), (None,), (2.5,), (), (1, 2, 3)])
def test_no_action(given: tuple[object, ...]) -> None:
    """The same error as in Python, and nothing has changed."""
    native, python = both("chess")
    errors = []
    for state in (native, python):
        before = state.snapshot()
        with pytest.raises((StateError, TypeError)) as error:
            state.apply_action(*given)  # type: ignore[arg-type]  # that is what is tried
        assert state.snapshot() == before and state.choices == []
        errors.append(str(error.value))
    assert errors[0] == errors[1]
    with pytest.raises(TypeError, match="unexpected keyword argument"):
        native.apply_action(native.legal_actions()[0], seat=1)  # type: ignore[call-arg]


def test_an_equal_number_is_another_object() -> None:
    native, python = both("chess")
    for state in (native, python):
        for _ in range(8):
            state.apply_action(int(str(state.legal_actions()[-1])))
    assert native.snapshot() == python.snapshot() and max(native.history()) > 256


def test_nothing_is_kept() -> None:
    """No reference is lost or left: as many objects after a thousand games as after one."""

    def play(seed: int) -> None:
        state = game.new_initial_state(seed)
        while not state.is_terminal():
            state.apply_action(state.legal_actions()[-1])
        with pytest.raises(StateError):
            state.apply_action(1)

    game = rulespec.load("tic_tac_toe").game(2, None, "native")
    play(1)
    gc.collect()
    nothing, blocks = sys.getrefcount(None), sys.getallocatedblocks()
    for seed in range(1000):
        play(seed)
    gc.collect()
    assert abs(sys.getallocatedblocks() - blocks) < 200
    assert abs(sys.getrefcount(None) - nothing) < 200


def test_threads() -> None:
    """Games of one setting in several threads are those of one thread."""
    game = rulespec.load("othello").game(2, None, "native")

    def play(found: list[list[int]], seeds: Iterator[int]) -> None:
        for seed in seeds:
            state, chance = game.new_initial_state(seed), random.Random(seed)
            while not state.is_terminal():
                state.apply_action(chance.choice(state.legal_actions()))
            found.append(state.history())

    alone: list[list[int]] = []
    play(alone, iter(range(20)))
    found: list[list[list[int]]] = [[] for _ in range(4)]
    threads = [Thread(target=play, args=(each, iter(range(20)))) for each in found]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [alone] * 4


@pytest.mark.parametrize(("name", "given"), [("is_terminal", ()), ("legal_actions", ()), ("apply_action", (0,))])
def test_a_state_that_was_never_begun_is_an_error(name: str, given: tuple[int, ...]) -> None:
    both("hex")
    with pytest.raises(SystemError):
        getattr(object.__new__(State), name)(*given)
