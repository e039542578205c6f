"""A balance run that is kept in a folder: it continues after any interruption, with the same report."""

from __future__ import annotations

import json
from collections.abc import Callable, Generator, Iterable
from pathlib import Path
from typing import Any

import pytest
from command import ftk

import rulespec
from rulespec.base.executors import here
from rulespec.base.failure import SimulationError
from rulespec.play.balance.levels import ladder
from rulespec.play.balance.result import Balance
from rulespec.play.balance.run import balance
from rulespec.play.bots.games import players
from rulespec.play.simulate import records

pytestmark = pytest.mark.slow("runs are played again and again")

PEBBLES = Path(__file__).parent / "balance" / "pebbles.yaml"
GAME = rulespec.load(PEBBLES).game(3)


def played(into: Path | None, games: int = 60, seed: int = 4, bots: str | None = None, **given: Any) -> Balance:
    named = players(bots, GAME) if bots is not None else None
    return balance(GAME, games, seed, into=into, players=named, **given)


def same(one: Balance, other: Balance) -> bool:
    """Whether figures are the same; `auto` chooses the engine by the time that games take."""
    measured = {"seconds": 0, "engine": ""}
    return one.to_dict() | measured == other.to_dict() | measured


def stopping(chunks_played: int) -> Callable[..., Generator[Any, None, None]]:
    """An executor that is interrupted after some chunks."""

    def play(game: Any, job: Callable[[Any, range], Any], chunks: Iterable[range]) -> Generator[Any, None, None]:
        for number, chunk in enumerate(chunks):
            if number == chunks_played:
                raise KeyboardInterrupt
            yield job(game, chunk)

    return play


def counting(found: list[range]) -> Callable[..., Generator[Any, None, None]]:
    """An executor that notes what it plays."""

    def play(game: Any, job: Callable[[Any, range], Any], chunks: Iterable[range]) -> Generator[Any, None, None]:
        every = list(chunks)
        found.extend(every)
        yield from here(game, job, every)

    return play


@pytest.mark.parametrize("bots", [None, "random"])
def test_an_interrupted_run_continues_with_the_same_report(tmp_path: Path, bots: str | None) -> None:
    with pytest.raises(KeyboardInterrupt):
        played(tmp_path / "run", bots=bots, executor=stopping(7))
    rest: list[range] = []
    done: list[int] = []
    whole = played(tmp_path / "run", bots=bots, executor=counting(rest), progress=done.append)
    assert same(whole, played(None, bots=bots))
    assert rest and rest[0].start == 8 and sum(map(len, rest)) == 52  # seven chunks of one game or two
    again: list[range] = []
    assert same(played(tmp_path / "run", bots=bots, executor=counting(again)), whole) and not again


@pytest.mark.parametrize(
    "damage",
    [
        lambda path: path.write_bytes(b"\x00"),
        lambda path: path.write_text(path.read_text().replace('"shared"', '"shard"')),
        lambda path: changed(path, lambda result: result["sums"].pop()),
        lambda path: changed(path, lambda result: result["sums"][0].append(1)),
        lambda path: changed(path, lambda result: result["sums"][0].__setitem__(0, 0.5)),
        lambda path: changed(path, lambda result: result.update(unexplained=None)),
        lambda path: changed(path, lambda result: result["figures"].update(wins=[0, 0, 0])),
    ],
)
def test_a_damaged_part_is_played_again(tmp_path: Path, damage: Callable[[Path], None]) -> None:
    whole = played(tmp_path)
    damage(sorted(tmp_path.glob("games-*"))[0])
    sentences: list[str] = []
    assert same(played(tmp_path, report=sentences.append), whole)
    (sentence,) = sentences
    assert sentence.startswith(f"{tmp_path}/games-000000-000000.json is damaged: ")
    assert sentence.endswith(" Games 0 to 0 are played again.")


def changed(path: Path, change: Callable[[Any], object]) -> None:
    """Changes a record, with the right checksum."""
    record = records.read(path)
    assert record is not None
    change(record["result"])
    records.write(path, record)


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"seed": 5}, "seed 4, not 5"),
        ({"games": 61}, "games 60, not 61"),
        ({"bots": "random"}, "bots random players, not random,random,random"),
        ({"rulings": False}, "other rulings .*, not none"),
    ],
)
def test_another_run_is_refused(tmp_path: Path, given: dict[str, Any], words: str) -> None:
    played(tmp_path)
    with pytest.raises(SimulationError, match=f"belongs to another run: {words}"):
        played(tmp_path, **given)


def test_a_run_of_another_command_is_refused(tmp_path: Path) -> None:
    played(tmp_path / "run")
    result = ftk("simulate", PEBBLES, "--games", 5, "--into", tmp_path / "run")
    assert (result.exit_code, "holds a run of another command" in result.stderr) == (3, True)
    ftk("simulate", PEBBLES, "--games", 5, "--into", tmp_path / "other")
    result = ftk("balance", PEBBLES, "--games", 5, "--into", tmp_path / "other", "--bot", "random")
    assert (result.exit_code, "holds a run of another command" in result.stderr) == (3, True)


def test_a_damaged_description_is_refused(tmp_path: Path) -> None:
    played(tmp_path)
    (tmp_path / "run.json").write_text("{}")
    with pytest.raises(SimulationError, match=r"run\.json is damaged: its checksum does not match"):
        played(tmp_path)


def test_a_ladder_continues_too(tmp_path: Path) -> None:
    names = [players(name, GAME).bots[0] for name in ("random", "quick:5")]
    with pytest.raises(KeyboardInterrupt):
        ladder(GAME, 10, 1, levels=names, into=tmp_path / "run", executor=stopping(1))
    rest: list[range] = []
    found = ladder(GAME, 10, 1, levels=names, into=tmp_path / "run", executor=counting(rest))
    assert found == ladder(GAME, 10, 1, levels=names)
    assert [len(chunk) for chunk in rest] == [5]


def test_the_command_keeps_and_continues(tmp_path: Path) -> None:
    given = (PEBBLES, "--games", 20, "--bot", "random", "--into", tmp_path / "run", "--format", "json", "--workers", 1)
    first, second = ftk("balance", *given), ftk("balance", *given)
    measured = {"seconds": 0, "engine": ""}
    assert first.exit_code == second.exit_code == 0
    assert json.loads(first.stdout) | measured == json.loads(second.stdout) | measured
    result = ftk("balance", PEBBLES, "--workers", 2, "--cluster", "tcp://127.0.0.1:1")
    assert (result.exit_code, "exclude each other" in result.stderr) == (2, True)
