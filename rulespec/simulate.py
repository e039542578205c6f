"""Many games of a spec by random players, and what they say about its balance."""

from __future__ import annotations

import math
import os
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from operator import mul
from typing import Any

from rulespec.engine.game import Game
from rulespec.engine.playout import Block, Column, playouts
from rulespec.model.constants import Setting

CHUNK = 200
"""Games one worker plays before it reports; figures do not depend on it."""


@dataclass
class Moments:
    """Count, mean and spread of a number seen many times. Sums are whole numbers, so the order does not matter."""

    count: int = 0
    total: int = 0
    squares: int = 0
    least: int | None = None
    most: int | None = None

    def extend(self, values: Column) -> None:
        self.join(Moments(len(values), sum(values), sum(map(mul, values, values)), min(values), max(values)))

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
        """Of the sample."""
        if self.count < 2:
            return math.nan
        return math.sqrt(max(0.0, (self.squares - self.total * self.total / self.count) / (self.count - 1)))

    def interval(self) -> tuple[float, float]:
        """95 % confidence interval of the mean."""
        reach = 1.96 * self.deviation / math.sqrt(self.count) if self.count > 1 else math.nan
        return self.mean - reach, self.mean + reach

    def to_dict(self) -> dict[str, Any]:
        low, high = self.interval()
        found = {"mean": self.mean, "low": low, "high": high, "deviation": self.deviation}
        return {name: None if math.isnan(value) else value for name, value in found.items()} | {
            "least": self.least,
            "most": self.most,
        }


def proportion(wins: float, games: int) -> tuple[float, float, float]:
    """A share with its 95 % interval after Wilson (1927); shared wins count in parts."""
    if not games:
        return math.nan, math.nan, math.nan
    z, share = 1.96, wins / games
    middle = share + z * z / (2 * games)
    reach = z * math.sqrt(share * (1 - share) / games + z * z / (4 * games * games))
    scale = 1 + z * z / games
    return share, (middle - reach) / scale, (middle + reach) / scale


@dataclass
class Figures:
    """What is kept of the games played: per seat wins (in parts of `parts`) and points; lengths; shared wins."""

    players: int
    games: int = 0
    parts: int = 1
    wins: list[int] = field(default_factory=list)
    points: list[Moments] = field(default_factory=list)
    decisions: Moments = field(default_factory=Moments)
    shared: int = 0

    def __post_init__(self) -> None:
        self.parts = math.lcm(*range(1, self.players + 1))
        self.wins = self.wins or [0] * self.players
        self.points = self.points or [Moments() for _ in range(self.players)]

    def add(self, block: Block) -> None:
        self.games += len(block.numbers)
        for ranks in zip(*block.ranks, strict=True):
            winners = ranks.count(1)
            self.shared += winners > 1
            for seat, rank in enumerate(ranks):
                self.wins[seat] += self.parts // winners if rank == 1 else 0
        for moments, column in zip((*self.points, self.decisions), (*block.scores, block.decisions), strict=True):
            moments.extend(column)

    def join(self, other: Figures) -> None:
        self.games += other.games
        self.shared += other.shared
        self.wins = [a + b for a, b in zip(self.wins, other.wins, strict=True)]
        self.decisions.join(other.decisions)
        for mine, theirs in zip(self.points, other.points, strict=True):
            mine.join(theirs)

    def to_dict(self) -> dict[str, Any]:
        """Per seat: wins with their 95 % interval, points; and the length of games in decisions."""
        wins = [
            dict(zip(("share", "low", "high"), proportion(w / self.parts, self.games), strict=True)) for w in self.wins
        ]
        return {
            "games": self.games,
            "players": self.players,
            "wins": wins,
            "shared_wins": self.shared,
            "points": [p.to_dict() for p in self.points],
            "length": self.decisions.to_dict(),
            "decisions": self.decisions.total,
        }


def play_range(game: Game, seed: int, numbers: range) -> Figures:
    """The figures of some games of a seed."""
    figures = Figures(game.players)
    figures.add(playouts(game, seed, numbers))
    return figures


_game: Game | None = None


def _start_worker(setting: Setting) -> None:
    global _game
    _game = Game(setting)


def _work(task: tuple[int, range]) -> Figures:
    assert _game is not None
    return play_range(_game, *task)


@dataclass(frozen=True)
class Result:
    """Figures of a whole run, with how it was made. `seconds` is wall time."""

    figures: Figures
    seed: int
    seconds: float
    engine: str = "interpreter"

    def to_dict(self) -> dict[str, Any]:
        rate = self.figures.games / self.seconds if self.seconds else math.nan
        made = {"seed": self.seed, "engine": self.engine, "seconds": self.seconds, "games_per_second": rate}
        return self.figures.to_dict() | made


def simulate(
    game: Game, games: int, seed: int, workers: int = 1, progress: Callable[[int], None] = lambda done: None
) -> Result:
    """Plays `games` games of a seed; the figures are the same for any number of workers.

    `progress` is told how many games were finished since it was last told.
    """
    began = time.perf_counter()
    figures = Figures(game.players)
    chunks = [range(first, min(first + CHUNK, games)) for first in range(0, games, CHUNK)]
    for part in _parts(game, seed, chunks, workers):
        figures.join(part)
        progress(part.games)
    return Result(figures, seed, time.perf_counter() - began)


def _parts(game: Game, seed: int, chunks: list[range], workers: int) -> Iterator[Figures]:
    if workers <= 1 or len(chunks) <= 1:
        yield from (play_range(game, seed, chunk) for chunk in chunks)
        return
    with ProcessPoolExecutor(min(workers, len(chunks)), initializer=_start_worker, initargs=(game.setting,)) as pool:
        yield from pool.map(_work, [(seed, chunk) for chunk in chunks])


def processors() -> int:
    """How many workers this machine can keep busy."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
