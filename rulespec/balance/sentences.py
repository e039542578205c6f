"""A report in sentences. They say no more than the figures do: what shows, what does not, and how far to trust it."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from rulespec.balance.estimate import Estimate, Test
from rulespec.balance.result import Alternative, Balance, Cards, Change, Prize, Prizes

NOTHING = "–"
"""Stands where there is no figure."""


@dataclass(frozen=True)
class Format:
    """How a figure is written: as per cent or as it is, with so many decimals, with a sign always or where it is
    negative."""

    digits: int
    percent: bool = False
    sign: bool = False

    def __call__(self, value: float, digits: int | None = None) -> str:
        if not math.isfinite(value):
            return NOTHING
        kind = f"{'+' if self.sign else ''},.{self.digits if digits is None else digits}{'%' if self.percent else 'f'}"
        written = format(value, kind)
        # Rounded to nothing, a figure has no sign.
        return written if any(c in "123456789" for c in written) else written.lstrip("+-")

    def tick(self, value: float, digits: int) -> str:
        """The same under a plot whose ticks differ in the last of `digits` decimals."""
        return self(value, max(0, digits - 2) if self.percent else digits)


SHARE, POINTS, COUNT = Format(1, percent=True), Format(2), Format(0)
CHANGE = Format(2, sign=True)


@dataclass(frozen=True)
class Measure:
    """What another answer may change, how it is written, and how a change of it is."""

    title: str
    plain: Format
    signed: Format


MEASURES = {
    "advantage": Measure("seat advantage", SHARE, Format(1, percent=True, sign=True)),
    "points": Measure("points", POINTS, CHANGE),
    "decisions": Measure("decisions", Format(1), Format(1, sign=True)),
    "shared": Measure("won together", SHARE, Format(1, percent=True, sign=True)),
}

CAVEAT = (
    "Random players are not people: they choose evenly among what is allowed. The figures compare seats, prizes, cards "
    "and rulings with each other, not strategies."
)


def counted(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def listed(names: Sequence[str]) -> str:
    """`a`, `a and b`, `a, b and c`."""
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)


def interval(estimate: Estimate, written: Format) -> str:
    if not math.isfinite(estimate.low):
        return NOTHING
    return f"{written(estimate.low)} to {written(estimate.high)}"


def headline(balance: Balance) -> str:
    """What was played."""
    games, players = counted(balance.games, "game"), counted(balance.players, "random player")
    return f"{balance.title}, {games} of {players}, seed {balance.seed}"


# --- seats -----------------------------------------------------------------------------------------------------------


def seats(balance: Balance) -> Iterator[str]:
    """What there is to say about the seats."""
    yield _wins(balance)
    found = balance.seats
    if balance.players > 1 and balance.points:
        yield _points(found.points)
    if not balance.high:
        yield f"The best have the lowest {balance.points}."
    if found.shared.value:
        yield f"{SHARE(found.shared.value)} of the games are won together; each winner counts a part."
    yield f"A game has {Format(1)(found.decisions.value)} decisions ({interval(found.decisions, Format(1))})."


def _wins(balance: Balance) -> str:
    found = balance.seats
    if balance.players == 1:
        return "There is one seat only, so there is nothing to compare."
    if found.wins is None:
        return "No game is won by anybody more than by the others."
    if not found.wins.shows:
        return (
            "No difference between the seats shows: chance alone spreads the wins at least so unevenly in "
            f"{_times(found.wins.p)} such runs ({_test(found.wins)})."
        )
    parts = [_apart(balance, 1, "more often"), _apart(balance, -1, "less often")]
    stand_out = " and ".join(filter(None, parts))
    if not stand_out:
        uneven = "The wins are spread less evenly than chance would explain, but no one seat stands out"
        return f"{uneven} ({_test(found.wins)})."
    return f"{stand_out[:1].upper()}{stand_out[1:]} than chance would explain ({_test(found.wins)})."


def _apart(balance: Balance, way: int, words: str) -> str:
    named = [str(n) for n, seat in enumerate(balance.seats.seats, 1) if seat.differs == way]
    if not named:
        return ""
    return f"seat {named[0]} wins {words}" if len(named) == 1 else f"seats {listed(named)} win {words}"


def _points(test: Test | None) -> str:
    if test is None:
        return "Within a game all seats always have as many points."
    if test.shows:
        return f"The points of the seats differ by more than chance would explain ({_test(test)})."
    return f"No difference between the points of the seats shows ({_test(test)})."


def _test(test: Test) -> str:
    freedom = counted(test.freedom, "degree")
    return f"χ² = {test.statistic:.1f} with {freedom} of freedom, p {_p(test.p)}"


def _p(p: float) -> str:
    return "< 0.001" if p < 0.001 else f"= {p:.3f}" if p < 0.1 else f"= {p:.2f}"


def _times(p: float) -> str:
    return f"{max(1, min(99, round(100 * p)))} of 100"


# --- prizes ----------------------------------------------------------------------------------------------------------


def prize(one: Prize) -> str:
    return f"{one.title}: {one.subject}" if one.subject else one.title


def prizes(balance: Balance, found: Prizes) -> Iterator[str]:
    """How to read the tables of the prizes."""
    if any(one.worth is not None for one in found.prizes):
        yield (
            "“Adds” is what a prize brings a player in a game, on average over all players and games; “of all” is what "
            f"part of all {balance.points or 'points'} that is."
        )
    if found.all_points:
        yield "In every game the prizes of a player are worth exactly what the player scores."
    if balance.players > 1:
        yield (
            f"If a prize brought nothing, its holder would have {SHARE(1 / balance.players)} of the win like anybody "
            "else. What comes with a prize is not all due to it: whoever does well may get it for other reasons."
        )


# --- cards -----------------------------------------------------------------------------------------------------------

_WHY = {
    "never": "Nobody ever holds {cards} at the end.",
    "always": "Everybody always holds the same number of {cards}, so nothing can be said about what that is worth.",
    "follows": "How many of {cards} a player holds always follows from the others, so there is no figure for them: "
    "those of the others are in comparison with them.",
}


def cards(balance: Balance, found: Cards) -> Iterator[str]:
    """What the regression is, and which cards have no place in it."""
    yield (
        f"Least squares over the {counted(found.results, 'result')} of players: {balance.points} on cards held at the "
        f"end, all kinds at once. How many of each kind players hold explains {SHARE(found.kinds.explained)} of the "
        "differences (R²). That is what goes together, not what brings what: players who do well may hold a card for "
        "other reasons."
    )
    for why, sentence in _WHY.items():
        named = [one.name for one in found.kinds.cards if one.why == why]
        if named:
            yield sentence.format(cards=listed(named))


# --- rulings ---------------------------------------------------------------------------------------------------------


def answer(one: Alternative) -> str:
    """The other answer as options write it."""
    return f"{one.ruling}={one.answer}"


def change(found: Change, name: str) -> str:
    """A difference with half its interval; a star where it is more than chance explains."""
    measure, difference = MEASURES[name], found.difference
    if difference.value == 0 and difference.low == difference.high:
        return "same "
    reach = measure.plain((difference.high - difference.low) / 2)
    return f"{measure.signed(difference.value)} ±{reach}{'*' if found.shows else ' '}"


def rulings(balance: Balance, found: Sequence[Alternative]) -> Iterator[str]:
    """How to read the tables of the rulings, and what there is to say about those that are not in them."""
    if not found:
        yield "The rulebook leaves no question open."
        return
    played = [one for one in found if one.changes]
    if played:
        yield (
            "Each other answer by itself, played with the same seeds game by game: the difference it makes, with its "
            "95 % interval, of shares in percentage points. A star marks what is more than chance explains, counting "
            "how many differences were looked at. The seat advantage is the largest share of the wins less the "
            "smallest; some of it is always chance."
        )
        yield _effects(balance, played)
    yield from _unplayed([one for one in found if not one.changes])


def _effects(balance: Balance, played: Sequence[Alternative]) -> str:
    alike = [answer(one) for one in played if not one.differing]
    unclear = [answer(one) for one in played if one.differing and not one.shows]
    parts = [f"No effect at all: every game came out the same under {listed(alike)}."] if alike else []
    if unclear:
        parts.append(f"No effect shows: games go differently, but none of these figures does, under {listed(unclear)}.")
    return " ".join(parts) or "Each of them changes something."


def _unplayed(rest: Iterable[Alternative]) -> Iterator[str]:
    rest = list(rest)
    same = [answer(one) for one in rest if not one.failed]
    if same:
        has = "has" if len(same) == 1 else "have"
        yield f"{listed(same)} {has} no effect on play: the program of the game is the very same."
    for one in rest:
        if one.failed:
            yield f"{answer(one)} cannot be played: {one.failed}."
