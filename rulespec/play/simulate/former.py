"""Run folders of format 1, or of another text of the same spec, in the present format."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any

from rulespec.base import transaction
from rulespec.play.simulate import records
from rulespec.play.simulate.folder import FORMAT, RUN, Run, chunk_path, described, rows_path

_FORMER = "block"
"""What chunks were called in format 1."""


@dataclass(frozen=True)
class LiftedRun:
    """The new content of the files of a run, by path, and the files that they take the place of. `found` is the format
    of the run before."""

    found: int
    texts: Mapping[Path, str]
    gone: tuple[Path, ...] = ()


def lifted_run(folder: Path, digests: Mapping[str, str] = MappingProxyType({})) -> LiftedRun | None:
    """The run in a folder in the present format; None if it is in that format, or if the folder holds no run that can
    be read. `digests` are those of other texts of the same spec, with the digest that its games have now."""
    before = _record(folder / RUN)
    found = before.get("run") if before is not None else None
    game = before.get("game") if before is not None else None
    if before is None or type(found) is not int or not 1 <= found <= FORMAT or not isinstance(game, dict):
        return None
    digest = digests.get(str(game.get("digest")), game.get("digest"))
    if found == FORMAT and digest == game.get("digest"):
        return None
    size = "chunk" if found > 1 else _FORMER
    run = Run(game, before.get("seed"), before.get("games"), before.get(size), before.get("rows"))  # type: ignore[arg-type]
    now = replace(run, game={**game, "digest": digest})
    chunks = {} if found < FORMAT and _explored(game) else dict(_chunks(folder, size, _key(run, size), now))
    texts = {chunk_path(folder, number): text for number, text in chunks.items()}
    gone = sorted(folder.glob(f"{size}-*.json")) if size == _FORMER or not chunks else ()
    return LiftedRun(found, {**texts, folder / RUN: records.text(described(now))}, tuple(gone))


def bring_up_to_date(path: str | Path) -> None:
    """Writes the files of a run of an older format anew, all or none. Raises SimulationError."""
    found = lifted_run(Path(path))
    if found is not None:
        contents = {str(file): text.encode() for file, text in found.texts.items()}
        with records.refusals(Path(path), "written"):
            transaction.write({**contents, **{str(file): None for file in found.gone}}, {}, "simulate")


def _chunks(folder: Path, size: str, key: str, now: Run) -> Iterator[tuple[int, str]]:
    """The chunks of a run that are as they were written, in the present format. The others are played again."""
    for path in sorted(folder.glob(f"{size}-*.json")):
        record, number = _record(path), path.stem.partition("-")[2]
        if record is not None and record.get("run") == key and number.isdecimal():
            rows = rows_path(folder, int(number), now.rows) if now.rows is not None else None
            digest = records.checksum(rows) if rows is not None else None
            whole = "rows_bytes" not in record or rows is None or _bytes(rows) == record["rows_bytes"]
            if whole and record.get("rows_sha256", digest) == digest:
                kept = {name: record.get(name) for name in ("first", "games", "figures")}
                yield int(number), records.text({"run": now.key, **kept, "rows_sha256": digest})


def _key(run: Run, size: str) -> str:
    """What identified a run in its chunks when it was written."""
    parts = {"game": run.game, "seed": run.seed, "games": 0, size: run.chunk, "rows": run.rows}
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()[:16]


def _explored(game: Mapping[str, Any]) -> bool:
    """Whether bots played that search in games for one, which explored otherwise before format 3."""
    return game.get("players") == 1 and any("ismcts" in str(bot) for bot in game.get("bots", ()))


def _bytes(path: Path) -> int | None:
    return path.stat().st_size if path.is_file() else None


def _record(path: Path) -> dict[str, Any] | None:
    """The record in a file, None if it is damaged."""
    try:
        return records.read(path, unsigned=True)
    except records.DamagedError:
        return None
