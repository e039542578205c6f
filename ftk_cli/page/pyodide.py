"""Pyodide, Python for browsers: one version of its npm package, downloaded once into the user's cache."""

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

VERSION = "314.0.7"
ADDRESS = f"https://registry.npmjs.org/pyodide/-/pyodide-{VERSION}.tgz"
INTEGRITY = "0YvXxEhfEdpLfb/XkM2BFAeMROq0iMUX2bzzH9pOttyMcWkwq+HbE5uyuGD82LN7y2q+SNvi/6V5JEsOlD2R1A=="
"""The SHA-512 of the package, as the registry and lock files of npm have it."""

FILES = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip", "pyodide-lock.json", "package.json")
"""What the page needs of the package; package.json names its licence."""

_HINT = f"Unpack the npm package pyodide {VERSION} and name its folder: ftk page --pyodide FOLDER"


def downloaded() -> Path:
    """The folder with Pyodide, downloaded if it is not there. Raises Failure."""
    from rulespec.engine import cache_folder

    try:
        kept = cache_folder().parent / f"pyodide-{VERSION}"
        if not missing(kept):
            return kept
        files = _files(_verified(_download()))
        kept.mkdir(parents=True, exist_ok=True)
        for name, content in files.items():
            (kept / name).write_bytes(content)
    except OSError as error:
        raise Failure(f"Pyodide cannot be kept in the cache ({error}).", _HINT) from None
    return kept


def given(folder: Path) -> Path:
    """A folder that is named, if it has what the page needs. Raises Failure."""
    if lacking := missing(folder):
        hint = f"Name the folder of the npm package pyodide {VERSION}, unpacked."
        raise Failure(f"{folder} does not contain {lacking[0]}.", hint)
    return folder


def missing(folder: Path) -> list[str]:
    """The files that a folder lacks."""
    return [name for name in FILES if not (folder / name).is_file()]


def _download() -> bytes:
    try:
        with urlopen(ADDRESS, timeout=60) as answer:
            return bytes(answer.read())
    except (URLError, HTTPException, TimeoutError) as error:
        reason = getattr(error, "reason", error)
        raise Failure(f"Pyodide could not be downloaded from {ADDRESS} ({reason}).", _HINT) from None


def _verified(package: bytes) -> bytes:
    """The package if it is the pinned one. Raises Failure."""
    if b64encode(hashlib.sha512(package).digest()).decode() != INTEGRITY:
        raise Failure(f"{ADDRESS} is not the package that ftk expects: its SHA-512 differs.", _HINT)
    return package


def _files(package: bytes) -> dict[str, bytes]:
    """The content of the files that are needed. Nothing else is unpacked."""
    with tarfile.open(fileobj=io.BytesIO(package)) as archive:
        return {name: file.read() for name in FILES if (file := archive.extractfile(f"package/{name}")) is not None}
