"""Positions set up by hand: what no game can have is refused, with what is found and what is wanted."""

from __future__ import annotations

import pytest

import rulespec
from rulespec.engine.interpreter.running import StartPosition, StateError
from rulespec.language.model.types import NONE

SPEC = """
rulespec: 2
game: {id: pond, version: 1.0.0, title: Pond, players: 2..3}
enums: {fish: [carp, pike]}
cards: {fields: {size: 1..3}, manifest: [{size: 1..3, copies: 1}], start: deck}
zones: {deck: {order: stack, seen_by: nobody}, hand: {per: player, seen_by: owner}}
values:
  depth: {type: 0..9, start: 4}
  calm: {type: bool, start: true}
  turn: {type: "player?"}
  bait: {per: {f: fish}, type: fish, start: carp}
play:
  - {id: cast, set: {depth: "max(depth - 1, 0)"}}
  - {id: end, rank: {among: {p: player}, by: [{high: "size(hand[p])"}], left: share}}
"""


@pytest.fixture(scope="module")
def game() -> rulespec.Game:
    return rulespec.loads(SPEC).game(2)


def address(game: rulespec.Game, name: str, *index: int) -> int:
    return game.names.address(name, index)


BAD = {
    "at": ("no position starts at the rule `fish`", "fish", {}, {}, 0),
    "zone": ("the game has no zone 9: its zones are 0 to 2", "cast", {}, {9: (0,)}, 0),
    "rest": ("the game has no zone -1: its zones are 0 to 2", "cast", {}, {}, -1),
    "card": ("the game has no card 3 with 2 players", "cast", {}, {1: (3,)}, 0),
    "twice": ("card 1 is placed 2 times", "cast", {}, {1: (1,), 2: (1,)}, 0),
    "int": ("`depth` cannot hold 10", "cast", {("depth",): 10}, {}, 0),
    "bool": ("`calm` cannot hold 2", "cast", {("calm",): 2}, {}, 0),
    "player": ("`turn` cannot hold 2", "cast", {("turn",): 2}, {}, 0),
    "none": (f"`depth` cannot hold {NONE}", "cast", {("depth",): NONE}, {}, 0),
    "cell": ("`bait[pike]` cannot hold 2", "cast", {("bait", 1): 2}, {}, 0),
}


@pytest.mark.parametrize("row", BAD)
def test_a_position_that_no_game_has_is_refused(game: rulespec.Game, row: str) -> None:
    message, at, values, zones, rest = BAD[row]
    registers = {address(game, *name): content for name, content in values.items()}
    with pytest.raises(StateError) as raised:
        game.state_at(StartPosition(at, registers, zones, rest))
    assert str(raised.value).startswith(message)


def test_a_register_of_the_program_is_no_value(game: rulespec.Game) -> None:
    with pytest.raises(StateError, match="belongs to no stored value"):
        game.state_at(StartPosition("cast", {10**6: 0}, {}, 0))


@pytest.mark.parametrize("content", [NONE, 0, 1])
def test_an_absent_value_may_be_absent(game: rulespec.Game, content: int) -> None:
    position = StartPosition("cast", {address(game, "turn"): content}, {1: (2,)}, 0)
    assert game.state_at(position).is_terminal()
