"""Machine code takes over states that are played much: the same object, with the same game to the bit."""

from __future__ import annotations

import pickle
import random
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from agreement import HERE

import rulespec
from rulespec.base.project import playable_games
from rulespec.engine.backend.engines import tiers
from rulespec.engine.backend.engines.table import ENGINES
from rulespec.engine.backend.engines.tiers import Machine, Tier
from rulespec.engine.states.game import compile_game
from rulespec.engine.states.log import lines
from rulespec.engine.states.state import State

pytestmark = [
    pytest.mark.skipif("native" not in HERE, reason="llvmlite is not installed"),
    pytest.mark.slow("machine code is compiled for every game"),
]


@pytest.fixture(autouse=True)
def _soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tiers, "LOOK", 30)
    monkeypatch.setitem(ENGINES, "native", replace(ENGINES["native"], load=0.0))


def everything(state: State) -> tuple[Any, ...]:
    """All that a state says of itself and of what players know."""
    views = [
        (
            state.information_state_key(player),
            state.information_state_tensor(player).tobytes(),
            state.information_state_string(player),
            state.legal_actions(player),
        )
        for player in range(state.game.players)
    ]
    return views, state.snapshot(), state.events, state.choices, state.deciders(), state.returns()


def played(game: rulespec.Game, seed: int, most: int = 70) -> Iterator[State]:
    """A state after each choice of a random game."""
    state, dice = game.new_initial_state(seed), random.Random(seed)
    for _ in range(most):
        for seat in state.deciders():
            state.apply_action(dice.choice(state.legal_actions(seat)), seat)
        yield state


def said(state: State) -> tuple[Any, ...]:
    return (*everything(state), [*lines(state)])


@pytest.mark.parametrize("name", playable_games())
@pytest.mark.sample(3)
def test_the_game_is_the_same_before_and_after(name: str) -> None:
    spec = rulespec.load(name)
    compiled, auto = (spec.game(engine=engine) for engine in ("compiled", "auto"))
    compile_game(auto)
    ways = set[bool]()
    for number, (one, other) in enumerate(zip(played(compiled, 7), played(auto, 7), strict=True)):
        ways.add(other.memory is not None)
        if number % 12 == 0 or one.is_terminal():
            assert said(one) == said(other)
        if one.is_terminal():
            break
    assert True in ways or number < 30
    assert said(other.clone()) == said(pickle.loads(pickle.dumps(other))) == said(other)


def test_a_state_in_progress_stays_the_same_object() -> None:
    game = rulespec.load("fortheking").game(3)
    compile_game(game)
    *_, state = played(game, 4, 20)
    clone, dice = state.clone(), random.Random(5)
    for _ in range(20):
        state.apply_action(dice.choice(state.legal_actions()))
    assert state.memory and not clone.memory
    for number, action in enumerate(state.history()[20:]):
        clone.apply_action(action)
        assert clone.memory and len(clone.choices) == 21 + number
    assert said(clone) == said(state)
    player, action = state.choices[-1]
    state.undo_action(player, action)
    state.apply_action(action)
    assert said(clone) == said(state)


def test_a_choice_is_taken_back_while_machine_code_takes_over() -> None:
    game = rulespec.load("fortheking").game(3)
    *_, state = played(game, 4, 20)
    compile_game(game)
    state.undo_action(*state.choices[-1])
    assert state.memory and said(state) == said([*played(rulespec.load("fortheking").game(3), 4, 19)][-1])


def test_machine_code_takes_over_while_players_decide_at_once() -> None:
    game = rulespec.load("goofspiel").game(2)
    compile_game(game)
    *_, last = (state for seed in range(8) for state in played(game, seed, 4))
    *_, other = played(rulespec.load("goofspiel").game(2, engine="compiled"), 7, 4)
    assert last.memory and said(last) == said(other)


def machine(compiled: list[int], code: str) -> Machine:
    return Machine(lambda: bool(compiled), lambda: compiled.append, ("builtins", "exec", code), lambda: 0.0)


def test_another_process_compiles_and_is_not_waited_for() -> None:
    compiled: list[int] = []
    tier = Tier(machine(compiled, "import time; time.sleep(0.2)"))
    began, tier.left = time.perf_counter(), -1
    assert tier.machine_code() is None and time.perf_counter() - began < 0.15
    compiled.append(1)
    while (take_over := tier.machine_code()) is None:
        time.sleep(0.01)
        tier.left -= 31
    take_over(2)
    assert compiled == [1, 2]


def test_what_cannot_be_compiled_is_tried_once() -> None:
    tier = Tier(machine([], "raise MemoryError"))
    while tier.left < 1_000:
        time.sleep(0.01)
        tier.left -= 31
        assert tier.machine_code() is None


def test_a_process_ends_while_another_compiles() -> None:
    code = (
        "from rulespec.engine.backend.engines.tiers import Machine, Tier\n"
        "tier = Tier(Machine(lambda: False, lambda: None, ('time', 'sleep', 3), lambda: 0.0))\n"
        "while not tier._process: tier.left = -1; tier.machine_code()"
    )
    began = time.perf_counter()
    done = subprocess.run([sys.executable, "-W", "error", "-X", "dev", "-c", code], capture_output=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"") and time.perf_counter() - began < 3


def test_short_games_do_not_import_the_compiler() -> None:
    code = (
        "import rulespec, sys; state = rulespec.load('nim').game().new_initial_state(1)\n"
        "while not state.is_terminal(): state.apply_action(state.legal_actions()[0])\n"
        "print('llvmlite' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=False, text=True)
    assert done.stdout == "False\n"
