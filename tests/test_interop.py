"""Games as games and environments of OpenSpiel, PettingZoo, Gymnasium and PufferLib pass what these libraries test."""

from __future__ import annotations

import copy
import pickle
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from conformance import (
    GALLERY,
    Setting,
    as_agents,
    from_many_seats,
    from_one_seat,
    in_parallel,
    in_turns,
    on_some_states,
    on_the_whole_tree,
    settings,
    simulated,
)

import rulespec
from rulespec.engine.interpreter.running import StateError
from rulespec.play.interop import gymnasium as seat
from rulespec.play.interop import library
from rulespec.play.interop.openspiel import load, vector_env
from rulespec.play.interop.pettingzoo import env, parallel_env
from rulespec.play.interop.pufferlib import env as agents

pytestmark = pytest.mark.slow("other libraries test environments")

ROOT = Path(__file__).parents[1]
SOME = [Setting("kuhn_poker", 2), Setting("goofspiel", 3), Setting("kingme", 3), Setting("yacht", 1), Setting("hex", 2)]
FEW = pytest.mark.parametrize("setting", SOME, ids=str)
REST = pytest.mark.parametrize("setting", [one for one in settings() if one not in SOME], ids=str)
OTHER = [
    *(one for one in settings(rulings=True) if one.rulings and one.id in GALLERY),
    Setting("fortheking", 2, {"overbid": "forbidden"}),
    Setting("kingme", 3, {"first_round": "random"}),
    Setting("keyflower_king", 2, {"winter_deal": "four_each"}),
]
"""Other answers to rulings: all of the gallery, and a few of the larger games."""


@pytest.fixture(scope="module")
def pyspiel() -> Any:
    return pytest.importorskip("pyspiel", reason="open_spiel is not installed: pip install 'ftk[openspiel]'")


@pytest.fixture(scope="module")
def pettingzoo() -> Any:
    return pytest.importorskip("pettingzoo", reason="pettingzoo is not installed: pip install 'ftk[pettingzoo]'")


@FEW
@pytest.mark.sample(2)
def test_openspiel_simulates_the_game(setting: Setting, pyspiel: Any) -> None:
    assert list(simulated(setting.game(), sims=2))


@pytest.mark.parametrize("setting", OTHER, ids=str)
@pytest.mark.sample(1)
def test_openspiel_checks_games_with_other_answers_to_rulings(setting: Setting, pyspiel: Any) -> None:
    """`benchmarks/interop.py --rulings --only openspiel` runs every other answer."""
    assert list(simulated(setting.game()))
    for result in on_some_states(setting.game()):
        assert result.wasSuccessful() and result.testsRun >= 5 and not result.skipped, result.errors + result.failures


@FEW
@pytest.mark.sample(2)
def test_openspiel_checks_some_states(setting: Setting, pyspiel: Any) -> None:
    for result in on_some_states(setting.game()):
        assert result.wasSuccessful() and result.testsRun >= 5 and not result.skipped, result.errors + result.failures


@pytest.mark.parametrize(("name", "players"), [("kuhn_poker", 2), ("kuhn_poker3p", 3)])
@pytest.mark.soak
def test_openspiel_checks_the_whole_tree(name: str, players: int, pyspiel: Any) -> None:
    """Perfect recall, information sets, sums of utilities, and as many nodes as in OpenSpiel's own game."""
    result = on_the_whole_tree(name, rulespec.load("kuhn_poker").game(players))
    assert result.wasSuccessful() and result.testsRun >= 8 and not result.skipped, result.errors + result.failures


@pytest.mark.soak
def test_openspiel_checks_the_whole_tree_of_leduc_poker(pyspiel: Any) -> None:
    result = on_the_whole_tree("leduc_poker", rulespec.load("leduc_poker").game(2))
    assert result.wasSuccessful(), result.errors + result.failures


@FEW
def test_pettingzoo_tests_the_environments(setting: Setting, pettingzoo: Any) -> None:
    game = setting.game()
    in_turns(game)
    in_parallel(game)
    from_one_seat(game)
    from_many_seats(game)


@REST
@pytest.mark.sample(3)
def test_pettingzoo_tests_the_other_environments(setting: Setting, pettingzoo: Any) -> None:
    game = setting.game()
    in_turns(game)
    in_parallel(game)
    from_one_seat(game)
    from_many_seats(game)


