"""A run that is kept in a folder: it goes on after any interruption, and nothing is lost or counted twice."""

from __future__ import annotations

import csv
import io
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from high_card import GAMES, SEED, SIZE, SPEC, size_of_chunks

import rulespec
from rulespec.base.failure import SimulationError
from rulespec.engine.states.playout import playouts
from rulespec.play.simulate import records
from rulespec.play.simulate.figures import Figures
from rulespec.play.simulate.rows import columns
from rulespec.play.simulate.run import Result, simulate

pytestmark = [pytest.mark.usefixtures("small_chunks"), pytest.mark.slow("processes are started")]


# --- folders ---------------------------------------------------------------------------------------------------------


def kept(
    game: rulespec.Game,
    folder: Path,
    games: int = GAMES,
    seed: int = SEED,
    rows: str | None = "csv",
    report: Callable[[str], None] = lambda sentence: None,
) -> Result:
    return simulate(game, games, seed, into=folder, rows=rows, report=report)


def content(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir() if not path.name.startswith(".")}


def test_a_folder_holds_the_run_its_blocks_and_its_rows(game: rulespec.Game, tmp_path: Path, whole: Figures) -> None:
    assert kept(game, tmp_path / "run").figures == whole
    names = [
        f"{kind}-{number:06d}.{ending}" for kind, ending in (("chunk", "json"), ("rows", "csv")) for number in range(10)
    ]
    assert sorted(content(tmp_path / "run")) == [*names, "run.json"]
    run = json.loads((tmp_path / "run" / "run.json").read_text("utf-8"))
    assert len(run.pop("sha256")) == 64
    assert run == {"run": 3, "game": game.identity(), "seed": SEED, "games": GAMES, "chunk": SIZE, "rows": "csv"}


def test_a_finished_run_is_not_played_again(game: rulespec.Game, tmp_path: Path, whole: Figures) -> None:
    kept(game, tmp_path)
    again = kept(game, tmp_path)
    assert (again.figures, again.resumed, again.to_dict()["games_per_second"]) == (whole, GAMES, None)


def test_what_is_missing_is_played_again(game: rulespec.Game, tmp_path: Path, whole: Figures) -> None:
    kept(game, tmp_path)
    before = content(tmp_path)
    for name in ("chunk-000002.json", "chunk-000009.json", "rows-000005.csv", "chunk-000006.json", "rows-000006.csv"):
        (tmp_path / name).unlink()
    (tmp_path / "rows-000007.csv").write_text("game,")
    (tmp_path / ".chunk-000002.json.part").write_text("{")  # as a killed run leaves it
    again = kept(game, tmp_path)
    assert (again.figures, again.resumed) == (whole, GAMES - 4 * SIZE - 5)
    assert content(tmp_path) == before


