"""Where specs are found, with the texts and scenarios that belong to them.

A name is resolved in this order: a path as given; the nearest folder upward from the current directory that holds
`specs/` (as git finds its root); the games packaged with ftk, which are read-only. Both may hold a gallery of examples,
`specs/gallery/`, which is laid out as a project and whose games are found after the others.
"""

from __future__ import annotations

import logging
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

__all__ = [
    "CONFIRMED",
    "FOLDER",
    "FOLDER_OF_LANGUAGES",
    "JOINT",
    "WORDS",
    "Project",
    "current",
    "files_about",
    "find",
    "is_kept",
    "is_packaged",
    "is_release",
    "known_games",
    "known_variants",
    "languages_for",
    "nearest",
    "of",
    "overlay_for",
    "packaged",
    "playable_games",
    "released",
    "shown",
    "spec_for",
    "version_numbers",
]

FOLDER = "specs"
"""The name of the folder that makes the folder above it a project."""

FOLDER_OF_LANGUAGES = "languages"
"""The name of the folder of a project with a folder for each language that has files of its own."""

JOINT = "+"
"""Stands between the ids of a game and its variants, or of several variants."""

GALLERY = "gallery"
"""The name of the folder of example games in a folder of specs."""

CONFIRMED = ".spec"
"""The ending of a confirmed version: it is no YAML file of the project, and is not checked with the others."""

WORDS = ".words"
"""The ending of the words that texts of a language were confirmed with."""

_LOG = logging.getLogger(__name__)
_ID = re.compile(r"[a-z][a-z0-9_]*")
_VERSION = re.compile(r"\d{1,18}\.\d{1,18}\.\d{1,18}")
"""A released version is the name of a file, so its digits are bounded: systems refuse names above 255 bytes."""
_LONGEST, _CUT = 255, 50
"""Bytes of the name of a file, at most, and characters that are left of a longer name."""
_NUMBERS = re.compile(r"(\d{1,18})\.(\d{1,18})\.(\d{1,18})(?![\d.])")
_RELEASE = re.compile(rf"(?P<game>{_ID.pattern})@(?P<version>{_VERSION.pattern})")
_CODE = Path(__file__).resolve().parents[1]
_LEVELS = 4
"""How many folders above a file may hold its spec: `specs/translations/GAME/VARIANT/FILE.yaml` needs four."""


