"""An executor that keeps the results of chunks in a folder, so that an interrupted run continues where it stopped.

    run.json                    what is run
    games-000120-000131.json    the result of these games

Every file has a checksum and names its run. A damaged one is played again.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from rulespec.base.executors import Executor
from rulespec.base.failure import SimulationError
from rulespec.base.messages import reason, say
from rulespec.play.simulate import records
from rulespec.play.simulate.folder import RUN, differences, locked, made

S = TypeVar("S")
T = TypeVar("T")


@dataclass(frozen=True)
class Kept:
    """The executor `play`, whose results are kept in a folder. `run` describes what is run, by name: a folder of
    anything else is refused. `to_record` gives the JSON of a result, `from_record` the result of these games again, or
    raises ValueError. `report` is called with a sentence about each damaged file.

    Raises SimulationError for a folder that cannot be read, written or used.
    """

    path: Path
    run: Mapping[str, Any]
    play: Executor
    to_record: Callable[[Any], Any]
    from_record: Callable[[Any, range], Any]
    report: Callable[[str], None]

    def __call__(self, game: S, job: Callable[[S, range], T], chunks: Iterable[range]) -> Generator[T, None, None]:
        made(self.path)
        with locked(self.path):
            self._enter()
            every = list(chunks)
            missing = {chunk for chunk in every if self._finished(chunk) is None}
            with closing(self.play(game, job, [chunk for chunk in every if chunk in missing])) as results:
                for chunk in every:
                    # Read again instead of kept since the first look: all results together may not fit in memory.
                    found = self._keep(chunk, next(results)) if chunk in missing else self._finished(chunk)
                    yield job(game, chunk) if found is None else found  # its file was damaged meanwhile

    def _enter(self) -> None:
        """Writes what is run, or compares it with what the folder holds."""
        path = self.path / RUN
        try:
            before = records.read(path)
        except records.DamagedError as damage:
            hint = say("Restore it from a copy, or name another folder.")
            raise SimulationError(say("{path} is damaged: {reason}.", path=path, reason=damage), hint) from None
        if before is None:
            records.write(path, dict(self.run))
        elif before.get("kind") != self.run["kind"]:
            raise SimulationError(
                say("{path} holds a run of another command.", path=self.path), say("Name another folder.")
            )
        elif words := "; ".join(differences(before, self.run)):
            hint = say("Name another folder, or repeat the options of that run.")
            raise SimulationError(say("{path} belongs to another run: {words}.", path=self.path, words=words), hint)

    def _finished(self, chunk: range) -> Any:
        """The result of a chunk; None if it must be played."""
        path = self._file(chunk)
        try:
            record = records.read(path)
            if record is None:
                return None
            self._require_run(path, record)
            return self.from_record(record.get("result"), chunk)
        except (records.DamagedError, ValueError) as damage:
            self.report(records.played_again(path, reason(damage), chunk))
            return None

    def _require_run(self, path: Path, record: Mapping[str, Any]) -> None:
        if record.get("run") != self._key:
            raise SimulationError(
                say("{path} belongs to another run.", path=path), say("Delete this file to play its games again.")
            )

    def _keep(self, chunk: range, result: T) -> T:
        records.write(self._file(chunk), {"run": self._key, "result": self.to_record(result)})
        return result

    @property
    def _key(self) -> str:
        return hashlib.sha256(json.dumps(dict(self.run), sort_keys=True).encode()).hexdigest()[:16]

    def _file(self, chunk: range) -> Path:
        return self.path / f"games-{chunk.start:06d}-{chunk.stop - 1:06d}.json"


def kept_chunks(folder: Path) -> dict[int, int]:
    """The chunks whose results are in a folder: the number after the last game of each, by that of the first. Another
    version of ftk may have divided the run otherwise."""
    names = (path.stem.split("-")[1:] for path in folder.glob("games-*-*.json"))
    return {int(first): int(last) + 1 for first, last in names if first.isdecimal() and last.isdecimal()}


def described(kind: str, identity: Mapping[str, Any], **options: Any) -> dict[str, Any]:
    """What is run, by name: the kind of run, the identity of a game, and options."""
    named = {"kind": kind, "game": identity["game"], "version": identity["version"], "digest": identity["digest"]}
    rulings: Iterator[tuple[str, Any]] = ((f"ruling {id_}", answer) for id_, answer in identity["rulings"].items())
    return named | {"players": identity["players"]} | dict(rulings) | options
