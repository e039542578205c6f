"""Segments over states that are one block of memory each, which a host holds.

A state is one block of memory: the arrays `m`, `w` and `z` of machine_segments.py, in this order. docs/wasm.md
describes the functions over such blocks.
"""

from __future__ import annotations

import ast

from rulespec.engine.backend.forms.blocks import NewStates
from rulespec.engine.backend.forms.machine_segments import part
from rulespec.engine.backend.forms.segments import ACTION
from rulespec.engine.backend.tree import syntax
from rulespec.engine.backend.tree.syntax import call, name

GAMES = ("play_games",)
"""The functions of playouts."""

STATES = ("new_state", "act", "reveal", "rollout")
"""The functions over one state."""


class StateSegments(NewStates):
    """The segments of a program over states in one block of memory each."""

    def exported(self) -> list[ast.FunctionDef]:
        policy = {"policy": "u64"}
        return [
            self.export("new_state", {"seed": "u64"}, self.body(self.new_state)),
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
