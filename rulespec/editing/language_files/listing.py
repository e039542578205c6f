"""The languages of a project: those of its texts and glossaries, and those with files of their own."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from rulespec.base.project import Project
from rulespec.base.source import read
from rulespec.text.glossary.concepts import read as read_glossary
from rulespec.text.languages.record import Language
from rulespec.text.languages.registry import find as find_language

_LANG = re.compile(r"^lang:[ \t]*[\"']?([A-Za-z0-9_-]+)", re.MULTILINE)

SOURCES = ("project", "package", "CLDR", "unknown")
"""Where a language comes from."""


@dataclass(frozen=True)
class Listed:
    """A language in use: its level, where it comes from, the folder of its record, and how many texts are in it.

    `folder` is "" for a language without a record.
    """

    tag: str
    name: str
    level: int
    source: str
    folder: str
    texts: int


def listed(project: Project) -> list[Listed]:
    """The languages of a project, by tag. Those of its folder `languages` must be in use."""
    counts: dict[str, int] = {}
    for path in sorted(project.translations.rglob("*.yaml")):
        source, _ = read(path)
        stated = _LANG.search(source.text) if source is not None else None
        if stated is not None:
            counts[stated[1]] = counts.get(stated[1], 0) + 1
    own = (path.parent.name for path in project.languages.glob("*/language.yaml"))
    tags = sorted({*counts, *own, *_of_glossaries(project)})
    return [_listed(tag, find_language(tag), project, counts.get(tag, 0)) for tag in tags]


def _listed(tag: str, language: Language, project: Project, texts: int) -> Listed:
    folder = next(iter(language.folders), None)
    if not language.level:
        source = SOURCES[3]
    elif folder is None:
        source = SOURCES[2]
    else:
        source = SOURCES[0] if folder.absolute().is_relative_to(project.languages.absolute()) else SOURCES[1]
    return Listed(tag, language.name, language.level, source, str(folder or ""), texts)


def _of_glossaries(project: Project) -> Iterator[str]:
    for path in sorted(project.glossaries.glob("*.yaml")):
        source, _ = read(path)
        known = read_glossary(source)[0] if source is not None else None
        yield from known.languages() if known is not None else ()
