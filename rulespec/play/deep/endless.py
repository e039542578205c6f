"""Endless rounds: loops that go round without change until they reach their bound, whatever the players choose."""

from __future__ import annotations

from rulespec.engine.interpreter.closures import Closures
from rulespec.engine.interpreter.running import DecisionCode, Execute, RunningState
from rulespec.engine.states.state import State
from rulespec.play.deep.cells import CoveredGame, Position
from rulespec.play.deep.ground import Ground
from rulespec.play.deep.lines import Line, states

MOST_POSITIONS = 60
"""Positions that a game may go round through. One that can reach more is not taken for endless."""
MOST_LOOKS = 5
"""Positions of one game from which it is tried whether it can only go round."""
TRIES = 3
"""Draws that are tried where chance decides how it goes on."""


def search(ground: Ground) -> None:
    """Finds the loops of a setting that end up going round without change."""
    for loop, lines in ground.loops.items():
        for line in lines:
            trap = trapped(ground, loop, line)
            if trap is not None and (loop not in ground.traps or trap.cost < ground.traps[loop].cost):
                ground.traps[loop] = trap


def trapped(ground: Ground, loop: int, line: Line) -> Line | None:
    """The line up to the first position from which a loop can only go round, None if there is none. After the last
    choice of the line the loop reaches its bound."""
    game, seen, looks = ground.game, dict[Position, Line](), 0
    for state, so_far in states(ground.plain, Line(line.seed, line.draws[:-1])):
        if not state.choices:
            continue
        here = _place(game, state)
        if here in seen and looks < MOST_LOOKS:
            looks += 1
            if _closed(game, state):
                return seen[here]
        seen.setdefault(here, so_far)
    return line if line.draws and _spins(game, state, loop, line.draws[-1]) else None


def _spins(game: CoveredGame, state: State, loop: int, draw: int) -> bool:
    """Whether after one more choice a loop comes round to a position it was in before, without a choice in between."""
    watched, player = _Watched(game, loop), state.deciders()[0]
    state.code = DecisionCode(watched, state.code.take, state.code.checks)
    state.apply_action(state.legal_actions(player)[draw], player)
    return watched.spins


class _Watched(Closures):
    """The functions of a program that note at which positions a loop begins a round."""

    def __init__(self, game: CoveredGame, loop: int) -> None:
        super().__init__(game.plain, record=False)
        self._game, self._loop = game, loop
        self._passed: set[Position] = set()
        self.spins = False

    def __missing__(self, place: int) -> Execute:
        usual = super().__missing__(place)
        if place != self._loop:
            return usual

        def execute(s: RunningState) -> int:
            assert isinstance(s, State)
            found = self._game.position(s)
            self.spins = self.spins or found in self._passed
            self._passed.add(found)
            return usual(s)

        self[place] = execute
        return execute


def _place(game: CoveredGame, state: State) -> Position:
    """A position without what chance will bring."""
    return game.position(state)[:-1]


def _closed(game: CoveredGame, state: State) -> bool:
    """Whether every choice from a position on leads back to positions that can be reached from it, without end."""
    ahead, seen = [state], {_place(game, state)}
    while ahead:
        here = ahead.pop()
        for later in _later(game, here):
            if later.is_terminal():
                return False
            if (found := _place(game, later)) not in seen:
                seen.add(found)
                ahead.append(later)
        if len(seen) > MOST_POSITIONS:
            return False
    return True


def _later(game: CoveredGame, state: State) -> list[State]:
    """The states one choice later, with the rounds of all loops counted anew; several where chance is involved."""
    found = []
    for player in state.deciders()[:1]:
        for action in state.legal_actions(player):
            for number in range(TRIES):
                later = state.clone()
                for slot in game.loops.values():
                    # Else the loop would reach its bound, which ends the circle.
                    later.r[slot] = 0
                later.generator.state = before = state.generator.state + number
                later.apply_action(action, player)
                found.append(later)
                # Nothing was drawn: other draws lead to the same.
                if later.generator.state == before:
                    break
    return found
