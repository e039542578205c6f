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


TRIED = """
rulespec: 2
game: {id: tried, version: 1.0.0, title: Tried, players: 2}
values:
  a: {per: 0..3, type: 0..9, start: 2, title: heap}
  n: {type: 0..9, start: 0, title: moves}
  total: {is: "sum(a[i] for i in 0..3)"}
play:
  - id: turns
    title: Turns
    repeat:
      at_most: 9
      then: {note: Enough.}
      do:
        choose:
          by: "n % 2 == 0 ? seat(1) : seat(2)"
          none: leave
          options:
            - says: "{i} {j}"
              pick: {i: 0..3, j: 0..3}
              if: "a[i] > 0 and a[j] < 9 and i != j"
              CONDITION
              do:
                - {let: {x: "a[i]"}, do: {set: {"a[i]": 0, "a[j]": "min(a[j] + x, 9)"}}}
                - {if: "j == 3", then: {set: {"a[3]": "a[3] // 2"}}}
                - {each: {k: 0..3}, do: {if: "a[k] > 5", then: {set: {"a[k]": "a[k] - 1"}}}}
                - {set: {n: "min(n + 1, 9)"}}
  - {id: end, title: End, rank: {among: {p: player}, by: [{high: total, title: heaps}], left: share}}
"""


def test_an_option_is_legal_if_its_condition_holds_after_its_steps() -> None:
    tried, free = (rulespec.loads(TRIED.replace("CONDITION", one)) for one in ("if_after: total % 3 != 1", ""))
    judged = set[bool]()
    for seed in range(6):
        state, other = tried.game(2).new_initial_state(seed), free.game(2).new_initial_state(seed)
        while not state.is_terminal():
            legal, (stored, own) = state.legal_actions(), (len(one.game.program.start) for one in (other, state))
            # Nothing of what was tried is left: the registers are those without it, and empty ones for copies.
            assert sorted(state.r[:own]) == sorted([*other.r[:stored], *[0] * (own - stored)])
            for action in other.legal_actions():
                (after := other.clone()).apply_action(action)
                holds = sum(after.value("a", i) for i in range(4)) % 3 != 1
                assert (action in legal) == holds
                judged.add(holds)
            action = legal[seed % len(legal)]
            state.apply_action(action)
            other.apply_action(action)
    assert judged == {True, False}
