"""What was computed once and is kept on disk by a key, which is a digest of all that it depends on.

The folder is `ftk` in `$XDG_CACHE_HOME` (or `~/.cache`). It may be deleted at any time. What is read from it may be
executed, so a folder or an entry that another user owns or may write to is not read. Where the folder cannot be
written, nothing is kept.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import pickle
import re
import stat
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

__all__ = ["Store", "digest_of", "key_of", "libraries"]

T = TypeVar("T")

MOST_BYTES = 64 * 2**20
"""A larger entry is not read: twice the size of the largest known one, a dictionary."""

_MOST_SECONDS = 3600
"""An unfinished file that is older is of a process that was killed."""

_READ = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
"""Opening a pipe must not wait for a writer, and a link may lead to another user's file."""

_CODE = (".py", ".yaml", ".json", ".lark")
"""The endings of the files of this package that determine a result."""


def folder() -> Path:
    """The folder of everything that is kept. Raises FileNotFoundError for a user without a home directory."""
    base = os.environ.get("XDG_CACHE_HOME", "")
    home = base if os.path.isabs(base) else os.path.expanduser("~/.cache")
    if not os.path.isabs(home):
        raise FileNotFoundError("this user has no home directory, so nothing can be cached")
    return Path(home) / "ftk"


@cache
def digest_of_code(*parts: str) -> str:
    """A digest of Python's version and of the code and data of parts of this package; without parts, of all of it.

    A file counts by its size and the time of its last change, as it does for Python when it keeps bytecode.
    """
    package = os.path.dirname(os.path.dirname(__file__))
    files = sorted(file for part in parts or ("",) for file in _files(os.path.join(package, part)))
    return key_of((sys.version, *map(str, files)))


def _files(folder: str) -> Iterator[tuple[str, int, int]]:
    """The path, the size and the time of the last change of the files below a folder that determine a result."""
    for entry in os.scandir(folder):
        if entry.is_dir():
            yield from _files(entry.path)
        elif entry.name.endswith(_CODE):
            found = entry.stat()
            yield entry.path, found.st_size, found.st_mtime_ns


@cache
def libraries() -> tuple[str, ...]:
    """All installed libraries with their versions: any may add what a check can do."""
    return tuple(f"{name} {version}" for name, version in sorted(_installed().items()))


def digest_of_tool() -> tuple[str, ...]:
    """What every check of a text depends on: the code and data of this package, and the versions of libraries."""
    return digest_of_code(), *libraries()


def version_of(library: str) -> str:
    """The version of an installed library, "" for one that is not installed."""
    return _installed().get(_folded(library), "")


@cache
def _installed() -> Mapping[str, str]:
    """The versions of the installed libraries, from the names of their folders: `importlib.metadata` would read files
    with a parser of e-mail."""
    named = (_INSTALLED.fullmatch(name) for folder in reversed(sys.path) for name in _names_in(folder or "."))
    return {_folded(found[1]): found[2] for found in named if found is not None}


def _names_in(folder: str) -> list[str]:
    """The names in a folder; none for what is no folder, or cannot be read."""
    try:
        return os.listdir(folder)
    except OSError:
        return []


_INSTALLED = re.compile(r"([\w.-]+?)-([^-]+)(?:-py[\d.]+)?\.(?:dist|egg)-info")


def _folded(library: str) -> str:
    """The name of a library as all its spellings have it."""
    return re.sub("[-_.]+", "-", library).lower()


def digest_of(content: bytes) -> str:
    """The digest of the content of a file."""
    return hashlib.sha256(content).hexdigest()


def key_of(parts: Iterable[str]) -> str:
    """The key of what depends on these texts. Their order counts, and where one ends and the next begins."""
    digest = hashlib.sha256()
    for part in parts:
        data = part.encode("utf-8", "surrogatepass")
        digest.update(len(data).to_bytes(8, "big") + data)
    return digest.hexdigest()


