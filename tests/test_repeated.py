"""Counts of repeated positions: exact, the same in copies and saved states, and unknown where what is counted is."""

from __future__ import annotations

import random
from collections import Counter

import pytest
from agreement import HERE, text_of

import rulespec
from rulespec.language.model.positions import packed
from rulespec.language.model.types import LIMIT


def game(engine: str, most: int = 60) -> rulespec.Game:
    return rulespec.loads(text_of("positions").replace("most: 60", f"most: {most}", 1)).game(2, engine=engine)


@pytest.mark.parametrize("engine", HERE)
def test_a_count_is_that_of_the_positions_themselves(engine: str) -> None:
    tiny, most = game(engine), 0
    for seed in range(8):
        state, chance, past = tiny.new_initial_state(seed), random.Random(seed), Counter[object]()
        while not state.is_terminal():
            now = (*(state.value("lamp", *cell) for cell in ((0, 0), (0, 1), (1, 0), (1, 1))), state.value("turn"))
            past[now] += 1
            # The view is made from the one before.
            lines = state.observation_string(0).splitlines()
            assert f"lit: {past[now]}" in lines and not any("seen" in line for line in lines)
            most = max(most, past[now])
            state = chance.choice((state, state.clone(), tiny.deserialize_state(state.to_json())))
            state.apply_action(chance.choice(state.legal_actions()))
    assert most > 3


@pytest.mark.parametrize("engine", HERE)
def test_a_game_that_would_remember_more_stops(engine: str) -> None:
    state = game(engine, most=3).new_initial_state(0)
    for _ in range(3):
        state.apply_action(state.legal_actions()[-1])
    assert state.is_terminal() and state.ranking() == [0, 0]
    assert state.stopped().endswith("`lit` cannot remember more than 3 positions")


def test_nothing_hidden_is_remembered_in_a_possible_world() -> None:
    state = game("interpreter").new_initial_state(0)
    world, slots = state.resample_from_infostate(0, 1), [slot for slot, _ in state.game.program.positions]
    assert [state.r[slot] for slot in slots] == [1, 1, 1] and [world.r[slot] for slot in slots] == [1, 1, 0]


def test_the_numbers_of_a_position_give_all_contents_back() -> None:
    chance = random.Random(1)
    for _ in range(100):
        values = [(chance.randint(1, 70), chance.choice((2, 3, 13, 1000, LIMIT))) for _ in range(chance.randint(1, 4))]
        cells = []
        for digits in packed(values):
            now = [chance.randrange(values[digit.value][1]) for digit in digits]
            number = sum(digit.weight * content for digit, content in zip(digits, now, strict=True))
            assert number <= LIMIT
            assert now == [number // digit.weight % values[digit.value][1] for digit in digits]
            cells += [(digit.value, digit.cell) for digit in digits]
        assert cells == [(value, cell) for value, (count, _) in enumerate(values) for cell in range(count)]
