"""Pyodide, Python for browsers: one version of its npm package, downloaded once, kept packed, verified each time."""

from __future__ import annotations

import hashlib
import io
import tarfile
from base64 import b64encode
from http.client import HTTPException
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

from ftk_cli.failure import Failure
from rulespec.base import store
from rulespec.base.messages import say

VERSION = "314.0.7"
ADDRESS = f"https://registry.npmjs.org/pyodide/-/pyodide-{VERSION}.tgz"
INTEGRITY = "0YvXxEhfEdpLfb/XkM2BFAeMROq0iMUX2bzzH9pOttyMcWkwq+HbE5uyuGD82LN7y2q+SNvi/6V5JEsOlD2R1A=="
"""The SHA-512 of the package, as the registry and lock files of npm have it."""

FILES = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip", "pyodide-lock.json", "package.json")
"""What the page needs of the package; package.json names its licence."""

_HINT = say("Unpack the npm package pyodide {version} and name its folder: ftk page --pyodide FOLDER", version=VERSION)


def downloaded() -> dict[str, bytes]:
    """The files of Pyodide, downloaded if they are not kept. Raises Failure."""
    return _files(store.cached("pyodide", store.digest_of(INTEGRITY.encode()), lambda: _pinned(_download())))


def given(folder: Path) -> dict[str, bytes]:
    """The files of Pyodide in a folder that is named. Raises Failure."""
    try:
        return {name: (folder / name).read_bytes() for name in FILES}
    except OSError as error:
        hint = say("Name the folder of the npm package pyodide {version}, unpacked.", version=VERSION)
        raise Failure(
            say("{path} cannot be read: {reason}.", path=error.filename, reason=error.strerror), hint
        ) from None


def _download() -> bytes:
    try:
        with urlopen(ADDRESS, timeout=60) as answer:
            return bytes(answer.read())
    except (URLError, HTTPException, TimeoutError) as error:
        reason = getattr(error, "reason", error)
        raise Failure(
            say("Pyodide could not be downloaded from {address} ({reason}).", address=ADDRESS, reason=reason), _HINT
        ) from None


def _pinned(package: bytes) -> bytes:
    """The package, if it is the pinned one. Raises Failure for another one."""
    if b64encode(hashlib.sha512(package).digest()).decode() != INTEGRITY:
        raise Failure(
            say("{address} is not the package that ftk expects: its SHA-512 differs.", address=ADDRESS), _HINT
        )
    return package


def _files(package: bytes) -> dict[str, bytes]:
    """The content of the files that are needed of the pinned package."""
    with tarfile.open(fileobj=io.BytesIO(package)) as archive:
        return {name: file.read() for name in FILES if (file := archive.extractfile(f"package/{name}")) is not None}
