"""The sentences of a report. They state which differences are significant, and how to read the figures."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from rulespec.base.characters import capital
from rulespec.play.balance.estimate import Estimate, Test
from rulespec.play.balance.result import Alternative, Balance, Cards, Change, Prize, Prizes

NOTHING = "–"
"""Replaces a figure that does not exist."""


@dataclass(frozen=True)
class Format:
    """A number format: the number of decimals, as a percentage or plain, with a sign always or only if negative."""

    digits: int
    percent: bool = False
    sign: bool = False

    def __call__(self, value: float, digits: int | None = None) -> str:
        if not math.isfinite(value):
            return NOTHING
        kind = f"{'+' if self.sign else ''},.{self.digits if digits is None else digits}{'%' if self.percent else 'f'}"
        written = format(value, kind)
        # A figure that is rounded to zero has no sign.
        return written if any(c in "123456789" for c in written) else written.lstrip("+-")

    def tick(self, value: float, digits: int) -> str:
        """A tick of an axis; neighbouring ticks differ in the last of `digits` decimals."""
        return self(value, max(0, digits - 2) if self.percent else digits)


SHARE, POINTS, COUNT = Format(1, percent=True), Format(2), Format(0)
CHANGE = Format(2, sign=True)


@dataclass(frozen=True)
class Measure:
    """A measure that a ruling may change, with the formats of its values and of its differences."""

    title: str
    plain: Format
    signed: Format


MEASURES = {
    "advantage": Measure("seat advantage", SHARE, Format(1, percent=True, sign=True)),
    "points": Measure("points", POINTS, CHANGE),
    "decisions": Measure("decisions", Format(1), Format(1, sign=True)),
    "shared": Measure("shared wins", SHARE, Format(1, percent=True, sign=True)),
}

_RANDOM = "Random players choose uniformly among their legal actions. "
_COMPARED = "The figures compare seats, prizes, cards and rulings with each other; "


def caveat(balance: Balance) -> str:
    """What the figures stand for."""
    if set(balance.bots) == {"random"}:
        return f"{_RANDOM}{_COMPARED}they say nothing about strategies."
    return f"{_COMPARED}they hold for players like these bots ({', '.join(dict.fromkeys(balance.bots))}), not for all."


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
    """The game, the number of games and players, and the seed."""
    return f"{balance.title}, {counted(balance.games, 'game')} of {players(balance)}, seed {balance.seed}"


def players(balance: Balance) -> str:
    """How many players of which kind played: `3 random players`, `3 players (quick:50)`."""
    kinds = list(dict.fromkeys(balance.bots))
    if kinds == ["random"]:
        return counted(balance.players, "random player")
    return f"{counted(balance.players, 'player')} ({', '.join(kinds)})"


# --- seats -----------------------------------------------------------------------------------------------------------


def seats(balance: Balance) -> Iterator[str]:
    """The sentences about seats."""
    yield _wins(balance)
    found = balance.seats
    if balance.players > 1 and balance.points:
        yield _points(found.points)
    if not balance.high:
        yield f"The player with the lowest {balance.points} wins."
    if found.shared.value:
        shared = SHARE(found.shared.value)
        yield f"Shared wins: {shared} of the games; a win shared by n players counts 1/n for each of them."
    yield f"Decisions per game: {Format(1)(found.decisions.value)} ({interval(found.decisions, Format(1))})."


def _wins(balance: Balance) -> str:
    found = balance.seats
    if balance.players == 1:
        return "A game for one player has no seats to compare."
    if found.wins is None:
        return "In every game all players win together."
    if not found.wins.shows:
        return f"No seat advantage detected ({_test(found.wins)})."
    parts = [_differing(balance, 1, "more often"), _differing(balance, -1, "less often")]
    named = " and ".join(filter(None, parts))
    if not named:
        return f"The seats differ in wins ({_test(found.wins)}), but no single seat differs significantly."
    return f"{capital(named)} ({_test(found.wins)})."


def _differing(balance: Balance, sign: int, words: str) -> str:
    named = [str(n) for n, seat in enumerate(balance.seats.seats, 1) if seat.differs == sign]
    if not named:
        return ""
    if len(named) == 1:
        return f"seat {named[0]} wins significantly {words}"
    return f"seats {listed(named)} win significantly {words}"


def _points(test: Test | None) -> str:
    if test is None:
        return "In every game all players have the same number of points."
    if test.shows:
        return f"The points differ significantly between seats ({_test(test)})."
    return f"No difference in points between seats detected ({_test(test)})."


def _test(test: Test) -> str:
    return f"χ² = {test.statistic:.1f}, {test.freedom} df, p {_p(test.p)}"


def _p(p: float) -> str:
    return "< 0.001" if p < 0.001 else f"= {p:.3f}" if p < 0.1 else f"= {p:.2f}"


# --- prizes ----------------------------------------------------------------------------------------------------------


def prize(one: Prize) -> str:
    return f"{one.title}: {one.subject}" if one.subject else one.title


def prizes(balance: Balance, found: Prizes) -> Iterator[str]:
    """The sentences about prizes: how to read their tables."""
    if any(one.worth is not None for one in found.prizes):
        yield (
            "“Adds” is the mean number of points that a prize adds per player and game; “of all” is its share of all "
            f"{balance.points or 'points'}."
        )
    if found.all_points:
        yield "In every game the prizes of each player add up to exactly the score of that player."
    if balance.players > 1:
        yield (
            f"The holders of a prize without effect would have {SHARE(1 / balance.players)} of the wins. A larger "
            "share is an association, not an effect: players who do well may get the prize for other reasons."
        )


# --- cards -----------------------------------------------------------------------------------------------------------

_WHY = {
    "never": "No player ever holds {cards} at the end.",
    "always": "All players always hold the same number of {cards}, so no difference can be estimated.",
    "follows": "The number of {cards} that a player holds is determined by the other cards (collinear), so no "
    "difference can be estimated; those of the others are relative to it.",
}


def cards(balance: Balance, found: Cards) -> Iterator[str]:
    """The sentences about cards: what the regression is, and which cards it leaves out."""
    yield (
        f"Ordinary least squares over {counted(found.results, 'player result')}: {balance.points} regressed on the "
        "numbers of cards held at the end, all kinds at once. The cards explain "
        f"{SHARE(found.kinds.explained)} of the variance (R²). The differences are associations, not effects: players "
        "who do well may hold a card for other reasons."
    )
    for why, sentence in _WHY.items():
        named = [one.name for one in found.kinds.cards if one.why == why]
        if named:
            yield sentence.format(cards=listed(named))


# --- rulings ---------------------------------------------------------------------------------------------------------


def option(one: Alternative) -> str:
    """The other option, as `--ruling` takes it."""
    return f"{one.ruling}={one.answer}"


def change(found: Change, name: str) -> str:
    """A difference with half the width of its interval, and a star if it is significant."""
    measure, difference = MEASURES[name], found.difference
    if difference.value == 0 and difference.low == difference.high:
        return "same "
    reach = measure.plain((difference.high - difference.low) / 2)
    return f"{measure.signed(difference.value)} ±{reach}{'*' if found.shows else ' '}"


def rulings(balance: Balance, found: Sequence[Alternative]) -> Iterator[str]:
    """The sentences about rulings: how to read their tables, and which options are not in them."""
    if not found:
        yield "The spec has no rulings."
        return
    played = [one for one in found if one.changes]
    if played:
        yield (
            "Each other option of a ruling, alone, in the same games (paired by seed): the difference with its 95 % "
            "confidence interval, for shares in percentage points. A star marks a significant difference, with Holm's "
            "correction for all differences tested. The seat advantage is the largest share of the wins minus the "
            "smallest; chance alone makes it larger than 0."
        )
        yield _effects(balance, played)
    yield from _unplayed([one for one in found if not one.changes])


def _effects(balance: Balance, played: Sequence[Alternative]) -> str:
    same = [option(one) for one in played if not one.differing]
    unclear = [option(one) for one in played if one.differing and not one.shows]
    parts = [f"No effect: every game ends the same with {listed(same)}."] if same else []
    if unclear:
        parts.append(f"No significant effect, although some games end differently, with {listed(unclear)}.")
    return " ".join(parts) or "Each option has a significant effect."


def _unplayed(rest: Iterable[Alternative]) -> Iterator[str]:
    rest = list(rest)
    same = [option(one) for one in rest if not one.failed]
    if same:
        has = "has" if len(same) == 1 else "have"
        yield f"{listed(same)} {has} no effect on play: the compiled program is identical."
    for one in rest:
        if one.failed:
            yield f"{option(one)} cannot be played: {one.failed}."
