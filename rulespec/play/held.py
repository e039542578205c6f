"""What an invariant holds to: the two sides of its comparison in random games, for each number of players."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass

from rulespec.engine.interpreter.evaluate import Evaluate, evaluator
from rulespec.engine.program import ir
from rulespec.engine.states.game import Game, setting
from rulespec.engine.states.playout import random_game
from rulespec.engine.states.state import State
from rulespec.language.model.spec import Invariant, Spec

__all__ = ["GAMES", "Held", "held"]

GAMES = 10
"""The most random games for each number of players, for an invariant of play. A setup is played once."""
SECONDS = 3
"""No game is begun after so many seconds."""


@dataclass(frozen=True)
class Held:
    """What an invariant held to with a number of players: the least and the greatest value of each side, or no sides if
    it is no comparison. It was tested `times` times in so many games, and was `broken` in some of them. `divided` are
    the same for both operands of each side that is a remainder, which says little by itself."""

    players: int
    games: int
    times: int
    broken: int
    sides: tuple[tuple[int, int], ...]
    divided: tuple[tuple[int, int], ...] = ()


def held(spec: Spec, invariant: Invariant) -> Iterator[Held]:
    """What an invariant of a spec without errors holds to, by the number of players."""
    for players in spec.players:
        game = Game(setting(spec, players), setup_only=invariant.at == "setup.end")
        check = _check(game, spec.invariants.index(invariant))
        holds = evaluator(check.holds)
        sides = [evaluator(side) for side in (*check.sides, *_divided(check))]
        games, states = 0, []
        for seed in _seeds(invariant.at):
            states += [_read(state, holds, sides) for state in _states(game, invariant.at, seed)]
            games += 1
        values = zip(*(found for _, found in states), strict=True)
        ranges = tuple((min(each), max(each)) for each in values)
        broken = sum(not ok for ok, _ in states)
        yield Held(players, games, len(states), broken, ranges[: len(check.sides)], ranges[len(check.sides) :])


def _divided(check: ir.Check) -> Iterator[ir.Expr]:
    """What is divided and by what, for each side that is a remainder."""
    for side in check.sides:
        if isinstance(side, ir.Operation) and side.operator == "%":
            yield from side.arguments


def _seeds(at: str) -> Iterator[int]:
    """The seeds of the games: one for a setup."""
    end = time.monotonic() + SECONDS
    yield 0
    yield from (seed for seed in range(1, 1 if at == "setup.end" else GAMES) if time.monotonic() < end)


def _check(game: Game, number: int) -> ir.Check:
    program = game.program
    every = (one for one in (*program.code, *program.always) if isinstance(one, ir.Check))
    return next(one for one in every if one.invariant == number)


def _read(state: State, holds: Evaluate, sides: list[Evaluate]) -> tuple[bool, tuple[int, ...]]:
    return bool(holds(state.r, state.z)), tuple(side(state.r, state.z) for side in sides)


def _states(game: Game, at: str, seed: int) -> Iterator[State]:
    """The moments of a random game at which an invariant is checked."""
    for state in random_game(game, seed):
        if at == "always" or state.is_terminal():
            yield state
