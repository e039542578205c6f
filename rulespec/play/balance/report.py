"""Computes the figures of a report from the accumulated sums."""

from __future__ import annotations

from collections.abc import Sequence
from copy import deepcopy
from dataclasses import dataclass

from rulespec.engine.states.game import Game
from rulespec.play.balance.accumulator import Accumulator, Award, PrizeColumns, awards, seats
from rulespec.play.balance.card_kinds import CardKind, kinds_of
from rulespec.play.balance.changes import changes_of
from rulespec.play.balance.cross_products import CrossProducts, joined
from rulespec.play.balance.estimate import Estimate, Test, equality_test, mean, ratio, share
from rulespec.play.balance.regression import Fit, fit
from rulespec.play.balance.result import Balance, Card, Cards, Prize, Prizes, Regression, Seat, Seats
from rulespec.play.balance.rulings import Asked
from rulespec.play.bots.games import Players
from rulespec.play.simulate.figures import proportion


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
        engine=game.engine,
        seconds=seconds,
        points=ranking.keys[0].title if ranking is not None else "",
        high=ranking is None or ranking.keys[0].high,
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
