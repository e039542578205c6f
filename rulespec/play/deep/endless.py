"""Endless rounds: loops that go round without change until they reach their bound, whatever the players choose."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeAlias

from rulespec.engine.interpreter.closures import compile_closure
from rulespec.engine.interpreter.running import DecisionCode, Execute, RunningState
from rulespec.play.deep.ground import Ground
from rulespec.play.deep.lines import Line, states
from rulespec.play.deep.systematic import Key, key
from rulespec.play.deep.trace import TracedState

MOST_POSITIONS = 60
"""Positions that a game may go round through. One that can reach more is not taken for endless."""
MOST_LOOKS = 5
"""Positions of one game from which it is tried whether it can only go round."""
TRIES = 3
"""Draws that are tried where chance decides how it goes on."""


def trapped(ground: Ground, loop: int, line: Line) -> Line | None:
    """The line up to the first position from which a loop can only go round, None if there is none."""
    watched = _Watched(ground, loop)
    seen: dict[Key, Line] = {}
    looks = 0
    for state, so_far in states(line):
        state.code = watched.code
        if watched.spins:
            return so_far
        watched.passed.clear()
        if state.is_terminal() or not state.choices:
            continue
        here = _place(state)
        if here in seen and looks < MOST_LOOKS:
            looks += 1
            if _closed(state):
                return seen[here]
        seen.setdefault(here, so_far)
    return None


class _Watched:
    """The code of a game in which a loop is watched that comes round to a position it was in before, without a choice
    in between."""

    def __init__(self, ground: Ground, loop: int) -> None:
        self.passed: set[Key] = set()
        self.spins = False
        usual = ground.game.trace.code
        straight = list(range(len(ground.game.program.code) + 1))
        watched = compile_closure(ground.game.program, loop, straight, False)
        self.code = DecisionCode(_With(usual.run, loop, self._noticing(watched)), usual.take, usual.checks)

    def _noticing(self, raw: Execute) -> Execute:
        def execute(s: RunningState) -> int:
            assert isinstance(s, TracedState)
            found = key(s)
            self.spins = self.spins or found in self.passed
            self.passed.add(found)
            return raw(s)

        return execute


Functions: TypeAlias = "Mapping[int, Execute] | Sequence[Execute]"


class _With(dict[int, Execute]):
    """The functions of a program with another one at one place."""

    def __init__(self, usual: Functions, place: int, other: Execute) -> None:
        super().__init__({place: other})
        self._usual = usual

    def __missing__(self, place: int) -> Execute:
        return self._usual[place]


def _place(state: TracedState) -> Key:
    """A position without what chance will bring."""
    return key(state)[:-1]


def _closed(state: TracedState) -> bool:
    """Whether every choice from a position on leads back to positions that can be reached from it, without end."""
    start = state.clone()
    start.code = state.game.trace.code
    ahead, seen = [start], {_place(state)}
    while ahead:
        here = ahead.pop()
        for later in _later(here):
            if later.is_terminal():
                return False
            if (found := _place(later)) not in seen:
                seen.add(found)
                ahead.append(later)
        if len(seen) > MOST_POSITIONS:
            return False
    return True


def _later(state: TracedState) -> list[TracedState]:
    """The states one choice later, with the rounds of all loops counted anew; several where chance is involved."""
    found = []
    for player in state.deciders()[:1]:
        for action in state.legal_actions(player):
            for number in range(TRIES):
                later = state.clone()
                for slot in state.game.loops.values():
                    # Else the loop would reach its bound, which ends the circle.
                    later.r[slot] = 0
                later.generator.state = before = state.generator.state + number
                later.apply_action(action, player)
                found.append(later)
                # Nothing was drawn: other draws lead to the same.
                if later.generator.state == before:
                    break
    return found
