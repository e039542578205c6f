"""The path through the sentences of a text that picks one rule for each: a Viterbi search."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cache

STAY, STEP, JUMP, BACK, NOTHING = 0.0, 0.06, 0.04, 0.06, 0.35
"""Transition costs of the search (same rule, another rule, per logarithm of the distance, backward), and the score of
stating no rule. A jump back costs a fifth of an average score, so that lists in any order are read item by item."""


def best_path(scores: Sequence[Sequence[float]]) -> list[int]:
    """The index of a rule for every sentence, or one past the last for none: the path with the best total."""
    if not scores:
        return []
    costs = _costs(len(scores[0]) + 1)
    best = [*scores[0], NOTHING]
    back: list[list[int]] = []
    for row in scores[1:]:
        came, own = _arrival(best, costs), (*row, NOTHING)
        back.append(came)
        best = [best[before] - costs[before][to] + own[to] for to, before in enumerate(came)]
    path = [max(range(len(best)), key=best.__getitem__)]
    for came in reversed(back):
        path.append(came[path[-1]])
    return path[::-1]


def _arrival(best: Sequence[float], costs: Sequence[Sequence[float]]) -> list[int]:
    """For every state the best one before it: itself, or one that is behind the best by less than a step may cost."""
    least = max(best) - (max(map(max, costs)) - STEP)
    near = [(value, before) for before, value in enumerate(best) if value >= least]
    found, arrived = list(range(len(best))), list(best)
    for value, before in near:
        for to, cost in enumerate(costs[before]):
            if value - cost > arrived[to]:
                found[to], arrived[to] = before, value - cost
    return found


@cache
def _costs(states: int) -> Sequence[Sequence[float]]:
    """The cost of going from each state to each other."""
    return [[_cost(before, to, states) for to in range(states)] for before in range(states)]


def _cost(before: int, to: int, states: int) -> float:
    if before == to:
        return STAY
    if states - 1 in (before, to):
        return STEP
    distance = to - before
    return STEP + (JUMP * math.log(distance) if distance > 0 else BACK + JUMP * math.log(-distance))
