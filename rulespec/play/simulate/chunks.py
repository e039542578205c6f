"""The division of a run into chunks, and the work on one chunk."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from rulespec.base.executors import Executor, Processes, here
from rulespec.engine.backend.engines.table import AUTO
from rulespec.engine.states.game import Game
from rulespec.engine.states.playout import Chunk, finished, playouts
from rulespec.play.bots.games import Players, bot_games
from rulespec.play.simulate.figures import Figures
from rulespec.play.simulate.rows import FORMATS

S = TypeVar("S")
T = TypeVar("T")

CHUNKS = 200
"""Chunks of a run with many games: an interrupted one loses little, and the folder of a run is listed fast."""

FEWEST, THINKING, EXTENDED = 20, 5, 200
"""Games per chunk at least: of random players; of bots, which take from milliseconds to seconds to decide; and of
random players in a folder, where more games may follow."""


def chunk_size(games: int, fewest: int = FEWEST) -> int:
    """Games per chunk. It does not depend on the number of workers or the engine, with which a run may continue."""
    return max(fewest, -(-games // CHUNKS))


@dataclass(frozen=True)
class Cut:
    """The games from 0 up to `games` in chunks of `size`; only the last chunk may be smaller."""

    games: int
    size: int

    def __len__(self) -> int:
        return -(-self.games // self.size)

    def __getitem__(self, number: int) -> range:
        """The numbers of the games of a chunk. Raises IndexError if there is no such chunk."""
        if not 0 <= number < len(self):
            raise IndexError(f"there is no chunk {number}")
        return range(number * self.size, min((number + 1) * self.size, self.games))


@dataclass(frozen=True)
class Played:
    """The result of a chunk: its figures, and its rows as the content of a file if they are wanted."""

    figures: Figures
    rows: bytes | None = None


def play(
    game: Game,
    numbers: range,
    seed: int,
    rows: str | None = None,
    players: Players | None = None,
    left: Left | None = None,
) -> Played:
    """Plays the games of a chunk, by random players unless others are named; `rows` is a format of `rows.FORMATS`. Runs
    on the workers.

    Raises BoundReachedError if a game stops without a ranking.
    """
    chunk = games_of(game, seed, numbers, players, left)
    figures = Figures(game.players)
    figures.add(chunk)
    return Played(figures, FORMATS[rows](chunk) if rows is not None else None)


def games_of(
    game: Game, seed: int, numbers: range, players: Players | None, left: Left | None, tally: bool = False
) -> Chunk:
    """The games of a chunk, by random players unless others are named. Raises BoundReachedError."""
    if players is not None:
        return bot_games(game, seed, numbers, players, tally)
    return finished(game, seed, playouts(game, seed, numbers, tally, left(numbers) if left is not None else None))


@dataclass(frozen=True)
class Left:
    """How many games of a run are left for a worker."""

    games: int
    workers: int

    def __call__(self, numbers: range) -> int:
        """The number from a chunk on."""
        return max(len(numbers), (self.games - numbers.start) // self.workers)


POOL = 0.1
"""Seconds that it takes until several processes play."""


@dataclass(frozen=True)
class HereFirst:
    """An executor for random players of the engine `auto`. It plays chunks in this process until the engine is chosen
    and its code is in the cache, and the others with another executor if that saves time. A chunk has games of each of
    `games`."""

    games: Sequence[Game]
    left: Left
    executor: Executor

    def __call__(self, game: S, job: Callable[[S, range], T], chunks: Iterable[range]) -> Generator[T, None, None]:
        ahead = iter(chunks)
        for chunk in ahead:
            yield job(game, chunk)
            paces = [pace for one in self.games for pace in one.code.paces.values()]
            seconds = sum(pace.seconds(self.left(chunk)) for pace in paces)
            if seconds * (self.left.workers - 1) > POOL and not any(pace.waits for pace in paces):
                break
        yield from self.executor(game, job, ahead)


def on_this_machine(games: Sequence[Game], left: Left, players: Players | None) -> Executor:
    """The executor for the workers of a run, a chunk of which has games of each of `games`."""
    if left.workers == 1:
        return here
    several = Processes(left.workers)
    if players is not None:
        return several
    if games[0].engine == AUTO:
        return HereFirst(games, left, several)
    if games[0].engine == "native":
        for game in games:
            game.code.machine()  # compiled once, so that the workers read it from the cache
    return several
