"""Tests of boards in play: grids, directions, rows, and points on lines."""

from __future__ import annotations

from pathlib import Path

import pytest

import rulespec
from rulespec.language.model.board import NEIGHBOURS

GAME = Path(__file__).parent / "boards" / "tour.yaml"


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


ROWS = """
rulespec: 2
game: {id: rows, version: 1.0.0, title: Rows, players: 2}
enums: {field: {grid: {column: a..c, row: 1..3}, near: orthogonal}, line: {in_a_row: 2, of: field}}
values: {mark: {per: field, type: "player?", title: mark}}
play:
  - id: turns
    title: Mark a square
    secret:
      who: {p: player}
      options:
        - says: mark {f}
          pick: {f: field}
          if: "count(r in line if has(r, f) and has(r, b2)) != 1"
          do: {set: {"mark[f]": p}}
      none: skip
      revealed: together
      then: {note: Seen.}
  - {id: end, title: End, rank: {among: {p: player}, by: [{high: "count(f in field if mark[f] == p)", title: marks}],
      left: share}}
"""


def test_a_condition_about_the_squares_of_a_row_is_a_fact_of_the_steps_inside() -> None:
    assert rulespec.loads(ROWS).players == range(2, 3)
