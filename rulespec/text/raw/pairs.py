"""Terms that our text pairs with numbers, one to one, and a raw text with the number of another: floor 3, officers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction

from rulespec.text.languages.quantity import Kind
from rulespec.text.raw.alignment import Alignment
from rulespec.text.raw.parts import parts
from rulespec.text.raw.statements import sentences_of
from rulespec.text.raw.values import Value, values
from rulespec.text.reading.mentions import Reading
from rulespec.text.reading.once import once

Pairs = Mapping[str, Mapping[Fraction, str]]
"""For every sort the term of each number."""

Rows = Mapping[str, Mapping[str, tuple[Fraction, ...]]]
"""For every sort the numbers of each term, as often as they are there."""

FEWEST = 3
"""How many terms of a sort a rule pairs with numbers at least. Two may be any two things that it counts."""


def mispaired(alignment: Alignment, index: int, rules: Sequence[str]) -> Iterator[tuple[Value, str, str]]:
    """The terms of a sentence with the number of another, each with the rule and the term of this number."""
    sentence = alignment.sentence(index)
    for rule in rules:
        for sort, terms in pairs(alignment, rule).items():
            for span in parts(sentence):
                part = (sentence.whole or sentence).part(span.start, span.end)
                one = _only(part, sort, alignment)
                instead = {terms[number] for number in _numbers(part, but_people=True) if number in terms}
                known = one is not None and len(instead) == 1 and one.names[0] in terms.values()
                if one is not None and known and instead.isdisjoint(one.names):
                    yield one, rule, instead.pop()


def pairs(alignment: Alignment, rule: str) -> Pairs:
    """The numbers that the items of our text of a rule pair with terms of one sort."""
    return once(alignment.statements, rule, lambda: dict(_pairs(alignment, rule)))


def _pairs(alignment: Alignment, rule: str) -> Iterator[tuple[str, Mapping[Fraction, str]]]:
    for sort, numbers in rows(alignment, rule).items():
        terms: dict[Fraction, list[str]] = {}
        for name, every in numbers.items():
            for number in set(every):
                terms.setdefault(number, []).append(name)
        single = {number: names[0] for number, names in terms.items() if len(names) == 1}
        if len(set(single.values())) >= FEWEST and len(single) == len(set(single.values())):
            yield sort, single


def rows(alignment: Alignment, rule: str) -> Rows:
    """The numbers in the items of our text of a rule, by the only term of a sort in the item."""
    return once(alignment.statements, ("rows", rule), lambda: _rows(alignment, rule))


def _rows(alignment: Alignment, rule: str) -> Rows:
    found: dict[str, dict[str, tuple[Fraction, ...]]] = {}
    for item in sentences_of(alignment.statements, rule):
        for sort in sorted({one.sort for one in values(item, alignment.book)}):
            one, numbers = _only(item, sort, alignment), _numbers(item)
            if one is not None and numbers:
                terms = found.setdefault(sort, {})
                terms[one.names[0]] = terms.get(one.names[0], ()) + numbers
    return found


def _only(part: Reading, sort: str, alignment: Alignment) -> Value | None:
    """The value of a sort in a part that has one."""
    every = [one for one in values(part, alignment.book) if one.sort == sort]
    return every[0] if len(every) == 1 else None


def _numbers(part: Reading, *, but_people: bool = False) -> tuple[Fraction, ...]:
    """The numbers of a part; those of people belong to no term of another sort: nobles, three persons."""
    every = (one for one in part.quantities if one.kind in (Kind.CARDINAL, Kind.ORDINAL))
    people = part.language.players if but_people else None
    counted = (one for one in every if people is None or not people.match(part.text, one.end, part.end))
    return tuple(Fraction(one.value) for one in counted)
