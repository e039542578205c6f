"""How many games are cut into chunks, and what is left of one when it is played."""

from __future__ import annotations

from dataclasses import dataclass

from rulespec.engine.engines import ENGINES
from rulespec.engine.game import Game
from rulespec.engine.playout import playouts
from rulespec.simulate.figures import Figures
from rulespec.simulate.rows import FORMATS

MOST_CHUNKS = 10_000
"""A run of very many games has larger chunks instead, so that a folder of its files stays one that can be listed."""


def chunk_size(engine: str, games: int) -> int:
    """How many games to put into a chunk. The number of workers must not matter: chunks outlive a change of it."""
    return max(ENGINES[engine].chunk, -(-games // MOST_CHUNKS))


@dataclass(frozen=True)
class Cut:
    """The games from 0 up to `games` in chunks of `size`; only the last may be smaller."""

    games: int
    size: int

    def __len__(self) -> int:
        return -(-self.games // self.size)

    def __getitem__(self, number: int) -> range:
        """The numbers of the games of a chunk. Raises IndexError where there is no such chunk."""
        if not 0 <= number < len(self):
            raise IndexError(f"there is no chunk {number}")
        return range(number * self.size, min((number + 1) * self.size, self.games))


@dataclass(frozen=True)
class Played:
    """What is left of a chunk: its figures, and its rows as a file where they are wanted."""

    figures: Figures
    rows: bytes | None = None


def play(game: Game, numbers: range, seed: int, rows: str | None = None) -> Played:
    """Plays the games of a chunk; `rows` is a format of `rows.FORMATS`. What workers do, wherever they are."""
    chunk, figures = playouts(game, seed, numbers), Figures(game.players)
    figures.add(chunk)
    return Played(figures, FORMATS[rows](chunk) if rows is not None else None)
