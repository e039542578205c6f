"""Plays pairs of games and accumulates exact sums of the differences of all figures."""

from __future__ import annotations

import time
from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache, partial
from operator import mul, ne, sub
from typing import TYPE_CHECKING

from rulespec.base.executors import Executor, Processes, here
from rulespec.engine.backend.engines.code import within_limits
from rulespec.engine.backend.engines.table import ENGINES
from rulespec.play.balance.estimate import Estimate, around
from rulespec.versions.paired.figures import GAME, TRACE, Columns, Figure, figures
from rulespec.versions.paired.games import measured
from rulespec.versions.paired.pair import Pair
from rulespec.versions.paired.players import player_named

if TYPE_CHECKING:
    from rulespec.engine.named_chance.machine import NamedPlayouts

PAYS_FROM = 500
"""Pairs from which machine code is compiled for both versions: it takes seconds, in which the interpreter plays some
hundreds of pairs."""

CHUNKS = {"native": 20_000, "interpreter": 20}
"""Pairs that a worker plays in one go: some tenths of a second."""

THINKING = 1
"""The same for players that take longer to decide than random ones."""

Sums = tuple[int, int, int, int]
"""Of one figure: the sum over the old games, over the new games, of the squares of the differences, and the number of
pairs that differ."""


@dataclass
class Counted:
    """Exact sums over pairs, by figure. `moves` counts the pairs with other moves, `differing` those with any
    difference in the game; `first` is the first of these."""

    pairs: int = 0
    differing: int = 0
    moves: int = 0
    first: int | None = None
    sums: list[Sums] = field(default_factory=list)

    def join(self, other: Counted) -> None:
        self.pairs += other.pairs
        self.differing += other.differing
        self.moves += other.moves
        self.first = other.first if self.first is None else self.first
        if not self.sums:
            self.sums = other.sums
        else:
            self.sums = [_added(*both) for both in zip(self.sums, other.sums, strict=True)]


def _added(a: Sums, b: Sums) -> Sums:
    return a[0] + b[0], a[1] + b[1], a[2] + b[2], a[3] + b[3]


@dataclass(frozen=True)
class Change:
    """A figure in both versions, per game, and the mean of the paired differences with its 95 % confidence interval.

    `differing` counts the pairs in which the figure differs.
    """

    figure: Figure
    before: float
    after: float
    difference: Estimate
    differing: int

    @property
    def shows(self) -> bool:
        """Whether the interval excludes 0."""
        return self.difference.low > 0 or self.difference.high < 0


@dataclass(frozen=True)
class Result:
    """All figures of a run of pairs."""

    pair: Pair
    bot: str
    seed: int
    engine: str
    seconds: float
    counted: Counted
    changes: tuple[Change, ...]

    @property
    def games(self) -> int:
        return self.counted.pairs

    def of(self, group: str) -> tuple[Change, ...]:
        return tuple(change for change in self.changes if change.figure.group == group)


def play(
    pair: Pair,
    games: int,
    seed: int = 0,
    bot: str = "random",
    workers: int = 1,
    progress: Callable[[int], None] = lambda done: None,
    *,
    engine: str = "auto",
    executor: Executor | None = None,
) -> Result:
    """Plays `games` pairs (at least 1). The figures are the same for any number of workers and any engine.

    `progress` is called with the number of pairs finished since its last call. Raises SimulationError if workers fail.
    """
    done = 0
    for result in results(pair, games, seed, bot, workers, engine=engine, executor=executor):
        progress(result.games - done)
        done = result.games
    return result


def results(
    pair: Pair,
    games: int,
    seed: int = 0,
    bot: str = "random",
    workers: int = 1,
    *,
    engine: str = "auto",
    executor: Executor | None = None,
    at_once: int | None = None,
) -> Iterator[Result]:
    """The result so far after every `at_once` pairs, by default some tenths of a second; the last is that of `play`."""
    began = time.perf_counter()
    chosen = _engine(pair, games, bot, engine)
    size = at_once or (CHUNKS[chosen] if bot == "random" else THINKING)
    chunks = [range(start, min(start + size, games)) for start in range(0, games, size)]
    run = executor or (Processes(min(workers, len(chunks))) if workers > 1 and len(chunks) > 1 else here)
    whole = Counted()
    with closing(run(pair, partial(_count, seed=seed, bot=bot, engine=chosen), chunks)) as parts:
        for part in parts:
            # In the order of the pairs, so that `first` is the lowest number for any number of workers.
            whole.join(part)
            # A copy of the sums: `whole` goes on after the result is handed out.
            yield Result(pair, bot, seed, chosen, time.perf_counter() - began, replace(whole), _changes(pair, whole))


