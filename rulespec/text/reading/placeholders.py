"""Placeholders in the texts of cards: `{draws}`, or with the form of a noun that the number takes in the language.

The forms are those of ICU's MessageFormat: `{draws, plural, one {# card} other {# cards}}`, by the plural categories of
CLDR, with `=1` for a single number and `#` for the number itself.
https://unicode-org.github.io/icu/userguide/format_parse/messages/
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches

from rulespec.base.diagnostics import Span
from rulespec.base.messages import Message, quoted, say
from rulespec.language.document.nodes import Scalar
from rulespec.text.languages.morphology import category

_FORM = r"(=\d+|[a-z]+)\s*\{([^{}]*)\}"
_EACH = re.compile(_FORM)
_PLACE = re.compile(
    r"\{\s*([A-Za-z_]\w*(?:\[\w+\])?)\s*(?:,\s*plural\s*,((?:\s*(?:=\d+|[a-z]+)\s*\{[^{}]*\})+)\s*)?\}|[{}]"
)


@dataclass(frozen=True)
class Problem:
    """What is wrong with a placeholder, which stays as it is written: its place in the text that is filled."""

    start: int
    end: int
    message: Message
    hint: Message


@dataclass(frozen=True)
class Filled(Scalar):
    """A text with numbers in place of its placeholders, at the places of what is written in the file.

    `starts` and `ends` are the offsets in the text as it is written, for each character of this one."""

    written: Scalar
    starts: tuple[int, ...] = field(repr=False)
    ends: tuple[int, ...] = field(repr=False)
    problems: tuple[Problem, ...] = ()

    def offset(self, index: int) -> int:
        """The source offset of character `index`; in a number that of its placeholder."""
        return self.written.offset((*self.starts, len(self.written.text))[max(0, min(index, len(self.text)))])

    def value_span(self, start: int, end: int) -> Span:
        """The source span of `text[start:end]`, with the whole of each placeholder that it touches."""
        if start >= end:
            return self.written.value_span(*2 * [(*self.starts, len(self.written.text))[min(start, len(self.text))]])
        return self.written.value_span(self.starts[start], self.ends[min(end, len(self.text)) - 1])


def filled(text: Scalar, numbers: Mapping[str, int], lang: str) -> Scalar:
    """A text in a language (a BCP 47 tag) with numbers in place of the placeholders that name them; the text itself if
    it has none."""
    pieces, starts, ends, problems = list[str](), list[int](), list[int](), list[Problem]()
    for start, end, piece, wrong in _pieces(text.text, numbers, lang):
        at = len(starts)
        whole = piece is None
        said = text.text[start:end] if piece is None else piece
        pieces.append(said)
        starts += range(start, end) if whole else [start] * len(said)
        ends += range(start + 1, end + 1) if whole else [end] * len(said)
        if wrong is not None:
            problems.append(Problem(at, len(starts), *wrong))
    if "".join(pieces) == text.text and not problems:
        return text
    parts = (text.span, text.value, "".join(pieces), text.style, text.source)
    return Filled(*parts, text, tuple(starts), tuple(ends), tuple(problems))


_Wrong = tuple[Message, Message]
_Piece = tuple[int, int, str | None, _Wrong | None]
"""A part of a text from an offset to another, what stands in its place, None for itself, and what is wrong with it."""


def _pieces(text: str, numbers: Mapping[str, int], lang: str) -> Iterator[_Piece]:
    last = 0
    for place in _PLACE.finditer(text):
        yield last, place.start(), None, None
        said, wrong = _said(place, numbers, lang)
        yield place.start(), place.end(), said, wrong
        last = place.end()
    yield last, len(text), None, None


def _said(place: re.Match[str], numbers: Mapping[str, int], lang: str) -> tuple[str | None, _Wrong | None]:
    """What stands in place of a placeholder, or what is wrong with it."""
    name, forms = place[1], place[2]
    if name is None:
        hint = say("Write it like `{draws}`, or `{draws, plural, one {# card} other {# cards}}`.")
        return None, (say("This brace belongs to no placeholder."), hint)
    if name not in numbers:
        return None, (say("The card has no number `{name}`.", name=name), _instead(name, numbers))
    number = numbers[name]
    if forms is None:
        return str(number), None
    by_category, wanted = dict(_EACH.findall(forms)), category(number, lang) or "other"
    form = next((by_category[key] for key in (f"={number}", wanted, "other") if key in by_category), None)
    if form is None:
        message = say("`{name}` is {number} and needs the form `{form}`.", name=name, number=number, form=wanted)
        return None, (message, say("Add `{form}`, such as `{form} {{# …}}`.", form=wanted))
    return form.replace("#", str(number)), None


def _instead(name: str, numbers: Mapping[str, int]) -> Message:
    near = get_close_matches(name, numbers, n=1)
    if near:
        return say("Did you mean `{name}`?", name=near[0])
    if numbers:
        return say("Its numbers are {names}.", names=quoted(list(numbers)))
    return say("Write the number, or give the member an attribute.")
