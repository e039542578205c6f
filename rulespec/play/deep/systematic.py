"""Systematic search: all choices from the start of a game, the shortest first, each position once."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator

from rulespec.engine.interpreter.random import stream
from rulespec.play.deep.ground import Ground
from rulespec.play.deep.lines import Line
from rulespec.play.deep.trace import TracedState

MOST_POSITIONS = 20_000
"""Positions of one deal: a game with more is left to other searches after so many."""

Key = tuple[object, ...]


def key(state: TracedState) -> Key:
    """What a position and all that can follow depend on, without the numbers of rounds."""
    registers = state.r[: len(state.game.program.start)]
    for slot in state.game.loops.values():
        registers[slot] = 0
    decided = tuple(sorted(state.decided.items()))
    return (*registers, *map(tuple, state.z), state.pc, state.player, decided, state.generator.state)


def search(ground: Ground) -> Iterator[None]:
    """All choices of one deal after another."""
    ahead, seen, deal = deque[tuple[TracedState, Line]](), set[Key](), 0
    for _ in ground.allowance.units(0.1, 10):
        if not ahead or len(seen) > MOST_POSITIONS:
            seed = stream(ground.seed, deal, 5) >> 16
            ahead, seen, deal = deque([(ground.game.begin(seed), Line(ground.game, seed, ()))]), set(), deal + 1
        state, line = ahead.popleft()
        ahead += _next(ground, state, line, seen)
        yield


def _next(ground: Ground, state: TracedState, line: Line, seen: set[Key]) -> Iterator[tuple[TracedState, Line]]:
    """The new positions one choice later; those at which something goes wrong are kept as faults instead."""
    if state.is_terminal():
        return
    player = state.deciders()[0]
    for draw, action in enumerate(legal := state.legal_actions(player)):
        # Enters the option without counting it: `Trace.steps` asks only which options were ever legal.
        ground.game.trace.offered[ground.game.owner(action)] += 0
        # The last action goes on with the state itself, which is not needed any more.
        later = state.clone() if draw + 1 < len(legal) else state
        later.apply_action(action, player)
        so_far = Line(line.game, line.seed, (*line.draws, draw))
        if later.faults and ground.heed(later, so_far):
            continue  # the game has stopped
        if (found := key(later)) not in seen:
            seen.add(found)
            yield later, so_far
