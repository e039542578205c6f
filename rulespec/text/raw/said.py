"""A raw text as detectors read it, and the findings that they make of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from rulespec.base.diagnostics import Finding, Span, finding
from rulespec.base.messages import NOTHING, Message, say
from rulespec.text.checks.typography import Spelling
from rulespec.text.languages.quantity import Quantity
from rulespec.text.raw.alignment import Alignment
from rulespec.text.raw.numbers import Unjustified, unjustified
from rulespec.text.reading.prose import Prose, says_instead
from rulespec.text.rules.book import Book
from rulespec.text.rules.evidence import Wrong


@dataclass(frozen=True)
class Raw:
    """A raw text, its alignment to the rules, and a dictionary of its language, if any."""

    prose: Prose
    alignment: Alignment
    spelling: Spelling | None = None

    @property
    def book(self) -> Book:
        return self.alignment.book

    @cached_property
    def left(self) -> Sequence[Unjustified]:
        """The numbers that no rule of their sentence has."""
        return unjustified(self.alignment)

    def is_ours(self, at: int) -> bool:
        """Whether the sentence at an offset is one of our own texts, which may be about other numbers of players."""
        sentence = self.alignment.segments[self.alignment.index_at(at)]
        return self.alignment.statements.has(self.prose.text[sentence.start : sentence.end])

    def at(self, name: str, message: Message, span: Span, rule: str, hint: Message | None = None) -> Finding:
        """A finding at a part of the text. The usual hint is to correct one of the two."""
        correct = hint or say("Correct the text, or the spec at `{rule}`.", rule=rule)
        place = self.prose.place(span.start, span.end)
        return finding(name, message, self.prose.source, place, correct, rule, self.prose.lang)

    def wrong_number(self, rule: str, number: Quantity, wants: str) -> Finding:
        """The finding about a number that a rule has otherwise."""
        said = self.prose.text[number.start : number.end]
        return self.contradiction(rule, Wrong(number.start, number.end, said, wants))

    def contradiction(self, rule: str, wrong: Wrong, is_order: bool = False) -> Finding:
        """The finding about words that contradict a fact of a rule."""
        wanted = self.book.in_terms(wrong.wants, self.prose.lang)
        message = say("The text says “{said}”; the spec says {wanted}.", said=wrong.says, wanted=wanted)
        name = "order-contradicted" if is_order else "fact-contradicted"
        return self.at(name, message, Span(wrong.start, wrong.end), rule)

    def excluded(self, words: Span, instead: Message, rule: str, value: str = "") -> Finding:
        """The finding about words, with the value that they state, that a rule excludes, and what it says instead."""
        message = says_instead(self.prose.text[words.start : words.end], value, instead)
        return self.at("fact-contradicted", message, words, rule)


def with_sentence(instead: Message, sentence: Message | str = NOTHING) -> Message:
    """What a text should say, with the sentence that says so after a colon, if there is one."""
    if sentence in ("", NOTHING):
        return say("{instead}.", instead=instead)
    return say("{instead}: {sentence}", instead=instead, sentence=sentence)
