"""Numbers of headings and list items: mixed styles, gaps, repetitions; references to what is missing."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache, lru_cache

import regex

from rulespec.base.diagnostics import Finding
from rulespec.base.messages import say
from rulespec.text.checks.typography.layout import Layout, Line, folded, language, layout_of
from rulespec.text.languages.record import Language, Pattern
from rulespec.text.reading.prose import Prose

# "2. Text", "II) Text", "(2) text", "二、文". Before Han characters the space is optional. Letters are not included:
# "A. Finn" and "A. If all agree" are more often names or sentences than numbers. A word with a capital may stand before
# a number in figures: "Step 2. Bid", "КРОК 2: СТАВКИ".
_NUMBER = regex.compile(
    r"[ \t]*(?:#{1,6}[ \t]+)?(?:\*\*)?(?:[§№][ \t]*|(?P<label>\p{Lu}\p{L}{2,})[ \t]+(?=\d+[.:]))?"
    r"(?P<open>\(|（)?(?:(?P<arabic>\d{1,2})|(?P<roman>[IVXІХ]{1,5})"
    r"|(?P<han>[一二三四五六七八九]?十[一二三四五六七八九]?|[一二三四五六七八九]))(?P<close>[.)、）．:])"
    r"(?:[ \t]+(?=\d{1,2}[ \t]*\p{L})|(?:[ \t]+|(?=[\p{Han}]))(?=[^\s\d]))(?P<text>.*)"
)
_ROMAN = {"I": 1, "V": 5, "X": 10}
_HAN = {char: i for i, char in enumerate("一二三四五六七八九", 1)}


@dataclass(frozen=True)
class ListItem:
    """A numbered line. `span` is the span of its number; `style` is how it is written, with the word before it."""

    line: Line
    span: tuple[int, int]
    shown: str
    label: str
    style: str
    value: int
    text: str


@dataclass
class _Series:
    """Numbered lines that count up by one."""

    items: list[ListItem] = field(default_factory=list)
    texts: set[tuple[int, str]] = field(default_factory=set)
    """The numbers and texts of the items, so that a second one of the same text is known at once."""

    def add(self, item: ListItem) -> None:
        self.items.append(item)
        if item.text:
            self.texts.add((item.value, item.text))

    @property
    def last(self) -> ListItem:
        return self.items[-1]

    @property
    def may_be_keys(self) -> bool:
        """Whether the numbers may be the keys of rows, which need not count up: "Players 2: …", "Players 4: …"."""
        return bool(self.items[0].label) and [item.value for item in self.items[:2]] != [1, 2]


@dataclass(frozen=True)
class Break:
    """`item` does not continue `before`, in style or in number."""

    what: str
    item: ListItem
    before: ListItem


def mixed_numbering(prose: Prose) -> Iterator[Finding]:
    """Series such as "I.", "2.", and headings without the number that an overview gives them."""
    layout = layout_of(prose.text)
    series, breaks = _rows(layout)
    for each in breaks:
        if each.what == "style":
            message = say(
                "“{shown}” follows “{before}” in another style.", shown=each.item.shown, before=each.before.shown
            )
            hint = say("Number the whole series in one style.")
            yield prose.say("mixed-numbering", message, *each.item.span, hint)
    for line, announced in _lost_numbers(layout, series):
        message = say("The heading has no number. The overview gives it “{shown}”.", shown=announced.shown)
        hint = say("Number all headings of the series, or none.")
        yield prose.say("mixed-numbering", message, line.first, line.last, hint)


def numbering_gaps(prose: Prose) -> Iterator[Finding]:
    """Numbers that are missing, repeated or out of order."""
    for each in _rows(layout_of(prose.text))[1]:
        shown, before = each.item.shown, each.before.shown
        message = {
            "gap": say("“{shown}” follows “{before}”: a number is missing between them.", shown=shown, before=before),
            "twice": say("“{shown}” occurs twice in one series.", shown=shown),
            "back": say("“{shown}” follows “{before}”: the numbers are out of order.", shown=shown, before=before),
        }.get(each.what)
        if message is not None:
            yield prose.say(
                "numbering-gap", message, *each.item.span, say("Correct the numbers, or restore the missing item.")
            )


def sibling_levels(prose: Prose) -> Iterator[Finding]:
    """Headings of one numbered series on different Markdown levels."""
    for series in _rows(layout_of(prose.text))[0]:
        levels = [item.line.level for item in series.items]
        wanted = max(set(levels), key=lambda level: (levels.count(level), -levels.index(level)))
        odd = [item for item in series.items if item.line.level != wanted and item.line.level and wanted]
        if odd:
            message = say(
                "“{shown} {odd}” has level {level}, the rest of its series {wanted}.",
                shown=odd[0].shown,
                odd=odd[0].text,
                level=odd[0].line.level,
                wanted=wanted,
            )
            places = [(item.line.first, item.line.last) for item in odd]
            yield from folded(
                prose, "heading-level", places, message, say("Start it with {marks}.", marks="#" * wanted)
            )


def items(layout: Layout) -> Iterator[ListItem]:
    """All numbered lines of a text."""
    for line in layout.filled:
        match = None if line.skip or line.table else _number(line.text)
        read = _read(match) if match else None
        if match and read:
            start, end = match.span("open")[0] if match["open"] else match.span(read[0])[0], match.end("close")
            shown = line.text[start:end]
            label, span = match["label"] or "", (line.start + start, line.start + end)
            style = f"{label}{match['open'] or ''}{read[0]}{match['close']}"
            yield ListItem(line, span, shown, label, style, read[1], _bare(match["text"]))


def _number(text: str) -> regex.Match[str] | None:
    """The number at the start of a line. A colon follows it only after a word: "2: …" may be the key of a row."""
    match = _NUMBER.match(text)
    return match if match and (match["label"] or match["close"] != ":") else None


def _read(match: regex.Match[str]) -> tuple[str, int] | None:
    if match["arabic"]:
        return "arabic", int(match["arabic"])
    if match["roman"]:
        values = [_ROMAN[char] for char in match["roman"].translate(str.maketrans("ІХ", "IX"))]
        return "roman", sum(-v if v < w else v for v, w in zip(values, [*values[1:], 0], strict=True))
    if match["han"]:
        tens, ten, ones = match["han"].rpartition("十")
        return "han", 10 * _HAN.get(tens, len(ten)) + _HAN.get(ones, 0)
    return None


def _bare(text: str) -> str:
    bare: str = regex.sub(r"[\s*_#]+", " ", text)
    return bare.strip()


@lru_cache(maxsize=8)
def _rows(layout: Layout) -> tuple[list[_Series], list[Break]]:
    done: list[_Series] = []
    stack: list[_Series] = []
    breaks: list[Break] = []
    for item in items(layout):
        while stack and item.line.mark and item.line.indent < stack[-1].last.line.indent:
            stack.pop()
        before = (item.style, item.value - 1)
        places = range(len(stack) - 1, -1, -1)
        home = next((at for at in places if (stack[at].last.style, stack[at].last.value) == before), None)
        if home is not None:
            del stack[home + 1 :]
            stack[home].add(item)
            continue
        flaw = None if item.value == 1 else _flaw(stack, item)
        if flaw is not None:
            at, what = flaw
            breaks.append(Break(what, item, stack[at].last))
            del stack[at + 1 :]
            stack[at].add(item)
            continue
        if item.value == 1:
            stack = [
                each for each in stack if each.last.style != item.style or each.last.line.indent < item.line.indent
            ]
        stack.append(_Series())
        stack[-1].add(item)
        done.append(stack[-1])
    return done, breaks


def _flaw(stack: list[_Series], item: ListItem) -> tuple[int, str] | None:
    """The series and the mistake of an item that continues no open series; None if the item starts a new series."""
    for at in range(len(stack) - 1, -1, -1):
        last = stack[at].last
        follows = last.style != item.style and last.value == item.value - 1
        # After several items of one style, only an item on the next line continues their series.
        if follows and (len(stack[at].items) == 1 or last.line.index == item.line.index - 1):
            return at, "style"
    for at in range(len(stack) - 1, -1, -1):
        last = stack[at].last
        if last.style != item.style or last.line.indent != item.line.indent or stack[at].may_be_keys:
            continue
        if (item.value, item.text) in stack[at].texts:
            return None  # an overview and the heading it announces
        if item.value > last.value and len(stack[at].items) >= (1 if item.value == last.value + 2 else 2):
            return (at, "gap") if item.value - last.value <= 3 else None
        return at, "twice" if item.value == last.value else "back"
    return None


def _lost_numbers(layout: Layout, series: list[_Series]) -> Iterator[tuple[Line, ListItem]]:
    """Lines without the number that an overview gives them, if another line of the overview has its number."""
    numbered: dict[tuple[str, str], list[ListItem]] = {}
    for each in series:
        for item in each.items:
            numbered.setdefault((item.text.lower(), item.shown), []).append(item)
    bare: dict[str, Line] | None = None
    for each in series:
        lone = [item for item in each.items if len(numbered[item.text.lower(), item.shown]) == 1]
        if len(lone) == len(each.items) or len(each.items) < 2:
            continue
        if bare is None:
            bare = {_bare(line.body).lower(): line for line in layout.filled if not _number(line.text)}
        for item in lone:
            line = bare.get(item.text.lower())
            if line is not None:
                yield line, item


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
