"""A game in progress that compiled Python runs until machine code takes it over."""

from __future__ import annotations

from array import array
from collections.abc import Callable
from typing import Self

from rulespec.engine.backend.engines.tiers import VIEW, Machine, Tier
from rulespec.engine.rules.ruleset import Ruleset
from rulespec.engine.states.state import State


class TieredState(State):
    """A `State` that counts its decisions and views. It stays the same object when machine code takes over: its class
    becomes `NativeState`, whose slots it has for that. One from a position set up by hand stays as it is."""

    __slots__ = ("_k", "_lists", "_m", "_own", "_recorder", "_records", "_segments", "_shared", "_z")

    def _carry_out(self, action: int) -> None:
        tier = self.game.code.tier
        assert tier is not None
        tier.left -= 1
        if tier.left < 0 and self.position is None and (take_over := tier.machine_code()) is not None:
            choice = self.choices.pop()
            take_over(self)
            self.choices.append(choice)
            self._carry_out(action)
        else:
            self.go_on(self.code.take[self.pc](self, action))

    def _reveal(self) -> None:
        tier = self._count(len(self.decided))
        if self.position is None and (take_over := tier.machine_code()) is not None:
            take_over(self)
            self._reveal()
        else:
            super()._reveal()

    def _count(self, decisions: int) -> Tier:
        tier = self.game.code.tier
        assert tier is not None
        tier.left -= decisions
        return tier

    def observation_tensor(self, player: int | None = None) -> array[float]:
        self._count(VIEW)
        return super().observation_tensor(player)

    def information_state_tensor(self, player: int | None = None) -> array[float]:
        self._count(VIEW)
        return super().information_state_tensor(player)

    def observation_string(self, player: int | None = None) -> str:
        self._count(VIEW)
        return super().observation_string(player)

    def information_state_key(self, player: int | None = None) -> bytes:
        self._count(VIEW)
        return super().information_state_key(player)

    def _become(self, other: Self) -> None:
        # Machine code may have taken over the other one while it was played again.
        self.__class__ = type(other)
        State._become(self, other)


def tier_of(game: Ruleset) -> Tier:
    """The tier of a game, whose machine code includes that for views."""
    return Tier(Machine(lambda: _is_cached(game), lambda: _loaded(game), (__name__, "compile_game", game)))


def compile_game(game: Ruleset) -> bool:
    """Compiles the machine code of a game, or loads it from the cache. False if it exceeds the limits, or if what
    players see depends on the state: then Python makes the views."""
    from rulespec.engine.states.native_observation import view_segments

    return game.code.segments is not None and view_segments(game) is not None


def _loaded(game: Ruleset) -> Callable[[TieredState], None] | None:
    from rulespec.engine.states.native import take_over

    return take_over if compile_game(game) else None


def _is_cached(game: Ruleset) -> bool:
    from rulespec.engine.backend.engines.native import is_cached
    from rulespec.engine.backend.engines.native_segments import STEPS
    from rulespec.engine.states.native_observation import VIEWS

    return all(is_cached(game.setting, (kind, str(game.setup_only))) for kind in (STEPS, VIEWS))
