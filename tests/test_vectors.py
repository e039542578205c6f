"""Vectors: many games at once, equal to each game alone; and what callers may do wrong."""

from __future__ import annotations

import os
from array import array
from collections.abc import Callable
from contextlib import suppress
from itertools import count
from threading import Lock, current_thread, main_thread
from time import sleep
from typing import Any

import pytest
from agreement import HERE
from vector_agreement import differences

import rulespec
from rulespec.base.project import playable_games
from rulespec.engine.backend.forms.machine_vector import WAIT, Parameter
from rulespec.engine.interpreter.running import StateError
from rulespec.engine.states import vector_memory
from rulespec.engine.states.game import Game
from rulespec.engine.states.playout import playouts
from rulespec.engine.states.vector import Vector, _Task

WRITTEN = ("player", "seeds", "observation", "mask", "rewards", "done")

pytestmark = [
    pytest.mark.skipif("native" not in HERE, reason="llvmlite is not installed"),
    pytest.mark.slow("machine code is compiled for every game"),
]


def game(name: str, players: int | None = None) -> Game:
    return rulespec.load(name).game(players=players, engine="native")


@pytest.mark.parametrize("name", ["kuhn_poker", "goofspiel", "hanabi"])
@pytest.mark.parametrize("whole", [False, True], ids=["observation", "information"])
def test_games_of_a_vector_are_those_played_alone(name: str, whole: bool) -> None:
    assert [*differences([game(name)], 4_000, 1, whole, threads=3)] == []


@pytest.mark.parametrize("name", playable_games())
@pytest.mark.sample(3)
def test_every_game_of_a_vector_is_one_played_alone(name: str) -> None:
    assert [*differences([game(name)], 6_400, 2)] == []


def test_settings_of_one_vector_are_as_wide_as_the_widest() -> None:
    games = [game("kuhn_poker", 2), game("kuhn_poker", 3), game("leduc_poker")]
    assert [*differences(games, 4_000, 3, threads=2)] == []
    with Vector(games, 7, seed=1) as vector:
        assert [vector.game_of(slot).players for slot in range(7)] == [2, 2, 3, 3, 2, 2, 2]
        assert vector.observation is not None
        widest = max(one.observation_tensor_shape()[0] for one in games)
        assert (vector.observation.shape, vector.rewards.shape) == ((7, widest), (7, 3))


def test_random_actions_play_the_games_of_playouts() -> None:
    played, n = game("liars_dice"), 10
    with played.vector(n, seed=5, observe=None) as vector:
        results, number = dict[int, list[float]](), [*range(n)]
        while not results.keys() >= set(range(3 * n)):
            vector.step(vector.random_actions())
            for slot in [slot for slot in range(n) if vector.done[slot]]:
                results[number[slot]] = vector.rewards.tolist()[slot]
                number[slot] += n
    chunk = playouts(played, 5, range(3 * n))
    for one in range(3 * n):
        assert results[one] == [column[one] for column in chunk.returns]


def test_bytes_are_the_numbers_times_255() -> None:
    with (
        game("leduc_poker").vector(8, seed=1) as floats,
        game("leduc_poker").vector(8, seed=1, numbers="uint8") as bytes_,
    ):
        for _ in range(50):
            actions = floats.random_actions().tolist()
            floats.step(actions)
            bytes_.step(actions)
            assert floats.observation is not None and bytes_.observation is not None
            pairs = zip(floats.observation.tolist(), bytes_.observation.tolist(), strict=True)
            assert all(abs(255 * a - b) <= 0.5001 for row in pairs for a, b in zip(*row, strict=True))


def test_arrays_stay_in_their_place() -> None:
    with game("kuhn_poker").vector(4, seed=1) as vector:
        mask, seeds = vector.mask, vector.seeds.tolist()
        assert mask is not None
        before = mask.tolist()
        for _ in range(9):
            vector.step(vector.random_actions())
        assert mask is vector.mask and (mask.tolist() != before or seeds != vector.seeds.tolist())
    assert len(mask.tolist()) == 4  # the vector is closed, and what it wrote is still there


def test_a_reset_plays_the_same_games_again() -> None:
    with game("leduc_poker").vector(6, seed=1) as vector:
        first = vector.seeds.tolist(), vector.random_actions().tolist()
        vector.step(vector.actions)
        vector.reset(1)
        assert (vector.seeds.tolist(), vector.random_actions().tolist()) == first


BAD_ACTIONS: dict[str, tuple[Callable[[], Any], str]] = {
    "too few": (lambda: [0, 0], "needs 3 actions, not 2"),
    "two rows": (lambda: memoryview(bytes(24)).cast("q", (1, 3)), "not the shape (1, 3)"),
    "floats": (lambda: array("d", [0, 0, 0]), "not numbers of the format `d`"),
    "no numbers": (lambda: [0, "b", "c"], "the action of game 1 is 'b', no whole number of 64 bits"),
    "fractions": (lambda: [0, 0, 0.5], "the action of game 2 is 0.5, no whole number of 64 bits"),
    "unsigned": (lambda: array("Q", [0, 0, 2**64 - 1]), "the action of game 2 is 18446744073709551615, no"),
    "nothing": (lambda: None, "not NoneType"),
    "too large": (lambda: [0, 0, 2**80], "the action of game 2 is 1208925819614629174706176, no"),
}


