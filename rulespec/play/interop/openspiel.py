"""Games as games of OpenSpiel, for its algorithms and bots: `load(game)` is a `pyspiel.Game`.

`vector_env(game, n)` is many environments at once, for its learners.
"""

from __future__ import annotations

from typing import Any

from rulespec.engine.states.game import Game


def load(game: Game, turn_based: bool = False, readable: bool = False) -> Any:
    """The game as a `pyspiel.Game`, registered under a name that is its `get_type().short_name`.

    Players who decide at once do so at simultaneous nodes, or one after the other if `turn_based`; then what they have
    chosen stays hidden until the last of them has. An information state is a key, or with `readable` all that the
    player has observed, as text. Raises ImportError if open_spiel is not installed.
    """
    from rulespec.play.interop.openspiel_game import loaded_game

    return loaded_game(game, turn_based, readable)


def vector_env(
    game: Game, n: int, observe: str = "information_state", seed: int | None = None, threads: int = 1
) -> Any:
    """n games with the methods of `open_spiel.python.vector_env.SyncVectorEnv`. Players who decide at once are asked
    one after the other. The time steps have what each player saw when it was last asked, or at the end of the game if
    it acted last, as the tensor that `observe` names: `information_state` or `observation`.

    Raises ImportError if open_spiel is not installed.
    """
    from rulespec.play.interop.openspiel_vector import GamesEnv

    return GamesEnv(game.vector(n, seed=seed, threads=threads, observe=observe))
