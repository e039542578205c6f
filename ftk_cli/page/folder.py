"""The files of the page in one folder."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from hashlib import sha256
from importlib.resources import as_file, files
from pathlib import Path
from tempfile import TemporaryDirectory

from ftk_cli import output, renderer
from ftk_cli.failure import Failure
from ftk_cli.page import archive, desk, door, lexicon, memory, pieces, searches
from rulespec.base.messages import say
from rulespec.base.project import known_games
from rulespec.base.transaction import lock

PROGRAM, GAMES = "program.bin", "games.bin"
"""Two archives, each packed as one file: to unpack each of thousands takes a browser seconds. Their names end so that
no server unpacks them on the way."""
PYODIDE = "pyodide"
WORKER = "offline.js"


def write(folder: Path, python: Mapping[str, bytes]) -> int:
    """Writes the page with the files of Pyodide, and returns its size in bytes. The folder stays as it was until all
    files are made. Raises Failure."""
    place = folder if folder.is_dir() else folder.parent
    for left in place.glob(".ftk-page-*") if sys.platform != "win32" else ():
        with suppress(OSError), _locked(left):  # of a process that was killed: others keep theirs locked
            shutil.rmtree(left)
    _refuse_others(folder)
    folder.parent.mkdir(parents=True, exist_ok=True)
    # Who writes the folder may not be allowed to write beside it; in both places, moving files copies nothing.
    with TemporaryDirectory(prefix=".ftk-page-", dir=place) as new, _locked(Path(new)):
        made = Path(new, "page")
        begun(made, python)()
        _version(made)
        size = sum(file.stat().st_size for file in made.rglob("*") if file.is_file())
        _move(made, folder)
    return size


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """Keeps a folder locked, where the system can. Raises BlockingIOError if another process does."""
    if sys.platform == "win32":  # it does not open folders
        yield
        return
    number = os.open(folder, os.O_RDONLY)
    try:
        lock(number)
        yield
    finally:
        os.close(number)


def begun(made: Path, python: Mapping[str, bytes]) -> Callable[[], None]:
    """Makes a folder with a page that works, and returns what makes it quicker, with the page in use or before: it puts
    modules for bots and the memory of Python into the folder. Both raise Failure."""
    _copy(made, python)
    return _make(made, python)


def _copy(made: Path, python: Mapping[str, bytes]) -> None:
    """Copies the files that are the same for all games."""
    with as_file(files(__package__) / "static") as static:
        shutil.copytree(static, made)
    for file in renderer.table():
        shutil.copyfile(file, made / file.name)
    (made / PYODIDE).mkdir()
    for name, content in python.items():
        (made / PYODIDE / name).write_bytes(content)


def _make(made: Path, python: Mapping[str, bytes]) -> Callable[[], None]:
    """Makes the files that depend on the games, and returns what makes the page quicker."""
    program, project = archive.program(), archive.project_files()
    maker = archive.digest(program)
    about = pieces.about(maker)
    words = {f"project/{lexicon.FOLDER}/{game}.json": one.words.encode() for game, one in about.items() if one.words}
    games = {inside: archive.content_of(file) for inside, file in project.items()} | words
    first = lexicon.first([game for game, one in about.items() if one.words])
    needed = program | {name: games[name] for name in _names_about(first, project) if name in games}
    # A kept memory is restored only where the files are that it was made with.
    version = archive.digest(needed | {f"{PYODIDE}/{name}": content for name, content in python.items()})
    (made / PROGRAM).write_bytes(archive.packed_program(program, maker))
    (made / GAMES).write_bytes(archive.packed(games | {"version": version.encode()}))
    for name, text in _door(about):
        (made / name).parent.mkdir(exist_ok=True)
        (made / name).write_text(text, encoding="utf-8")

    def quicken() -> None:
        with memory.making(made, version, lambda: archive.zipped(needed | {"version": version.encode()})):
            modules = made / searches.folder_of(version)
            modules.mkdir(parents=True)
            for name, module in pieces.modules(maker):
                output.write(str(modules / name), module)  # a server of the folder has it whole, or not yet

    return quicken


def _names_about(game: str, project: Mapping[str, Path]) -> Iterator[str]:
    """The names in the archive of the files of a game; none for no game."""
    files = pieces.files_of(game) if game else set()
    yield from (inside for inside, file in project.items() if file.resolve() in files)
    yield f"project/{lexicon.FOLDER}/{game}.json"


def _door(about: Mapping[str, pieces.About]) -> Iterator[tuple[str, str]]:
    """The files that the page shows before Python is loaded: the games and their pictures at the door, and the games
    with texts, by language, at the desk."""
    games = [{"own": game in known_games(), **one.shown} for game, one in about.items()]
    yield "games.json", json.dumps(games, ensure_ascii=False)
    desks = {lang: [one for one in desk.games(lang) if about[one["id"]].words] for lang in door.interface_languages()}
    yield "desks.json", json.dumps(desks, ensure_ascii=False)
    yield from ((f"pictures/{game}.svg", one.picture) for game, one in about.items() if one.picture)


def _version(folder: Path) -> None:
    """Writes the names of the files of the page and a digest of them all into its service worker, which keeps them for
    visits without a network: another page has another worker."""
    worker = folder / WORKER
    files = (file for file in folder.rglob("*") if file.is_file() and file != worker)
    names = sorted(file.relative_to(folder).as_posix() for file in files)
    digest = sha256(b"".join(sha256((folder / name).read_bytes()).digest() for name in names)).hexdigest()[:16]
    text = worker.read_text(encoding="utf-8")
    text = text.replace('VERSION = ""', f'VERSION = "{digest}"').replace("FILES = []", f"FILES = {json.dumps(names)}")
    worker.write_text(text, encoding="utf-8")


def _move(made: Path, folder: Path) -> None:
    """Moves a page to where it belongs. An older page there becomes this one; files beside it stay. Its service worker
    comes last: until then, browsers keep all files as they were."""
    if not folder.is_dir():
        made.rename(folder)
        return
    with _uninterrupted():
        new = sorted((one for one in made.rglob("*") if one.is_file()), key=lambda one: one.name == WORKER)
        places = [folder / file.relative_to(made) for file in new]
        for old in _older(folder) - set(places):
            old.unlink(missing_ok=True)
        for file, target in zip(new, places, strict=True):
            target.parent.mkdir(parents=True, exist_ok=True)
            file.replace(target)
        for modules in (folder / searches.FOLDER).glob("*"):
            with suppress(OSError):  # those of this version stay
                modules.rmdir()


def _older(folder: Path) -> set[Path]:
    """The files of an older page in a folder: those that its service worker names, its memory and its modules."""
    worker = folder / WORKER
    found = re.search(r"FILES = (\[.*\]);", worker.read_text(encoding="utf-8")) if worker.is_file() else None
    named = (folder / name for name in (json.loads(found[1]) if found else ()))
    inside = (one for one in named if one.resolve().is_relative_to(folder.resolve()))
    modules = (folder / searches.FOLDER).glob("*/*.wasm")
    return {one for one in (*inside, *modules, folder / memory.FILE) if one.is_file()}


@contextmanager
def _uninterrupted() -> Iterator[None]:
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _refuse_others(folder: Path) -> None:
    """Raises Failure for a folder with other files: they would be mixed with those of the page."""
    if folder.is_dir() and any(folder.iterdir()) and not (folder / "worker.js").is_file():
        raise Failure(say("{folder} is not empty and holds no page.", folder=folder), say("Name a new folder."))
