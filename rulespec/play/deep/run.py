"""A whole search: the settings of a spec, each by several searches in one of several processes, then a log for each
finding."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from io import BytesIO
from itertools import chain, islice, zip_longest
from typing import Any

from rulespec.base.executors import Processes
from rulespec.engine.states.game import setting
from rulespec.games.api import Spec
from rulespec.language.model import spec as m
from rulespec.language.model.constants import Setting
from rulespec.language.model.step import Step
from rulespec.play.deep import endless, engines, leaks, preferences
from rulespec.play.deep.cells import CoveredGame, Fault
from rulespec.play.deep.ground import Allowance, Ground, play, play_evenly
from rulespec.play.deep.leaks import Leak
from rulespec.play.deep.lines import Line, shortened
from rulespec.play.deep.preferences import Compared

_KEPT = ("games", "decisions", "covered", "lines", "wins", "long", "one_sided")
"""What is read once the search of a setting has ended."""


@dataclass
class Explored:
    """What the search of one setting has found: loops that go round without change, options that reveal something, and
    how options compare."""

    ground: Ground
    loops: dict[Step, Line] = field(default_factory=dict)
    leaks: dict[Step, Leak] = field(default_factory=dict)
    compared: Compared = field(default_factory=Compared)


def packed(explored: Explored) -> bytes:
    """The bytes of what was found, for `unpacked`."""
    ground, content = explored.ground, BytesIO()
    kept = {name: getattr(ground, name) for name in _KEPT}
    _Pickler(content, ground.game).dump((kept, explored.loops, explored.leaks, explored.compared))
    return content.getvalue()


def unpacked(content: bytes, setting: Setting, seed: int, allowance: Allowance) -> Explored:
    """What was found in a setting, with its steps and a game of this process."""
    ground = Ground(setting, seed, allowance)
    kept, *found = _Unpickler(BytesIO(content), ground.game).load()
    for name, value in kept.items():
        setattr(ground, name, value)
    return Explored(ground, *found)


_GAME = "game"


def _steps(game: CoveredGame) -> dict[int, Step]:
    """The steps of a game by number: those behind the places of its program, then those of its options."""
    placed = {place: step for place, step in enumerate(game.steps) if step is not None}
    return placed | {len(game.steps) + first: step for first, step in game.offers.items()}


class _Pickler(pickle.Pickler):
    def __init__(self, file: BytesIO, game: CoveredGame) -> None:
        super().__init__(file)
        self._game = game
        self._numbers = {step: number for number, step in _steps(game).items()}

    def persistent_id(self, value: Any) -> object:
        if value is self._game:
            return _GAME
        return self._numbers[value] if isinstance(value, Step) else None


class _Unpickler(pickle.Unpickler):
    def __init__(self, file: BytesIO, game: CoveredGame) -> None:
        super().__init__(file)
        self._game, self._steps = game, _steps(game)

    def persistent_load(self, number: Any) -> object:
        return self._game if number == _GAME else self._steps[number]


SECONDS = 30.0
"""How long a search takes unless the caller says otherwise."""
LEAST = 1.5
"""Seconds for one setting, at least. With more settings than that, the last ones are left out."""
MOST_ATTEMPTS = 3_000
"""Attempts to shorten one line, if the search is limited by games."""


@dataclass
class Found:
    """What a search has shown, over all settings."""

    spec: m.Spec
    grounds: list[Ground] = field(default_factory=list)
    settings: int = 0
    lines: dict[tuple[str, object], Line] = field(default_factory=dict)
    loops: dict[m.Step, Line] = field(default_factory=dict)
    leaks: dict[m.Step, Leak] = field(default_factory=dict)
    engines: dict[str, Line] = field(default_factory=dict)
    compared: Compared = field(default_factory=Compared)

    def add(self, one: Explored) -> None:
        """Adds what was found in one setting: of several lines to one step the shortest, or the first."""
        self.grounds.append(one.ground)
        for loop, line in one.loops.items():
            if loop not in self.loops or line.cost < self.loops[loop].cost:
                self.loops[loop] = line
        for option, leak in one.leaks.items():
            if option not in self.leaks or leak.line.cost < self.leaks[option].line.cost:
                self.leaks[option] = leak
        self.compared.add(one.compared)

    @property
    def games(self) -> int:
        return sum(ground.games for ground in self.grounds)


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
    for one in _explored(_Work(chosen, seed, Allowance(share, games)), workers):
        found.add(one)
        report.step()
    first = found.grounds[0]
    first.allowance = Allowance(seconds, games)
    _exhaust(preferences.bots(first, found.compared))
    report.step()
    _exhaust(engines.search(first, found.engines))
    report.step()
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

    def explored(self, number: int) -> Explored:
        found = Explored(Ground(self.settings[number], self.seed, self.allowance))
        _search(found.ground, found)
        return found


def _explored(work: _Work, workers: int) -> Iterator[Explored]:
    """What is found in each setting, in order."""
    numbers = range(len(work.settings))
    if min(workers, len(numbers)) < 2:
        yield from map(work.explored, numbers)
        return
    contents = Processes(workers)(work, _packed, [range(number, number + 1) for number in numbers])
    for setting_, content in zip(work.settings, contents, strict=True):
        yield unpacked(content, setting_, work.seed, work.allowance)


def _packed(work: _Work, chunk: range) -> bytes:
    return packed(work.explored(chunk.start))


def _search(ground: Ground, found: Explored) -> None:
    """All searches of one setting."""
    for units in (
        play_evenly(ground),
        play(ground),
        preferences.effects(ground, found.compared),
        leaks.search(ground, found.leaks),
    ):
        _exhaust(units)
    _rounds(ground, found.loops)


def _rounds(ground: Ground, found: dict[m.Step, Line]) -> None:
    """The loops of a setting that end up going round without change."""
    for place, lines in ground.loops.items():
        loop = ground.game.steps[place]
        assert loop is not None
        for line in lines:
            trap = endless.trapped(ground, place, line)
            if trap is not None and (loop not in found or trap.cost < found[loop].cost):
                found[loop] = trap


def _shorten(found: Found, allowance: Allowance) -> None:
    """Finds a short line for each fault: the shortest of all settings, then without the choices it does not need."""
    best: dict[tuple[str, object], tuple[Ground, Fault]] = {}
    for ground in found.grounds:
        for fault, line in ground.lines.items():
            about: object = ground.game.steps[fault[1]] if fault[0] == "bound" else fault[1]
            key = fault[0], about
            if key not in best or line.cost < best[key][0].lines[best[key][1]].cost:
                best[key] = ground, fault
    for key, (ground, fault) in best.items():
        going = islice(allowance.going(1 / len(best)), MOST_ATTEMPTS if allowance.games else None)
        found.lines[key] = shortened(ground.lines[fault], ground.game.fails(fault), going)