def test_a_block_keeps_its_size_whatever_plays_it(
    game: rulespec.Game, tmp_path: Path, whole: Figures, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept(game, tmp_path)
    (tmp_path / "chunk-000003.json").unlink()
    size_of_chunks(monkeypatch, 30)
    assert kept(game, tmp_path).resumed == GAMES - SIZE


def test_more_games_extend_a_run(game: rulespec.Game, tmp_path: Path) -> None:
    kept(game, tmp_path / "run", games=32)
    extended = kept(game, tmp_path / "run", games=57)
    straight = kept(game, tmp_path / "straight", games=57)
    assert (extended.figures, extended.resumed) == (straight.figures, 30)
    assert content(tmp_path / "run") == content(tmp_path / "straight")


def test_fewer_games_than_a_run_holds_are_refused(game: rulespec.Game, tmp_path: Path) -> None:
    kept(game, tmp_path)
    with pytest.raises(SimulationError, match="already holds 95 games, more than the 40 of --games"):
        kept(game, tmp_path, games=40)
    for number in range(4, 10):
        (tmp_path / f"chunk-{number:06d}.json").unlink()  # as if it had been stopped there
    assert kept(game, tmp_path, games=40).resumed == 40
    assert len(list(tmp_path.glob("rows-*"))) == 4


def test_another_run_is_refused_with_what_differs(spec: rulespec.Spec, game: rulespec.Game, tmp_path: Path) -> None:
    kept(game, tmp_path)
    before = content(tmp_path)
    other = rulespec.loads(SPEC.replace("High card", "High cards")).game(3)
    renamed = rulespec.loads(SPEC.replace("high_card", "low_card")).game(3)
    for words, attempt in (
        ("seed 3, not 4", lambda: kept(game, tmp_path, seed=4)),
        ("rows csv, not none", lambda: kept(game, tmp_path, rows=None)),
        ("players 3, not 2", lambda: kept(spec.game(2), tmp_path)),
        ("ruling tied all, not first", lambda: kept(spec.game(3, {"tied": "first"}), tmp_path)),
        ("spec or cards with the digest", lambda: kept(other, tmp_path)),
        ("of high_card, not of low_card", lambda: kept(renamed, tmp_path)),
    ):
        with pytest.raises(SimulationError, match=words):
            attempt()
    assert content(tmp_path) == before


def test_a_folder_of_other_things_is_left_alone(game: rulespec.Game, tmp_path: Path) -> None:
    (tmp_path / "letter.txt").write_text("Dear")
    for folder, words in ((tmp_path, "holds other files"), (tmp_path / "letter.txt", "is a file")):
        with pytest.raises(SimulationError, match=words):
            kept(game, folder)
    with pytest.raises(SimulationError, match="cannot be made"):
        kept(game, tmp_path / "no" / "such")
    assert sorted(content(tmp_path)) == ["letter.txt"]


HOSTILE = [b"", b"{", b"[]", b"null", b"\xff\xfe", b"\0" * 10, b"[" * 100_000, b'{"a":' * 50_000, b" " * 2_000_000]
HOSTILE += [b'{"run": 3}', b'{"run": 4}', b'{"run": 3, "game": [], "seed": 1, "games": 1, "chunk": 0, "rows": {}}']


@pytest.mark.parametrize("hostile", HOSTILE)
def test_a_damaged_run_is_refused(game: rulespec.Game, tmp_path: Path, hostile: bytes) -> None:
    kept(game, tmp_path, games=30)
    (tmp_path / "run.json").write_bytes(hostile)
    with pytest.raises(SimulationError, match=r"run\.json") as refused:
        kept(game, tmp_path, games=30)
    assert refused.value.hint
    assert (tmp_path / "run.json").read_bytes() == hostile


@pytest.mark.parametrize("hostile", HOSTILE)
def test_a_damaged_chunk_is_played_again(game: rulespec.Game, tmp_path: Path, hostile: bytes) -> None:
    first = kept(game, tmp_path, games=30)
    before = content(tmp_path)
    (tmp_path / "chunk-000001.json").write_bytes(hostile)
    reports: list[str] = []
    again = kept(game, tmp_path, games=30, report=reports.append)
    (report,) = reports
    assert "chunk-000001.json is damaged: " in report and report.endswith("Games 10 to 19 are played again.")
    assert (again.figures, again.resumed) == (first.figures, 20)
    assert content(tmp_path) == before


def test_a_changed_byte_is_noticed(game: rulespec.Game, tmp_path: Path) -> None:
    """Whatever the byte means, its chunk is played again. Rows are covered, too."""
    first = kept(game, tmp_path, games=20)
    before = content(tmp_path)
    for name in ("chunk-000001.json", "rows-000001.csv"):
        good = (tmp_path / name).read_bytes()
        for place in range(0, len(good), 17):
            (tmp_path / name).write_bytes(good[:place] + bytes([good[place] ^ 1]) + good[place + 1 :])
            reports: list[str] = []
            assert kept(game, tmp_path, games=20, report=reports.append).figures == first.figures
            assert len(reports) == 1 and content(tmp_path) == before


def test_a_changed_digit_of_the_run_is_noticed(game: rulespec.Game, tmp_path: Path) -> None:
    kept(game, tmp_path, games=20)
    text = (tmp_path / "run.json").read_text("utf-8")
    (tmp_path / "run.json").write_text(text.replace('"chunk": 10', '"chunk": 20'), "utf-8")
    with pytest.raises(SimulationError, match=r"run\.json is damaged: its checksum does not match"):
        kept(game, tmp_path, games=20)


def _fifo(path: Path) -> None:
    os.mkfifo(path)


@pytest.mark.parametrize("make", [Path.mkdir, _fifo, lambda path: path.symlink_to("/dev/zero")])
@pytest.mark.parametrize("name", ["run.json", "chunk-000001.json"])
def test_what_is_no_file_is_not_read(
    game: rulespec.Game, tmp_path: Path, name: str, make: Callable[[Path], None]
) -> None:
    kept(game, tmp_path, games=30)
    (tmp_path / name).unlink()
    make(tmp_path / name)
    with pytest.raises(SimulationError, match="is not a regular file"):
        kept(game, tmp_path, games=30)


def test_impossible_figures_are_played_again(game: rulespec.Game, tmp_path: Path) -> None:
    first = kept(game, tmp_path, games=30)
    chunk = tmp_path / "chunk-000001.json"
    record = records.read(chunk)
    assert record is not None
    record["figures"]["wins"][0] += 1
    records.write(chunk, record)
    reports: list[str] = []
    assert kept(game, tmp_path, games=30, report=reports.append).figures == first.figures
    assert "damaged: its wins" in reports[0]


def test_chunks_of_other_runs_are_refused(game: rulespec.Game, tmp_path: Path) -> None:
    kept(game, tmp_path / "a", games=30)
    kept(game, tmp_path / "b", games=30, seed=4)
    (tmp_path / "a" / "chunk-000001.json").write_bytes((tmp_path / "b" / "chunk-000001.json").read_bytes())
    with pytest.raises(SimulationError, match="belongs to another run"):
        kept(game, tmp_path / "a", games=30)


def test_two_processes_do_not_share_a_folder(game: rulespec.Game, tmp_path: Path) -> None:
    pytest.importorskip("fcntl")
    hold = "import fcntl, sys, time; f = open(sys.argv[1], 'a'); fcntl.lockf(f, 2); print(flush=True); time.sleep(60)"
    other = subprocess.Popen([sys.executable, "-c", hold, str(tmp_path / ".lock")], stdout=subprocess.PIPE)
    try:
        assert other.stdout is not None and other.stdout.readline()
        with pytest.raises(SimulationError, match="Another process uses"):
            kept(game, tmp_path)
    finally:
        other.kill()
        other.communicate()
    assert kept(game, tmp_path).resumed == 0


# --- rows ------------------------------------------------------------------------------------------------------------


def wanted(game: rulespec.Game) -> dict[str, list[int]]:
    return {name: list(column) for name, column in columns(playouts(game, SEED, range(GAMES)))}


def test_csv_has_every_game(game: rulespec.Game, tmp_path: Path) -> None:
    kept(game, tmp_path)
    found: dict[str, list[int]] = {}
    for path in sorted(tmp_path.glob("rows-*.csv")):
        for row in csv.DictReader(io.StringIO(path.read_text("ascii"))):
            for name, value in row.items():
                found.setdefault(name, []).append(int(value))
    assert found == wanted(game)
    assert list(found) == ["game", "decisions", *(f"{kind}_{n}" for kind in ("rank", "points") for n in (1, 2, 3))]


def test_parquet_has_every_game(game: rulespec.Game, tmp_path: Path, whole: Figures) -> None:
    pytest.importorskip("pyarrow")
    from pyarrow import parquet

    assert kept(game, tmp_path, rows="parquet").figures == whole
    tables = [parquet.read_table(path).to_pydict() for path in sorted(tmp_path.glob("rows-*.parquet"))]
    assert {name: [n for table in tables for n in table[name]] for name in tables[0]} == wanted(game)


def test_parquet_without_pyarrow_says_how_to_get_it(
    game: rulespec.Game, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(SimulationError, match="Parquet needs the package pyarrow") as raised:
        kept(game, tmp_path / "run", rows="parquet")
    assert "ftk[parquet]" in raised.value.hint and not (tmp_path / "run").exists()


# --- stopped ---------------------------------------------------------------------------------------------------------

LONG = ("simulate", "fortheking", "--seed", "1", "--rows", "csv", "--format", "json", "-q", "--engine", "interpreter")


def ftk(folder: Path, games: int, workers: int) -> subprocess.Popen[str]:
    """The command in a group of its own, as a terminal starts it."""
    command = [sys.executable, "-m", "ftk_cli", *LONG, "--games", str(games), "--into", str(folder)]
    options: dict[str, Any] = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "start_new_session": True}
    # a shell starts what runs in its background with Ctrl-C ignored, and children inherit that
    options["preexec_fn"] = lambda: signal.signal(signal.SIGINT, signal.SIG_DFL)
    return subprocess.Popen([*command, "--workers", str(workers)], text=True, **options)


def wait_for(true: Callable[[], object], seconds: float = 30) -> None:
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end, "it takes too long"
        time.sleep(0.02)


def children(pid: int) -> list[int]:
    return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="looks at processes in /proc")
