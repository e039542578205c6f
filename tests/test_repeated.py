"""Counts of repeated positions: exact, the same in copies and saved states, and unknown where what is counted is."""

from __future__ import annotations

import random
from collections import Counter

import pytest
from agreement import HERE

import rulespec
from rulespec.language.model.packing import packed
from rulespec.language.model.types import LIMIT

SPEC = """
rulespec: 2
game: {id: tiny, version: 1.0.0, title: Tiny, players: 2}
enums: {field: {grid: {column: a..c, row: 1..2}, near: orthogonal}}
values:
  stone: {per: field, type: "player?", title: stone}
  mine: {per: player, type: 0..2, start: 0, title: mine, seen_by: owner}
  turn: {type: player, start: seat(1), title: turn}
  times: {repeats: [stone, turn], most: MOST, title: times}
  hidden: {repeats: [mine], most: 99, title: hidden}
play:
  - id: turns
    title: Turns
    repeat:
      at_most: 60
      then: {note: Enough.}
      do:
        - {remember: times}
        - {remember: hidden}
        - choose:
            by: turn
            options:
              - {says: "place {f}", pick: {f: field}, if: "stone[f] == none", do: {set: {"stone[f]": turn}}}
              - {says: "take {f}", pick: {f: field}, if: "stone[f] == turn", do: {set: {"stone[f]": none}}}
              - {says: "note {n}", pick: {n: 0..2}, do: {set: {"mine[turn]": n}}}
              - {says: forget, if: times > 2, do: {forget: times}}
        - {set: {turn: left_of(turn)}}
  - {id: end, title: End, rank: {among: {p: player}, by: [{high: "mine[p]", title: mine}], left: share}}
"""


def game(engine: str, most: int = 99) -> rulespec.Game:
    return rulespec.loads(SPEC.replace("MOST", str(most))).game(2, engine=engine)


def shown(state: rulespec.State, value: str) -> int:
    """A count as everybody sees it now; the view is made from the one before."""
    line = next(line for line in state.observation_string(0).splitlines() if line.startswith(f"{value}:"))
    return int(line.rpartition(" ")[2])


@pytest.mark.parametrize("engine", HERE)
def test_a_count_is_that_of_the_positions_themselves(engine: str) -> None:
    tiny, most = game(engine), 0
    for seed in range(8):
        state, chance, past = tiny.new_initial_state(seed), random.Random(seed), Counter[object]()
        while not state.is_terminal():
            now = (*(state.value("stone", field) for field in range(6)), state.value("turn"))
            past[now] += 1
            assert shown(state, "times") == past[now]
            most = max(most, past[now])
            state = chance.choice((state, state.clone(), tiny.deserialize_state(state.to_json())))
            action = chance.choice(state.legal_actions())
            past = Counter() if state.action_to_string(0, action) == "forget" else past
            state.apply_action(action)
    assert most > 2


@pytest.mark.parametrize("engine", HERE)
def test_a_game_that_would_remember_more_stops(engine: str) -> None:
    state = game(engine, most=3).new_initial_state(0)
    for _ in range(3):
        state.apply_action(state.legal_actions()[-1])
    assert state.is_terminal() and state.ranking() == [0, 0]
    assert state.stopped().endswith("`times` cannot remember more than 3 positions")


def test_nothing_hidden_is_remembered_in_a_possible_world() -> None:
    state = game("interpreter").new_initial_state(0)
    assert not any("hidden" in line for line in state.observation_string(0).splitlines()), "others' notes belong to it"
    slots = [slot for slot, _ in state.game.program.positions]
    world = state.resample_from_infostate(0, 1)
    assert [state.r[slot] for slot in slots] == [1, 1] and [world.r[slot] for slot in slots] == [1, 0]


def test_the_numbers_of_a_position_give_all_contents_back() -> None:
    chance = random.Random(1)
    for _ in range(100):
        values = [(chance.randint(1, 70), chance.choice((2, 3, 13, 1000, LIMIT))) for _ in range(chance.randint(1, 4))]
        numbers, found = packed(values), []
        for digits in numbers:
            now = [chance.randrange(values[digit.value][1]) for digit in digits]
            number = sum(digit.weight * content for digit, content in zip(digits, now, strict=True))
            assert number <= LIMIT
            assert now == [number // digit.weight % values[digit.value][1] for digit in digits]
            found += [(digit.value, digit.cell) for digit in digits]
        assert found == [(value, cell) for value, (cells, _) in enumerate(values) for cell in range(cells)]
