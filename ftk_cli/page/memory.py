"""The memory of Python that browsers restore, made by Python in Node when the page is written."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

FILE = "memory.bin"


def write(folder: Path) -> None:
    """Writes the memory into the folder of a page if Node can make it. Without it, the page takes longer to begin."""
    (folder / FILE).unlink(missing_ok=True)
    if node := shutil.which("node"):
        subprocess.run([node, folder / "memory.mjs"], capture_output=True, check=False)
