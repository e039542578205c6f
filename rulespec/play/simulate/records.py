"""Files of a run folder: JSON records with a checksum, read with care and written in one step."""

from __future__ import annotations

import hashlib
import json
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from rulespec.base import transaction
from rulespec.base.failure import SimulationError
from rulespec.base.messages import Message, reason, say
from rulespec.base.source import noted

CHECKSUM = "sha256"
"""The key of the checksum in a record: the digest of all the rest."""

MOST_BYTES = 1_000_000
"""A larger record is damaged: that of a chunk with ten players has 3 kB."""

_BUFFER = 2**20
"""Bytes of rows that are read at a time."""


class DamagedError(Exception):
    """A file is not as it was written. `record` is what it says nevertheless, if it is JSON."""

    def __init__(self, reason: str, record: Any = None) -> None:
        super().__init__(reason)
        self.record = record


def read(path: Path, unsigned: bool = False) -> dict[str, Any] | None:
    """The record in a file without its checksum; None if there is no file. Records of old formats are `unsigned`: they
    have no checksum. Raises DamagedError and SimulationError."""
    content = _content(path)
    if content is None:
        return None
    try:
        record = json.loads(content) if len(content) <= MOST_BYTES else None
        checksum = record.pop(CHECKSUM, None) if isinstance(record, dict) else None
        intact = checksum == _digest(record) if checksum is not None else unsigned
    except (ValueError, RecursionError):
        record, intact = None, False
    if not isinstance(record, dict):
        raise DamagedError(say("it holds no record"))
    if not intact:
        raise DamagedError(say("its checksum does not match"), record)
    return record


def _content(path: Path) -> bytes | None:
    with refusals(path, "read"):
        transaction.recover(path)
        if not os.path.lexists(path):
            return None
        if not stat.S_ISREG(path.stat().st_mode):  # opening a pipe waits for a writer, and a device may have no end
            raise SimulationError(say("{path} is not a regular file.", path=path), say("Name another folder."))
        with path.open("rb") as stream:
            content = stream.read(MOST_BYTES + 1)
        noted(path, content)
        return content


def write(path: Path, record: dict[str, Any]) -> None:
    """Writes a record with its checksum. Raises SimulationError."""
    write_bytes(path, text(record).encode())


def text(record: dict[str, Any]) -> str:
    """The content of the file of a record, with its checksum."""
    return json.dumps(record | {CHECKSUM: _digest(record)}, ensure_ascii=False, indent=1) + "\n"


def write_bytes(path: Path, content: bytes) -> None:
    """Writes a file in one step that survives a loss of power: its content is on the disk before it has its name.

    Raises SimulationError.
    """
    with refusals(path, "written"):
        transaction.write({str(path): content}, {})


def checksum(path: Path) -> str | None:
    """The digest of a regular file of any size, None if there is none. Raises SimulationError."""
    with refusals(path, "read"):
        if not path.is_file():
            return None
        digest = hashlib.sha256()
        with path.open("rb") as stream:
            while part := stream.read(_BUFFER):
                digest.update(part)
        return digest.hexdigest()


def _digest(record: Any) -> str:
    """Of the record's content, so that neither the order of its keys nor white space matters."""
    return hashlib.sha256(json.dumps(record, sort_keys=True).encode()).hexdigest()


def played_again(path: str | Path, damage: str, games: range) -> Message:
    """That a file of games is damaged."""
    return say(
        "{path} is damaged: {reason}. Games {first:,} to {last:,} are played again.",
        path=path,
        reason=damage,
        first=games.start,
        last=games.stop - 1,
    )


@contextmanager
def refusals(path: Path, done: str) -> Iterator[None]:
    """Turns the operating system's refusals into a SimulationError with one sentence."""
    try:
        yield
    except transaction.Refusal as refused:
        raise SimulationError(reason(refused), refused.hint) from None
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or str(error)
        raise SimulationError(
            say(_REFUSED[done], path=path, reason=why), say("Check the folder and the disk.")
        ) from None


_REFUSED = {
    "read": say("{path} cannot be read: {reason}."),
    "written": say("{path} cannot be written: {reason}."),
    "deleted": say("{path} cannot be deleted: {reason}."),
    "made": say("{path} cannot be made: {reason}."),
}
