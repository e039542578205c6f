"""The bots that search: each simulation starts from a position that is possible as far as their seat knows."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence

from rulespec.engine.interpreter.random import stream
from rulespec.engine.knowledge.possible_worlds import unknown
from rulespec.engine.search.tree_search import EVERYBODY, MOST_STEPS, Position, Search, Tree, Tried, search_of
from rulespec.engine.states.state import State
from rulespec.play.bots.limit import Limit

MOST_EDGES = 2**18
"""Edges of a tree, at most: 30 MB with its table. Later simulations still count, but the tree stays as it is."""

LOOKS = 20
"""Looks at the clock in the time of a bot, at least: simulations run at once until a call takes more than this part."""

WORLDS = 12
"""Deals of the unknown cards that `pimc` searches one by one, and that `greedy` tries every move in."""


def ismcts(state: State, player: int, seed: int, limit: Limit) -> int:
    """Information set Monte Carlo tree search with a view of its own for each player (MO-ISMCTS)."""
    return _best(_searched(state, player, seed, limit, EVERYBODY).tried(), state.legal_actions(player))


def so_ismcts(state: State, player: int, seed: int, limit: Limit) -> int:
    """The same with the view of the bot's own seat only (SO-ISMCTS)."""
    return _best(_searched(state, player, seed, limit, player).tried(), state.legal_actions(player))


def flat(state: State, player: int, seed: int, limit: Limit) -> int:
    """Flat Monte Carlo: the moves at hand share the simulations by UCB1; there is no tree below them."""
    return _best(valued(state, player, seed, limit), state.legal_actions(player))


def valued(state: State, player: int, seed: int, limit: Limit) -> list[Tried]:
    """The moves at hand with the rewards of their simulations, as `flat` compares them."""
    return _searched(state, player, seed, limit, EVERYBODY, depth=1).tried()


def pimc(state: State, player: int, seed: int, limit: Limit) -> int:
    """Perfect information Monte Carlo: searches some deals as if all cards were open, and adds up the visits."""
    search, share = search_of(state.game), _share(limit)
    trees = list(_worlds(search, state, player, seed, share, MOST_STEPS))
    for tree in trees:
        _grow(search, tree, share)
    return _best(_summed(trees), state.legal_actions(player))


def quick(state: State, player: int, seed: int, limit: Limit) -> int:
    """Flat Monte Carlo from what is in sight now, without a memory."""
    return search_of(state.game).quick_action(state, player, seed, limit.simulations)


def greedy(state: State, player: int, seed: int, limit: Limit) -> int:
    """Tries every move once in each of some deals, and takes the one that ends best on average."""
    search, legal = search_of(state.game), state.legal_actions(player)
    trees = list(_worlds(search, state, player, seed, Limit(len(legal)), 1))
    for tree in trees:
        search.simulate(tree, len(legal))
    return max(_possible(_summed(trees), legal), key=lambda tried: tried.total / max(1, tried.visits)).action


def _best(tried: Iterable[Tried], legal: Sequence[int]) -> int:
    """The legal action that was followed most often; of several, the one with the most reward."""
    # The action number comes last, so that the order in which the tree lists moves never decides.
    return max(_possible(tried, legal), key=lambda one: (one.visits, one.total, -one.action)).action


def _possible(tried: Iterable[Tried], legal: Sequence[int]) -> Sequence[Tried]:
    """What was tried of the legal actions; the first of them if nothing was. Where a spec makes it depend on something
    hidden who decides what, another player may decide in the worlds of the search, or other actions be legal there."""
    return [one for one in tried if one.action in legal] or [Tried(legal[0], 0, 0)]


def _summed(trees: Iterable[Tree]) -> list[Tried]:
    visits, totals = Counter[int](), Counter[int]()
    for tree in trees:
        for one in tree.tried():
            visits[one.action] += one.visits
            totals[one.action] += one.total
    return [Tried(action, visits[action], totals[action]) for action in sorted(visits)]


def _searched(state: State, player: int, seed: int, limit: Limit, viewer: int, depth: int = MOST_STEPS) -> Tree:
    search = search_of(state.game)
    tree = _tree(search, _position(search, state, player), player, seed, limit, viewer, depth)
    _grow(search, tree, limit)
    return tree


def _position(search: Search, state: State, player: int) -> Position:
    return search.position(state.pc, unknown(state, player))


def _tree(search: Search, position: Position, player: int, seed: int, limit: Limit, viewer: int, depth: int) -> Tree:
    players = search.game.players
    edges = min(MOST_EDGES, limit.simulations * players if limit.simulations else MOST_EDGES)
    return Tree(position, players, player, seed, edges, viewer, depth)


def _worlds(search: Search, state: State, player: int, seed: int, share: Limit, depth: int) -> Iterator[Tree]:
    """Trees of deals in which all is seen: the number of players stands for the view of everything."""
    position = _position(search, state, player)
    for world in range(WORLDS):
        drawn = stream(seed, world)
        dealt = search.dealt(_tree(search, position, player, drawn, Limit(1), EVERYBODY, 1))
        yield _tree(search, dealt, player, stream(drawn, 1), share, search.game.players, depth)


def _share(limit: Limit) -> Limit:
    """The part of a limit for each deal."""
    return Limit(-(-limit.simulations // WORLDS), -(-limit.milliseconds // WORLDS))


def _grow(search: Search, tree: Tree, limit: Limit) -> None:
    if limit.simulations:
        search.simulate(tree, limit.simulations)
        return
    began, count = time.monotonic(), 1
    end, before = began + limit.milliseconds / 1000, began
    while before < end:
        search.simulate(tree, count)
        now = time.monotonic()
        count, before = (count if (now - before) * LOOKS > end - began else 2 * count), now


Choose = Callable[[State, int, int, Limit], int]
"""Chooses a legal action of a player from what their seat may know; the third argument is a seed."""
