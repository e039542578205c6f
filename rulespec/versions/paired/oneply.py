"""The one-ply player: tries each move in rollouts from positions that are possible as far as it knows.

It sees what its seat may know. Cards that it does not know are dealt anew to the hidden places for each rollout, and
values that it does not see are drawn anew, so what they really are has no influence.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from rulespec.engine.interpreter.random import Generator, stream
from rulespec.engine.knowledge.possible_worlds import unknown
from rulespec.engine.named_chance.chance import NamedChance
from rulespec.engine.named_chance.game import NamedState
from rulespec.engine.rules.ruleset import Ruleset

if TYPE_CHECKING:
    from rulespec.engine.search.rollouts import Outcome, Rollouts

MOST_TRIED = 8
"""Moves that are tried. Of more, such as the bids of an auction, random ones: a rollout takes some microseconds, and a
game has hundreds of decisions."""

WORLDS = 6
"""Deals of the unknown cards that every move is tried in: the same ones for all moves, so that luck is shared."""


@lru_cache(maxsize=8)
def rollouts(game: Ruleset) -> Rollouts:
    """The machine code for rollouts of a game, made once."""
    from rulespec.engine.search.rollouts import Rollouts  # needs LLVM, which a browser does not have

    return Rollouts(game)


def best_action(state: NamedState, player: int, chance: NamedChance) -> int:
    """The move with the best mean outcome in rollouts. Draws are named like those of a random player."""
    legal = state.legal_actions(player)
    number = chance.next(state.game.program.code[state.pc].rule, player)
    if len(legal) == 1:
        return legal[0]
    tried = sorted(legal, key=lambda action: stream(number, chance.labels.action(action)))[:MOST_TRIED]
    values = dict.fromkeys(tried, 0.0)
    machine, possible = rollouts(state.game), unknown(state, player)
    for world in range(WORLDS):
        seed = stream(number, world)
        draws = Generator(seed)
        start = machine.start(state, *possible.world(draws))
        others = _others(state, player, Generator(seed))
        for action in tried:
            values[action] += _value(machine.outcome(start, {**others, player: action}, seed), player)
    return max(tried, key=values.__getitem__)


def _value(outcome: Outcome, player: int) -> float:
    """The player's part of the win, and a little for points ahead of the best other player, which breaks ties.

    Points and places together count less than three hundredths of a win.
    """
    winners = outcome.ranks.count(1)
    won = 1 / winners if outcome.ranks[player] == 1 else 0.0
    rivals = [score for seat, score in enumerate(outcome.scores) if seat != player]
    lead = outcome.scores[player] - max(rivals, default=0)
    return won + (lead / (1 + abs(lead)) + 1 / (1 + outcome.ranks[player])) / 100


def _others(state: NamedState, player: int, draws: Generator) -> dict[int, int]:
    """Random actions of all others who decide at once; what they have chosen is hidden."""
    return {
        seat: actions[draws.below(len(actions))] for seat, actions in state.asked.items() if seat != player and actions
    }
