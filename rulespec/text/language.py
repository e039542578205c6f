"""What differs between the languages of rule text: how sentences end, how players are counted, how lists are joined."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from rulespec.diagnostics import Span


@dataclass(frozen=True)
class Language:
    """A language by its BCP 47 tag. `people` follows a number of players, `joint` stands between numbers of one list,
    `both` takes two things up again that were just named, `example` opens an example, `stop` ends a sentence."""

    tag: str
    name: str
    people: re.Pattern[str]
    joint: re.Pattern[str]
    both: re.Pattern[str]
    example: re.Pattern[str]
    stop: re.Pattern[str]

    @property
    def han(self) -> bool:
        """Whether words are written without spaces between them."""
        return self.tag.startswith("zh")


_SPACED_STOP = re.compile(r"(?<!\b[pс])(?<!\bсм)(?<!\bдив)(?<!\bстор)[.!?…]+[\"»”’)*_]*(?=\s|$)")
_HAN_STOP = re.compile(r"[。！？!?]+[」』”’）)*]*|;(?=\s*\n)")
_JOINT = re.compile(r"\s*[,、，/]?\s*(?:or|and|або|чи|й|і|та|或|及|和)?\s*")
_ZH_PEOPLE = re.compile(r"\s*(?:人|位|名|個玩家|个玩家)")
_ZH_BOTH = re.compile(r"[兩两](?:者|個都|个都)")
_ZH_EXAMPLE = re.compile(r"\s*[-#*>\s]*(?:\*\*)?(?:範例|示例|例如|例子|范例|舉例|举例)")

LANGUAGES: Mapping[str, Language] = {
    language.tag: language
    for language in (
        Language(
            "en",
            "English",
            re.compile(r"[\s-]*(?:players?|people|persons?)\b", re.IGNORECASE),
            _JOINT,
            re.compile(r"both", re.IGNORECASE),
            re.compile(r"[-#*>\s]*(?:for example|example|e\.g\.)", re.IGNORECASE),
            _SPACED_STOP,
        ),
        Language(
            "uk",
            "Ukrainian",
            re.compile(r"[\s-]*(?:грав(?:ець|ц)\w*|учасник\w*|ос(?:іб|оби|обам))", re.IGNORECASE),
            _JOINT,
            re.compile(r"об(?:идв|о)\w+", re.IGNORECASE),
            re.compile(r"[-#*>\s]*(?:наприклад|приклад)", re.IGNORECASE),
            _SPACED_STOP,
        ),
        Language("zh-Hant", "Traditional Chinese", _ZH_PEOPLE, _JOINT, _ZH_BOTH, _ZH_EXAMPLE, _HAN_STOP),
        Language("zh-Hans", "Simplified Chinese", _ZH_PEOPLE, _JOINT, _ZH_BOTH, _ZH_EXAMPLE, _HAN_STOP),
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


def _trimmed(text: str, start: int, end: int) -> Iterator[Span]:
    piece = text[start:end]
    if piece.strip():
        yield Span(start + len(piece) - len(piece.lstrip()), start + len(piece.rstrip()))
