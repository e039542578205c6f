"""A page: the text of one rule or ruling, with what it is compared with and what several detectors derive from it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property

from rulespec.language.model.spec import Spec
from rulespec.text.judging.contradictions import Contradiction, contradictions
from rulespec.text.judging.incidental import is_incidental
from rulespec.text.judging.justified import is_justified, is_stated
from rulespec.text.languages.quantity.quantity import Quantity
from rulespec.text.reading.mentions import Reading
from rulespec.text.reading.prose import Prose
from rulespec.text.reading.translation import Passage, Translation
from rulespec.text.rules import facts
from rulespec.text.rules.book import Book
from rulespec.text.rules.content import ByKey, ByPlayers, Content, Fact, Number, Words
from rulespec.text.rules.evidence import LISTED, Verdict, judge
from rulespec.text.seals.since import Kept, nothing, source_among


@dataclass(frozen=True, eq=False)
class Page:
    """The text of one rule or ruling in a language. `glossed` is None if the game has no glossary, `kept` are the words
    of earlier texts."""

    passage: Passage
    lang: str
    spec: Spec
    glossed: Book | None
    translation: Translation | None = None
    others: Iterable[Translation] = ()
    kept: Kept = nothing

    @property
    def book(self) -> Book:
        """The spec with its glossary, for detectors that need it."""
        assert self.glossed is not None
        return self.glossed

    @cached_property
    def prose(self) -> Prose:
        """The text with its positions in the file."""
        return self.passage.prose(self.lang)

    @cached_property
    def headed(self) -> tuple[Prose, ...]:
        """The text, and its heading if it has one."""
        heading = self.passage.heading
        if heading is None:
            return (self.prose,)
        return self.prose, Prose(heading.text, self.lang, heading.source, heading.value_span, self.passage.id)

    @cached_property
    def examples(self) -> tuple[Prose, ...]:
        """The worked examples. Their numbers are compared with the cases that prove them."""
        return tuple(one.prose(self.lang, self.passage.id) for one in self.passage.examples)

    @cached_property
    def source(self) -> Translation | None:
        """The text that the translation is made from."""
        return source_among(self.translation, self.others) if self.translation is not None else None

    @cached_property
    def reading(self) -> Reading:
        """What is read in the text."""
        return self.book.read(self.prose.text, self.lang)

    @cached_property
    def facts(self) -> tuple[Fact, ...]:
        """The facts that the text must or may state."""
        introduced = Fact(Words(self.book.introduced(self.prose.rule)), derived=True)
        return (*facts.of_rule(self.book.spec, self.prose.rule), introduced)

    @cached_property
    def verdicts(self) -> list[Verdict]:
        """What the text says of each fact."""
        return [_settled(judge(fact, self.reading, self.book.concepts), self.unjustified) for fact in self.facts]

    @cached_property
    def unjustified(self) -> list[Quantity]:
        """The numbers that no fact and no step justifies."""
        return list(self._unjustified())

    def _unjustified(self) -> Iterator[Quantity]:
        listed = tuple(fact for fact in self.facts if not _in_passing(fact))
        rule, reading, book = self.prose.rule, self.reading, self.book
        for one in reading.quantities:
            known = is_justified(one, listed, reading) or is_stated(one, rule, reading, book)
            if not known and not is_incidental(one, rule, reading, book):
                yield one

    @cached_property
    def opposed(self) -> list[Contradiction]:
        """Contrasts of the text that the rule excludes."""
        return list(contradictions(self.reading, self.prose.rule, self.book))


def _in_passing(fact: Fact) -> bool:
    """Whether a fact is a number that some step mentions: only a clause about that step justifies it (`is_stated`).

    Every text says 0 and 1 of many things.
    """
    return fact.derived and isinstance(fact.content, Number) and fact.content.value > 1


def _settled(verdict: Verdict, unjustified: list[Quantity]) -> Verdict:
    """The verdict on a derived fact: another fact may justify the numbers that contradict it, and nothing need be said
    in full."""
    if not verdict.fact.derived or not verdict.fact.optional:
        return verdict
    at = {quantity.start for quantity in unjustified}
    wrong = tuple(one for one in verdict.wrong if one.start in at)
    return replace(verdict, wrong=wrong, partly=verdict.partly and _is_table(verdict.fact.content))


def _is_table(content: Content) -> bool:
    """Whether a fact has so many different values that a text with most of them lists them all."""
    return isinstance(content, ByPlayers | ByKey) and len(set(content.rows.values())) > LISTED
