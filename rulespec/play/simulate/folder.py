"""A folder that keeps a run while it is made, so that an interrupted run continues where it stopped.

    run.json            what is run
    rows-000123.csv     the games of chunk 123 one by one, if rows are wanted
    chunk-000123.json   the figures of chunk 123; written last, so a chunk that has it is complete

Every record names its run and its games and has a checksum, also of its rows. A damaged chunk is played again: its
games are determined by the seed and their numbers.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from rulespec.base.failure import SimulationError
from rulespec.base.messages import reason, say
from rulespec.language.formats.table import FORMATS as FORMATS_format
from rulespec.play.simulate import records
from rulespec.play.simulate.chunks import Cut, Played
from rulespec.play.simulate.figures import Figures
from rulespec.play.simulate.records import refusals
from rulespec.play.simulate.rows import FORMATS

RUN = "run.json"
LOCK = ".lock"
FORMAT = FORMATS_format["run"].number
LARGEST_CHUNK = 10_000_000
"""Games per chunk at most: with rows, such a chunk already takes a gigabyte of memory."""

MOST_GAMES = 10**12
"""Games at most: weeks of machine code. A larger number in run.json is refused."""


@dataclass(frozen=True)
class Run:
    """What is run. `game` is `Game.identity()`, `chunk` the number of games per chunk, `rows` the format of rows.

    All but `games` must be the same to continue a run: more games extend it.
    """

    game: dict[str, Any]
    seed: int
    games: int
    chunk: int
    rows: str | None

    @property
    def cut(self) -> Cut:
        return Cut(self.games, self.chunk)

    @property
    def key(self) -> str:
        """Identifies the run in its chunks. It does not depend on the number of games."""
        text = json.dumps(asdict(self) | {"games": 0}, sort_keys=True)
        return hashlib.sha256(text.encode()).hexdigest()[:16]


@dataclass(frozen=True)
class Folder:
    """The open folder of a run. Every method raises SimulationError if a file cannot be read, written or used."""

    path: Path
    run: Run

    def finished(self, number: int, report: Callable[[str], None]) -> Figures | None:
        """The figures of a chunk; None if it must be played. `report` is called with a sentence about damage."""
        path = self._chunk(number)
        try:
            return self._figures(number, records.read(path))
        except records.DamagedError as damage:
            games = self.run.cut[number]
            report(records.played_again(path, reason(damage), games))
            return None

    def _figures(self, number: int, record: dict[str, Any] | None) -> Figures | None:
        if record is None:
            return None
        if record.get("run") != self.run.key:
            hint = say("Delete this file to play its games again.")
            raise SimulationError(say("{path} belongs to another run.", path=self._chunk(number)), hint)
        games = self.run.cut[number]
        if record.get("first") != games.start or record.get("games") != len(games):
            return None  # the last chunk of a run that was extended since
        if self.run.rows is not None:
            found = records.checksum(self._rows(number))
            if found is None:
                return None  # the rows were deleted
            if found != record.get("rows_sha256"):
                raise records.DamagedError(say("{name} does not match its checksum", name=self._rows(number).name))
        try:
            return Figures.from_record(record.get("figures"), self.run.game["players"], len(games))
        except ValueError as error:
            raise records.DamagedError(reason(error)) from None

    def keep(self, number: int, played: Played) -> None:
        """Writes a chunk: its rows first."""
        games, rows = self.run.cut[number], played.rows
        if rows is not None:
            records.write_bytes(self._rows(number), rows)
        digest = hashlib.sha256(rows).hexdigest() if rows is not None else None
        record = {"run": self.run.key, "first": games.start, "games": len(games), "rows_sha256": digest}
        records.write(self._chunk(number), record | {"figures": played.figures.to_record()})

    def holds(self) -> int:
        """The number of games up to the end of the last finished chunk."""
        ends = [0]
        for path in self.path.glob("chunk-*.json"):
            try:
                record = records.read(path) or {}
            except records.DamagedError:
                continue  # it is played again, if it is wanted
            first, games = record.get("first"), record.get("games")
            if record.get("run") == self.run.key and type(first) is int and type(games) is int:
                ends.append(first + games)
        return max(ends)

    def trim(self) -> None:
        """Deletes rows after the last chunk. An interrupted chunk leaves them behind if the run is then shortened."""
        for path in self.path.glob(f"rows-*.{self.run.rows}"):
            number = path.stem.removeprefix("rows-")
            if number.isdecimal() and int(number) >= len(self.run.cut):
                with refusals(path, "deleted"):
                    path.unlink()

    def _chunk(self, number: int) -> Path:
        return chunk_path(self.path, number)

    def _rows(self, number: int) -> Path:
        return rows_path(self.path, number, str(self.run.rows))


def chunk_path(folder: Path, number: int) -> Path:
    """The file with the figures of a chunk."""
    return folder / f"chunk-{number:06d}.json"


def rows_path(folder: Path, number: int, rows: str) -> Path:
    """The file with the games of a chunk, in a format of rows."""
    return folder / f"rows-{number:06d}.{rows}"


def described(run: Run) -> dict[str, Any]:
    """The record of run.json."""
    return {"run": FORMAT} | asdict(run)


@contextmanager
def opened(path: str | Path, run: Run) -> Iterator[Folder]:
    """The folder of a run, created if it does not exist. A run that it already holds keeps its chunk size.

    Raises SimulationError if the folder holds anything else, or if another process uses it.
    """
    folder = Path(path)
    made(folder)
    with locked(folder):
        yield Folder(folder, _entered(folder, run))


def made(folder: Path) -> None:
    """Makes the folder of a run, unless it is there. Raises SimulationError if it holds anything else."""
    with refusals(folder, "made"):
        if folder.exists() and not folder.is_dir():
            raise SimulationError(
                say("{folder} is a file, not a folder.", folder=folder),
                say("Name a new folder, or the folder of a run."),
            )
        folder.mkdir(exist_ok=True)
        if not (folder / RUN).exists() and any(not entry.name.startswith(".") for entry in folder.iterdir()):
            hint = say("Name a new folder, an empty one, or the folder of a run.")
            raise SimulationError(
                say("{folder} holds other files and no run: it has no {run}.", folder=folder, run=RUN), hint
            )


def part(path: str | Path, name: str) -> Path:
    """The folder of a part of a run in a folder, which is made. Raises SimulationError."""
    folder = Path(path)
    with refusals(folder, "made"):
        folder.mkdir(exist_ok=True)
    return folder / name


def _entered(folder: Path, run: Run) -> Run:
    """Writes the run as it continues in a folder, and returns it."""
    before = _before(folder / RUN)
    if before is not None:
        run = replace(run, chunk=before.chunk)
        _must_agree(folder, before, run)
    if run != before:
        records.write(folder / RUN, described(run))
        # Another number of games may have made the run shorter.
        Folder(folder, run).trim()
    return run


def _must_agree(folder: Path, before: Run, now: Run) -> None:
    if words := "; ".join(differences(_named(before), _named(now))):
        hint = say("Name another folder, or repeat the options of that run.")
        raise SimulationError(say("{folder} belongs to another run: {words}.", folder=folder, words=words), hint)
    if now.games < before.games and now.games < (held := Folder(folder, before).holds()):
        hint = say("Give --games {held} or more, or name another folder.", held=held)
        raise SimulationError(
            say(
                "{folder} already holds {held:,} games, more than the {games:,} of --games.",
                folder=folder,
                held=held,
                games=now.games,
            ),
            hint,
        )


def differences(then: Mapping[str, Any], here: Mapping[str, Any]) -> Iterator[str]:
    """What differs between two runs, described by name, as text."""
    if then.get("game") != here["game"]:
        yield f"of {then.get('game', 'no game')}, not of {here['game']}"
        return  # the rest follows from it
    for name in dict.fromkeys([*then, *here]):
        if then.get(name) != here.get(name):
            yield f"{name} {then.get(name, 'none')}, not {here.get(name, 'none')}"


def _named(run: Run) -> dict[str, Any]:
    game = run.game
    words = {"game": game["game"], "version": game["version"], "spec or cards": f"with the digest {game['digest'][:8]}"}
    words |= {"players": game["players"]} | {f"ruling {id_}": answer for id_, answer in game["rulings"].items()}
    return words | {"seed": run.seed, "rows": run.rows or "none"}


def _before(path: Path) -> Run | None:
    """The run that run.json describes, None if there is none. Raises SimulationError if it cannot be relied on."""
    try:
        record, damage = records.read(path), ""
    except records.DamagedError as error:
        record, damage = error.record, reason(error)
    if isinstance(record, dict) and "kind" in record:
        raise SimulationError(
            say("{path} holds a run of another command.", path=path.parent), say("Name another folder.")
        )
    if isinstance(record, dict) and record.get("run") != FORMAT:
        hint = say("Use the version that wrote it, or name another folder.")
        raise SimulationError(say("{path} was not written by this version of ftk.", path=path), hint)
    if record is None and not damage:
        return None
    found = Run(*((record or {}).get(name) for name in ("game", "seed", "games", "chunk", "rows")))  # type: ignore[arg-type]
    if damage or not _well_formed(found):
        why = damage or say("it does not say what is run")
        raise SimulationError(
            say("{path} is damaged: {reason}.", path=path, reason=why),
            say("Restore it from a copy, or name another folder."),
        )
    return found


def _well_formed(run: Run) -> bool:
    game = run.game if isinstance(run.game, dict) else {}
    kinds = {"game": str, "version": str, "digest": str, "players": int, "rulings": dict}
    return (
        all(type(game.get(name)) is kind for name, kind in kinds.items())
        and all(type(number) is int for number in (run.seed, run.games, run.chunk))
        and 1 <= run.chunk <= LARGEST_CHUNK
        and 1 <= run.games <= MOST_GAMES
        and (run.rows is None or (type(run.rows) is str and run.rows in FORMATS))
    )


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Locks the folder for this process. The operating system removes the lock when the process ends."""
    try:
        import fcntl
    except ImportError:  # Windows has no fcntl; two runs would only do the same work twice
        yield
        return
    with contextlib.ExitStack() as stack:
        with refusals(folder, "written"):
            stream = stack.enter_context((folder / LOCK).open("a"))
        try:
            fcntl.lockf(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            # Any other error is let pass, such as that of a file system without locks: the run goes on without one.
            if isinstance(error, BlockingIOError | PermissionError):
                hint = say("Wait for it, or name another folder.")
                raise SimulationError(say("Another process uses {folder}.", folder=folder), hint) from None
        yield
