"""Single games of a pair, played decision by decision by any bot, and what is measured of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from rulespec.engine.interpreter.random import GAMMA, MASK, mixed
from rulespec.engine.named_chance.chance import NamedChance
from rulespec.engine.named_chance.game import NamedGame, NamedState
from rulespec.language.model.types import NONE
from rulespec.versions.paired.figures import Columns
from rulespec.versions.paired.players import Bot, seeds

Choice = tuple[int, int, list[int]]
"""A player, the action chosen and the legal actions."""


def decisions(game: NamedGame, bot: Bot, seed: int, number: int) -> Iterator[tuple[NamedState, Choice | None]]:
    """The state before every choice with the choice, and the final state with None. The state goes on between them."""
    deal, own = seeds(seed, number)
    state, chance = game.new_initial_state(deal), NamedChance(own, game.labels)
    assert isinstance(state, NamedState)
    while not state.is_terminal():
        for player in state.deciders():
            action = bot.decide(state, player, chance)
            yield state, (player, action, state.legal_actions(player))
            state.apply_action(action, player)
    yield state, None


def measured(columns: Columns, bot: Bot, seed: int, number: int) -> list[int]:
    """The columns of one game."""
    trace, (*before, (state, _)) = 0, decisions(columns.game, bot, seed, number)
    for _, choice in before:
        assert choice is not None
        player, action, _ = choice
        trace = mixed((trace + columns.game.labels.action(action) + GAMMA * player) & MASK)
    # Columns are signed 64-bit numbers, and the trace is not signed.
    return [trace >> 1, len(before), *_result(columns, state), *_awards(columns, state), *_fired(columns, state)]


def _result(columns: Columns, state: NamedState) -> Iterator[int]:
    ranks, parts = state.ranking(), columns.measures.parts
    yield from (parts // ranks.count(1) if rank == 1 else 0 for rank in ranks)
    yield from state.scores()


def _awards(columns: Columns, state: NamedState) -> list[int]:
    measures = columns.measures
    given, worth = [0] * measures.awards, [0] * measures.awards
    for event in state.events or ():
        if event[0] == "award" and event[4] != NONE:
            number = measures.prizes[event[2], event[3]]
            given[number] += 1
            worth[number] += event[6] if event[6] != NONE else 0
    return [*given, *worth]


def _fired(columns: Columns, state: NamedState) -> list[int]:
    counted = Counter(event[1] for event in state.events or () if event[0] == "rule")
    return [counted[rule] for rule in columns.measures.rules]
