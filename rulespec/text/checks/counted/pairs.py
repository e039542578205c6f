"""Numbers of a text with the words right after them, and the words before them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

import regex

from rulespec.text.languages.quantity import Kind, Quantity

_KINDS = (Kind.CARDINAL, Kind.ARTICLE, Kind.SIGNED, Kind.RANGE)

_WORD = r"\p{L}+(?:['’ʼ]\p{L}+)*"
_GAP = r"[*_]{0,3}[ \u00a0\u202f\u2009]+[*_«“\"]{0,3}"
_NEXT = regex.compile(rf"{_GAP}(?P<word>{_WORD})(?![\p{{L}}\d'’ʼ]|[-‐‑]\p{{L}})")
_TOKEN = regex.compile(
    rf"(?P<word>{_WORD}(?:[-‐‑]{_WORD})*)|(?P<number>\d+)|(?P<mark>[^\s\p{{L}}\d*_«»“”\"]+)|(?P<line>\n)"
)
_END = regex.compile(r"[.!?…]+[»”\")*_]*\s|\n")
_DECIMAL = regex.compile(r"\d+[.,]\d+")
_WHOLE_BEFORE = regex.compile(r"(?<![\d,.])(\d+),$")
_MOST_WORDS = 4
_LOOK_BACK = 300
_LONGEST = 8
_NEAR = 120

NUMBER, MARK, DASH, LINE = "0", ",", "—", "\n"
"""How a number, marks, a dash and a line break stand in `before`."""
BREAKS = frozenset((MARK, DASH, LINE))


@dataclass(frozen=True)
class Word:
    """A word at `text[start:end]`."""

    start: int
    end: int
    text: str


class Mismatch(NamedTuple):
    """A word whose form does not agree with a number, as it is written, and the forms that do; none if unknown."""

    word: Word
    number: str
    right: tuple[str, ...]


@dataclass(frozen=True)
class Pair:
    """A number at `text[start:end]` and the words after it.

    `value` decides the plural category: of a range it is the upper end. `word` is the last word of a number in words,
    else "". `said` is the number as it is written. `listed` is the last figure of a number with a comma, which may be a
    list, else 0.
    """

    start: int
    end: int
    value: Fraction
    word: str
    said: str
    kind: Kind
    words: tuple[Word, ...]
    text: str
    listed: int = 0

    def before(self) -> list[str]:
        """The words of the sentence before the number from right to left, in lower case, with marks and numbers.

        At the start of a line it goes on in the line before, if that ends with a colon.
        """
        return _before(self.text, self.start)

    def after(self) -> list[str]:
        """The words of the clause after the number, in lower case."""
        at = self.end
        stop = regex.search(r"[.!?…;,:\n]", self.text, pos=at, endpos=at + _LOOK_BACK)
        rest = self.text[at : stop.start() if stop else at + _LOOK_BACK]
        return [found[0].lower() for found in regex.finditer(_WORD, rest)]

    @property
    def is_in_list(self) -> bool:
        """Whether other numbers stand near, and the number begins a part of the sentence."""
        first = next(iter(self.before()), LINE)
        near = self.text[max(0, self.start - _NEAR) : self.start] + self.text[self.end : self.end + _NEAR]
        return first in BREAKS and regex.search(r"\d", near) is not None

    @property
    def is_heading(self) -> bool:
        """Whether the number, at the start of a line, may be that of a heading: “5 Cards”."""
        line = self.text.rfind("\n", 0, self.start) + 1
        return self.words[0].text[:1].isupper() and self.text[line : self.start].strip(" *_#-•·–—") == ""


def pairs_in(text: str, quantities: Sequence[Quantity]) -> Iterator[Pair]:
    """Every number that counts something with words right after it."""
    for one in quantities:
        is_counted = one.kind in _KINDS or (one.kind is Kind.FRACTION and _DECIMAL.fullmatch(text, one.start, one.end))
        if is_counted and _is_apart(text, one.start):
            found = _pair(text, one)
            if found is not None:
                yield found


def _pair(text: str, one: Quantity) -> Pair | None:
    words = tuple(_words(text, one.end))
    value = abs(one.high if one.high is not None else one.value)
    said = text[one.start : one.end]
    start, listed = one.start, int(said.partition(",")[2] or 0) if _DECIMAL.fullmatch(said) else 0
    whole = _WHOLE_BEFORE.search(text[max(0, start - _LONGEST) : start]) if said.isdecimal() else None
    if whole is not None:
        start, value, listed = start - len(whole[0]), Fraction(f"{whole[1]}.{said}"), int(said)
    if not words:
        return None
    last = regex.search(rf"{_WORD}$", said)
    return Pair(start, one.end, value, last[0] if last else "", text[start : one.end], one.kind, words, text, listed)


def _words(text: str, at: int) -> Iterator[Word]:
    for _ in range(_MOST_WORDS):
        found = _NEXT.match(text, at)
        if found is None:
            return
        yield Word(found.start("word"), found.end("word"), found["word"])
        at = found.end("word")


def _is_apart(text: str, start: int) -> bool:
    """Whether a number is no part of a label such as №5, ×2 or 1/2."""
    return regex.search(r"[№#§×/=:^\p{L}\d]$|(?:№|#|§|×)\s$", text[max(0, start - 2) : start]) is None


def _before(text: str, start: int) -> list[str]:
    begin = max(0, start - _LOOK_BACK)
    head = text[begin:start]
    ends = [found.end() for found in _END.finditer(head)]
    at = ends[-1] if ends else 0
    own = _tokens(head[at:])
    if not any(token not in BREAKS for token in own) and at and head[:at].endswith("\n"):
        intro = head[:at].rstrip()
        while intro and not intro.endswith(":") and _is_item(intro):
            intro = intro[: intro.rfind("\n")].rstrip() if "\n" in intro else ""
        if intro.endswith(":"):
            lines = [found.end() for found in _END.finditer(intro)]
            return [LINE, *reversed(_tokens(intro[lines[-1] if lines else 0 :]))]
        return [LINE]
    return list(reversed(own))


def _is_item(text: str) -> bool:
    """Whether the last line of a text is a list item."""
    return regex.match(r"\s*(?:[-*•–—]|\d+[.)])\s", text[text.rfind("\n") + 1 :]) is not None


def _tokens(text: str) -> list[str]:
    found = []
    for token in _TOKEN.finditer(text):
        if token["word"]:
            found.append(token["word"].lower().replace("’", "'").replace("ʼ", "'"))
        else:
            mark = DASH if token["mark"] in ("—", "–", "=") else MARK
            found.append(NUMBER if token["number"] else LINE if token["line"] else mark)
    return found
