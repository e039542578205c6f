"""The files of the page in one folder."""

from __future__ import annotations

import gzip
import io
import json
import shutil
from collections.abc import Iterable, Iterator
from hashlib import sha256
from importlib.resources import as_file, files
from pathlib import Path
from zipfile import ZipFile

from ftk_cli import renderer
from ftk_cli.failure import Failure
from ftk_cli.page import desk, door, lexicon, memory, pyodide, searches
from ftk_cli.page.archive import write_archive

ARCHIVE = "ftk.bin"
"""The archive, packed as one file: to unpack each of thousands takes a browser seconds. Its name ends so that no server
unpacks it on the way."""
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
    with gzip.open(folder / ARCHIVE, "wb", 6) as packed:
        packed.write(_archive(modules))
    for name, text in _door():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    memory.write(folder)
    _version(folder)
    return sum(file.stat().st_size for file in folder.rglob("*") if file.is_file())


def _archive(modules: Iterable[tuple[str, bytes]]) -> bytes:
    """The archive with the words of the games and the modules of searches."""
    made = io.BytesIO()
    write_archive(made)
    with ZipFile(made, "a") as archive:
        for game, text in _lexicons():
            archive.writestr(f"project/{lexicon.FOLDER}/{game}.json", text)
        for name, module in modules:
            archive.writestr(f"project/{searches.FOLDER}/{name}", module)
        # A kept memory is restored only with the files it was made with.
        archive.writestr("version", sha256(made.getvalue()).hexdigest())
    return made.getvalue()


def _door() -> Iterator[tuple[str, str]]:
    """The files that the page shows before Python is loaded: the games and their pictures at the door, and the games
    with texts, by language, at the desk."""
    from rulespec.play.table import picture_of

    specs = door.specs()
    yield "games.json", json.dumps(door.games(specs), ensure_ascii=False)
    yield "desks.json", json.dumps({one: desk.games(one) for one in door.interface_languages()}, ensure_ascii=False)
    yield from ((f"pictures/{spec.id}.svg", picture_of(spec)) for spec in specs)


def _version(folder: Path) -> None:
    """Writes the names of the files of the page and a digest of them all into its service worker, which keeps them for
    visits without a network: another page has another worker."""
    worker = folder / "offline.js"
    files = (file for file in folder.rglob("*") if file.is_file() and file != worker)
    names = sorted(file.relative_to(folder).as_posix() for file in files)
    digest = sha256(b"".join(sha256((folder / name).read_bytes()).digest() for name in names)).hexdigest()[:16]
    text = worker.read_text(encoding="utf-8")
    text = text.replace('VERSION = ""', f'VERSION = "{digest}"').replace("FILES = []", f"FILES = {json.dumps(names)}")
    worker.write_text(text, encoding="utf-8")


def _lexicons() -> Iterator[tuple[str, str]]:
    """The words of each game that has texts."""
    from rulespec import load

    for game in lexicon.with_texts():
        yield game, json.dumps(lexicon.lexicons(load(game)), ensure_ascii=False)


def _refuse_others(folder: Path) -> None:
    """Raises Failure for a folder with other files: they would be mixed with those of the page."""
    if folder.is_dir() and any(folder.iterdir()) and not (folder / "worker.js").is_file():
        raise Failure(f"{folder} is not empty and holds no page.", "Name a new folder.")
