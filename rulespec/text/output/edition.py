"""The edition of a text for one number of players: without what it says about other numbers only.

A part belongs to some numbers of players if it begins with them: the list item "2 players: 22 cards", the row of a
table, the sentence "With 2 players there are no secondary duties.". The sentences after it in its paragraph, up to one
that names other numbers, belong to it. What mentions numbers of players further on is kept as it is.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from rulespec.base.diagnostics import Span
from rulespec.text.languages.quantity.quantity import Quantity
from rulespec.text.languages.quantity.reader import read as read_quantity
from rulespec.text.languages.record import Language
from rulespec.text.reading.clauses import paragraphs, sentences
from rulespec.text.reading.tables.lines import rows as rows_table
from rulespec.text.reading.tables.row import Table, player_counts

_ITEM = re.compile(r"[^\S\n]*(?:[-*•·–—|]|\d{1,2}[.)、])[^\S\n]*")
_MARKUP = re.compile(r"[\s*_(（|]+")
_SEPARATOR = re.compile(r"[^\n:：—–|]{0,40}(?:[:：]|\s[—–]\s)\s*")
_PARTS = re.compile(r"[;；]\s*")
_SPACES = re.compile(r"[^\S\n]*")
_LINE_END = re.compile(r"[^\S\n]*\n?")
_LEAD_WORDS, _LEAD_SIGNS = 4, 3
"""How many words, or Chinese characters, may stand before the numbers of players that a part begins with: "in a game
with 2 players", "如果有2人"."""


@dataclass(frozen=True)
class Edition:
    """A text of a game for one number of players. `every` are the numbers of players of the game."""

    text: str
    language: Language
    every: range
    players: int

    def reduced(self) -> str:
        """The text without the parts for other numbers of players; other rows no longer name the number."""
        cut = [*self._others, *self._rows_named()]
        kept = _without(self.text, cut)
        # What stood before a part that was cut may now be the last row of its list, and ends in a semicolon.
        ended = re.sub(r"[;；](?=\n\n|\s*$)", "." if self.language.spaced else "。", kept)
        return re.sub(r"\n{3,}", "\n\n", ended).strip() + "\n"

    def blanked(self) -> str:
        """The text with blanks for the parts for other numbers of players, and for other numbers about them.

        All offsets remain those of the text.
        """
        found = [*self._others, *(Span(q.start, q.end) for q in self._numbers_of_others())]
        signs = list(self.text)
        for span in found:
            signs[span.start : span.end] = [sign if sign in "\r\n" else " " for sign in signs[span.start : span.end]]
        return "".join(signs)

    @cached_property
    def _quantities(self) -> tuple[Quantity, ...]:
        return tuple(read_quantity(self.text, self.language.tag))

    @cached_property
    def _counts(self) -> dict[int, tuple[int, ...]]:
        """The numbers of players, by the start of their quantity."""
        return player_counts(self.text, self.language, self._quantities, self.every)

    @cached_property
    def _others(self) -> list[Span]:
        """The parts for other numbers of players only."""
        return [part for paragraph in paragraphs(self.text) for part in self._of_paragraph(paragraph)]

    def _of_paragraph(self, paragraph: Span) -> Iterator[Span]:
        if _ITEM.match(self.text, paragraph.start, paragraph.end):
            if self._is_elsewhere(paragraph):
                yield paragraph
            return
        goes_on = False
        for part in self._parts(paragraph):
            goes_on = self._is_elsewhere(part) or (goes_on and not self._named(part))
            if goes_on:
                yield part

    def _parts(self, paragraph: Span) -> Iterator[Span]:
        """The sentences of a paragraph; those that name several numbers of players are split at semicolons."""
        for sentence in sentences(self.text, self.language, paragraph.start, paragraph.end):
            begin = sentence.start
            for mark in _PARTS.finditer(self.text, sentence.start, sentence.end):
                if self._lead(Span(mark.end(), sentence.end)):
                    yield Span(begin, mark.end())
                    begin = mark.end()
            yield Span(begin, sentence.end)

    def _is_elsewhere(self, part: Span) -> bool:
        return bool(self._lead(part)) and all(self.players not in counts for counts in self._named(part))

    def _named(self, part: Span) -> list[tuple[int, ...]]:
        return [counts for start, counts in self._counts.items() if part.start <= start < part.end]

    def _lead(self, part: Span) -> Quantity | None:
        """The numbers of players that a part begins with."""
        first = next((q for q in self._quantities if part.start <= q.start < part.end), None)
        if first is None or first.start not in self._counts:
            return None
        before = _MARKUP.sub(" ", self.text[part.start : first.start]).strip(" -•·")
        short = len(before.split()) <= _LEAD_WORDS if self.language.spaced else len(before) <= _LEAD_SIGNS
        return first if short else None

    def _rows_named(self) -> Iterator[Span]:
        """The number of players before each row of a list, as far as the words after it."""
        for paragraph in paragraphs(self.text):
            marker = _ITEM.match(self.text, paragraph.start, paragraph.end)
            lead = self._lead(paragraph) if marker is not None else None
            separator = lead and _SEPARATOR.match(self.text, lead.end, paragraph.end)
            if marker is None or not separator or self._is_elsewhere(paragraph):
                continue
            before = (q for q in self._quantities if marker.end() <= q.start < separator.end())
            if all(q.start in self._counts for q in before):
                yield Span(marker.end(), separator.end())

    def _numbers_of_others(self) -> Iterator[Quantity]:
        table = Table(self.text, self.language, self._quantities, self.every)
        for row in rows_table(table, 0, len(self.text)):
            if self.players not in row.counts:
                yield from (*row.keys, *row.values)
        yield from (q for q in self._quantities if self._counts.get(q.start, (self.players,)) != (self.players,))


def _without(text: str, spans: Sequence[Span]) -> str:
    """A text without some parts, the blanks next to them and the lines they leave empty."""
    kept, at = "", 0
    for span in sorted(spans, key=lambda span: span.start):
        kept += text[at : span.start]
        at = span.end
        if kept.endswith("\n") or not kept:
            at = _match_end(_LINE_END, text, at)
        elif text[at : at + 1] in ("", "\n"):
            kept = kept.rstrip(" ")
        else:
            at = _match_end(_SPACES, text, at)
    return kept + text[at:]


def _match_end(pattern: re.Pattern[str], text: str, at: int) -> int:
    found = pattern.match(text, at)
    return found.end() if found is not None else at
