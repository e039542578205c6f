"""Many games in chunks: figures that depend on nothing but the games, workers that die, clusters."""

from __future__ import annotations

import json
import logging
import os
import signal
import statistics
import sys
from array import array
from collections import deque
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from high_card import GAMES, SEED, size_of_chunks
from hypothesis import given
from hypothesis import strategies as st

import rulespec
from rulespec.base.executors import Processes, here, in_order
from rulespec.base.failure import SimulationError
from rulespec.engine.states.playout import Chunk
from rulespec.play.simulate import chunks, cluster
from rulespec.play.simulate.chunks import Cut, chunk_size
from rulespec.play.simulate.cluster import Cluster
from rulespec.play.simulate.figures import Figures, Moments
from rulespec.play.simulate.run import simulate

pytestmark = [pytest.mark.usefixtures("small_chunks"), pytest.mark.slow("processes and clusters are started")]


# --- figures ---------------------------------------------------------------------------------------------------------


@given(st.lists(st.integers(-(10**6), 10**6), min_size=2), st.integers(0, 20))
def test_moments_are_those_of_the_numbers(numbers: list[int], cut: int) -> None:
    moments = Moments()
    moments.extend(array("q", numbers[cut:]))
    moments.extend(array("q", numbers[:cut]))
    assert (moments.least, moments.most) == (min(numbers), max(numbers))
    assert moments.mean == pytest.approx(statistics.mean(numbers))
    assert moments.deviation == pytest.approx(statistics.stdev(numbers))


def test_shared_wins_count_in_parts() -> None:
    ranks, nothing = [(1, 1, 1), (1, 1, 3), (2, 1, 3), (3, 2, 1)], array("q", [0] * 4)
    figures = Figures(3)
    figures.add(Chunk(range(4), nothing, [array("q", seat) for seat in zip(*ranks, strict=True)], [nothing] * 3, []))
    assert (figures.parts, figures.wins, figures.shared) == (6, [2 + 3, 2 + 3 + 6, 2 + 6], 2)


@given(st.integers(1, 10**9), st.integers(1, 200))
def test_blocks_cover_all_games_once(games: int, fewest: int) -> None:
    cut = Cut(games, chunk_size(games, fewest))
    assert cut[0].start == 0 and cut[len(cut) - 1].stop == games and len(cut) <= chunks.CHUNKS
    middle = len(cut) // 2
    assert middle == 0 or cut[middle - 1].stop == cut[middle].start
    with pytest.raises(IndexError):
        cut[len(cut)]


@pytest.mark.parametrize("size", [1, 7, 94, 95, 1000])
@pytest.mark.parametrize("workers", [1, 2])
def test_figures_depend_on_neither_blocks_nor_workers(
    game: rulespec.Game, whole: Figures, monkeypatch: pytest.MonkeyPatch, size: int, workers: int
) -> None:
    size_of_chunks(monkeypatch, size)
    finished: list[int] = []
    result = simulate(game, GAMES, SEED, workers, finished.append)
    assert (result.figures, sum(finished), result.resumed) == (whole, GAMES, 0)


def test_figures_survive_being_written(whole: Figures) -> None:
    record = json.loads(json.dumps(whole.to_record()))
    assert Figures.from_record(record, 3, GAMES) == whole


WRONG: list[Callable[[Any], Any]] = [
    lambda record: [],
    lambda record: record | {"shared": True},
    lambda record: record | {"shared": -1},
    lambda record: record | {"wins": record["wins"][:2]},
    lambda record: record | {"wins": [*record["wins"][:2], 10**9]},
    lambda record: record | {"points": None},
    lambda record: record | {"decisions": record["decisions"] | {"total": 10**9}},
    lambda record: record | {"decisions": record["decisions"] | {"squares": 0}},
    lambda record: record | {"decisions": record["decisions"] | {"least": None}},
]


@pytest.mark.parametrize("spoil", WRONG)
def test_impossible_figures_are_refused(whole: Figures, spoil: Callable[[Any], Any]) -> None:
    with pytest.raises(ValueError):
        Figures.from_record(spoil(whole.to_record()), 3, GAMES)


# --- executors -------------------------------------------------------------------------------------------------------


def test_only_a_few_blocks_are_under_way() -> None:
    waiting: deque[tuple[range, int]] = deque()
    taken: list[int] = []

    def numbers() -> Iterator[range]:
        for number in range(100):
            taken.append(number)
            yield range(number, number + 1)

    results = in_order(numbers(), lambda: 5, lambda chunk: chunk.start, lambda number: number, waiting)
    for number, found in enumerate(results):
        assert found == number
        assert len(taken) <= number + 5 and len(waiting) < 5


