"""A whole search: the settings of a spec, each by several searches in one of several processes, then a log for each
finding."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from itertools import chain, islice, zip_longest
from typing import Any, TypeVar

from rulespec.base.executors import Processes
from rulespec.engine.states.game import setting
from rulespec.games.api import Spec
from rulespec.language.model import spec as m
from rulespec.language.model.constants import Setting
from rulespec.play.deep import endless, engines, leaks, preferences
from rulespec.play.deep.cells import CoveredGame
from rulespec.play.deep.ground import Allowance, Ground, Leak, play, play_evenly
from rulespec.play.deep.lines import Line, shortened

_KEPT = ("games", "decisions", "covered", "lines", "traps", "leaks", "compared", "wins", "long", "one_sided")
"""What is read of a setting once its search has ended: numbers that mean the same in every process."""


SECONDS = 30.0
"""How long a search takes unless the caller says otherwise."""
LEAST = 1.5
"""Seconds for one setting, at least. With more settings than that, the last ones are left out."""
MOST_ATTEMPTS = 3_000
"""Attempts to shorten one line, if the search is limited by games."""


Shown = tuple[CoveredGame, Line]
"""A line that shows something, with its game."""

K = TypeVar("K")
L = TypeVar("L", bound=Line)


@dataclass
class Found:
    """What a search has shown, over all settings."""

    spec: m.Spec
    grounds: list[Ground] = field(default_factory=list)
    settings: int = 0
    faults: dict[tuple[str, object], Shown] = field(default_factory=dict)
    loops: dict[m.Step | None, Shown] = field(default_factory=dict)
    leaks: dict[m.Step, tuple[CoveredGame, Leak]] = field(default_factory=dict)
    compared: Counter[tuple[str, frozenset[m.Step]]] = field(default_factory=Counter)

    def add(self, ground: Ground) -> None:
        """Adds what was found in one setting: of several lines to the same the shortest, or the first."""
        game = ground.game
        self.grounds.append(ground)
        for fault, line in ground.lines.items():
            _keep(self.faults, game.subject(fault), game, line)
        for place, line in ground.traps.items():
            _keep(self.loops, game.steps[place], game, line)
        for option, leak in ground.leaks.items():
            _keep(self.leaks, game.offers[option], game, leak)
        for (kind, options), times in ground.compared.items():
            self.compared[kind, frozenset(map(game.offers.__getitem__, options))] += times

    @property
    def games(self) -> int:
        return sum(ground.games for ground in self.grounds)

    @property
    def steps(self) -> tuple[set[m.Step], set[m.Step]]:
        """The steps that ran and the options that were taken in any setting, and all that are there."""
        ran = {step for ground in self.grounds for step in ground.steps}
        return ran, {step for ground in self.grounds for step in ground.game.present}


def _keep(best: dict[K, tuple[CoveredGame, L]], about: K, game: CoveredGame, line: L) -> None:
    if about not in best or line.cost < best[about][1].cost:
        best[about] = game, line


def settings(spec: m.Spec, rulings: Mapping[str, str]) -> Iterator[Setting]:
    """Every number of players with the options as they are; then every other option of a ruling that is not among
    `rulings`, each first with one number of players, then with all others."""
    for players in spec.players:
        yield setting(spec, players, rulings)
    others = [(one.id, option) for one in spec.rulings.values() if one.id not in rulings for option in one.options[1:]]
    counts = [*reversed(spec.players)]
    rows = [
        [setting(spec, players, {**rulings, ruling: option}) for players in (*counts[at:], *counts[:at])]
        for number, (ruling, option) in enumerate(others)
        for at in (number % len(counts),)
    ]
    yield from filter(None, chain.from_iterable(zip_longest(*rows)))


def search(
    spec: Spec,
    seconds: float = SECONDS,
    games: int = 0,
    seed: int = 0,
    rulings: Mapping[str, str] | None = None,
    progress: Callable[[int], None] = lambda parts: None,
    workers: int = 1,
) -> Found:
    """Searches all settings of a spec for so many seconds together, in so many processes. If `games` is given, it plays
    so many games in each setting instead, which finds the same each time and with any number of `workers`. `progress`
    is called with finished parts of `PARTS`.

    Raises SimulationError if processes are killed again and again.
    """
    every = [*settings(spec.model, rulings or {})]
    chosen = every if games else every[: max(len(spec.players), int(seconds * workers * 0.7 / LEAST))]
    found = Found(spec.model, settings=len(every))
    report, share = _Progress(progress, len(chosen) + 3), 0.7 * seconds * min(workers, len(chosen)) / len(chosen)
    grounds = []
    for ground in _explored(_Work(chosen, seed, Allowance(share, games)), workers):
        grounds.append(ground)
        report.step()
    first = grounds[0]
    first.allowance = Allowance(seconds, games)
    for units in (preferences.bots(first), engines.search(first)):
        _exhaust(units)
        report.step()
    for ground in grounds:
        found.add(ground)
    _shorten(found, Allowance(0.15 * seconds, games))
    report.step()
    return found


PARTS = 100
"""The parts of a search that progress counts."""


class _Progress:
    def __init__(self, report: Callable[[int], None], steps: int) -> None:
        self._report, self._steps, self._done = report, steps, 0

    def step(self) -> None:
        before, self._done = self._done, self._done + 1
        self._report(PARTS * self._done // self._steps - PARTS * before // self._steps)


def _exhaust(units: Iterator[None]) -> None:
    for _ in units:
        pass


@dataclass(frozen=True)
class _Work:
    """The settings to search, and how."""

    settings: list[Setting]
    seed: int
    allowance: Allowance

    def ground(self, number: int) -> Ground:
        return Ground(self.settings[number], self.seed, self.allowance)


def _explored(work: _Work, workers: int) -> Iterator[Ground]:
    """What is found in each setting, in order."""
    numbers = range(len(work.settings))
    chunks = [range(number, number + 1) for number in numbers]
    several = min(workers, len(numbers)) > 1
    for number, kept in zip(
        numbers,
        Processes(workers)(work, _search, chunks) if several else map(partial(_search, work), chunks),
        strict=True,
    ):
        ground = work.ground(number)
        for name, value in kept.items():
            setattr(ground, name, value)
        yield ground


def _search(work: _Work, chunk: range) -> dict[str, Any]:
    """All searches of one setting."""
    ground = work.ground(chunk.start)
    for units in (play_evenly(ground), play(ground), preferences.effects(ground), leaks.search(ground)):
        _exhaust(units)
    endless.search(ground)
    return {name: getattr(ground, name) for name in _KEPT}


def _shorten(found: Found, allowance: Allowance) -> None:
    """Shortens the line of each fault: leaves out the choices it does not need."""
    for subject, (game, line) in found.faults.items():
        going = islice(allowance.going(1 / len(found.faults)), MOST_ATTEMPTS if allowance.games else None)
        found.faults[subject] = game, shortened(game, line, game.fails(subject), going)
