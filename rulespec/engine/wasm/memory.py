"""States as blocks of memory of a module: their segments, and a state in progress, from which a host goes on."""

from __future__ import annotations

import ast
from array import array
from collections.abc import Mapping, Sequence

from rulespec.engine.backend.dialects.arrays import signed, zeros
from rulespec.engine.backend.forms.blocks import BlockSegments, Section
from rulespec.engine.backend.forms.machine_segments import ASKED, LEGAL, PLACE, PLAYER, Layout
from rulespec.engine.backend.forms.segments import ACTION
from rulespec.engine.backend.tree.syntax import call
from rulespec.engine.interpreter.running import STOP
from rulespec.engine.rules.ruleset import Ruleset
from rulespec.engine.states.state import State
from rulespec.engine.wasm.description import CARD, CELL

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


def layout_of(game: Ruleset) -> Layout:
    """The sizes of the parts of a state in the memory of the module of a game."""
    return StateSegments(game.program).layout()


def memory_of(state: State, layout: Layout) -> bytes:
    """The block of memory that is this state. The state is at a decision that nobody has answered yet, or at the end
    of the game: a secret choice is kept by the host (see js/game.js)."""
    m, z = layout.position(state.r, state.z)
    m[layout.r - 1] = signed(state.generator.state)
    # The array `w` of a decision: where the program stopped, who is to act, and the legal actions
    w = zeros(layout.w)
    w[PLACE], w[PLAYER] = state.pc, STOP if state.is_terminal() else state.player
    legal = state.legal
    if state.asked:
        legal = [action for seat in sorted(state.asked) for action in state.asked[seat]]
        for seat, actions in state.asked.items():
            w[ASKED + seat] = len(actions)
    else:
        w[LEGAL] = len(legal)
    w[layout.asked : layout.asked + len(legal)] = array("q", legal)
    block = (m + w).tobytes() + z.tobytes()
    return block + bytes(-(CARD * len(z)) % CELL)
