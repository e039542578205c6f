"""The sentences of a report. They state which differences are significant, and how to read the figures."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from rulespec.base.messages import Message, all_of, counted, say, sentences
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

    def __call__(self, value: float, digits: int | None = None) -> Message:
        if not math.isfinite(value):
            return say(NOTHING)
        digits = self.digits if digits is None else digits
        # A figure that is rounded to zero has no sign.
        rounded = 0.0 if round(value, digits + 2 * self.percent) == 0 else float(value)
        kind = f"{'+' if self.sign and rounded else ''},.{digits}{'%' if self.percent else 'f'}"
        return say(f"{{figure:{kind}}}", figure=rounded)

    def tick(self, value: float, digits: int) -> Message:
        """A tick of an axis; neighbouring ticks differ in the last of `digits` decimals."""
        return self(value, max(0, digits - 2) if self.percent else digits)


SHARE, POINTS, COUNT = Format(1, percent=True), Format(2), Format(0)
CHANGE = Format(2, sign=True)


@dataclass(frozen=True)
class Measure:
    """A measure that a ruling may change, with the formats of its values and of its differences."""

    title: Message
    plain: Format
    signed: Format


MEASURES = {
    "advantage": Measure(say("seat advantage"), SHARE, Format(1, percent=True, sign=True)),
    "points": Measure(say("points"), POINTS, CHANGE),
    "decisions": Measure(say("decisions"), Format(1), Format(1, sign=True)),
    "shared": Measure(say("shared wins"), SHARE, Format(1, percent=True, sign=True)),
}


def caveat(balance: Balance) -> Message:
    """What the figures stand for."""
    if set(balance.bots) == {"random"}:
        compared = say(
            "Random players choose uniformly among their legal actions. The figures compare seats, prizes, cards and "
            "rulings with each other; they say nothing about strategies."
        )
        if balance.better is None:
            return compared
        return sentences(unplayed(balance.seats.shared.value, balance.better), compared)
    return say(
        "The figures compare seats, prizes, cards and rulings with each other; they hold for players like these bots "
        "({bots}), not for all.",
        bots=tuple(dict.fromkeys(balance.bots)),
    )


def unplayed(shared: float, better: str) -> Message:
    """What to do about figures of random players that say nothing; `shared` is the share of games with shared wins,
    `better` a bot that plays better, "" if none was found."""
    tied = say(
        "Random players cannot really play this game: {share} of their games end in a tie, at nearly the same scores.",
        share=SHARE(shared),
    )
    if not better:
        return sentences(tied, say("No bot was found that plays it better, in a few seconds of games."))
    return sentences(tied, say("For figures that mean more, let bots play that think: {bot}.", bot=f"--bot {better}"))


def games(number: int) -> Message:
    return counted("{number:,} game", "{number:,} games", number)


def interval(estimate: Estimate, written: Format) -> Message:
    if not math.isfinite(estimate.low):
        return say(NOTHING)
    return say("{low} to {high}", low=written(estimate.low), high=written(estimate.high))


def headline(balance: Balance) -> Message:
    """The game, the number of games and players, and the seed."""
    return played_by(balance.title, balance.games, players(balance), balance.seed)


def played_by(title: str, number: int, who: str, seed: int) -> Message:
    """How many games of what were played by whom."""
    return counted(
        "{game}, {number:,} game of {players}, seed {seed}",
        "{game}, {number:,} games of {players}, seed {seed}",
        number,
        game=title,
        players=who,
        seed=seed,
    )


def players(balance: Balance) -> Message:
    """How many players of which kind played: `3 random players`, `3 players (quick:50)`."""
    kinds = list(dict.fromkeys(balance.bots))
    return bots_playing(balance.players, None if kinds == ["random"] else say("{bots}", bots=tuple(kinds)))


def bots_playing(number: int, bots: Message | None) -> Message:
    """So many players: bots, or random ones."""
    if bots is None:
        return counted("{number} random player", "{number} random players", number)
    return counted("{number} player ({bots})", "{number} players ({bots})", number, bots=bots)


# --- seats -----------------------------------------------------------------------------------------------------------


def seats(balance: Balance) -> Iterator[Message]:
    """The sentences about seats."""
    yield _wins(balance)
    found = balance.seats
    if balance.players > 1 and balance.points:
        yield _points(found.points)
    if not balance.high:
        yield say("The player with the lowest {points} wins.", points=balance.points)
    if found.shared.value:
        yield say(
            "Shared wins: {share} of the games; a win shared by n players counts 1/n for each of them.",
            share=SHARE(found.shared.value),
        )
    mean = Format(1)
    yield say(
        "Decisions per game: {mean} ({interval}).",
        mean=mean(found.decisions.value),
        interval=interval(found.decisions, mean),
    )


def _wins(balance: Balance) -> Message:
    found = balance.seats
    if balance.players == 1:
        return say("A game for one player has no seats to compare.")
    if found.wins is None:
        return say("In every game all players win together.")
    test = _test(found.wins)
    if not found.wins.shows:
        return say("No seat advantage detected ({test}).", test=test)
    more, fewer = _differing(balance, 1), _differing(balance, -1)
    if more and fewer:
        return say("{more} and {fewer} ({test}).", more=_wins_more(more), fewer=_and_less(fewer), test=test)
    if more or fewer:
        return say("{sentence} ({test}).", sentence=_wins_more(more) if more else _wins_less(fewer), test=test)
    return say("The seats differ in wins ({test}), but no single seat differs significantly.", test=test)


def _differing(balance: Balance, sign: int) -> list[int]:
    return [number for number, seat in enumerate(balance.seats.seats, 1) if seat.differs == sign]


def _wins_more(seats: list[int]) -> Message:
    if len(seats) == 1:
        return say("Seat {seat} wins significantly more often", seat=seats[0])
    return say("Seats {seats} win significantly more often", seats=all_of(seats))


def _wins_less(seats: list[int]) -> Message:
    if len(seats) == 1:
        return say("Seat {seat} wins significantly less often", seat=seats[0])
    return say("Seats {seats} win significantly less often", seats=all_of(seats))


def _and_less(seats: list[int]) -> Message:
    if len(seats) == 1:
        return say("seat {seat} wins significantly less often", seat=seats[0])
    return say("seats {seats} win significantly less often", seats=all_of(seats))


def _points(test: Test | None) -> Message:
    if test is None:
        return say("In every game all players have the same number of points.")
    if test.shows:
        return say("The points differ significantly between seats ({test}).", test=_test(test))
    return say("No difference in points between seats detected ({test}).", test=_test(test))


def _test(test: Test) -> Message:
    figures = {"statistic": test.statistic, "freedom": test.freedom}
    return say("χ² = {statistic:.1f}, {freedom} df, p {p}", **figures, p=_p(test.p))


def _p(p: float) -> Message:
    if p < 0.001:
        return say("< {p:.3f}", p=0.001)
    return say("= {p:.3f}", p=p) if p < 0.1 else say("= {p:.2f}", p=p)


# --- prizes ----------------------------------------------------------------------------------------------------------


def prize(one: Prize) -> str:
    return say("{title}: {subject}", title=one.title, subject=one.subject) if one.subject else one.title


def prizes(balance: Balance, found: Prizes) -> Iterator[Message]:
    """The sentences about prizes: how to read their tables."""
    if any(one.worth is not None for one in found.prizes):
        yield say(
            "“Adds” is the mean number of points that a prize adds per player and game; “of all” is its share of all "
            "{points}.",
            points=balance.points or say("points"),
        )
    if found.all_points:
        yield say("In every game the prizes of each player add up to exactly the score of that player.")
    if balance.players > 1:
        yield say(
            "The holders of a prize without effect would have {share} of the wins. A larger share is an association, "
            "not an effect: players who do well may get the prize for other reasons.",
            share=SHARE(1 / balance.players),
        )


# --- cards -----------------------------------------------------------------------------------------------------------

_WHY = {
    "never": say("No player ever holds {cards} at the end."),
    "always": say("All players always hold the same number of {cards}, so no difference can be estimated."),
    "follows": say(
        "The number of {cards} that a player holds is determined by the other cards (collinear), so no difference can "
        "be estimated; those of the others are relative to it."
    ),
}


def cards(balance: Balance, found: Cards) -> Iterator[Message]:
    """The sentences about cards: what the regression is, and which cards it leaves out."""
    regressed = counted(
        "Ordinary least squares over {number:,} player result: {points} regressed on the numbers of cards held at the "
        "end, all kinds at once.",
        "Ordinary least squares over {number:,} player results: {points} regressed on the numbers of cards held at the "
        "end, all kinds at once.",
        found.results,
        points=balance.points,
    )
    explained = say(
        "The cards explain {share} of the variance (R²). The differences are associations, not effects: players who "
        "do well may hold a card for other reasons.",
        share=SHARE(found.kinds.explained),
    )
    yield sentences(regressed, explained)
    for why, sentence in _WHY.items():
        named = [one.name for one in found.kinds.cards if one.why == why]
        if named:
            yield say(sentence, cards=all_of(named))


# --- rulings ---------------------------------------------------------------------------------------------------------


def option(one: Alternative) -> str:
    """The other option, as `--ruling` takes it."""
    return f"{one.ruling}={one.answer}"


def change(found: Change, name: str) -> Message:
    """A difference with half the width of its interval, and a star if it is significant."""
    measure, difference = MEASURES[name], found.difference
    if difference.value == 0 and difference.low == difference.high:
        return say("same ")
    reach = measure.plain((difference.high - difference.low) / 2)
    star = "*" if found.shows else " "
    return say("{change} ±{reach}{star}", change=measure.signed(difference.value), reach=reach, star=star)


def rulings(balance: Balance, found: Sequence[Alternative]) -> Iterator[Message]:
    """The sentences about rulings: how to read their tables, and which options are not in them."""
    if not found:
        yield say("The spec has no rulings.")
        return
    played = [one for one in found if one.changes]
    if played:
        yield say(
            "Each other option of a ruling, alone, in the same games (paired by seed): the difference with its 95 % "
            "confidence interval, for shares in percentage points. A star marks a significant difference, with Holm's "
            "correction for all differences tested. The seat advantage is the largest share of the wins minus the "
            "smallest; chance alone makes it larger than 0."
        )
        yield _effects(balance, played)
    yield from _unplayed([one for one in found if not one.changes])


def _effects(balance: Balance, played: Sequence[Alternative]) -> Message:
    same = [option(one) for one in played if not one.differing]
    unclear = [option(one) for one in played if one.differing and not one.shows]
    parts = [say("No effect: every game ends the same with {options}.", options=all_of(same))] if same else []
    if unclear:
        parts.append(
            say("No significant effect, although some games end differently, with {options}.", options=all_of(unclear))
        )
    return sentences(*parts) if parts else say("Each option has a significant effect.")


def _unplayed(rest: Iterable[Alternative]) -> Iterator[Message]:
    rest = list(rest)
    same = [option(one) for one in rest if not one.failed]
    if len(same) == 1:
        yield say("{option} has no effect on play: the compiled program is identical.", option=same[0])
    elif same:
        yield say("{options} have no effect on play: the compiled program is identical.", options=all_of(same))
    for one in rest:
        if one.failed:
            yield say("{option} cannot be played: {reason}.", option=option(one), reason=one.failed)
