"""The environment of PufferLib. Importing this needs PufferLib: see pufferlib.py."""

from __future__ import annotations

from typing import Any

import numpy as np

from rulespec.engine.states.game import Game
from rulespec.play.interop import library
from rulespec.play.interop.table import are_legal

pufferlib, spaces = library("pufferlib", "pufferlib"), library("gymnasium.spaces", "pufferlib")
_NATIVE: Any = library("pufferlib.pufferlib", "pufferlib").PufferEnv

Array = np.ndarray[Any, np.dtype[Any]]


class SeatsEnv(_NATIVE):  # type: ignore[misc]
    def __init__(self, game: Game, n: int, threads: int, buf: dict[str, Array] | None, seed: int) -> None:
        self.vector, self._table = game.vector(n, seed=seed, threads=threads), (n, game.players)
        self._size, actions = game.observation_parts()[-1].end, game.num_distinct_actions()
        self.single_observation_space = spaces.Box(0.0, 1.0, (self._size + actions,), np.float32)
        self.single_action_space = spaces.Discrete(actions)
        self.num_agents = n * game.players
        super().__init__(buf)
        self._every = np.arange(n)

    def reset(self, seed: int | None = None) -> tuple[Array, list[dict[str, Any]]]:
        self.vector.reset(self.vector.seed if seed is None else seed)
        self.observations[:], self.rewards[:], self.terminals[:], self.truncations[:] = 0, 0, False, False
        self._show()
        return self.observations, []

    def step(self, actions: Array) -> tuple[Array, Array, Array, Array, list[dict[str, Any]]]:
        chosen = np.asarray(actions).reshape(self._table)[self._every, self.vector.player]
        legal = are_legal(np.asarray(self.vector.mask), chosen)
        self.vector.step(np.where(legal, chosen, self.vector.random_actions()))
        over = np.asarray(self.vector.done, bool)
        self.rewards[:] = np.asarray(self.vector.rewards).ravel()
        self.terminals[:] = over.repeat(self._table[1])
        self._by_seat(self.observations)[over] = 0
        self._show()
        return self.observations, self.rewards, self.terminals, self.truncations, []

    def _show(self) -> None:
        """Writes what the players to act observe. The others see what they saw last, and have no legal action."""
        seen, turn = self._by_seat(self.observations), (self._every, self.vector.player)
        seen[..., self._size :], self.masks[:] = 0, False
        seen[turn] = np.hstack([np.asarray(self.vector.observation).clip(0, 1), np.asarray(self.vector.mask)])
        self._by_seat(self.masks)[turn] = True

    def _by_seat(self, rows: Array) -> Array:
        """Rows of agents as a table of games and seats, in the same memory."""
        return rows.reshape(*self._table, *rows.shape[1:])

    def close(self) -> None:
        self.vector.close()
