"""Options compared: those that always lead to the same position, and those that bots who search never take.

`Ground.compared` counts how often two options were both legal (`together`) and led to the same (`same`), how often an
option was clearly worse than another in the rollouts of a bot (`worse`) and how often it was the best (`best`).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from math import sqrt

from rulespec.engine.interpreter.random import Generator, stream
from rulespec.engine.search.tree_search import Tried, search_of
from rulespec.engine.states.state import State
from rulespec.language.model import spec as m
from rulespec.language.model.sight import OPEN
from rulespec.play.bots.limit import Limit
from rulespec.play.bots.searches import valued
from rulespec.play.deep.cells import CoveredGame, Position
from rulespec.play.deep.ground import Ground, middle
from rulespec.play.deep.lines import line_of, played

SIMULATIONS = 150
"""Simulations of a bot for one decision."""
MOST_ACTIONS = 40
"""Legal actions of a position in which all of them are tried."""
REWARD = 2**16
"""The reward of a win in a simulation."""
THINKS = 2
"""A bot decides one in so many times, and chance the others, so that it sees many positions."""


def effects(ground: Ground) -> Iterator[None]:
    """Tries all actions of positions of random games, and compares what they lead to."""
    for number in ground.allowance.units(0.05, 1):
        state = middle(ground, ground.game, number, record=False)
        if state is not None and not state.asked and 1 < len(state.legal) <= MOST_ACTIONS:
            _compare(ground, state)
        yield


def _compare(ground: Ground, state: State) -> None:
    game, found = ground.game, ground.compared
    reached: defaultdict[int, set[Position]] = defaultdict(set)
    for action in state.legal:
        later = state.clone()
        later.apply_action(action, state.player)
        reached[game.option_of[action]].add(_position(game, later))
    options = [option for option in reached if _comparable(game, option)]
    for at, one in enumerate(options):
        for other in options[:at]:
            pair = frozenset((one, other))
            found["together", pair] += 1
            found["same", pair] += reached[one] == reached[other]


def _comparable(game: CoveredGame, option: int) -> bool:
    """Whether an option can be compared with others: it has no pick, or nothing is hidden. Else an action may be worth
    taking for what others learn from it, such as a hint."""
    offered, spec = game.offers[option], game.spec
    sights = [one.sight for one in spec.zones.values()] + [one.sight for one in spec.values.values()]
    return not (isinstance(offered, m.Option) and offered.picks) or all(sight == OPEN for sight in sights)


def _position(game: CoveredGame, state: State) -> Position:
    """A position with all that players can distinguish, now and later; what was picked is no part of it."""
    picks = {pick.slot for option in game.program.options for pick in option.picks}
    registers = (content for slot, content in enumerate(state.r[: len(game.plain.start)]) if slot not in picks)
    asked = tuple((player, *legal) for player, legal in state.asked.items())
    return (*registers, *map(tuple, state.z), state.pc, state.player, *state.legal, asked, state.generator.state)


def bots(ground: Ground) -> Iterator[None]:
    """Games in which bots who search decide now and then. Their lines are covered, too."""
    search_of(ground.plain)  # compiled before the time is counted
    game, going = ground.plain, ground.allowance.going(0.15)
    for number in ground.allowance.units(0.15, 0.25):
        draws, seed = Generator(stream(ground.seed, number, 6)), stream(ground.seed, number, 7) >> 16
        state = game.new_initial_state(seed)
        while not state.is_terminal() and next(going, False):
            player = state.deciders()[0]
            legal = state.legal_actions(player)
            thinks = len(legal) > 1 and not draws.below(THINKS)
            action = legal[draws.below(len(legal))]
            if thinks:
                tried = valued(state, player, draws.below(2**32 - 1), Limit(SIMULATIONS))
                action = _judge(ground, [one for one in tried if one.action in legal]) or action
            state.apply_action(action, player)
            yield
        line = line_of(ground.game, seed, state.choices)
        ground.learn(played(ground.game, line), line)
        yield


def _judge(ground: Ground, tried: list[Tried]) -> int | None:
    """The action with the highest mean reward. Counts its option as best, and those that are clearly worse."""
    means = {one.action: one.total / REWARD / one.visits for one in tried if one.visits}
    if not means:
        return None
    game, found = ground.game, ground.compared
    best: dict[int, Tried] = {}
    # In rising order, so that the best action of each option is the one that stays.
    for one in sorted((one for one in tried if one.visits), key=lambda one: means[one.action]):
        best[game.option_of[one.action]] = one
    *others, top = sorted(best.items(), key=lambda item: means[item[1].action])
    if others and means[others[-1][1].action] < means[top[1].action]:
        found["best", frozenset([top[0]])] += 1
    for option, one in others:
        # For rewards between 0 and 1 this is two standard errors or more.
        clearly = means[one.action] + 1 / sqrt(one.visits) < means[top[1].action]
        if clearly and _comparable(game, option):
            found["worse", frozenset([option])] += 1
    return top[1].action