def first_game(game: rulespec.Game, chunk: range) -> int:
    return chunk.start


def killed_once(game: rulespec.Game, chunk: range, mark: Path) -> int:
    """A job whose process is killed in the middle of chunk 3, the first time."""
    if chunk.start == 3 and not mark.exists():
        mark.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return chunk.start


def always_killed(game: rulespec.Game, chunk: range) -> int:
    os.kill(os.getpid(), signal.SIGKILL)
    return 0


def wrong(game: rulespec.Game, chunk: range) -> int:
    raise ZeroDivisionError


SINGLE = [range(number, number + 1) for number in range(30)]


@pytest.mark.parametrize("executor", [here, Processes(2)])
def test_results_come_in_the_order_of_blocks(game: rulespec.Game, executor: Any) -> None:
    assert list(executor(game, first_game, SINGLE)) == list(range(30))


def test_blocks_of_a_killed_process_are_played_again(game: rulespec.Game, tmp_path: Path) -> None:
    job = partial(killed_once, mark=tmp_path / "killed")
    assert list(Processes(2)(game, job, SINGLE)) == list(range(30))
    assert (tmp_path / "killed").exists()


def test_processes_that_are_always_killed_end_the_run(game: rulespec.Game) -> None:
    with pytest.raises(SimulationError, match="killed 3 times"):
        list(Processes(2)(game, always_killed, SINGLE))


def test_a_mistake_in_a_job_is_not_hidden(game: rulespec.Game) -> None:
    with pytest.raises(ZeroDivisionError):
        list(Processes(2)(game, wrong, SINGLE))


# --- clusters --------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def local_cluster() -> Iterator[Any]:
    """Two workers in processes of their own on this machine, reachable from nowhere else; gone afterwards."""
    distributed = pytest.importorskip("distributed")
    logging.getLogger("distributed").setLevel(logging.CRITICAL)
    local = {"host": "127.0.0.1", "dashboard_address": None, "worker_dashboard_address": None}
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, processes=True, silence_logs=50, **local) as found:
        yield found


def test_a_cluster_that_loses_a_worker_loses_no_chunk(tmp_path: Path, local_cluster: Any) -> None:
    game = rulespec.load("fortheking").game()
    workers = [nanny.pid for nanny in local_cluster.workers.values()]

    def kill_one(done: int) -> None:
        if workers:
            os.kill(workers[0], signal.SIGKILL)
            workers.clear()

    executor = Cluster(local_cluster.scheduler_address)
    result = simulate(game, 200, SEED, progress=kill_one, into=tmp_path, rows="csv", executor=executor)
    assert not workers
    assert result.figures == simulate(game, 200, SEED).figures
    assert len(list(tmp_path.glob("rows-*.csv"))) == len(list(tmp_path.glob("chunk-*.json"))) == 20


def test_a_worker_with_another_version_is_reported(
    game: rulespec.Game, local_cluster: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cluster, "code", lambda: "another")
    with pytest.raises(SimulationError, match="has another version of ftk") as raised:
        simulate(game, GAMES, SEED, executor=Cluster(local_cluster.scheduler_address))
    assert "same version" in raised.value.hint


def test_a_worker_is_no_scheduler(game: rulespec.Game, local_cluster: Any) -> None:
    address = list(local_cluster.workers.values())[-1].worker_address  # the first may have just been killed
    with pytest.raises(SimulationError, match="is a Dask worker, not a scheduler"):
        simulate(game, GAMES, SEED, executor=Cluster(address))


@pytest.mark.parametrize("address", ["tcp://127.0.0.1:1", "nonsense", ""])
def test_nobody_answers(game: rulespec.Game, address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("distributed")
    monkeypatch.setattr(cluster, "TO_ANSWER", 0.2)
    with pytest.raises(SimulationError, match="No Dask scheduler answers"):
        simulate(game, GAMES, SEED, executor=Cluster(address))


def test_a_cluster_without_distributed_says_how_to_get_it(game: rulespec.Game, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(SimulationError, match="needs the package distributed") as raised:
        simulate(game, GAMES, SEED, executor=Cluster("tcp://127.0.0.1:1"))
    assert "ftk[cluster]" in raised.value.hint
