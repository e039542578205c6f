"""The test suites of OpenSpiel, PettingZoo, Gymnasium and PufferLib, on games of ours."""

from __future__ import annotations

import unittest
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from agreement import declared

import rulespec
from rulespec.engine.states.game import Game
from rulespec.play.interop import gymnasium as seat
from rulespec.play.interop.openspiel import load
from rulespec.play.interop.pettingzoo import env, parallel_env
from rulespec.play.interop.pufferlib import env as agents
from rulespec.play.interop.sides import decides_at_once

GALLERY = sorted(path.stem for path in (Path(__file__).parents[1] / "specs" / "gallery").glob("*.yaml"))
GAMES = ("fortheking", "keyflower_king", "kingme", *GALLERY)
CYCLES = 60
"""Turns of each player in a test of PettingZoo; theirs have 1,000 by default."""


@dataclass(frozen=True)
class Setting:
    """A game with a number of players and answers to rulings."""

    id: str
    players: int
    rulings: dict[str, str] = field(default_factory=dict)

    def __str__(self) -> str:
        return "-".join([self.id, str(self.players), *self.rulings.values()])

    def game(self) -> Game:
        return rulespec.load(self.id).game(self.players, self.rulings)


def settings(rulings: bool = False) -> Iterator[Setting]:
    """Every game with every number of players; with `rulings`, those with one other answer each, too."""
    for id_ in GAMES:
        counts, others = declared(id_)
        for players in counts:
            yield Setting(id_, players)
        for name, options in others.items() if rulings else ():
            yield from (Setting(id_, counts[-1], {name: answer}) for answer in options)


def simulated(game: Game, sims: int = 1) -> Iterator[None]:
    """OpenSpiel's random simulations, with copies, serialisation, masks and observations, with simultaneous nodes and
    without."""
    import pyspiel

    for turn_based in {False, decides_at_once(game)}:
        pyspiel.random_sim_test(load(game, turn_based), num_sims=sims, serialize=True, verbose=False)
        yield


def on_some_states(game: Game) -> Iterator[unittest.TestResult]:
    """Their tests on up to 400 states of a game."""
    from open_spiel.integration_tests.api_test import EnforceAPIOnPartialTreeBase

    for turn_based in {False, decides_at_once(game)}:
        yield suite(EnforceAPIOnPartialTreeBase, game.spec.id, load(game, turn_based))


def on_the_whole_tree(name: str, game: Game) -> unittest.TestResult:
    """Their tests on the whole tree, with the size of the tree of the game that has this name there."""
    from open_spiel.integration_tests.api_test import EnforceAPIOnFullTreeBase

    return suite(EnforceAPIOnFullTreeBase, name, load(game))


def suite(base: type[unittest.TestCase], name: str, game: Any) -> unittest.TestResult:
    result = unittest.TestResult()
    case = type("Case", (base,), {"game_name": name, "game": game})
    unittest.defaultTestLoader.loadTestsFromTestCase(case).run(result)
    return result


def in_turns(game: Game) -> None:
    """PettingZoo's tests of environments that ask players in turn."""
    from pettingzoo.test import api_test, seed_test

    quietly(lambda: api_test(env(game), num_cycles=CYCLES))
    quietly(lambda: seed_test(lambda: env(game), num_cycles=CYCLES))


def in_parallel(game: Game) -> None:
    """Their tests of parallel environments, and those that take random numbers for actions.

    `max_cycles_test` wants exactly four cycles, in which all players act, so games that end earlier are played again.
    """
    from pettingzoo.test import max_cycles_test, parallel_api_test, parallel_seed_test
    from pettingzoo.utils import parallel_to_aec

    lenient = partial(parallel_env, game, illegal="random")
    both = partial(lenient, rematch=True)
    quietly(lambda: parallel_api_test(parallel_env(game), num_cycles=CYCLES))
    quietly(lambda: parallel_seed_test(lenient, num_cycles=CYCLES))
    quietly(
        lambda: max_cycles_test(SimpleNamespace(parallel_env=both, env=lambda **known: parallel_to_aec(both(**known))))
    )


