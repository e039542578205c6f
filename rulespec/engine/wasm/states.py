"""Segments over states that are one block of memory each, which a host holds.

A state is one block of memory: the arrays `m`, `w` and `z` of machine_segments.py, in this order. docs/wasm.md
describes the functions over such blocks.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence

from rulespec.engine.backend.forms.blocks import BlockSegments, Section
from rulespec.engine.backend.forms.segments import ACTION
from rulespec.engine.backend.tree.syntax import call

GAMES = ("play_games",)
"""The functions of playouts."""

STATES = ("new_state", "act", "reveal", "rollout")
"""The functions over one state."""


class StateSegments(BlockSegments):
    """The segments of a program over states in one block of memory each."""

    def blocks(self) -> Mapping[str, Sequence[Section]]:
        return {"state": [*self.registers(), *self.desk(), *self.working(), self.zones()]}

    def exported(self) -> list[ast.FunctionDef]:
        policy = {"policy": "u64"}
        return [
            self.export("new_state", {"seed": "u64"}, self.body(self.new_state)),
            self.export("act", {"action": "i64"}, [self.runs(call("take", ACTION, *self.passed))]),
            self.export("reveal", {}, [self.runs(call("reveal_all", *self.passed))]),
            self.export("rollout", policy, self.body(self.random_play)),
        ]
