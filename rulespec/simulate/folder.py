"""A folder that keeps a run while it is made: interrupted at any moment, it goes on where it was.

    run.json            what is run
    rows-000123.csv     the games of chunk 123 one by one, where rows are wanted
    chunk-000123.json   the figures of chunk 123; it comes last, so a chunk that has it is whole

Every file is written under another name and then renamed. A chunk says itself which games it holds and of which run, so
nothing is counted that does not belong.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from rulespec.simulate.chunks import Cut, Played
from rulespec.simulate.failure import SimulationError
from rulespec.simulate.figures import Figures
from rulespec.simulate.rows import FORMATS

RUN = "run.json"
LOCK = ".lock"
FORMAT = 2
MOST_BYTES = 1_000_000
"""No file of a run but its rows comes near it."""
LARGEST_CHUNK = 10_000_000
MOST_GAMES = 10**12


@dataclass(frozen=True)
class Run:
    """What is run. `game` is `Game.identity()`; `chunk` how many games a chunk has; `rows` the format of rows, if any.

    All but `games` must be the same for a run to go on: more games extend it.
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
        """Names the run in its chunks: the same for any number of games."""
        told = json.dumps(asdict(self) | {"games": 0}, sort_keys=True)
        return hashlib.sha256(told.encode()).hexdigest()[:16]


@dataclass(frozen=True)
class Folder:
    """An open folder of a run. Every method raises SimulationError where a file cannot be read, written or used."""

    path: Path
    run: Run

    def finished(self, number: int) -> Figures | None:
        """The figures of a chunk, if it has been played as the run wants it now."""
        path = self._chunk(number)
        record = _read(path)
        if record is None:
            return None
        if record.get("run") != self.run.key:
            raise SimulationError(f"{path} belongs to another run.", _DELETE)
        games = self.run.cut[number]
        same = record.get("first") == games.start and record.get("games") == len(games)
        if not same or not self._has_rows(number, record):
            return None  # the last chunk of a run that was extended since, or rows that were taken away
        try:
            return Figures.from_record(record.get("figures"), self.run.game["players"], len(games))
        except ValueError as error:
            raise SimulationError(f"{path} is damaged: {error}.", _DELETE) from None

    def keep(self, number: int, played: Played) -> None:
        """Puts a chunk into place: its rows first."""
        games = self.run.cut[number]
        if played.rows is not None:
            _write(self._rows(number), played.rows)
        record = {"run": self.run.key, "first": games.start, "games": len(games)}
        size = len(played.rows) if played.rows is not None else None
        _write(self._chunk(number), _to_json(record | {"rows_bytes": size, "figures": played.figures.to_record()}))

    def holds(self) -> int:
        """How many games the finished chunks reach up to."""
        ends = [0]
        for path in self.path.glob("chunk-*.json"):
            record = _read(path) or {}
            first, games = record.get("first"), record.get("games")
            if record.get("run") == self.run.key and type(first) is int and type(games) is int:
                ends.append(first + games)
        return max(ends)

    def trim(self) -> None:
        """Takes away rows behind the last chunk: those of one that was not finished when more games were asked for."""
        for path in self.path.glob(f"rows-*.{self.run.rows}"):
            number = path.stem.removeprefix("rows-")
            if number.isdecimal() and int(number) >= len(self.run.cut):
                with _told(path, "deleted"):
                    path.unlink()

    def _has_rows(self, number: int, record: dict[str, Any]) -> bool:
        if self.run.rows is None:
            return True
        with _told(path := self._rows(number), "read"):
            return path.exists() and path.stat().st_size == record.get("rows_bytes")

    def _chunk(self, number: int) -> Path:
        return self.path / f"chunk-{number:06d}.json"

    def _rows(self, number: int) -> Path:
        return self.path / f"rows-{number:06d}.{self.run.rows}"


@contextmanager
def opened(path: str | Path, run: Run) -> Iterator[Folder]:
    """The folder of a run, made where there is none. A run that it holds already goes on with chunks of its own size.

    Raises SimulationError where the folder holds anything else, or another process works in it.
    """
    folder = Path(path)
    _make(folder)
    with _locked(folder):
        yield Folder(folder, _entered(folder, run))


def _make(folder: Path) -> None:
    with _told(folder, "made"):
        if folder.exists() and not folder.is_dir():
            raise SimulationError(f"{folder} is a file, not a folder.", "Name a new folder, or that of a run.")
        folder.mkdir(exist_ok=True)
        if not (folder / RUN).exists() and any(not entry.name.startswith(".") for entry in folder.iterdir()):
            hint = "Name a new folder, an empty one, or that of a run."
            raise SimulationError(f"{folder} holds other files, and no run: there is no {RUN} in it.", hint)


