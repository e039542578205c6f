"""The environments of PettingZoo. Importing this needs PettingZoo: see pettingzoo.py."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rulespec.play.interop import library
from rulespec.play.interop.table import Table, observation_space

pettingzoo, spaces = library("pettingzoo", "pettingzoo"), library("gymnasium.spaces", "pettingzoo")
_TAKES_TURNS: Any = pettingzoo.AECEnv
_ACTS_TOGETHER: Any = pettingzoo.ParallelEnv


class Seats:
    """What both environments have: the names of the seats, their spaces, and the game as text."""

    def __init__(self, table: Table, max_cycles: int | None, extra: int) -> None:
        self.table, self.max_cycles, self.render_mode = table, max_cycles, "ansi"
        self.metadata = {"name": f"{table.game.spec.id}_v0", "render_modes": ["ansi"], "is_parallelizable": False}
        self.possible_agents = [f"player_{seat}" for seat in table.seats]
        self.agents: list[str] = []
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self._actions = table.game.num_distinct_actions() + extra
        seen = [observation_space(spaces, table.game, self._actions) for _ in table.seats]
        self.observation_spaces = dict(zip(self.possible_agents, seen, strict=True))
        self.action_spaces = {agent: spaces.Discrete(self._actions) for agent in self.possible_agents}

    def observation_space(self, agent: str) -> Any:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        return self.action_spaces[agent]

    def observe(self, agent: str) -> dict[str, Any]:
        return self.table.observe(self._seats[agent], self._actions)

    def render(self) -> str:
        # A negative number is no single player: several decide at once, or the game is over.
        return self.table.state.observation_string(max(0, self.table.state.current_player()))

    def close(self) -> None:
        """There is nothing to close."""


class TurnEnv(Seats, _TAKES_TURNS):  # type: ignore[misc]
    def __init__(self, table: Table, max_cycles: int | None) -> None:
        super().__init__(table, max_cycles, extra=0)

    def reset(self, seed: int | None = None, options: object = None) -> None:
        self.table.reset(seed)
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, self.table.is_over())
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._skip_agent_selection = None
        self.agent_selection = self._next()

    def _next(self) -> str:
        return self.possible_agents[next(iter(self.table.state.deciders()), 0)]

    def step(self, action: int | None) -> None:
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        assert action is not None, "this player has to decide"
        self._cumulative_rewards[agent] = 0.0
        rewards = self.table.act({self._seats[agent]: action})
        self.rewards = dict(zip(self.possible_agents, rewards, strict=True))
        self._accumulate_rewards()
        self.agent_selection = self._next()
        over, enough = self.table.is_over(), self.max_cycles is not None
        spent = enough and self.table.turns_of[self._seats[self.agent_selection]] >= (self.max_cycles or 0)
        self.terminations = dict.fromkeys(self.agents, over)
        self.truncations = dict.fromkeys(self.agents, spent and not over)
        if over or spent:
            self._deads_step_first()


class AllEnv(Seats, _ACTS_TOGETHER):  # type: ignore[misc]
    def __init__(self, table: Table, max_cycles: int | None) -> None:
        super().__init__(table, max_cycles, extra=1)

    def reset(self, seed: int | None = None, options: object = None) -> tuple[dict[str, Any], dict[str, Any]]:
        self.table.reset(seed)
        self.agents = self.possible_agents[:]
        return self._observed(), {agent: {} for agent in self.agents}

    def _observed(self) -> dict[str, Any]:
        return {agent: self.observe(agent) for agent in self.agents}

    def step(self, actions: Mapping[str, int]) -> tuple[dict[str, Any], ...]:
        deciding = self.table.state.deciders()
        rewards = self.table.act({seat: actions[self.possible_agents[seat]] for seat in deciding})
        over = self.table.is_over()
        spent = not over and self.max_cycles is not None and self.table.turns >= self.max_cycles
        agents, observed = self.agents, self._observed()
        # Replaced and not cleared: the results below are for those who were there.
        self.agents = [] if over or spent else agents
        return (
            observed,
            dict(zip(agents, rewards, strict=True)),
            dict.fromkeys(agents, over),
            dict.fromkeys(agents, spent),
            {agent: {} for agent in agents},
        )
