"""Engines agree on games made at random; random_specs.py plays more of them."""

import runpy
from pathlib import Path

import pytest
from agreement import HERE
from random_specs import Maker, answers, difference, loaded

from rulespec.engine.backend.engines.table import ENGINES
from rulespec.engine.backend.llvm import compiler
from rulespec.engine.states.playout import playouts

pytestmark = pytest.mark.slow("large games are read and compiled")

BENCHMARK = Path(__file__).resolve().parent.parent / "benchmarks" / "random_specs.py"


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.sample(3)
def test_all_engines_play_them_alike(seed: int) -> None:
    spec = loaded(Maker(seed).spec())
    if spec is None:
        pytest.skip("the checker refuses this one")
    assert difference(spec, 2, HERE, games=3) == ""


@pytest.mark.soak
def test_the_checker_refuses_few_of_them() -> None:
    assert sum(loaded(Maker(seed).spec()) is None for seed in range(40)) <= 8


@pytest.mark.parametrize("seed", [1983, 6655, 8233])
@pytest.mark.sample(1)
def test_faces_are_counted_wherever_a_move_may_lead(seed: int) -> None:
    """A zone that only a move beside a watched zone may name was entered by others without being counted."""
    spec, players = loaded(Maker(seed, priced=False).spec()), 2 + seed % 2
    assert spec is not None
    blocks = [
        playouts(spec.game(players, answers(spec, players), engine=engine), 1, range(40))
        for engine in ("interpreter", "native")
        if not ENGINES[engine].missing
    ]
    assert blocks == blocks[:1] * len(blocks)


@pytest.mark.parametrize("seed", range(100, 130))
@pytest.mark.sample(4)
def test_compiled_python_plays_them_as_the_interpreter_does(seed: int) -> None:
    spec = loaded(Maker(seed).spec())
    if spec is None:
        pytest.skip("the checker refuses this one")
    assert difference(spec, 3, ("interpreter", "compiled"), games=3) == ""


@pytest.mark.soak
def test_an_interrupted_run_over_many_seeds_goes_on(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(compiler, "object_code", compiler.object_code)  # restored after the test
    play, record = runpy.run_path(str(BENCHMARK))["main"], tmp_path / "record.txt"
    assert play(record, 2, 51) == play(record, 3, 51) == 0
    assert [line.split(" ")[0] for line in record.read_text(encoding="utf-8").splitlines()] == ["51", "52", "53"]
