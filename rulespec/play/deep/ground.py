"""The ground that a search covers: one setting of a spec, the games played in it and what they have shown."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from rulespec.engine.interpreter.evaluate import Evaluate, evaluator
from rulespec.engine.interpreter.random import Generator, stream
from rulespec.engine.program import ir
from rulespec.engine.states.game import Game
from rulespec.engine.states.state import State
from rulespec.language.model import spec as m
from rulespec.language.model.constants import Setting
from rulespec.play.deep.lines import MOST_CHOICES, Line, until
from rulespec.play.deep.players import Choose, player
from rulespec.play.deep.trace import Fault, TracedGame, TracedState


def watches(program: ir.Program, spec: m.Spec) -> bool:
    """Whether a game can break an invariant during play, or stop at a bound."""
    stops = any(isinstance(one, ir.Note) and isinstance(one.report, ir.Bound) for one in program.code)
    return stops or any(invariant.at != "setup.end" for invariant in spec.invariants)


class Fast:
    """A game and the invariants that are tested at decisions and at the end."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self._always = [evaluator(check.holds) for check in game.program.always]
        self._end = [*self._always, *(evaluator(check.holds) for check in _at_end(game))]

    def play(self, seed: int, choose: Choose) -> list[tuple[int, int]] | None:
        """The players and actions up to where something goes wrong; None if nothing does."""
        state = State(self.game, seed, False)
        while not state.is_terminal() and len(state.choices) < MOST_CHOICES:
            if _broken(self._always, state):
                return [*state.choices, *state.decided.items()]
            who = state.deciders()[0]
            state.apply_action(choose(who, state.legal_actions(who)), who)
        wrong = _broken(self._end, state) or (state.is_terminal() and not any(state.ranking()))
        return state.choices if wrong else None


def _at_end(game: Game) -> list[ir.Check]:
    invariants = game.spec.invariants
    checks = [one for one in game.program.code if isinstance(one, ir.Check)]
    return [check for check in checks if invariants[check.invariant].at == "end"]


def _broken(checks: list[Evaluate], state: State) -> bool:
    return any(not holds(state.r, state.z) for holds in checks)


SAMPLES = 200
"""Positions of random games that are kept for the searches that compare what can be done in one."""
MOST_NOVEL = 100
"""Positions in which something new had happened that are kept: the last ones."""
MANY = 5
"""Decisions for each player that make a long game."""
AGAIN = 2
"""One game in so many goes on from there."""
LOOPS = 4
"""Games in which a loop reached its bound that are looked at more closely."""


@dataclass(frozen=True)
class Allowance:
    """How long a search may go on: seconds for each setting, or a number of games, which gives the same findings each
    time."""

    seconds: float = 0.0
    games: int = 0

    def units(self, share: float, per_game: float) -> Iterator[int]:
        """Numbers from 0 on while a share of the time is left, or for as many units as games, times `per_game`."""
        if self.games:
            yield from range(max(1, round(self.games * per_game)))
            return
        end, number = time.monotonic() + self.seconds * share, 0
        while not number or time.monotonic() < end:
            yield number
            number += 1

    def going(self, share: float) -> Iterator[bool]:
        """True as long as a share of the time is left; without end if games are counted."""
        end = time.monotonic() + self.seconds * share
        while self.games or time.monotonic() < end:
            yield True


@dataclass
class Ground:
    """One setting and what was found there. `lines` has the shortest line to each fault, `loops` some lines in which a
    loop reached its bound; `samples` are positions of random games, `novel` those in which something new had happened.
    `wins` counts games that one player has won, `long` finished games with many decisions, and `one_sided` those of
    them in which a player decided nothing."""

    setting: Setting
    seed: int
    allowance: Allowance
    games: int = 0
    decisions: int = 0
    lines: dict[Fault, Line] = field(default_factory=dict)
    loops: dict[int, list[Line]] = field(default_factory=dict)
    samples: list[Line] = field(default_factory=list)
    novel: list[tuple[TracedState, Line]] = field(default_factory=list)
    wins: Counter[int] = field(default_factory=Counter)
    finished: int = 0
    long: int = 0
    one_sided: int = 0

    def __post_init__(self) -> None:
        self.game = TracedGame(self.setting)

    @cached_property
    def fast(self) -> Game:
        """The game in compiled code, which is not traced."""
        return Game(self.setting, engine="compiled")

    def keep(self, fault: Fault, line: Line) -> None:
        """Keeps the line to a fault if it is the shortest so far."""
        if fault not in self.lines or line.cost < self.lines[fault].cost:
            self.lines[fault] = line

    def heed(self, state: TracedState, line: Line) -> bool:
        """Keeps the faults of a state. Returns whether its game is to stop there."""
        faults, state.faults = state.faults, []
        for fault in faults:
            if fault[0] == "rounds":
                kept = self.loops.setdefault(fault[1], [])
                kept += [line] if len(kept) < LOOPS else []
            else:
                self.keep(fault, line)
        return any(fault[0] == "bound" for fault in faults)