def _changes(pair: Pair, whole: Counted) -> tuple[Change, ...]:
    summed = zip(_of(pair).figures, whole.sums, strict=True)
    return tuple(_change(one, sums, whole.pairs) for one, sums in summed if one.group != TRACE)


def _engine(pair: Pair, games: int, bot: str, engine: str) -> str:
    """The name of the engine: machine code plays random players only, and pays for many pairs."""
    wanted = engine == "native" or (engine == "auto" and games >= PAYS_FROM)
    if bot == "random" and wanted and not ENGINES["native"].missing and _of(pair).machines is not None:
        return "native"
    return "interpreter"


class _Prepared:
    """What is made once for a pair in each process."""

    def __init__(self, pair: Pair) -> None:
        self.columns = Columns(pair.old), Columns(pair.new)
        self.figures = figures(self.columns)

    @cached_property
    def machines(self) -> tuple[NamedPlayouts, NamedPlayouts] | None:
        """Machine code for both versions; None if either exceeds its limits."""
        old, new = (within_limits(partial(_machine, one)) for one in self.columns)
        return (old, new) if old is not None and new is not None else None


def _machine(columns: Columns) -> NamedPlayouts:
    from rulespec.engine.named_chance.machine import NamedPlayouts  # needs LLVM, which a browser does not have

    game = columns.game
    return NamedPlayouts(game.setting, game.program, game.labels, columns.measures)


@lru_cache(maxsize=4)
def _of(pair: Pair) -> _Prepared:
    return _Prepared(pair)


def _count(pair: Pair, numbers: range, seed: int, bot: str, engine: str) -> Counted:
    """The sums of some pairs of a seed. Runs on the workers."""
    return _by_machine(pair, numbers, seed) if engine == "native" else _interpreted(pair, numbers, seed, bot)


def _by_machine(pair: Pair, numbers: range, seed: int) -> Counted:
    prepared = _of(pair)
    assert prepared.machines is not None
    count, absent = len(numbers), array("q", bytes(8 * len(numbers)))
    old, new = (machine.play(seed, numbers.start, count) for machine in prepared.machines)
    compare = prepared.machines[0].compare
    differs, moves, ignored = (array("q", bytes(8 * count)) for _ in range(3))
    sums = []
    for one in prepared.figures:
        marks = moves if one.group == TRACE else differs if one.group in GAME else ignored
        before, after = _column(old, one.old, absent), _column(new, one.new, absent)
        sums.append(compare(before, after, marks))
    return _counted(numbers, differs, moves, sums)


def _column(columns: Sequence[array[int]], number: int | None, absent: array[int]) -> array[int]:
    return columns[number] if number is not None else absent


def _interpreted(pair: Pair, numbers: range, seed: int, bot: str) -> Counted:
    prepared, player = _of(pair), player_named(bot)
    rows = [[measured(columns, player, seed, number) for number in numbers] for columns in prepared.columns]
    old, new = ([array("q", column) for column in zip(*side, strict=True)] for side in rows)
    absent, sums = array("q", bytes(8 * len(numbers))), []
    differs, moves = array("q", absent), array("q", absent)
    for one in prepared.figures:
        before, after = _column(old, one.old, absent), _column(new, one.new, absent)
        marks = list(map(ne, before, after))
        for place, other in enumerate(marks):
            if other and one.group == TRACE:
                moves[place] = 1
            elif other and one.group in GAME:
                differs[place] = 1
        apart = list(map(sub, after, before))
        sums.append((sum(before), sum(after), sum(map(mul, apart, apart)), sum(marks)))
    return _counted(numbers, differs, moves, sums)


def _counted(numbers: range, differs: Sequence[int], moves: Sequence[int], sums: Iterable[Sums]) -> Counted:
    either = [a or b for a, b in zip(differs, moves, strict=True)]
    first = numbers[either.index(1)] if 1 in either else None
    return Counted(len(numbers), sum(either), sum(moves), first, list(sums))


def _change(figure: Figure, sums: Sums, pairs: int) -> Change:
    old, new, squares, differing = sums
    total, scale = new - old, figure.scale
    value = total / (pairs * scale)
    # The numerator is an exact integer, so rounding cannot make it negative.
    spread = (pairs * squares - total * total) / (pairs * pairs * (pairs - 1)) if pairs > 1 else float("nan")
    difference = around(value, spread**0.5 / scale, pairs - 1)
    return Change(figure, old / (pairs * scale), new / (pairs * scale), difference, differing)
