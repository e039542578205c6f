"""Terms that our text pairs with numbers, one to one, and a raw text with the number of another: floor 3, officers."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction

from rulespec.text.languages.quantity import Kind, Quantity
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

EXCHANGED = 2
"""How many terms one slip gives a wrong number at most."""

FEWEST = 3
"""How many terms of a sort a rule pairs with numbers at least. Two may be any two things that it counts."""


@dataclass(frozen=True)
class Paired:
    """A term of the text with a number, the rule of its sentence, and the term that has this number in our text."""

    value: Value
    rule: str
    ours: str

    @property
    def is_right(self) -> bool:
        """Whether our text pairs the two as well."""
        return self.ours in self.value.names


def mispaired(alignment: Alignment) -> Iterator[Paired]:
    """The terms of a text with the number of another, the first of each sentence.

    A writer slips once, with one term or by exchanging two. A text that pairs half or more of the terms of a rule
    otherwise does so on purpose, or is read wrongly.
    """
    found: dict[tuple[str, str], list[tuple[int, Paired]]] = {}
    for index in alignment.scores:
        if alignment.is_asserted(index):
            for one in _paired(alignment, index):
                found.setdefault((one.rule, one.value.sort), []).append((index, one))
    wrong: dict[int, Paired] = {}
    for every in found.values():
        slips = [(index, one) for index, one in every if not one.is_right]
        for index, one in slips if len(slips) <= EXCHANGED or 2 * len(slips) < len(every) else ():
            wrong.setdefault(index, one)
    yield from (wrong[index] for index in sorted(wrong))


def _paired(alignment: Alignment, index: int) -> Iterator[Paired]:
    """The terms of a sentence with a number of our text of its rules, each term of a rule once."""
    sentence = alignment.sentence(index)
    for rule in alignment.rules_at(index):
        for sort, terms in pairs(alignment, rule).items():
            found: dict[Value, Paired] = {}
            for span in parts(sentence):
                part = (sentence.whole or sentence).part(span.start, span.end)
                one = _only(part, sort, alignment)
                if one is None or one.names[0] not in terms.values():
                    continue
                counted = None if _counts_any(alignment, rule, sort) else one
                numbers = _numbers(part, counted, but_people=True)
                ours = {terms[number] for number in numbers if number in terms}
                if len(ours) == 1:
                    paired = Paired(one, rule, ours.pop())
                    if one not in found or not paired.is_right:
                        found[one] = paired
            yield from found.values()


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


def _numbers(part: Reading, but: Value | None = None, *, but_people: bool = False) -> tuple[Fraction, ...]:
    """The numbers of a part, without one that counts a value: three nobles. Those of people belong to no term of
    another sort: three persons."""
    every = [one for one in part.quantities if one.kind in (Kind.CARDINAL, Kind.ORDINAL)]
    people = part.language.players if but_people else None
    counted = (one for one in every if people is None or not people.match(part.text, one.end, part.end))
    return tuple(Fraction(one.value) for one in counted if but is None or not _counts(one, but, part))


def _counts_any(alignment: Alignment, rule: str, sort: str) -> bool:
    """Whether our text of a rule has a number right before a term of a sort: 3 nobles, 4 officers."""
    return once(alignment.statements, ("counts", rule, sort), lambda: _has_count(alignment, rule, sort))


def _has_count(alignment: Alignment, rule: str, sort: str) -> bool:
    only = ((item, _only(item, sort, alignment)) for item in sentences_of(alignment.statements, rule))
    return any(_counts(number, one, item) for item, one in only if one is not None for number in item.quantities)


_GAP = r"[^\S\n]?[*_]{0,3}[^\S\n]?"
_BETWEEN, _CLASSIFIED = re.compile(_GAP), re.compile(rf"{_GAP}[^\W\d_]?{_GAP}")
"""What stands between a number and what it counts: a space, perhaps emphasis; in Chinese a classifier as well."""


def _counts(number: Quantity, value: Value, part: Reading) -> bool:
    """Whether a number stands right before a value, which it therefore counts."""
    between = _BETWEEN if part.language.spaced else _CLASSIFIED
    is_before = number.kind == Kind.CARDINAL and number.end <= value.start
    return is_before and between.fullmatch(part.text, number.end, value.start) is not None
