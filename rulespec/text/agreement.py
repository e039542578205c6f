"""Agreement of languages in contrasts: a value that the other texts of a rule oppose and none of them supports.

The unit is the multiset of values of a family in a sentence. A wrong word shows as an excess of its value and a lack of
another, while a word that one language adds or leaves out gives only one of the two. So a sentence may have several
values of a family, such as lists of places face up and face down.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from rulespec.text.contrasts import Contrast
from rulespec.text.parallel import Pairs, pair_at
from rulespec.text.reading import Reading

CONVERSE = frozenset({"quantity", "modality", "scope", "order", "sequence", "transfer", "possession", "change"})
"""The families with a converse: two values say the same if another word of the sentence changes as well. “Nobody may”
is “all must not”, A before B is B after A, a payment to a player is a receipt, what one value gains another loses.
These are compared with two or more other texts, which must all have the same value instead."""

POLAR = frozenset({"quantity", "modality"})
"""The families in which the word that changes is a negation."""


@dataclass(frozen=True)
class Disagreement:
    """A contrast of a text, and the value that other texts of the rule have instead."""

    contrast: Contrast
    instead: str


@dataclass(frozen=True)
class Beside:
    """Another text of the rule with its sentences beside ours."""

    whole: Reading
    pairs: Pairs


@dataclass(frozen=True)
class _Vote:
    """What a text says on a contrast of another: the values it has `instead`, or support, or nothing.

    `nearby`: in the same sentence.
    """

    instead: frozenset[str] = frozenset()
    supports: bool = False
    nearby: bool = True

    @property
    def opposes(self) -> bool:
        return bool(self.instead)


def disagreements(
    here: Reading, others: Sequence[Beside], is_name: Callable[[Contrast], bool]
) -> Iterator[Disagreement]:
    """The contrasts of a text that other texts of the rule oppose and none supports. `is_name` holds for contrasts in
    the name of a thing, which are not compared."""
    counts = _Counts(is_name)
    for contrast in here.contrasts:
        if not (contrast.negated or contrast.family == "truth" or is_name(contrast)):
            instead = _instead(contrast.family, [_vote(contrast, here, other, counts) for other in others])
            if instead:
                yield Disagreement(contrast, instead)


def _instead(family: str, votes: Sequence[_Vote]) -> str | None:
    """The value that the other languages have instead; None if they do not reject ours.

    At least one must oppose it in the same sentence, and none may support it.
    """
    against = [vote.instead for vote in votes if vote.opposes]
    if not any(vote.nearby for vote in votes if vote.opposes) or any(vote.supports for vote in votes):
        return None
    if family not in CONVERSE:
        return min(min(values) for values in against)
    common = frozenset.intersection(*against)
    return min(common, default=None) if len(votes) == len(against) > 1 else None


def _vote(contrast: Contrast, here: Reading, other: Beside, counts: _Counts) -> _Vote:
    """The vote of another text on a contrast: that of the sentence, or of the whole text if the sentence is silent."""
    pair = pair_at(other.pairs, contrast.start)
    vote = _compared(contrast, *pair, counts) if pair else _Vote()
    return (
        vote if vote.opposes or vote.supports else replace(_compared(contrast, here, other.whole, counts), nearby=False)
    )


def _compared(contrast: Contrast, ours: Reading, theirs: Reading, counts: _Counts) -> _Vote:
    """The vote of a passage on a contrast of ours."""
    family, value = contrast.family, contrast.value
    mine, other = counts.values(ours, family), counts.values(theirs, family)
    exchanged = sum((mine - other).values()) == sum((other - mine).values()) == 1
    if other[value] >= mine[value] or (other[value] and (family in CONVERSE or not exchanged)):
        return _Vote(supports=True)
    if family in POLAR and counts.negations(ours, family) != counts.negations(theirs, family):
        return _Vote()
    return _Vote(frozenset(one for one in other if other[one] > mine[one]))


class _Counts:
    """The values and negations of passages, counted once each."""

    def __init__(self, is_name: Callable[[Contrast], bool]) -> None:
        self._is_name = is_name
        self._values: dict[tuple[int, str], Counter[str]] = {}
        self._negations: dict[tuple[int, str], int] = {}

    def values(self, part: Reading, family: str) -> Counter[str]:
        """How often a passage has each value of a family."""
        key = id(part), family
        if key not in self._values:
            same = (c for c in part.contrasts if c.family == family and not c.negated and not self._is_name(c))
            self._values[key] = Counter(c.value for c in same)
        return self._values[key]

    def negations(self, part: Reading, family: str) -> int:
        """How many negations a passage has in words of other families."""
        key = id(part), family
        if key not in self._negations:
            self._negations[key] = sum(_negates(c) for c in part.contrasts if c.family != family)
        return self._negations[key]


def _negates(contrast: Contrast) -> bool:
    return contrast.negator is not None or contrast.family == "truth" or contrast.value in ("none", "may_not")
