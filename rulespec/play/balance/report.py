"""Computes the figures of a report from the accumulated sums."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass
from operator import mul
from typing import NamedTuple

from rulespec.engine.states.game import Game
from rulespec.play.balance.accumulator import Accumulator, Award, PairColumns, PrizeColumns, awards, seats
from rulespec.play.balance.card_kinds import CardKind, kinds_of
from rulespec.play.balance.cross_products import CrossProducts, joined
from rulespec.play.balance.estimate import Estimate, Test, around, equality_test, holm, mean, ratio, share
from rulespec.play.balance.result import (
    MEASURES,
    Alternative,
    Balance,
    Card,
    Cards,
    Change,
    Prize,
    Prizes,
    Regression,
    Seat,
    Seats,
)
from rulespec.play.balance.rulings import Answer, Asked
from rulespec.play.bots.games import Players
from rulespec.play.simulate.figures import Moments, proportion


@dataclass(frozen=True)
class Fit:
    """The coefficient of each column. A column that is missing from `effects` is a linear combination of those before
    it. `explained` is R²; NaN if the dependent variable is constant."""

    intercept: Estimate
    effects: Mapping[int, Estimate]
    explained: float
    rows: int


def fit(batches: Sequence[CrossProducts]) -> Fit:
    """Regresses the last column on the others; there is at least one batch, and one row.

    `batches` are independent groups of rows. Standard errors are cluster-robust by batch (Liang and Zeger 1986), with
    the small-sample correction that Stata calls CR1, and one degree of freedom less than batches. A game is never
    divided between batches, since its players are not independent.
    """
    whole = joined(batches)
    swept = _swept(whole)
    free = [i for i in range(whole.size - 1) if swept.used[i]]
    coefficients = {i: swept.coefficient(i) for i in free}
    scores = [_score(batch, free, coefficients) for batch in batches]
    few = _for_few(len(batches), whole.count, len(free))
    found = {}
    for i in free:
        inverse = [swept.inverse(i, j) for j in free]
        spread = sum(sum(map(mul, inverse, score)) ** 2 for score in scores)
        found[i] = around(coefficients[i], math.sqrt(few * spread), len(batches) - 1)
    return Fit(found.pop(0), found, _explained(whole, swept), whole.count)


def _for_few(batches: int, rows: int, rank: int) -> float:
    """The CR1 correction for few clusters and fitted columns; NaN without residual degrees of freedom."""
    return batches / (batches - 1) * (rows - 1) / (rows - rank) if batches > 1 and rows > rank else math.nan


def _score(batch: CrossProducts, free: Sequence[int], coefficients: Mapping[int, float]) -> list[float]:
    """The score X'u of a batch: each column times the residuals."""
    last = batch.size - 1
    return [batch.at(i, last) - sum(batch.at(i, j) * coefficients[j] for j in free) for i in free]


def _explained(whole: CrossProducts, swept: _Swept) -> float:
    last = whole.size - 1
    varies = whole.count * whole.at(last, last) - whole.at(0, last) ** 2
    left = swept.cells[last][last] * whole.count
    return 1 - left / (swept.over * varies) if varies else math.nan


@dataclass(frozen=True)
class _Swept:
    """X'X swept on every linearly independent column; its values are `cells` divided by `over`, all integers."""

    cells: list[list[int]]
    over: int
    used: list[bool]

    def coefficient(self, i: int) -> float:
        return self.cells[i][-1] / self.over

    def inverse(self, i: int, j: int) -> float:
        return self.cells[i][j] / self.over


def _swept(products: CrossProducts) -> _Swept:
    """The sweep operator of Goodnight (1979) without fractions. As in the elimination of Bareiss (1968), every number
    is a minor of X'X, so all divisions are exact, and a linearly dependent column leaves exactly 0.
    """
    cells = [[products.at(i, j) for j in range(products.size)] for i in range(products.size)]
    over, used = 1, [False] * products.size
    # Not the last column, which is the dependent variable.
    for k in range(products.size - 1):
        if cells[k][k]:
            over, used[k] = _sweep(cells, k, over), True
    return _Swept(cells, over, used)


