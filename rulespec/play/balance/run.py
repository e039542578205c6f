"""Plays the games of a report and accumulates their sums."""

from __future__ import annotations

import time
from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

from rulespec.base.executors import Executor
from rulespec.engine.states.game import Game
from rulespec.play.balance.accumulator import Accumulator, Shape, accumulate, awards
from rulespec.play.balance.card_kinds import kinds_of
from rulespec.play.balance.report import Played
from rulespec.play.balance.report import report as reported
from rulespec.play.balance.result import Balance
from rulespec.play.balance.rulings import Answer, Asked, under
from rulespec.play.bots.games import Players
from rulespec.play.simulate.chunks import FEWEST, THINKING, Left, chunk_size, games_of, on_this_machine
from rulespec.play.simulate.kept import Kept, described, kept_chunks

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
    size = _size(game, games) if players is None else chunk_size(games, THINKING)
    chunks = list(_chunks(games, size, kept_chunks(Path(into)) if into is not None else {}))
    left = Left(games, min(workers, len(chunks)))
    job = partial(count, seed=seed, answers=asked.played, players=players, left=left)
    if players is not None:
        players.prepare(game)
    every = [game, *(under(game, answer) for answer in asked.played)]
    play = executor or on_this_machine(every, left, players)
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
    game: Game,
    numbers: range,
    seed: int,
    answers: tuple[Answer, ...],
    players: Players | None = None,
    left: Left | None = None,
) -> Accumulator:
    """The sums of some games of a seed and of the same games with other options. Runs on the workers."""
    chunk = games_of(game, seed, numbers, players, left, tally=True)
    others = (games_of(under(game, answer), seed, numbers, players, left) for answer in answers)
    return accumulate(chunk, others, awards(game), [kind.faces for kind in kinds_of(game).columns])


def _size(game: Game, games: int) -> int:
    """Games per chunk, whose cards held fit MOST_HELD."""
    held = len(game.spec.deck.first_of_face) * game.players
    return max(FEWEST, min(chunk_size(games), MOST_HELD // (1 + held)))


def _chunks(games: int, size: int, kept: Mapping[int, int]) -> Iterator[tuple[int, range]]:
    """The games of each batch, in chunks of at most `size`, or as they are `kept`: the end of a chunk by its start. The
    report depends on the batches only."""
    batches, starts = min(BATCHES, games), sorted(kept)
    for batch in range(batches):
        first, last = batch * games // batches, (batch + 1) * games // batches
        while first < last:
            after = bisect_right(starts, first)
            end = min(first + size, last, *starts[after : after + 1])
            end = kept[first] if kept.get(first, games + 1) <= last else end
            yield batch, range(first, end)
            first = end
