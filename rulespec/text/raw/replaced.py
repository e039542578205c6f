"""Numbers of a raw text in place of those of a list: 54 government, 15 king and 36 gold cards where the spec has 39.

A sentence that has most numbers of a rule, but lacks one and has another instead, means that one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from rulespec.text.languages.quantity import Kind, Quantity
from rulespec.text.raw.alignment import Alignment
from rulespec.text.raw.numbers import is_slip
from rulespec.text.raw.slots import FEW, in_figures
from rulespec.text.reading.mentions import Reading
from rulespec.text.rules.content import Fact, Number
from rulespec.text.rules.evidence import Wrong, judge
from rulespec.text.rules.facts import of_rule


def replaced(fact: Fact, rule: str, alignment: Alignment) -> Iterator[Wrong]:
    """The number that stands for one that the text must state: the only one of its sentence that no fact of the rule
    has. Of several sentences the one counts that states most other facts of the rule."""
    if isinstance(fact.content, Number) and not fact.optional and _lacks_one(rule, alignment):
        wanted = fact.content.value
        found = [(stated, one) for stated, one in _alone(rule, alignment) if is_slip(one, wanted)]
        for _, one in sorted(found, key=lambda pair: (-pair[0], abs(pair[1].value - wanted)))[:1]:
            yield Wrong(one.start, one.end, alignment.reading.text[one.start : one.end], str(fact.content))


def _lacks_one(rule: str, alignment: Alignment) -> bool:
    """Whether a text lacks a single number of a rule. Without more of them it does not have the list."""
    required = (fact for fact in of_rule(alignment.book.spec, rule) if not fact.derived and not fact.optional)
    numbers = (fact for fact in required if isinstance(fact.content, Number))
    return sum(not judge(fact, alignment.reading, alignment.book.concepts).stated for fact in numbers) == 1


def _alone(rule: str, alignment: Alignment) -> Iterator[tuple[int, Quantity]]:
    """The numbers that no fact of a rule has, if all others of their sentence are those of facts, with how many."""
    spec = alignment.book.spec
    contents = [fact.content for fact in of_rule(spec, rule) if not fact.derived]
    known = Counter(one.value for one in contents if isinstance(one, Number))
    for index in alignment.scores:
        sentence = alignment.sentence(index)
        every = [one for one in sentence.quantities if _is_count(one, sentence)]
        left = _left(every, known)
        if len(left) == 1 and len(every) > 1:
            yield len(every) - 1, left[0]


def _left(every: list[Quantity], others: Counter[int]) -> list[Quantity]:
    """The quantities that are none of some numbers, each of which one may be."""
    free = others.copy()
    left = []
    for one in every:
        if free[int(one.value)] > 0:
            free[int(one.value)] -= 1
        else:
            left.append(one)
    return left


def _is_count(one: Quantity, sentence: Reading) -> bool:
    named = one.value > FEW or in_figures(one, sentence)
    return one.kind == Kind.CARDINAL and named and one.start not in sentence.counts