@dataclass(frozen=True)
class Project:
    """A folder of specs, one `GAME.yaml` for each game, with the folders of their texts and scenarios."""

    folder: Path

    def games(self) -> list[str]:
        """The ids of the games, sorted."""
        return sorted(path.stem for path in self.folder.glob("*.yaml") if path.is_file())

    def spec(self, game: str) -> Path:
        return _inside(self.folder, f"{game}.yaml")

    def glossary(self, game: str) -> Path:
        return _inside(self.glossaries, f"{game}.yaml")

    def looks(self, game: str) -> Path:
        """The file with the looks of the cards of a game."""
        return _inside(self.folder / "looks", f"{game}.yaml")

    @property
    def glossaries(self) -> Path:
        """The folder with a glossary for each game."""
        return self.folder / "glossaries"

    @property
    def languages(self) -> Path:
        """The folder with a folder for each language of the project; a gallery has those of its project."""
        return (self.folder.parent if self.folder.name == GALLERY else self.folder) / FOLDER_OF_LANGUAGES

    @property
    def translations(self) -> Path:
        """The folder with a folder for each game, which holds a file for each language."""
        return self.folder / "translations"

    def texts(self, game: str, variant: str = "") -> Path:
        """The folder with the texts of a game or of its variant: a file for each language."""
        return _inside(self.translations, game, variant)

    def reviews(self, game: str) -> Path:
        """The folder with the kept review of the text of a game in each language."""
        return _inside(self.folder / "reviews", game)

    def variants(self, game: str) -> Path:
        """The folder with an overlay for each variant of a game."""
        return _inside(self.folder / "variants", game)

    def variant(self, game: str, id_: str) -> Path:
        return _inside(self.variants(game), f"{id_}.yaml")

    def versions(self, game: str, variant: str = "") -> Path:
        """The folder with the versions of a spec, or of a variant, that texts were confirmed with."""
        return _inside(self.folder / "versions", game, variant)

    def history(self, game: str) -> Path:
        """The folder with the released versions of a game, `VERSION.yaml` for each."""
        return _inside(self.folder / "history", game)

    def releases(self, game: str) -> list[Path]:
        """The specs of the released versions of a game, from the lowest version."""
        found = [path for path in self.history(game).glob("*.yaml") if is_release(path.stem)]
        return sorted(found, key=lambda path: version_numbers(path.stem))

    def confirmed(self, game: str, variant: str = "") -> list[Path]:
        """The versions of a spec that texts were confirmed with, those of a variant before those of the game."""
        folders = [self.versions(game, variant)] if variant else []
        return [path for folder in (*folders, self.versions(game)) for path in sorted(folder.glob(f"*{CONFIRMED}"))]

    def kept(self, game: str, version: str, variant: str = "") -> list[Path]:
        """The specs that may be an older version of a game: the release of this version, and all confirmed ones."""
        released = [path for path in self.releases(game) if path.stem == version]
        return [*released, *self.confirmed(game, variant)]

    @property
    def gallery(self) -> Project:
        """The folder of example games, laid out as a project of its own."""
        return Project(self.folder / GALLERY)

    @property
    def scenarios(self) -> Path:
        """The folder with a folder of scenarios for each game."""
        return self.folder / "scenarios"

    def scenarios_of(self, game: str) -> Path:
        """The folder with the scenarios of a game."""
        return _inside(self.scenarios, game)

    def files(self, game: str, texts: bool = True) -> Iterator[Path]:
        """Every file of a game: its spec, scenarios, variants and versions, and those of languages; with `texts` its
        glossary and texts."""
        yield self.spec(game)
        for folder in (self.scenarios_of(game), self.variants(game), self.versions(game), self.history(game)):
            yield from folder.rglob("*")
        yield from self.languages.glob("*/*")
        if texts:
            yield self.glossary(game)
            yield from self.texts(game).rglob("*")
            yield from self.reviews(game).rglob("*")


def _inside(folder: Path, *names: str) -> Path:
    """A path below a folder. A name that is longer than that of a file may be is cut, so that it is not found."""
    return folder.joinpath(
        *(name if len(name.encode("utf-8", "replace")) <= _LONGEST else name[:_CUT] for name in names)
    )


def is_release(version: str) -> bool:
    """Whether a version is written as released ones are: three numbers and nothing else."""
    return _VERSION.fullmatch(version) is not None


def version_numbers(version: str) -> tuple[int, ...]:
    """The three numbers of a version `1.2.3`, with or without a pre-release; empty for any other text."""
    found = _NUMBERS.match(version)
    return tuple(map(int, found.groups())) if found else ()


def current() -> Project:
    """The project of the current directory, or the packaged games if it is in none."""
    return nearest() or packaged()


def nearest() -> Project | None:
    """The project of the nearest folder upward from the current directory that holds `specs/`."""
    try:
        here = Path.cwd()
    except OSError:  # the current directory was deleted
        return None
    # os.path.isdir is False below a folder that this user may not search; Path.is_dir raises PermissionError there.
    folders = (folder / FOLDER for folder in (here, *here.parents))
    return next((Project(folder) for folder in folders if os.path.isdir(folder)), None)


def packaged() -> Project:
    """The games packaged with ftk: next to the code if it is installed, in `specs/` of a checkout."""
    installed = _CODE / FOLDER
    return Project(installed if installed.is_dir() else _CODE.parent / FOLDER)


def of(spec: str | Path) -> Project:
    """The project of the spec at a path: the folder that the spec is in."""
    return Project(Path(spec).absolute().parent)


def is_packaged(path: str | Path) -> bool:
    """Whether a file is one of the packaged games' and therefore read-only.

    In a checkout of ftk the packaged games are the project, so there they can be written.
    """
    folder, here = packaged().folder, nearest()
    if here is not None and not _is_installed() and here.folder.resolve() == folder:
        return False
    return Path(os.path.realpath(path)).is_relative_to(folder)


def _is_installed() -> bool:
    return packaged().folder.parent == _CODE


