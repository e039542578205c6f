"""Values that were computed once and are kept on disk, each by a kind and a key: a digest of all that it depends on.

The folder is `ftk` in `$XDG_CACHE_HOME` (or `~/.cache`). It may be deleted at any time: where nothing can be read,
nothing is kept, and where nothing can be written, nothing will be.

An entry is a file: a digest, then the pickle of the value. To unpickle is to execute, so an entry is used only if no
other user may have written it, and if the digest was made with a secret that lies in the folder for this user alone.
Whatever is damaged, or was copied here, fails the second test.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import pickle
import re
import stat
import sys
import time
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

__all__ = ["cached", "digest_of", "folder", "get", "key", "put"]

T = TypeVar("T")

MOST_BYTES = 512 * 2**20
"""The size of all entries together. The least recently used ones make room."""

_MOST_SECONDS = 30 * 86400
"""An entry that has not been used for longer is deleted."""

_SWEPT = 16 * 2**20
"""About how many bytes are written until entries are deleted."""

_DAY = 86400
_DIGEST = 32
"""The size of a digest, and of the secret."""

_READ = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
"""Opening a pipe must not wait for a writer, and a link may lead to another user's file."""

_WRITE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)

_ENTRY = re.compile(r"[a-z-]+-[0-9a-f]{64}")
"""The name of an entry: its kind and its key. One that is being written has the kind `new`."""

_CODE = (".py", ".yaml", ".json", ".lark")
"""The endings of the files of this package that determine a result."""


def folder() -> Path:
    """The folder of all entries. Raises FileNotFoundError for a user without a home directory."""
    base = os.environ.get("XDG_CACHE_HOME", "")
    home = base if os.path.isabs(base) else os.path.expanduser("~/.cache")
    if not os.path.isabs(home):
        raise FileNotFoundError("this user has no home directory, so nothing can be cached")
    return Path(home) / "ftk"


def cached(kind: str, key: str, computed: Callable[[], T]) -> T:
    """The value that was kept by a key, or what `computed` returns, which is kept then if it is not None."""
    found: T | None = get(kind, key)
    if found is None:
        found = computed()
        if found is not None:
            put(kind, key, found)
    return found


def get(kind: str, key: str) -> Any:
    """The value that was kept by a key; None if there is none."""
    try:
        here = folder()
        secret, content = _secret(here), memoryview(_content(here / f"{kind}-{key}"))
    except OSError:
        return None
    if content[:_DIGEST] != _digest(secret, kind, key, content[_DIGEST:]):
        return None
    with contextlib.suppress(Exception):  # what was kept by this key with other code can raise anything
        return pickle.loads(content[_DIGEST:])
    return None


def put(kind: str, key: str, value: object) -> None:
    """Keeps a value, if the folder can be written. `kind` is a word in lower case, `key` 64 hexadecimal digits."""
    body = pickle.dumps(value)
    with contextlib.suppress(OSError):
        here = folder()
        try:
            secret = _secret(here)
        except OSError:
            here.mkdir(mode=0o700, parents=True, exist_ok=True)
            if not _is_safe(here.stat()):
                return
            _write(here / "secret", os.urandom(_DIGEST))
            secret = _secret(here)
        digest = _digest(secret, kind, key, body)
        _write(here / f"{kind}-{key}", digest + body)
        # A digest is as good as a random number.
        if int.from_bytes(digest[:8], "big") % _SWEPT < len(body):
            # Entries that have not been used for long, and the least recently used ones of too many, are deleted.
            room, oldest = MOST_BYTES, time.time() - _MOST_SECONDS
            entries = [entry for entry in os.scandir(here) if _ENTRY.fullmatch(entry.name)]
            for entry in sorted(entries, key=lambda one: one.stat().st_mtime, reverse=True):
                found = entry.stat()
                room -= found.st_size
                if room < 0 or found.st_mtime < oldest:
                    os.unlink(entry.path)


def key(*parts: str, code: tuple[str, ...] = ("",)) -> str:
    """The key of what is computed from these texts by code: folders of this package, or all of it.

    It is another one for texts in another order or divided otherwise, and with other code or data in these folders,
    another Python or another version of a library.
    """
    return _digest_of_texts(_tool(code), *parts)


def digest_of(content: bytes) -> str:
    """The digest of the content of a file. It may be a key of what depends on that alone."""
    return hashlib.sha256(content).hexdigest()


def _digest_of_texts(*texts: str) -> str:
    digest = hashlib.sha256()
    for text in texts:
        data = text.encode("utf-8", "surrogatepass")
        digest.update(len(data).to_bytes(8, "big") + data)
    return digest.hexdigest()


@cache
def _tool(code: tuple[str, ...]) -> str:
    """A digest of Python, all libraries, and folders of this package.

    A file counts by its size and the time of its last change, as it does for Python when it keeps bytecode. A library
    counts by the name of its folder: `importlib.metadata` would read files with a parser of e-mail.
    """
    package = os.path.dirname(os.path.dirname(__file__))
    files = sorted(file for part in code for file in _files(os.path.join(package, part)))
    names = (name for folder in sys.path for name in sorted(_names_in(folder or ".")))
    return _digest_of_texts(sys.version, *files, *(name for name in names if name.endswith(_INSTALLED)))


_INSTALLED = (".dist-info", ".egg-info")


def _files(folder: str) -> Iterator[str]:
    """The path, the size and the time of the last change of the files below a folder that determine a result."""
    for entry in os.scandir(folder):
        if entry.is_dir():
            yield from _files(entry.path)
        elif entry.name.endswith(_CODE):
            found = entry.stat()
            yield f"{entry.path} {found.st_size} {found.st_mtime_ns}"


def _names_in(folder: str) -> list[str]:
    """The names in a folder; none for what is no folder, or cannot be read."""
    try:
        return os.listdir(folder)
    except OSError:
        return []


@cache
def _secret(here: Path) -> bytes:
    """The secret of a folder. Raises OSError if there is none that is safe."""
    secret = _content(here / "secret") if _is_safe(here.stat()) else b""
    if len(secret) != _DIGEST:
        raise PermissionError(f"{here} has no secret")
    return secret


def _content(path: Path) -> bytes:
    """The bytes of a file, none if it is not safe. Raises OSError."""
    with open(os.open(path, _READ), "rb", buffering=0) as file:
        # Of the open file: what is at the path may be replaced after a test of the path.
        found = os.fstat(file.fileno())
        if not stat.S_ISREG(found.st_mode) or not _is_safe(found) or found.st_size > MOST_BYTES:
            return b""
        if time.time() - found.st_mtime > _DAY:
            with contextlib.suppress(OSError):
                os.utime(path)  # used today
        return file.read()


def _is_safe(found: os.stat_result) -> bool:
    """Whether no other user can have written a file or folder."""
    return not hasattr(os, "getuid") or (found.st_uid == os.getuid() and not found.st_mode & 0o022)


def _digest(secret: bytes, kind: str, key: str, body: bytes | memoryview) -> bytes:
    """The digest of an entry. The kind and the key are part of it, so an entry under another's name is not used."""
    digest = hashlib.blake2b(f"{kind}-{key}:".encode(), key=secret, digest_size=_DIGEST)
    digest.update(body)
    return digest.digest()


def _write(path: Path, content: bytes) -> None:
    """Writes a file in one step, so that another process finds the old one or the new one, and no part of it."""
    temporary = path.with_name(f"new-{os.urandom(32).hex()}")
    try:
        with open(os.open(temporary, _WRITE, 0o600), "wb") as file:
            file.write(content)
        os.replace(temporary, path)
    # An interrupt must leave no temporary file either.
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
