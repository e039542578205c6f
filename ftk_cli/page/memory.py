"""The memory of Python that browsers restore, made by Python in Node when the page is written."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

FILE = "memory.bin"


def write(folder: Path) -> bool:
    """Writes the memory into the folder of a page. Whether it could be made: without it the page takes longer."""
    (folder / FILE).unlink(missing_ok=True)
    node = shutil.which("node")
    if node is None:
        return False
    return subprocess.run([node, folder / "memory.mjs"], capture_output=True, check=False).returncode == 0
