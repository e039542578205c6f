"""Options compared: those that always lead to the same position, and those that bots who search never take."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from math import sqrt

from rulespec.engine.interpreter.random import Generator, stream
from rulespec.engine.search.tree_search import Tried, search_of
from rulespec.engine.states.state import State
from rulespec.language.model import spec as m
from rulespec.language.model.sight import OPEN
from rulespec.language.model.step import Step
from rulespec.play.bots.limit import Limit
from rulespec.play.bots.searches import valued
from rulespec.play.deep.cells import CoveredGame, Position
from rulespec.play.deep.ground import Ground, line_of
from rulespec.play.deep.lines import played, states

SIMULATIONS = 150
"""Simulations of a bot for one decision."""
MOST_ACTIONS = 40
"""Legal actions of a position in which all of them are tried."""
REWARD = 2**16
"""The reward of a win in a simulation."""
THINKS = 2
"""A bot decides one in so many times, and chance the others, so that it sees many positions."""


@dataclass
class Compared:
    """How often two options were both legal, and how often they led to the same; how often an option was clearly worse
    than another in the rollouts of a bot, and how often it was the best."""

    together: Counter[frozenset[Step]] = field(default_factory=Counter)
    same: Counter[frozenset[Step]] = field(default_factory=Counter)
    worse: Counter[Step] = field(default_factory=Counter)
    best: Counter[Step] = field(default_factory=Counter)

    def add(self, other: Compared) -> None:
        for mine, theirs in (
            (self.together, other.together),
            (self.same, other.same),
            (self.worse, other.worse),
            (self.best, other.best),
        ):
            mine.update(theirs)  # type: ignore[arg-type]


def effects(ground: Ground, found: Compared) -> Iterator[None]:
    """Tries all actions of positions of random games, and compares what they lead to."""
    for number in ground.allowance.units(0.05, 1):
        if number >= len(ground.samples):
            return
        *_, (state, _) = states(ground.samples[number])
        if not state.asked and 1 < len(state.legal) <= MOST_ACTIONS:
            _compare(ground.game, state, found)
        yield


def _compare(game: CoveredGame, state: State, found: Compared) -> None:
    reached: defaultdict[Step, set[Position]] = defaultdict(set)
    for action in state.legal:
        later = state.clone()
        later.apply_action(action, state.player)
        reached[game.owners[action]].add(_position(game, later))
    options = [option for option in reached if _is_open(game.spec) or not _picks(option)]
    for at, one in enumerate(options):
        for other in options[:at]:
            pair = frozenset((one, other))
            found.together[pair] += 1
            found.same[pair] += reached[one] == reached[other]


def _is_open(spec: m.Spec) -> bool:
    """Whether nothing is hidden. Else an action may be worth taking for what others learn from it, such as a hint: if
    it has a pick, it is not compared with other options."""
    zones, values = spec.zones.values(), spec.values.values()
    return all(zone.sight == OPEN for zone in zones) and all(value.sight == OPEN for value in values)


def _picks(option: Step) -> bool:
    return isinstance(option, m.Option) and bool(option.picks)


def _position(game: CoveredGame, state: State) -> Position:
    """A position with all that players can distinguish, now and later; what was picked is no part of it."""
    picks = {pick.slot for option in game.program.options for pick in option.picks}
    registers = (content for slot, content in enumerate(state.r[: len(game.plain.start)]) if slot not in picks)
    asked = tuple((player, *legal) for player, legal in state.asked.items())
    return (*registers, *map(tuple, state.z), state.pc, state.player, *state.legal, asked, state.generator.state)


def bots(ground: Ground, found: Compared) -> Iterator[None]:
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
                action = _judge(ground, found, [one for one in tried if one.action in legal]) or action
            state.apply_action(action, player)
            yield
        line = line_of(ground.game, seed, state.choices)
        ground.learn(played(line), line)
        yield


def _judge(ground: Ground, found: Compared, tried: list[Tried]) -> int | None:
    """The action with the highest mean reward. Counts its option as best, and those that are clearly worse."""
    means = {one.action: one.total / REWARD / one.visits for one in tried if one.visits}
    if not means:
        return None
    best: dict[Step, Tried] = {}
    # In rising order, so that the best action of each option is the one that stays.
    for one in sorted((one for one in tried if one.visits), key=lambda one: means[one.action]):
        best[ground.game.owners[one.action]] = one
    *others, top = sorted(best.items(), key=lambda item: means[item[1].action])
    if others and means[others[-1][1].action] < means[top[1].action]:
        found.best[top[0]] += 1
    for option, one in others:
        # For rewards between 0 and 1 this is two standard errors or more.
        clearly = means[one.action] + 1 / sqrt(one.visits) < means[top[1].action]
        if clearly and (_is_open(ground.setting.spec) or not _picks(option)):
            found.worse[option] += 1
    return top[1].action
