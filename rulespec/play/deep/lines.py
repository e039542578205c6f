"""Lines of play: a seed and choices that lead to a position, played again and shortened."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from rulespec.engine.states.game import Game
from rulespec.engine.states.state import State

MOST_CHOICES = 20_000
"""Choices of one game. Games are far shorter; one that goes on gives way to the next."""


@dataclass(frozen=True)
class Line:
    """A line of play: the seed of a game, and at each choice the place of the chosen action among the legal ones."""

    seed: int
    draws: tuple[int, ...]

    def __len__(self) -> int:
        return len(self.draws)

    @property
    def cost(self) -> tuple[int, int]:
        """What a shorter line has less of: choices, then how far down the lists it goes."""
        return len(self.draws), sum(self.draws)


Fails = Callable[[State], bool]
"""Whether what a line is to show has happened in a state."""


def states(game: Game, line: Line) -> Iterator[tuple[State, Line]]:
    """The state of a line after each choice, the same object every time, with the line up to there. A draw beyond the
    legal actions is taken modulo their number, and none is left after the end of the game."""
    state, taken = game.new_initial_state(line.seed, record=False), list[int]()
    yield state, Line(line.seed, ())
    for draw in line.draws:
        if state.is_terminal():
            return
        player = state.deciders()[0]
        legal = state.legal_actions(player)
        taken.append(draw % len(legal))
        state.apply_action(legal[taken[-1]], player)
        yield state, Line(line.seed, tuple(taken))


def until(game: Game, line: Line, fails: Fails) -> Line | None:
    """The line up to where it fails, None if it does not."""
    return next((so_far for state, so_far in states(game, line) if fails(state)), None)


def shortened(game: Game, line: Line, fails: Fails, going: Iterable[object]) -> Line:
    """A line that fails in the same way, shorter where leaving out choices or taking earlier actions still fails.
    It stops when `going` ends, which is asked before each attempt."""
    clock = iter(going)
    best = until(game, line, fails) or line
    while (better := _step(game, best, fails, clock)) is not None:
        best = better
    return best


_NO_MORE = object()


def _step(game: Game, best: Line, fails: Fails, clock: Iterator[object]) -> Line | None:
    for draws in _smaller(best.draws):
        if next(clock, _NO_MORE) is _NO_MORE:
            return None
        found = until(game, Line(best.seed, draws), fails)
        if found is not None and found.cost < best.cost:
            return found
    return None


def _smaller(draws: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    """Shorter and simpler lines, the most different first: without a run of choices, then with first actions."""
    size = len(draws) // 2
    while size:
        for start in range(0, len(draws), size):
            yield draws[:start] + draws[start + size :]
        for start in range(0, len(draws), size):
            if any(draws[start : start + size]):
                yield draws[:start] + (0,) * size + draws[start + size :]
        size //= 2


def played(game: Game, line: Line) -> State:
    """The state at the end of a line."""
    *_, (state, _) = states(game, line)
    return state


def choices_of(state: State) -> Sequence[tuple[int, int]]:
    """The players and actions of a game so far."""
    return [*state.choices, *state.decided.items()]


def line_of(game: Game, seed: int, choices: Sequence[tuple[int, int]]) -> Line:
    """The line of a game with these players and actions, in any order among players who choose at once."""
    state, draws, left = game.new_initial_state(seed, record=False), list[int](), [*choices]
    while left and not state.is_terminal():
        who = state.deciders()[0]
        at = next(number for number, (player, _) in enumerate(left) if player == who)
        legal, (_, action) = state.legal_actions(who), left.pop(at)
        draws.append(legal.index(action))
        state.apply_action(action, who)
    return Line(seed, tuple(draws))
