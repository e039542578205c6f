"""One archive with everything that Python in a browser imports: ftk, its games, and the libraries it uses.

Libraries are copied from this installation, without machine code. A stand-in replaces each that is machine code only.
"""

from __future__ import annotations

import gzip
import json
import os
import posixpath
import subprocess
from collections.abc import Iterator, Mapping
from functools import cache
from hashlib import sha256
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from importlib.util import find_spec
from io import BytesIO
from pathlib import Path, PurePath
from tempfile import TemporaryDirectory
from typing import Any
from zipfile import ZipFile, ZipInfo

from ftk_cli.failure import Failure
from ftk_cli.renderer import javascript
from rulespec.base import project, store
from rulespec.base.messages import say
from rulespec.base.source import read as read_source
from rulespec.base.spreadsheet.sheet import SheetError
from rulespec.base.spreadsheet.writing import as_excel
from rulespec.language.cards_from import spreadsheet_of
from rulespec.text.languages.registry import LANGUAGES

GAMES = "project/specs"
"""The folder of the games in the archive. They are a project, so that they can be edited."""

LIBRARIES = (
    "attrs",
    "babel",
    "click",
    "et_xmlfile",
    "jinja2",
    "jsonschema",
    "jsonschema-specifications",
    "lark",
    "markdown-it-py",
    "markupsafe",
    "mdurl",
    "num2words",
    "openpyxl",
    "polib",
    "pyyaml",
    "rapidfuzz",
    "referencing",
    "simplemma",
    "unicode-rbnf",
)
"""Distributions that work without their machine code, with all that they depend on."""

STANDINS = ("opencc", "regex", "rpds")
"""Modules and packages of `standins/`, each with the name of the library that it replaces."""

CONFIGS = ("t2s", "tw2s", "s2tw", "s2hk")
"""The conversions of OpenCC that checks of texts use."""

_CODE = Path(__file__).resolve().parents[2]
_PACKAGES = ("rulespec", "ftk_cli")
_BINARY = (".pyc", ".pyd", ".pyi", ".so")
_UNUSED = ("__pycache__", "__pyinstaller", "benchmarks", "tests", "tools")
_BY_LANGUAGE = (
    PurePath("babel/locale-data"),
    PurePath("simplemma/strategies/dictionaries/data"),
    PurePath("unicode_rbnf/rbnf"),
)
"""Folders with a file for each language, of which the archive has those of its texts: all of them would be 60 MB."""

_ALWAYS = ("ordinals", "plurals", "root")


Entries = Mapping[str, bytes]
"""The contents of files by their names in the archive."""


def write_archive(path: Path) -> None:
    """Writes the archive without the words of games, to be unpacked into a folder of Python's path.

    Raises ImportError if a library is not installed, and Failure.
    """
    path.write_bytes(zipped(program() | {inside: content_of(file) for inside, file in project_files().items()}))


def packed_program(entries: Entries, key: str) -> bytes:
    """`packed` of the files outside of the project, which is kept by their digest."""
    return store.cached("program", key, lambda: packed(entries))


def packed(entries: Entries) -> bytes:
    """A zip file in gzip, which unpacks one file sooner than thousands. The same files make the same bytes at any
    time."""
    return gzip.compress(zipped(entries), 6, mtime=0)


def zipped(entries: Entries) -> bytes:
    """A zip file, which is not packed. The same files make the same bytes at any time."""
    made = BytesIO()
    with ZipFile(made, "w") as archive:
        for inside, content in sorted(entries.items()):
            archive.writestr(ZipInfo(inside), content)
    return made.getvalue()


def digest(entries: Entries) -> str:
    """A digest of the names and contents of files."""
    found = sha256()
    for inside, content in sorted(entries.items()):
        found.update(f"{inside}\0{len(content)}\0".encode() + content)
    return found.hexdigest()


def program() -> dict[str, bytes]:
    """The files outside of the project: ftk and the libraries. Raises ImportError if a library is not installed."""
    key = store.key(Path(__file__).read_text(encoding="utf-8"))
    dictionaries = store.cached("opencc", key, _dictionaries)
    return {inside: file.read_bytes() for inside, file in _code()} | {"opencc.json": dictionaries}


def project_files() -> dict[str, Path]:
    """The files of the project by their names in the archive. Raises Failure."""
    return dict([*((f"{GAMES}/{inside}", file) for inside, file in _files(_games())), *spreadsheets_beside()])


def content_of(file: Path) -> bytes:
    """A file of the project as the archive has it: ODS, which Python in a browser does not read, as XLSX."""
    content = file.read_bytes()
    try:
        return as_excel(content) if file.suffix.lower() == ".ods" else content
    except SheetError:  # found by a check
        return content


