"""Tiered execution: when machine code pays for a game, and its compilation in another process meanwhile."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from threading import Thread
from typing import Any, NamedTuple

from rulespec.engine.backend.engines.table import ENGINES

HOT = 1_000
"""Decisions after which a game is much played: machine code is looked for, and looked for again."""
VIEW = 10
"""Decisions that one observation counts for: it takes as long."""

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
    the function that lets it take over a state; and the function that compiles it, as `COMPILE` reads it."""

    is_cached: Callable[[], bool]
    load: Callable[[], Callable[[Any], None] | None]
    compile: tuple[object, ...]


class Tier:
    """How much the states of a game are played, and the machine code that takes them over: `take_over`, once there is
    some. The process that compiles it writes to the cache. It is not waited for, and ends by itself."""

    def __init__(self, machine: Machine) -> None:
        self.left = HOT
        self.take_over: Callable[[Any], None] | None = None
        self._machine, self._process, self._ended = machine, 0, False

    def count(self, number: int) -> None:
        """Counts decisions."""
        self.left -= number
        if self.left < 0:
            self.look()

    def look(self) -> None:
        """Loads machine code from the cache, or starts to compile it. Called when `left` is used up."""
        self.left = HOT
        if ENGINES["native"].missing:
            self.left = sys.maxsize
        elif self._process == os.getpid() and not self._ended:
            return
        elif self._machine.is_cached():
            self.left, self.take_over = sys.maxsize, self._machine.load()
        elif self._ended:
            self.left = sys.maxsize
        else:
            # A fork of this process does not have the thread, so it starts one of its own.
            self._process = os.getpid()
            Thread(target=self._compile, daemon=True).start()

    def _compile(self) -> None:
        with suppress(OSError):
            read = pickle.dumps(sys.path) + pickle.dumps(self._machine.compile)
            # Isolated: modules in the working directory are not imported.
            command = [sys.executable, "-IB", "-c", COMPILE]
            subprocess.run(command, input=read, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
        self._ended = True
