"""Which engine `auto` plays on, by what it costs, and that the games are those of every other engine."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from high_card import SPEC

import rulespec
from rulespec.engine.backend.engines import costs
from rulespec.engine.backend.engines.costs import Cost, Pace, cheapest, starts
from rulespec.engine.backend.engines.table import ENGINES
from rulespec.engine.states import playout
from rulespec.engine.states.playout import playouts
from rulespec.play.simulate.run import simulate

NATIVE = pytest.mark.skipif(bool(ENGINES["native"].missing), reason="llvmlite is not installed")
BOARD = {"interpreter": Cost(0, 0.1), "compiled": Cost(0.1, 0.01), "native": Cost(1, 0.0001)}
STARTS = {"interpreter": 0.0, "compiled": 0.1, "native": 1.0}


@pytest.mark.parametrize(
    ("games", "engine"),
    [(0, "interpreter"), (1, "interpreter"), (2, "compiled"), (90, "compiled"), (95, "native"), (10**6, "native")],
)
def test_the_cheapest_engine_depends_on_the_games(games: int, engine: str) -> None:
    assert cheapest(BOARD, games) == engine


def pace(kept: tuple[str, ...] = (), compiling: Callable[[], object] = lambda: None) -> Pace:
    return Pace(STARTS, kept.__contains__, compiling)


@pytest.mark.parametrize(
    ("seconds", "left", "kept", "engine"),
    [
        (0.001, 20, (), "interpreter"),
        (0.001, 200, (), "compiled"),
        (0.001, 200, ("native",), "native"),
        (0.001, 10, ("compiled",), "interpreter"),
        (0.001, 40, ("compiled",), "compiled"),
        (0.1, 20, (), "compiled"),
        (0.1, 200, (), "native"),
        (0.001, 10**6, (), "native"),
    ],
)
def test_the_engine_follows_from_what_a_game_took(
    seconds: float, left: int, kept: tuple[str, ...], engine: str
) -> None:
    one = pace(kept)
    one.measured(1, seconds)
    assert one.choose(left) == engine


def test_a_game_is_given_up_when_it_takes_longer_than_another_engine() -> None:
    one = pace()
    found = [one.choose(20, seconds) for seconds in (0.001, 0.004, 0.01)]
    assert found == ["interpreter", "interpreter", "compiled"]


def test_a_game_that_may_need_machine_code_goes_on_a_little() -> None:
    one = pace()
    assert [one.choose(2000, seconds) for seconds in (0.001, 0.002, 0.004)] == ["interpreter", "interpreter", "native"]


def test_an_engine_that_turns_out_slow_is_left_for_machine_code() -> None:
    one = pace()
    one.measured(1, 0.03)
    assert one.choose(40) == "compiled"
    one.measured(1, 0.028)
    assert one.choose(39) == "native"


def test_unknown_numbers_of_games_count_as_many_as_were_played() -> None:
    one = pace()
    while one.choose(None) == "interpreter":
        one.measured(1, 0.01)
    assert (one.engine, one.played) == ("compiled", 13)


def test_limits_leave_an_engine_out() -> None:
    one = pace()
    one.measured(1, 0.1)
    assert one.choose(1000) == "native"
    one.without("native")
    assert one.choose(1000) == "compiled"
    one.without("compiled")
    assert one.choose(1000) == "interpreter"


@pytest.fixture
def two_processors(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(costs, "AHEAD", (0.25, 9.0))
    monkeypatch.setattr(costs, "processors", lambda: 2)
    monkeypatch.setattr(costs.threading, "active_count", lambda: 1)
    monkeypatch.setattr(costs.os, "getloadavg", lambda: (1.0, 1.0, 1.0))


@pytest.mark.usefixtures("two_processors")
@pytest.mark.parametrize(
    ("compiling", "engine"), [(lambda: True, "native"), (lambda: None, "compiled"), (lambda: 1 // 0, "compiled")]
)
def test_another_processor_compiles_while_games_go_on(
    compiling: Callable[[], object], engine: str, tmp_path: Path
) -> None:
    def compile_() -> object:
        made = compiling()
        (tmp_path / "native").touch()
        return made

    one = Pace(STARTS, lambda name: (tmp_path / name).exists(), compile_)
    one.measured(1, 0.02)
    assert (one.choose(200), one.waits) == ("compiled", True)
    one.measured(1, 0.003)
    while one.waits:
        one.choose(200)
    assert one.engine == engine


@pytest.mark.usefixtures("two_processors")
@pytest.mark.parametrize(("processors", "load"), [(1, 0.0), (2, 3.0)])
def test_without_a_processor_that_rests_nothing_compiles_beside(
    monkeypatch: pytest.MonkeyPatch, processors: int, load: float
) -> None:
    monkeypatch.setattr(costs, "processors", lambda: processors)
    monkeypatch.setattr(costs.os, "getloadavg", lambda: (load, load, load))
    one = pace()
    one.measured(1, 0.02)
    assert (one.choose(200), one.waits) == ("compiled", False)


def test_a_larger_program_costs_more() -> None:
    small, large = (starts(rulespec.load(name).game(engine="interpreter").program) for name in ("nim", "fortheking"))
    assert small.keys() == large.keys() and all(small[name] < large[name] for name in small)


# --- the games -------------------------------------------------------------------------------------------------------


def forced(monkeypatch: pytest.MonkeyPatch, *changes: int) -> None:
    """Lets `auto` change to the next engine after these numbers of games."""
    order = [name for name, engine in ENGINES.items() if not engine.missing]

    def choose(self: Pace, left: int | None, unfinished: float = 0.0) -> str:
        self.engine, self.batch = order[sum(self.played >= number for number in changes)], 1
        return self.engine

    monkeypatch.setattr(Pace, "choose", choose)


@NATIVE
@pytest.mark.slow("machine code is compiled")
@pytest.mark.parametrize("tally", [False, True])
def test_games_are_the_same_whenever_the_engine_changes(monkeypatch: pytest.MonkeyPatch, tally: bool) -> None:
    spec = rulespec.load("kingme")
    forced(monkeypatch, 3, 7)
    found = playouts(spec.game(3), 5, range(2, 14), tally, left=12)
    assert found == playouts(spec.game(3, engine="compiled"), 5, range(2, 14), tally)


@pytest.mark.parametrize("workers", [1, 2])
def test_figures_are_those_of_the_interpreter(monkeypatch: pytest.MonkeyPatch, workers: int) -> None:
    forced(monkeypatch, 9, 10**9)
    spec = rulespec.loads(SPEC)
    one, other = (simulate(spec.game(3, engine=engine), 95, 3, workers) for engine in ("auto", "interpreter"))
    assert one.figures == other.figures and (one.engine, other.engine) == ("compiled", "interpreter")


def test_a_game_that_was_given_up_is_not_given_back(monkeypatch: pytest.MonkeyPatch) -> None:
    looks = iter(range(1000))  # raises StopIteration in place of an endless loop

    def choose(self: Pace, left: int | None, unfinished: float = 0.0) -> str:
        next(looks)
        self.engine = "compiled" if unfinished else "interpreter"
        return self.engine

    spec = rulespec.loads(SPEC)
    monkeypatch.setattr(Pace, "choose", choose)
    monkeypatch.setattr(playout, "LOOK", 0.0)
    assert playouts(spec.game(2), 1, range(9), left=9) == playouts(spec.game(2, engine="interpreter"), 1, range(9))


def test_what_exceeds_all_limits_is_interpreted(monkeypatch: pytest.MonkeyPatch, caplog: Any) -> None:
    spec = rulespec.loads(SPEC)
    game, wanted = spec.game(2), playouts(spec.game(2, engine="interpreter"), 1, range(9))
    for name in ("playout", "machine"):
        monkeypatch.setattr(game.code, name, lambda *_: None)
    monkeypatch.setitem(ENGINES, "interpreter", replace(ENGINES["interpreter"], speed=1e-9))
    with caplog.at_level(logging.ERROR):
        assert playouts(game, 1, range(9), left=10**9) == wanted
    assert game.code.playing == "interpreter"
