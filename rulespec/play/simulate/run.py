"""A whole run: its chunks are played by an executor, counted, and kept in a folder if one is named."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Protocol

from rulespec.base.executors import Executor
from rulespec.engine.states.game import Game
from rulespec.play.bots.games import Players
from rulespec.play.simulate.chunks import (
    EXTENDED,
    FEWEST,
    THINKING,
    Cut,
    Left,
    Played,
    chunk_size,
    on_this_machine,
    play,
)
from rulespec.play.simulate.figures import Figures
from rulespec.play.simulate.folder import Run, opened
from rulespec.play.simulate.former import bring_up_to_date
from rulespec.play.simulate.rows import require_format


@dataclass(frozen=True)
class Result:
    """Figures of a whole run, with how it was made. `game` is the identity of the game, its players and its rulings;
    `bots` says who played; `seconds` is wall time; `resumed` games were taken from a folder."""

    figures: Figures
    game: dict[str, Any]
    seed: int
    seconds: float
    engine: str
    resumed: int = 0
    bots: Players | None = None

    def to_dict(self) -> dict[str, Any]:
        played = self.figures.games - self.resumed
        rate = played / self.seconds if played and self.seconds else None
        made = {"seed": self.seed, "engine": self.engine, "seconds": self.seconds, "games_per_second": rate}
        named = {name: self.game[name] for name in ("game", "version", "digest", "players", "rulings")}
        return named | _who(self.bots) | self.figures.to_dict() | made | {"resumed": self.resumed}


class Store(Protocol):
    """Stores finished chunks and returns them."""

    def finished(self, number: int, report: Callable[[str], None]) -> Figures | None: ...

    def keep(self, number: int, played: Played) -> None: ...


class _Nowhere:
    """The store of a run without a folder. It keeps nothing, since the sums of all games are enough."""

    def finished(self, number: int, report: Callable[[str], None]) -> None:
        return None

    def keep(self, number: int, played: Played) -> None:
        pass


def _ignore(_: object) -> None:
    pass


def simulate(
    game: Game,
    games: int,
    seed: int,
    workers: int = 1,
    progress: Callable[[int], None] = _ignore,
    *,
    into: str | Path | None = None,
    rows: str | None = None,
    executor: Executor | None = None,
    report: Callable[[str], None] = _ignore,
    players: Players | None = None,
) -> Result:
    """Plays `games` games of a seed; the figures are the same for any number of workers and any executor.

    `players` are the bots that play, random players by default. If they change seats, the figures are by bot.

    `into` names a folder that keeps every finished chunk, and its games one by one if `rows` names their format ("csv"
    or "parquet"). Chunks that it holds are not played again, unless they are damaged: then `report` is called with a
    sentence that names the file. `executor` plays chunks in place of `workers` processes. `progress` is called with
    the number of games finished since its last call. Raises SimulationError, and BoundReachedError for a game that
    stops at a bound that it must not reach.
    """
    began = time.perf_counter()
    figures = Figures(game.players)
    if players is not None:
        players.prepare(game)
    fewest = THINKING if players is not None else FEWEST if into is None else EXTENDED
    run = Run(game.identity() | _kept(players), seed, games, chunk_size(games, fewest), rows)
    with _store(run, into) as (store, cut):
        missing = [n for n in range(len(cut)) if not _counted(store.finished(n, report), figures, progress)]
        resumed = figures.games
        left = Left(games, min(workers, len(missing)) or 1)
        play_chunks = executor or on_this_machine([game], left, players)
        job = partial(play, seed=seed, rows=rows, players=players, left=left)
        # Closed on an error as well, so that no worker is left running.
        with closing(play_chunks(game, job, (cut[number] for number in missing))) as results:
            for number, played in zip(missing, results, strict=True):
                # Kept before it is counted as done: progress never says more than the folder holds.
                store.keep(number, played)
                _counted(played.figures, figures, progress)
    return Result(figures, game.identity(), seed, time.perf_counter() - began, game.code.playing, resumed, players)


def _who(players: Players | None) -> dict[str, Any]:
    if players is None:
        return {"bots": ["random"], "rotated": False}
    return {"bots": players.to_list(), "rotated": players.rotated}


def _kept(players: Players | None) -> dict[str, Any]:
    """Who plays, in the description of a kept run; nothing for random players."""
    return _who(players) if players is not None else {}


def _counted(part: Figures | None, figures: Figures, progress: Callable[[int], None]) -> bool:
    """Adds the figures of a chunk, if there are any; whether there were."""
    if part is None:
        return False
    figures.join(part)
    progress(part.games)
    return True


@contextmanager
def _store(run: Run, into: str | Path | None) -> Iterator[tuple[Store, Cut]]:
    if into is None:
        yield _Nowhere(), run.cut
        return
    if run.rows is not None:
        require_format(run.rows)
    bring_up_to_date(into)
    with opened(into, run) as folder:
        yield folder, folder.run.cut
