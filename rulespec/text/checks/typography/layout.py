"""The layout of a text: lines, paragraphs, lists, words without Markdown marks, and places folded by cause."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import zip_longest
from operator import attrgetter

import regex

from rulespec.base.diagnostics import Finding
from rulespec.base.messages import NOTHING, Message, counted, sentences
from rulespec.text.languages.record import Language
from rulespec.text.languages.registry import find
from rulespec.text.reading.prose import Prose

_BREAK = regex.compile(r"\r\n|\r|\n")
_HEADING = regex.compile(r"[ ]{0,3}(#{1,6})[ \t]++")
# A marker without a space is still a marker ("-In front"). `*word*` and `**word**` are emphasis.
_ITEM = regex.compile(
    r"([ \t]*)(?:([-+*•·●▪–—])(?:[ \t]+(?=\S)|(?=\p{L}))"
    r"|((?:\d{1,2}|\p{L})[.)]|\(\d{1,2}\)|[IVX]{1,5}[.)])[ \t]+(?=\S))(.*)"
)
_RULE = regex.compile(r"[ \t]*+([-*_=])(?:[ \t]*+\1){2,}+[ \t]*+$")
_FENCE = regex.compile(r"[ \t]*(?:```|~~~)")
_CELLS = regex.compile(r"\S(?:[ ]*\t[ \t]*|[ ]{3,})\S")
_QUOTED = regex.compile(r"[ \t]*>[ \t]?")

# Code, link targets, web and e-mail addresses, and entities. `plain` has one object character for each.
_OPAQUE = regex.compile(
    r"```.*?(?:```|\Z)|`[^`\n]+`|(?<=\])\([^()\s]*\)|https?://\S+|www\.\S+|(?<![\w.+-])[\w.+-]{1,64}@[\w-]+(?:\.[\w-]+)+"
    r"|(?<![\w-])[\w-]{1,64}(?:\.[\w-]{1,64}){0,4}\.(?:com|org|net|info|ua|tw|cn|eu|io|de|fr|uk)\b(?:/\S*)?"
    r"|&(?:#\d+|[a-z]+);",
    regex.DOTALL,
)
_SEEN_AS = "\ufffc"
TAG = regex.compile(
    r"</?(?:a|b|i|u|p|s|em|strong|ol|ul|li|div|span|table|thead|tbody|tr|td|th|img|font|center|h[1-6]|hr|br|sub|sup|small|big)\b"
    r"[^<>\n]*>|<!--(?:(?!<!--).)*?-->",
    regex.I | regex.DOTALL,
)
# Emphasis marks are removed, so that the letters on both sides become adjacent.
_EMPHASIS = regex.compile(
    r"\*{1,3}(?=\S)|(?<=\S)\*{1,3}|(?<![\p{L}\d_])_{1,3}(?=[^\s_])|(?<=[^\s_])_{1,3}(?![\p{L}\d_])"
)


@dataclass(frozen=True)
class Line:
    """One line of a text at `start`; `level` is that of a Markdown heading (0: none), `mark` that of a list item.

    `body` is the text of the heading, of the item or of the line; `inset` is where it begins in the line.
    """

    index: int
    start: int
    text: str
    level: int = 0
    mark: str = ""
    indent: int = 0
    body: str = ""
    inset: int = 0
    table: bool = False
    skip: bool = False

    @property
    def first(self) -> int:
        """The offset of the first character that is not a space."""
        return self.start + len(self.text) - len(self.text.lstrip())

    @property
    def last(self) -> int:
        """The offset after the last character that is not a space."""
        return self.start + len(self.text.rstrip())

    @property
    def blank(self) -> bool:
        return not self.text.strip()


@dataclass(frozen=True)
class Paragraph:
    """Lines that belong together: a paragraph, one list item with its lines, a heading, or a table."""

    lines: tuple[Line, ...]

    @property
    def start(self) -> int:
        return self.lines[0].first

    @property
    def end(self) -> int:
        return self.lines[-1].last

    @property
    def is_prose(self) -> bool:
        """A paragraph or a list item."""
        return not (self.lines[0].level or self.lines[0].table or self.lines[0].skip)


@dataclass(frozen=True)
class Layout:
    """A text as lines and paragraphs. Offsets count code points of `text`."""

    text: str

    @cached_property
    def lines(self) -> tuple[Line, ...]:
        return tuple(_lines(self.text))

    @cached_property
    def filled(self) -> tuple[Line, ...]:
        """The lines that are not blank."""
        return tuple(line for line in self.lines if not line.blank)

    @cached_property
    def followed(self) -> tuple[tuple[Line, Line | None], ...]:
        """Every filled line with the next one; None after the last."""
        return tuple(zip_longest(self.filled, self.filled[1:]))

    @cached_property
    def paragraphs(self) -> tuple[Paragraph, ...]:
        return tuple(_find_paragraphs(self.lines))

    @cached_property
    def lists(self) -> tuple[tuple[Paragraph, ...], ...]:
        """Runs of two or more adjacent list items with the same indentation."""
        return tuple(tuple(items) for items in _lists(self.paragraphs) if len(items) > 1)

    @cached_property
    def _stripped(self) -> tuple[str, list[int]]:
        chars = list(self.text)
        # A list marker `*` is not emphasis: `_EMPHASIS` matches only stars next to a word.
        for pattern, seen in ((_EMPHASIS, ""), (TAG, ""), (_OPAQUE, _SEEN_AS)):
            for match in pattern.finditer(self.text):
                chars[match.start() : match.end()] = [seen, *[""] * (match.end() - match.start() - 1)]
        kept = [i for i, char in enumerate(chars) if char]
        return "".join(chars), [*kept, len(self.text)]

    @property
    def plain(self) -> str:
        """The text without emphasis marks and tags, with U+FFFC for code and addresses. `at` maps back to `text`."""
        return self._stripped[0]

    @property
    def at(self) -> list[int]:
        """The offset in `text` of every character of `plain`, and of its end."""
        return self._stripped[1]

    def place(self, start: int, end: int) -> tuple[int, int]:
        """The span in `text` of a span in `plain`."""
        at = self.at
        return (at[start], at[end - 1] + 1) if end > start else (at[start], at[start])

    def found(self, pattern: regex.Pattern[str] | None, group: int = 0) -> list[tuple[int, int]]:
        """The spans in `text` of all matches of a pattern in `plain`, or of one group; none without a pattern."""
        matches = pattern.finditer(self.plain) if pattern is not None else ()
        return [self.place(*match.span(group)) for match in matches]

    def line_at(self, offset: int) -> Line:
        """The line that an offset of `text` lies on."""
        return self.lines[max(0, bisect_right(self.lines, offset, key=attrgetter("start")) - 1)]


@lru_cache(maxsize=8)
def layout_of(text: str) -> Layout:
    """The layout of a text. It is cached, because every check needs it."""
    return Layout(text)


def _lines(text: str) -> Iterator[Line]:
    start, code = 0, False
    for index, piece in enumerate(_BREAK.split(text)):
        fence = bool(_FENCE.match(piece))
        yield _line(index, start, piece, code or fence)
        code = code != fence
        start += len(piece)
        start += 2 if text.startswith("\r\n", start) else 1


def _line(index: int, start: int, text: str, code: bool) -> Line:
    if code or _RULE.match(text):
        return Line(index, start, text, body=text, skip=True)
    if heading := _HEADING.match(text):
        # Signs behind a heading close it. Stripped by hand: a pattern would try each place where they may begin.
        body = text[heading.end() :].rstrip(" \t").rstrip("#").rstrip(" \t")
        return Line(index, start, text, level=len(heading[1]), body=body, inset=heading.end())
    item = _ITEM.match(text)
    is_emphasis = item and item[2] == "*" and item.start(4) == item.end(2) and "*" in item[4]
    if item and not is_emphasis:
        mark = item[2] or item[3]
        indent = len(item[1].expandtabs(4))
        return Line(index, start, text, mark=mark, indent=indent, body=item[4], inset=item.start(4))
    quote = _QUOTED.match(text)
    inset = quote.end() if quote else 0
    table = text.count("|") > 1 or text.rstrip().endswith(" |") or bool(_CELLS.search(text))
    return Line(index, start, text, body=text[inset:], inset=inset, table=table)


def _find_paragraphs(lines: tuple[Line, ...]) -> Iterator[Paragraph]:
    current: list[Line] = []
    for line in lines:
        before = current[-1] if current else line
        begins = line.mark or line.level or before.level or line.skip != before.skip or line.table != before.table
        if current and (line.blank or begins):
            yield Paragraph(tuple(current))
            current = []
        if not line.blank:
            current.append(line)
    if current:
        yield Paragraph(tuple(current))


def _kind(mark: str) -> str:
    """The kind of a list marker: all bullets are one kind, and numbers in one style are one kind."""
    return regex.sub(r"[IVX]+", "I", regex.sub(r"\d+", "1", mark)) if len(mark) > 1 else "-"


def _lists(paragraphs: tuple[Paragraph, ...]) -> Iterator[list[Paragraph]]:
    """Runs of one or more list items."""
    open_lists: dict[int, list[Paragraph]] = {}
    for paragraph in paragraphs:
        head = paragraph.lines[0]
        if not head.mark:
            yield from open_lists.values()
            open_lists = {}
            continue
        for deeper in [indent for indent in open_lists if indent > head.indent]:
            yield open_lists.pop(deeper)
        items = open_lists.setdefault(head.indent, [])
        if items and _kind(items[-1].lines[0].mark) != _kind(head.mark):
            yield items
            items = open_lists[head.indent] = []
        items.append(paragraph)
    yield from open_lists.values()


Offsets = tuple[int, int]

# More line numbers would make the message longer than two lines of a terminal.
_MOST_LINES = 8


def folded(
    prose: Prose, name: str, places: Iterable[Offsets], message: Message, hint: Message = NOTHING
) -> Iterator[Finding]:
    """One finding at the first place (offsets in the text). Its message lists the lines of the other places."""
    found = sorted(set(places))
    if found:
        message = sentences(message, _others(prose, found[1:])) if found[1:] else message
        yield prose.say(name, message, *found[0], hint)


def _others(prose: Prose, places: list[Offsets]) -> Message:
    numbers = [prose.source.position(prose.place(*place).start).line for place in places]
    lines = sorted(set(numbers))
    shown = counted("line {lines}", "lines {lines}", len(lines), lines=lines[:_MOST_LINES])
    if more := len(lines[_MOST_LINES:]):
        shown = counted("{lines} and {number} further line", "{lines} and {number} further lines", more, lines=shown)
    return counted("{number} more: {lines}.", "{number} more: {lines}.", len(places), lines=shown)


def language(prose: Prose) -> Language:
    """The language of a text; one without data if there is no record of it, so that its checks find nothing."""
    return find(prose.lang)