def known_games() -> list[str]:
    """The ids of the games of the current project, or of the packaged games outside a project."""
    return current().games()


def playable_games() -> list[str]:
    """Every id that `find` resolves: the games of the current project and the packaged games, with both galleries."""
    return sorted({game for project in _projects() for game in project.games()})


def find(name: str | Path) -> str:
    """The path of a spec that is given as a path or as the id of a game; an unknown id is returned unchanged.

    `GAME@VERSION` is a released version. A folder is no spec, so an id that is also the name of a folder is the id.
    """
    path = str(name)
    if (release := _RELEASE.fullmatch(path)) and not os.path.exists(path):
        kept = (project.history(release["game"]) / f"{release['version']}.yaml" for project in _projects())
        return next((str(one) for one in kept if one.is_file()), path)
    if _ID.fullmatch(path) and (os.path.isdir(path) or not os.path.exists(path)):
        specs = (project.spec(path) for project in _projects())
        path = next((str(spec) for spec in specs if spec.is_file()), path)
    if is_packaged(path):
        _LOG.info("reading %r, one of the packaged games", path)
    return path


def released(name: str) -> tuple[str, list[str]] | None:
    """The game of a name `GAME@VERSION` and its released versions; None for any other name."""
    found = _RELEASE.fullmatch(name)
    if found is None:
        return None
    game = found["game"]
    return game, list(dict.fromkeys(path.stem for project in _projects() for path in project.releases(game)))


def spec_for(game: str, path: str) -> str:
    """The path of the spec that another file is about.

    The spec is searched in the folder of that file and the three folders above, then as `find` does.
    """
    this = Path(path).absolute()
    for folder in list(this.parents)[:_LEVELS]:
        spec = Project(folder).spec(game)
        # A glossary has the file name of its spec: in its own folder it would be found as the spec.
        if spec.is_file() and spec != this:
            return find(spec)
    return find(game)


def is_kept(path: str | Path) -> bool:
    """Whether a file is one of a released version, which stays as players have it."""
    return Path(path).absolute().parent.parent.name == "history" and is_release(Path(path).stem)


def shown(path: str) -> str:
    """A path relative to the current directory if it is inside, else the path itself."""
    if not os.path.isabs(path):
        return path
    relative = os.path.relpath(path)
    return path if relative.startswith(os.pardir) else relative


def overlay_for(game: str, variant: str, path: str) -> str:
    """The path of the overlay of a variant of a game, searched around a spec or an overlay at a path, then as `find`
    does; "" if there is none. A game of one's own has no overlays of a packaged one with its id."""
    found = (project.variant(game, variant) for project in _with_variants(game, path))
    return next((str(overlay) for overlay in found if overlay.is_file()), "")


def known_variants(game: str, path: str) -> list[str]:
    """The ids of the variants of a game whose spec is at a path."""
    found = (overlay.stem for one in _with_variants(game, path) for overlay in one.variants(game).glob("*.yaml"))
    return sorted(set(found))


def _with_variants(game: str, path: str) -> Iterator[Project]:
    own = next((project for project in _around(path) if project.spec(game).is_file()), None)
    of_packaged = own is None or is_packaged(own.folder)
    return (project for project in _around(path) if of_packaged or not is_packaged(project.folder))


def files_about(game: str, path: str, texts: bool = True) -> set[Path]:
    """Every file of a game that a check of the file at a path may read; without `texts`, a check that reads no text."""
    return {file for project in set(_around(path)) for file in project.files(game, texts)} if game else set()


def languages_for(path: str) -> Path:
    """The folder of the languages that a text or a glossary at a path is read with: that of the project around it, else
    that of the current project. It need not be there."""
    with_texts = (one for one in _around(path) if one.translations.is_dir() or one.glossaries.is_dir())
    return next(with_texts, current()).languages


def _around(path: str) -> Iterator[Project]:
    yield from (Project(folder) for folder in list(Path(path).absolute().parents)[:_LEVELS])
    yield from _projects()


def _projects() -> Iterator[Project]:
    own = [here] if (here := nearest()) is not None else []
    yield from (*own, *(project.gallery for project in own), packaged(), packaged().gallery)
