"""One archive with everything that Python in a browser imports: ftk, its games, and the libraries it uses.

Libraries are copied from this installation, without machine code. A stand-in replaces each that is machine code only.
"""

from __future__ import annotations

from collections.abc import Iterator
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path, PurePath
from zipfile import ZIP_DEFLATED, ZipFile

from ftk_cli.page.chinese import dictionaries

GAMES = "project/specs"
"""The folder of the games in the archive. They are a project, so that they can be edited."""

LIBRARIES = (
    "attrs",
    "click",
    "jinja2",
    "jsonschema",
    "jsonschema-specifications",
    "lark",
    "markdown-it-py",
    "markupsafe",
    "mdurl",
    "polib",
    "pyyaml",
    "rapidfuzz",
    "referencing",
    "simplemma",
)
"""Distributions that work without their machine code, with all that they depend on."""

STANDINS = ("opencc", "regex", "rpds")
"""Modules and packages of `standins/`, each with the name of the library that it replaces."""

_CODE = Path(__file__).resolve().parents[2]
_PACKAGES = ("rulespec", "ftk_cli")
_BINARY = (".pyc", ".pyd", ".pyi", ".so")
_UNUSED = ("__pycache__", "__pyinstaller", "benchmarks", "tests", "tools")
_DICTIONARIES = PurePath("simplemma/strategies/dictionaries/data")


def write_archive(path: Path) -> None:
    """Writes the archive as a zip file, to be unpacked into a folder of Python's path.

    Raises ImportError if a library is not installed.
    """
    with ZipFile(path, "w", ZIP_DEFLATED) as archive:
        for inside, file in sorted(_contents()):
            archive.write(file, inside)
        archive.writestr("opencc.json", dictionaries())


def _contents() -> Iterator[tuple[str, Path]]:
    """The name of each file in the archive, and the file."""
    for package in _PACKAGES:
        yield from ((f"{package}/{inside}", file) for inside, file in _files(_CODE / package) if inside[:6] != "specs/")
    for name in LIBRARIES:
        yield from _installed(distribution(name))
    standins = _files(Path(__file__).parent / "standins")
    yield from ((inside, file) for inside, file in standins if inside.partition("/")[0].removesuffix(".py") in STANDINS)
    yield from ((f"{GAMES}/{inside}", file) for inside, file in _files(_games()))


def _files(folder: Path) -> Iterator[tuple[str, Path]]:
    for file in folder.rglob("*"):
        inside = file.relative_to(folder)
        if file.is_file() and _is_needed(inside):
            yield inside.as_posix(), file


def _installed(library: Distribution) -> Iterator[tuple[str, Path]]:
    if library.files is None:
        raise PackageNotFoundError(library.name)
    lemmatisers = _lemmatisers()
    for inside in library.files:
        if inside.parent == _DICTIONARIES and inside.stem not in lemmatisers:
            continue
        if ".." not in inside.parts and _is_needed(inside):
            yield inside.as_posix(), Path(str(library.locate_file(inside)))


def _is_needed(inside: PurePath) -> bool:
    return inside.suffix not in _BINARY and not any(part in _UNUSED for part in inside.parts)


def _lemmatisers() -> set[str]:
    """The dictionaries of simplemma that languages of rules use: all of them would be 19 MB."""
    from rulespec.text import LANGUAGES

    return {language.lemmatiser for language in LANGUAGES.values()}


def _games() -> Path:
    from rulespec import project

    return (project.nearest() or project.packaged()).folder
