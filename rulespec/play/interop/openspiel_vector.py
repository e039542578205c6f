"""Many games as environments of OpenSpiel. Importing this needs OpenSpiel: see openspiel.py."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from rulespec.engine.backend.forms.machine_vector import WAIT
from rulespec.engine.interpreter.random import stream
from rulespec.engine.states.vector import Vector
from rulespec.play.interop import library
from rulespec.play.interop.table import are_legal

rl, pyspiel = library("open_spiel.python.rl_environment", "openspiel"), library("pyspiel", "openspiel")
FIRST, MID, LAST = (rl.StepType[name].value for name in ("FIRST", "MID", "LAST"))

Array = np.ndarray[Any, np.dtype[Any]]


class GamesEnv:
    """What `open_spiel.python.vector_env.SyncVectorEnv` has, over a vector."""

    def __init__(self, vector: Vector) -> None:
        game = vector.game_of(0)
        self.vector, self.num_players, self._actions = vector, game.players, game.num_distinct_actions()
        self._seen = np.zeros((vector.n, game.players, np.asarray(vector.observation).shape[1]), np.float32)
        self._begin_all()

    def __len__(self) -> int:
        return self.vector.n

    def observation_spec(self) -> dict[str, tuple[int, ...]]:
        sizes = {"info_state": (self._seen.shape[2],), "legal_actions": (self._actions,)}
        return {**sizes, "current_player": (), "serialized_state": ()}

    def action_spec(self) -> dict[str, Any]:
        return {"num_actions": self._actions, "min": 0, "max": self._actions - 1, "dtype": int}

    def reset(self, envs_to_reset: Sequence[bool] | None = None) -> list[Any]:
        """The time steps of all environments, after a new game has begun in those to reset. Raises ValueError for one
        that is in the middle of a game, unless all are reset."""
        if envs_to_reset is None:
            self.vector.reset(stream(self.vector.seed, 1))
            self._begin_all()
            return self._steps[:]
        chosen = np.array(envs_to_reset, bool)
        for slot in np.flatnonzero(chosen & (self._kinds == MID)):
            raise ValueError(f"environment {slot} is in the middle of a game: reset all, or those whose game is over")
        over = chosen & (self._kinds == LAST)
        self._kinds[over] = FIRST
        self._note(over, begun=over)
        return self._steps[:]

    def _begin_all(self) -> None:
        self._kinds, self._steps = np.full(len(self), FIRST), list[Any]([None] * len(self))
        self._note(self._kinds == FIRST, begun=self._kinds == FIRST)

    def step(self, step_outputs: Sequence[Any], reset_if_done: bool = False) -> tuple[list[Any], ...]:
        """Carries out an action in each environment; in one whose game is over, the next begins instead. Returns time
        steps, rewards, which games are over, and the time steps before `reset_if_done` has begun new games."""
        over, actor = self._kinds == LAST, np.array(self.vector.player)
        actions = np.array([WAIT if last else out.action for out, last in zip(step_outputs, over, strict=True)])
        for slot in np.flatnonzero(~(over | are_legal(np.asarray(self.vector.mask), actions))).tolist():
            raise self.vector.refusal(slot, actions[slot])
        self.vector.step(actions)
        done = np.asarray(self.vector.done, bool)
        self._kinds = np.where(done, LAST, np.where(over, FIRST, MID))
        self._seen[done, actor[done]] = np.asarray(self.vector.final_observation)[done]
        self._note(np.ones(len(self), bool), begun=over)
        steps = self._steps[:]
        rewards, ends = [step.rewards for step in steps], done.tolist()
        return self.reset(ends) if reset_if_done else steps, rewards, ends, steps

    def _note(self, changed: Array, begun: Array) -> None:
        """Notes what the players to act see, and makes the time steps of what has changed."""
        self._seen[begun] = 0
        here = np.flatnonzero(self._kinds != LAST)
        self._seen[here, np.asarray(self.vector.player)[here]] = np.asarray(self.vector.observation)[here]
        for slot in np.flatnonzero(changed).tolist():
            self._steps[slot] = self._time_step(slot)

    def _time_step(self, slot: int) -> Any:
        kind, legal = self._kinds[slot], [list[int]() for _ in range(self.num_players)]
        player = pyspiel.PlayerId.TERMINAL if kind == LAST else self.vector.player[slot]
        if kind != LAST:
            legal[player] = np.flatnonzero(np.asarray(self.vector.mask)[slot]).tolist()
        seen = {"info_state": list(self._seen[slot].copy()), "legal_actions": legal}
        rewards, discounts = np.asarray(self.vector.rewards)[slot].tolist(), [float(kind != LAST)] * self.num_players
        return rl.TimeStep(
            observations={**seen, "current_player": player, "serialized_state": []},
            rewards=None if kind == FIRST else rewards,
            discounts=None if kind == FIRST else discounts,
            step_type=rl.StepType(kind),
        )