@pytest.mark.parametrize("case", BAD_ACTIONS)
def test_actions_of_a_wrong_kind_move_no_game(case: str) -> None:
    made, message = BAD_ACTIONS[case]
    with game("kuhn_poker").vector(3, seed=1) as vector:
        before = vector.random_actions().tolist()
        with pytest.raises(ValueError) as error:
            vector.step(made())
        assert message in str(error.value)
        vector.step(before)


@pytest.mark.parametrize("actions", [[0, 99, 0], [-2, 0, 0], [0, 0, 2**40]])
def test_an_illegal_action_is_named_and_moves_no_game(actions: list[int]) -> None:
    with game("kuhn_poker").vector(3, seed=1) as vector:
        before = vector.seeds.tolist(), vector.player.tolist(), [vector.legal_actions(slot) for slot in range(3)]
        with pytest.raises(StateError) as error:
            vector.step(actions)
        slot = next(slot for slot in range(3) if actions[slot] not in before[2][slot])
        legal = ", ".join(map(str, before[2][slot]))
        assert f"action {actions[slot]} cannot be taken in game {slot}" in str(error.value)
        assert f"legal actions ({legal}). No game has moved" in str(error.value)
        assert before == (
            vector.seeds.tolist(),
            vector.player.tolist(),
            [vector.legal_actions(slot) for slot in range(3)],
        )


BAD_OPTIONS: dict[str, tuple[dict[str, Any], str]] = {
    "no games": ({"n": 0}, "at least 1 game, not 0"),
    "half a game": ({"n": 2.5}, "at least 1 game, not 2.5"),
    "seed": ({"seed": "x"}, "a seed is a whole number, not 'x'"),
    "fewer": ({"n": -3}, "at least 1 game, not -3"),
    "threads": ({"threads": 0}, "at least 1 thread, not 0"),
    "observe": (
        {"observe": "everything"},
        "unknown `everything` to observe: write observation, information_state or None",
    ),
    "numbers": ({"numbers": "float16"}, "unknown numbers `float16`: write float32 or uint8"),
}


@pytest.mark.parametrize("case", BAD_OPTIONS)
def test_wrong_options_are_named(case: str) -> None:
    options, message = BAD_OPTIONS[case]
    with pytest.raises(ValueError) as error:
        game("kuhn_poker").vector(**({"n": 3} | options))
    assert message in str(error.value)


