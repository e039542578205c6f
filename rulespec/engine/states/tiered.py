"""A game in progress that compiled Python runs until machine code takes it over."""

from __future__ import annotations

from array import array
from typing import Self

from rulespec.engine.backend.engines.tiers import VIEW, Tier
from rulespec.engine.states.state import State


class TieredState(State):
    """A `State` that counts its decisions and views. It stays the same object when machine code takes over: its class
    becomes `NativeState`, whose slots it has for that. One from a position set up by hand stays as it is."""

    __slots__ = ("_frame", "_k", "_lists", "_m", "_own", "_recorder", "_records", "_segments", "_shared", "_z")

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
