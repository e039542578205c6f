"""Patches: pieces of a YAML text and what takes their place. All else in the file stays as it is, comments included."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache

from rulespec.base.diagnostics import Span
from rulespec.base.source import MappedSource, Piece, Source
from rulespec.language.document.nodes import Mapping, Node, Scalar


@dataclass(frozen=True)
class Patch:
    """A piece of a text, and what takes its place. `pieces` are the parts of the new text that come from other files,
    by their places in it."""

    span: Span
    text: str
    pieces: tuple[Piece, ...] = ()


def patched(text: str, patches: Iterable[Patch]) -> str:
    """The text after patches that do not overlap. Insertions at one place keep their order."""
    parts: list[str] = []
    end = 0
    for patch in _ordered(patches):
        parts += [text[end : patch.span.start], patch.text]
        end = patch.span.end
    return "".join([*parts, text[end:]])


def mapped(source: Source, patches: Iterable[Patch]) -> MappedSource:
    """The file after patches, with a source map: its findings are at their places in the file before, or in the files
    that parts of the patches come from."""
    every = list(_ordered(patches))
    text = patched(source.text, every)
    pieces = tuple(_pieces(source, every))
    files = tuple(dict.fromkeys((source, *(piece.source for piece in pieces))))
    return MappedSource(source.path, text, files, pieces=pieces)


def _ordered(patches: Iterable[Patch]) -> list[Patch]:
    return sorted(patches, key=lambda patch: patch.span.start)


def _pieces(source: Source, patches: Iterable[Patch]) -> Iterator[Piece]:
    """What stays of a file, by its place in the text after patches."""
    at = end = 0
    for patch in patches:
        if kept := patch.span.start - end:
            yield Piece(at, at + kept, source, end)
        at += kept
        # A text that is longer than what it replaces has no place for its rest, which counts as the end of the piece.
        yield Piece(at, at + min(len(patch.text), patch.span.end - patch.span.start), source, patch.span.start)
        yield from (replace(piece, start=at + piece.start, end=at + piece.end) for piece in patch.pieces)
        at, end = at + len(patch.text), patch.span.end
    yield Piece(at, at + len(source.text) - end, source, end)


# --- where patches go ------------------------------------------------------------------------------------------------


@lru_cache(maxsize=4)
def line_break(source: Source) -> str:
    """The line break of a file."""
    return "\r\n" if "\r\n" in source.text else "\n"


def is_flow(source: Source, node: Node) -> bool:
    """Whether a node is written in brackets."""
    return source.text[node.span.start] in "{["


def column(source: Source, key: Scalar) -> int:
    """The indentation of a key."""
    return source.position(key.span.start).column - 1


def end_of_line(source: Source, offset: int) -> int:
    """The end of the line with an offset, after a comment."""
    number = source.position(offset).line
    return source.line_start(number) + len(source.line(number))


def after(source: Source, node: Mapping) -> Span:
    """The end of the last line of a mapping, after a comment."""
    spot = end_of_line(source, node.entries[-1][1].span.end)
    return Span(spot, spot)
