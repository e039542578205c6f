"""The cache of compiled code on disk, keyed by all that the code depends on: the spec, the setting, the compiler.

The folder is `ftk` in `$XDG_CACHE_HOME` (or `~/.cache`). It may be deleted at any time. Code that is read from it is
executed, so a folder or an entry that another user owns or may write to is not read. Where the folder cannot be
written, nothing is cached.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import stat
import sys
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import TypeVar

from rulespec.model.constants import Setting

T = TypeVar("T")

MOST_ENTRIES = 400
"""When there are more, the least recently used ones are deleted. An entry takes 20 to 150 kB, so the folder stays below
60 MB, and holds all settings of the shipped games at once."""

MOST_BYTES = 64 * 2**20
"""A larger entry is not read: hundreds of times the size of the largest known one."""

COMPILED: list[str] = []
"""The keys of what this process compiled because the cache did not have it."""

_READ = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
"""Opening a pipe must not wait for a writer, and a link may lead to another user's file."""


def folder() -> Path:
    """The folder of the cache. Raises FileNotFoundError for a user without a home directory."""
    base = os.environ.get("XDG_CACHE_HOME", "")
    home = base if os.path.isabs(base) else os.path.expanduser("~/.cache")
    if not os.path.isabs(home):
        raise FileNotFoundError("this user has no home directory, so nothing can be cached")
    return Path(home) / "ftk"


@cache
def compiler_digest() -> str:
    """A digest of Python's version and of the modules of this package that determine what is compiled."""
    package, digest = Path(__file__).parents[2], hashlib.sha256(sys.version.encode())
    for part in ("engine", "model", "expr"):
        for path in sorted((package / part).rglob("*.py")):
            digest.update(path.relative_to(package).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()


def key(setting: Setting, *details: str) -> str:
    """The key of code that is compiled for a setting: a digest of the spec, the player count, the rulings and the
    compiler; `details` distinguish several codes of one setting."""
    chosen = [f"{ruling}={option}" for ruling, option in sorted(setting.chosen.items())]
    parts = [compiler_digest(), setting.spec.digest, str(setting.players), *chosen, *details]
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()


def cached(key: str, compiled: Callable[[], bytes], load: Callable[[bytes], T]) -> T:
    """What `load` makes of the cached code of this key, or of what `compiled` returns, which is cached then.

    An entry that `load` cannot use is compiled again.
    """
    content = read(key)
    if content is not None:
        with contextlib.suppress(Exception):  # bytes that are no code can make a loader raise anything
            return load(content)
    COMPILED.append(key)
    content = compiled()
    with contextlib.suppress(OSError):
        _write(key, content)
    return load(content)


def read(key: str) -> bytes | None:
    """The cached code of a key; None if there is none that is intact and safe to execute."""
    try:
        if not _safe(folder().stat()):
            return None
        content = _content(folder() / key)
    except OSError:
        return None
    body, digest = content[:-32], content[-32:]
    return body if _digest(key, body) == digest else None


def _content(path: Path) -> bytes:
    """The bytes of an entry, none if it is no safe file. Raises OSError."""
    with open(os.open(path, _READ), "rb") as file:
        found = os.fstat(file.fileno())
        if not stat.S_ISREG(found.st_mode) or not _safe(found) or found.st_size > MOST_BYTES:
            return b""
        content = file.read()
    os.utime(path)  # the least recently used entries are deleted first
    return content


def _write(key: str, content: bytes) -> None:
    here = folder()
    here.mkdir(mode=0o700, parents=True, exist_ok=True)
    if not _safe(here.stat()):
        return
    handle, temporary = tempfile.mkstemp(dir=here, prefix=".new-")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content + _digest(key, content))
        os.replace(temporary, here / key)
    except BaseException:
        os.unlink(temporary)
        raise
    entries = [path for path in here.iterdir() if len(path.name) == len(key)]
    for path in sorted(entries, key=lambda entry: entry.stat().st_mtime)[:-MOST_ENTRIES]:
        path.unlink(missing_ok=True)


def _digest(key: str, content: bytes) -> bytes:
    """The last bytes of an entry. The key is part of it, so an entry under another's name is not used."""
    return hashlib.sha256(key.encode() + b"\0" + content).digest()


def _safe(found: os.stat_result) -> bool:
    """Whether no other user can have written a file or folder."""
    return not hasattr(os, "getuid") or (found.st_uid == os.getuid() and not found.st_mode & 0o022)
