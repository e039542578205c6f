"""The segments of a program in machine code, and the array through which states exchange numbers with them."""

from __future__ import annotations

import ctypes
from array import array
from dataclasses import dataclass
from threading import local
from typing import Any

from rulespec.engine.backend.dialects.arrays import zeros
from rulespec.engine.backend.engines.native import Library, library
from rulespec.engine.backend.forms.blocks import BlockSegments
from rulespec.engine.program import ir
from rulespec.language.model.constants import Setting

STEPS = "steps"
EXPORTED = frozenset({"begin_game", "carry_out", "reveal_all_of"})


class Desk(local):
    """The array that all states of a game share during a call of a segment; every thread has its own."""

    def __init__(self, size: int) -> None:
        self.w = zeros(size)
        (self.address,) = addresses(self.w)


@dataclass(frozen=True)
class Opening:
    """The first decision of all games: the block of the state, then the place, the player and the legal actions."""

    block: array[int]
    decision: tuple[int, int, list[int]]


class Segments:
    """The compiled segments of a program. The legal actions start at index `legal` of the desk; `starts` says where the
    arrays of a state lie in its block, `start` is the block of a game that has not begun, `opening` the first decision
    if it is the same in all games. Methods in machine code have a desk of their own, and in `shared` what all states of
    the game pass to them."""

    def __init__(self, setting: Setting, program: ir.Program, setup_only: bool) -> None:
        self._load(setting, BlockSegments(program), (STEPS, str(setup_only)), EXPORTED)

    def _load(
        self, setting: Setting, source: BlockSegments, details: tuple[str, ...], exported: frozenset[str]
    ) -> Library:
        self.layout, self.starts, self.zones = source.layout(), source.starts("state"), len(source.program.zones)
        sizes = source.sizes()
        self.opening: Opening | None = None
        code = library(setting, details, source.source, exported)
        # PYFUNCTYPE keeps the GIL, so the states of a game advance one at a time; CFUNCTYPE would release it. Without
        # types, calls are faster.
        self.begin = code.function("begin_game", ctypes.PYFUNCTYPE(None, *(ctypes.c_void_p,) * 2, ctypes.c_uint64))
        self.act = code.function("carry_out", ctypes.PYFUNCTYPE(None))
        self.reveal = code.function("reveal_all_of", ctypes.PYFUNCTYPE(None))
        self.legal, self.desk = self.layout.asked, Desk(sizes["desk"])
        self.start, self.methods_desk, self.shared = zeros(sizes["state"]), zeros(sizes["desk"]), b""
        return code


def addresses(*arrays: array[Any]) -> tuple[ctypes.c_void_p, ...]:
    """Where the numbers of each array start in memory."""
    return tuple([ctypes.c_void_p(one.buffer_info()[0]) for one in arrays])  # faster than a generator
