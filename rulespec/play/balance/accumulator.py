"""The sums that are accumulated over games. They take the same memory for any number of games."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from operator import mul, ne, sub
from typing import Any, NamedTuple

from rulespec.engine.program import ir
from rulespec.engine.states.game import Game
from rulespec.engine.states.playout import Chunk, Column, Tally, prizes
from rulespec.play.balance.cross_products import CrossProducts
from rulespec.play.simulate.figures import Figures


class Award(NamedTuple):
    """A prize under one name, wherever in the program it is awarded: the indices of its prizes, and whether the spec
    states a worth."""

    title: str
    name: str
    prizes: tuple[int, ...]
    worth: bool


def awards(game: Game) -> tuple[Award, ...]:
    """All prizes that a game can award, by title and name."""
    every, grouped = prizes(game), dict[tuple[str, str], list[int]]()
    for number, prize in enumerate(every):
        grouped.setdefault((prize.title, prize.name), []).append(number)
    return tuple(
        Award(title, name, tuple(numbers), any(_has_worth(game, every[n].place) for n in numbers))
        for (title, name), numbers in grouped.items()
    )


def _has_worth(game: Game, place: int) -> bool:
    note = game.program.code[place]
    return isinstance(note, ir.Note) and isinstance(note.report, ir.Award) and note.report.worth is not None


# The columns of cross products. Those of the seats come first, from column 1 on.


def seats(players: int) -> range:
    """The columns of the seats."""
    return range(1, players + 1)


class PrizeColumns(NamedTuple):
    """Columns after the times that each seat got the prize: times that no player got it, its worth, and the holders'
    part of the win."""

    nobody: int
    worth: int
    won: int

    @classmethod
    def of(cls, players: int) -> PrizeColumns:
        return cls(*range(players + 1, players + 4))


class PairColumns(NamedTuple):
    """Columns after the wins of each seat, first with the other option, then with the chosen one: the differences in
    points, decisions and shared wins; whether the games differ at all."""

    points: int
    decisions: int
    shared: int
    differs: int

    @classmethod
    def of(cls, players: int) -> PairColumns:
        return cls(*range(2 * players + 1, 2 * players + 5))


@dataclass
class Accumulator:
    """Sums over games. `wins` and `points` are by seat, `awards` by `awards(game)`, `pairs` by other option. `cards`
    has a row for each player of each game: cards held by kind, then points. Wins are in parts of `figures.parts`."""

    figures: Figures
    wins: CrossProducts
    points: CrossProducts
    awards: list[CrossProducts]
    cards: CrossProducts | None
    pairs: list[CrossProducts]
    unexplained: int = 0
    """Number of player results whose points differ from the worth of their prizes."""

    def join(self, other: Accumulator) -> None:
        self.figures.join(other.figures)
        self.unexplained += other.unexplained
        for one, more in zip(self._products(), other._products(), strict=True):
            one.join(more)

    def _products(self) -> list[CrossProducts]:
        cards = [self.cards] if self.cards is not None else []
        return [self.wins, self.points, *cards, *self.awards, *self.pairs]

    def to_record(self) -> dict[str, Any]:
        """The sums, from which `from_record` restores the accumulator."""
        sums = [products.cells for products in self._products()]
        return {"figures": self.figures.to_record(), "unexplained": self.unexplained, "sums": sums}

    @classmethod
    def from_record(cls, record: Any, shape: Shape, games: int) -> Accumulator:
        """The accumulator of so many games. Raises ValueError if the record cannot describe one of this shape."""
        record = record if isinstance(record, dict) else {}
        figures = Figures.from_record(record.get("figures"), shape.players, games)
        if type(unexplained := record.get("unexplained")) is not int:
            raise ValueError("unexplained is not an integer")
        products = iter(_restored(record.get("sums"), shape.sizes()))
        wins, points = next(products), next(products)
        cards = next(products) if shape.kinds else None
        awards = list(islice(products, shape.awards))
        return cls(figures, wins, points, awards, cards, list(products), unexplained)


class Shape(NamedTuple):
    """The numbers of players, awards, kinds of cards and other options, which determine the sizes of all sums."""

    players: int
    awards: int
    kinds: int
    options: int

    def sizes(self) -> list[int]:
        """Columns of each matrix, with the column of ones."""
        cards = [self.kinds + 2] if self.kinds else []
        award, pair = max(PrizeColumns.of(self.players)) + 1, max(PairColumns.of(self.players)) + 1
        return [self.players + 1] * 2 + cards + [award] * self.awards + [pair] * self.options


def _restored(sums: Any, sizes: Sequence[int]) -> list[CrossProducts]:
    """Raises ValueError if there is not one matrix of integers of each size."""
    if not isinstance(sums, list) or len(sums) != len(sizes):
        raise ValueError(f"it does not have {len(sizes)} sums")
    for cells, size in zip(sums, sizes, strict=True):
        if not isinstance(cells, list) or len(cells) != size * size or any(type(cell) is not int for cell in cells):
            raise ValueError(f"one of its sums is not {size * size} integers")
    return [CrossProducts(size, cells) for size, cells in zip(sizes, sums, strict=True)]


def accumulate(
    chunk: Chunk, others: Iterable[Chunk], given: Sequence[Award], held: Sequence[Sequence[int]]
) -> Accumulator:
    """The sums of a chunk with its tally, and of the same games with other options. `held` are the faces of each kind
    of card."""
    assert chunk.tally is not None
    figures, won = Figures(len(chunk.ranks)), wins(chunk)
    figures.add(chunk)
    return Accumulator(
        figures,
        _sums(won.parts),
        _sums(chunk.scores),
        [_sums(_award_columns(award, chunk.tally, won.parts)) for award in given],
        _cards(chunk, chunk.tally, held) if held else None,
        [_sums(_pair_columns(chunk, won, other)) for other in others],
        _unexplained(chunk, chunk.tally),
    )


def _sums(columns: Sequence[Sequence[int]]) -> CrossProducts:
    products = CrossProducts(len(columns) + 1)
    products.add(columns)
    return products


@dataclass(frozen=True)
class Wins:
    """The parts of the win by seat and game, and for each game whether the win was shared."""

    parts: list[list[int]]
    shared: list[int]


def wins(chunk: Chunk) -> Wins:
    # Every number of winners divides it, so parts of a win are whole numbers and sums stay exact.
    whole = math.lcm(*range(1, len(chunk.ranks) + 1))
    winners = [ranks.count(1) for ranks in zip(*chunk.ranks, strict=True)]
    parts = [[whole // n if rank == 1 else 0 for rank, n in zip(ranks, winners, strict=True)] for ranks in chunk.ranks]
    return Wins(parts, [int(n > 1) for n in winners])


def _added(columns: Sequence[Column]) -> Sequence[int]:
    """The sum of at least one column, game by game."""
    return columns[0] if len(columns) == 1 else [sum(row) for row in zip(*columns, strict=True)]


def _award_columns(award: Award, tally: Tally, won: list[list[int]]) -> list[Sequence[int]]:
    players = len(won)
    given = [_added([tally.given[n][seat] for n in award.prizes]) for seat in range(players)]
    nobody = _added([tally.given[n][players] for n in award.prizes])
    worth = _added([column for n in award.prizes for column in tally.worth[n]])
    with_it = [list(map(mul, times, part)) for times, part in zip(given, won, strict=True)]
    return [*given, nobody, worth, [sum(row) for row in zip(*with_it, strict=True)]]


def _unexplained(chunk: Chunk, tally: Tally) -> int:
    """The number of player results that differ from the total worth of the player's prizes."""
    number = 0
    for seat, scores in enumerate(chunk.scores):
        worth = [worth[seat] for worth in tally.worth]
        number += sum(a != b for a, b in zip(scores, _added(worth), strict=True)) if worth else len(scores)
    return number


def _cards(chunk: Chunk, tally: Tally, held: Sequence[Sequence[int]]) -> CrossProducts:
    products = CrossProducts(len(held) + 2)
    for seat, scores in enumerate(chunk.scores):
        columns = [_added([tally.held[face][seat] for face in faces]) for faces in held]
        for score, row in zip(scores, zip(*columns, strict=True), strict=True):
            counts = [(column, number) for column, number in enumerate(row, 1) if number]
            products.add_row([(0, 1), *counts, (len(held) + 1, score)])
    return products


def _pair_columns(chunk: Chunk, won: Wins, other: Chunk) -> list[Sequence[int]]:
    theirs = wins(other)
    points = map(sub, _added(other.scores), _added(chunk.scores))
    decisions = map(sub, other.decisions, chunk.decisions)
    shared = map(sub, theirs.shared, won.shared)
    differs = map(ne, _games(other), _games(chunk))
    return [*theirs.parts, *won.parts, list(points), list(decisions), list(shared), list(map(int, differs))]


def _games(chunk: Chunk) -> Iterator[tuple[int, ...]]:
    """The result of each game as a tuple."""
    return zip(chunk.decisions, *chunk.ranks, *chunk.scores, strict=True)