def test_a_killed_run_goes_on_and_leaves_no_process(tmp_path: Path) -> None:
    run = tmp_path / "run"
    killed = ftk(run, 10_000, workers=2)
    wait_for(lambda: list(run.glob("chunk-*.json")))
    workers = children(killed.pid)
    killed.kill()
    killed.communicate()
    assert len(workers) == 2
    wait_for(lambda: not any(map(alive, workers)))
    held = json.loads((run / "run.json").read_text())["chunk"] * len(list(run.glob("chunk-*.json")))
    games = held + 120
    again, _ = ftk(run, games, workers=1).communicate()
    data, straight = json.loads(again), simulate(rulespec.load("fortheking").game(), games, 1)
    assert data["resumed"] == held
    assert data.items() >= json.loads(json.dumps(straight.figures.to_dict())).items()
    rows = [line.partition(",")[0] for path in sorted(run.glob("rows-*")) for line in path.read_text().split()[1:]]
    assert rows == [str(number) for number in range(games)]


@pytest.mark.skipif(not hasattr(os, "killpg"), reason="needs groups of processes")
def test_ctrl_c_is_quiet_and_says_how_to_go_on(tmp_path: Path) -> None:
    run = tmp_path / "run"
    stopped = ftk(run, 100_000, workers=2)
    wait_for(lambda: list(run.glob("chunk-*.json")))
    os.killpg(stopped.pid, signal.SIGINT)
    output, errors = stopped.communicate(timeout=20)
    assert (stopped.returncode, output) == (3, "")
    assert errors.splitlines() == [
        "ftk: Stopped.",
        f"  Finished games are in {run}. Run the same command again to continue.",
    ]
