"""Tests of indices by ranges and by several things, of attributes, and of intervals that follow conditions, in play."""

from __future__ import annotations

from pathlib import Path

import pytest
from command import ftk

import rulespec
from rulespec.engine.interpreter.running import StateError

GAMES = Path(__file__).parent / "indices"


def test_scenarios_name_places_by_all_of_their_indices() -> None:
    assert ftk("test", str(GAMES)).exit_code == 0


def test_states_take_the_indices_as_they_are_written() -> None:
    state = rulespec.load(str(GAMES / "grid.yaml")).game(2).new_initial_state(seed=3)
    assert len(state.zone("slot", -1)) == 1 and state.zone("cell", 2, 2) == []
    assert state.value("seen", 3) == 0 and state.value("mark", 0, 2) is None
    for wrong in (("slot", 2), ("cell", 1), ("cell", 0, 3), ("deck", 0)):
        with pytest.raises(StateError):
            state.zone(*wrong)
    with pytest.raises(StateError):
        state.value("seen", 0)


def test_only_the_owner_sees_a_zone_with_an_owner_and_another_index() -> None:
    game = rulespec.load(str(GAMES / "grid.yaml")).game(2)
    seen = {game.zone_name(number): set(of.always) for number, of in enumerate(game.viewers.of_zone)}
    assert seen["tray of player 1, red"] == {0} and seen["tray of player 2, green"] == {1}
    assert seen["cell of 0, 2"] == {0, 1} and seen["deck"] == set()


def test_attributes_give_the_copies_of_cards() -> None:
    spec = rulespec.load(str(GAMES / "court.yaml")).model
    assert [card[0] for card in spec.deck.cards] == [0] * 5 + [1] * 2 + [2]
    assert spec.tables["card_name.gift"].type.optional and not spec.tables["card_name.value"].type.optional
    assert spec.tables["step"].entry((0, 1, 2)) == 4
