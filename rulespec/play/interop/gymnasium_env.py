"""The environments of Gymnasium. Importing this needs Gymnasium: see gymnasium.py."""

from __future__ import annotations

from typing import Any

from rulespec.play.interop import library
from rulespec.play.interop.table import Policy, Table, observation_space

gymnasium = library("gymnasium", "gymnasium")
_AN_ENVIRONMENT: Any = gymnasium.Env


class SeatEnv(_AN_ENVIRONMENT):  # type: ignore[misc]
    metadata = {"render_modes": ["ansi"]}  # noqa: RUF012

    def __init__(self, table: Table, seat: int, others: Policy | None) -> None:
        self.table, self.seat, self.render_mode = table, seat, "ansi"
        self._others = others
        self._actions = table.game.num_distinct_actions()
        self.action_space = gymnasium.spaces.Discrete(self._actions)
        self.observation_space = observation_space(gymnasium.spaces, table.game, self._actions)

    def reset(self, *, seed: int | None = None, options: object = None) -> tuple[dict[str, Any], dict[str, Any]]:
        super().reset(seed=seed)
        self.table.reset(seed)
        self._play_others()
        return self._observed(), {}

    def _play_others(self) -> None:
        """Plays up to the next decision of the seat, or to the end."""
        table = self.table
        while not table.is_over() and self.seat not in table.state.deciders():
            for at in table.state.deciders():
                table.act({at: self._choice(at)})

    def _choice(self, at: int) -> int:
        state = self.table.state
        return (
            self._others(state, at) if self._others is not None else self.table.chance.choice(state.legal_actions(at))
        )

    def _observed(self) -> dict[str, Any]:
        return self.table.observe(self.seat, self._actions)

    def step(self, action: int) -> tuple[dict[str, Any], float, bool, bool, dict[str, Any]]:
        # A game in which the seat never decides is over before its first step, which then has no effect.
        if not self.table.is_over():
            self.table.act({self.seat: action})
            self._play_others()
        return self._observed(), self.table.state.player_return(self.seat), self.table.is_over(), False, {}

    def render(self) -> str:
        return self.table.state.observation_string(self.seat)
