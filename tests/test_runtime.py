"""Functions of machine code, run as Python on the same arrays."""

from __future__ import annotations

from array import array

import pytest

from rulespec.engine.backend.forms.machine_source import Source
from rulespec.engine.interpreter.random import Generator, stream
from rulespec.engine.search.tree_search import NAMES, functions

RUNTIME = functions(Source([], {}, "segments.py"))
BOUNDS = [1, 6, 52, 2**31 + 1, 3 * 2**30]
"""With the last two, a quarter to a half of all numbers is rejected."""


@pytest.mark.parametrize("bound", BOUNDS)
def test_numbers_drawn_in_advance_are_those_of_the_generator(bound: int) -> None:
    generator, numbers, place = Generator(stream(3)), array("Q", bytes(8 * 32)), 31
    state, drawn = NAMES["u64"](stream(3)), []
    for _ in range(200):
        state, place = RUNTIME["accepted"](state, numbers, place, bound)
        drawn.append(numbers[place] * bound >> 32)
    assert drawn == [generator.below(bound) for _ in range(200)]


@pytest.mark.parametrize("count", [0, 1, 2, 33, 52, 200])
def test_a_shuffle_draws_like_the_generator(count: int) -> None:
    generator, cards, wanted = Generator(stream(5)), array("h", range(count)), list(range(count))
    state = RUNTIME["shuffle"](NAMES["u64"](stream(5)), cards, 0, count)
    for last in range(count - 1, 0, -1):
        other = generator.below(last + 1)
        wanted[last], wanted[other] = wanted[other], wanted[last]
    assert cards.tolist() == wanted and state == generator.state
