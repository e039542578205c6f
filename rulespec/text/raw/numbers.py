"""Numbers of a raw text that are probably wrong: no rule that their sentence may state has them, and our sentences most
like theirs have others.

The evidence about a number is weighed by a logistic regression, so that it gives the probability that the number is
wrong. `benchmarks/raw_weights.py` fits the weights.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple, TypeAlias

from rulespec.base.diagnostics import Span
from rulespec.base.messages import say
from rulespec.language.model.spec import Spec
from rulespec.text.judging.incidental import is_incidental
from rulespec.text.judging.justified import is_justified, is_stated
from rulespec.text.languages.quantity.quantity import Kind, Quantity
from rulespec.text.raw.alignment import Alignment
from rulespec.text.raw.references import FAINT, Reference, References, place_of, probability
from rulespec.text.reading.mentions import Reading
from rulespec.text.reading.once import once
from rulespec.text.rules.content import ByPlayers, Fact, Number
from rulespec.text.rules.facts import of_rule
from rulespec.text.rules.subjects import around, within

Value: TypeAlias = tuple[Fraction, Fraction | None]
"""The amount of a number, and the end of a range."""

KINDS = (Kind.CARDINAL, Kind.SIGNED, Kind.RANGE)
READ = (*KINDS, Kind.ARTICLE, Kind.NOTHING)

FEW = 3
"""The largest number that, in words, counts things in passing: any two of them."""

STEPS, WITHIN = 2, Fraction(3, 2)
"""The most by which two numbers differ that a writer takes for each other, or else by what factor."""

TITLE = 60
"""The longest first line that is a title, whose numbers are no rules: table 14."""


class Evidence(NamedTuple):
    """What speaks for a number being wrong, or against it.

    `justified`, `around`: the probability that the sentence, or one beside it, states a rule that has the number.
    `miscounted`: that it states a rule that must state another number of the thing that the number counts. `elsewhere`:
    some rule of the game has the number, of the same thing. `unnamed`: some rule counts as many, and no thing stands
    beside the number. `unlike`: how much more its place is like one of another number in our text than like one of its
    own. `counting`: a thing stands beside the number. `single`: it is one.
    """

    justified: float
    around: float
    miscounted: float
    elsewhere: bool
    unnamed: bool
    unlike: float
    counting: bool
    single: bool


WEIGHTS = (-1.29, -0.91, 1.53, -0.53, -1.55, 3.34, -1.08, -1.01, -0.03)
"""The weights of the evidence, and a constant."""


@dataclass(frozen=True)
class WrongNumber:
    """A number that is probably wrong, with the rule and the number that stand in its place, and the probability."""

    quantity: Quantity
    rule: str
    instead: str
    chance: float


def wrong_numbers(alignment: Alignment, but: Container[Quantity] = ()) -> Iterator[WrongNumber]:
    """The numbers of a text with the probability that they are wrong, without some."""
    judged = Numbers(alignment, but)
    for quantity, evidence, best in judged.evidence():
        if best is not None:
            rule, instead = best
            yield WrongNumber(quantity, rule, instead, probability(WEIGHTS, evidence))


class Numbers:
    """The numbers of a text that state amounts, each with the index of its sentence."""

    def __init__(self, alignment: Alignment, but: Container[Quantity]) -> None:
        self.alignment, self.book = alignment, alignment.book
        self.every = [one for one in _numbers(alignment) if one[0] not in but]
        self.references = once(
            alignment.statements, "numbers", lambda: References(_references(alignment), alignment.statements)
        )
        self.contents = once(alignment.statements, "contents", lambda: list(_contents(alignment)))

    def evidence(self) -> Iterator[tuple[Quantity, Evidence, tuple[str, str] | None]]:
        """The evidence about each number, with the rule and the number in its place, if there is one."""
        return (self.about(quantity, index) for quantity, index in self.every)

    def about(self, quantity: Quantity, index: int) -> tuple[Quantity, Evidence, tuple[str, str] | None]:
        """The evidence about a number of a sentence, which need not be the one that stands there."""
        alignment, chances = self.alignment, self.alignment.chances
        like = list(self.like(quantity, index))
        part, things = alignment.sentence(index), counted(quantity, alignment.sentence(index))
        own = max((one for one, reference in like if _fits(quantity, reference.value)), default=0.0)
        others = ((one, r) for one, r in like if r.ours and _may_be(quantity, r.value))
        other, best = max(others, key=lambda pair: pair[0], default=(0.0, None))
        beside = things or place_of(part, Span(quantity.start, quantity.end)).things
        miscounted, wanted = self._miscounted(quantity, index, things)
        evidence = Evidence(
            justified=self._justified(quantity, part, chances[index]),
            around=max(self._justified(quantity, part, chances.get(i, {})) for i in (index - 1, index + 1)),
            miscounted=miscounted,
            elsewhere=any(one.of in beside and quantity.value in _values(one) for one in self.contents),
            unnamed=not beside
            and quantity.high is None
            and any(isinstance(one, Number) and one.of and one.value == quantity.value for one in self.contents),
            unlike=other - own,
            counting=bool(beside),
            single=abs(quantity.value) == 1 and quantity.high is None,
        )
        return quantity, evidence, wanted or ((best.rule, written(best.value)) if best is not None else None)

    def like(self, quantity: Quantity, index: int) -> Iterator[_Like]:
        """How like the place of a number is to that of each of our numbers, by rule, clause, sentence and thing."""
        part, row = self.alignment.sentence(index), self.alignment.scores[index]
        place = place_of(part, Span(quantity.start, quantity.end), numbers=False)
        things = counted(quantity, part) or place.things
        for like, one in self.references.like(place):
            if like or one.rule in row:
                unit = 0.0 if not things or not one.place.things else UNIT if things & one.place.things else -UNIT
                yield like + row.get(one.rule, 0.0) / 2 + unit, one

    def _justified(self, quantity: Quantity, part: Reading, chances: Mapping[str, float]) -> float:
        return sum(one for rule, one in chances.items() if one >= FAINT and self._has(rule, quantity, part))

    def _has(self, rule: str, quantity: Quantity, part: Reading) -> bool:
        """Whether a rule has a number of a sentence, or the number states no amount of it."""
        return once(part, (rule, quantity), lambda: self._is_justified(rule, quantity, part))

    def _is_justified(self, rule: str, quantity: Quantity, part: Reading) -> bool:
        listed = tuple(_facts(rule, self.book.spec))
        known = is_justified(quantity, listed, part, strict=False) or is_stated(quantity, rule, part, self.book)
        return known or is_incidental(quantity, rule, part, self.book)

    def _miscounted(
        self, quantity: Quantity, index: int, things: frozenset[str]
    ) -> tuple[float, tuple[str, str] | None]:
        """How likely the sentence states a rule that counts the things otherwise, and what the likeliest one has."""
        total, best = 0.0, None
        for rule, chance in self.alignment.chances[index].items():
            contents = (fact.content for fact in of_rule(self.book.spec, rule) if not fact.derived)
            numbers = [one for one in contents if isinstance(one, Number) and one.of in things]
            if numbers and chance >= FAINT and all(one.value != quantity.value for one in numbers):
                total, best = total + chance, best or (rule, str(numbers[0]))
        return total, best


_Like: TypeAlias = tuple[float, Reference[Value]]

UNIT = 0.25
"""What the same thing beside two numbers adds to their likeness, and another one subtracts."""


def _numbers(alignment: Alignment) -> Iterator[tuple[Quantity, int]]:
    text = alignment.reading.text
    line = text.partition("\n")[0].rstrip()
    title = len(line) if len(line) <= TITLE and line[-1:].isalnum() and len(line) < len(text.rstrip()) else 0
    series = frozenset(_series(alignment.reading))
    keys = frozenset(key for row in alignment.reading.rows for key in row.keys)
    for index in alignment.asserted:
        part = alignment.sentence(index)
        for one in part.quantities:
            stated = one.kind in KINDS and one.start >= title and one not in series and one not in keys
            in_passing = abs(one.value) <= FEW and not any(map(str.isdecimal, text[one.start : one.end]))
            if stated and not in_passing and not _is_known(one, part, alignment):
                yield one, index


_CALCULATION = re.compile(r"\d++(?:\s*+[-+−–×x*÷/:]\s*+\d++)++\s*+=\s*+\d++")


def _is_known(one: Quantity, part: Reading, alignment: Alignment) -> bool:
    """Whether a number is that of the players or of the members of a set that its sentence names, or says nothing about
    the game: it numbers a row, or is part of a calculation."""
    book, text = alignment.book, part.text
    players = one.value == book.spec.players[0] and one.high == book.spec.players[-1]
    sets = {book.glossary.concepts[name].names.partition(".")[0] for name in part.places}
    members = any(one.value == len(book.spec.enums[name].members) for name in sets if name in book.spec.enums)
    row = text[part.start : one.start].strip() == "|" and text[one.end : part.end].lstrip()[:1] == "|"
    sums = once(part, "calculations", lambda: [m.span() for m in _CALCULATION.finditer(text, part.start, part.end)])
    return players or members or row or any(start <= one.start and one.end <= end for start, end in sums)


def _series(reading: Reading) -> Iterator[Quantity]:
    """The numbers of a list that counts on: values of 1, 2 and 3. Together they are a range."""
    run: list[Quantity] = []
    for one in reading.quantities:
        if run and not (
            run[-1].kind == one.kind == Kind.CARDINAL
            and one.value == run[-1].value + 1
            and reading.language.joint.fullmatch(reading.text, run[-1].end, one.start)
        ):
            run = []
        run.append(one)
        yield from run if len(run) == 3 else run[3:][-1:]


def counted(quantity: Quantity, part: Reading) -> frozenset[str]:
    """The concepts of the term right after a number."""
    reach = 3 if part.language.spaced else 2
    after = [m for m in part.mentions_from(quantity.end, quantity.end + reach) if m.status.is_term][:1]
    return frozenset(concept for mention in after for concept in (mention.concept, *mention.also))


def _references(alignment: Alignment) -> Iterator[Reference[Value]]:
    for rule, sentence, ours in alignment.statements.readings():
        for quantity in sentence.quantities:
            if quantity.kind in READ:
                place = place_of(sentence, Span(quantity.start, quantity.end), numbers=False)
                yield Reference((abs(quantity.value), quantity.high), rule, place, sentence, ours)


def _contents(alignment: Alignment) -> Iterator[Number | ByPlayers]:
    """The numbers of things that the facts of all rules have."""
    for rule in alignment.statements.rules:
        for fact in of_rule(alignment.book.spec, rule):
            if isinstance(fact.content, Number | ByPlayers) and fact.content.of and not fact.derived:
                yield fact.content


def _values(content: Number | ByPlayers) -> tuple[int, ...]:
    return (content.value,) if isinstance(content, Number) else tuple(content.rows.values())


def _facts(rule: str, spec: Spec) -> Iterator[Fact]:
    """The facts of a rule, and those listed for the rule around it and the rules inside it."""
    yield from of_rule(spec, rule)
    for one in (*around(spec, rule)[1:2], *within(spec, rule)):
        yield from (fact for fact in of_rule(spec, one) if not fact.derived)


def _fits(quantity: Quantity, value: Value) -> bool:
    """Whether a number has a value; one end of a range is enough."""
    mine = abs(quantity.value)
    return mine in value if quantity.high is None else (mine, quantity.high) == value


def _may_be(quantity: Quantity, value: Value) -> bool:
    """Whether a number may stand for another value by mistake: a writer mistakes 36 for 30, not for two."""
    if _fits(quantity, value) or (quantity.high is None) != (value[1] is None):
        return False
    ends = (end for end in (abs(quantity.value), quantity.high) if end is not None)
    return any(abs(end - value[0]) <= STEPS or max(end, value[0]) < WITHIN * min(end, value[0]) for end in ends)


def written(value: Value) -> str:
    """A value as it is named in a finding."""
    low, high = value
    return str(low) if high is None else say("from {low} to {high}", low=low, high=high)
