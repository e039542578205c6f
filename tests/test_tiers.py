"""The tables of slow tests in conftest.py: every row is the start of a test, and a sample of cases is spread evenly."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest
from conftest import SLOW, SOAK, spread

TESTS = Path(__file__).parent
NAMES = [
    f"tests/{path.relative_to(TESTS).as_posix()}::{name}["
    for path in sorted(TESTS.rglob("test_*.py"))
    for name in re.findall(r"^def (test_\w+)", path.read_text(encoding="utf-8"), re.MULTILINE)
]
"""The start of the node id of each test."""


def test_every_row_is_the_start_of_a_test() -> None:
    known = {start for name in NAMES for start in (name[:-1], name.partition("::")[0])}
    assert sorted(SLOW - known) == []
    assert [row for row in SOAK if not any(name.startswith(row) for name in NAMES)] == []


def test_no_two_rows_are_about_one_test() -> None:
    """A test of a slow file adds nothing to `SLOW`, and a second row of `SOAK` could keep another number of cases."""
    assert [row for row in SLOW if "::" in row and row.partition("::")[0] in SLOW] == []
    assert [name for name in NAMES if sum(name.startswith(row) for row in SOAK) > 1] == []


@pytest.mark.parametrize(("cases", "count", "places"), [(9, 3, {1, 4, 7}), (9, 1, {4}), (5, 0, set()), (2, 3, {0, 1})])
def test_a_sample_of_one_parameter_is_equally_far_apart(cases: int, count: int, places: set[int]) -> None:
    assert spread([{"seed": number} for number in range(cases)], count) == places


def test_a_sample_of_two_parameters_has_the_values_of_both_equally_often() -> None:
    cases = [{"game": game, "lang": lang} for game in range(6) for lang in range(3)]
    chosen = [cases[at] for at in spread(cases, 6)]
    assert Counter(case["game"] for case in chosen) == dict.fromkeys(range(6), 1)
    assert Counter(case["lang"] for case in chosen) == dict.fromkeys(range(3), 2)


def test_a_test_without_parameters_stays_or_goes() -> None:
    assert spread([{}], 0) == set() and spread([{}], 1) == {0}
