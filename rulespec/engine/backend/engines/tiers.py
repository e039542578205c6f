"""Tiered execution: when machine code pays for a game, and its compilation in another process meanwhile."""

from __future__ import annotations

import os
import pickle
import sys
from collections.abc import Callable
from contextlib import suppress
from threading import Thread
from time import process_time
from typing import Any, NamedTuple

from rulespec.engine.backend.engines.costs import AHEAD
from rulespec.engine.backend.engines.table import ENGINES

LOOK = 100
"""Decisions and views between two looks at the clock."""

COMPILE = """
import pickle, sys
sys.path[:] = pickle.load(sys.stdin.buffer)
from importlib import import_module
module, name, *arguments = pickle.load(sys.stdin.buffer)
getattr(import_module(module), name)(*arguments)
"""
"""What the other process runs: a function by the names of its module and its own, with the caller's path of modules."""


class Machine(NamedTuple):
    """How a game gets machine code: whether it is cached; how it is loaded (None if it exceeds the limits), which gives
    the function that lets it take over a state; the function that compiles it, as `COMPILE` reads it; and the estimated
    seconds for that."""

    is_cached: Callable[[], bool]
    load: Callable[[], Callable[[Any], None] | None]
    compile: tuple[object, ...]
    seconds: Callable[[], float]


class Tier:
    """How much the states of a game are played, and the machine code that takes them over. It is compiled when play has
    taken a share of the time for that. The process that compiles it writes to the cache. It is not waited for, and ends
    by itself.

    States subtract 1 from `left` for every decision and view, and ask for `machine_code` when it is below 0.
    `take_over` is that machine code, if it is loaded.
    """

    def __init__(self, machine: Machine) -> None:
        self.left = LOOK
        self.take_over: Callable[[Any], None] | None = None
        self._began: float | None = None
        self._pays_from = 0.0
        self._machine, self._process, self._ended = machine, 0, False

    def machine_code(self) -> Callable[[Any], None] | None:
        """What lets machine code take over a state; None if it is not loaded. If it is time to look, loads it from the
        cache, or starts to compile it."""
        if self.left < 0 and self.take_over is None:
            self._look()
        return self.take_over

    def _look(self) -> None:
        self.left = LOOK
        if ENGINES["native"].missing:
            self.left = sys.maxsize
            return
        if self._began is None:
            # The time counts from here on, as it is not known what was done before.
            self._began, self._pays_from = process_time(), AHEAD[0] * self._machine.seconds()
        played = process_time() - self._began
        if played < ENGINES["native"].load or (self._process == os.getpid() and not self._ended):
            return
        elif self._machine.is_cached():
            self.take_over = self._machine.load()
            self.left = sys.maxsize if self.take_over is None else -1
        elif self._ended:
            self.left = sys.maxsize
        elif played >= self._pays_from:
            # A fork of this process does not have the thread, so it starts one of its own.
            self._process = os.getpid()
            # Whatever keeps the other process from its work, Python goes on playing.
            with suppress(Exception):
                # What the thread passes on is made here, as play changes it.
                read = pickle.dumps(sys.path) + pickle.dumps(self._machine.compile)
                Thread(target=self._compile, args=[read], daemon=True).start()

    def _compile(self, read: bytes) -> None:
        import subprocess  # most games never need it

        with suppress(Exception):
            # Isolated: modules in the working directory are not imported.
            command = [sys.executable, "-IB", "-c", COMPILE]
            subprocess.run(command, input=read, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
        self._ended = True
