"""Players who explore: each game has a way of its own to choose, so that together they reach unusual positions.

Players to whom all actions are alike are those of playouts."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rulespec.engine.interpreter.random import Generator
from rulespec.play.deep.cells import CoveredGame

Choose = Callable[[int, Sequence[int]], int]
"""Chooses one of the legal actions of a player."""

WEIGHTS = (0, 0, 1, 1, 4, 16)
"""How much a player of one game likes an option. Options that are never taken leave more room for all others: swarm
testing (Groce and others 2012)."""


def player(game: CoveredGame, draws: Generator) -> Choose:
    """The player of all seats of one game, drawn at random."""
    return _PLAYERS[draws.below(len(_PLAYERS))](game, draws)


def by_option(game: CoveredGame, draws: Generator) -> Choose:
    """Any option, then any of its actions: an option with one action is taken as often as one with a hundred."""
    option_of = game.option_of

    def choose(player: int, legal: Sequence[int]) -> int:
        options = list(dict.fromkeys(option_of[action] for action in legal))
        wanted = options[draws.below(len(options))]
        return _any([action for action in legal if option_of[action] == wanted], draws)

    return choose


def swarm(game: CoveredGame, draws: Generator) -> Choose:
    """Likes some options of this game more than others, the same in all seats."""
    option_of, likes = game.option_of, dict[int, int]()

    def weight(action: int) -> int:
        option = option_of[action]
        if option not in likes:
            likes[option] = WEIGHTS[draws.below(len(WEIGHTS))]
        return likes[option]

    def choose(player: int, legal: Sequence[int]) -> int:
        weights = [weight(action) for action in legal]
        at = draws.below(sum(weights)) if any(weights) else -1
        for action, share in zip(legal, weights, strict=True):
            at -= share
            if any(weights) and at < 0:
                return action
        return _any(legal, draws)

    return choose


def stubborn(game: CoveredGame, draws: Generator) -> Choose:
    """Takes mostly the first or mostly the last action, each seat in its own way."""
    # 16 is more seats than any game has (MOST_PLAYERS); 0 is the first action, -1 the last.
    ends, chance = [-(draws.below(2)) for _ in range(16)], 2 + draws.below(10)

    def choose(player: int, legal: Sequence[int]) -> int:
        return legal[ends[player]] if draws.below(chance) else _any(legal, draws)

    return choose


def _any(legal: Sequence[int], draws: Generator) -> int:
    return legal[draws.below(len(legal))]


_PLAYERS: tuple[Callable[[CoveredGame, Generator], Choose], ...] = (by_option, swarm, swarm, stubborn)