def _sweep(cells: list[list[int]], k: int, over: int) -> int:
    """Sweeps on column k and returns the new common denominator."""
    pivot, column = cells[k][k], [row[k] for row in cells]
    for i, row in enumerate(cells):
        if i != k:
            cells[i] = [(a * pivot - column[i] * b) // over for a, b in zip(row, cells[k], strict=True)]
            cells[i][k] = -column[i]
    cells[k][k] = over
    return pivot


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


@dataclass(frozen=True)
class Played:
    """The games of a report: the sums of each batch, the other options played (None without a comparison of rulings),
    and the bots that played, None for random players."""

    game: Game
    seed: int
    batches: Sequence[Accumulator]
    asked: Asked | None
    players: Players | None = None

    def whole(self) -> Accumulator:
        """The sums of all batches."""
        # A copy: `join` changes it, and the regression needs every batch as it is.
        whole = deepcopy(self.batches[0])
        for batch in self.batches[1:]:
            whole.join(batch)
        return whole


def report(played: Played, seconds: float) -> Balance:
    """The whole report; `seconds` is the wall time of the games."""
    game, sums, ranking = played.game, played.whole(), played.game.program.ranking
    answers = game.identity()["rulings"]
    return Balance(
        game=game.spec.id,
        title=game.spec.title,
        version=game.spec.version,
        players=game.players,
        bots=tuple(played.players.to_list()) if played.players is not None else ("random",),
        answers=answers,
        chosen={id_: answer for id_, answer in answers.items() if game.setting.chosen[id_]},
        games=sums.figures.games,
        seed=played.seed,
        engine=game.code.playing,
        seconds=seconds,
        points=ranking.keys[0].title if ranking is not None else "",
        high=ranking is None or ranking.keys[0].high,
        better=sums.figures.played_better(game) if played.players is None else None,
        seats=seats_of(sums),
        prizes=prizes_of(sums, awards(game)),
        cards=cards_of(game, played.batches),
        rulings=changes_of(game, sums, played.asked) if played.asked is not None else None,
    )


# --- seats -----------------------------------------------------------------------------------------------------------


def seats_of(sums: Accumulator) -> Seats:
    """The figures of the seats, and the tests whether they differ."""
    figures, columns = sums.figures, seats(sums.figures.players)
    test, decisions = equality_test(sums.wins, columns), figures.decisions
    shares = [won / (figures.parts * figures.games) for won in figures.wins]
    return Seats(
        tuple(_seat(sums, seat, test) for seat in range(figures.players)),
        test,
        equality_test(sums.points, columns),
        max(shares) - min(shares),
        Estimate(*proportion(figures.shared, figures.games)),
        Estimate(decisions.mean, *decisions.interval()),
    )


def _seat(sums: Accumulator, seat: int, test: Test | None) -> Seat:
    figures, points = sums.figures, sums.figures.points[seat]
    share_won = Estimate(*proportion(figures.wins[seat] / figures.parts, figures.games))
    return Seat(
        share_won,
        mean(sums.points, {1 + seat: 1}),
        points.least or 0,
        points.most or 0,
        _differs(sums.wins, figures.players, seat) if test is not None and test.shows else 0,
    )


def _differs(wins: CrossProducts, players: int, seat: int) -> int:
    """Whether a seat wins significantly more (1) or less (-1) than the mean of all seats; 0 if neither."""
    columns = seats(players)
    weights = {column: players * (column == 1 + seat) - 1 for column in columns}
    found = mean(wins, weights)
    return (found.value > 0) - (found.value < 0) if found.chance < 0.05 else 0


# --- prizes ----------------------------------------------------------------------------------------------------------


def prizes_of(sums: Accumulator, given: Sequence[Award]) -> Prizes | None:
    """The figures of the prizes; None for a game without awards."""
    if not given:
        return None
    points = sum(seat.total for seat in sums.figures.points)
    found = (_prize(award, products, sums, points) for award, products in zip(given, sums.awards, strict=True))
    return Prizes(tuple(found), sums.unexplained == 0)


def _prize(award: Award, products: CrossProducts, sums: Accumulator, points: int) -> Prize:
    players = sums.figures.players
    columns, of_seats = PrizeColumns.of(players), seats(players)
    times = dict.fromkeys(of_seats, 1)
    worth = {columns.worth: 1}
    return Prize(
        award.title,
        award.name,
        mean(products, times),
        share(products, {columns.nobody: 1}, {**times, columns.nobody: 1}),
        ratio(products, worth, times) if award.worth else None,
        mean(products, worth, players) if award.worth else None,
        products.total(worth) / points if award.worth and points else None,
        tuple(share(products, {seat: 1}, times) for seat in of_seats),
        share(products, {columns.won: 1}, times, sums.figures.parts),
    )


# --- cards -----------------------------------------------------------------------------------------------------------


def cards_of(game: Game, batches: Sequence[Accumulator]) -> Cards | None:
    """The regression of points on cards; None if no player ever holds any, or if points are constant."""
    batched, kinds = [batch.cards for batch in batches if batch.cards is not None], kinds_of(game)
    held = any(any(products.cells[1 : products.size - 1]) for products in batched)
    if not held or _constant(joined(batched), batched[0].size - 1):
        return None
    faces = [(kind, (column,)) for column, kind in enumerate(kinds.columns)]
    return Cards(
        _regression(batched, kinds.groups),
        _regression(batched, faces) if kinds.coarse else None,
        sum(products.count for products in batched),
        len(batched),
    )


def _regression(batched: Sequence[CrossProducts], groups: Sequence[tuple[CardKind, Sequence[int]]]) -> Regression:
    points = batched[0].size - 1
    wanted = [*([1 + column for column in columns] for _, columns in groups), [points]]
    merged = [products.merged(wanted) for products in batched]
    found, whole = fit(merged), joined(merged)
    listed = (_card(kind, column, whole, found) for column, (kind, _) in enumerate(groups, 1))
    return Regression(tuple(listed), found.explained)


def _card(kind: CardKind, column: int, whole: CrossProducts, found: Fit) -> Card:
    number, effect = whole.at(0, column), found.effects.get(column)
    why = "" if effect else "never" if not number else "always" if _constant(whole, column) else "follows"
    return Card(kind.name, kind.copies, number / whole.count, effect, why)


def _constant(products: CrossProducts, column: int) -> bool:
    return products.count * products.at(column, column) == products.at(0, column) ** 2
