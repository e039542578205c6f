"""References to pages, tables, pictures and symbols that are not in the text."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from functools import cache

import regex

from rulespec.base.diagnostics import Finding
from rulespec.base.messages import say
from rulespec.text.checks.typography.folding import folded, language
from rulespec.text.checks.typography.layout import Layout, Line, layout_of
from rulespec.text.languages.record import Language, Pattern
from rulespec.text.reading.prose import Prose


@cache
def _page_mark(language: Language) -> Pattern:
    """A page break, or a page number on its own line."""
    alone = r"^[^\S\n]*+[-–—][^\S\n]*+\d{1,3}[^\S\n]*+[-–—][^\S\n]*+$"
    named = rf"^[^\S\n]*+(?:{language.page_mark or '(?!)'})[^\S\n]*+\d{{1,3}}[^\S\n]*+$"
    counted = r"^第[^\S\n]*+\d+[^\S\n]*+[頁页]$"
    return regex.compile(rf"\f|{alone}|{named}|{counted}", regex.I | regex.M)


def page_references(prose: Prose) -> Iterator[Finding]:
    """References to page numbers in a text without pages."""
    places = layout_of(prose.text).found(language(prose).page_reference)
    if places and not _page_mark(language(prose)).search(prose.text):
        message = say("“{prose}” refers to a page, but the text has no pages.", prose=prose.text[slice(*places[0])])
        yield from folded(prose, "page-reference", places, message, say("Refer to a rule or a heading by name."))


_IMAGE = regex.compile(r"!\[|<img\b", regex.I)
# A table may follow after an introduction of a few lines.
_AHEAD = 5


def missing_tables(prose: Prose) -> Iterator[Finding]:
    """References to a table or list that does not follow, and to pictures in a text without pictures."""
    layout, lang = layout_of(prose.text), language(prose)
    hint = say("Restore it, or describe it in words.")
    for start, end in layout.found(lang.table_reference):
        if not _table_follows(layout, layout.line_at(end - 1)):
            message = say("“{prose}”: no table or list follows.", prose=_one_line(prose.text[start:end]))
            yield prose.say("dangling-reference", message, start, end, hint)
    pictures = layout.found(lang.picture_reference)
    if pictures and not _IMAGE.search(prose.text):
        message = say("“{prose}”: the text has no pictures.", prose=_one_line(prose.text[slice(*pictures[0])]))
        yield from folded(prose, "dangling-reference", pictures, message, hint)


def _one_line(text: str) -> str:
    joined: str = regex.sub(r"[\s*_]+", " ", text)
    return joined.strip()


def _table_follows(layout: Layout, line: Line) -> bool:
    at = bisect_right(layout.filled, line.index, key=lambda each: each.index)
    after = layout.filled[at : at + _AHEAD]
    rows = [each for each in after if each.table or each.text.count("|") or "<t" in each.text]
    # A line that begins with a space was in a column or after a symbol, so it was part of a list.
    items = [each for each in after if each.mark or each.text[:1] in (" ", "\t") or "<li" in each.text]
    return bool(rows) or len(items) > 1


_COLON = regex.compile(r"[\p{L}\d][)»”」）]?[:：]$")


def nothing_after_colon(prose: Prose) -> Iterator[Finding]:
    """Colons at the end of the text or before a heading."""
    level = 0
    for line, after in layout_of(prose.text).followed:
        level = line.level or level
        # The colon may announce headings of a lower level.
        ends = after is None or 0 < after.level <= level
        if ends and not (line.level or line.skip) and _COLON.search(line.text.rstrip(" \t*_")):
            hint = say("Restore the list, table or picture that followed.")
            yield prose.say("dangling-reference", say("Nothing follows this colon."), line.last - 1, line.last, hint)


@cache
def _or(language: Language) -> Pattern:
    """A line start that lost the symbol in front of "or"."""
    word = language.lost_word or "(?!)"
    return regex.compile(rf"[ \t]+(?:{word})(?:[ \t]|(?=\p{{Han}}))|(?:{word})[ \t]{{2,}}(?=\S)")


_EMPTY = regex.compile(
    r"(?<![\w\]])\([ \t　]*\)|（[ \t　]*）|「[ \t　]*」|『[ \t　]*』|«[ \t]*»|“[ \t]*”"
    r"|[：:][ \t]*+[，,。；](?!\S{0,4}[)D])"
)
_SENTENCE_END = regex.compile(r"[.!?…:;。！？：；)）»”」*]\s*$")


def lost_icons(prose: Prose) -> Iterator[Finding]:
    """Places where conversion has removed a symbol."""
    layout = layout_of(prose.text)
    places = [*layout.found(_EMPTY), *_lost_at_line_starts(layout, _or(language(prose)))]
    hint = say("Restore the symbol, or describe it in words.")
    yield from folded(prose, "lost-icon", places, say("A symbol may be missing."), hint)


def _lost_at_line_starts(layout: Layout, or_: Pattern) -> Iterator[tuple[int, int]]:
    """Lines that begin with "or", and adjacent lines that begin with the space after a symbol."""
    filled = layout.filled
    seeds = {
        i
        for i, line in enumerate(filled)
        if or_.match(line.text) and (i == 0 or _SENTENCE_END.search(filled[i - 1].text))
    }
    for i in seeds:
        yield filled[i].start, _or_end(filled[i], or_)
        for step in (-1, 1):
            j = i + step
            while 0 <= j < len(filled) and j not in seeds and regex.match(r"[ \t]\S", filled[j].text):
                yield filled[j].start, filled[j].first + 1
                j += step


def _or_end(line: Line, or_: Pattern) -> int:
    match = or_.match(line.text)
    return line.start + (len(match[0].rstrip()) if match else 1)
