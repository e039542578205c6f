"""What was compiled once is kept on disk, by all that it depends on: the spec, the setting, the compiler itself.

The folder is `ftk` in `$XDG_CACHE_HOME` (or `~/.cache`); it may be deleted at any time. A folder that is not this
user's own is not trusted, and one that cannot be written is done without.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import sys
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path

from rulespec.model.constants import Setting

KEPT = 400
"""Entries kept; the ones unused for longest make room."""


MADE: list[str] = []
"""What this process had to make, since it was not kept."""


def folder() -> Path:
    """Where things are kept. Raises FileNotFoundError for a user without a home."""
    base = os.environ.get("XDG_CACHE_HOME", "")
    home = base if os.path.isabs(base) else os.path.expanduser("~/.cache")
    if not os.path.isabs(home):
        raise FileNotFoundError("this user has no home, so nothing can be kept")
    return Path(home) / "ftk"


@cache
def compiler_digest() -> str:
    """A digest of the sources of this package that decide what is compiled."""
    package, digest = Path(__file__).parents[2], hashlib.sha256(sys.version.encode())
    for part in ("engine", "model", "expr"):
        for path in sorted((package / part).rglob("*.py")):
            digest.update(path.relative_to(package).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()


def key(setting: Setting, *details: str) -> str:
    """The name of what is compiled for a setting, from the hash of its spec, its player count and its rulings."""
    answers = [f"{ruling}={answer}" for ruling, answer in sorted(setting.chosen.items())]
    parts = [compiler_digest(), setting.spec.digest, str(setting.players), *answers, *details]
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()


def kept(name: str) -> bytes | None:
    """What is kept under a name, None for nothing."""
    try:
        if not _ours(folder()):
            return None
        path = folder() / name
        content = path.read_bytes()
        os.utime(path)
    except OSError:
        return None
    body, digest = content[:-32], content[-32:]
    return body if hashlib.sha256(body).digest() == digest else None


def cached(name: str, make: Callable[[], bytes]) -> bytes:
    """What is kept under a name, or else what `make` gives, which is kept from now on."""
    found = kept(name)
    if found is None:
        MADE.append(name)
        found = make()
        with contextlib.suppress(OSError):
            _keep(name, found)
    return found


def _keep(name: str, content: bytes) -> None:
    here = folder()
    here.mkdir(mode=0o700, parents=True, exist_ok=True)
    if not _ours(here):
        return
    handle, temporary = tempfile.mkstemp(dir=here, prefix=".new-")
    with os.fdopen(handle, "wb") as file:
        file.write(content + hashlib.sha256(content).digest())
    os.replace(temporary, here / name)
    entries = [path for path in here.iterdir() if len(path.name) == len(name)]
    for path in sorted(entries, key=lambda entry: entry.stat().st_mtime)[:-KEPT]:
        path.unlink(missing_ok=True)


def _ours(here: Path) -> bool:
    """Whether nobody else can put anything here."""
    found = here.stat()
    return not hasattr(os, "getuid") or (found.st_uid == os.getuid() and not found.st_mode & 0o022)
