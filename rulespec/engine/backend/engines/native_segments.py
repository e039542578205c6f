"""The segments of a program in machine code, and the array through which states exchange numbers with them."""

from __future__ import annotations

import ctypes
from array import array
from dataclasses import dataclass
from threading import local
from typing import Any

from rulespec.engine.backend.dialects.arrays import zeros
from rulespec.engine.backend.engines.native import Library, library
from rulespec.engine.backend.forms.machine_segments import MachineSegments
from rulespec.engine.program import ir
from rulespec.language.model.constants import Setting

_I64 = ctypes.c_int64
STEPS = "steps"
EXPORTED = frozenset({"begin", "act", "reveal"})


class Desk(local):
    """The array that all states of a game share during a call of a segment; every thread has its own."""

    def __init__(self, size: int) -> None:
        self.w = zeros(size)
        (self.address,) = addresses(self.w)


@dataclass(frozen=True)
class Opening:
    """The first decision of all games: the arrays, then the place, the player and the legal actions."""

    arrays: tuple[array[int], array[int], array[int]]
    decision: tuple[int, int, list[int]]


class Segments:
    """The compiled segments of a program. The legal actions start at index `legal` of the desk; `kept` is the size of
    the array for what players know, if there is one; `start` are the arrays of a game that begins, `opening` is the
    first decision if it is the same in all games. Methods in machine code have a desk of their own, and in `shared`
    what all states of the game pass to them."""

    def __init__(self, setting: Setting, program: ir.Program, setup_only: bool) -> None:
        self._load(setting, MachineSegments(program), (STEPS, str(setup_only)), EXPORTED)

    def _load(
        self, setting: Setting, source: MachineSegments, details: tuple[str, ...], exported: frozenset[str]
    ) -> Library:
        self.first, self.layout, self.kept = source.follows[0], source.layout(), 0
        program = source.program
        zones = [program.cards if zone == program.start_zone else () for zone in range(len(program.zones))]
        self.start = self.layout.position(program.start, zones)
        self.zones = len(program.zones)
        self.opening: Opening | None = None
        code = library(setting, details, source.source, exported)
        # PYFUNCTYPE keeps the GIL, so the states of a game advance one at a time; CFUNCTYPE would release it.
        typed = ctypes.PYFUNCTYPE(None, _I64, *(ctypes.c_void_p,) * len(source.given))
        self.begin, self.reveal = code.function("begin", typed), code.function("reveal", typed)
        self.act = code.function("act", ctypes.PYFUNCTYPE(None))  # untyped: called most, and faster
        self.legal = self.layout.asked
        self.desk = Desk(self.layout.w)
        self.methods_desk, self.shared = zeros(self.layout.w), b""
        return code


def addresses(*arrays: array[Any]) -> tuple[ctypes.c_void_p, ...]:
    """Where the numbers of each array start in memory."""
    return tuple([ctypes.c_void_p(one.buffer_info()[0]) for one in arrays])  # faster than a generator
