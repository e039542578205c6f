"""Players who explore: each game has a way of its own to choose, so that together they reach unusual positions.

Players to whom all actions are alike are those of playouts.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence

from rulespec.engine.interpreter.random import Generator
from rulespec.play.deep.cells import CoveredGame

Choose = Callable[[int, Sequence[int]], int]
"""Chooses one of the legal actions of a player."""

WEIGHTS = (0, 0, 1, 1, 4, 16)
"""How much the players of one game like an option. Options that are never taken leave more room for all others: swarm
testing (Groce and others 2012)."""


def chooser(game: CoveredGame, draws: Generator) -> Choose:
    """The player of all seats of one game, drawn at random: some like some options more than others, and some take
    mostly the first or the last action of an option, each seat in its own way."""
    even, stubborn = not draws.below(3), not draws.below(3)
    likes: defaultdict[int, int] = defaultdict(lambda: 1 if even else WEIGHTS[draws.below(len(WEIGHTS))])
    # 16 is more seats than any game has (MOST_PLAYERS); 0 is the first action, -1 the last.
    ends, chance = [-draws.below(2) for _ in range(16)], 2 + draws.below(10)

    def choose(player: int, legal: Sequence[int]) -> int:
        by_option: dict[int, list[int]] = {}
        for action in legal:
            by_option.setdefault(game.option_of[action], []).append(action)
        options = [option for option in by_option for _ in range(likes[option])] or [*by_option]
        actions = by_option[options[draws.below(len(options))]]
        return actions[ends[player]] if stubborn and draws.below(chance) else actions[draws.below(len(actions))]

    return choose
