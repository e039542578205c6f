"""A report as sections of sentences and tables, for any output format."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from rulespec.base.messages import Message, say
from rulespec.play.balance import sentences
from rulespec.play.balance.estimate import Estimate
from rulespec.play.balance.result import MEASURES, Alternative, Balance, Card, Cards, Prize, Prizes, Regression, Seats
from rulespec.play.balance.sentences import COUNT, POINTS, SHARE, Format

_STEPS = (1.0, 2.0, 5.0, 10.0)
"""Steps between ticks, times a power of ten: those that people read without counting."""

_INTERVALS = 4
"""At most this many steps between the extreme values, so that most labels fit below a narrow plot."""


@dataclass(frozen=True)
class Axis:
    """Ticks in equal steps; `digits` is the number of decimals that distinguish them."""

    ticks: tuple[float, ...]
    digits: int

    @classmethod
    def over(cls, values: Iterable[float]) -> Axis:
        """The axis that covers all finite values; from 0 to 1 if there are none."""
        finite = [value for value in values if math.isfinite(value)] or [0.0, 1.0]
        low, high = min(finite), max(finite)
        if low == high:
            low, high = low - (abs(low) / 10 or 1), high + (abs(high) / 10 or 1)
        step = _step((high - low) / _INTERVALS)
        # A value that should be a multiple of the step may miss it by a rounding error.
        first, last = math.floor(round(low / step, 6)), math.ceil(round(high / step, 6))
        ticks = tuple(number * step for number in range(first, last + 1))
        return cls(ticks, max(0, -math.floor(math.log10(step) + 1e-9)))

    def place(self, value: float) -> float:
        """The position of a value: 0 at the first tick, 1 at the last."""
        return (value - self.ticks[0]) / (self.ticks[-1] - self.ticks[0])


def _step(least: float) -> float:
    size = 10.0 ** math.floor(math.log10(least))
    return next(step * size for step in _STEPS if step * size >= least * (1 - 1e-9))


@dataclass(frozen=True)
class FigureRow:
    """A row of a table: its name, its figure if the table has a plot, and further cells. `firm` says whether the figure
    differs significantly from the reference."""

    label: str
    estimate: Estimate | None
    cells: tuple[str, ...] = ()
    firm: bool = False


@dataclass(frozen=True)
class Table:
    """A table with the headings of its labels, of its figure (empty without a plot) and of further cells. `reference`
    is the value without any effect; `more` marks a table of details."""

    title: str
    label: str
    figure: str
    heads: tuple[str, ...]
    rows: tuple[FigureRow, ...]
    format: Format = POINTS
    reference: float | None = None
    more: bool = False

    @cached_property
    def axis(self) -> Axis:
        """The axis that covers all figures, their intervals and the reference."""
        found = [row.estimate for row in self.rows if row.estimate is not None]
        values = [value for one in found for value in (one.value, one.low, one.high)]
        return Axis.over([*values, self.reference] if self.reference is not None else values)

    def interval(self, estimate: Estimate) -> Message:
        """The interval as text; a dash if there is none."""
        return sentences.interval(estimate, self.format)


@dataclass(frozen=True)
class Section:
    """A part of the report; `id` is its anchor in HTML."""

    id: str
    title: str
    text: tuple[str, ...]
    tables: tuple[Table, ...] = ()


def sections(balance: Balance) -> Iterator[Section]:
    """The sections of the report."""
    yield _seats(balance, balance.seats)
    if balance.prizes is not None:
        yield _prizes(balance, balance.prizes)
    if balance.cards is not None:
        yield _cards(balance, balance.cards)
    if balance.rulings is not None:
        yield _rulings(balance, balance.rulings)


# --- seats -----------------------------------------------------------------------------------------------------------


def _seats(balance: Balance, seats: Seats) -> Section:
    each = list(enumerate(seats.seats, 1))
    wins = tuple(FigureRow(say("seat {number}", number=n), seat.wins, firm=bool(seat.differs)) for n, seat in each)
    middle = sum(seat.points.value for seat in seats.seats) / len(seats.seats)
    apart = seats.points is not None and seats.points.shows
    points = tuple(
        FigureRow(
            say("seat {number}", number=n),
            seat.points,
            (COUNT(seat.least), COUNT(seat.most)),
            apart and _outside(seat.points, middle),
        )
        for n, seat in each
    )
    tables = []
    if len(each) > 1:
        tables.append(Table(say("Share of the wins"), say("seat"), say("wins"), (), wins, SHARE, 1 / len(each)))
    if balance.points:
        title = say("Mean {points}", points=balance.points)
        tables.append(Table(title, say("seat"), say("mean"), (say("least"), say("most")), points, POINTS, middle))
    return Section("seats", say("Seats"), tuple(sentences.seats(balance)), tuple(tables))


# --- prizes ----------------------------------------------------------------------------------------------------------


def _prizes(balance: Balance, prizes: Prizes) -> Section:
    tables = [_worth(prizes.prizes)]
    if balance.players > 1:
        tables.append(_holders(balance, prizes.prizes))
    return Section("prizes", say("Prizes"), tuple(sentences.prizes(balance, prizes)), tuple(tables))


def _worth(prizes: Sequence[Prize]) -> Table:
    """What prizes are worth, or how often they are given if the spec states no worth."""
    valued = any(prize.worth is not None for prize in prizes)
    heads = (say("nobody"), say("per game"), say("adds"), say("of all")) if valued else (say("nobody"),)
    rows = tuple(
        FigureRow(sentences.prize(one), one.worth if valued else one.given, _worth_cells(one)[: len(heads)])
        for one in prizes
    )
    title, figure = (say("Worth when given"), say("worth")) if valued else (say("Times given per game"), say("given"))
    return Table(title, say("prize"), figure, heads, rows)


def _worth_cells(prize: Prize) -> tuple[str, ...]:
    adds = POINTS(prize.adds.value) if prize.adds is not None else sentences.NOTHING
    part = SHARE(prize.part) if prize.part is not None else sentences.NOTHING
    return SHARE(prize.nobody.value), POINTS(prize.given.value), adds, part


def _holders(balance: Balance, prizes: Sequence[Prize]) -> Table:
    fair = 1 / balance.players
    rows = tuple(
        FigureRow(
            sentences.prize(one), one.wins, tuple(SHARE(seat.value) for seat in one.seats), _outside(one.wins, fair)
        )
        for one in prizes
    )
    heads = tuple(say("seat {number}", number=n) for n in range(1, balance.players + 1))
    return Table(
        say("Share of the wins of its holders, and how often each seat gets it"),
        say("prize"),
        say("win"),
        heads,
        rows,
        SHARE,
        fair,
    )


# --- cards -----------------------------------------------------------------------------------------------------------


def _cards(balance: Balance, cards: Cards) -> Section:
    tables = [_values(say("Difference in {points} for each card held at the end", points=balance.points), cards.kinds)]
    if cards.faces is not None:
        tables.append(_values(say("The same by card face"), cards.faces, more=True))
    return Section("cards", say("Cards"), tuple(sentences.cards(balance, cards)), tuple(tables))


def _values(title: str, regression: Regression, more: bool = False) -> Table:
    valued = [card for card in regression.cards if card.effect is not None]
    ranked = sorted(valued, key=lambda card: card.effect.value if card.effect else 0.0, reverse=True)
    rows = tuple(FigureRow(one.name, one.effect, _card_cells(one), _outside(one.effect, 0.0)) for one in ranked)
    return Table(title, say("card"), say("one more"), (say("in game"), say("held")), rows, sentences.CHANGE, 0.0, more)


def _card_cells(card: Card) -> tuple[str, ...]:
    return COUNT(card.copies), POINTS(card.held)


def _outside(estimate: Estimate | None, value: float) -> bool:
    """Whether the interval excludes a value; a missing estimate excludes none."""
    return estimate is not None and (estimate.low > value or estimate.high < value)


# --- rulings ---------------------------------------------------------------------------------------------------------


def _rulings(balance: Balance, rulings: Sequence[Alternative]) -> Section:
    played = [one for one in rulings if one.changes]
    tables = [_overview(balance, played)] if played else []
    tables += [_measure(name, [one for one in played if one.changes[name].shows]) for name in MEASURES]
    said = tuple(sentences.rulings(balance, rulings))
    return Section("rulings", say("Rulings"), said, tuple(t for t in tables if t.rows))


def _overview(balance: Balance, played: Sequence[Alternative]) -> Table:
    rows = (
        FigureRow(
            sentences.option(one),
            None,
            (SHARE(one.differing / balance.games), *(sentences.change(one.changes[name], name) for name in MEASURES)),
            one.shows,
        )
        for one in played
    )
    heads = (say("games differ"), *(sentences.MEASURES[name].title for name in MEASURES))
    return Table(say("Changes by option"), say("option"), "", heads, tuple(rows))


def _measure(name: str, shown: Iterable[Alternative]) -> Table:
    measure = sentences.MEASURES[name]
    rows = tuple(
        FigureRow(
            sentences.option(one), change.difference, (measure.plain(change.before), measure.plain(change.after)), True
        )
        for one in shown
        for change in (one.changes[name],)
    )
    return Table(_CAPITAL[name], say("option"), say("change"), (say("before"), say("after")), rows, measure.signed, 0.0)


_CAPITAL = {
    "advantage": say("Seat advantage"),
    "points": say("Points"),
    "decisions": say("Decisions"),
    "shared": say("Shared wins"),
}
"""The titles of the tables of one measure each."""
