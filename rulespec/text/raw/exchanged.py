"""Values of a raw text in place of others: a term, a player or a place where the rule of its sentence has another.

There are two kinds of evidence. By the clause: the clause of our text that says the same, but for the values of one
sort, has another one. By the rule: none of the rules that the rest of the sentence may state knows the value. Of two
readings the one that agrees counts.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from rulespec.text.checks.roles import Role
from rulespec.text.raw.acts import LIKEWISE, acts, links
from rulespec.text.raw.alignment import Alignment, scores_of
from rulespec.text.raw.features import Features, features
from rulespec.text.raw.masked import OurPart, order, our_parts, rest, sorts
from rulespec.text.raw.pairs import mispaired, pairs
from rulespec.text.raw.parts import parts
from rulespec.text.raw.statements import sentences_of
from rulespec.text.raw.values import DOER, NEIGHBOURS, PLACES, PLAYERS, Value, values
from rulespec.text.reading.mentions import Reading
from rulespec.text.reading.once import once

LIKE, ALIKE = 0.35, 0.65
"""The least similarity of two clauses that say the same but for a value. Below the first they have one rare word in
common, which is enough where our text denies what the text says; below the second, two thirds of their words.
By the unseen texts: of five such findings with less, none was right."""

NEARLY, KNOWN = 0.75, 0.5
"""Clauses of our text that are at least this share as similar as the best one are other readings of a sentence: if the
rule of the sentence has the value elsewhere, more of them are."""

BELONGING = 0.85
"""The least score of the rule of such a clause, as a share of the best score of a rule, without the value."""

CLEAR = 0.6
"""The score (0 to 2) from which it is clear what the rest of a sentence states."""

CERTAIN = 0.95
"""The same where no clause of our text says it: the rule must fit nearly by itself."""

SHARED, LIKELY = 0.8, 0.7
"""The rest of a sentence may state each rule whose score is at least this share of the best one; of the rules that the
whole sentence may state, each whose score is at least the lower share."""

AROUND = 2
"""How many sentences before and after a sentence may be about the same rule."""


@dataclass(frozen=True)
class Exchanged:
    """A value of the text, the rule of its sentence, and the value of our text instead, with its sentence."""

    value: Value
    rule: str
    instead: str
    sentence: str
    like: float


def exchanged(alignment: Alignment) -> Iterator[Exchanged]:
    """The values of a text that the rules of their sentences exclude, the first of each sentence."""
    for index in alignment.scores:
        if alignment.is_asserted(index):
            yield from _Sentence(alignment, index).exchanged()


@dataclass(frozen=True, eq=False)
class _Sentence:
    alignment: Alignment
    index: int

    @cached_property
    def part(self) -> Reading:
        return self.alignment.sentence(self.index)

    @cached_property
    def values(self) -> tuple[Value, ...]:
        return values(self.part, self.alignment.book)

    def exchanged(self) -> Iterator[Exchanged]:
        """The first value that the rules of the sentence exclude."""
        rules = self.alignment.rules_at(self.index)
        for value, rule, instead in mispaired(self.alignment, self.index, rules):
            yield Exchanged(value, rule, instead, "", 1.0)
            return
        for value in self.values:
            paired = any(value.sort in pairs(self.alignment, rule) for rule in rules)
            judged = _is_judged(value) and not paired
            found = (self._by_rule(value) or self._by_clause(value)) if judged else None
            if found is not None:
                yield found
                return

    # --- by the rule

    def _by_rule(self, value: Value) -> Exchanged | None:
        row = self._without(value)
        rule = max(row, key=lambda one: row[one])
        if sum(one.means(value) for one in self.values) > 1:
            return None  # a slip is not made twice
        if row[rule] < CERTAIN or any(self._knows(one, value) for one in self._stated(row)):
            return None
        ours = self._players(self._of_rule(rule))
        instead = next((one for one in ours if self._stands_for(one, value)), None)
        return Exchanged(value, rule, instead.names[0], "", row[rule]) if instead is not None else None

    def _without(self, value: Value) -> Mapping[str, float]:
        """The score of each rule for the sentence without the words for a value."""
        known = self._rows
        if value.names not in known:
            but = [one.span for one in self.values if one.means(value)]
            known[value.names] = scores_of(self.alignment, self.index, but)
        return known[value.names]

    @cached_property
    def _rows(self) -> dict[tuple[str, ...], Mapping[str, float]]:
        return {}

    def _stated(self, row: Mapping[str, float]) -> Iterator[str]:
        """The rules that the rest of the sentence may state, and those of the sentences around it."""
        best, likely = max(row.values()), self.alignment.candidates(self.index)
        for rule, score in row.items():
            if score >= (LIKELY if rule in likely else SHARED) * best:
                yield rule
        for index in range(self.index - AROUND, self.index + AROUND + 1):
            if index != self.index:
                yield from self.alignment.rules_at(index)[:1]

    def _knows(self, rule: str, value: Value) -> bool:
        """Whether our text or the description of a rule has a value, or the rule may mention it."""
        book, known = self.alignment.book, self.alignment.statements.vocabulary[rule]
        concepts = [one for one in value.names if one in book.glossary.concepts]
        named = any(f"@{one}" in known or book.may_mention(rule, one) for one in concepts)
        named = named or any(f"@{one}" in known for one in self._named_after(value.names[0]))
        return named or any(one.means(value) for one in self._of_rule(rule))

    def _named_after(self, name: str) -> frozenset[str]:
        """The concepts of which some term has the term for a value as a part: a column of village tiles has these."""
        term, lang = self._term(name), self.part.language.tag
        if not term:
            return frozenset()
        concepts = self.alignment.book.glossary.concepts
        every = ((other, each.terms[lang]) for other, each in concepts.items() if lang in each.terms)
        return once(
            self.alignment.statements,
            ("named after", term),
            lambda: frozenset(other for other, terms in every if any(term in one.text for _, one in terms.each())),
        )

    def _of_rule(self, rule: str) -> Sequence[Value]:
        rows = [our_parts(self.alignment, sort).of_rule.get(rule, ()) for sort in sorts(self.alignment)]
        return [one for row in rows for one in row]

    @cached_property
    def _says_who(self) -> bool:
        """Whether a sentence has words for a side or a neighbour."""
        sided = any(one.family == "side" for one in self.part.contrasts)
        return sided or any(one.names[0] in NEIGHBOURS for one in self.values)

    @cached_property
    def _begins(self) -> bool:
        """Whether a player begins something in a sentence."""
        return any(one.name == "begin" for one in acts(self.part))

    def _replaces(self, other: Value, value: Value) -> bool:
        """Whether a value of our text is what a value of the text stands for."""
        named = {(one.names[0], one.is_beside) for one in self.values}
        if other.names[0] in NEIGHBOURS and self._says_who:
            return False
        if self._begins and (value.names[0], other.names[0]) in _first_in(self.alignment):
            return False
        return (
            other.sort == value.sort
            and (other.names[0], other.is_beside) not in named
            and not other.means(value)
            and not self._is_short(value, other)
        )

    def _is_short(self, value: Value, other: Value) -> bool:
        """Whether the term for a value is a part of that for another: a deck may be a personal deck."""
        terms = [self._term(one.names[0]) for one in (value, other)]
        return all(terms) and (terms[0] in terms[1] or terms[1] in terms[0])

    def _term(self, name: str) -> str:
        known = self.alignment.book.glossary.concepts.get(name)
        terms = known.terms.get(self.part.language.tag) if known is not None else None
        return terms.preferred.text if terms is not None and terms.preferred is not None else ""

    def _players(self, every: Sequence[Value]) -> Sequence[Value]:
        """The values without players whom our text only describes by what they do."""
        return [one for one in every if one.names[0] != DOER]

    # --- by the clause

    def _by_clause(self, value: Value) -> Exchanged | None:
        found: list[Exchanged] = []
        for span in parts(self.part):
            if span.start <= value.start and value.end <= span.end:
                part = (self.part.whole or self.part).part(span.start, span.end)
                one = self._in(part, value)
                if one is _AGREES:
                    return None
                found += [one] if one is not None else []
        return max(found, key=lambda one: one.like, default=None)

    def _in(self, part: Reading, value: Value) -> Exchanged | None:
        """What our text has instead of a value in the clauses that are most like a part of the sentence."""
        ours = our_parts(self.alignment, value.sort)
        row = self._without(value)
        best = max(row.values())
        if best < CLEAR:
            return None
        said = rest(part, [one for one in self.values if one.sort == value.sort])
        like = [(one * row[ours.rows[i].rule] / best, ours.rows[i]) for i, one in ours.like(said).items()]
        if value.sort == PLAYERS:  # what is said of nobody does not say who
            like = [(one, our) for one, our in like if our.values]
        like.sort(key=lambda pair: -pair[0])
        if not like or like[0][0] < LIKE:
            return None
        rules = self.alignment.rules_at(self.index)
        least = like[0][0] * (KNOWN if any(self._knows(rule, value) for rule in rules[:1]) else NEARLY)
        if any(score >= least and any(_agree(one, value) for one in our.values) for score, our in like):
            return _AGREES
        near = [
            (score, our)
            for score, our in like
            if score >= NEARLY * like[0][0] and row[our.rule] >= BELONGING * best and order(our.features) == order(said)
        ]
        return self._denied(near, value) or self._other(near, value)

    def _denied(self, near: Sequence[tuple[float, OurPart]], value: Value) -> Exchanged | None:
        """What our text has instead of a value of which it denies what the text says."""
        for score, our in near if value.sort != PLAYERS else ():
            if any(one.denied and one.means(value) for one in our.values):
                found = self._found(score, our, self._of_rule(our.rule), value)
                if found is not None:
                    return found
        return None

    def _other(self, near: Sequence[tuple[float, OurPart]], value: Value) -> Exchanged | None:
        """What our text has instead of a value in a clause that says the same."""
        single = [(score, our) for score, our in near if score >= ALIKE and not _holds_for_more(our.part)]
        found = (self._found(score, our, self._players(our.values), value) for score, our in single)
        return next((one for one in found if one is not None), None)

    def _found(self, score: float, our: OurPart, every: Sequence[Value], value: Value) -> Exchanged | None:
        instead = next((one for one in every if self._stands_for(one, value)), None)
        if instead is not None and self._is_said_shorter(value, instead, our):
            return None
        sentence = our.part.text[our.part.start : our.part.end]
        return Exchanged(value, our.rule, instead.names[0], sentence, score) if instead is not None else None

    def _is_said_shorter(self, value: Value, instead: Value, our: OurPart) -> bool:
        """Whether our clause has what distinguishes a value: “that of the primary” is that of the primary duty."""
        own = self._words(value.names[0]) - self._words(instead.names[0])
        return bool(own) and own <= our.features

    def _words(self, name: str) -> Features:
        """The words of the term for a value."""
        lang, term = self.part.language.tag, self._term(name)
        found = once(self.alignment.statements, ("words", term), lambda: features(self.alignment.book.read(term, lang)))
        return frozenset(one for one in found if one[0] not in "@=")

    def _stands_for(self, other: Value, value: Value) -> bool:
        if other.denied or other.role != value.role or (value.listed and not value.listed & other.listed):
            return False
        return self._replaces(other, value)


def _first_in(alignment: Alignment) -> frozenset[tuple[str, str]]:
    """The players who are the first in a role, by our text, each with the role: the first player becomes adviser."""
    return once(alignment.statements, "first in", lambda: frozenset(_becoming(alignment)))


def _becoming(alignment: Alignment) -> Iterator[tuple[str, str]]:
    for rule in alignment.statements.rules:
        for sentence in sentences_of(alignment.statements, rule):
            if any(one.name == "become" for one in acts(sentence)):
                every = [one for one in values(sentence, alignment.book) if one.sort == PLAYERS]
                if not any(one.is_beside or one.names[0] in {DOER, *NEIGHBOURS} for one in every):
                    yield from pairwise(one.names[0] for one in every)


def _holds_for_more(part: Reading) -> bool:
    """Whether a part of our text says that something is the same for this value as for others: in the same way."""
    return any(one.name == LIKEWISE for one in links(part))


def _is_judged(value: Value) -> bool:
    """Whether a value says what a rule can exclude: no player by an act, and no place that only stands there.

    A term that is twice in its list is repeated, which another check reports.
    """
    way = value.sort != PLACES or value.role in _WAYS
    return way and not value.denied and value.names[0] != DOER and value.listed.isdisjoint(value.names)


def _agree(our: Value, value: Value) -> bool:
    """Whether our text has a value in the same way: in a list with the same others, as one whose neighbour is meant."""
    same_way = (our.denied == value.denied or value.sort == PLAYERS) and our.is_beside == value.is_beside
    return our.means(value) and same_way and (not value.listed or bool(our.listed & value.listed))


_WAYS = (Role.SOURCE, Role.TARGET)

_AGREES = Exchanged(Value("", (), Role.NEITHER, 0, 0, False), "", "", "", 0.0)
"""Our text has the same value."""
