"""What differs between the languages of rule text: how sentences end, how players are counted, how lists are joined."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from rulespec.diagnostics import Span


@dataclass(frozen=True)
class Language:
    """A language by its BCP 47 tag. `people` follows a number of players, and `fewer` or `more` that; `aside` follows
    a number of minutes or years; `joint` stands between numbers of one list, `either` between the last two of a choice,
    `both` takes two things up again that were just named, `example` opens an example, `stop` ends a sentence."""

    tag: str
    name: str
    people: re.Pattern[str]
    fewer: re.Pattern[str]
    more: re.Pattern[str]
    aside: re.Pattern[str]
    joint: re.Pattern[str]
    either: re.Pattern[str]
    both: re.Pattern[str]
    example: re.Pattern[str]
    stop: re.Pattern[str]

    @property
    def han(self) -> bool:
        """Whether words are written without spaces between them."""
        return self.tag.startswith("zh")


_SPACED_STOP = re.compile(r"(?<!\b[pс])(?<!\bсм)(?<!\bдив)(?<!\bстор)[.!?…]++[\"»”’)*_]*+(?=\s|$)")
_HAN_STOP = re.compile(r"[。！？!?]+[」』”’）)*]*|;(?=\s*\n)")
_JOINT = re.compile(r"\s*+[,、，/]?\s*+(?:or|and|або|чи|й|і|та|或|及|和)?\s*+")
_MARKS = r"(?:[-#*>_\s]|</?\w{1,10}[^<>]{0,40}>)*"
_ZH = (
    re.compile(r"\s*(?:人|[個个位名]玩家|[位名](?!\w))"),
    re.compile(r"(?:遊戲|游戏)?(?:或)?(?:以下|更少)"),
    re.compile(r"(?:遊戲|游戏)?(?:或)?(?:以上|更多)"),
    re.compile(r"\s*(?:\+|分鐘|分钟|小時|小时|[歲岁年])"),
    _JOINT,
    re.compile(r"\s*(?:或者|或|／|/)\s*"),
    re.compile(r"[兩两]\w?(?:者|都)"),
    re.compile(_MARKS + r"(?:範例|示例|例如|例子|范例|舉例|举例)"),
)

LANGUAGES: Mapping[str, Language] = {
    language.tag: language
    for language in (
        Language(
            "en",
            "English",
            re.compile(r"[\s-]*(?:players?|people|persons?|of (?:you|us)|plays?)\b", re.IGNORECASE),
            re.compile(r"\s+or\s+(?:fewer|less)\b", re.IGNORECASE),
            re.compile(r"\s+or\s+more\b|\s+and\s+(?:up|over)\b", re.IGNORECASE),
            re.compile(r"[\s-]*(?:\+|min(?:ute)?s?\b|hours?\b|years?\b|and (?:over|up)\b)", re.IGNORECASE),
            _JOINT,
            re.compile(r",?\s*or\s*", re.IGNORECASE),
            re.compile(r"both", re.IGNORECASE),
            re.compile(_MARKS + r"(?:for example|example|e\.g\.)", re.IGNORECASE),
            _SPACED_STOP,
        ),
        Language(
            "uk",
            "Ukrainian",
            re.compile(r"[\s-]*(?:грав(?:ець|ц)\w*|учасник\w*|ос(?:іб|оби|обам)|вас\b)", re.IGNORECASE),
            re.compile(r"\s+(?:або|чи|і|й|та)\s+менше\b", re.IGNORECASE),
            re.compile(r"\s+(?:або|чи|і|й|та)\s+більше\b", re.IGNORECASE),
            re.compile(r"\s*(?:\+|хв\w*|год\w*|рок\w*|рік)", re.IGNORECASE),
            _JOINT,
            re.compile(r",?\s*(?:або|чи)\s*", re.IGNORECASE),
            re.compile(r"об(?:идв|о)\w+", re.IGNORECASE),
            re.compile(_MARKS + r"(?:наприклад|приклад)", re.IGNORECASE),
            _SPACED_STOP,
        ),
        Language("zh-Hant", "Traditional Chinese", *_ZH, _HAN_STOP),
        Language("zh-Hans", "Simplified Chinese", *_ZH, _HAN_STOP),
    )
}
"""Every language a rule text may be in."""


def lines(text: str, start: int = 0, end: int | None = None) -> Iterator[Span]:
    """The lines of a stretch of text that hold more than blanks, without their line breaks."""
    for match in re.compile(r"[^\r\n]+").finditer(text, start, len(text) if end is None else end):
        if match[0].strip():
            yield Span(match.start(), match.end())


def sentences(text: str, language: Language, start: int = 0, end: int | None = None) -> Iterator[Span]:
    """The sentences of a stretch of running text, with the marks that end them."""
    last = len(text) if end is None else end
    begin = start
    for match in language.stop.finditer(text, start, last):
        yield from _trimmed(text, begin, match.end())
        begin = match.end()
    yield from _trimmed(text, begin, last)


def paragraphs(text: str, start: int = 0, end: int | None = None) -> Iterator[Span]:
    """The paragraphs and list items of a stretch of text."""
    last = len(text) if end is None else end
    begin = start
    for match in _BORDER.finditer(text, start, last):
        yield from _trimmed(text, begin, match.start())
        begin = match.start()
    yield from _trimmed(text, begin, last)


def passages(text: str, language: Language, start: int, end: int) -> Iterator[Span]:
    """The sentences of a text with paragraphs and lists: none runs on over a blank line or into the next item."""
    for paragraph in paragraphs(text, start, end):
        yield from sentences(text, language, paragraph.start, paragraph.end)


_BORDER = re.compile(r"\n[^\S\n]*\n|\n[^\S\n]*(?=[-*•·–—|]|\d{1,2}[.)、])")


def _trimmed(text: str, start: int, end: int) -> Iterator[Span]:
    piece = text[start:end]
    if piece.strip():
        yield Span(start + len(piece) - len(piece.lstrip()), start + len(piece.rstrip()))