def test_a_game_of_openspiel_says_what_the_spec_says(pyspiel: Any) -> None:
    game, kinds = rulespec.load("goofspiel").game(3), pyspiel.GameType
    theirs, in_turns_ = load(game), load(game, turn_based=True)
    kind, other = theirs.get_type(), in_turns_.get_type()
    assert kind.long_name == "Goofspiel, 3 players" and kind.max_num_players == theirs.num_players() == 3
    assert kind.dynamics == kinds.Dynamics.SIMULTANEOUS and other.dynamics == kinds.Dynamics.SEQUENTIAL
    assert kind.information == kinds.Information.PERFECT_INFORMATION
    assert other.information == kinds.Information.IMPERFECT_INFORMATION
    assert theirs.num_distinct_actions() == game.num_distinct_actions()
    assert theirs.max_game_length() == game.max_game_length()
    assert load(game).get_type().short_name == kind.short_name and str(pyspiel.load_game(str(theirs))) == str(theirs)


def test_states_of_openspiel_are_copied_and_pickled(pyspiel: Any) -> None:
    state = load(rulespec.load("kuhn_poker").game()).new_initial_state()
    for action in (2, 0, 1):
        state.apply_action(action)
    for other in (copy.deepcopy(state), pickle.loads(pickle.dumps(state)), state.clone()):
        assert str(other) == str(state) and other.history() == [2, 0, 1] and other.current_player() == 1
        other.apply_action(2)
        assert other.is_terminal() and not state.is_terminal()


@pytest.mark.parametrize("id_", ["leduc_poker", "hearts"])
def test_states_are_resampled_from_what_a_player_knows(id_: str, pyspiel: Any) -> None:
    state, sampler = load(rulespec.load(id_).game()).new_initial_state(), pyspiel.UniformProbabilitySampler(0.0, 1.0)
    chooser = random.Random(1)
    for _ in range(80):
        if state.is_terminal():
            break
        if not state.is_chance_node():
            player = state.current_player()
            other = state.resample_from_infostate(player, sampler)
            assert other.information_state_string(player) == state.information_state_string(player)
            assert other.legal_actions() == state.legal_actions()
        state.apply_action(chooser.choice(state.legal_actions()))


def test_a_search_of_openspiel_plays(pyspiel: Any) -> None:
    """Their information set Monte Carlo tree search, which resamples states."""
    import numpy as np
    from open_spiel.python.algorithms import ismcts, mcts

    state = load(rulespec.load("leduc_poker").game()).new_initial_state()
    for outcome in (5, 0):
        state.apply_action(outcome)
    bot = ismcts.ISMCTSBot(
        game=state.get_game(),
        uct_c=10.0,
        max_simulations=60,
        evaluator=mcts.RandomRolloutEvaluator(n_rollouts=1, random_state=np.random.RandomState(1)),
        random_state=np.random.RandomState(1),
    )
    assert bot.step(state) in state.legal_actions()


def test_algorithms_in_python_take_the_same_way_as_on_openspiels_game(pyspiel: Any) -> None:
    from open_spiel.python.algorithms import cfr, exploitability

    games = load(rulespec.load("kuhn_poker").game()), pyspiel.load_game("kuhn_poker")
    solvers = [cfr.CFRPlusSolver(game) for game in games]
    for _ in range(5):
        for solver in solvers:
            solver.evaluate_and_update_policy()
    mine, wanted = (
        exploitability.exploitability(game, solver.average_policy())
        for game, solver in zip(games, solvers, strict=True)
    )
    assert mine == pytest.approx(wanted, abs=1e-9) and wanted < 0.1


def test_what_is_public_and_what_is_private(pyspiel: Any) -> None:
    """The card is private, the stakes are public, and no observation has the card of the other player."""
    game = load(rulespec.load("kuhn_poker").game())
    state = game.new_initial_state()
    for action in (2, 0):
        state.apply_action(action)
    kind = pyspiel.IIGObservationType
    single, none = pyspiel.PrivateInfoType.SINGLE_PLAYER, pyspiel.PrivateInfoType.NONE
    private = game.make_py_observer(kind(public_info=False, perfect_recall=False, private_info=single))
    public = game.make_py_observer(kind(public_info=True, perfect_recall=False, private_info=none))
    mine, theirs = (private.string_from(state, player).split("\n") for player in range(2))
    assert (mine, theirs) == (["hand of player 1: 3"], ["hand of player 2: 1"])
    assert public.string_from(state, 0) == public.string_from(state, 1)
    lines = public.string_from(state, 0).split("\n")
    assert "stake (player 1): 1" in lines and lines[-2:] == ["hand of player 1: 1 card", "hand of player 2: 1 card"]
    every = kind(public_info=True, perfect_recall=True, private_info=pyspiel.PrivateInfoType.ALL_PLAYERS)
    assert game.make_py_observer(every) is None


