"""Legal actions against the plainest way to find them: try everything, ask the whole condition at the end."""

from __future__ import annotations

import random
from itertools import product

import pytest

import rulespec
from rulespec.engine import ir
from rulespec.engine.choices import number_of
from rulespec.engine.evaluate import domain, evaluator
from rulespec.engine.state import State


def plainly_legal(option: ir.Option, state: State) -> list[int]:
    """Every combination of picks, numbered as the docs say: the last pick counts fastest."""
    r, z = state.r[:], state.z
    condition = evaluator(option.condition) if option.condition is not None else lambda r, z: 1
    found = set()
    for values in product(*(list(domain(pick.domain)(r, z)) for pick in option.picks)):
        for pick, value in zip(option.picks, values, strict=True):
            r[pick.slot] = value
        if condition(r, z):
            action = 0
            for pick, value in zip(option.picks, values, strict=True):
                action = action * pick.size + number_of(pick, state.game.program)(value)
            found.add(option.first + action)
    return sorted(found)


@pytest.mark.parametrize("id_", rulespec.known_games())
def test_legal_actions_are_those_the_rules_allow(id_: str) -> None:
    spec = rulespec.load(id_)
    for players in spec.players:
        state, choose = spec.game(players).new_initial_state(players), random.Random(players)
        for _ in range(150):
            if state.is_terminal():
                break
            waiting = state.game.program.code[state.pc]
            if isinstance(waiting, ir.Choose):
                assert state.legal_actions() == [a for option in waiting.options for a in plainly_legal(option, state)]
            player = choose.choice(state.deciders())
            state.apply_action(choose.choice(state.legal_actions(player)), player)
