"""A seat of a game, or of many games at once, as an environment of Gymnasium: the other seats play by policies."""

from __future__ import annotations

from typing import Any

from rulespec.engine.states.game import Game
from rulespec.play.interop.table import REFUSE, ArrayPolicy, Policy, Table, require_known


def env(game: Game, seat: int = 0, others: Policy | None = None, illegal: str = REFUSE) -> Any:
    """A `gymnasium.Env` for one seat, from 0. The other seats follow the policy `others`, by default random legal
    actions. Observations, rewards and `illegal` are those of `interop.pettingzoo.env`.

    Raises ValueError for a seat that the game does not have, ImportError if gymnasium is not installed.
    """
    _require_seat(game, seat)
    from rulespec.play.interop.gymnasium_env import SeatEnv

    return SeatEnv(Table(game, illegal), seat, others)


def vector_env(
    game: Game,
    n: int,
    seat: int = 0,
    others: ArrayPolicy | None = None,
    illegal: str = REFUSE,
    threads: int = 1,
    autoreset_mode: Any = "SameStep",
) -> Any:
    """A `gymnasium.vector.VectorEnv` of n games, for one seat of each. A game that ends is followed by the next one in
    the same step (`AutoresetMode.SAME_STEP`), and `final_obs` of the infos has what the seat saw last. With
    `AutoresetMode.NEXT_STEP`, which wrappers of observations need, it is observed, and the next step begins a game.

    The other seats follow the policy `others`, by default random legal actions: a function of arrays with a row for
    each game in which another seat is to act, of what that seat observes, the mask of its legal actions, and the seat;
    it returns their actions. The other arguments are those of `env`, and the threads that play. Raises ValueError for a
    seat that the game does not have and for another mode, ImportError if gymnasium is not installed.
    """
    _require_seat(game, seat)
    require_known(illegal)
    from rulespec.play.interop.gymnasium_vector import SeatVectorEnv

    return SeatVectorEnv(game, game.vector(n, threads=threads), seat, others, illegal, autoreset_mode)


def _require_seat(game: Game, seat: int) -> None:
    if seat not in range(game.players):
        raise ValueError(f"there is no seat {seat}: seats are 0 to {game.players - 1}")
