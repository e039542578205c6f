"""The names of a game wherever they are written in a file: for colours, and for the number of uses."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache

from rulespec.base.diagnostics import Span
from rulespec.base.source import Source
from rulespec.editing.editors.names import PROSE, Reference, files_of, spans, spec_source
from rulespec.editing.editors.places import Place, places
from rulespec.editing.renaming.targets import Target, targets
from rulespec.language.document import parse
from rulespec.language.document.nodes import Node

_WORD = re.compile(r"\w+")
_CALL = re.compile(r"[a-z_]+(?=\()")


@dataclass(frozen=True)
class Token:
    """A name in a file: its kind, its span, and whether it is declared there."""

    kind: str
    span: Span
    declares: bool = False


def tokens(source: Source, spec: Source | None = None) -> tuple[Token, ...]:
    """The names and functions in a file, in order; of two names at one place the longer one, as an editor shows one."""
    spec = spec or spec_source(source)
    root = parse(source)[0]
    if spec is None or root is None:
        return ()
    found: dict[Span, Token] = {}
    for place in places(root):
        for token in (*_calls(place, source, spec), *_names(place, source, spec)):
            known = found.setdefault(token.span, token)
            found[token.span] = token if token.declares and not known.declares else known
    return tuple(sorted(found.values(), key=lambda token: token.span))


def _calls(place: Place, source: Source, spec: Source) -> Iterator[Token]:
    if source == spec and not place.is_key and place.key not in PROSE:
        for call in _CALL.finditer(place.node.text):
            yield Token("function", place.node.value_span(*call.span()))


def _names(place: Place, source: Source, spec: Source) -> Iterator[Token]:
    for target, span in _named(place, source, spec):
        is_field = source.text[span.start - 1 : span.start] == "." or (place.is_key and place.path[0] == "cards")
        if is_field == (target.kind == "field") or target.kind in ("member", "answer", "rule"):
            yield Token(target.kind, span, source == spec and span == target.span)


def _named(place: Place, source: Source, spec: Source) -> Iterator[tuple[Target, Span]]:
    known = _by_word(spec)
    for word in dict.fromkeys(_WORD.findall(place.node.text)):
        for target in known.get(word, ()):
            yield from ((target, span) for span in spans(place, target, source))


@lru_cache(maxsize=8)
def _by_word(spec: Source) -> Mapping[str, tuple[Target, ...]]:
    """The names that a spec declares, by their first words."""
    found: dict[str, list[Target]] = defaultdict(list)
    for target in declarations(spec):
        found[target.name.partition(".")[0]].append(target)
    return {word: tuple(named) for word, named in found.items()}


@lru_cache(maxsize=8)
def declarations(spec: Source) -> tuple[Target, ...]:
    """The names that a spec declares, in its order."""
    root: Node | None = parse(spec)[0]
    return tuple(targets(root)) if root is not None else ()


def uses(spec: Source, opened: Iterable[Source] = ()) -> Mapping[Target, list[Reference]]:
    """The places of every name of a spec in all files of its game, without its declaration."""
    found: dict[Target, list[Reference]] = {target: [] for target in declarations(spec)}
    for file in files_of(spec, opened):
        for target, span in _all_named(file, spec):
            if file != spec or span != target.span:
                found[target].append(Reference(file, span))
    return found


@lru_cache(maxsize=32)
def _all_named(source: Source, spec: Source) -> tuple[tuple[Target, Span], ...]:
    root = parse(source)[0]
    every = places(root) if root is not None else iter(())
    return tuple(named for place in every for named in _named(place, source, spec))
