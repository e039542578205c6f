"""The memory of Python that browsers restore, made by Python in Node when the page is written.

It is made with the files of one game, so that it stays the same, and is kept on disk, while others change.
"""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from ftk_cli import output
from rulespec.base import store

FILE = "memory.bin"


@contextmanager
def making(folder: Path, key: str, archive: Callable[[], bytes]) -> Iterator[None]:
    """Makes the memory of an archive in the folder of a page while the context is open, unless it is kept by its key.
    Nothing without Node: the page then takes longer to begin."""
    if kept := store.get("memory", key):
        output.write(str(folder / FILE), kept)
        yield
    elif node := shutil.which("node"):
        with TemporaryDirectory(prefix="ftk-memory-") as beside:
            made = Path(beside, FILE)
            with _running([node, folder / "memory.mjs", Path(beside, "memory.zip"), made], archive()) as process:
                yield
            if process.returncode == 0 and made.is_file():  # what a program that has failed left is no memory
                content = made.read_bytes()
                store.put("memory", key, content)
                output.write(str(folder / FILE), content)
    else:
        yield


@contextmanager
def _running(command: list[str | Path], archive: bytes) -> Iterator[subprocess.Popen[bytes]]:
    """A program that reads an archive from the file that its second argument names, and is ended with the context if
    that ends early."""
    Path(command[2]).write_bytes(archive)
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        yield process
        process.wait()
    finally:
        process.kill()
        process.wait()
