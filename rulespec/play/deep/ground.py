"""The ground that a search covers: one setting of a spec, the games played in it and what they have shown."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from rulespec.engine.backend.engines.costs import starts
from rulespec.engine.interpreter.random import Generator, stream
from rulespec.engine.states.game import Game
from rulespec.engine.states.playout import Chunk, playout, playouts
from rulespec.engine.states.state import State
from rulespec.language.model import spec as m
from rulespec.language.model.constants import Setting
from rulespec.play.deep.cells import Cell, CoveredGame, Fault
from rulespec.play.deep.lines import MOST_CHOICES, Line, line_of, played, until
from rulespec.play.deep.players import chooser

MOST_NOVEL = 100
"""Games in which something new had happened that are kept: the last ones."""
MANY = 5
"""Decisions for each player that make a long game."""
AGAIN = 2
"""One game in so many goes on from the middle of such a game."""
LOOPS = 4
"""Games in which a loop reached its bound that are looked at more closely."""
CONFIRMED = 20
"""Games with a fault that are played again to find its first appearance; each is compared with the shortest so far."""
TURN = 0.05
"""Seconds of playouts in one call, at least, unless they are the last ones."""
MOST_NUMBERS = 2**20
"""Numbers that playouts return in one call."""
PAYS = 4
"""Machine code pays in a search that takes so many times as long as `starts` says. Playouts and segments are compiled,
which takes about three times as long; the rest of the time plays ten to a hundred times as many games."""
ENOUGH_FOR_MACHINE_CODE = 2_000
"""Games of a search without a limit of time for which machine code is compiled."""


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

    def chunks(self, share: float, most: int) -> Iterator[range]:
        """Numbers of games, from 0 on: chunks of up to `most`, which grow until one takes a turn."""
        number, size, going = 0, 1, self.going(share)
        while not number or (number < self.games if self.games else next(going, False)):
            began = time.monotonic()
            chunk = range(number, min(number + size, self.games or number + size))
            yield chunk
            number = chunk.stop
            if time.monotonic() - began < TURN:
                size = min(2 * size, most)


@dataclass(frozen=True)
class Leak(Line):
    """The line to a position in which an action is legal for a player in one world only, although they know the same in
    the other. `announced`: or to one after an action of another player, who could have taken another one, after which
    only what this player cannot see is different."""

    action: int
    player: int
    announced: bool = False


@dataclass
class Ground:
    """One setting and what was found there: the games that set each cell are counted in `covered`. `lines` has the
    shortest line to each fault, `loops` some lines in which a loop reached its bound, `traps` those to where it only
    goes round from then on, `leaks` lines to options that reveal something, `engines` one for each engine that plays
    another game. `novel` are games in which something new had happened, `compared` counts how options compare. `wins`
    counts games that one player has won, `long` finished games with many decisions, and `one_sided` those of them in
    which a player decided nothing."""

    setting: Setting
    seed: int
    allowance: Allowance
    games: int = 0
    decisions: int = 0
    covered: Counter[Cell] = field(default_factory=Counter)
    lines: dict[Fault, Line] = field(default_factory=dict)
    loops: dict[int, list[Line]] = field(default_factory=dict)
    novel: list[Line] = field(default_factory=list)
    traps: dict[int, Line] = field(default_factory=dict)
    leaks: dict[int, Leak] = field(default_factory=dict)
    engines: dict[str, Line] = field(default_factory=dict)
    compared: Counter[tuple[str, frozenset[int]]] = field(default_factory=Counter)
    wins: Counter[int] = field(default_factory=Counter)
    long: int = 0
    one_sided: int = 0

    def __post_init__(self) -> None:
        self.game = CoveredGame(self.setting)
        if self._pays():
            self.game.run_by("native")
        self._confirmed = Counter[Fault]()

    def _pays(self) -> bool:
        """Whether machine code is at hand, or compiled in a small part of the time."""
        costs = starts(self.game.program)
        if "native" not in costs or self.game.code.is_kept("native", tally=False):
            return "native" in costs
        return self.allowance.games >= ENOUGH_FOR_MACHINE_CODE or self.allowance.seconds >= PAYS * costs["native"]

    @cached_property
    def plain(self) -> Game:
        """The game without cells, in compiled code."""
        return Game(self.setting, engine="compiled")

    @property
    def steps(self) -> set[m.Step]:
        """The steps that ran, and the options that were taken."""
        ran = {step for place in self.game.reached(self.covered) if (step := self.game.steps[place])}
        taken = {self.game.offers[about] for kind, about in self.covered if kind == "option"}
        return ran | taken

    def keep(self, fault: Fault, line: Line) -> None:
        """Keeps the line to a fault if it is the shortest so far, and lines to the bounds of loops."""
        if fault[0] == "rounds":
            kept = self.loops.setdefault(fault[1], [])
            kept += [line] if len(kept) < LOOPS else []
        elif fault not in self.lines or line.cost < self.lines[fault].cost:
            self.lines[fault] = line

    def confirm(self, line: Line, faults: set[Fault]) -> None:
        """Plays a line again up to where each fault appears, and keeps it."""
        for fault in faults:
            if self._confirmed[fault] < CONFIRMED:
                self._confirmed[fault] += 1
                found = until(self.game, line, self.game.fails(self.game.subject(fault)))
                if found is not None:
                    self.keep(fault, found)

    def learn(self, state: State, line: Line) -> None:
        """Takes note of a game that is over."""
        known = len(self.covered)
        self.covered.update(self.game.covered(state))
        if len(self.covered) > known:
            self.novel = [*self.novel[-MOST_NOVEL:], line]
        self.confirm(line, self.game.faults(state))
        self.games += 1
        self.decisions += len(line)
        if state.is_terminal():
            decided = [int(any(seat == who for who, _ in state.choices)) for seat in range(self.setting.players)]
            self.ended(1, len(line), state.ranking(), decided)

    def ended(self, games: int, decisions: int, ranking: Sequence[int], decided: Sequence[int]) -> None:
        """Counts games that are over, which are alike. `decided` says of each seat whether it decided anything."""
        if not ranking[0]:
            return  # stopped at a bound
        if decisions >= MANY * self.setting.players:
            self.long += games
            self.one_sided += 0 if all(decided) else games
        if ranking.count(1) == 1:
            self.wins[ranking.index(1)] += games


def play(ground: Ground) -> Iterator[None]:
    """Games by players who choose in many ways."""
    for number in ground.allowance.units(0.4, 1):
        _one_game(ground, number, Generator(stream(ground.seed, number, 2)))
        yield


def _one_game(ground: Ground, number: int, draws: Generator) -> None:
    game = ground.game
    state, begun = _begun(ground, stream(ground.seed, number) >> 16, draws)
    choose, taken = chooser(game, draws), [*begun.draws]
    while not state.is_terminal() and len(taken) < MOST_CHOICES:
        who = state.deciders()[0]
        legal = state.legal_actions(who)
        action = choose(who, legal)
        taken.append(legal.index(action))
        state.apply_action(action, who if state.asked else None)
    ground.learn(state, Line(begun.seed, tuple(taken)))


def _begun(ground: Ground, seed: int, draws: Generator) -> tuple[State, Line]:
    """A new game; or one that goes on from the middle of one with something new, as in fuzzing guided by coverage."""
    line = Line(seed, ())
    if ground.novel and not draws.below(AGAIN):
        known = ground.novel[draws.below(len(ground.novel))]
        line = Line(known.seed, known.draws[: draws.below(len(known) + 1)])
    return played(ground.game, line), line


def middle(ground: Ground, game: Game, number: int, record: bool) -> State | None:
    """A position of a random game; None if no player is to decide, or some have decided already."""
    draws, seed = Generator(stream(ground.seed, number, 8)), stream(ground.seed, number, 9) >> 16
    state, choose = game.new_initial_state(seed, record), chooser(ground.game, draws)
    for _ in range(draws.below(max(2, 2 * ground.decisions // max(1, ground.games)))):
        for player in state.deciders():
            state.apply_action(choose(player, state.legal_actions(player)), player)
    return None if state.is_terminal() or state.decided else state


def play_evenly(ground: Ground) -> Iterator[None]:
    """As many games as possible by players to whom all actions are alike: playouts, without a step in Python."""
    game, seed = ground.game, stream(ground.seed, 3)
    shortest: dict[Fault, tuple[int, int]] = {}
    for numbers in ground.allowance.chunks(0.3, MOST_NUMBERS // len(game.program.returns)):
        chunk = playouts(game, seed, numbers)
        ground.games += len(numbers)
        ground.decisions += sum(chunk.decisions)
        for cell, column in zip(game.cell_names, chunk.returns, strict=True):
            # All are 0 or 1, so that each byte 1 is a game; this is faster than counting numbers.
            if set_in := column.tobytes().count(1):
                if cell not in ground.covered:
                    ground.novel = [*ground.novel[-MOST_NOVEL:], _evenly(ground, seed, numbers[column.index(1)])]
                ground.covered[cell] += set_in
                if fault := game.fault(cell):
                    games = (n for n, hit in enumerate(column) if hit)
                    first = min((chunk.decisions[n], numbers[n]) for n in games)
                    shortest[fault] = min(first, shortest.get(fault, first))
        _count(ground, chunk)
        yield
    for fault, (_, number) in shortest.items():
        ground.confirm(_evenly(ground, seed, number), {fault})


def _count(ground: Ground, chunk: Chunk) -> None:
    """Counts how the games of a chunk ended."""
    players, least = ground.setting.players, MANY * ground.setting.players
    decided = chunk.returns[:players]
    alike = Counter(zip((least * (n >= least) for n in chunk.decisions), *chunk.ranks, *decided, strict=True))
    for (decisions, *seats), games in alike.items():
        ground.ended(games, decisions, seats[:players], seats[players:])


def _evenly(ground: Ground, seed: int, number: int) -> Line:
    """The line of a playout."""
    state, _ = playout(ground.game, seed, number)
    return line_of(ground.game, state.seed, state.choices)