def from_one_seat(game: Game) -> None:
    """Gymnasium's check of environments, for the first and the last seat."""
    from gymnasium.utils.env_checker import check_env

    for number in {0, game.players - 1}:
        environment = seat.env(game, number, illegal="random")
        quietly(lambda environment=environment: check_env(environment, skip_render_check=True))


def from_many_seats(game: Game, n: int = 3, steps: int = 60) -> None:
    """What Gymnasium checks of environments, of a vector environment, beside its own one of as many environments, with
    either way to begin the next game."""
    from gymnasium.utils.env_checker import data_equivalence
    from gymnasium.vector import AutoresetMode, SyncVectorEnv

    number = 0 if game.spec.id == "keyflower_king" else game.players - 1  # the other seat there never decides
    for mode in (AutoresetMode.SAME_STEP, AutoresetMode.NEXT_STEP):
        table, same = (seat.vector_env(game, n, number, illegal="random", autoreset_mode=mode) for _ in range(2))
        theirs = SyncVectorEnv([partial(seat.env, game, number, illegal="random")] * n, autoreset_mode=mode)
        assert table.metadata["autoreset_mode"] == theirs.metadata["autoreset_mode"] == mode
        for name in (
            "num_envs",
            "observation_space",
            "action_space",
            "single_observation_space",
            "single_action_space",
        ):
            assert getattr(table, name) == getattr(theirs, name)
        seeds = [*range(1, n + 1)]
        assert data_equivalence(table.reset(seed=1), same.reset(seed=seeds))
        assert _shape(table.reset(seed=seeds)) == _shape(theirs.reset(seed=seeds))
        table.action_space.seed(1)
        shapes, other = (dict[bool, str]() for _ in range(2))
        for _ in range(steps):
            actions = table.action_space.sample()
            stepped, their_step = table.step(actions), theirs.step(actions)
            assert stepped[0] in table.observation_space and data_equivalence(stepped, same.step(actions))
            shapes[bool(stepped[-1])], other[bool(their_step[-1])] = _shape(stepped), _shape(their_step)
        # Infos are about games that have ended: in long ones, perhaps in none.
        assert all(shapes[ended] == other[ended] for ended in shapes.keys() & other.keys())


def _shape(step: tuple[Any, ...]) -> str:
    """Of what kinds the arrays of a step are, and what its infos have."""
    _, *arrays, infos = step
    final = next((one for one in infos.get("final_obs", ()) if one is not None), {})
    parts = [f"{name} {one.dtype}{one.shape}" for name, one in final.items()]
    return "; ".join([*(f"{one.dtype}{one.shape}" for one in arrays), *parts, *sorted(infos)])


def as_agents(game: Game, steps: int = 60) -> None:
    """PufferLib's two ways to make an environment in one process."""
    import pufferlib.vector

    for backend, number in ((pufferlib.PufferEnv, 1), (pufferlib.vector.Serial, 2)):
        table = pufferlib.vector.make(agents, env_args=[game, 3], backend=backend, num_envs=number)
        observed, infos = table.reset(seed=1)
        assert table.num_agents == 3 * number * game.players and infos == []
        for _ in range(steps):
            assert table.observation_space.contains(observed) and table.masks.sum() == 3 * number
            observed, rewards, over, *_ = table.step(table.action_space.sample())
            assert not rewards[~over].any()
        table.close()


EXPECTED = (
    "Observation space for each agent probably should be",
    "Observation is not a NumPy array",
    "does not have a `render_mode`",
)
"""Warnings about dictionaries of an observation and a mask, which PettingZoo's own board and card games have, too."""


def quietly(test: Callable[[], object]) -> None:
    """Runs a test. A warning other than the expected ones is an error."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for words in EXPECTED:
            warnings.filterwarnings("ignore", message=f".*{words}")
        test()
