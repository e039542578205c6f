"""The skill ladder: each level of bots against the one below, changing seats."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any

from rulespec.base.executors import Executor
from rulespec.engine.states.game import Game
from rulespec.play.balance.estimate import Estimate
from rulespec.play.bots.bot import BotName, bot_name
from rulespec.play.bots.games import Players
from rulespec.play.simulate.figures import Figures, Moments, proportion
from rulespec.play.simulate.folder import part
from rulespec.play.simulate.run import simulate

LEVELS = ("random", "quick:10", "quick:50", "quick:250")
"""The levels of a ladder, unless others are named: each thinks five times as long as the one below, and all of them run
in machine code."""


@dataclass(frozen=True)
class Rung:
    """One bot of a level among bots of the level below: its share of the wins, and its points beside those of one of
    the others. A bot of their level would win `even`."""

    bot: str
    below: str
    games: int
    wins: Estimate
    even: float
    points: Moments
    others: Moments

    @property
    def shows(self) -> int:
        """1 if the bot wins significantly more than its share, -1 if less, else 0."""
        return (self.wins.low > self.even) - (self.wins.high < self.even)

    def to_dict(self) -> dict[str, Any]:
        return {
            "bot": self.bot,
            "below": self.below,
            "games": self.games,
            "wins": self.wins.to_dict(),
            "even": self.even,
            "shows": self.shows,
            "points": self.points.to_dict(),
            "points_below": self.others.to_dict(),
        }


def ladder(
    game: Game,
    games: int,
    seed: int,
    workers: int = 1,
    progress: Callable[[int], None] = lambda done: None,
    levels: Sequence[BotName] = (),
    *,
    into: str | Path | None = None,
    executor: Executor | None = None,
    report: Callable[[str], None] = lambda sentence: None,
) -> list[Rung]:
    """Each level against the one below, in `games` games. `into` names a folder that keeps finished games, in a folder
    for each level; see `simulate` for the rest. Raises ValueError if there are no two levels or players.
    """
    names = list(levels) or [bot_name(name) for name in LEVELS]
    if len(names) < 2:
        raise ValueError("a ladder has two levels or more")
    if game.players < 2:
        raise ValueError("a ladder needs two players or more")
    rungs = []
    for number, (below, bot) in enumerate(pairwise(names), 1):
        players = Players((bot, *[below] * (game.players - 1)), rotated=True)
        folder = part(into, f"level-{number}") if into is not None else None
        play = partial(simulate, game, games, seed, workers, progress, players=players)
        rungs.append(_rung(players, play(into=folder, executor=executor, report=report).figures))
    return rungs


def _rung(players: Players, figures: Figures) -> Rung:
    bot, below = players.to_list()[:2]
    wins, others = Estimate(*proportion(figures.wins[0] / figures.parts, figures.games)), Moments()
    for points in figures.points[1:]:
        others.join(points)
    return Rung(bot, below, figures.games, wins, 1 / figures.players, figures.points[0], others)
