"""Names of all games of a project, found by a part of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from rulespec.base import project
from rulespec.base.diagnostics import Span
from rulespec.base.source import Source, read
from rulespec.editing.editors.outline import outline
from rulespec.editing.editors.uses import declarations
from rulespec.editing.file_kinds import kind_of

MOST = 200
"""Symbols in one answer, at most: an editor asks again with every letter."""


@dataclass(frozen=True)
class Symbol:
    """A name of a project: its kind, the file and the place where it is declared, and what it is part of."""

    name: str
    kind: str
    source: Source
    span: Span
    inside: str


def symbols(query: str, opened: Iterable[Source] = ()) -> tuple[Symbol, ...]:
    """The names in specs, the cases of scenarios and the concepts of glossaries that contain the letters of a query,
    in their order; those that contain it as it is come first. Files are those of the current project, and open ones."""
    letters = query.lower()
    found = [one for source in _files(opened) for one in _of_file(source) if _fits(letters, one.name.lower())]
    return tuple(sorted(found, key=lambda one: letters not in one.name.lower())[:MOST])


def _fits(letters: str, name: str) -> bool:
    rest = iter(name)
    return all(letter in rest for letter in letters)


def _files(opened: Iterable[Source]) -> Iterator[Source]:
    known = {Path(one.path).absolute(): one for one in opened}
    here = project.nearest()
    for game in here.games() if here is not None else ():
        own = here.releases(game) if here is not None else []
        paths = {path.absolute() for path in here.files(game) if path.suffix == ".yaml"} if here is not None else set()
        for path in sorted(paths - {one.absolute() for one in own}):
            if path not in known and path.is_file() and (source := read(project.shown(str(path)))[0]) is not None:
                known[path] = source
    yield from known.values()


def _of_file(source: Source) -> Iterator[Symbol]:
    kind = kind_of(source)
    name = kind.name if kind is not None else ""
    if name == "spec":
        yield from (Symbol(one.full, one.kind, source, one.span, source.path) for one in declarations(source))
    section, listed = _LISTED.get(name, ("", ""))
    for one in (one for part in outline(source) if part.name == section for one in part.inside) if section else ():
        yield Symbol(one.name, listed, source, one.name_span, source.path)


_LISTED = {"scenario": ("cases", "case"), "glossary": ("concepts", "concept")}
"""The section of a kind of file that has names, and what those are."""
