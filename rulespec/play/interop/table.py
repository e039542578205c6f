"""A table: one game after another for the seats of an environment, with what every seat observes as arrays."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from typing import Any

from rulespec.engine.interpreter.random import SEED_BITS
from rulespec.engine.interpreter.running import StateError
from rulespec.engine.states.game import Game
from rulespec.engine.states.state import State

REFUSE, RANDOM = "refuse", "random"
"""What becomes of an illegal action: StateError, or a random legal action in its place."""


Policy = Callable[[State, int], int]
"""The action of a seat in a state. A policy that plays fairly reads only what that seat observes."""

ArrayPolicy = Callable[[Any, Any, Any], Any]
"""Legal actions for rows of what players observe, of the masks of their legal actions, and of their seats."""


class Table:
    """The seats of a game. `state` is the game in progress; `turns` counts the decisions since the last reset: all of
    them, and those of each seat. With `rematch`, another game begins where one ends; `is_over` then never becomes true.
    """

    def __init__(self, game: Game, illegal: str = REFUSE, rematch: bool = False) -> None:
        require_known(illegal)
        self.game, self.seats = game, range(game.players)
        self._illegal, self._rematch = illegal, rematch
        self.reset(None)

    def reset(self, seed: int | None) -> None:
        """Begins anew. The same seed gives the same games; without one, they go on from the last seed."""
        if seed is not None or not hasattr(self, "chance"):
            self.chance = random.Random(seed)
        self.turns, self.turns_of = 0, [0 for _ in self.seats]
        self._deal()

    def _deal(self) -> None:
        self.state: State = self.game.new_initial_state(self.chance.getrandbits(SEED_BITS))
        if self.state.is_terminal() and self._rematch:
            raise StateError("this game has no decision, so it cannot be played again and again")

    def is_over(self) -> bool:
        """Whether no seat is to decide."""
        return self.state.is_terminal()

    def act(self, actions: Mapping[int, int]) -> list[float]:
        """Carries out the actions of seats that decide now, and returns what that is worth to every seat."""
        legal = {seat: self._legal(seat, int(action)) for seat, action in actions.items()}
        for seat, action in legal.items():
            self.state.apply_action(action, seat)
            self.turns_of[seat] += 1
        self.turns += 1
        rewards = self.state.rewards()
        if self.is_over() and self._rematch:
            self._deal()
        return rewards

    def _legal(self, seat: int, action: int) -> int:
        actions = self.state.legal_actions(seat)
        if action in actions or not actions or self._illegal == REFUSE:
            return action
        return self.chance.choice(actions)

    def observe(self, seat: int, actions: int) -> dict[str, Any]:
        """What a seat observes, and which of the first `actions` actions are legal for it. An action after those of the
        game is legal if no other is."""
        import numpy

        legal = self.state.legal_actions(seat)
        mask = numpy.zeros(actions, numpy.int8)
        mask[legal if legal or actions == self.game.num_distinct_actions() else [actions - 1]] = 1
        # Parts of a third and the like may add up to a little more than 1.
        seen = numpy.asarray(self.state.observation_tensor(seat), numpy.float32).clip(0, 1)
        return {"observation": seen, "action_mask": mask}


def observation_space(spaces: Any, game: Game, actions: int) -> Any:
    """The space of what `Table.observe` returns; `spaces` is `gymnasium.spaces`."""
    import numpy

    size = game.observation_parts()[-1].end
    seen = spaces.Box(0.0, 1.0, (size,), numpy.float32)
    return spaces.Dict({"observation": seen, "action_mask": spaces.Box(0, 1, (actions,), numpy.int8)})


def are_legal(mask: Any, actions: Any) -> Any:
    """Which of the actions of many games are legal, by the rows of their masks: none that are no actions at all."""
    import numpy

    rows, size = mask.shape
    numbers = (actions >= 0) & (actions < size)
    return numbers & mask[numpy.arange(rows), actions.clip(0, size - 1)].astype(bool)


def require_known(illegal: str) -> None:
    """Raises ValueError for anything but what can become of an illegal action."""
    if illegal not in (REFUSE, RANDOM):
        raise ValueError(f"unknown `{illegal}` for illegal actions: write {REFUSE} or {RANDOM}")
