"""The files of the page in one folder."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from importlib.resources import as_file, files
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile

from ftk_cli import renderer
from ftk_cli.failure import Failure
from ftk_cli.page import lexicon, pyodide, searches
from ftk_cli.page.archive import write_archive

ARCHIVE = "ftk.zip"
PYODIDE = "pyodide"


def write(folder: Path, python: Path) -> int:
    """Writes the page with Pyodide from a folder, and returns its size in bytes. Raises Failure."""
    if lacking := pyodide.missing(python):
        hint = f"Name the folder of the npm package pyodide {pyodide.VERSION}, unpacked."
        raise Failure(f"{python} does not contain {lacking[0]}.", hint)
    _refuse_others(folder)
    modules = list(searches.modules())  # before anything is written: a linker may fail
    with as_file(files(__package__) / "static") as static:
        shutil.copytree(static, folder, dirs_exist_ok=True)
    for file in renderer.table():
        shutil.copyfile(file, folder / file.name)
    (folder / PYODIDE).mkdir(exist_ok=True)
    for name in pyodide.FILES:
        shutil.copyfile(python / name, folder / PYODIDE / name)
    write_archive(folder / ARCHIVE)
    with ZipFile(folder / ARCHIVE, "a", ZIP_DEFLATED) as archive:
        for game, text in _lexicons():
            archive.writestr(f"project/{lexicon.FOLDER}/{game}.json", text)
        for name, module in modules:
            archive.writestr(f"project/{searches.FOLDER}/{name}", module)
    return sum(file.stat().st_size for file in folder.rglob("*") if file.is_file())


def _lexicons() -> Iterator[tuple[str, str]]:
    """The words of each game that has texts."""
    from rulespec import load

    for game in lexicon.with_texts():
        yield game, json.dumps(lexicon.lexicons(load(game)), ensure_ascii=False)


def _refuse_others(folder: Path) -> None:
    """Raises Failure for a folder with other files: they would be mixed with those of the page."""
    if folder.is_dir() and any(folder.iterdir()) and not (folder / ARCHIVE).is_file():
        raise Failure(f"{folder} is not empty and holds no page.", "Name a new folder.")
