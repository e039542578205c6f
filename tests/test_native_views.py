"""Machine code keeps what players know and makes keys, tensors and texts, bit by bit as Python does."""

from __future__ import annotations

import ast
import random
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
from agreement import HERE

import rulespec
from rulespec.base.project import playable_games
from rulespec.engine.backend.forms import machine_views
from rulespec.engine.backend.llvm import compiler
from rulespec.engine.knowledge.tensors import layout

pytestmark = [
    pytest.mark.skipif("native" not in HERE, reason="llvmlite is not installed"),
    pytest.mark.slow("machine code is compiled for every game"),
]

GALLERY = Path(__file__).resolve().parent.parent / "specs" / "gallery"
SIGHT = Path(__file__).parent / "sight"
PEEKS = str(SIGHT / "peeks.yaml")
MOST = 240
"""Decisions of a game that are compared."""


def differences(name: str, players: int, seed: int = 1, every: int = 1, since: int = 0) -> Iterator[str]:
    """Keys, and parts of tensors, that Python and machine code write otherwise, from a decision of a random game on."""
    one, two = (rulespec.load(name).game(players, engine=engine) for engine in ("compiled", "native"))
    state, other, dice = one.new_initial_state(seed), two.new_initial_state(seed), random.Random(seed)
    for number in range(MOST):
        if number >= since and number % every == 0:
            yield from _different(state, other)
            other = other.clone()
        for seat in state.deciders():
            action = dice.choice(state.legal_actions(seat))
            state.apply_action(action, seat)
            other.apply_action(action, seat)
            if state.asked:
                yield from _different(state, other)
        if state.is_terminal():
            break
    yield from _different(state, other)


def _different(state: rulespec.State, other: rulespec.State) -> Iterator[str]:
    for player in range(state.game.players):
        if state.information_state_key(player) != other.information_state_key(player):
            yield f"key of player {player + 1}"
        if state.observation_string(player) != other.observation_string(player):
            yield f"text of player {player + 1}"
        found, wanted = (one.information_state_tensor(player) for one in (other, state))
        observed = state.observation_tensor(player).tobytes() == other.observation_tensor(player).tobytes()
        if found.tobytes() != wanted.tobytes() or not observed:
            parts = layout(state.game).information
            yield from (part.name for part in parts if found[part.start : part.end] != wanted[part.start : part.end])


def writes_in_machine_code(state: rulespec.State) -> bool:
    from rulespec.engine.states.native_observation import view_segments

    return view_segments(state.game) is not None


@pytest.mark.parametrize("name", playable_games())
@pytest.mark.sample(2)
def test_machine_code_writes_the_tensors_of_python(name: str) -> None:
    players = max(rulespec.load(name).players)
    assert writes_in_machine_code(rulespec.load(name).game(players, engine="native").new_initial_state(1))
    assert [*differences(name, players, every=9)] == []


def test_the_first_tensor_of_a_late_position_is_the_same() -> None:
    assert [*differences("kingme", 4, since=41)] == []


@pytest.mark.parametrize("seed", range(20))
def test_several_cards_that_are_shown_are_different_cards(seed: int) -> None:
    assert [*differences(PEEKS, 3, seed)] == []


@pytest.mark.parametrize("path", sorted(SIGHT.glob("*.yaml")), ids=lambda path: path.stem)
def test_python_writes_tensors_if_sight_depends_on_the_state(path: Path) -> None:
    state = rulespec.load(path).game(2, engine="native").new_initial_state(1)
    assert writes_in_machine_code(state) == (not state.game.viewers.changing)
    assert [*differences(str(path), 2)] == []


def test_without_events_and_for_other_seats_there_is_no_tensor() -> None:
    game = rulespec.load("kingme").game(3, engine="native")
    with pytest.raises(rulespec.StateError, match="keeps no events"):
        game.new_initial_state(1, record=False).observation_tensor(0)
    state = game.new_initial_state(1)
    for player in (3, 0, -1):
        if player == 0:
            assert len(state.observation_tensor(player)) == game.observation_tensor_shape()[0]
            continue
        with pytest.raises(rulespec.StateError, match="there is no seat"):
            state.observation_tensor(player)


# Wrong machine code is found.

MUTANTS = {
    "card_leaves": "kingme",
    "all_leave": "kingme",
    "discount": "kingme",
    "discount_all": "kingme",
    "lose_order": "fortheking",
    "card_sinks": str(SIGHT / "sunk.yaml"),
    "card_shown": PEEKS,
    "learn_shown": PEEKS,
    "note_cards": "fortheking",
    "note_choice": "kingme",
    "note_for": str(GALLERY / "leduc_poker.yaml"),
    "note_value": "fortheking",
    "viewers_of": "keyflower_king",
    "places_known": PEEKS,
}
"""Functions of the runtime, and a game that shows whether one of them does nothing."""


@pytest.mark.parametrize("function", MUTANTS)
@pytest.mark.sample(2)
def test_a_function_that_does_nothing_is_found(function: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    runtime = machine_views.runtime_functions

    def changed(*files: str) -> list[ast.FunctionDef]:
        nodes = runtime(*files)
        for node in nodes:
            if node.name == function:
                node.body = [ast.Return(ast.Constant(0)) if ast.unparse(node.returns) == "i64" else ast.Pass()]  # type: ignore[arg-type]
        return nodes

    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(machine_views, "runtime_functions", changed)
    monkeypatch.setattr(compiler, "object_code", partial(compiler.object_code, optimised=False))
    name = MUTANTS[function]
    assert next(differences(name, min(3, rulespec.load(name).players[-1])), "") != ""
