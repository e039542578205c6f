"""Leaks: two positions in which a player knows the same, but has other legal actions."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from rulespec.engine.interpreter.random import Generator, stream
from rulespec.engine.interpreter.running import StateError
from rulespec.engine.states.state import State
from rulespec.language.model.step import Step
from rulespec.play.deep.ground import Ground, line_of
from rulespec.play.deep.lines import Line, choices_of
from rulespec.play.deep.players import by_option

MOST_TOGETHER = 40
"""Decisions that two worlds are played on side by side."""


@dataclass(frozen=True)
class Leak:
    """An option that is legal for a player in one world only, although they know the same in the other."""

    option: Step
    player: int
    line: Line


def search(ground: Ground, found: dict[Step, Leak]) -> Iterator[None]:
    """Draws what a player does not know anew in the middle of a game, and plays both worlds on by the same choices."""
    if ground.setting.players == 1:
        return
    for number in ground.allowance.units(0.15, 0.3):
        draws, seed = Generator(stream(ground.seed, number, 8)), stream(ground.seed, number, 9) >> 16
        for leak in _leaks(ground, seed, draws):
            if leak.option not in found or leak.line.cost < found[leak.option].line.cost:
                found[leak.option] = leak
        yield


def _leaks(ground: Ground, seed: int, draws: Generator) -> Iterator[Leak]:
    state, choose = ground.fast.new_initial_state(seed), by_option(ground.game, draws)
    length = max(2, 2 * ground.decisions // max(1, ground.games))
    for _ in range(draws.below(length)):
        if state.is_terminal():
            return
        for player in state.deciders():
            state.apply_action(choose(player, state.legal_actions(player)), player)
    if state.is_terminal() or state.decided:
        return
    player = draws.below(ground.setting.players)
    try:
        other = state.resample_from_infostate(player, draws.below(2**32 - 1))
    except StateError:
        return
    # Both draw the same from here on, so that they differ only in what was hidden.
    other.generator.state = state.generator.state
    yield from _side_by_side(ground, state, other, player, draws)


def _side_by_side(ground: Ground, state: State, other: State, player: int, draws: Generator) -> Iterator[Leak]:
    for _ in range(MOST_TOGETHER):
        if state.is_terminal() or other.is_terminal() or state.deciders() != other.deciders():
            return
        if player in state.deciders():
            if state.information_state_key(player) != other.information_state_key(player):
                return
            mine, others = set(state.legal_actions(player)), set(other.legal_actions(player))
            if mine != others:
                option = ground.game.owner(min(mine ^ others))
                yield Leak(option, player, line_of(ground.game, state.seed, choices_of(state)))
                return
        for who in state.deciders():
            both = sorted({*state.legal_actions(who)} & {*other.legal_actions(who)})
            if not both:
                return
            action = both[draws.below(len(both))]
            state.apply_action(action, who)
            other.apply_action(action, who)
