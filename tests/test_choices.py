"""Legal actions against the plainest way to find them: try everything, ask the whole condition at the end."""

from __future__ import annotations

import random
from itertools import product

import pytest
from agreement import text_of

import rulespec
from rulespec.engine.interpreter.choices import number_of
from rulespec.engine.interpreter.evaluate import domain, evaluator
from rulespec.engine.program import ir
from rulespec.engine.states.state import State


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
    state, choose = rulespec.load(id_).game().new_initial_state(3), random.Random(3)
    for _ in range(150):
        if state.is_terminal():
            break
        waiting = state.game.program.code[state.pc]
        if isinstance(waiting, ir.Choose):
            assert state.legal_actions() == [a for option in waiting.options for a in plainly_legal(option, state)]
        player = choose.choice(state.deciders())
        state.apply_action(choose.choice(state.legal_actions(player)), player)


def test_what_can_be_picked_follows_from_the_picks_before() -> None:
    game = rulespec.loads(text_of("dependent")).game(2)
    state = game.new_initial_state(seed=5)
    offered = set[tuple[str, bool]]()
    while not state.is_terminal():
        player, legal = state.current_player(), state.legal_actions()
        hands = [state.zone("hand", player, kind) for kind in range(2)]
        held = {game.card_name(card): kind for kind, hand in enumerate(hands) for card in hand}
        for action in legal:
            picks = game.picks_of(action)
            if "c" in picks:
                offered.add(("card", ("fruit", "spice")[held[picks["c"]]] == picks["k"]))
            elif "m" in picks:
                offered.add(("number", int(picks["m"]) <= int(picks["n"])))
        state.apply_action(legal[len(state.history()) * 7 % len(legal)])
    assert offered == {("card", True), ("number", True)}
