"""Segmentation of a raw text: lines are joined to paragraphs, paragraphs split into sentences, each with its role."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cache
from itertools import groupby

import regex

from rulespec.base.diagnostics import Span
from rulespec.text.languages.record import Language, Pattern
from rulespec.text.reading.clauses import lines, sentences
from rulespec.text.reading.mentions import Reading
from rulespec.text.rules.book import Book


class Role(StrEnum):
    """The role of a segment in a rulebook."""

    HEADING = "heading"
    COMPONENT = "component"
    RULE = "rule"
    TABLE = "table"
    EXAMPLE = "example"
    CREDITS = "credits"
    NOISE = "noise"


@dataclass(frozen=True)
class Segment:
    """`text[start:end]`: a sentence, a heading, a row of a table, or text that states no rule.

    `paragraph` counts the paragraphs and list items, `section` the headings before it.
    """

    start: int
    end: int
    role: Role
    paragraph: int
    section: int


@dataclass(frozen=True)
class _Unit:
    start: int
    end: int
    kind: str


SLACK, WIDEST = 4, 60
"""Lines within this many characters of the longest are full; wider lines are paragraphs, not wrapped ones."""

_MARKER = re.compile(r"\s*(?:[-*•·‧・–—●○◦▪■□◆◇►▶→➤✓✔]|\d{1,2}[.)、]|[IVX]{1,4}[.)]|[（(]\d{1,2}[)）])\s*(?=\S)")
_TAG = re.compile(r"</?\w{1,10}[^<>]{0,80}>")
_NUMBERS = re.compile(r"[\s\d\-+−–x×:/|,.]*")
_APART = re.compile(r"\d+(?:\s?[-–—~～]\s?\d+)?(?!\d)")
"""A number, or both ends of a range. A line with several is a row of a list, however short it is: `5 nobles 5`."""

_HEADING_MARK = re.compile(r"\s*(?:#{1,6}\s|<[A-Z][^<>]*>\s*$)")
_ENDED = re.compile(r"[.!?…:;。！？：；」』”）)]\**\s*$")
_CREDIT = re.compile(r"©|\(c\)|https?:|www\.|\.com\b", re.IGNORECASE)


@cache
def _credit(language: Language) -> Pattern:
    """Matches credits and small print, with the words of the language."""
    return regex.compile(f"{_CREDIT.pattern}|{language.credits or '(?!)'}", regex.IGNORECASE)


@cache
def _credit_heading(language: Language) -> Pattern:
    return regex.compile(language.credit_headings or "(?!)", regex.IGNORECASE)


def segments(text: str, language: Language) -> list[Segment]:
    """All segments of a text, in order; blanks and list markers belong to none."""
    found: list[Segment] = []
    section, running = 0, Role.RULE
    for paragraph, unit in enumerate(_units(text, language)):
        content = text[unit.start : unit.end]
        if unit.kind == "heading":
            section, running = section + 1, _under(content, language, running)
            role = Role.CREDITS if running == Role.CREDITS else Role.HEADING
            found.append(Segment(unit.start, unit.end, role, paragraph, section))
        elif unit.kind == "noise":
            found.append(Segment(unit.start, unit.end, Role.NOISE, paragraph, section))
        elif unit.kind == "table":
            rows = _rows(text, unit)
            found += (Segment(row.start, row.end, Role.TABLE, paragraph, section) for row in rows)
        else:
            running = Role.CREDITS if _credit(language).search(content) else running
            found += _sentences(text, language, unit, running, paragraph, section)
    return found


def _rows(text: str, unit: _Unit) -> list[Span]:
    """The rows of a table of words. A table of numbers is one segment: its rows mean nothing without their heads."""
    rows = [row for row in lines(text, unit.start, unit.end) if any(map(str.isalnum, text[row.start : row.end]))]
    worded = [row for row in rows[1:] if any(map(str.isalpha, text[row.start : row.end]))]
    return rows if "|" in text[unit.start : unit.end] and 2 * len(worded) > len(rows) else [Span(unit.start, unit.end)]


def _under(heading: str, language: Language, running: Role) -> Role:
    """The role of the text below a heading. After the credits only marked headings start another section."""
    if _credit_heading(language).search(heading) or (running == Role.CREDITS and not heading.startswith("#")):
        return Role.CREDITS
    return Role.EXAMPLE if language.example_start.match(heading) else Role.RULE


def _sentences(
    text: str, language: Language, unit: _Unit, role: Role, paragraph: int, section: int
) -> Iterator[Segment]:
    marker = _MARKER.match(text, unit.start, unit.end)
    for span in sentences(text, language, marker.end() if marker else unit.start, unit.end):
        if role == Role.RULE and language.example_start.match(text, span.start, span.end):
            role = Role.EXAMPLE  # the rest of the paragraph goes on with it
        yield Segment(span.start, span.end, role, paragraph, section)


def _units(text: str, language: Language) -> Iterator[_Unit]:
    """Headings, tables, noise and paragraphs; lines of one paragraph are joined."""
    open_: _Unit | None = None
    width = _wrapped_at(text)
    for line in lines(text):
        kind = _kind(text[line.start : line.end], language)
        if open_ is not None and open_.kind == kind == "table" and text.count("\n", open_.end, line.start) == 1:
            open_ = _Unit(open_.start, line.end, kind)
            continue
        if open_ is not None and kind in ("text", "heading?") and _runs_on(text, open_, line, language, width):
            open_ = _Unit(open_.start, line.end, "text")
            continue
        if open_ is not None:
            yield replace(open_, kind=open_.kind.rstrip("?"))
        open_ = _Unit(line.start, line.end, kind)
    if open_ is not None:
        yield replace(open_, kind=open_.kind.rstrip("?"))


def _kind(line: str, language: Language) -> str:
    stripped = line.strip()
    if _HEADING_MARK.match(line):
        return "heading"
    if not _TAG.sub("", stripped).strip():
        return "noise"
    if "|" in stripped:
        return "table"
    if _NUMBERS.fullmatch(stripped):
        return "table" if len(re.findall(r"\d+", stripped)) > 1 else "noise"
    if sum(c.isalpha() for c in stripped) < 1 + language.spaced and len(stripped) < 6:
        return "noise"
    if _MARKER.match(line):
        return "item"
    if not _like_heading(stripped, language):
        return "text"
    return "item" if len(_APART.findall(stripped)) > 1 else "heading?"


def _like_heading(line: str, language: Language) -> bool:
    """Whether a line is short, has no end mark and is not the middle of a sentence."""
    bare = line.strip("*_ ")
    if _ENDED.search(bare) or bare.endswith((",", "，", "、")) or bare[:1].islower() or re.search(r"[:：]\s*\S", bare):
        return False
    return len(bare) <= 14 if not language.spaced else bare.isupper() or len(bare.split()) <= 5


def _wrapped_at(text: str) -> int:
    """The width at which the lines of a text are wrapped, 0 if every line is a paragraph."""
    lengths = sorted(len(text[line.start : line.end].rstrip()) for line in lines(text))
    longest = lengths[-1] if lengths else 0
    full = sum(length >= longest - SLACK for length in lengths)
    return longest if longest <= WIDEST and full * 4 >= len(lengths) else 0


def _runs_on(text: str, unit: _Unit, line: Span, language: Language, width: int) -> bool:
    """Whether a line continues the unit before it."""
    # Only the last line is searched: searching the whole unit for every line would be quadratic.
    said = text[max(unit.start, text.rfind("\n", unit.start, unit.end) + 1) : unit.end]
    if _ENDED.search(said) or unit.kind not in ("text", "item", "heading?"):
        return False
    first = text[line.start : line.end].strip().lstrip('*_(（「“«"')[:1]
    near = text.count("\n", unit.end, line.start) <= 1
    if not language.spaced:
        # Chinese lines often end without a mark, so only a line that is full, or stops at a comma, runs on.
        last = said.rstrip()
        full = width > 0 and len(last) >= width - SLACK
        return near and unit.kind != "heading?" and (full or last.endswith(("，", "、", ",")))
    return first.islower() or said.rstrip().endswith(",") or (near and unit.kind != "heading?")


def with_components(found: list[Segment], reading: Reading, book: Book) -> Iterator[Segment]:
    """The segments, with the role of components for three or more consecutive counts of things in the box."""
    for listed, run in groupby(found, key=lambda segment: _is_count(segment, reading, book)):
        several = list(run)
        whole = listed and len(several) >= 3
        yield from (replace(segment, role=Role.COMPONENT) if whole else segment for segment in several)


def _is_count(segment: Segment, reading: Reading, book: Book) -> bool:
    """Whether a segment starts with a number of components, or is a component followed by its number."""
    part = reading.part(segment.start, segment.end)
    things = [m for m in part.mentions if book.is_component(m.concept)]
    if segment.role not in (Role.RULE, Role.HEADING) or not part.quantities or not things:
        return False
    number, thing = part.quantities[0], things[0]
    leading = number.start - segment.start <= 1 and 0 <= thing.start - number.end <= 3
    trailing = thing.start == segment.start and 0 <= part.quantities[-1].start - thing.end <= 3
    return leading or (trailing and segment.end - part.quantities[-1].end <= 3)
