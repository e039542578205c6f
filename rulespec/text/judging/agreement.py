"""Agreement of languages in contrasts: a value that other texts of a rule replace with another and none supports.

The unit is the multiset of values of a family in a pair of parallel sentences. A wrong word shows as an exchange: an
excess of its value and a lack of another. A word that one language adds or leaves out gives only one of the two.

Translators word things differently, above all with converses: “nobody may” is “all must not”. How often two texts do so
shows in the rest of the rule. In families with a converse an exchange counts only between close texts, which otherwise
have the same values, or if every other text has the same value instead.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from rulespec.text.judging.parallel import Pairs, likeness, pair_at
from rulespec.text.reading.contrasts import Contrast
from rulespec.text.reading.mentions import Reading
from rulespec.text.rules.evidence import values_of

CONVERSE = frozenset({"quantity", "modality", "scope", "order", "sequence", "transfer", "possession", "change"})
"""The families with a converse: two values say the same if another word of the sentence changes as well. “Nobody may”
is “all must not”, A before B is B after A, a payment to a player is a receipt, what one value gains another loses."""

POLAR = frozenset({"quantity", "modality"})
"""The families in which the word that changes is a negation."""

UNIVERSAL = {"all": frozenset({"none"}), "none": frozenset({"all"})}
"""Values that say the same of sentences with equally many negations: “nobody pays” is “all do not pay”."""

DUTIES = {"must": frozenset({"may_not"}), "may_not": frozenset({"must"})}
"""Values with a converse in the verb: who must move may not skip the move."""

RESTRICTED = frozenset({"may", "must"})
"""Values that say the same if only one of the sentences has “only”: who may take only blue must take blue."""

NEXT_BOUND = {"more": "at_least", "at_least": "more", "less": "at_most", "at_most": "less"}
"""Bounds that say the same of neighbouring numbers: more than 3 are at least 4."""

CLOSE = 0.6
"""The least share of equal contrasts in two close texts. Of the shipped translations of For the King and of King Me!
four in five reach it, of freely worded texts two in five (the development part of the unseen ones)."""

MARKED = frozenset({"rest"})
"""Values that no translator leaves out: “the remaining players” are not “the players”."""

NOT = "not"
"""A negation in any words: “has no cards” is “does not have any cards”."""

LATE = frozenset({"later"})
"""Values that put an act off until a time that their words name: “at the end of the phase”."""

DENIAL = "not "


@dataclass(frozen=True)
class Disagreement:
    """A contrast of a text, and the value that other texts of the rule have `instead`, "" for none."""

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

    `close`: the texts otherwise have the same values. `converse`: the sentence negates more or less than ours.
    `absent`: the text has the value nowhere, although its sentence is beside ours.
    """

    instead: frozenset[str] = frozenset()
    supports: bool = False
    close: bool = False
    converse: bool = False
    absent: bool = False


def disagreements(
    here: Reading, others: Sequence[Beside], is_name: Callable[[Contrast], bool]
) -> Iterator[Disagreement]:
    """The contrasts of a text that other texts of the rule replace and none supports. `is_name` holds for contrasts in
    the name of a thing, which are not compared."""
    counts = _Counts(is_name)
    close = [(other, closeness(here, other, counts) >= CLOSE) for other in others]
    for contrast in here.contrasts:
        if contrast.family != "truth" and not is_name(contrast):
            votes = [_vote(contrast, other, near, counts) for other, near in close]
            instead = "" if _puts_off(contrast, here, others, votes) else _instead(contrast, votes)
            if instead is not None:
                yield Disagreement(contrast, instead)


def _puts_off(contrast: Contrast, here: Reading, others: Sequence[Beside], votes: Sequence[_Vote]) -> bool:
    """Whether a text puts an act off until a time of which no other text of the rule speaks."""
    if _label(contrast) not in LATE or len(votes) < 2 or not all(vote.absent for vote in votes):
        return False
    named = {concept for m in here.mentions_over(contrast.start, contrast.end) for concept in (m.concept, *m.also)}
    return any(all(concept not in other.whole.places for other in others) for concept in named)


def closeness(here: Reading, other: Beside, counts: _Counts) -> float:
    """The share of contrasts that two texts have in common in parallel sentences, one exchange aside; of texts with a
    single contrast the share of common concepts and numbers. From 0 to 1."""
    common = sum((counts.all(ours) & counts.all(theirs)).total() for ours, theirs in other.pairs)
    total = counts.all(here).total() + counts.all(other.whole).total() - 2
    return min(2 * common / total, 1.0) if total > 0 else likeness(here, other.whole)


