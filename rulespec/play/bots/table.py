"""The table of bots."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from rulespec.engine.interpreter.random import Generator
from rulespec.engine.states.state import State
from rulespec.play.bots.limit import Limit
from rulespec.play.bots.searches import Choose, flat, greedy, ismcts, pimc, quick, so_ismcts
from rulespec.play.bots.thinking import Thinking


@dataclass(frozen=True)
class Kind:
    """A kind of bot. `limit` is how long it thinks unless its name says otherwise; None if it takes no limit, and
    without simulations if it takes a time only. `searches` says whether it needs the code of searches
    (`engine/search/tree_search.py`), `whole` whether games of such bots run in one go there."""

    name: str
    summary: str
    choose: Choose
    limit: Limit | None = None
    searches: bool = True
    whole: bool = False


def random(state: State, player: int, seed: int, limit: Limit) -> Thinking[int]:
    """A uniformly random legal action."""
    yield from ()
    legal = state.legal_actions(player)
    return legal[Generator(seed).below(len(legal))]


BOTS: Mapping[str, Kind] = {
    kind.name: kind
    for kind in (
        Kind("random", "chooses uniformly among its legal actions", random, searches=False, whole=True),
        Kind("greedy", "takes the move that ends best in a few rollouts of each", greedy, Limit()),
        Kind("quick", "flat Monte Carlo from what is in sight now, in playouts", quick, Limit(50), whole=True),
        Kind("flat", "flat Monte Carlo: rollouts of the moves at hand, shared by UCB1", flat, Limit(1000)),
        Kind("pimc", "perfect information Monte Carlo: searches some deals as if they were open", pimc, Limit(1000)),
        Kind("ismcts", "information set Monte Carlo tree search, a view for each player", ismcts, Limit(1000)),
        Kind("so-ismcts", "the same with the view of its own seat only", so_ismcts, Limit(1000)),
    )
}


LEVELS: Mapping[str, str] = {"easy": "ismcts:200/200ms", "medium": "ismcts:2000/1s", "hard": "ismcts:20000/5s"}
"""Bots by their strength: names that need no knowledge of algorithms. Nobody waits longer for them than their time;
machine code makes the simulations in a part of it."""

USUAL = "medium"
"""The opponent of people who name none."""
