"""Splits a text into lines, paragraphs and sentences, and those into clauses: the parts that each have a verb, with the
head line of their list.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from rulespec.base.diagnostics import Span
from rulespec.text.glossary import tokens
from rulespec.text.glossary.tokens import Token
from rulespec.text.languages.record import Language


@dataclass(frozen=True)
class Clause:
    """The clause `text[start:end]`.

    `sentence` contains it. `head` is the line that introduces the list of its item. `condition` is the condition at the
    start of its sentence; a clause that is this condition has itself.
    """

    start: int
    end: int
    sentence: Span
    head: Span | None = None
    condition: Span | None = None

    @property
    def is_condition(self) -> bool:
        return self.condition == Span(self.start, self.end)


def clauses(text: str, language: Language, start: int = 0, end: int | None = None) -> Iterator[Clause]:
    """The clauses of `text[start:end]` in order. They do not overlap; commas and spaces between them belong to none.

    A sentence is split at semicolons, colons and dashes, and where the words of the language show that a clause begins
    after a comma or a conjunction. A clause without such words is not found, so a part may have several verbs.
    """
    last = len(text) if end is None else end
    words = tokens.read(text[start:last], language.tag)
    words = [word._replace(start=word.start + start, end=word.end + start) for word in words]
    reader = _Reader(text, language, words, [word.start for word in words])
    for paragraph, head in _with_heads(text, language, start, last):
        for sentence in sentences(text, language, paragraph.start, paragraph.end):
            yield from reader.clauses(sentence, head)


# --- lists and their head lines --------------------------------------------------------------------------------------

_ITEM = re.compile(r"([^\S\n]*)(?:[-*•·–—](?=\s)|\||\d{1,2}[.)、])")
_COLONS = (":", "：")
_CLOSERS = ' \t\r\n*_”»")'


def _with_heads(text: str, language: Language, start: int, end: int) -> Iterator[tuple[Span, Span | None]]:
    """The paragraphs and the list items without their marks.

    The head of an item is the sentence before its list, if it ends in a colon.
    """
    heads: list[tuple[int, Span]] = []
    for paragraph in paragraphs(text, start, end):
        line = text.rfind("\n", 0, paragraph.start) + 1
        # From the start of its line: a paragraph is trimmed, and the indent shows the level of its list.
        item = _ITEM.match(text, line, paragraph.end)
        indent = len(item[1]) if item else -1
        heads = [(level, head) for level, head in heads if item and level < indent]
        body = Span(item.end(), paragraph.end) if item else paragraph
        yield body, heads[-1][1] if heads else None
        if text[paragraph.start : paragraph.end].rstrip(_CLOSERS).endswith(_COLONS):
            heads.append((indent, list(sentences(text, language, body.start, body.end))[-1]))


# --- clauses of a sentence -------------------------------------------------------------------------------------------

_SEMICOLON = re.compile(r"[;；]")
_COLON = re.compile(r"[:：]|\s[–—-]\s|——")
_COMMA = re.compile(r"[,，]")
_BEGINNING = re.compile(r"[\s*_>#|\-–—•·]*(?:\d{1,2}[.)、])?[\s*_(“\"«「]*")
_TRAILING = " \t\r\n\u00a0,，;；:：*_–—-"

_ARTICLE_REACH = 6
"""The most words between an article and the verb of its clause: an article, adjectives, a noun and an attribute."""


_SHORTEST_CONDITION = 3
"""The least words of a condition whose verb is not known, as “if all approve”."""


@dataclass(frozen=True, eq=False)
class _Reader:
    text: str
    language: Language
    words: Sequence[Token]
    starts: Sequence[int]

    def clauses(self, sentence: Span, head: Span | None) -> Iterator[Clause]:
        condition = self._condition(sentence)
        cuts = {sentence.start, *self._cuts(sentence)}
        if condition is not None:
            cuts = {cut for cut in cuts if not sentence.start < cut < condition.end} | {condition.end}
        ordered = sorted(cuts)
        for start, end in zip(ordered, [*ordered[1:], sentence.end], strict=True):
            span = self._trimmed(start, end)
            if span is not None:
                first = condition is not None and start == sentence.start
                yield Clause(span.start, span.end, sentence, head, span if first else self._of(condition))

    def _of(self, condition: Span | None) -> Span | None:
        return None if condition is None else self._trimmed(condition.start, condition.end)

    def _trimmed(self, start: int, end: int) -> Span | None:
        """The span without the marks and spaces at its ends; None if it has no word."""
        first, last = bisect_left(self.starts, start), bisect_left(self.starts, end)
        if first == last:
            return None
        word = self.words[last - 1].end
        return Span(self.words[first].start, word + len(self.text[word:end].rstrip(_TRAILING)))

    def _condition(self, sentence: Span) -> Span | None:
        pattern = self.language.clauses.condition
        beginning = _BEGINNING.match(self.text, sentence.start, sentence.end)
        start = beginning.end() if beginning else sentence.start
        match = pattern.match(self.text, start, sentence.end) if pattern else None
        if match is None:
            return None
        if match.groupdict().get("whole"):
            return Span(sentence.start, match.end())
        commas = [cut for cut in self._commas(sentence) if cut > match.end()]
        first = bisect_left(self.starts, sentence.start)
        ends = (cut for cut in commas if self._ends_condition(first, bisect_left(self.starts, cut), cut == commas[0]))
        end = next(ends, next(iter(commas), None))
        return None if end is None else Span(sentence.start, end)

    def _ends_condition(self, first: int, at: int, is_first: bool) -> bool:
        """Whether a condition from word `first` ends before the word `at`, which follows a comma of the sentence.

        “If you, the adviser, keep a card, show it” has its verb between the second comma and the third.
        """
        known = any(self._is_verb(word) for word in range(first, at))
        whole = known or (is_first and at - first >= _SHORTEST_CONDITION)
        return whole and (self._opens(at) or self._has_verb(at, len(self.words), joined=False))

    def _commas(self, sentence: Span) -> Iterator[int]:
        return (match.end() for match in _COMMA.finditer(self.text, sentence.start, sentence.end))

    def _cuts(self, sentence: Span) -> Iterator[int]:
        """The offsets at which clauses begin, apart from the first."""
        yield from (match.end() for match in _SEMICOLON.finditer(self.text, sentence.start, sentence.end))
        for match in _COLON.finditer(self.text, sentence.start, sentence.end):
            # A colon or a dash may also stand before a list of things or a remark.
            if self._opens(bisect_left(self.starts, match.end())):
                yield match.end()
        if self.language.clauses.every_comma:
            yield from self._commas(sentence)
        known = _known(self.language)
        first, last = bisect_left(self.starts, sentence.start), bisect_left(self.starts, sentence.end)
        after_join = False
        for at in range(first + 1, last):
            joined = self.words[at].raw in known.joins
            # A clause begins at its conjunction, not once more at the word behind that.
            cut = not after_join and (joined or self._after_comma(at)) and self._opens(at + joined, last)
            after_join = joined and cut
            if cut:
                yield self.words[at].start

    def _after_comma(self, at: int) -> bool:
        return _COMMA.search(self.text, self.words[at - 1].end, self.words[at].start) is not None

    def _opens(self, at: int, last: int | None = None) -> bool:
        """Whether a clause begins at a word."""
        last = len(self.words) if last is None else last
        known = _known(self.language)
        if not self.language.spaced:
            return at < last and self.text.startswith(known.starts, self.words[at].start)
        if at < last and self.words[at].raw in known.joins:
            at += 1  # after a comma: “, and it takes effect”
        if at >= last:
            return False
        if self.words[at].raw in known.openers or self._is_verb(at):
            return True
        return self.words[at].raw in known.articles and self._has_verb(at, min(last, at + 1 + _ARTICLE_REACH))

    def _has_verb(self, first: int, last: int, *, joined: bool = True) -> bool:
        """Whether there is a verb before the next comma and, if `joined`, the next conjunction."""
        for at in range(first, last):
            if at > first and self._after_comma(at):
                return False
            if joined and self.words[at].raw in _known(self.language).joins:
                return False
            if self._is_verb(at):
                return True
        return False

    def _is_verb(self, at: int) -> bool:
        word, participle = self.words[at], self.language.clauses.participle
        verb = self.language.clauses.verb
        if _known(self.language).verbs.isdisjoint(word.keys) and not (verb and any(map(verb.search, word.keys))):
            return False
        return participle is None or participle.search(word.raw) is None


@dataclass(frozen=True)
class _Known:
    """The words of a language at which clauses begin, as sets. `starts` are those of a language without spaces."""

    joins: frozenset[str]
    openers: frozenset[str]
    articles: frozenset[str]
    verbs: frozenset[str]
    starts: tuple[str, ...]


@lru_cache(maxsize=32)
def _known(language: Language) -> _Known:
    words = language.clauses
    joins, openers, articles = frozenset(words.joins), frozenset(words.openers), frozenset(words.articles)
    return _Known(joins, openers, articles, frozenset(words.verbs), (*words.openers, *words.verbs))


_LINE = re.compile(r"[^\r\n]+")


def lines(text: str, start: int = 0, end: int | None = None) -> Iterator[Span]:
    """The lines of `text[start:end]` that are not blank, without line breaks."""
    for match in _LINE.finditer(text, start, len(text) if end is None else end):
        if match[0].strip():
            yield Span(match.start(), match.end())


def sentences(text: str, language: Language, start: int = 0, end: int | None = None) -> Iterator[Span]:
    """The sentences of `text[start:end]`, running text, with their end marks."""
    last = len(text) if end is None else end
    begin = start
    for match in language.stop.finditer(text, start, last):
        yield from _trimmed(text, begin, match.end())
        begin = match.end()
    yield from _trimmed(text, begin, last)


def paragraphs(text: str, start: int = 0, end: int | None = None) -> Iterator[Span]:
    """The paragraphs and list items of `text[start:end]`."""
    last = len(text) if end is None else end
    begin = start
    for match in _BORDER.finditer(text, start, last):
        yield from _trimmed(text, begin, match.start())
        begin = match.start()
    yield from _trimmed(text, begin, last)


def passages(text: str, language: Language, start: int, end: int) -> Iterator[Span]:
    """The sentences of a text with paragraphs and lists. A sentence ends at a blank line and at a list item."""
    for paragraph in paragraphs(text, start, end):
        yield from sentences(text, language, paragraph.start, paragraph.end)


def is_item(text: str, at: int) -> bool:
    """Whether a list item or a row of a table starts at an offset."""
    return _BULLET.match(text, at) is not None


_BULLET = re.compile(r"[-*•·–—|]\s|\d{1,2}[.)、]")
_BORDER = re.compile(r"\n[^\S\n]*\n|\n[^\S\n]*(?=[-*•·–—|]|\d{1,2}[.)、])")


def _trimmed(text: str, start: int, end: int) -> Iterator[Span]:
    piece = text[start:end]
    if piece.strip():
        yield Span(start + len(piece) - len(piece.lstrip()), start + len(piece.rstrip()))
