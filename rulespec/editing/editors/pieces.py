"""Pieces of a YAML file that are read alone: the entries of its sections. All else is blank, so offsets stay the same.

A mistake in one of them, or a word that is half written, leaves the others as they are."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from itertools import pairwise

from rulespec.base.diagnostics import Span
from rulespec.base.source import Source
from rulespec.language.document import Mapping, Node, Sequence, parse

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
    found = [node for section in _sections(source) for node in _readable_in(source, section)]
    entries = tuple(entry for node in found for entry in node.entries)
    return replace(found[0], span=Span(0, len(source.text)), entries=entries, source=source) if found else None


def _readable_in(source: Source, section: Span) -> Iterator[Mapping]:
    root, _ = parse(_only(source, section))
    if isinstance(root, Mapping):
        yield root
        return
    head = Span(section.start, source.text.find("\n", section.start) % (len(source.text) + 1))
    read = (parse(_only(source, head, entry))[0] for entry in _entries(source, section))
    whole = [one for one in read if isinstance(one, Mapping) and len(one.entries) == 1]
    if whole:
        key = whole[0].entries[0][0]
        yield replace(whole[0], entries=((key, _joined([one.entries[0][1] for one in whole])),))


def _joined(parts: list[Node]) -> Node:
    """The entries or items of several mappings or lists in one."""
    first = parts[0]
    span = Span(first.span.start, parts[-1].span.end)
    if isinstance(first, Mapping):
        entries = [entry for one in parts if isinstance(one, Mapping) for entry in one.entries]
        return replace(first, span=span, entries=tuple(entries))
    if isinstance(first, Sequence):
        items = [item for one in parts if isinstance(one, Sequence) for item in one.items]
        return replace(first, span=span, items=tuple(items))
    return first


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