def test_games_that_do_not_fit_are_refused_with_their_size(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(vector_memory, "_of_machine", lambda: 2**30)
    with pytest.raises(MemoryError) as error:
        game("kuhn_poker").vector(10**7)
    assert str(error.value).startswith("10,000,000 games need ") and "1.0 GB are free: about " in str(error.value)


def test_a_closed_vector_says_so() -> None:
    vector = game("kuhn_poker").vector(3)
    vector.close()
    for call in (vector.random_actions, lambda: vector.step([0, 0, 0]), vector.reset):
        with pytest.raises(ValueError, match="this vector is closed"):
            call()
    vector.close()


def test_a_slot_that_is_not_there_is_named() -> None:
    with (
        game("kuhn_poker").vector(3) as vector,
        pytest.raises(ValueError, match="no game 3: those of this vector are 0 to 2"),
    ):
        vector.legal_actions(3)


def test_games_without_a_decision_are_refused() -> None:
    setup = Game(game("kuhn_poker").setting, setup_only=True)
    with pytest.raises(StateError, match="have no decision"):
        setup.vector(2)


def test_threads_play_the_same_whether_they_wait_or_sleep() -> None:
    with game("leduc_poker").vector(30, seed=1) as alone, game("leduc_poker").vector(30, seed=1, threads=3) as vector:
        for number in range(300):
            if number % 50 == 0:
                sleep(0.02)  # longer than a thread waits for its next step
            if number % 100 == 99:
                alone.reset(number)
                vector.reset(number)
            alone.step(alone.random_actions())
            vector.step(vector.random_actions())
            assert all(bytes(getattr(alone, name)) == bytes(getattr(vector, name)) for name in WRITTEN)


def test_an_illegal_action_is_refused_wherever_callers_write_it() -> None:
    with game("kuhn_poker").vector(3, seed=1) as vector:
        vector.random_actions()[1] = 77
        with pytest.raises(StateError, match="action 77 cannot be taken in game 1"):
            vector.step(vector.actions)


class Gap:
    """A lock that lets a thread run between two uses of it by another one."""

    def __init__(self) -> None:
        self.lock = Lock()

    def __enter__(self) -> None:
        self.lock.acquire()

    def __exit__(self, *_: object) -> None:
        self.lock.release()
        if current_thread() is not main_thread():
            sleep(0.02)


def test_a_thread_holds_its_games_from_one_step_to_the_next() -> None:
    with game("kuhn_poker").vector(8, seed=1, threads=2) as vector, game("kuhn_poker").vector(8, seed=2) as alone:
        sleep(0.05)  # the thread is asleep
        for task in vector._all_tasks():
            task.lock = Gap()  # type: ignore[assignment]
        vector.step(vector.random_actions())
        vector.reset(2)
        assert bytes(vector.seeds) == bytes(alone.seeds)


def test_a_game_that_waits_has_a_legal_action_afterwards() -> None:
    with game("kuhn_poker").vector(3, seed=1) as vector:
        drawn = vector.random_actions().tolist()
        vector.actions[1] = WAIT
        vector.step(vector.actions)
        assert vector.random_actions()[1] == drawn[1]


RARE = """
rulespec: 2
game: {id: rare, version: 1.0.0, title: Rare, players: 2}
values:
  left: {per: player, type: 0..9, start: 5, title: stones left}
  turn: {type: player, start: seat(1), title: turn}
play:
  - id: turns
    title: Turns
    random: {n: 1..1000}
    do:
      if: n == 1
      then:
        choose:
          by: turn
          options:
            - {says: take two, do: {set: {"left[turn]": "min(left[turn] + 2, 9)"}}}
            - {says: take three, do: {set: {"left[turn]": "min(left[turn] + 3, 9)"}}}
  - {id: end, title: Most, rank: {among: {p: player}, by: [{high: "left[p]", title: stones}], left: share}}
"""
"""A game of which one in a thousand has a decision."""


def test_no_action_is_carried_out_where_no_game_has_a_decision() -> None:
    rare = rulespec.loads(RARE).game(engine="native")
    for seed in count():
        with suppress(StateError), rare.vector(1, seed=seed) as vector:
            break
    with rare.vector(1, seed=seed) as vector:
        action = vector.random_actions()[0]
        for _ in range(99):
            with suppress(StateError):
                vector.step([action])
            if vector.player[0] < 0:
                break
        assert vector.player[0] < 0 and vector.actions[0] == WAIT
        with pytest.raises(StateError, match="cannot be taken in game 0"):
            vector.step([action])


def test_a_reset_begins_anew_after_a_fork_in_a_step() -> None:
    with game("kuhn_poker").vector(8, seed=1, threads=2) as vector:
        share = vector._shares[1]
        assert share.pending is not None
        share.pending.result()
        share.tasks[0].p[Parameter.BEGUN] += 1  # as a process has it that was forked while the thread played
        share.pending = None
        with pytest.raises(ValueError, match="forked in the middle of a step"):
            vector.step(vector.actions)
        vector.reset(3)
        vector.step(vector.random_actions())


@pytest.mark.parametrize("at", range(0, 9, 2))
@pytest.mark.parametrize("after", [False, True], ids=["before", "after"])
@pytest.mark.parametrize("threads", [1, 2])
def test_what_an_interrupt_has_left_is_carried_out_later(
    at: int, after: bool, threads: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = [game("kuhn_poker"), game("leduc_poker"), game("goofspiel")]
    calls, call = count(), _Task.call

    def interrupted(task: _Task, function: Any) -> Any:
        stopped = current_thread() is main_thread() and next(calls) == at
        if stopped and not after:
            raise KeyboardInterrupt
        result = call(task, function)
        if stopped:
            raise KeyboardInterrupt
        return result

    with Vector(settings, 9, seed=1, threads=threads) as vector, Vector(settings, 9, seed=1) as other:
        vector.step(vector.random_actions())
        monkeypatch.setattr(_Task, "call", interrupted)
        with suppress(KeyboardInterrupt):  # in a reset or a step: three calls and more
            vector.reset(2)
            vector.step(vector.random_actions())
        monkeypatch.setattr(_Task, "call", call)
        other.reset(2)
        actions = other.random_actions().tolist()
        vector.random_actions()[:] = memoryview(array("q", [99] * 9))  # not what the interrupted step carries out
        if vector.steps == 0:
            vector.step(actions)
        other.step(actions)
        vector.legal_actions(0)
        for name in WRITTEN:
            assert bytes(getattr(vector, name)) == bytes(getattr(other, name)), name


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
def test_a_forked_process_plays_on_by_itself() -> None:
    with game("leduc_poker").vector(64, seed=1, threads=3) as vector:
        vector.step(vector.random_actions())
        actions = vector.random_actions().tolist()
        read, write = os.pipe()
        if not (child := os.fork()):
            vector.step(actions)
            os.write(write, bytes(vector.player))
            os._exit(0)
        vector.step(actions)
        os.waitpid(child, 0)
        assert os.read(read, 4096) == bytes(vector.player)


def test_numpy_shares_the_memory() -> None:
    numpy = pytest.importorskip("numpy")
    with game("kuhn_poker").vector(5, seed=1) as vector:
        mask = numpy.asarray(vector.mask)
        assert numpy.shares_memory(mask, numpy.from_dlpack(mask)) and mask.sum() == sum(map(sum, mask.tolist()))
        vector.step(numpy.asarray(vector.random_actions()).astype(numpy.int32))
        assert mask.tolist() == vector.mask.tolist()  # type: ignore[union-attr]
