"""Where a text speaks of statements: its sentences, by the names and contrasts that they share with a statement."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from rulespec.base.diagnostics import Span
from rulespec.proofs.meaning import Phrase, Proposition
from rulespec.text.reading.clauses import Clause
from rulespec.text.reading.mentions import Reading
from rulespec.text.reading.segmentation import passages
from rulespec.text.rules.book import Book
from rulespec.text.rules.subjects import within
from rulespec.text.seals.outdated.words import concepts_of, contrasted, contrasts_of, mentions_of


@dataclass(frozen=True, eq=False)
class Sentence:
    """A sentence with its clauses."""

    part: Reading
    clauses: Sequence[Clause]

    @property
    def span(self) -> Span:
        return Span(self.part.start, self.part.end)

    def clause(self, at: int) -> Span:
        """The clause around an offset, or the sentence."""
        return next((Span(one.start, one.end) for one in self.clauses if one.start <= at < one.end), self.span)


@dataclass(frozen=True, eq=False)
class Spoken:
    """A text with the statements that it agreed with."""

    reading: Reading
    rule: str
    book: Book
    stated: Sequence[Proposition]

    @cached_property
    def sentences(self) -> Sequence[Sentence]:
        reading = self.reading
        spans = passages(reading.text, reading.language, reading.start, reading.end)
        parts = ((reading.part(span.start, span.end), span) for span in spans)
        return [
            Sentence(part, [one for one in reading.clauses if span.start <= one.start < span.end])
            for part, span in parts
        ]

    def concepts(self, phrase: Phrase) -> frozenset[str]:
        """The concepts of the names in a phrase."""
        return concepts_of(phrase, self.book)

    def score(self, one: Proposition, sentence: Sentence) -> float:
        """How much of a statement a sentence speaks of: the concepts of its act, half of those of its conditions, and
        half a point for a contrast that it states."""
        acting = self.concepts(one.act)
        others = {concept for phrase in one.conditions for concept in self.concepts(phrase)} - acting
        places = sentence.part.places.keys()
        contrast = contrasted(contrasts_of(one.act), sentence.part, self.book, acting)
        return len(acting & places) + len(others & places) / 2 + (contrast is not None) / 2

    def is_near(self, one: Proposition) -> bool:
        """Whether a statement is one of the rule itself, of a rule inside it, or a definition."""
        return one.definition or self.rule in self.book.spec.rulings or one.rule in self._inside

    def owns(self, one: Proposition) -> bool:
        """Whether a statement is a step of the rule itself, or one that the text of a ruling is about."""
        return not one.definition and (one.rule == self.rule or self.rule in self.book.spec.rulings)

    @cached_property
    def _inside(self) -> frozenset[str]:
        return frozenset((self.rule, *within(self.book.spec, self.rule)))

    def may_state(self, one: Proposition) -> bool:
        """Whether the text may make a statement: those that other answers to rulings bring in stand in the texts of
        their rules."""
        return one.ruling is None or one.rule == self.rule

    def about(self, one: Proposition) -> list[Sentence]:
        """The sentences that may speak of a statement, the likeliest first."""
        known = self._about
        # By identity: `stated` holds all statements, and a hash would be one of a whole tree.
        if id(one) not in known:
            known[id(one)] = list(self._sorted(one))
        return known[id(one)]

    @cached_property
    def _about(self) -> dict[int, list[Sentence]]:
        return {}

    def _sorted(self, one: Proposition) -> Iterator[Sentence]:
        scored = [(self.score(one, sentence), sentence) for sentence in self.sentences]
        least = 0.0 if self.is_near(one) else _LEAST_AROUND
        found = [(score, sentence) for score, sentence in scored if score > least]
        yield from (sentence for _, sentence in sorted(found, key=lambda pair: -pair[0]))

    def anywhere(self, one: Proposition) -> Sequence[Sentence]:
        """The sentences that may have words for a part of a statement: those about it, or if none are, all sentences of
        the text of its rule or ruling. Who sees a zone is said where cards go there."""
        found = self.about(one)
        if not found and one.act.constructor in _SEEN:
            zone = one.act.parts[0].name
            acts = (other for other in self.stated if not other.definition and zone in _zones(other))
            return list(dict.fromkeys(sentence for other in acts for sentence in self.anywhere(other)))
        own = self.owns(one) or self.rule in self.book.spec.rulings
        return found or (self.sentences if own else [])

    def place(self, one: Proposition) -> Span | None:
        """The words of a text for an act: the first term of its rule, or the clause that speaks most of it."""
        concept = self.book.concepts.get(one.rule, "") if one.rule != self.rule else ""
        for mention in self.reading.places.get(concept, ()):
            return Span(mention.start, mention.end)
        about = self.about(one)
        return self.act(one, about[0]) if about else None

    def act(self, one: Proposition, sentence: Sentence) -> Span:
        """The clause of a sentence that speaks of the act of a statement."""
        acting = self.concepts(one.act)
        others = {concept for part in one.conditions for concept in self.concepts(part)}
        contrast = contrasted(contrasts_of(one.act), sentence.part, self.book, acting)
        named = [mentions_of(sentence.part, concepts) for concepts in (acting, others)]
        starts = [found[0].start for found in named if found]
        first = named[0][0].start if named[0] else contrast.start if contrast else next(iter(starts), None)
        return sentence.clause(sentence.part.start if first is None else first)


_LEAST_AROUND = 1.0
"""A sentence speaks of what the rule around its own does only if it has more than one name of it."""

_SEEN = {f"{what}seen_by_{who}" for what in ("", "value_") for who in ("all", "owner", "others", "some", "none")}


def _zones(one: Proposition) -> set[str]:
    return {phrase.name for phrase in one.act.walk() if phrase.constructor == "zone"}
