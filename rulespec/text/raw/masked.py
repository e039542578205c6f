"""Our text without the values of one sort: what its clauses say of whatever stands there."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from rulespec.text.languages.quantity import Kind
from rulespec.text.raw.alignment import Alignment
from rulespec.text.raw.features import Features, features
from rulespec.text.raw.parts import parts
from rulespec.text.raw.statements import Statements, sentences_of
from rulespec.text.raw.values import Value, values
from rulespec.text.reading.mentions import Reading
from rulespec.text.reading.once import once

COMMON = 1.5
"""The least weight of what they have in common: two lemmas of few rules."""

STANCE = 1.0
"""The weight of a contrast, such as most or fewest, in the comparison of two clauses: that of a common term."""


def rest(part: Reading, but: Sequence[Value]) -> Features:
    """The features of a part without some values, with its contrasts and ordinals."""
    inside = [one.span for one in but if part.start <= one.start and one.end <= part.end]

    def is_left(start: int, end: int) -> bool:
        return not any(start < span.end and span.start < end for span in inside)

    turns = (one for one in part.contrasts if is_left(one.start, one.end))
    ranks = (one for one in part.quantities if one.kind == Kind.ORDINAL and is_left(one.start, one.end))
    stance = {f"+{one.family} {one.value} {one.negated}" for one in turns}
    ordinals = {f"+{one.kind} {one.value}" for one in ranks}
    return features(part, inside) | stance | ordinals


def order(names: Features) -> Features:
    """What the features say of the order of things: the most, the second."""
    return frozenset(name for name in names if name.startswith(("+extreme", f"+{Kind.ORDINAL}")))


@dataclass(frozen=True, eq=False)
class OurPart:
    """A part of our text of a rule: its values of a sort, and the features of the rest."""

    rule: str
    part: Reading
    values: tuple[Value, ...]
    features: Features


@dataclass(frozen=True, eq=False)
class OurParts:
    """The parts of our text of all rules, seen for one sort."""

    rows: tuple[OurPart, ...]
    known: Statements

    @cached_property
    def of_rule(self) -> Mapping[str, tuple[Value, ...]]:
        """The values of each rule."""
        found: dict[str, dict[Value, None]] = {}
        for row in self.rows:
            found.setdefault(row.rule, {}).update(dict.fromkeys(row.values))
        return {rule: tuple(every) for rule, every in found.items()}

    @cached_property
    def _having(self) -> Mapping[str, Sequence[int]]:
        found: defaultdict[str, list[int]] = defaultdict(list)
        for i, row in enumerate(self.rows):
            for name in row.features:
                found[name].append(i)
        return found

    @cached_property
    def _lengths(self) -> tuple[float, ...]:
        return tuple(self._length(row.features) for row in self.rows)

    def _weight(self, name: str) -> float:
        unknown = 0.0 if name[0] == "=" else self.known.unknown
        return STANCE if name[0] == "+" else self.known.weights.get(name, unknown)

    def _length(self, names: Features) -> float:
        return float(sum(self._weight(name) ** 2 for name in names) ** 0.5)

    def like(self, said: Features, least: float = COMMON) -> Mapping[int, float]:
        """The cosine of a passage and each part that has enough in common with it, by the index of the part."""
        squares: defaultdict[int, float] = defaultdict(float)
        common: defaultdict[int, float] = defaultdict(float)
        for name in said:
            weight = self._weight(name)
            for i in self._having.get(name, ()):
                squares[i] += weight**2
                common[i] += weight
        length = self._length(said)
        return {i: square / (length * self._lengths[i]) for i, square in squares.items() if common[i] >= least}


def our_parts(alignment: Alignment, sort: str) -> OurParts:
    """The parts of our text, seen for a sort."""
    known = alignment.statements
    return once(known, ("parts", sort), lambda: OurParts(tuple(_all_parts(alignment, sort)), known))


def _all_parts(alignment: Alignment, sort: str) -> Iterator[OurPart]:
    for rule in alignment.statements.rules:
        for sentence in sentences_of(alignment.statements, rule):
            every = [one for one in values(sentence, alignment.book) if one.sort == sort]
            for span in parts(sentence):
                part = (sentence.whole or sentence).part(span.start, span.end)
                inside = tuple(one for one in every if span.start <= one.start and one.end <= span.end)
                if left := rest(part, inside):
                    yield OurPart(rule, part, inside, left)


def sorts(alignment: Alignment) -> Sequence[str]:
    """The sorts of the values in our text."""
    return once(alignment.statements, "sorts", lambda: _sorts(alignment))


def _sorts(alignment: Alignment) -> Sequence[str]:
    ours = (one for rule in alignment.statements.rules for one in sentences_of(alignment.statements, rule))
    return sorted({value.sort for one in ours for value in values(one, alignment.book)})
