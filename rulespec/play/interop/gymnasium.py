"""A seat of a game as an environment of Gymnasium: the other seats play by policies."""

from __future__ import annotations

from typing import Any

from rulespec.engine.states.game import Game
from rulespec.play.interop.table import REFUSE, Policy, Table


def env(game: Game, seat: int = 0, others: Policy | None = None, illegal: str = REFUSE) -> Any:
    """A `gymnasium.Env` for one seat, from 0. The other seats follow the policy `others`, by default random legal
    actions. Observations, rewards and `illegal` are those of `interop.pettingzoo.env`.

    Raises ValueError for a seat that the game does not have, ImportError if gymnasium is not installed.
    """
    if seat not in range(game.players):
        raise ValueError(f"there is no seat {seat}: seats are 0 to {game.players - 1}")
    from rulespec.play.interop.gymnasium_env import SeatEnv

    return SeatEnv(Table(game, illegal), seat, others)
