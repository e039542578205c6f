"""Many games as an environment of PufferLib: every seat of every game is an agent."""

from __future__ import annotations

from typing import Any

from rulespec.engine.states.game import Game


def env(game: Game, n: int, threads: int = 1, buf: Any = None, seed: int = 0) -> Any:
    """A native `pufferlib.PufferEnv` of n games with an agent for each seat, those of a game one after another. In each
    step, one agent of each game decides; `masks` has which. The actions of the others are not read.

    An observation has the numbers of `State.observation_tensor`, then the mask of legal actions; nothing is legal for
    agents that do not decide. A random legal action takes the place of an illegal one. What the game is worth to a seat
    is the reward of its last step. `buf` and `seed` are what `pufferlib.vector.make` gives. Raises ImportError if
    pufferlib is not installed.
    """
    from rulespec.play.interop.pufferlib_env import SeatsEnv

    return SeatsEnv(game, n, threads, buf, seed)
