"""The declared name at a place of a file, and its references in all files of a game."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path as FilePath

from rulespec.base import project
from rulespec.base.diagnostics import Span
from rulespec.base.source import Source, read
from rulespec.editing.editors.cells import is_of_sheet
from rulespec.editing.editors.pieces import readable
from rulespec.editing.editors.places import Place, place_at, places
from rulespec.editing.editors.schemas import is_word, schema_of
from rulespec.editing.file_kinds import game_of, kind_of, spec_of
from rulespec.editing.renaming.targets import Target, targets
from rulespec.language.document import parse

PROSE = frozenset(("title", "note", "question", "text", "says", "sources", "source", "origin", "preferred", "version"))
"""Keys of texts that players and editors read, in which a word is no reference."""

_OF_RULES = frozenset(("id", "fires", "not_fires", "at", "defined_by", "names", "after", "before"))
_BY_RULE = frozenset(("rules", "rulings", "states"))


@dataclass(frozen=True)
class Declared:
    """A name, the spec that declares it, and where it stands in a file."""

    spec: Source
    target: Target
    span: Span


@dataclass(frozen=True)
class Reference:
    """A place in a file where a name is written."""

    source: Source
    span: Span


def spec_source(source: Source) -> Source | None:
    """The spec that a file is about, or the file itself if it is one."""
    kind = kind_of(source)
    if kind is not None and kind.name == "spec":
        return source
    path = spec_of(source)
    return read(project.shown(path))[0] if game_of(source) and FilePath(path).is_file() else None


def declared(source: Source, offset: int, spec: Source | None = None) -> Declared | None:
    """The name at an offset of a file, as it is declared in `spec` (default: that of the file on disk)."""
    spec = spec or spec_source(source)
    root, own = readable(source), readable(spec) if spec is not None else None
    place = place_at(root, offset) if root is not None else None
    if place is None or own is None or spec is None:
        return None
    every = ((one, span) for one in targets(own) for span in spans(place, one, source))
    fitting = [(one, span) for one, span in every if span.start <= offset <= span.end]
    here = [(one, span) for one, span in fitting if spec == source and one.span.start <= offset <= one.span.end]
    best = here or sorted(fitting, key=lambda found: -len(found[0].full if found[0].owner else found[0].name))
    return Declared(spec, *best[0]) if best else None


def references(of: Declared, opened: Iterable[Source] = ()) -> Iterator[Reference]:
    """The places of a name in all files of its game; files that are `opened` in an editor are as they are there."""
    for file in files_of(of.spec, opened):
        root = parse(file)[0] if of.target.name in file.text else None
        for place in places(root) if root is not None else ():
            yield from (Reference(file, span) for span in spans(place, of.target, file))


def files_of(spec: Source, opened: Iterable[Source] = ()) -> Iterator[Source]:
    """A spec and all other files of its game; files that are `opened` in an editor are as they are there."""
    yield from _files(spec, {FilePath(one.path).absolute(): one for one in opened})


def _files(spec: Source, opened: dict[FilePath, Source]) -> Iterator[Source]:
    yield spec
    root = parse(spec)[0]
    found = (one.node.text for one in places(root) if one.path == ("game", "id")) if root is not None else iter(())
    game = next((text for text in found if text != "id"), "")
    own = project.of(spec.path)
    paths = {path.absolute() for path in own.files(game) if path.suffix in (".yaml", ".yml")} if game else set()
    # Releases use the names, too, but they stay as players have them.
    for path in sorted(paths - {FilePath(spec.path).absolute()} - {one.absolute() for one in own.releases(game)}):
        file = opened.get(path) or (read(project.shown(str(path)))[0] if path.is_file() else None)
        if file is not None:
            yield file


def spans(place: Place, target: Target, source: Source) -> Iterator[Span]:
    """The places of a name in a scalar, if the scalar may refer to it."""
    if target.name in place.node.text and _may_refer(place, target, source):
        node = place.node
        for match in target.pattern.finditer(node.text):
            yield Span(node.offset(match.end(1)), node.offset(match.end()))


def _may_refer(place: Place, target: Target, source: Source) -> bool:
    keys = [step for step in place.path if isinstance(step, str)]
    if is_of_sheet(place):
        return False
    if target.kind == "rule":
        if place.is_key:
            return len(keys) > 1 and keys[-2] in _BY_RULE
        return place.key in _OF_RULES
    if place.is_key:
        return not is_word(schema_of(source), place.path) if schema_of(source) else True
    return place.key not in PROSE and (place.key != "id" or target.kind == "ruling")