def _entered(folder: Path, run: Run) -> Run:
    """The run as it goes on in a folder, and written there."""
    record = _read(folder / RUN)
    before = _run(record, folder / RUN) if record is not None else None
    if before is not None:
        run = replace(run, chunk=before.chunk)
        _must_agree(folder, before, run)
    if run != before:
        _write(folder / RUN, _to_json({"run": FORMAT} | asdict(run)))
        Folder(folder, run).trim()
    return run


def _must_agree(folder: Path, before: Run, now: Run) -> None:
    differences = "; ".join(_differences(before, now))
    if differences:
        hint = "Name another folder, or ask for the same as then."
        raise SimulationError(f"{folder} belongs to another run: {differences}.", hint)
    if now.games < before.games and now.games < (held := Folder(folder, before).holds()):
        hint = f"Ask for {held:,} or more, or name another folder."
        raise SimulationError(f"{folder} holds {held:,} games already, more than the {now.games:,} asked for.", hint)


def _differences(before: Run, now: Run) -> Iterator[str]:
    """What is not the same, in words."""
    then, here = _named(before), _named(now)
    if then["game"] != here["game"]:
        yield f"of {then['game']}, not of {here['game']}"
        return  # the rest follows from it
    for name in dict.fromkeys([*then, *here]):
        if then.get(name) != here.get(name):
            yield f"{name} {then.get(name, 'none')}, not {here.get(name, 'none')}"


def _named(run: Run) -> dict[str, Any]:
    game = run.game
    words = {"game": game["game"], "version": game["version"], "spec or cards": f"with the digest {game['digest'][:8]}"}
    words |= {"players": game["players"]} | {f"ruling {id_}": answer for id_, answer in game["rulings"].items()}
    return words | {"seed": run.seed, "rows": run.rows or "none"}


def _run(record: dict[str, Any], path: Path) -> Run:
    """The content of run.json, held to what a program may rely on."""
    if record.get("run") != FORMAT:
        hint = "Use that version, or name another folder."
        raise SimulationError(f"{path} was not written by this version of ftk.", hint)
    found = Run(*(record.get(name) for name in ("game", "seed", "games", "chunk", "rows")))  # type: ignore[arg-type]
    if not _well_formed(found):
        raise SimulationError(f"{path} is damaged: it does not say what is run.", "Name another folder.")
    return found


def _well_formed(run: Run) -> bool:
    game = run.game if isinstance(run.game, dict) else {}
    kinds = {"game": str, "version": str, "digest": str, "players": int, "rulings": dict}
    return (
        all(type(game.get(name)) is kind for name, kind in kinds.items())
        and all(type(number) is int for number in (run.seed, run.games, run.chunk))
        and 1 <= run.chunk <= LARGEST_CHUNK
        and 1 <= run.games <= MOST_GAMES
        and (run.rows is None or run.rows in FORMATS)
    )


_DELETE = "Delete this file, and its games are played again."


def _read(path: Path) -> dict[str, Any] | None:
    """What a file of a run says, nothing where there is none."""
    with _told(path, "read"):
        if not os.path.lexists(path):
            return None
        if not stat.S_ISREG(path.stat().st_mode):  # a pipe would be waited for, and a device may have no end
            raise SimulationError(f"{path} is no file.", "Name another folder.")
        with path.open("rb") as stream:
            content = stream.read(MOST_BYTES + 1)
    try:
        record = json.loads(content) if len(content) <= MOST_BYTES else None
    except (ValueError, RecursionError):
        record = None
    if not isinstance(record, dict):
        raise SimulationError(f"{path} is damaged.", _DELETE if path.name != RUN else "Name another folder.")
    return record


def _write(path: Path, content: bytes) -> None:
    """In one step that survives a loss of power: the file is on the disk before it has its name."""
    with _told(path, "written"):
        part = path.with_name(f".{path.name}.part")
        part.unlink(missing_ok=True)  # of a run that was killed
        try:
            with part.open("xb") as stream:  # never through somebody's link
                stream.write(content)
                stream.flush()
                os.fsync(stream.fileno())
            os.replace(part, path)
        except BaseException:
            with contextlib.suppress(OSError):
                part.unlink(missing_ok=True)
            raise


def _to_json(record: dict[str, Any]) -> bytes:
    return (json.dumps(record, ensure_ascii=False, indent=1) + "\n").encode()


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """Keeps other processes out. The lock ends with this process, however that ends."""
    try:
        import fcntl
    except ImportError:  # not on Windows; two runs would only do the same work twice
        yield
        return
    with contextlib.ExitStack() as stack:
        with _told(folder, "written"):
            stream = stack.enter_context((folder / LOCK).open("a"))
        try:
            fcntl.lockf(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            if isinstance(error, BlockingIOError | PermissionError):
                hint = "Wait for it, or name another folder."
                raise SimulationError(f"Another ftk is at work in {folder}.", hint) from None
        yield


@contextmanager
def _told(path: Path, done: str) -> Iterator[None]:
    """What the system refuses, in one sentence."""
    try:
        yield
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise SimulationError(f"{path} cannot be {done}: {reason}.", "Check the folder and the disk.") from None
