"""Plays the games a report is about, and keeps what it needs of them."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import closing
from functools import partial

from rulespec.balance.accumulator import Accumulator, accumulate, awards
from rulespec.balance.card_kinds import kinds_of
from rulespec.balance.report import Played, report
from rulespec.balance.result import Balance
from rulespec.balance.rulings import Answer, Asked, under
from rulespec.engine.engines import ENGINES
from rulespec.engine.game import Game
from rulespec.engine.playout import playouts
from rulespec.simulate.executors import Executor, Processes, here

MOST_HELD = 2_000_000
"""Numbers of cards held that are kept at once."""

BATCHES = 50
"""Into so many batches games are dealt whole, for the errors of the regression: enough to see them by, few enough to
keep the sums of each."""


def balance(
    game: Game,
    games: int,
    seed: int,
    workers: int = 1,
    progress: Callable[[int], None] = lambda done: None,
    *,
    rulings: bool = True,
    executor: Executor | None = None,
) -> Balance:
    """How balanced a game is and what each part of it is worth, in `games` games (at least 1) of players who choose
    evenly among their legal actions; with `rulings` also what every other answer changes, each played with the same
    seeds.

    The report is the same for any number of workers and any executor. `progress` is told how many games were finished
    since it was last told, of `games * settings(game, rulings)`. Raises SimulationError where the workers fail.
    """
    began = time.perf_counter()
    asked = Asked.of(game) if rulings else Asked()
    chunks = list(_pieces(games, _size(game, asked)))
    job = partial(count, seed=seed, answers=asked.played)
    play = executor or (Processes(min(workers, len(chunks))) if workers > 1 else here)
    batches: list[Accumulator] = []
    with closing(play(game, job, (numbers for _, numbers in chunks))) as results:
        for (batch, numbers), sums in zip(chunks, results, strict=True):
            _put(sums, batches, batch)
            progress(len(numbers) * (1 + len(asked.played)))
    return report(Played(game, seed, batches, asked if rulings else None), time.perf_counter() - began)


def _put(sums: Accumulator, batches: list[Accumulator], batch: int) -> None:
    if batch == len(batches):
        batches.append(sums)
    else:
        batches[batch].join(sums)


def settings(game: Game, rulings: bool = True) -> int:
    """With how many sets of answers every game is played."""
    return 1 + (len(Asked.of(game).played) if rulings else 0)


def count(game: Game, numbers: range, seed: int, answers: tuple[Answer, ...]) -> Accumulator:
    """What is kept of some games of a seed and of the same games under other answers. What workers do."""
    chunk = playouts(game, seed, numbers, tally=True)
    beside = (playouts(under(game, answer), seed, numbers) for answer in answers)
    return accumulate(chunk, beside, awards(game), [kind.faces for kind in kinds_of(game).columns])


def _size(game: Game, asked: Asked) -> int:
    """Games in a chunk of work, so that one is done every few tenths of a second, and what is held of each has room."""
    size = ENGINES[game.engine].chunk // (1 + len(asked.played))
    held = len(game.spec.deck.first_of_face) * game.players
    return max(20, min(size, MOST_HELD // (1 + held)))


def _pieces(games: int, size: int) -> Iterator[tuple[int, range]]:
    """The games in batches, and each batch in chunks of at most `size`. Only the batches matter for the report."""
    batches = min(BATCHES, games)
    for batch in range(batches):
        first, last = batch * games // batches, (batch + 1) * games // batches
        for start in range(first, last, size):
            yield batch, range(start, min(start + size, last))
