"""Engines agree on games made at random; random_specs.py plays more of them."""

import pytest
from agreement import HERE
from random_specs import Maker, difference, loaded


@pytest.mark.parametrize("seed", range(6))
def test_all_engines_play_them_alike(seed: int) -> None:
    spec = loaded(Maker(seed).spec())
    if spec is None:
        pytest.skip("the checker refuses this one")
    assert difference(spec, 2, HERE, games=3) == ""


def test_the_checker_refuses_few_of_them() -> None:
    assert sum(loaded(Maker(seed).spec()) is None for seed in range(40)) <= 8


@pytest.mark.parametrize("seed", range(100, 130))
def test_compiled_python_plays_them_as_the_interpreter_does(seed: int) -> None:
    spec = loaded(Maker(seed).spec())
    if spec is None:
        pytest.skip("the checker refuses this one")
    assert difference(spec, 3, ("interpreter", "compiled"), games=3) == ""
