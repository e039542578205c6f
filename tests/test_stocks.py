"""Stocks of tokens: what moves, what happens if there are too few, and totals that stay the same."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

import rulespec
from rulespec.engine.interpreter.running import StartPosition, StateError

SPEC = """
rulespec: 2
game: {id: tiny, version: 1.0.0, title: Tiny, players: 2}
enums: {gem: [red, green, blue]}
stocks:
  gems: {of: gem, places: {bank: {start: 2}, purse: {per: player, start: 1}}}
  gold: {places: {vault: {start: 1}, gold: {per: player, start: 1}}}
values: {turn: {type: player, start: seat(1)}}
play:
  - id: only
    title: Only
    choose:
      by: turn
      options:
        - {id: act, says: act, do: {transfer: {STEP}}}
        - {says: pass, do: {note: Nothing.}}
  - {id: end, title: End, rank: {among: {p: player}, by: [{high: "gold[p]", title: gold}], left: share}}
"""
TAKE = 'from: bank, to: "purse[turn]"'
PAY = 'each: {g: gem}, from: "purse[turn]", to: bank, jokers: {from: "gold[turn]", to: vault}'
BANK, VAULT, GOLD = (("bank", 0), ("bank", 1), ("bank", 2)), ("vault",), ("gold", 0)


def tiny(transfer: str) -> rulespec.Game:
    return rulespec.loads(SPEC.replace("STEP", transfer)).game(2)


def totals(state: rulespec.State) -> Counter[tuple[str, int]]:
    """The tokens of each kind in all places."""
    game, found = state.game, Counter[tuple[str, int]]()
    for name, value in game.spec.values.items():
        base, kinds = game.program.value_base.get(name, 0), game.setting.extent(value.kind) if value.kind else 1
        for cell in range(game.setting.cells(value)) if value.stock else ():
            assert state.r[base + cell] >= 0
            found[value.stock, cell % kinds] += state.r[base + cell]
    return found


MOVES: dict[str, tuple[str, dict[tuple[Any, ...], int]]] = {
    "as many as there are": (f"tokens: 3, of: red, {TAKE}, short: as_many", {BANK[0]: 0, ("purse", 0, 0): 3}),
    "all of them": (f'tokens: "bank[red]", of: red, {TAKE}', {BANK[0]: 0, ("purse", 0, 0): 3}),
    "none": (f"tokens: 0, of: red, {TAKE}", {BANK[0]: 2, ("purse", 0, 0): 1}),
    "to itself": ('tokens: 1, from: "gold[turn]", to: "gold[seat(1)]", short: error', {GOLD: 1}),
    "jokers": (f"tokens: 'g == red ? 2 : 1', {PAY}, short: illegal", {BANK[0]: 3, BANK[1]: 3, GOLD: 0, VAULT: 2}),
    "too few jokers": (f"tokens: 2, {PAY}, short: as_many", {BANK[2]: 3, GOLD: 0, VAULT: 2}),
    "each kind": (
        f"each: {{g: gem}}, tokens: ordinal(g) - 1, {TAKE}, short: error",
        {BANK[0]: 2, BANK[1]: 1, BANK[2]: 0},
    ),
}


@pytest.mark.parametrize("name", MOVES)
def test_tokens_move(name: str) -> None:
    step, expected = MOVES[name]
    state = tiny(step).new_initial_state(0)
    before = totals(state)
    state.apply_action(state.legal_actions()[0])
    assert {place: state.value(*place) for place in expected} == expected
    assert totals(state) == before


REFUSED = {
    "one place": f"tokens: 3, of: red, {TAKE}, short: illegal",
    "one kind of several": f"each: {{g: gem}}, tokens: ordinal(g), {TAKE}, short: illegal",
    "jokers": f"tokens: 'g == red ? 3 : 1', {PAY}, short: illegal",
}


@pytest.mark.parametrize("name", REFUSED)
def test_an_option_without_enough_tokens_is_illegal(name: str) -> None:
    game = tiny(REFUSED[name])
    state = game.new_initial_state(0)
    assert [state.action_to_string(0, action) for action in state.legal_actions()] == ["pass"]
    with pytest.raises(StateError):
        game.state_at(StartPosition("act", {}, {}, 0))


def test_a_game_stops_that_lacks_tokens_against_its_rules() -> None:
    state = tiny(f"tokens: 3, of: red, {TAKE}, short: error").new_initial_state(0)
    state.apply_action(state.legal_actions()[0])
    assert state.is_terminal() and "bank" in state.stopped()


def test_a_position_has_as_many_tokens_as_the_game() -> None:
    game = tiny(f"tokens: 1, of: red, {TAKE}, short: error")
    bank, purse = game.names.address("bank", (1,)), game.names.address("purse", (0, 1))
    game.state_at(StartPosition("only", {bank: 0, purse: 3}, {}, 0))
    with pytest.raises(StateError, match="the tokens of `gems` are not as many"):
        game.state_at(StartPosition("only", {bank: 0, purse: 2}, {}, 0))


def test_gems_are_never_made_or_lost() -> None:
    state = rulespec.load("gem_traders").game(3).new_initial_state(3)
    before = totals(state)
    while not state.is_terminal():
        legal = state.legal_actions()
        state.apply_action(legal[len(state.history()) * 7919 % len(legal)])
        assert totals(state) == before