def test_an_illegal_action_is_refused_or_replaced(pettingzoo: Any) -> None:
    game = rulespec.load("tic_tac_toe").game()
    table = env(game)
    table.reset(seed=1)
    table.step(0)
    with pytest.raises(StateError, match="action 0 cannot be taken"):
        table.step(0)
    table = env(game, illegal="random")
    table.reset(seed=1)
    table.step(0)
    table.step(0)
    assert table.observe("player_0")["action_mask"].sum() == 7
    with pytest.raises(ValueError, match="unknown `ignore`"):
        env(game, illegal="ignore")


def test_players_who_decide_at_once_do_so_in_both_kinds_of_environments(pettingzoo: Any) -> None:
    game = rulespec.load("goofspiel").game(2)
    turns, together = env(game), parallel_env(game)
    turns.reset(seed=5)
    before = turns.observe("player_1")["observation"].tolist()
    first, second = (turns.observe(agent)["action_mask"].nonzero()[0][0] for agent in turns.agents)
    assert turns.agent_selection == "player_0"
    turns.step(first)
    assert turns.agent_selection == "player_1" and turns.observe("player_1")["observation"].tolist() == before
    turns.step(second)
    together.reset(seed=5)
    observed, *_ = together.step({"player_0": first, "player_1": second})
    assert observed["player_0"]["observation"].tolist() == turns.observe("player_0")["observation"].tolist()


def test_who_is_not_to_decide_has_one_action(pettingzoo: Any) -> None:
    game = rulespec.load("kuhn_poker").game()
    table = parallel_env(game)
    observed, _ = table.reset(seed=1)
    assert observed["player_0"]["action_mask"].tolist() == [1, 1, 0, 0, 0]
    assert observed["player_1"]["action_mask"].tolist() == [0, 0, 0, 0, 1]


def test_a_seat_plays_against_a_policy(pettingzoo: Any) -> None:
    game = rulespec.load("kuhn_poker").game()
    table = seat.env(game, 1, others=lambda state, at: state.legal_actions(at)[0])
    observed, _ = table.reset(seed=3)
    assert observed["action_mask"].tolist() == [1, 1, 0, 0]
    _, reward, over, truncated, _ = table.step(0)
    assert over and not truncated and reward in (-1, 1)
    with pytest.raises(ValueError, match="there is no seat 2"):
        seat.env(game, 2)


