"""Statements that a text denies and the other texts of a rule affirm, or the reverse.

Two texts word a rule differently, so only statements with the same predicate about the same things are compared: the
most similar ones of the other text. Of two possible readings the one that agrees wins.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from rulespec.text.reading.mentions import Reading
from rulespec.text.reading.once import once
from rulespec.text.reading.predicates.lexicon import MODALS
from rulespec.text.reading.predicates.reader import Statement, statements

LIKE = 0.2
"""The least similarity of two statements that are compared. Below it true texts of the development part disagree."""

LIKE_MODAL = 0.5
"""The same for what may or must be done and when: every text says that of several things."""

RARE = frozenset({"change", "count", "matter"})
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
    """A statement of a text, and the words of another text that say the opposite."""

    statement: Statement
    against: str


def denials(here: Reading, others: Sequence[Reading], vague: frozenset[str]) -> Iterator[Denial]:
    """The statements that at least one other text contradicts and none supports. `vague` are concepts that nearly every
    clause mentions."""
    mine = [one for one in _read(here) if one.predicate not in UNCOMPARED]
    for one in mine:
        if one.certain and (not one.conditional or one.predicate in OF_CASES):
            found = [_opposite(one, mine, _read(other), vague) for other in others]
            against = [(each, other) for each, other in zip(found, others, strict=True) if isinstance(each, Statement)]
            if against and not any(each is _SUPPORT for each in found):
                each, other = against[0]
                yield Denial(one, other.text[each.clause.start : each.clause.end])


def _read(reading: Reading) -> tuple[Statement, ...]:
    return once(reading, "statements", lambda: statements(reading))


_SUPPORT = object()


def _opposite(one: Statement, mine: Sequence[Statement], theirs: Sequence[Statement], vague: frozenset[str]) -> object:
    """The statement of another text that says the opposite; `_SUPPORT` if one agrees, None if nothing is said of it."""
    same = [each for each in theirs if _comparable(one, each)]
    likes = [_like(one, each, vague) for each in same]
    best = max(likes, default=0.0)
    if best < (LIKE_MODAL if one.predicate in MODALS else LIKE) and not _is_only(one, mine, same):
        return None
    meant = [each for each, like in zip(same, likes, strict=True) if like >= best * NEXT_BEST]
    if any(each.affirmed == one.affirmed or not each.certain for each in meant):
        return _SUPPORT
    return None if any(_says(other, one, meant[0], best, vague) for other in mine) else meant[0]


def _is_only(one: Statement, mine: Sequence[Statement], same: Sequence[Statement]) -> bool:
    """Whether a statement of a rare predicate is the only one in our text, and those of the other text all agree."""
    ours = [each for each in mine if each.predicate == one.predicate]
    return one.predicate in RARE and len(ours) == 1 and len({each.affirmed for each in same}) == 1


def _comparable(one: Statement, other: Statement) -> bool:
    return one.predicate == other.predicate and one.conditional == other.conditional


def _says(other: Statement, one: Statement, meant: Statement, best: float, vague: frozenset[str]) -> bool:
    """Whether another statement of our text may be what a statement of the other text means."""
    if other.predicate != meant.predicate or other.affirmed != meant.affirmed:
        return False
    return other.clause.sentence == one.clause.sentence or _like(other, meant, vague) >= best / 2


def _like(one: Statement, other: Statement, vague: frozenset[str]) -> float:
    """The share of concepts that two statements have in common, from 0 to 1. Those of the clause count fully, those of
    the rest of the sentence half."""
    ours, theirs = _weights(one, vague), _weights(other, vague)
    every = ours.keys() | theirs.keys()
    common = sum(min(ours.get(each, 0.0), theirs.get(each, 0.0)) for each in every)
    return common / sum(max(ours.get(each, 0.0), theirs.get(each, 0.0)) for each in every) if every else 0.0


def _weights(one: Statement, vague: frozenset[str]) -> Mapping[str, float]:
    # The concepts of a clause are among those of its sentence, too: the later entry counts.
    return {**dict.fromkeys(one.around - vague, 0.5), **dict.fromkeys(one.about - vague, 1.0)}
