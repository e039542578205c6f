"""Findings of files that have not changed, kept on disk.

The key is a digest of everything that a check reads: the files themselves, every file of their game, the options, the
current directory (paths in findings are relative to it), and the code and data of this package and of the libraries
whose data texts are checked with.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from rulespec.base import project, store
from rulespec.base.diagnostics import Finding
from rulespec.base.source import MAX_BYTES, Source, read
from rulespec.base.store import digest_of
from rulespec.editing.file_kinds import Options
from rulespec.language.cards_from import spreadsheet_of
from rulespec.language.document import parse
from rulespec.language.document.nodes import Mapping, Node, Scalar
from rulespec.versions.earlier import Earlier


@dataclass(frozen=True)
class Unit:
    """Files of one kind that are checked together, and the id of their game ("" for a spec, which depends on itself
    alone). `kind` is the name of a kind of file, "" if nothing in the file identifies one.

    With `earlier`, the unit is a spec beside the versions that players have, or a released one beside its name.
    """

    sources: tuple[Source, ...]
    game: str
    kind: str
    earlier: tuple[Earlier, ...] | None = None

    @property
    def reads_texts(self) -> bool:
        """Whether the check reads texts or the glossary of the game."""
        return self.kind not in _WITHOUT_TEXTS


_WITHOUT_TEXTS = ("deck", "scenario", "glossary", "looks")
"""Kinds of file that are checked without the texts of their game, and without its glossary but for one itself."""


@dataclass(frozen=True)
class FileResult:
    """The findings of one file, and the game that it is about ("" for a spec)."""

    path: str
    game: str
    findings: Sequence[Finding]


Found = tuple[FileResult, ...]
_NOT_KEPT = "language"
"""The kind of file whose findings are made anew each time."""


class Kept:
    """The findings that checks with the same options have found, by what the files of a unit are now.

    One object serves one run: the files of each game are listed once, and each is read again only if it has changed.
    """

    def __init__(self, options: Options) -> None:
        self._options = options
        self._around = _here(), *project.playable_games()
        self._files: dict[tuple[str, Path, bool], frozenset[Path]] = {}
        self._digests: dict[Path, tuple[Stamp, str]] = {}

    def key(self, unit: Unit) -> str:
        """A digest of all that the findings of a unit depend on, as it is at this moment."""
        # Each group begins with an empty part, so that the same parts in other groups have another key.
        return store.key(*(part for group in self._parts(unit) for part in ("", *group)))

    def read(self, key: str) -> Found | None:
        """The findings of an earlier check; None if there was none or anything has changed since."""
        found: Found | None = store.get("findings", key) if self._is_used() else None
        return found

    def keep(self, unit: Unit, key: str, found: Found) -> None:
        """Keeps the findings of a unit, if nothing has changed since the key was made.

        Those of a file of a language are not kept: they depend on other languages, and its samples on games.
        """
        if unit.kind != _NOT_KEPT and self._is_used() and self.key(unit) == key:
            store.put("findings", key, found)

    def _is_used(self) -> bool:
        """A deck that is given by its path is read by each check, so nothing is known about it here."""
        return self._options.deck is None or isinstance(self._options.deck, Source)

    def _parts(self, unit: Unit) -> Iterator[tuple[str, ...]]:
        deck = self._options.deck
        yield unit.kind, unit.game, str(unit.earlier is None)
        yield self._around
        yield tuple(f"{ruling}={option}" for ruling, option in sorted(self._options.rulings.items()))
        for source in (*unit.sources, *([deck] if isinstance(deck, Source) else [])):
            yield source.path, source.text, source.variant
            yield tuple(text for file in source.files for text in (file.path, file.text) if file is not source)
        for one in unit.earlier or ():
            yield one.name, one.command, one.release, one.text.text if one.text is not None else ""
            yield tuple(found.message for found in one.unreadable)
        yield tuple(text for path in sorted(self._beside(unit)) for text in (str(path), self._digest(path)))

    def _beside(self, unit: Unit) -> set[Path]:
        """The files that a check of a unit may read besides its own."""
        deck = self._options.deck
        own = (*unit.sources, *([deck] if isinstance(deck, Source) else ()))
        named = {path for source in own for path in named_by(source)}
        return named.union(*(self._about(unit, source.path) for source in unit.sources))

    def _about(self, unit: Unit, path: str) -> frozenset[Path]:
        where = unit.game, Path(path).parent, unit.reads_texts
        if where not in self._files:
            self._files[where] = files_about(unit.game, path, unit.reads_texts)
        return self._files[where]

    def _digest(self, path: Path) -> str:
        """A digest of the bytes of a file, "" if it cannot be read."""
        try:
            stamp = _stamp(path) if path.is_file() else None
            if stamp is None:
                return ""
            if path not in self._digests or self._digests[path][0] != stamp:
                # No check uses a larger file.
                digest = str(stamp) if stamp[1] > MAX_BYTES else digest_of(path.read_bytes())
                self._digests[path] = stamp, digest
            return self._digests[path][1]
        except OSError:
            return ""


def files_about(game: str, path: str, texts: bool = True) -> frozenset[Path]:
    """Every file of a game that a check of the file at a path may read, and the files that its spec names."""
    files = project.files_about(game, path, texts)
    specs = (read(str(file))[0] for file in files if file.name == f"{game}.yaml" and file.is_file())
    return frozenset(files).union(*(named_by(spec) for spec in specs if spec is not None))


def named_by(source: Source) -> set[Path]:
    """The files that a file names: the spreadsheet of a spec, pictures and the template of looks."""
    sheet, folder = spreadsheet_of(source), Path(source.path).parent
    drawn = _scalars(parse(source)[0]) if _LOOKS.search(source.text) else ()
    return {folder / text for text in drawn if text.endswith(_DRAWN)} | ({Path(sheet)} if sheet else set())


_LOOKS = re.compile(r"""(?:^|[{,])\s*["']?looks["']?\s*:""", re.MULTILINE)
_DRAWN = (".svg", ".png", ".jpg", ".jpeg", ".j2")


def _scalars(node: Node | None) -> Iterator[str]:
    if isinstance(node, Mapping):
        yield from (text for _, below in node.entries for text in _scalars(below))
    elif isinstance(node, Scalar):
        yield node.text


Stamp = tuple[int, int, int]
"""The inode of a file, its size in bytes and the time of its last change in nanoseconds."""


def _stamp(path: Path) -> Stamp:
    found = path.stat()
    return found.st_ino, found.st_size, found.st_mtime_ns


def _here() -> str:
    try:
        return str(Path.cwd())
    except OSError:  # the current directory was deleted
        return ""
