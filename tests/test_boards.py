"""Tests of boards in play: grids, directions, rows, and points on lines."""

from __future__ import annotations

from pathlib import Path

import pytest
from agreement import HERE
from random_specs import difference

import rulespec
from rulespec.model.board import NEIGHBOURS

GAME = Path(__file__).parent / "boards" / "tour.yaml"


def test_engines_play_them_alike() -> None:
    spec = rulespec.load(str(GAME))
    assert not spec.report.findings
    assert difference(spec, 2, HERE, games=3) == ""


def test_squares_are_named_by_letter_and_number_in_the_order_of_the_declaration() -> None:
    spec = rulespec.load(str(GAME)).model
    assert spec.enums["square"].members[:5] == ("a1", "b1", "c1", "d1", "a2")
    assert spec.enums["run"].members == ("x1_x2_x3", "x4_x2_x5")
    game = rulespec.load(str(GAME)).game(2)
    assert "go to b1" in {game.action_to_string(action) for action in game.new_initial_state(seed=1).legal_actions(0)}


@pytest.mark.parametrize("kind", NEIGHBOURS)
def test_neighbours_are_mutual(kind: str) -> None:
    opposite = {"north": "south", "south": "north", "east": "west", "west": "east"}
    mirrored = {"_".join(opposite[part] for part in name.split("_")) for name in NEIGHBOURS[kind]}
    assert mirrored == set(NEIGHBOURS[kind])
