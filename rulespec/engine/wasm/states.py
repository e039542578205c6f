"""Segments over states that are one block of memory each, which a host holds.

A state is one block of memory: the arrays `m`, `w` and `z` of machine_segments.py, in this order. docs/wasm.md
describes the functions over such blocks.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence

from rulespec.engine.backend.dialects.arrays import SIZES, ZONES, i64
from rulespec.engine.backend.forms.machine_segments import MachineSegments, part
from rulespec.engine.backend.forms.segments import ACTION
from rulespec.engine.backend.tree import syntax
from rulespec.engine.backend.tree.syntax import assign, call, loop, name, number
from rulespec.engine.backend.tree.writer import REGISTERS

GAMES = ("play_games",)
"""The functions of playouts."""

STATES = ("new_state", "act", "reveal", "rollout")
"""The functions over one state."""


class StateSegments(MachineSegments):
    """The segments of a program over states in one block of memory each."""

    def exported(self) -> list[ast.FunctionDef]:
        policy = {"policy": "u64"}
        return [
            self.export("new_state", {"seed": "u64"}, self.body(self._new_state)),
            self.export("act", {"action": "i64"}, [self.runs(call("take", ACTION, *self.passed))]),
            self.export("reveal", {}, [self.runs(call("reveal_all", *self.passed))]),
            self.export("rollout", policy, self.body(self.random_play)),
        ]

    def export(self, called: str, arguments: dict[str, str], body: list[ast.stmt]) -> ast.FunctionDef:
        return syntax.function(called, {"state": "i64s"} | arguments, [*self._arrays(), *self.parts(), *body], "None")

    def _arrays(self) -> list[ast.stmt]:
        layout = self.layout()
        desk, zones = layout.r + layout.n, layout.r + layout.n + layout.w
        parts = (("m", "i64s", 0, desk), ("w", "i64s", desk, layout.w), ("z", "i16s", zones, layout.z))
        return [part(name(array), kind, "state", first, size) for array, kind, first, size in parts]

    def _new_state(self) -> None:
        """Writes: lay out registers and cards, then run to the first decision."""
        self._fill(REGISTERS, 0, self.program.start)
        self.put(assign(i64(name("seed")), REGISTERS[self.stream]))
        self._fill(SIZES, 0, [0] * len(self.program.zones))
        if self.program.zones:
            start = self.program.start_zone
            self._fill(ZONES, start * self.room, self.program.cards)
            self.put(assign(len(self.program.cards), SIZES[start]))
        self.put(self.runs(number(self.follows[0])))

    def _fill(self, array: syntax.Code, first: int, numbers: Sequence[int]) -> None:
        """Writes: copy numbers into an array."""
        place = name("i")
        if numbers:
            with self.inside(loop(place, call("range", 0, len(numbers)))):
                self.put(assign(self.table(numbers)[place], array[place + first]))
