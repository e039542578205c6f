"""Figures of many games as exact sums, which do not depend on the order of games."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from rulespec.engine.states.game import Game
from rulespec.engine.states.playout import Chunk, Column, in_columns
from rulespec.play.bots.games import games_in_time, players

THINKING = {"quick": "quick:50/100ms", "easy": "easy"}
"""The bots that are tried where random players cannot play a game, the quicker one first, and as whom they play."""

GAMES, SECONDS = 10, 4.0
"""How long each of them plays: so many games at most, in so many seconds of processor time."""


@dataclass
class Moments:
    """Count, mean and deviation of a sample, from integer sums, which do not depend on the order."""

    count: int = 0
    total: int = 0
    squares: int = 0
    least: int | None = None
    most: int | None = None

    def extend(self, values: Column) -> None:
        """Adds values to the sample."""
        if values:
            # A column has few distinct values, and Counter is faster than summing every value.
            times = Counter(values)
            total = sum(value * n for value, n in times.items())
            squares = sum(value * value * n for value, n in times.items())
            self.join(Moments(len(values), total, squares, min(times), max(times)))

    def join(self, other: Moments) -> None:
        self.count += other.count
        self.total += other.total
        self.squares += other.squares
        for name, pick in (("least", min), ("most", max)):
            both = [v for v in (getattr(self, name), getattr(other, name)) if v is not None]
            setattr(self, name, pick(both) if both else None)

    @property
    def mean(self) -> float:
        return self.total / self.count if self.count else math.nan

    @property
    def deviation(self) -> float:
        """The sample standard deviation."""
        if self.count < 2:
            return math.nan
        # Integers until the division, so that two large sums that nearly cancel lose no precision.
        return math.sqrt((self.squares * self.count - self.total**2) / (self.count * (self.count - 1)))

    def interval(self) -> tuple[float, float]:
        """95 % confidence interval of the mean."""
        reach = 1.96 * self.deviation / math.sqrt(self.count) if self.count > 1 else math.nan
        return self.mean - reach, self.mean + reach

    @property
    def is_narrow(self) -> bool:
        """Whether most values are about the same, compared with the range of all."""
        least, most = self.least or 0, self.most or 0
        spread = most - least
        return min(self.mean - least, most - self.mean) <= 0.2 * spread or self.deviation <= 0.1 * spread

    def to_dict(self) -> dict[str, Any]:
        low, high = self.interval()
        found = {"mean": self.mean, "low": low, "high": high, "deviation": self.deviation}
        return {name: None if math.isnan(value) else value for name, value in found.items()} | {
            "least": self.least,
            "most": self.most,
        }

    def to_record(self) -> dict[str, Any]:
        """The sums, from which `from_record` restores the moments."""
        return {"total": self.total, "squares": self.squares, "least": self.least, "most": self.most}

    @classmethod
    def from_record(cls, record: Any, count: int) -> Moments:
        """Raises ValueError if no `count` numbers can have these sums."""
        total, squares, least, most = _whole(record, "total", "squares", "least", "most")
        possible = least * count <= total <= most * count and squares * count >= total**2
        if not possible or squares > count * max(least * least, most * most):
            raise ValueError("its sums are impossible for its number of games")
        return cls(count, total, squares, least, most)


def proportion(wins: float, games: int) -> tuple[float, float, float]:
    """A proportion with its 95 % confidence interval by Wilson (1927). Shared wins count in parts."""
    if not games:
        return math.nan, math.nan, math.nan
    z, share = 1.96, wins / games
    middle = share + z * z / (2 * games)
    reach = z * math.sqrt(share * (1 - share) / games + z * z / (4 * games * games))
    scale = 1 + z * z / games
    return share, (middle - reach) / scale, (middle + reach) / scale


@dataclass
class Figures:
    """The figures of a number of games: by seat wins (in parts of `parts`), points, and what a game is worth if the
    ranking says so; lengths; shared wins."""

    players: int
    games: int = 0
    parts: int = 1
    wins: list[int] = field(default_factory=list)
    points: list[Moments] = field(default_factory=list)
    returns: list[Moments] = field(default_factory=list)
    decisions: Moments = field(default_factory=Moments)
    shared: int = 0

    def __post_init__(self) -> None:
        self.parts = math.lcm(*range(1, self.players + 1))
        self.wins = self.wins or [0] * self.players
        self.points = self.points or [Moments() for _ in range(self.players)]

    def add(self, chunk: Chunk) -> None:
        """Adds the games of a chunk."""
        self.games += len(chunk.numbers)
        for ranks, times in Counter(zip(*chunk.ranks, strict=True)).items():
            winners = ranks.count(1)
            self.shared += times * (winners > 1)
            for seat, rank in enumerate(ranks):
                self.wins[seat] += times * self.parts // winners if rank == 1 else 0
        self.returns = self.returns or [Moments() for _ in chunk.returns]
        samples = (*self.points, *self.returns, self.decisions)
        for moments, column in zip(samples, (*chunk.scores, *chunk.returns, chunk.decisions), strict=True):
            moments.extend(column)

    def join(self, other: Figures) -> None:
        """Adds the games of other figures."""
        self.games += other.games
        self.shared += other.shared
        self.wins = [a + b for a, b in zip(self.wins, other.wins, strict=True)]
        self.decisions.join(other.decisions)
        self.returns = self.returns or [Moments() for _ in other.returns]
        for mine, theirs in zip((*self.points, *self.returns), (*other.points, *other.returns), strict=True):
            mine.join(theirs)

    @property
    def undecided(self) -> bool:
        """Whether most games end in a tie, as those of players who cannot play a game: at least 2/3 have several
        winners. Members of a team always share a win: what counts is whether their scores hardly ever differ."""
        opposed = self.players == 2 and self.points[0] != self.points[1]
        tied = opposed or all(one.is_narrow for one in self.points)
        return tied and proportion(self.shared, self.games)[1] >= 2 / 3

    def played_better(self, game: Game) -> str | None:
        """If these games of random players are undecided: a bot whose games are not, or whose points are better; "" if
        none was found in time. None if they are decided."""
        if not self.undecided:
            return None
        ranking = game.program.ranking
        sign = -1 if ranking is not None and not ranking.keys[0].high else 1
        for bot, name in THINKING.items():
            finished = games_in_time(game, players(name, game, hurried=True), GAMES, SECONDS)
            other = Figures(self.players)
            other.add(in_columns(game, range(len(finished)), finished, tally=False))
            gained = sum(sign * (theirs.mean - own.mean) for theirs, own in zip(other.points, self.points, strict=True))
            if 2 * other.shared < other.games or gained > sum(own.deviation for own in self.points):
                return bot
        return ""

    def to_dict(self) -> dict[str, Any]:
        """For JSON: wins by seat with 95 % confidence intervals, points by seat, what a game is worth by seat if
        the ranking says so, and decisions per game."""
        wins = [
            dict(zip(("share", "low", "high"), proportion(w / self.parts, self.games), strict=True)) for w in self.wins
        ]
        return {
            "games": self.games,
            "players": self.players,
            "wins": wins,
            "shared_wins": self.shared,
            "points": [p.to_dict() for p in self.points],
            **({"returns": [r.to_dict() for r in self.returns]} if self.returns else {}),
            "length": self.decisions.to_dict(),
            "decisions": self.decisions.total,
        }

    def to_record(self) -> dict[str, Any]:
        """The sums, from which `from_record` restores the figures."""
        return {
            "wins": self.wins,
            "shared": self.shared,
            "points": [points.to_record() for points in self.points],
            "returns": [returns.to_record() for returns in self.returns],
            "decisions": self.decisions.to_record(),
        }

    @classmethod
    def from_record(cls, record: Any, players: int, games: int) -> Figures:
        """Raises ValueError if the record cannot describe so many games and players."""
        (shared,) = _whole(record, "shared")
        wins, points, returns = record.get("wins"), record.get("points"), record.get("returns", [])
        by_seat = (wins, points, *([returns] if returns != [] else []))
        if not all(isinstance(seats, list) and len(seats) == players for seats in by_seat):
            raise ValueError("it does not have one entry per seat")
        found = cls(
            players,
            games,
            wins=list(wins),
            points=[Moments.from_record(entry, games) for entry in points],
            returns=[Moments.from_record(entry, games) for entry in returns],
            decisions=Moments.from_record(record.get("decisions"), games),
            shared=shared,
        )
        fair = all(type(won) is int and won >= 0 for won in wins) and sum(wins) == games * found.parts
        if not fair or not 0 <= shared <= games:
            raise ValueError("its wins do not add up to its games")
        return found


def _whole(record: Any, *names: str) -> list[int]:
    """The integers of these names. Raises ValueError."""
    found: list[Any] = [record.get(name) for name in names] if isinstance(record, dict) else [None]
    if any(type(value) is not int for value in found):  # True is an int as well
        raise ValueError(f"{' or '.join(names)} is not an integer")
    return found
