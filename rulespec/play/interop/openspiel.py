"""Games as games of OpenSpiel, for its algorithms and bots: `load(game)` is a `pyspiel.Game`."""

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
