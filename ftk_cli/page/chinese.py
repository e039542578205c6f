"""The dictionaries of the installed OpenCC as JSON, for its stand-in in a browser."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

CONFIGS = ("t2s", "tw2s", "s2tw", "s2hk")
"""The conversions that checks of texts use."""


def dictionaries() -> str:
    """Raises ModuleNotFoundError without OpenCC, OSError or CalledProcessError if its tool cannot be run."""
    found = find_spec("opencc")
    if found is None or found.origin is None:
        raise ModuleNotFoundError("the page needs the package opencc: pip install opencc", name="opencc")
    library = Path(found.origin).parent / "clib"
    share = library / "share" / "opencc"
    configs = {name: json.loads((share / f"{name}.json").read_text(encoding="utf-8")) for name in CONFIGS}
    files = sorted({file for config in configs.values() for file in _files(config)})
    made = {file: _read(library / "bin" / "opencc_dict", share / file) for file in files}
    return json.dumps({"configs": configs, "dictionaries": made}, ensure_ascii=False, separators=(",", ":"))


def _files(part: Any) -> Iterator[str]:
    """The names of the dictionaries in a configuration."""
    if isinstance(part, list):
        yield from (file for one in part for file in _files(one))
    elif isinstance(part, dict):
        if "file" in part:
            yield part["file"]
        yield from (file for one in part.values() for file in _files(one))


def _read(tool: Path, file: Path) -> dict[str, str]:
    """What each key of a dictionary becomes: the first of its values."""
    with TemporaryDirectory() as folder:
        text = Path(folder) / "dictionary.txt"
        command: list[str | Path] = [tool, "-f", "ocd2", "-t", "text", "-i", file, "-o", text]
        subprocess.run(command, check=True, capture_output=True)
        lines = text.read_text(encoding="utf-8").splitlines()
    return {key: values.split(" ")[0] for key, _, values in (line.partition("\t") for line in lines) if values}
