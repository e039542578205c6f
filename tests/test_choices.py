"""Legal actions against the plainest way to find them: try everything, ask the whole condition at the end."""

from __future__ import annotations

import random
from itertools import product

import pytest
from agreement import HERE, shortest, whole

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


NOTHING = """
rulespec: 2
game: {id: nothing, version: 1.0.0, title: Nothing, players: 2}
enums: {hue: [red, green, blue]}
values: {a: {type: 0..9, start: 0, title: a}}
play:
  - each: {round: 1..9}
    do: [CHOOSE, {random: {n: 0..9}, do: {set: {a: n}}}]
  - {id: end, title: End, rank: {among: {p: player}, by: [{high: "p == seat(1) ? a : 4", title: a}], left: share}}
"""


@pytest.mark.parametrize(
    "options",
    [
        "{says: stay, do: {note: Nothing.}}, {says: wait, do: {note: Nothing.}}",
        "{says: stay, if: a > 4, do: {note: No.}}, {says: 'wait {n}', pick: {n: 1..3}, if: n < a, do: {note: No.}}",
        "{says: 'wait {n}', pick: {n: 1..3}, if: 'players > 2 and n < a', do: {set: {a: 3}}}",
        "{says: 'wait {s}', pick: {s: {set_of: hue, count: 2}}, if: size(s) < 2, do: {set: {a: 3}}}",
    ],
    ids=["all the same", "sometimes possible", "never possible", "of no size"],
)
def test_choices_without_a_difference_are_played_alike(options: str) -> None:
    text = NOTHING.replace("CHOOSE", f"{{choose: {{by: seat(1), options: [{options}], none: skip}}}}")
    games = [rulespec.loads(text).game(2, engine=engine) for engine in HERE]
    assert shortest(games, range(8)) is None and whole(games, 200) is None


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
