"""The one-ply player: tries each move in rollouts from positions that are possible as far as it knows.

It sees what its seat may know. Cards that it does not know are dealt anew to the hidden places for each rollout, and
values that it does not see are drawn anew, so what they really are has no influence.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache

from rulespec.engine import ir
from rulespec.engine.evaluate import domain
from rulespec.engine.named.chance import NamedChance
from rulespec.engine.named.game import NamedState
from rulespec.engine.random import Generator, stream
from rulespec.engine.rollouts import Outcome, Rollouts
from rulespec.engine.ruleset import Ruleset
from rulespec.engine.state import State
from rulespec.model.types import NONE

MOST_TRIED = 8
"""Moves that are tried. Of more, such as the bids of an auction, random ones: a rollout takes some microseconds, and a
game has hundreds of decisions."""

WORLDS = 6
"""Deals of the unknown cards that every move is tried in: the same ones for all moves, so that luck is shared."""


@lru_cache(maxsize=8)
def rollouts(game: Ruleset) -> Rollouts:
    """The machine code for rollouts of a game, made once."""
    return Rollouts(game)


def best_action(state: NamedState, player: int, chance: NamedChance) -> int:
    """The move with the best mean outcome in rollouts. Draws are named like those of a random player."""
    legal = state.legal_actions(player)
    number = chance.next(state.game.program.code[state.pc].rule, player)
    if len(legal) == 1:
        return legal[0]
    tried = sorted(legal, key=lambda action: stream(number, chance.labels.action(action)))[:MOST_TRIED]
    values = dict.fromkeys(tried, 0.0)
    machine = rollouts(state.game)
    for world in range(WORLDS):
        seed = stream(number, world)
        draws = Generator(seed)
        start = machine.start(state, dealt(state, player, draws), guessed(state, player, draws))
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


def dealt(state: NamedState, player: int, draws: Generator) -> list[list[int]]:
    """The cards in all zones, with those that a player does not know dealt anew to their places."""
    knowledge = state.knowledge(player)
    zones = [cards[:] for cards in state.z]
    hidden = [zone for zone in range(len(zones)) if not knowledge.visible[zone]]
    kept = {zone: _kept(state, zones[zone], knowledge.at[zone], knowledge.loose[zone]) for zone in hidden}
    pool = [zones[zone][place] for zone in hidden for place in kept[zone].open]
    # In an order that does not depend on where they are.
    pool.sort(key=lambda card: (state.game.program.faces[card], card))
    _shuffle(pool, draws)
    for zone in hidden:
        cards = [*sorted(kept[zone].cards), *(pool.pop() for _ in kept[zone].open)]
        places = sorted((*kept[zone].places, *kept[zone].open))
        _shuffle(cards, draws)
        for place, card in zip(places, cards, strict=True):
            zones[zone][place] = card
    return zones


def guessed(state: State, player: int, draws: Generator) -> list[int]:
    """The registers, with every value and every draw that a player does not see drawn anew from all that it can hold.

    An absent value stays absent: whether a die was rolled is public.
    """
    game, registers = state.game, state.r[:]
    for slot in sorted(state.knowledge(player).view.hidden):
        if registers[slot] != NONE:
            type_ = game.spec.values[game.observers.cell_of(slot)[0]].type
            places = game.setting.places(type_)
            registers[slot] = places[draws.below(len(places))]
    for draw in game.program.code:
        if isinstance(draw, ir.Draw) and draw.viewers >= 0 and not state.r[draw.viewers] >> player & 1:
            drawn = list(domain(draw.domain)(registers, state.z))
            registers[draw.slot] = drawn[draws.below(len(drawn))] if drawn else registers[draw.slot]
    return registers


class _Kept:
    """The cards that stay in a hidden zone: known to be there, at an unknown place. All others are at `open`."""

    def __init__(self) -> None:
        self.cards: list[int] = []
        self.places: list[int] = []
        self.open: list[int] = []


def _kept(state: NamedState, cards: Sequence[int], at: Sequence[int | None], loose: Counter[int]) -> _Kept:
    left, kept = Counter(loose), _Kept()
    for place, card in enumerate(cards):
        face = state.game.program.faces[card]
        if at[place] is not None:
            continue
        if left[face] > 0:
            left[face] -= 1
            kept.cards.append(card)
            kept.places.append(place)
        else:
            kept.open.append(place)
    return kept


def _shuffle(cards: list[int], draws: Generator) -> None:
    for last in range(len(cards) - 1, 0, -1):
        other = draws.below(last + 1)
        cards[last], cards[other] = cards[other], cards[last]
