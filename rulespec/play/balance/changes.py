"""Paired comparison of the options of rulings: game 7 of a seed with the chosen option and with another one.

Both games have the same deal, and the same choices up to the point where the option first matters. So the difference
has a smaller variance than between independent games.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from rulespec.engine.states.game import Game
from rulespec.play.balance.accumulator import Accumulator, PairColumns
from rulespec.play.balance.cross_products import CrossProducts
from rulespec.play.balance.estimate import Estimate, holm, mean
from rulespec.play.balance.result import MEASURES, Alternative, Change
from rulespec.play.balance.rulings import Answer, Asked
from rulespec.play.simulate.figures import Moments


def changes_of(game: Game, sums: Accumulator, asked: Asked) -> tuple[Alternative, ...]:
    """Every other option: first the largest changes, then options without effect, then those that cannot be played."""
    measured = [_measured(sums, products) for products in sums.pairs]
    shown = iter(holm([found[name].difference.chance for found in measured for name in MEASURES]))
    played = [
        _alternative(game, answer, products.at(0, PairColumns.of(game.players).differs), _changes(found, shown))
        for answer, products, found in zip(asked.played, sums.pairs, measured, strict=True)
    ]
    played.sort(key=lambda one: (one.shows, one.size, one.differing), reverse=True)
    same = (_alternative(game, answer, 0, {}) for answer in asked.same)
    return (*played, *same, *(_alternative(game, answer, 0, {}, why) for answer, why in asked.failed))


def _alternative(
    game: Game, answer: Answer, differing: int, changes: Mapping[str, Change], failed: str = ""
) -> Alternative:
    ruling = game.spec.rulings[answer.ruling]
    taken = ruling.options[game.setting.chosen[answer.ruling]]
    return Alternative(ruling.id, ruling.question, taken, ruling.options[answer.number], differing, changes, failed)


class _Measured(NamedTuple):
    """A measure before and after; `spread` is its standard deviation between games, or between players."""

    before: float
    after: float
    difference: Estimate
    spread: float


def _changes(found: Mapping[str, _Measured], shown: Iterator[bool]) -> dict[str, Change]:
    # `shown` goes on with the next option. As the second argument it loses none: `zip` ends at the first one.
    return {name: _change(one, shows) for (name, one), shows in zip(found.items(), shown, strict=False)}


def _change(one: _Measured, shows: bool) -> Change:
    size = (abs(one.difference.value) / one.spread if one.spread else math.inf) if shows else 0.0
    return Change(one.before, one.after, one.difference, shows, size)


def _measured(sums: Accumulator, products: CrossProducts) -> dict[str, _Measured]:
    """By measure, in the order of MEASURES."""
    figures, columns = sums.figures, PairColumns.of(sums.figures.players)
    points, length = _pooled(figures.points), figures.decisions
    shared = figures.shared / figures.games
    return {
        "advantage": _advantage(products, figures.players, figures.parts),
        "points": _shift(points.mean, mean(products, {columns.points: 1}, figures.players), points.deviation),
        "decisions": _shift(length.mean, mean(products, {columns.decisions: 1}), length.deviation),
        "shared": _shared(shared, mean(products, {columns.shared: 1})),
    }


def _shift(before: float, difference: Estimate, spread: float) -> _Measured:
    return _Measured(before, before + difference.value, difference, spread)


def _shared(before: float, difference: Estimate) -> _Measured:
    """The spread is that of the mean of both shares, since the share before may be 0."""
    middle = before + difference.value / 2
    return _shift(before, difference, math.sqrt(max(0.0, middle * (1 - middle))))


def _advantage(products: CrossProducts, players: int, parts: int) -> _Measured:
    """The largest share of wins minus the smallest. The interval treats the two seats as given (delta method), which
    makes it too wide if several seats are nearly equal."""
    after, before = _ends(products, range(1, players + 1)), _ends(products, range(players + 1, 2 * players + 1))
    # One seat may be at several ends; its weights add up.
    weights = {after[0]: 1, before[0]: -1}
    weights = {**weights, after[1]: weights.get(after[1], 0) - 1, before[1]: weights.get(before[1], 0) + 1}
    scale = products.count * parts
    now, then = ((products.at(0, most) - products.at(0, least)) / scale for most, least in (before, after))
    return _Measured(now, then, mean(products, weights, parts), math.sqrt((players - 1) / players**2))


def _ends(products: CrossProducts, columns: range) -> tuple[int, int]:
    """The columns with the largest and the smallest sum."""
    return max(columns, key=lambda i: products.at(0, i)), min(columns, key=lambda i: products.at(0, i))


def _pooled(points: Sequence[Moments]) -> Moments:
    """The moments of the points of all seats together."""
    whole = Moments()
    for seat in points:
        whole.join(seat)
    return whole
