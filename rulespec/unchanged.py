"""Findings of files that have not changed, kept on disk.

The key is a digest of everything that a check reads: the files themselves, every file of their game, the options, the
current directory (paths in findings are relative to it), and the code and data of this package and of the libraries
whose data texts are checked with.
"""

from __future__ import annotations

import hashlib
import pickle
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from rulespec import project
from rulespec.diagnostics import Finding
from rulespec.file_kinds import Options
from rulespec.source import Source
from rulespec.store import Store, digest_of_code, key_of

FINDINGS = Store("findings", most_entries=2000)
"""An entry takes 0.1 to 20 kB, so the folder stays below 40 MB."""

_LIBRARIES = ("jsonschema", "lark", "opencc", "pyyaml", "rapidfuzz", "regex", "simplemma")


@dataclass(frozen=True)
class Unit:
    """Files that are checked together, and the id of their game ("" for a spec, which depends on itself alone)."""

    sources: tuple[Source, ...]
    game: str


@dataclass(frozen=True)
class FileResult:
    """The findings of one file, and the game that it is about ("" for a spec)."""

    path: str
    game: str
    findings: Sequence[Finding]


Found = tuple[FileResult, ...]


def read(unit: Unit, options: Options) -> Found | None:
    """The findings of a unit from an earlier check; None if there was none or anything has changed since."""
    content = FINDINGS.read(_key(unit, options)) if _is_kept(options) else None
    if content is None:
        return None
    try:
        found: Found = pickle.loads(content)
    except Exception:  # bytes of another kind can make a loader raise anything
        return None
    return found


def keep(unit: Unit, options: Options, found: Found) -> None:
    """Keeps the findings of a unit."""
    if _is_kept(options):
        FINDINGS.write(_key(unit, options), pickle.dumps(found))


def _is_kept(options: Options) -> bool:
    """A deck that is given by its path is read by each check, so nothing is known about it here."""
    return options.deck is None or isinstance(options.deck, Source)


def _key(unit: Unit, options: Options) -> str:
    return key_of(part for group in _parts(unit, options) for part in ("", *group))


def _parts(unit: Unit, options: Options) -> Iterator[tuple[str, ...]]:
    """All that the findings of a unit depend on."""
    yield digest_of_code(), *_libraries(), str(Path.cwd()), *project.playable_games()
    yield tuple(f"{ruling}={option}" for ruling, option in sorted(options.rulings.items()))
    for source in (*unit.sources, *([options.deck] if isinstance(options.deck, Source) else [])):
        yield source.path, source.text, source.variant
        yield tuple(text for file in source.files for text in (file.path, file.text))
    paths = {path for source in unit.sources for path in project.files_about(unit.game, source.path)}
    yield tuple(text for path in sorted(paths) for text in (str(path), _digest(path)))


@cache
def _libraries() -> tuple[str, ...]:
    return tuple(map(_version, _LIBRARIES))


def _version(library: str) -> str:
    try:
        return version(library)
    except PackageNotFoundError:
        return ""


def _digest(path: Path) -> str:
    """A digest of the bytes of a file, "" if it cannot be read."""
    try:
        return hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else ""
    except OSError:
        return ""
