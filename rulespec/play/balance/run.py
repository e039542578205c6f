"""Plays the games of a report and accumulates their sums."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

from rulespec.base.executors import Executor, Processes, here
from rulespec.engine.backend.engines.table import ENGINES
from rulespec.engine.states.game import Game
from rulespec.engine.states.playout import Chunk, finished, playouts
from rulespec.play.balance.accumulator import Accumulator, Shape, accumulate, awards
from rulespec.play.balance.card_kinds import kinds_of
from rulespec.play.balance.report import Played
from rulespec.play.balance.report import report as reported
from rulespec.play.balance.result import Balance
from rulespec.play.balance.rulings import Answer, Asked, under
from rulespec.play.bots.games import Players, bot_games
from rulespec.play.simulate.chunks import chunk_size
from rulespec.play.simulate.kept import Kept, described

MOST_HELD = 2_000_000
"""Numbers of cards held that a worker keeps in memory at once: 16 MB of 64-bit integers."""

BATCHES = 50
"""Clusters for the standard errors of the regression. With 50, Student's quantile is within 3 % of the normal one; each
batch keeps cross products of its own, so more would take more memory."""


def balance(
    game: Game,
    games: int,
    seed: int,
    workers: int = 1,
    progress: Callable[[int], None] = lambda done: None,
    *,
    rulings: bool = True,
    executor: Executor | None = None,
    players: Players | None = None,
    into: str | Path | None = None,
    report: Callable[[str], None] = lambda sentence: None,
) -> Balance:
    """The balance report of `games` games (at least 1) of bots, or of uniformly random players if none are named; with
    `rulings` also a comparison with every other option of a ruling, played with the same seeds.

    The report is the same for any number of workers and any executor. `progress` is called with the number of games
    finished since its last call, of `games * settings(game, rulings)`. `into` names a folder that keeps every finished
    chunk, so that the same call continues an interrupted run; `report` is called with a sentence about each damaged
    file, whose games are played again. Raises SimulationError if the workers fail or the folder cannot be used.
    """
    began = time.perf_counter()
    asked = Asked.of(game) if rulings else Asked()
    chunks = list(_chunks(games, _size(game, asked) if players is None else chunk_size(game.engine, games, True)))
    job = partial(count, seed=seed, answers=asked.played, players=players)
    if players is not None:
        players.prepare(game)
    play = executor or (Processes(min(workers, len(chunks))) if workers > 1 else here)
    if into is not None:
        play = _kept(game, Path(into), {"seed": seed, "games": games} | _options(asked, players), asked, play, report)
    batches: list[Accumulator] = []
    # Closed on an error as well, so that no worker is left running.
    with closing(play(game, job, (numbers for _, numbers in chunks))) as results:
        for (batch, numbers), sums in zip(chunks, results, strict=True):
            _put(sums, batches, batch)
            progress(len(numbers) * (1 + len(asked.played)))
    return reported(Played(game, seed, batches, asked if rulings else None, players), time.perf_counter() - began)


def _options(asked: Asked, players: Players | None) -> dict[str, Any]:
    """What else decides a run, for the description of a kept one."""
    others = ", ".join(f"{answer.ruling} {answer.number}" for answer in asked.played)
    return {
        "other rulings": others or "none",
        "bots": ",".join(players.to_list()) if players is not None else "random players",
    }


def _kept(
    game: Game, into: Path, options: dict[str, Any], asked: Asked, play: Executor, report: Callable[[str], None]
) -> Executor:
    """The executor that keeps what another one plays."""
    shape = Shape(game.players, len(awards(game)), len(kinds_of(game).columns), len(asked.played))

    def restored(record: Any, games: range) -> Accumulator:
        return Accumulator.from_record(record, shape, len(games))

    run = described("balance", game.identity(), **options)
    return Kept(into, run, play, Accumulator.to_record, restored, report)


def _put(sums: Accumulator, batches: list[Accumulator], batch: int) -> None:
    if batch == len(batches):
        batches.append(sums)
    else:
        batches[batch].join(sums)


def settings(game: Game, rulings: bool = True) -> int:
    """The number of settings that every game is played with."""
    return 1 + (len(Asked.of(game).played) if rulings else 0)


def count(
    game: Game, numbers: range, seed: int, answers: tuple[Answer, ...], players: Players | None = None
) -> Accumulator:
    """The sums of some games of a seed and of the same games with other options. Runs on the workers."""
    chunk = _played(game, seed, numbers, players, tally=True)
    others = (_played(under(game, answer), seed, numbers, players) for answer in answers)
    return accumulate(chunk, others, awards(game), [kind.faces for kind in kinds_of(game).columns])


def _played(game: Game, seed: int, numbers: range, players: Players | None, tally: bool = False) -> Chunk:
    if players is not None:
        return bot_games(game, seed, numbers, players, tally)
    return finished(game, seed, playouts(game, seed, numbers, tally))


def _size(game: Game, asked: Asked) -> int:
    """Games per chunk. A chunk takes some tenths of a second, and its cards held fit MOST_HELD. With fewer than 20
    games, sending a chunk to a worker would cost more than playing it."""
    size = ENGINES[game.engine].chunk // (1 + len(asked.played))
    held = len(game.spec.deck.first_of_face) * game.players
    return max(20, min(size, MOST_HELD // (1 + held)))


def _chunks(games: int, size: int) -> Iterator[tuple[int, range]]:
    """The games of each batch, in chunks of at most `size`. The report depends on the batches only."""
    batches = min(BATCHES, games)
    for batch in range(batches):
        first, last = batch * games // batches, (batch + 1) * games // batches
        for start in range(first, last, size):
            yield batch, range(start, min(start + size, last))
