"""The bots that search: each simulation starts from a position that is possible as far as their seat knows."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import inf

from rulespec.engine.interpreter.random import Generator, stream
from rulespec.engine.knowledge.possible_worlds import unknown
from rulespec.engine.search.tree_search import EVERYBODY, MOST_STEPS, Position, Search, Tree, Tried, search_of
from rulespec.engine.states.state import State
from rulespec.play.bots.limit import Limit
from rulespec.play.bots.thinking import Thinking, thought

MOST_EDGES = 2**18
"""Edges of a tree, at most: 30 MB with its table. Later simulations still count, but the tree stays as it is."""

WORLDS = 12
"""Deals of the unknown cards that `pimc` searches one by one, and that `greedy` tries every move in."""

IN_TIME = 0.96
"""The share of the time after which no search goes on: what comes last may take longer than was foreseen."""

SECONDS_IN_PYTHON = 10.0
"""The longest move of a bot that is given no time, where searches run as Python."""


def ismcts(state: State, player: int, seed: int, limit: Limit) -> Thinking[int]:
    """Information set Monte Carlo tree search with a view of its own for each player (MO-ISMCTS)."""
    tree = yield from _searched(state, player, seed, limit, EVERYBODY)
    return _best([tree], state.legal_actions(player), seed)


def compared(state: State, player: int, seed: int, limit: Limit) -> tuple[list[Tried], bool]:
    """The moves at hand that `ismcts` has tried, its own first; none if no simulation ended in time. And whether most
    simulations were played on to the end of the game."""
    tree = thought(_searched(state, player, seed, limit, EVERYBODY))
    played_on = 2 * tree.stopped * state.game.players <= tree.control.backed
    return _sorted([tree], state.legal_actions(player), _by_visits), played_on


def so_ismcts(state: State, player: int, seed: int, limit: Limit) -> Thinking[int]:
    """The same with the view of the bot's own seat only (SO-ISMCTS)."""
    tree = yield from _searched(state, player, seed, limit, player)
    return _best([tree], state.legal_actions(player), seed)


def flat(state: State, player: int, seed: int, limit: Limit) -> Thinking[int]:
    """Flat Monte Carlo: the moves at hand share the simulations by UCB1; there is no tree below them."""
    tree = yield from _searched(state, player, seed, limit, EVERYBODY, depth=1)
    return _best([tree], state.legal_actions(player), seed)


def valued(state: State, player: int, seed: int, limit: Limit) -> list[Tried]:
    """The moves at hand with the rewards of their simulations, as `flat` compares them."""
    return thought(_searched(state, player, seed, limit, EVERYBODY, depth=1)).tried()