def play(ground: Ground) -> Iterator[None]:
    """Traced games by players who choose in many ways."""
    for number in ground.allowance.units(0.4, 1):
        draws = Generator(stream(ground.seed, number, 2))
        _one_game(ground, number, draws)
        yield


def _one_game(ground: Ground, number: int, draws: Generator) -> None:
    game, trace = ground.game, ground.game.trace
    state, begun = _begun(ground, stream(ground.seed, number) >> 16, draws)
    choose, seed, taken = player(game, draws), begun.seed, [*begun.draws]
    ground.games += 1
    stops = bool(state.faults) and ground.heed(state, begun)
    while not stops and not state.is_terminal() and len(taken) < MOST_CHOICES:
        who = state.deciders()[0]
        legal = state.legal_actions(who)
        trace.offered.update({*map(game.owners.__getitem__, legal)})
        trace.decided[who] += 1
        if not draws.below(8 + len(taken)):
            _sample(ground, Line(game, seed, tuple(taken)), draws)
        action = choose(who, legal)
        taken.append(legal.index(action))
        state.apply_action(action, who)
        stops = bool(state.faults) and ground.heed(state, Line(game, seed, tuple(taken)))
        # `look` comes first: it takes note of what is new in any case.
        if trace.look(state.z) and not stops and not state.is_terminal():
            # A clone, since the state itself goes on.
            ground.novel = [*ground.novel[-MOST_NOVEL:], (state.clone(), Line(game, seed, tuple(taken)))]
    ground.decisions += len(taken)
    if not stops and state.is_terminal():
        ground.finished += 1
        if len(taken) >= MANY * ground.setting.players:
            ground.long += 1
            ground.one_sided += len({who for who, _ in state.choices}) < ground.setting.players
        first = [seat for seat, rank in enumerate(state.ranking()) if rank == 1]
        ground.wins.update(first if len(first) == 1 else ())


def _begun(ground: Ground, seed: int, draws: Generator) -> tuple[TracedState, Line]:
    """A new game; or one that goes on where something new had happened, as in fuzzing guided by coverage."""
    if ground.novel and not draws.below(AGAIN):
        state, line = ground.novel[draws.below(len(ground.novel))]
        return state.clone(), line
    return ground.game.begin(seed), Line(ground.game, seed, ())


def _sample(ground: Ground, line: Line, draws: Generator) -> None:
    if len(ground.samples) < SAMPLES:
        ground.samples.append(line)
    else:
        ground.samples[draws.below(SAMPLES)] = line


def hasten(ground: Ground) -> Iterator[None]:
    """Many games in compiled code, which only tests invariants and bounds."""
    if not watches(ground.game.program, ground.setting.spec):
        return
    fast = Fast(ground.fast)
    for number in ground.allowance.units(0.2, 1):
        draws, seed = Generator(stream(ground.seed, number, 3)), stream(ground.seed, number, 4) >> 16
        choices = fast.play(seed, player(ground.game, draws))
        ground.games += 1
        if choices is not None:
            confirm(ground, line_of(ground.game, seed, choices))
        yield


def confirm(ground: Ground, line: Line) -> None:
    """Plays a line again in a traced game, and keeps what goes wrong there."""
    until(line, lambda state: bool(state.faults) and ground.heed(state, line))


def line_of(game: TracedGame, seed: int, choices: Sequence[tuple[int, int]]) -> Line:
    """The line of a game with these players and actions, in any order among players who choose at once."""
    state, draws, left = game.begin(seed), list[int](), [*choices]
    while left and not state.is_terminal():
        who = state.deciders()[0]
        at = next(number for number, (player, _) in enumerate(left) if player == who)
        legal, (_, action) = state.legal_actions(who), left.pop(at)
        draws.append(legal.index(action))
        state.apply_action(action, who)
    return Line(game, seed, tuple(draws))