def _code() -> Iterator[tuple[str, Path]]:
    """The name of each file in the archive, and the file."""
    for package in _PACKAGES:
        # An installed package has its games inside; the archive has them as a project.
        yield from ((f"{package}/{inside}", file) for inside, file in _files(_CODE / package) if inside[:6] != "specs/")
    yield "ftk_cli/js/table.css", javascript() / "table.css"  # for rulebooks
    for name in LIBRARIES:
        yield from _installed(distribution(name))
    standins = _files(Path(__file__).parent / "standins")
    yield from ((inside, file) for inside, file in standins if inside.partition("/")[0].removesuffix(".py") in STANDINS)


def spreadsheets_beside() -> Iterator[tuple[str, Path]]:
    """The spreadsheets with the cards of games that are outside of the folder of the games. Raises Failure for one that
    has no place in the archive."""
    folder = _games()
    for spec in folder.rglob("*.yaml"):
        source, _ = read_source(str(spec))
        file = Path(spreadsheet_of(source)) if source is not None else Path()
        if file.is_file() and not file.resolve().is_relative_to(folder.resolve()):
            inside = posixpath.normpath(f"{GAMES}/{Path(os.path.relpath(file, folder)).as_posix()}")
            if inside.startswith("../"):
                raise Failure(
                    say("{file}, with the cards of {spec}, is too far away.", file=file, spec=spec),
                    say("Put it into the project."),
                )
            yield inside, file


def _files(folder: Path) -> Iterator[tuple[str, Path]]:
    for file in folder.rglob("*"):
        inside = file.relative_to(folder)
        if file.is_file() and _is_needed(inside):
            yield inside.as_posix(), file


def _installed(library: Distribution) -> Iterator[tuple[str, Path]]:
    if library.files is None:
        raise PackageNotFoundError(library.name)
    languages = _languages()
    for inside in library.files:
        language, _, region = inside.stem.partition("_")
        # Regions are left out (`de_AT`), scripts are not (`zh_Hant`): those are languages of texts.
        if PurePath(inside.parent) in _BY_LANGUAGE and (language not in languages or region.isupper()):
            continue
        if ".." not in inside.parts and _is_needed(inside):
            yield inside.as_posix(), Path(str(library.locate_file(inside)))


def _is_needed(inside: PurePath) -> bool:
    return inside.suffix not in _BINARY and not any(part in _UNUSED for part in inside.parts)


@cache
def _languages() -> frozenset[str]:
    """The languages with a record and those of the texts of the games, by the first part of their tags."""
    texts = (path.stem for path in _games().rglob("translations/*/*.yaml"))
    return frozenset((*_ALWAYS, *(tag.partition("-")[0] for tag in (*LANGUAGES, *texts))))


def _games() -> Path:
    return (project.nearest() or project.packaged()).folder


def _dictionaries() -> bytes:
    """The dictionaries of the installed OpenCC as JSON, for its stand-in in a browser.

    Raises ModuleNotFoundError without OpenCC, OSError or CalledProcessError if its tool cannot be run."""
    found = find_spec("opencc")
    if found is None or found.origin is None:
        raise ModuleNotFoundError("the page needs the package opencc: pip install opencc", name="opencc")
    library = Path(found.origin).parent / "clib"
    share = library / "share" / "opencc"
    configs = {name: json.loads((share / f"{name}.json").read_text(encoding="utf-8")) for name in CONFIGS}
    files = sorted({file for config in configs.values() for file in _dictionary_files(config)})
    made = {file: _dictionary(library / "bin" / "opencc_dict", share / file) for file in files}
    text = json.dumps({"configs": configs, "dictionaries": made}, ensure_ascii=False, separators=(",", ":"))
    return text.encode()


def _dictionary_files(part: Any) -> Iterator[str]:
    """The names of the dictionaries in a configuration."""
    if isinstance(part, list):
        yield from (file for one in part for file in _dictionary_files(one))
    elif isinstance(part, dict):
        if "file" in part:
            yield part["file"]
        yield from (file for one in part.values() for file in _dictionary_files(one))


def _dictionary(tool: Path, file: Path) -> dict[str, str]:
    """What each key of a dictionary becomes: the first of its values."""
    with TemporaryDirectory() as folder:
        text = Path(folder) / "dictionary.txt"
        command: list[str | Path] = [tool, "-f", "ocd2", "-t", "text", "-i", file, "-o", text]
        subprocess.run(command, check=True, capture_output=True)
        lines = text.read_text(encoding="utf-8").splitlines()
    return {key: values.split(" ")[0] for key, _, values in (line.partition("\t") for line in lines) if values}
