"""What a text says of the terms in it: which zones cards come from and go to, in clauses without negation."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

from rulespec.base.diagnostics import Span
from rulespec.text.checks.roles.lexicon import Role
from rulespec.text.checks.roles.reader import Placed, read_places
from rulespec.text.glossary import Mention, finder, tokens
from rulespec.text.reading.clauses import Clause
from rulespec.text.reading.mentions import Reading
from rulespec.text.reading.once import once
from rulespec.text.rules.book import Book


@dataclass(frozen=True)
class SaidOfZone:
    """What a text says of a zone: cards come from it or go there, in a clause; `kinds` are those just before it."""

    zone: str
    role: Role
    words: Span
    sentence: Span
    kinds: tuple[str, ...]
    mention: Mention


@dataclass(frozen=True, eq=False)
class Said:
    """What a text says of zones and players."""

    reading: Reading
    book: Book

    @cached_property
    def zones(self) -> tuple[SaidOfZone, ...]:
        """What the text says of each zone that has a role, in clauses without negation."""
        found = (self._of_zone(mention, placed) for mention, placed in self.read("places", self.zone))
        return tuple(each for each in found if each is not None)

    def read(self, group: str, of: Callable[[Mention], object]) -> Iterator[tuple[Mention, Placed]]:
        """The terms for which `of` is true, with their roles in a group."""
        mentions = tuple(m for m in self.terms if of(m))
        read = once(self.reading.alone, (group, mentions), lambda: self._placed(mentions, group))
        return zip(mentions, read, strict=True)

    def _placed(self, mentions: Iterable[Mention], group: str) -> tuple[Placed, ...]:
        return read_places(self.reading.text, self.reading.language, [self._core(m) for m in mentions], group)

    @cached_property
    def terms(self) -> tuple[Mention, ...]:
        """The terms in order, without cues and vague phrases."""
        inside = self.reading.mentions_from(self.reading.start, self.reading.end)
        return tuple(m for m in inside if m.status.is_term)

    def _core(self, mention: Mention) -> Span:
        """The term at the end of a mention without the verb and the preposition before it: “return to the box”."""
        starts = [word.start for word in tokens.read(self._text(mention), self.reading.language.tag)]
        known = finder(self.book.glossary, self.reading.language.tag)
        for start in reversed(starts[1:]):
            inner = known.find(self._text(mention)[start:])
            if any(m.start == 0 and m.concept == mention.concept and m.status.is_term for m in inner):
                return Span(mention.start + start, mention.end)
        return Span(mention.start, mention.end)

    def _text(self, mention: Mention) -> str:
        return self.reading.text[mention.start : mention.end]

    def zone(self, mention: Mention) -> str:
        """The zone that a mention names; "" for other mentions."""
        return self.name(mention) if self.name(mention) in self.book.spec.zones else ""

    def name(self, mention: Mention) -> str:
        """The name in the spec of what is mentioned; "" if it has none."""
        return self.book.glossary.concepts[mention.concept].names

    def _of_zone(self, mention: Mention, placed: Placed) -> SaidOfZone | None:
        clause = self.clause_at(placed.start)
        if placed.role is Role.NEITHER or clause is None or self.is_denied(clause):
            return None
        kinds = tuple(self._kinds(mention, clause))
        return SaidOfZone(self.zone(mention), placed.role, placed.words, clause.sentence, kinds, mention)

    def clause_at(self, start: int) -> Clause | None:
        """The clause around an offset."""
        return next((one for one in self.reading.clauses if one.start <= start < one.end), None)

    def sentences_to(self, at: int) -> Span:
        """The sentence around an offset with the one before it, to which it may refer back."""
        spans = list(dict.fromkeys(clause.sentence for clause in self.reading.clauses))
        index = next((i for i, span in enumerate(spans) if span.start <= at < span.end), 0)
        return Span(spans[max(0, index - 1)].start, spans[index].end)

    def is_denied(self, clause: Clause) -> bool:
        """Whether a clause says that something is not so, or must not be."""
        found = self.reading.contrasts_from(clause.start, clause.end)
        return any(each.negated or (each.family, each.value) in _DENIALS for each in found)

    def _kinds(self, zone: Mention, clause: Clause) -> Iterator[str]:
        """The kinds of card in the last list of kinds before a zone, in its part of the sentence."""
        start = max(clause.sentence.start, *(self.reading.text.rfind(mark, 0, zone.start) + 1 for mark in _PARTS))
        before = [m for m in self.terms if start <= m.start and m.end <= zone.start and self._kind(m)]
        last: Mention | None = None
        for mention in reversed(before):
            between = self.reading.text[mention.end : last.start] if last else ""
            if last is not None and not self.reading.language.joint.fullmatch(between) and not self._either(between):
                return
            yield self._kind(mention)
            last = mention

    def _either(self, between: str) -> bool:
        pattern = self.reading.language.either
        return pattern is not None and pattern.fullmatch(between) is not None

    def _kind(self, mention: Mention) -> str:
        """The kind of card that a mention names, such as `kind.king`; "" for other mentions."""
        name = self.name(mention)
        return name if self.book.is_component(mention.concept) and "." in name else ""


_PARTS = (";", "；", ".", "。", "!", "！", "?", "？")
_DENIALS = {("truth", "not"), ("modality", "may_not"), ("quantity", "none")}
