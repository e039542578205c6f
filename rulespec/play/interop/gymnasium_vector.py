"""The vector environment of Gymnasium. Importing this needs Gymnasium: see gymnasium.py."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, SupportsIndex

import numpy as np

from rulespec.engine.backend.forms.machine_vector import WAIT
from rulespec.engine.interpreter.running import StateError
from rulespec.engine.states.game import Game
from rulespec.engine.states.vector import Vector
from rulespec.play.interop import library
from rulespec.play.interop.table import RANDOM, ArrayPolicy, are_legal, observation_space

gymnasium, vectors = library("gymnasium", "gymnasium"), library("gymnasium.vector", "gymnasium")
_MANY_ENVIRONMENTS: Any = vectors.VectorEnv

Array = np.ndarray[Any, np.dtype[Any]]
MOST_SKIPPED = 1000
"""Games of a slot without a decision of the seat that are skipped one after another."""


class SeatVectorEnv(_MANY_ENVIRONMENTS):  # type: ignore[misc]
    def __init__(
        self, game: Game, vector: Vector, seat: int, others: ArrayPolicy | None, illegal: str, autoreset_mode: Any
    ) -> None:
        self.metadata = {"autoreset_mode": vectors.AutoresetMode(autoreset_mode)}
        if self.metadata["autoreset_mode"] is vectors.AutoresetMode.DISABLED:
            raise ValueError("games that end are followed by others: autoreset_mode is SameStep or NextStep")
        self._waits = self.metadata["autoreset_mode"] is vectors.AutoresetMode.NEXT_STEP
        spaces = gymnasium.spaces
        self.num_envs, self.vector, self.seat = vector.n, vector, seat
        self._others, self._illegal = others, illegal
        self.single_action_space = spaces.Discrete(game.num_distinct_actions())
        self.single_observation_space = observation_space(spaces, game, game.num_distinct_actions())
        single = self.single_action_space, self.single_observation_space
        self.action_space, self.observation_space = (vectors.utils.batch_space(one, vector.n) for one in single)

    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: Mapping[str, Any] | None = None
    ) -> tuple[dict[str, Array], dict[str, Any]]:
        """Begins a game in each slot: with the seeds of a list, or with `seed`, `seed + 1`, … Raises ValueError for
        another number of seeds."""
        if options and "reset_mask" in options:
            raise ValueError("reset begins all games: leave out `reset_mask`")
        if not isinstance(seed, Sequence | np.ndarray) or isinstance(seed, str):
            first = int(seed) if isinstance(seed, SupportsIndex) else seed
            super().reset(seed=first)
            seed = [None if first is None else first + slot for slot in range(self.num_envs)]
        seeds = [int(self.np_random.integers(2**48)) if one is None else one for one in seed]
        for one in seeds:
            if not isinstance(one, SupportsIndex) or int(one) < 0:
                raise gymnasium.error.Error(f"A seed is a whole number, 0 or more, not {one!r}")
        self.vector.reset(seeds)
        for _ in self._others_play():
            pass  # a game that ends before the first decision of the seat is no part of a step
        self._seen, self._ended = self._observed(), np.zeros(self.num_envs, bool)
        return self._seen, {}

    def _others_play(self) -> Iterator[None]:
        """Plays the other seats up to the next decision of the seat, in each game; the games that are there wait."""
        skipped = np.zeros(self.num_envs, int)
        while (late := np.asarray(self.vector.player) != self.seat).any():
            self.vector.step(self._chosen(late))
            skipped += np.asarray(self.vector.done)
            if skipped.max() > MOST_SKIPPED:
                raise StateError(f"{MOST_SKIPPED} games one after another have no decision of seat {self.seat}")
            yield

    def _chosen(self, late: Array) -> Array:
        if self._others is None:
            return np.where(late, self.vector.random_actions(), WAIT)
        chosen = np.full(self.num_envs, WAIT)
        rows = self.vector.observation, self.vector.mask, self.vector.player
        chosen[late] = self._others(*(np.asarray(one)[late] for one in rows))
        return chosen

    def _observed(self) -> dict[str, Array]:
        seen = np.asarray(self.vector.observation).clip(0, 1)  # parts of a third may add up to a little more than 1
        return {"observation": seen, "action_mask": np.array(self.vector.mask, np.int8)}

    def step(self, actions: Array) -> tuple[dict[str, Array], Array, Array, Array, dict[str, Any]]:
        rewards, over, last = np.zeros(self.num_envs), np.zeros(self.num_envs, bool), self._seen
        self.vector.step(self._legal(np.asarray(actions)))
        self._note_ends(rewards, over)
        # Whose own action ends the game sees the end; for the others, the last thing seen is their last decision.
        final = np.where(over[:, None], np.asarray(self.vector.final_observation).clip(0, 1), last["observation"])
        for _ in self._others_play():
            self._note_ends(rewards, over)
        self._seen, infos = self._observed(), {}
        if self._waits:
            self._ended, ended = over, over[:, None]
            seen = {"observation": np.where(ended, final, self._seen["observation"])}
            seen["action_mask"] = np.where(ended, 0, self._seen["action_mask"]).astype(np.int8)
        else:
            seen, infos = self._seen, self._infos(over, final)
        return seen, rewards, over, np.zeros(self.num_envs, bool), infos

    def _legal(self, actions: Array) -> Array:
        """The actions to carry out; a game that is shown after the end of another waits until then."""
        legal = are_legal(np.asarray(self.vector.mask), actions)
        if self._illegal == RANDOM:
            actions = np.where(legal, actions, self.vector.random_actions())
        for slot in np.flatnonzero(~legal & ~self._ended).tolist() if self._illegal != RANDOM else ():
            raise self.vector.refusal(slot, actions[slot])
        return np.where(self._ended, WAIT, actions)

    def _note_ends(self, rewards: Array, over: Array) -> None:
        """Notes what a game is worth that has ended; the first one, if the next ends before the seat decides."""
        ended = np.asarray(self.vector.done, bool) & ~over
        rewards[ended] = np.asarray(self.vector.rewards)[ended, self.seat]
        over |= ended

    def _infos(self, over: Array, final: Array) -> dict[str, Any]:
        infos: dict[str, Any] = {}
        nothing = np.zeros(int(self.single_action_space.n), np.int8)
        for slot in np.flatnonzero(over):
            end = {"observation": final[slot], "action_mask": nothing}
            infos = self._add_info(infos, {"final_obs": end, "final_info": {}}, slot)
        return infos

    def close_extras(self, **_: object) -> None:
        self.vector.close()
