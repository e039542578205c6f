"""Numbers that a raw text gives to each of several terms, compared with those of our text: nobles 5, officers 3."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import pairwise
from statistics import median_high

from rulespec.text.languages.quantity import Kind, Quantity
from rulespec.text.raw.alignment import Alignment
from rulespec.text.raw.pairs import FEWEST, rows
from rulespec.text.raw.slots import in_figures
from rulespec.text.raw.values import Value, values
from rulespec.text.reading.mentions import Reading
from rulespec.text.reading.once import once

_MARK = re.compile(r"[,;:.\n，；：、。|]")
"""What may stand between the numbers of one term and those of the next."""

BEFORE, AFTER = 1, 2
"""The most marks between a number and its term: floor 5, nobles; the nobles, right below on floor 5, bring 5."""

NEAR = 2
"""The most sentences from one row of a table to the next, counting the second."""

_KINDS = (Kind.CARDINAL, Kind.ORDINAL, Kind.NOTHING)


@dataclass(frozen=True)
class TermTable:
    """The numbers of the terms of a rule in a text, and those that are wrong, each with the right ones."""

    rule: str
    cells: frozenset[Quantity]
    wrong: tuple[tuple[Quantity, str], ...]


def term_tables(alignment: Alignment) -> Sequence[TermTable]:
    """The tables of terms and numbers that a text states, in sentences or lists."""
    return once(alignment.reading, "term tables", lambda: list(_tables(alignment)))


def _tables(alignment: Alignment) -> Iterator[TermTable]:
    for rule in alignment.statements.rules:
        for sort, known in rows(alignment, rule).items():
            if len(set(map(frozenset, known.values()))) >= FEWEST:
                for found in map(_alike, _runs(_said(alignment, rule, sort, known))):
                    wrong = [row for row in found if not row.is_right]
                    if len(found) - len(wrong) >= max(FEWEST, 2 * len(wrong)):
                        cells = frozenset(one for row in found for one in row.quantities)
                        wrong = [row for row in wrong if not _is_other(row, known)]
                        yield TermTable(rule, cells, tuple(one for row in wrong for one in row.wrong()))


def _runs(every: Iterable[_Row]) -> Iterator[Sequence[_Row]]:
    """The rows of sentences near each other: elsewhere a term may have a number of another kind."""
    run: list[_Row] = []
    for row in every:
        if run and row.index - run[-1].index > NEAR:
            yield run
            run = []
        run.append(row)
    if run:
        yield run


def _alike(run: Sequence[_Row]) -> Sequence[_Row]:
    """The rows with as many of their nearest numbers as most rows have: another number belongs to what follows, such as
    “5 nobles, and floor 6 is the throne”."""
    usual = median_high(len(row.quantities) for row in run)
    return [replace(row, quantities=row.quantities[:usual]) for row in run]


@dataclass(frozen=True)
class _Row:
    """The numbers of a term in the sentence with an index, and those that it has in our text."""

    index: int
    quantities: tuple[Quantity, ...]
    known: frozenset[Fraction]

    @property
    def is_right(self) -> bool:
        """Whether our text gives all of the numbers to the term."""
        return self.numbers <= self.known

    @property
    def numbers(self) -> frozenset[Fraction]:
        """The values of the numbers."""
        return frozenset(one.value for one in self.quantities)

    def wrong(self) -> Iterator[tuple[Quantity, str]]:
        """The numbers that our text does not give to the term, each with those that are left."""
        left = self.known - self.numbers or self.known
        wants = " or ".join(str(number) for number in sorted(left))
        return ((one, wants) for one in self.quantities if one.value not in self.known)


def _is_other(row: _Row, known: Mapping[str, Sequence[Fraction]]) -> bool:
    """Whether several numbers of a row are those of another term, so that not they are wrong but the term."""
    return len(row.quantities) > 1 and row.numbers in map(frozenset, known.values())


def _said(alignment: Alignment, rule: str, sort: str, known: Mapping[str, Sequence[Fraction]]) -> Iterator[_Row]:
    """The rows of a text that give numbers to the terms of a rule. A row has at most as many as that in our text: more
    of them belong to a word that is no known term."""
    for index in alignment.scores:
        if rule in alignment.candidates(index):
            for value, part in _parts(alignment.sentence(index), sort, alignment):
                ours = known.get(value.names[0], ())
                near = sorted(_near(part, value), key=lambda one: _distance(one, value, part))[: len(ours)]
                if near:
                    yield _Row(index, tuple(near), frozenset(ours))


def _near(part: Reading, value: Value) -> Iterator[Quantity]:
    for one in part.quantities:
        reach = BEFORE if one.start < value.start else AFTER
        spoken = one.value == 1 and not in_figures(one, part)  # not a single point
        amount = one.kind in _KINDS and not spoken and one.start not in part.counts
        if amount and _distance(one, value, part)[0] <= reach:
            yield one


def _distance(quantity: Quantity, value: Value, part: Reading) -> tuple[int, int]:
    """How many marks and characters are between a number and a value."""
    start, end = min(quantity.end, value.end), max(quantity.start, value.start)
    return len(_MARK.findall(part.text, start, end)), end - start


def _parts(sentence: Reading, sort: str, alignment: Alignment) -> Iterator[tuple[Value, Reading]]:
    """The values of a sort in a sentence, each with the part of the sentence that is about it."""
    every = [one for one in values(sentence, alignment.book) if one.sort == sort]
    cuts = [sentence.start, *(_cut(sentence.text, one, other) for one, other in pairwise(every)), sentence.end]
    whole = sentence.whole or sentence
    # Not strict: without a value there is still the pair of both ends.
    for value, (start, end) in zip(every, pairwise(cuts), strict=False):
        yield value, whole.part(start, end)


def _cut(text: str, one: Value, other: Value) -> int:
    """Where the part about a value ends: at the last mark before the next value."""
    marks = list(_MARK.finditer(text, one.end, other.start))
    return marks[-1].end() if marks else other.start
