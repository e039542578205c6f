"""Engines that disagree: the same game on all of them, choice by choice."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rulespec.engine.backend.engines.table import ENGINES
from rulespec.engine.interpreter.random import Generator, stream
from rulespec.engine.states.game import Game
from rulespec.engine.states.state import State
from rulespec.play.deep.ground import Ground
from rulespec.play.deep.lines import Line, choices_of, line_of
from rulespec.play.deep.players import chooser


def search(ground: Ground) -> Iterator[None]:
    """Plays games on all engines of this machine; keeps the shortest line on which each engine differs from the
    interpreter."""
    here = [name for name, engine in ENGINES.items() if not engine.missing]
    games = {name: Game(ground.setting, engine=name) for name in here}
    for number in ground.allowance.units(0.05, 0.1):
        draws, seed = Generator(stream(ground.seed, number, 10)), stream(ground.seed, number, 11) >> 16
        states = {name: game.new_initial_state(seed, record=False) for name, game in games.items()}
        for name, line in _side_by_side(ground, states, draws):
            if name not in ground.engines or line.cost < ground.engines[name].cost:
                ground.engines[name] = line
        yield


def _side_by_side(ground: Ground, states: dict[str, State], draws: Generator) -> Iterator[tuple[str, Line]]:
    first, choose = states["interpreter"], chooser(ground.game, draws)
    while True:
        wanted = situation(first)
        differ = [name for name, state in states.items() if situation(state) != wanted]
        if differ:
            line = line_of(ground.game, first.seed, choices_of(first))
            yield from ((name, line) for name in differ)
        if differ or first.is_terminal():
            return
        who = first.deciders()[0]
        action = choose(who, first.legal_actions(who))
        for state in states.values():
            state.apply_action(action, who)


def situation(state: State) -> tuple[Any, ...]:
    """What must be the same on all engines at every decision and at the end."""
    registers = [*state.r[: len(state.game.program.start)]]
    legal = [state.legal_actions(player) for player in state.deciders()]
    return state.current_player(), legal, state.pc, state.generator.state, state.ranking(), registers, [*state.z]