def pimc(state: State, player: int, seed: int, limit: Limit) -> Thinking[int]:
    """Perfect information Monte Carlo: searches some deals as if all cards were open, and adds up the visits."""
    share = Limit(-(-limit.simulations // WORLDS), limit.milliseconds)
    trees = yield from _deals(state, player, seed, share, MOST_STEPS)
    return _best(trees, state.legal_actions(player), seed)


def quick(state: State, player: int, seed: int, limit: Limit) -> Thinking[int]:
    """Flat Monte Carlo from what is in sight now, without a memory."""
    search = search_of(state.game)
    clock, count = _Clock.of(search, limit), limit.most_simulations
    tree = search.quick_tree(state, player, seed, count, clock.end)
    yield from _growing(search, tree, count - 1, clock)
    return _best([tree], state.legal_actions(player), seed)


def greedy(state: State, player: int, seed: int, limit: Limit) -> Thinking[int]:
    """Tries every move once in each of some deals, and takes the one that ends best on average."""
    legal = state.legal_actions(player)
    trees = yield from _deals(state, player, seed, Limit(len(legal), limit.milliseconds), 1)
    return _best(trees, legal, seed, lambda tried: (tried.total / max(1, tried.visits),))


def _by_visits(tried: Tried) -> tuple[float, ...]:
    # The action number comes last, so that the order in which the tree lists moves never decides.
    return tried.visits, tried.total, -tried.action


def _best(
    trees: Sequence[Tree], legal: Sequence[int], seed: int, worth: Callable[[Tried], tuple[float, ...]] = _by_visits
) -> int:
    """The legal action of most worth in some trees, by default the one followed most often, and of several the one with
    the most reward. A random one if no simulation ended in time.

    If nothing legal was tried, it is the first. Where a spec makes it depend on something hidden who decides what,
    another player may decide in the worlds of the search, or other actions be legal there.
    """
    if not any(tree.control.backed for tree in trees):
        return legal[Generator(seed).below(len(legal))]
    tried = _sorted(trees, legal, worth)
    return tried[0].action if tried else legal[0]


def _sorted(trees: Sequence[Tree], legal: Sequence[int], worth: Callable[[Tried], tuple[float, ...]]) -> list[Tried]:
    """The legal actions that were tried in some trees, those of most worth first."""
    visits, totals = Counter[int](), Counter[int]()
    for one in (one for tree in trees if tree.control.backed for one in tree.tried()):
        visits[one.action] += one.visits
        totals[one.action] += one.total
    tried = [Tried(action, visits[action], totals[action]) for action in sorted(visits) if action in legal]
    return sorted(tried, key=worth, reverse=True)


@dataclass(frozen=True)
class _Clock:
    """When thinking began, and when it must end, as times of the monotonic clock."""

    began: float
    end: float

    @staticmethod
    def of(search: Search, limit: Limit) -> _Clock:
        now = time.monotonic()
        seconds = limit.milliseconds / 1000 or (SECONDS_IN_PYTHON if search.in_python else inf)
        return _Clock(now, now + IN_TIME * seconds)

    def share(self) -> float:
        """The share of the time that is over, 0 without an end."""
        return (time.monotonic() - self.began) / (self.end - self.began)

    def at(self, share: float) -> float:
        """The time when this share of it is over."""
        return inf if self.end == inf else self.began + (self.end - self.began) * share


def _growing(search: Search, tree: Tree, count: int, clock: _Clock, part: int = 0, parts: int = 1) -> Thinking[bool]:
    """Grows a tree, one of some `parts` that share the time. Returns whether it was stopped."""
    for done in search.simulating(tree, count, clock.at((part + 1) / parts)):
        if (yield min(1.0, max(clock.share(), (part + done / count) / parts))):
            return True
    return False


def _searched(
    state: State, player: int, seed: int, limit: Limit, viewer: int, depth: int = MOST_STEPS
) -> Thinking[Tree]:
    search = search_of(state.game)
    clock = _Clock.of(search, limit)
    tree = _tree(search, search.position(state.pc, unknown(state, player)), player, seed, limit, viewer, depth)
    yield from _growing(search, tree, limit.most_simulations, clock)
    return tree


def _tree(search: Search, position: Position, player: int, seed: int, limit: Limit, viewer: int, depth: int) -> Tree:
    players = search.game.players
    most = MOST_EDGES if limit.simulations or viewer < players else MOST_EDGES // WORLDS  # for all deals as many
    return Tree(position, players, player, seed, min(most, limit.most_simulations * players), viewer, depth)


def _deals(state: State, player: int, seed: int, share: Limit, depth: int) -> Thinking[list[Tree]]:
    """Trees of deals in which all is seen: the number of players stands for the view of everything. All deals share the
    time, and each has all simulations of `share`."""
    search, trees = search_of(state.game), list[Tree]()
    clock = _Clock.of(search, share)
    position = search.position(state.pc, unknown(state, player))
    for world in range(WORLDS):
        drawn = stream(seed, world)
        dealt = search.dealt(_tree(search, position, player, drawn, Limit(1), EVERYBODY, 1))
        trees.append(_tree(search, dealt, player, stream(drawn, 1), share, search.game.players, depth))
        if (yield from _growing(search, trees[-1], share.most_simulations, clock, world, WORLDS)):
            break
    return trees


Choose = Callable[[State, int, int, Limit], Thinking[int]]
"""Chooses a legal action of a player from what their seat may know; the third argument is a seed."""
