"""References to pages, tables, pictures and symbols that are not in the text."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator

import regex

from rulespec.diagnostics import Finding
from rulespec.text.prose import Prose
from rulespec.text.typography.folding import folded, language
from rulespec.text.typography.layout import Layout, Line, layout_of

_PAGES = {
    "en": regex.compile(r"\b(?:on |see )?(?:pages?|pp?\.)\s*\d+(?!\s+(?:long|pages))", regex.I),
    "uk": regex.compile(r"(?<![\p{L}])(?:с|стор|стр)\.\s*\d+|\bсторін(?:ці|ку|ках|ки)\s+\d+", regex.I),
    "zh": regex.compile(r"第\s*\d+\s*(?:[-~～到至]\s*\d+\s*)?[頁页]"),
}
_PAGE_MARK = regex.compile(
    r"\f|^[^\S\n]*+[-–—][^\S\n]*+\d{1,3}[^\S\n]*+[-–—][^\S\n]*+$"
    r"|^[^\S\n]*+(?:page|сторінка|стор\.|с\.)[^\S\n]*+\d{1,3}[^\S\n]*+$|^第[^\S\n]*+\d+[^\S\n]*+[頁页]$",
    regex.I | regex.M,
)


def page_references(prose: Prose) -> Iterator[Finding]:
    """References to page numbers in a text without pages."""
    layout, pattern = layout_of(prose.text), _PAGES.get(language(prose))
    if pattern is None or _PAGE_MARK.search(prose.text):
        return
    places = [layout.place(*match.span()) for match in pattern.finditer(layout.plain)]
    if places:
        message = f"“{prose.text[slice(*places[0])]}” refers to a page, but the text has no pages."
        yield from folded(prose, "page-reference", places, message, "Refer to a rule or a heading by name.")


_TABLES = {
    "en": regex.compile(
        r"\b(?:table|chart)\s+(?:shown\s+)?(?:right\s+)?below\b|\b(?:following|below)\s+(?:table|chart)\b"
        r"|\bfollowing list\b|\blist(?:ed)? below\b",
        regex.I,
    ),
    "uk": regex.compile(
        r"\b(?:таблиц|перелі|списк)\p{Ll}+\s+нижче\b|\bнижче\s+(?:в\s+|у\s+)?(?:таблиц|перелі|списк)\p{Ll}+"
        r"|\b(?:наступн|нижченаведен)\p{Ll}+\s+(?:таблиц|перелі|списк)\p{Ll}+",
        regex.I,
    ),
    "zh": regex.compile(
        r"[如依據据照見见]?下[列方]?[的之]?(?:表格?|清單|清单|列表)(?![面達达現现示情演])|[詳详]?[見见]下方"
    ),
}
_PICTURES = {
    "en": regex.compile(
        r"\b(?:pictures?|illustrations?|images?|figures?|diagrams?|photos?|QR codes?)"
        r"\s+(?:above|below|on the (?:left|right|next page)|opposite)\b"
        r"|\b(?:as (?:shown|seen) in|see) the (?:picture|illustration|image|diagram|photo)\b",
        regex.I,
    ),
    "uk": regex.compile(
        r"\b(?:малюнк|рисунк|зображенн|ілюстраці|фото|схем|QR-код)\p{Ll}*\s+(?:вище|нижче|ліворуч|праворуч|збоку|поруч)\b"
        r"|\b(?:див\.|дивіться|як\s+на)\s+(?:малюн|рисун|зображенн|ілюстраці|фото)\p{Ll}+",
        regex.I,
    ),
    "zh": regex.compile(r"[如見见][上下左右][方側侧]?[圖图]所?示?|[上下左右][方側侧]?[圖图]所示|如[圖图]所示"),
}
_IMAGE = regex.compile(r"!\[|<img\b", regex.I)
# A table may follow after an introduction of a few lines.
_AHEAD = 5


def missing_tables(prose: Prose) -> Iterator[Finding]:
    """References to a table or list that does not follow, and to pictures in a text without pictures."""
    layout, lang = layout_of(prose.text), language(prose)
    hint = "Restore it, or describe it in words."
    places = [layout.place(*m.span()) for m in _matches(_TABLES, lang, layout.plain)]
    for start, end in places:
        if not _table_follows(layout, layout.line_at(end - 1)):
            message = f"“{_one_line(prose.text[start:end])}”: no table or list follows."
            yield prose.say("dangling-reference", message, start, end, hint)
    pictures = [layout.place(*m.span()) for m in _matches(_PICTURES, lang, layout.plain)]
    if pictures and not _IMAGE.search(prose.text):
        message = f"“{_one_line(prose.text[slice(*pictures[0])])}”: the text has no pictures."
        yield from folded(prose, "dangling-reference", pictures, message, hint)


def _matches(patterns: dict[str, regex.Pattern[str]], lang: str, plain: str) -> Iterator[regex.Match[str]]:
    pattern = patterns.get(lang)
    yield from pattern.finditer(plain) if pattern is not None else ()


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
            hint = "Restore the list, table or picture that followed."
            yield prose.say("dangling-reference", "Nothing follows this colon.", line.last - 1, line.last, hint)


_OR = regex.compile(r"[ \t]+(?:або|чи|or|或)(?:[ \t]|(?=\p{Han}))|(?:або|or|或)[ \t]{2,}(?=\S)")
_EMPTY = regex.compile(
    r"(?<![\w\]])\([ \t　]*\)|（[ \t　]*）|「[ \t　]*」|『[ \t　]*』|«[ \t]*»|“[ \t]*”"
    r"|[：:][ \t]*+[，,。；](?!\S{0,4}[)D])"
)
_SENTENCE_END = regex.compile(r"[.!?…:;。！？：；)）»”」*]\s*$")


def lost_icons(prose: Prose) -> Iterator[Finding]:
    """Places where conversion has removed a symbol."""
    layout = layout_of(prose.text)
    places = [*_empty_places(layout), *_lost_at_line_starts(layout)]
    hint = "Restore the symbol, or describe it in words."
    yield from folded(prose, "lost-icon", places, "A symbol may be missing.", hint)


def _empty_places(layout: Layout) -> Iterator[tuple[int, int]]:
    for match in _EMPTY.finditer(layout.plain):
        yield layout.place(*match.span())


def _lost_at_line_starts(layout: Layout) -> Iterator[tuple[int, int]]:
    """Lines that begin with "or", and adjacent lines that begin with the space after a symbol."""
    filled = layout.filled
    seeds = {
        i
        for i, line in enumerate(filled)
        if _OR.match(line.text) and (i == 0 or _SENTENCE_END.search(filled[i - 1].text))
    }
    for i in seeds:
        yield filled[i].start, _or_end(filled[i])
        for step in (-1, 1):
            j = i + step
            while 0 <= j < len(filled) and j not in seeds and regex.match(r"[ \t]\S", filled[j].text):
                yield filled[j].start, filled[j].first + 1
                j += step


def _or_end(line: Line) -> int:
    match = _OR.match(line.text)
    return line.start + (len(match[0].rstrip()) if match else 1)
