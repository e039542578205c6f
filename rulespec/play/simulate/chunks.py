"""The division of a run into chunks, and the work on one chunk."""

from __future__ import annotations

from dataclasses import dataclass

from rulespec.engine.backend.engines.table import ENGINES
from rulespec.engine.states.game import Game
from rulespec.engine.states.playout import finished, playouts
from rulespec.play.bots.games import Players, bot_games
from rulespec.play.simulate.figures import Figures
from rulespec.play.simulate.rows import FORMATS

MOST_CHUNKS = 10_000
"""A run of very many games has larger chunks instead, so that its folder, with two files per chunk, is listed fast."""


THINKING = 5
"""Games per chunk of bots, which take from milliseconds to seconds to decide."""


def chunk_size(engine: str, games: int, thinking: bool = False) -> int:
    """Games per chunk. It does not depend on the number of workers, since a run may continue with another number."""
    return max(THINKING if thinking else ENGINES[engine].chunk, -(-games // MOST_CHUNKS))


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


def play(game: Game, numbers: range, seed: int, rows: str | None = None, players: Players | None = None) -> Played:
    """Plays the games of a chunk, by random players unless others are named; `rows` is a format of `rows.FORMATS`. Runs
    on the workers.

    Raises BoundReachedError if a game stops without a ranking.
    """
    if players is None:
        chunk = finished(game, seed, playouts(game, seed, numbers))
    else:
        chunk = bot_games(game, seed, numbers, players)
    figures = Figures(game.players)
    figures.add(chunk)
    return Played(figures, FORMATS[rows](chunk) if rows is not None else None)
