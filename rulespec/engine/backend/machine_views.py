"""Segments in machine code that keep what players know, and write observations as tensors.

What players know is kept as machine_observed.py says, and the tensors are written by runtime_tensors.py.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from rulespec.engine import ir
from rulespec.engine.backend.arrays import SIZES, ZONES
from rulespec.engine.backend.machine_observed import KNOWN, PAST, MachineObserved, Sight, runtime_functions
from rulespec.engine.backend.machine_playout import Source
from rulespec.engine.backend.syntax import assign, call, do, name, when
from rulespec.model.types import LIMIT, NONE

_OUT, _PLAYER, _NUMBER = map(name, ("out", "player", "number"))
SEAT_BITS = 8
"""Bits of a seat in the number that `observe` gets: above are a bit for each seat that decides."""


@dataclass(frozen=True)
class Content:
    """A titled value in a tensor: where its part begins, and how what it holds is written (see tensors.py). `seen` are
    the players who know it."""

    value: ir.TitledValue
    start: int
    kind: str
    numbers: tuple[int, ...]
    seen: frozenset[int]


@dataclass(frozen=True)
class Tensors:
    """The layout of tensors: the values; where the part of each zone begins; the size of an observation and that of the
    part for choices. `copies` has the number of cards of every face, from 1."""

    contents: Sequence[Content]
    zones: Sequence[int]
    copies: Sequence[int]
    size: int
    choices: int


class MachineViews(MachineObserved):
    """Writes the segments of a program that keep what players know, and the code of tensors."""

    def __init__(self, program: ir.Program, sight: Sight, tensors: Tensors) -> None:
        super().__init__(program, sight)
        self.tensors = tensors

    def sizes(self) -> Mapping[str, int]:
        return {**super().sizes(), "out": self.tensors.size + self.tensors.choices}

    def constants(self) -> Mapping[str, int]:
        sizes = {"TENSOR_SIZE": self.tensors.size, "CHOICES": self.tensors.choices, "ONE": 0x3F800000}
        return {**super().constants(), **sizes, "ABSENT": NONE, "LIMITLESS": LIMIT}

    def source(self, rollouts: bool = False) -> Source:
        """The segments and `observe`, which writes an observation and the latest choices."""
        made = super().source(rollouts)
        runtime = [*runtime_functions("runtime_observed.py"), *runtime_functions("runtime_tensors.py")]
        functions = [*runtime, *made.functions, self._observer()]
        parts = (*self.tensors.zones, max(1, len(self.program.cards)))
        tables = {"COPIES": (*self.tensors.copies,), "ZONE_PARTS": parts, **self.tables_of_sight()}
        return Source(functions, {**self.tables, **tables}, made.runtime, made.constants, made.sizes)

    def _observer(self) -> ast.FunctionDef:
        return self.export("observe", {"number": "i64", "out": "i32s"}, self.body(self._observe))

    def _observe(self) -> None:
        self.put(assign(_NUMBER & 2**SEAT_BITS - 1, _PLAYER))
        # The number is passed as a 32-bit integer (see native.py).
        self.put(do(call("write_turn", _OUT, _PLAYER, (_NUMBER & 2**32 - 1) >> SEAT_BITS)))
        for content in self.tensors.contents:
            self._write(content)
        self.put(do(call("write_zones", _OUT, ZONES, SIZES, KNOWN, _PLAYER)))
        self.put(do(call("write_choices", _OUT, PAST, _PLAYER)))

    def _write(self, content: Content) -> None:
        players = range(self.program.players)
        if content.seen.issuperset(players):
            self._write_content(content)
        elif content.seen:
            seen = self.table([int(player in content.seen) for player in players])
            with self.inside(when(seen[_PLAYER])):
                self._write_content(content)

    def _write_content(self, content: Content) -> None:
        held = self.value(content.value.expression)
        self.put(do(call(f"write_{content.kind}", _OUT, content.start, held, *content.numbers)))