@dataclass(frozen=True)
class Store:
    """Entries of one kind, in a folder of their own below `folder()`.

    Of more than `most_entries` the least recently used ones are deleted.
    """

    name: str
    most_entries: int

    def folder(self) -> Path:
        """The folder of the entries. Raises FileNotFoundError like `folder`."""
        return folder() / self.name

    def cached(self, key: str, computed: Callable[[], bytes], load: Callable[[bytes], T]) -> T:
        """What `load` makes of the entry of this key, or of what `computed` returns, which is kept then.

        An entry that `load` cannot use is computed again.
        """
        content = self.read(key)
        if content is not None:
            with contextlib.suppress(Exception):  # bytes of another kind can make a loader raise anything
                return load(content)
        content = computed()
        self.write(key, content)
        return load(content)

    def has(self, key: str) -> bool:
        """Whether there is an entry of a key, intact or not."""
        with contextlib.suppress(OSError):
            return (self.folder() / key).is_file()
        return False

    def read_object(self, key: str) -> Any:
        """The object whose pickle is the entry of a key; None if there is none that can be loaded."""
        content = self.read(key)
        if content is None:
            return None
        try:
            return pickle.loads(content)
        except Exception:  # bytes of another kind can make a loader raise anything
            return None

    def write_object(self, key: str, value: object) -> None:
        """Keeps the pickle of an object, if the folder can be written."""
        self.write(key, pickle.dumps(value))

    def read(self, key: str) -> bytes | None:
        """The entry of a key; None if there is none that is intact and safe to execute."""
        try:
            if not _safe(self.folder().stat()):
                return None
            content = _content(self.folder() / key)
        except OSError:
            return None
        body, digest = content[:-32], content[-32:]
        return body if _digest(key, body) == digest else None

    def write(self, key: str, content: bytes) -> None:
        """Keeps an entry, if the folder can be written."""
        with contextlib.suppress(OSError):
            self._write(key, content)

    def _write(self, key: str, content: bytes) -> None:
        here = self.folder()
        here.mkdir(mode=0o700, parents=True, exist_ok=True)
        if not _safe(here.stat()):
            return
        handle, temporary = tempfile.mkstemp(dir=here, prefix=".new-")
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(content + _digest(key, content))
            # In one step, so that another process finds the old entry or the new one, and no part of it.
            os.replace(temporary, here / key)
        # An interrupt must leave no temporary file either.
        except BaseException:
            os.unlink(temporary)
            raise
        for path in here.glob(".new-*"):  # of a process that was killed
            if time.time() - path.stat().st_mtime > _MOST_SECONDS:
                path.unlink(missing_ok=True)
        # Keys have one length, which leaves out the unfinished files of other processes.
        entries = [here / name for name in os.listdir(here) if len(name) == len(key)]
        if len(entries) > self.most_entries:
            for path in sorted(entries, key=lambda entry: entry.stat().st_mtime)[: -self.most_entries]:
                path.unlink(missing_ok=True)


def _content(path: Path) -> bytes:
    """The bytes of an entry, none if it is no safe file. Raises OSError."""
    with open(os.open(path, _READ), "rb") as file:
        # Of the open file: what is at the path may be replaced after a test of the path.
        found = os.fstat(file.fileno())
        if not stat.S_ISREG(found.st_mode) or not _safe(found) or found.st_size > MOST_BYTES:
            return b""
        content = file.read()
    os.utime(path)  # the least recently used entries are deleted first
    return content


def _digest(key: str, content: bytes) -> bytes:
    """The last bytes of an entry. The key is part of it, so an entry under another's name is not used."""
    return hashlib.sha256(key.encode() + b"\0" + content).digest()


def _safe(found: os.stat_result) -> bool:
    """Whether no other user can have written a file or folder."""
    return not hasattr(os, "getuid") or (found.st_uid == os.getuid() and not found.st_mode & 0o022)