def test_a_game_of_a_vector_waits() -> None:
    vector = rulespec.load("leduc_poker").game().vector(2, seed=1)
    for _ in range(20):
        before = [
            bytes(one)[: one.nbytes // 2] for one in (vector.observation, vector.mask, vector.player, vector.seeds)
        ]
        vector.step([-1, vector.random_actions()[1]])
        after = [
            bytes(one)[: one.nbytes // 2] for one in (vector.observation, vector.mask, vector.player, vector.seeds)
        ]
        assert before == after and not vector.done[0] and vector.rewards.tolist()[0] == [0, 0]


GAMES_OF_SEATS = pytest.mark.parametrize(
    ("id_", "players", "number"), [("leduc_poker", 2, 0), ("goofspiel", 3, 1), ("kingme", 3, 2)]
)


@GAMES_OF_SEATS
def test_a_seat_of_many_games_sees_those_of_their_seeds(id_: str, players: int, number: int, pettingzoo: Any) -> None:
    """The others take their first legal action, and so do they in states with the same seeds."""
    game = rulespec.load(id_).game(players)
    table = seat.vector_env(game, 3, number, others=lambda seen, mask, seats: mask.argmax(1))
    observed, _ = table.reset(seed=7)
    states = [_up_to(number, game.new_initial_state(one)) for one in table.vector.seeds]
    ended, nothing = 0, [False] * 3
    for step in range(40):
        for slot, state in enumerate(states):
            assert observed["observation"][slot] == pytest.approx(state.observation_tensor(number))
            assert observed["action_mask"][slot].tolist() == state.legal_actions_mask(number)
        actions = [state.legal_actions(number)[-(step % 2)] for state in states]
        observed, rewards, over, _, infos = table.step(actions)
        for slot, (state, action) in enumerate(zip(states, actions, strict=True)):
            state.apply_action(action, number)
            assert _up_to(number, state).is_terminal() == over[slot] == bool(infos.get("_final_obs", nothing)[slot])
            assert rewards[slot] == (state.player_return(number) if over[slot] else 0)
            if over[slot]:
                states[slot] = _up_to(number, game.new_initial_state(table.vector.seeds[slot]))
        ended += over.sum()
    assert ended or id_ == "kingme"


def _up_to(number: int, state: rulespec.State) -> rulespec.State:
    """The state when the seat decides next, or at the end; the others take their first legal actions."""
    while not state.is_terminal() and (first := state.deciders()[0]) != number:
        state.apply_action(state.legal_actions(first)[0], first)
    return state


def test_seeds_of_many_games_are_those_of_gymnasium() -> None:
    """The games of a slot follow from its own seed; a number is the first of several seeds."""
    gymnasium, np = pytest.importorskip("gymnasium"), pytest.importorskip("numpy")
    table = seat.vector_env(rulespec.load("leduc_poker").game(), 3)

    def games(seeds: Any) -> list[list[int]]:
        table.reset(seed=seeds)
        begun = [[one] for one in table.vector.seeds]
        for _ in range(20):
            _, _, over, _, _ = table.step(np.asarray(table.vector.actions))
            for slot in np.flatnonzero(over):
                begun[slot].append(table.vector.seeds[slot])
        return begun

    seven, eight, nine = games([7, 8, 9])
    assert games(7) == games(np.array([7, 8, 9])) == [seven, eight, nine] and len(seven) > 1
    assert games([9, 7, 7]) == [nine, seven, seven] and games([None, 9, None])[1] == nine
    for wrong in ([1], [1, 2, 3, 4], [1, -2, 3], [1, 2, "3"], "123", 1.5, -1):
        with pytest.raises((ValueError, gymnasium.error.Error)):
            table.reset(seed=wrong)
    with pytest.raises(ValueError, match="leave out `reset_mask`"):
        table.reset(options={"reset_mask": np.array([True, False, False])})


def test_the_end_of_a_game_is_observed_where_the_next_one_begins_a_step_later() -> None:
    gymnasium, np = pytest.importorskip("gymnasium"), pytest.importorskip("numpy")
    game = rulespec.load("leduc_poker").game()
    same, later = (seat.vector_env(game, 1, autoreset_mode=mode) for mode in ("SameStep", "NextStep"))
    flat = gymnasium.wrappers.vector.FlattenObservation(seat.vector_env(game, 3, autoreset_mode="NextStep"))
    assert flat.reset(seed=[1, 2, 3])[0].shape == flat.observation_space.shape
    seen, _ = same.reset(seed=[4])
    assert later.reset(seed=[4])[0]["observation"].tolist() == seen["observation"].tolist()
    for _ in range(30):
        action = np.asarray(same.vector.actions).copy()
        seen, reward, over, _, infos = same.step(action)
        shown, *others = later.step(action)
        assert others[:2] == [reward, over]
        if over[0]:
            assert infos["final_obs"][0]["observation"].tolist() == shown["observation"][0].tolist()
            assert not shown["action_mask"].any()
            shown, worth, ended, _, _ = later.step([99])  # an action of nobody
            assert not worth.any() and not ended.any()
        assert shown["observation"].tolist() == seen["observation"].tolist()
    with pytest.raises(ValueError, match="SameStep or NextStep"):
        seat.vector_env(game, 1, autoreset_mode="Disabled")


def test_a_seat_of_many_games_takes_only_legal_actions(pettingzoo: Any) -> None:
    table = seat.vector_env(rulespec.load("leduc_poker").game(), 2)
    table.reset(seed=1)
    with pytest.raises(StateError, match=r"action 7 cannot be taken in game 1: .*\. No game has moved"):
        table.step([1, 7])
    with pytest.raises(ValueError, match="there is no seat 2"):
        seat.vector_env(rulespec.load("leduc_poker").game(), 2, 2)


def test_many_environments_of_openspiel_are_the_games_of_their_seeds(pyspiel: Any) -> None:
    """Beside states with the same seeds, with OpenSpiel's own environments for what is constant."""
    from open_spiel.python import rl_environment
    from open_spiel.python import vector_env as theirs
    from open_spiel.python.rl_agent import StepOutput

    game, chooser = rulespec.load("goofspiel").game(3), random.Random(1)
    tables = vector_env(game, 3, seed=4)
    single = rl_environment.Environment(load(game, turn_based=True))
    assert tables.observation_spec() == theirs.SyncVectorEnv([single]).observation_spec()
    assert tables.action_spec() == single.action_spec() and tables.num_players == single.num_players
    steps = tables.reset()
    states = [game.new_initial_state(one) for one in tables.vector.seeds]
    for number in range(120):
        for step, state in zip(steps, states, strict=True):
            _compare(step, state)
        actions = [
            chooser.choice(state.legal_actions(state.deciders()[0])) if state.deciders() else 0 for state in states
        ]
        again = number % 2 == 1
        steps, rewards, over, before = tables.step([StepOutput(one, None) for one in actions], reset_if_done=again)
        for slot, state in enumerate(states):
            if state.is_terminal():
                states[slot] = game.new_initial_state(tables.vector.seeds[slot])
                assert steps[slot].first() and rewards[slot] is None
                continue
            state.apply_action(actions[slot], state.deciders()[0])
            assert rewards[slot] == state.rewards() and over[slot] == before[slot].last() == state.is_terminal()
            if over[slot] and again:
                states[slot] = game.new_initial_state(tables.vector.seeds[slot])
    middle = [step.mid() for step in steps]
    with pytest.raises(ValueError, match="is in the middle of a game"):
        tables.reset(middle)
    assert all(step.first() for step in tables.reset())


def _compare(step: Any, state: rulespec.State) -> None:
    """A time step of OpenSpiel beside the state it is about."""
    assert step.last() == state.is_terminal()
    if not step.last():
        player = state.deciders()[0]
        legal = [state.legal_actions(player) if seat == player else [] for seat in range(3)]
        assert step.current_player() == player and step.observations["legal_actions"] == legal
        assert step.observations["info_state"][player].tolist() == pytest.approx(state.information_state_tensor(player))


@FEW
def test_pufferlib_makes_the_environments(setting: Setting) -> None:
    pytest.importorskip("pufferlib", reason="pufferlib is not installed: pip install 'ftk[pufferlib]'")
    as_agents(setting.game())


def test_agents_of_pufferlib_are_the_seats_of_games() -> None:
    pytest.importorskip("pufferlib", reason="pufferlib is not installed: pip install 'ftk[pufferlib]'")
    game, chooser = rulespec.load("leduc_poker").game(2), random.Random(1)
    table = agents(game, 1, seed=5)
    observed, _ = table.reset()
    state, ended = game.new_initial_state(table.vector.seeds[0]), 0
    while ended < 5:
        player = state.current_player()
        assert table.masks.tolist() == [player == 0, player == 1]
        seen = [*state.observation_tensor(player), *state.legal_actions_mask(player)]
        assert observed[player].tolist() == pytest.approx(seen) and not observed[1 - player][-3:].any()
        action = chooser.choice(state.legal_actions())
        observed, rewards, over, *_ = table.step([action, action])
        state.apply_action(action)
        assert over.tolist() == [state.is_terminal()] * 2
        if state.is_terminal():
            assert rewards.tolist() == state.returns()
            state, ended = game.new_initial_state(table.vector.seeds[0]), ended + 1


def test_a_missing_library_is_named() -> None:
    with pytest.raises(ImportError, match=r"this needs the package no_such_library: pip install 'ftk\[openspiel\]'"):
        library("no_such_library.part", "openspiel")


def test_the_adapters_import_no_library_before_it_is_used() -> None:
    code = "from rulespec.play.interop import gymnasium, openspiel, pettingzoo, pufferlib, tree; import sys; "
    code += "print([m for m in ('pyspiel', 'numpy') if m in sys.modules])"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout == "[]\n"


def test_the_example_learns(pettingzoo: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(ROOT / "examples")
    import ppo

    mean, error = ppo.train(ppo.parsed(["leduc_poker", "--rounds=6", "--tests=1000"]))
    assert mean > 2 * error
