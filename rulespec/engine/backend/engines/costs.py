"""What it costs to play a program on each engine, and which engine is the cheapest: how `auto` plays.

All costs are seconds of processor time. What has not been measured yet is estimated.
"""

from __future__ import annotations

import logging
import math
import os
import signal
import sys
import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from time import process_time
from typing import TYPE_CHECKING, NamedTuple

from rulespec.base.executors import processors
from rulespec.engine.backend.engines.table import ENGINES
from rulespec.engine.program import ir

if TYPE_CHECKING:
    from multiprocessing.context import ForkProcess

NODE = 1.25e-6
"""Seconds in which the machine of the costs in the table of engines visits a node of a program."""

RUNTIME = 230
"""Nodes whose compilation takes as long as that of what all programs share."""

AHEAD = (0.25, 2.0)
"""Another processor compiles machine code if to go on in Python costs a share between these of what machine code does.
For more, it is waited for."""

PATIENCE = 0.25
"""The share of what an engine costs to start that may be lost by waiting whether it will be needed."""

BATCH = 0.005
"""Seconds of play between two choices, if games are shorter."""


class Cost(NamedTuple):
    """Seconds until an engine can play, and for every game."""

    start: float
    game: float

    def of(self, games: int) -> float:
        return self.start + games * self.game


def cheapest(costs: Mapping[str, Cost], games: int) -> str:
    """The engine for which this number of games costs least; if several cost the same, the first."""
    return min(costs, key=lambda name: costs[name].of(games))


def starts(program: ir.Program) -> dict[str, float]:
    """The seconds until each engine of this machine can play a program, estimated from its size, and from how long it
    takes to find its size."""
    began, nodes, options = process_time(), 0, 0
    for node in ir.walk(program.code):
        nodes += 1
        options += isinstance(node, ir.Option | ir.Move)
    slowness = (process_time() - began) / (nodes * NODE)
    here = (engine for engine in ENGINES.values() if not engine.missing)
    return {one.name: slowness * (one.load + (RUNTIME + nodes) * one.node + options * one.option) for one in here}


class Pace:
    """The choice of an engine while games are played: `engine` plays the next `batch` games.

    `starts` are the seconds until each engine can play; `kept` says whether the code of one is in the cache, and
    `compiling` compiles machine code and keeps it there.
    """

    def __init__(
        self, starts: Mapping[str, float], kept: Callable[[str], bool], compiling: Callable[[], object]
    ) -> None:
        self.engine, self.batch, self.played = next(iter(starts)), 1, 0
        self._starts, self._kept, self._compiling = dict(starts), kept, compiling
        self._sought = {self.engine}
        self._measured: dict[str, tuple[float, int]] = {}
        self._ahead: ForkProcess | None = None

    def without(self, engine: str) -> None:
        """Leaves out an engine, whose limits the program exceeds."""
        del self._starts[engine]
        if engine == self.engine:
            self.engine, self.batch = next(iter(self._starts)), 1

    def measured(self, games: int, seconds: float) -> None:
        """Takes note of what some games cost. The interpreter starts in its first game, other engines before it."""
        before, number = self._measured.get(self.engine, (0.0, 0))
        seconds -= self._starts[self.engine]
        self._starts[self.engine] = 0.0
        self._measured[self.engine] = before + max(seconds, 0.0), number + games
        self.played += games
        if seconds < BATCH:
            self.batch *= 2

    def choose(self, left: int | None, unfinished: float = 0.0) -> str:
        """The engine for the next games of `left`; None stands for as many as have been played. `unfinished` are the
        seconds that a game has taken so far."""
        if self.engine == "native":
            return self.engine
        games = max(self.played, 1) if left is None else left
        game = self._game(max(unfinished - self._starts[self.engine], 0.0))
        if games * game > ENGINES["compiled"].load:
            for name in self._starts.keys() - self._sought:
                self._seek(name)
        if self._ahead is not None and not self._ahead.is_alive():
            # Without code, it exceeds the limits or the memory of this machine.
            (self._seek if self._ahead.exitcode == 0 else self.without)("native")
            self._ahead = None
        costs = {name: Cost(self._starts[name], self._expected(name, game)) for name in self._starts}
        costs[self.engine] = Cost(0.0, game)
        if self._has_native and self.engine == "interpreter":
            costs.pop("compiled", None)  # it would save hundredths of a second, or cost more
        if self._ahead is not None or self._pays_ahead(costs, games):
            self._ahead = self._ahead or _beside(self._compiling)
            del costs["native"]
        best = cheapest(costs, games)
        if best == "compiled" and "native" in costs and unfinished:
            # The game may turn out so long that only machine code pays: that is worth waiting for a little.
            long = costs["native"].start / (games * costs["compiled"].game)
            if (long - 1) * game < PATIENCE * costs["compiled"].start:
                return self.engine
        if best != self.engine:
            self.engine, self.batch, self._starts[best] = best, 1, 0.0
        return best

    @property
    def waits(self) -> bool:
        """Whether another processor compiles machine code."""
        return self._ahead is not None

    def seconds(self, left: int) -> float:
        """What the games that are left cost on the present engine."""
        return left * self._game(0.0)

    def _seek(self, name: str) -> None:
        self._sought.add(name)
        if self._kept(name):
            self._starts[name] = ENGINES[name].load

    @property
    def _has_native(self) -> bool:
        """Whether machine code is in the cache, and it has been looked for."""
        return self._starts.get("native", math.inf) <= ENGINES["native"].load

    def _game(self, unfinished: float) -> float:
        """The seconds of a game on the present engine."""
        seconds, number = self._measured.get(self.engine, (0.0, 0))
        return max(seconds / max(number, 1), unfinished)

    def _expected(self, name: str, game: float) -> float:
        """The seconds of a game on an engine, by the seconds of one on the present engine if it has not played yet."""
        if name in self._measured:
            seconds, number = self._measured[name]
            return seconds / number
        return game * ENGINES[self.engine].speed / ENGINES[name].speed

    def _pays_ahead(self, costs: Mapping[str, Cost], games: int) -> bool:
        """Whether another processor should begin to compile machine code."""
        if "native" not in costs or self._has_native:
            return False
        python = min(cost.of(games) for name, cost in costs.items() if name != "native")
        least, most = (share * costs["native"].of(games) for share in AHEAD)
        return least < python < most and _rests()


def _rests() -> bool:
    """Whether another processor rests, on which a copy of this process can work."""
    from multiprocessing import get_all_start_methods, get_start_method, parent_process

    forks = (get_start_method(allow_none=True) or get_all_start_methods()[0]) == "fork"
    alone = threading.active_count() == 1 and parent_process() is None
    return forks and alone and 1 < processors() > os.getloadavg()[0]


def _beside(function: Callable[[], object]) -> ForkProcess:
    """A process that calls a function. It is not waited for, and ends with this process."""
    from multiprocessing import get_context

    process = get_context("fork").Process(target=_silently, args=(function,), daemon=True)
    process.start()
    return process


def _silently(function: Callable[[], object]) -> None:
    """Ends the process with 0 if a function returns something."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    logging.disable()
    made = None
    with suppress(Exception):
        made = function()
    sys.exit(made is None)
