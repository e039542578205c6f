"""Pieces of a YAML file that are read alone: the entries of its sections. All else is blank, so offsets stay the same.

A mistake in one of them, or a word that is half written, leaves the others as they are."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise

from rulespec.base.diagnostics import Span
from rulespec.base.source import Source
from rulespec.language.document import parse
from rulespec.language.document.nodes import Node

_SECTION = re.compile(r"""^["'\w]""", re.MULTILINE)
_ENTRY = re.compile(r"^([ \t]*)(?![ \t#\r\n])", re.MULTILINE)
_FIRST_WORD = re.compile(r"[ \t]*(\w+)")
_LINE = re.compile(r"[^\r\n]+")
_OPENED = re.compile(r":[ \t]*(?:#[^\n]*)?\r?\n")
"""The end of a first line after which the entries of a section have lines of their own."""


def piece_at(source: Source, offset: int) -> Source:
    """The file with nothing but the entry around an offset and the first line of its section, or with nothing but the
    section if its entries have no lines of their own."""
    section = next((one for one in _sections(source) if one.start <= offset < one.end), Span(0, len(source.text)))
    entry = next((one for one in _entries(source, section) if one.start <= offset < one.end), None)
    if entry is None:
        return _only(source, section)
    return _only(source, Span(section.start, source.text.index("\n", section.start)), entry)


def keys_around(source: Source, offset: int, depth: int) -> set[str]:
    """The first words of the sections (`depth` 0) or of the entries of the section (1) around an offset, without that
    of the line there."""
    section = next((one for one in _sections(source) if one.start <= offset < one.end), None)
    spans = _sections(source) if depth == 0 or section is None else _entries(source, section)
    here = source.text.rfind("\n", 0, offset) + 1
    words = (_FIRST_WORD.match(source.text, one.start) for one in spans if one.start != here)
    return {word[1] for word in words if word is not None}


@lru_cache(maxsize=4)
def readable(source: Source) -> Node | None:
    """The document of a file; of one with mistakes in its YAML, what can be read without the entries that have them."""
    root, _ = parse(source)
    if root is not None:
        return root
    return parse(_only(source, *(span for section in _sections(source) for span in _sound(source, section))))[0]


def _sound(source: Source, section: Span) -> list[Span]:
    """What can be read of a section: all of it, or its first line and some of its entries."""
    if parse(_only(source, section))[0] is not None:
        return [section]
    head = Span(section.start, source.text.find("\n", section.start) % (len(source.text) + 1))
    entries = [one for one in _entries(source, section) if parse(_only(source, head, one))[0] is not None]
    return [head, *entries] if entries else []


def _sections(source: Source) -> Iterator[Span]:
    starts = [found.start() for found in _SECTION.finditer(source.text)]
    return (Span(*ends) for ends in pairwise((*starts, len(source.text))))


def _entries(source: Source, section: Span) -> Iterator[Span]:
    """The entries of a section; none if they have no lines of their own."""
    opened = _OPENED.search(source.text, section.start, section.end)
    if opened is None or "\n" in source.text[section.start : opened.start()]:
        return
    lines = [*_ENTRY.finditer(source.text, opened.end(), section.end)]
    starts = [one.start() for one in lines if one[1] == lines[0][1]]
    yield from (Span(*ends) for ends in pairwise((*starts, section.end)) if starts)


def _only(source: Source, *kept: Span) -> Source:
    """The file with all but some spans blank."""
    parts, at = [], 0
    for span in (*kept, Span(len(source.text), len(source.text))):
        parts += [_LINE.sub(lambda line: " " * len(line[0]), source.text[at : span.start])]
        parts += [source.text[span.start : span.end]]
        at = span.end
    return Source(source.path, "".join(parts))
