"""Games as environments of PettingZoo: `env(game)` asks players in turn, `parallel_env(game)` all of them at each step.

An observation is a dictionary with the numbers of `State.observation_tensor`, and the mask of legal actions. What the
game is worth to a player is the reward of its last step.
"""

from __future__ import annotations

from typing import Any

from rulespec.engine.states.game import Game
from rulespec.play.interop.table import REFUSE, Table


def env(game: Game, max_cycles: int | None = None, illegal: str = REFUSE, rematch: bool = False) -> Any:
    """A `pettingzoo.AECEnv` that asks one player after the other: those who decide at once in the order of the seats,
    and nobody sees what others have chosen before the last of them has.

    The game is truncated before a player decides more than `max_cycles` times. `illegal` says what becomes of an
    illegal action: `refuse` raises StateError, `random` takes a random legal one. With `rematch`, another game begins
    where one ends. Raises ImportError if pettingzoo is not installed.
    """
    from rulespec.play.interop.pettingzoo_env import TurnEnv

    return TurnEnv(Table(game, illegal, rematch), max_cycles)


def parallel_env(game: Game, max_cycles: int | None = None, illegal: str = REFUSE, rematch: bool = False) -> Any:
    """A `pettingzoo.ParallelEnv`: each step is a decision, of one player or of several at once. All players pass an
    action; for those who are not to decide it is `game.num_distinct_actions()`, the only one in their mask.

    The game is truncated after `max_cycles` steps. The other arguments are those of `env`.
    """
    from rulespec.play.interop.pettingzoo_env import AllEnv

    return AllEnv(Table(game, illegal, rematch), max_cycles)