def _instead(contrast: Contrast, votes: Sequence[_Vote]) -> str | None:
    """The value that the other languages have instead, "" if they say nothing; None if they do not reject ours."""
    against = [vote for vote in votes if vote.instead]
    if any(vote.supports for vote in votes):
        return None
    if not against:
        added = _label(contrast) in MARKED and votes and all(vote.close and vote.absent for vote in votes)
        return "" if added else None
    common = frozenset.intersection(*(vote.instead for vote in against))
    unanimous = len(votes) == len(against) > 1
    if contrast.family not in CONVERSE or any(vote.close for vote in against):
        values = frozenset.union(*(vote.instead for vote in against))
        # The least, so that every run names the same one: sets have no order.
        return min(values - {NOT}, default=NOT if unanimous else None)
    alike = unanimous and not any(vote.converse for vote in against)
    return min(common - DUTIES.get(contrast.value, frozenset()), default=None) if alike else None


def _vote(contrast: Contrast, other: Beside, close: bool, counts: _Counts) -> _Vote:
    """The vote of the sentence of another text beside a contrast."""
    pair = pair_at(other.pairs, contrast.start)
    if pair is None:
        return _Vote()
    family, value = contrast.family, _label(contrast)
    mine, theirs = (counts.values(part, family) for part in pair)
    instead = frozenset(one for one in theirs if theirs[one] > mine[one] and _is_denial(one) == contrast.negated)
    if theirs[value] >= mine[value] or (_negates(contrast) and theirs[NOT] >= mine[NOT] and not instead):
        return _Vote(supports=True)
    if theirs[NOT] == mine[NOT]:
        instead -= UNIVERSAL.get(value, frozenset())
    instead -= _reworded(contrast, pair, counts)
    if close and not _negates(contrast) and theirs[NOT] > mine[NOT]:
        instead |= {NOT}
    converse = family in POLAR and counts.negations(pair[0], family) != counts.negations(pair[1], family)
    return _Vote(instead, False, close, converse, absent=not counts.values(other.whole, family)[value])


def _reworded(contrast: Contrast, pair: tuple[Reading, Reading], counts: _Counts) -> frozenset[str]:
    """The values that say the same as a contrast, because other words of the two sentences differ too."""
    mine, theirs = pair
    if contrast.family == "modality" and counts.values(mine, "scope")["only"] != counts.values(theirs, "scope")["only"]:
        return RESTRICTED
    if contrast.family == "comparison" and values_of(mine) != values_of(theirs):
        return frozenset({NEXT_BOUND.get(contrast.value, "")})
    return frozenset()


class _Counts:
    """The values and negations of passages, counted once each."""

    def __init__(self, is_name: Callable[[Contrast], bool]) -> None:
        self._is_name = is_name
        # By identity, since a hash of a reading takes its whole text. The pairs hold all readings as long as this is
        # used, so no id is used twice.
        self._values: dict[tuple[int, str], Counter[str]] = {}
        self._negations: dict[tuple[int, str], int] = {}
        self._all: dict[int, Counter[tuple[str, str]]] = {}

    def values(self, part: Reading, family: str) -> Counter[str]:
        """How often a passage has each value of a family, with its negations under `NOT` if the family is polar."""
        key = id(part), family
        if key not in self._values:
            same = (c for c in part.contrasts if c.family == family and not self._is_name(c))
            self._values[key] = Counter(map(_label, same))
            if family in POLAR:
                self._values[key][NOT] = sum(_negates(c) for c in part.contrasts)
        return self._values[key]

    def all(self, part: Reading) -> Counter[tuple[str, str]]:
        """How often a passage has each value of all families."""
        if id(part) not in self._all:
            self._all[id(part)] = Counter((c.family, c.value) for c in part.contrasts if not self._is_name(c))
        return self._all[id(part)]

    def negations(self, part: Reading, family: str) -> int:
        """How many negations a passage has in words of other families."""
        key = id(part), family
        if key not in self._negations:
            self._negations[key] = sum(_negates(c) for c in part.contrasts if c.family != family)
        return self._negations[key]


def _negates(contrast: Contrast) -> bool:
    return contrast.negator is not None or contrast.family == "truth" or contrast.value in ("none", "may_not")


def _label(contrast: Contrast) -> str:
    """The value of a contrast, or its denial: who does not take does not lose either."""
    return DENIAL + contrast.value if contrast.negated else contrast.value


def _is_denial(label: str) -> bool:
    return label.startswith(DENIAL)
