"""What a text affirms and the other texts of a rule deny, or the reverse.

Two texts word a rule differently, so only statements with the same predicate about the same things are compared: the
most similar ones of the other text. Of two possible readings the one that agrees wins.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import attrgetter

from rulespec.text.reading.clauses import Clause
from rulespec.text.reading.contrasts.negation import Contrast
from rulespec.text.reading.contrasts.predicates import MODALS
from rulespec.text.reading.mentions import Reading
from rulespec.text.reading.once import once

LIKE = 0.2
"""The least similarity of two statements that are compared. Below it true texts of the development part disagree."""

LIKE_MODAL = 0.5
"""The same for what may or must be done and when: every text says that of several things."""

RARE = frozenset({"refund", "count", "matter"})
"""Predicates of which a rule says little else: statements of them are compared if the texts have no other ones."""

NEXT_BEST = 0.6
"""The share of the best similarity from which on another statement may be meant as well."""

UNCOMPARED = frozenset({"have"})
"""Predicates that only take up a negation."""

OF_CASES = frozenset({"left"})
"""Predicates that are compared in conditions, too. Other conditions may be said of either case: who is barred, who is
not."""


@dataclass(frozen=True)
class Denial:
    """A predicate of a text with its clause, and the words of another text that say the opposite."""

    predicate: Contrast
    clause: Clause
    against: str


@dataclass(frozen=True)
class _Statement:
    """A predicate in its clause, and the weight of each concept that it may be about: 1 for those of the clause, half
    for those of the rest of its sentence and of the head line of its list."""

    predicate: Contrast
    clause: Clause
    concepts: Mapping[str, float]


def denials(here: Reading, others: Sequence[Reading], vague: frozenset[str]) -> Iterator[Denial]:
    """The predicates that at least one other text contradicts and none supports. `vague` are concepts that nearly every
    clause mentions."""
    mine = [one for one in _statements(here) if one.predicate.family not in UNCOMPARED]
    for one in mine:
        if one.predicate.certain and (not one.predicate.conditional or one.predicate.family in OF_CASES):
            found = [_opposite(one, mine, _statements(other), vague) for other in others]
            against = [(each, other) for each, other in zip(found, others, strict=True) if isinstance(each, _Statement)]
            if against and not any(each is _SUPPORT for each in found):
                each, other = against[0]
                yield Denial(one.predicate, one.clause, other.text[each.clause.start : each.clause.end])


def _statements(reading: Reading) -> tuple[_Statement, ...]:
    return once(reading, "statements", lambda: tuple(_read(reading)))


def _read(reading: Reading) -> Iterator[_Statement]:
    for clause, predicates in groupby(reading.predicates, attrgetter("clause")):
        around = [clause.sentence, clause.head] if clause.head else [clause.sentence]
        # The concepts of a clause are among those of its sentence, too: the later entry counts.
        concepts = {concept: 0.5 for span in around for concept in reading.part(span.start, span.end).places}
        concepts |= dict.fromkeys(reading.part(clause.start, clause.end).places, 1.0)
        yield from (_Statement(one, clause, concepts) for one in predicates)


_SUPPORT = object()


def _opposite(
    one: _Statement, mine: Sequence[_Statement], theirs: Sequence[_Statement], vague: frozenset[str]
) -> object:
    """The statement of another text that says the opposite; `_SUPPORT` if one agrees, None if nothing is said of it."""
    said = one.predicate
    same = [each for each in theirs if _comparable(said, each.predicate)]
    likes = [_like(one, each, vague) for each in same]
    best = max(likes, default=0.0)
    if best < (LIKE_MODAL if said.family in MODALS else LIKE) and not _is_only(said, mine, same):
        return None
    meant = [each for each, like in zip(same, likes, strict=True) if like >= best * NEXT_BEST]
    if any(each.predicate.value == said.value or not each.predicate.certain for each in meant):
        return _SUPPORT
    return None if any(_says(other, one, meant[0], best, vague) for other in mine) else meant[0]


def _is_only(said: Contrast, mine: Sequence[_Statement], same: Sequence[_Statement]) -> bool:
    """Whether a rare predicate is the only one in our text, and those of the other text all agree."""
    ours = [each for each in mine if each.predicate.family == said.family]
    return said.family in RARE and len(ours) == 1 and len({each.predicate.value for each in same}) == 1


def _comparable(one: Contrast, other: Contrast) -> bool:
    return one.family == other.family and one.conditional == other.conditional


def _says(other: _Statement, one: _Statement, meant: _Statement, best: float, vague: frozenset[str]) -> bool:
    """Whether another statement of our text may be what a statement of the other text means."""
    here, there = other.predicate, meant.predicate
    if (here.family, here.value) != (there.family, there.value):
        return False
    return other.clause.sentence == one.clause.sentence or _like(other, meant, vague) >= best / 2


def _like(one: _Statement, other: _Statement, vague: frozenset[str]) -> float:
    """The share of concepts that two statements have in common, from 0 to 1."""
    every = (one.concepts.keys() | other.concepts.keys()) - vague
    pairs = [(one.concepts.get(each, 0.0), other.concepts.get(each, 0.0)) for each in every]
    return sum(map(min, pairs)) / sum(map(max, pairs)) if pairs else 0.0
