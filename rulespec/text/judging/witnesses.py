"""The other texts of a rule as witnesses: what each says where a text states a number, a term or a contrast.

A wrong word shows as an exchange: the parallel passage has another value of the same sort in its place. A word that one
language adds or leaves out is no exchange. Translators word things differently, above all with converses: “nobody may”
is “all must not”. How often two texts do so shows in the rest of the rule. In families with a converse an exchange
counts only between close texts, which otherwise have the same values, or if every witness has the same value instead.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from fractions import Fraction
from functools import cached_property

from rulespec.text.glossary.finder import Mention
from rulespec.text.judging.contradictions import names_thing
from rulespec.text.judging.parallel import Pairs, likeness, pair_at, side_by_side
from rulespec.text.languages.quantity.quantity import Kind, Quantity
from rulespec.text.reading.contrasts.negation import DENIAL, Contrast
from rulespec.text.reading.mentions import Reading
from rulespec.text.rules.book import Book
from rulespec.text.rules.evidence import plain_values, values_of

CONVERSE = frozenset({"quantity", "modality", "scope", "order", "sequence", "transfer", "possession", "change"})
"""The families with a converse: two values say the same if another word of the sentence changes as well. “Nobody may”
is “all must not”, A before B is B after A, a payment to a player is a receipt, what one value gains another loses."""

POLAR = frozenset({"quantity", "modality"})
"""The families in which the word that changes is a negation."""

SAME = {
    ("quantity", "all"): frozenset({"none"}),
    ("quantity", "none"): frozenset({"all"}),
    ("modality", "must"): frozenset({"may_not"}),
    ("modality", "may_not"): frozenset({"must"}),
}
"""Values that say the same of sentences with equally many negations: “nobody pays” is “all do not pay”, and who must
move may not skip the move."""

RESTRICTED = frozenset({"may", "must"})
"""Values that say the same if only one of the sentences has “only”: who may take only blue must take blue."""

NEXT_BOUND = {"more": "at_least", "at_least": "more", "less": "at_most", "at_most": "less"}
"""Bounds that say the same of neighbouring numbers: more than 3 are at least 4."""

MARKED = frozenset({"rest"})
"""Values that no translator leaves out: “the remaining players” are not “the players”."""

LATE = frozenset({"later"})
"""Values that put an act off until a time that their words name: “at the end of the phase”."""

CLOSE = 0.6
"""The least share of equal contrasts in two close texts. Of the shipped translations of For the King and of King Me!
four in five reach it, of freely worded texts two in five (the development part of the unseen ones)."""

NOT = "not"
"""A negation in any words: “has no cards” is “does not have any cards”."""


class Of(StrEnum):
    """What is in doubt."""

    NUMBER = "number"
    TERM = "term"
    CONTRAST = "contrast"


@dataclass(frozen=True)
class Doubt:
    """The words `text[start:end]` state what no witness supports; `instead` is the value that witnesses have in its
    place, "" if they have nothing like it. `contrast` is the contrast in doubt."""

    of: Of
    start: int
    end: int
    instead: str
    contrast: Contrast | None = None


@dataclass(frozen=True)
class Witness:
    """Another text of the rule, with its passages beside ours."""

    whole: Reading
    pairs: Pairs


@dataclass(frozen=True)
class Vote:
    """What a witness says of a statement: other values in its place, support, or nothing.

    `close`: the texts otherwise have the same values. `converse`: the sentence negates more or less than ours.
    `absent`: the witness has the value nowhere, although its passage is beside ours.
    """

    instead: frozenset[str] = frozenset()
    supports: bool = False
    close: bool = False
    converse: bool = False
    absent: bool = False


def doubts(here: Reading, others: Sequence[Reading], book: Book) -> Iterator[Doubt]:
    """The statements of the text of a rule that other texts of it reject, and none supports."""
    return _Hearing(here, [Witness(other, side_by_side(here, other)) for other in others], book).doubts()


@dataclass(frozen=True, eq=False)
class _Hearing:
    """The text of a rule with the other texts of it."""

    here: Reading
    witnesses: Sequence[Witness]
    book: Book
    # By the identity of a passage, since a hash of it takes its whole text. The readings keep all their passages.
    _pairs: dict[int, Counter[tuple[str, str]]] = field(default_factory=dict)
    _by_family: dict[tuple[int, str], Counter[str]] = field(default_factory=dict)

    def doubts(self) -> Iterator[Doubt]:
        for mention in self.here.mentions:
            if meant := self._meant(mention):
                yield Doubt(Of.TERM, mention.start, mention.end, meant)
        for quantity in self.here.quantities:
            if wanted := self._counted(quantity):
                yield Doubt(Of.NUMBER, quantity.start, quantity.end, wanted)
        for contrast in self.here.contrasts:
            if contrast.family != "truth" and not names_thing(contrast, self.book):
                instead = self._opposed(contrast)
                if instead is not None:
                    yield Doubt(Of.CONTRAST, contrast.start, contrast.end, instead, contrast)

    def _around(self, at: int) -> list[tuple[Reading, Reading]]:
        """Our passage around an offset beside that of every witness, which is its whole text if it has none there; none
        if no witness has one."""
        beside = [pair_at(witness.pairs, at) for witness in self.witnesses]
        if not any(beside):
            return []
        return [pair or (self.here, one.whole) for pair, one in zip(beside, self.witnesses, strict=True)]

    # --- terms and numbers: all witnesses have the same other value ---------------------------------------------------

    def _meant(self, mention: Mention) -> str:
        """The concept of the same sort that every witness mentions instead, "" if there is none."""
        sort = self.book.sort(mention.concept) if mention.status.is_term else ""
        pairs = self._around(mention.start) if sort else []
        if not pairs or any(mention.concept in theirs.places for _, theirs in pairs):
            return ""
        named = (
            {one for one in theirs.named - ours.places.keys() if self.book.sort(one) == sort} for ours, theirs in pairs
        )
        return _least(frozenset[str].intersection(*map(frozenset, named)))

    def _counted(self, quantity: Quantity) -> str:
        """The number or range that every witness has instead, "" if there is none."""
        values, pairs = plain_values((quantity,)), self._around(quantity.start)
        if not pairs:
            return ""
        if values and not any(values & values_of(theirs) for _, theirs in pairs):
            numbers = (values_of(theirs) - values_of(ours) for ours, theirs in pairs)
            if common := frozenset.intersection(*numbers):
                bounded = any(self._is_bound(ours, theirs) for ours, theirs in pairs)
                return "" if bounded and {min(common) - 1, min(common) + 1} & values else str(min(common))
        ends = _ends(quantity)
        if quantity.kind == Kind.RANGE and not any(ends in _ranges(theirs) for _, theirs in pairs):
            ranges = frozenset.intersection(*(_ranges(theirs) - _ranges(ours) for ours, theirs in pairs))
            return "–".join(map(str, min(ranges))) if ranges else ""
        return ""

    def _is_bound(self, ours: Reading, theirs: Reading) -> bool:
        """Whether two passages have bounds that say the same of neighbouring numbers."""
        mine, other = self._values(ours, "comparison"), self._values(theirs, "comparison")
        return any(NEXT_BOUND.get(value) in other for value in mine)

    # --- contrasts ----------------------------------------------------------------------------------------------------

    def _opposed(self, contrast: Contrast) -> str | None:
        """The value that witnesses have instead, "" if they have nothing like it; None if they do not reject ours."""
        votes = [
            self._vote(contrast, witness, close) for witness, close in zip(self.witnesses, self._close, strict=True)
        ]
        if any(vote.supports for vote in votes):
            return None
        if self._puts_off(contrast, votes):
            return ""
        against = [vote for vote in votes if vote.instead]
        if not against:
            # A value that translators do not leave out is added if close texts have nothing like it.
            may_be_added = contrast.label in MARKED and bool(votes)
            return "" if may_be_added and all(vote.close and vote.absent for vote in votes) else None
        unanimous = len(votes) == len(against) > 1
        if contrast.family not in CONVERSE or any(vote.close for vote in against):
            values = frozenset.union(*(vote.instead for vote in against))
            return _least(values - {NOT}) or (NOT if unanimous else None)
        common = frozenset.intersection(*(vote.instead for vote in against)) - SAME.get(_pair(contrast), frozenset())
        alike = unanimous and not any(vote.converse for vote in against)
        return (_least(common) or None) if alike else None

    @cached_property
    def _close(self) -> list[bool]:
        return [self._closeness(one) >= CLOSE for one in self.witnesses]

    def _closeness(self, witness: Witness) -> float:
        """The share of contrasts that two texts have in common in parallel passages, one exchange aside; of texts with
        a single contrast the share of common concepts and numbers. From 0 to 1."""
        all_of = self._all
        common = sum((all_of(ours) & all_of(theirs)).total() for ours, theirs in witness.pairs)
        total = all_of(self.here).total() + all_of(witness.whole).total() - 2
        return min(2 * common / total, 1.0) if total > 0 else likeness(self.here, witness.whole)

    def _all(self, part: Reading) -> Counter[tuple[str, str]]:
        """How often a passage has each value of all families."""
        if id(part) not in self._pairs:
            self._pairs[id(part)] = Counter(map(_pair, self._contrasts(part)))
        return self._pairs[id(part)]

    def _contrasts(self, part: Reading) -> list[Contrast]:
        return [one for one in part.contrasts if not names_thing(one, self.book)]

    def _puts_off(self, contrast: Contrast, votes: Sequence[Vote]) -> bool:
        """Whether a text puts an act off until a time of which no other text of the rule speaks."""
        if contrast.label not in LATE or len(votes) < 2 or not all(vote.absent for vote in votes):
            return False
        over = self.here.mentions_over(contrast.start, contrast.end)
        named = {concept for mention in over for concept in (mention.concept, *mention.also)}
        return any(all(concept not in other.whole.places for other in self.witnesses) for concept in named)

    def _vote(self, contrast: Contrast, witness: Witness, close: bool) -> Vote:
        """The vote of the passage of a witness beside a contrast."""
        pair = pair_at(witness.pairs, contrast.start)
        if pair is None:
            return Vote()
        family, value = contrast.family, contrast.label
        mine, theirs = (self._values(part, family) for part in pair)
        instead = frozenset(
            one for one in theirs if theirs[one] > mine[one] and one.startswith(DENIAL) == contrast.negated
        )
        if theirs[value] >= mine[value] or (_negates(contrast) and theirs[NOT] >= mine[NOT] and not instead):
            return Vote(supports=True)
        if theirs[NOT] == mine[NOT] and family == "quantity":
            instead -= SAME.get(_pair(contrast), frozenset())
        instead -= self._reworded(contrast, pair)
        if close and not _negates(contrast) and theirs[NOT] > mine[NOT]:
            instead |= {NOT}
        converse = family in POLAR and self._negations(pair[0], family) != self._negations(pair[1], family)
        return Vote(instead, False, close, converse, absent=not self._values(witness.whole, family)[value])

    def _reworded(self, contrast: Contrast, pair: tuple[Reading, Reading]) -> frozenset[str]:
        """The values that say the same as a contrast, because other words of the two passages differ too."""
        only = [self._values(part, "scope")["only"] for part in pair]
        if contrast.family == "modality" and only[0] != only[1]:
            return RESTRICTED
        if contrast.family == "comparison" and values_of(pair[0]) != values_of(pair[1]):
            return frozenset({NEXT_BOUND.get(contrast.value, "")})
        return frozenset()

    def _values(self, part: Reading, family: str) -> Counter[str]:
        """How often a passage has each value of a family, with its negations under `NOT` if the family is polar."""
        key = id(part), family
        if key not in self._by_family:
            found = Counter(one.label for one in self._contrasts(part) if one.family == family)
            if family in POLAR:
                found[NOT] = sum(map(_negates, part.contrasts))
            self._by_family[key] = found
        return self._by_family[key]

    def _negations(self, part: Reading, family: str) -> int:
        """How many negations a passage has in words of other families."""
        return sum(_negates(one) for one in part.contrasts if one.family != family)


def _least(values: Collection[str]) -> str:
    """The first of some values, so that every run names the same one: sets have no order; "" of none."""
    return min(values, default="")


def _ranges(part: Reading) -> frozenset[tuple[Fraction, Fraction]]:
    return frozenset(_ends(one) for one in part.quantities if one.kind == Kind.RANGE)


def _ends(one: Quantity) -> tuple[Fraction, Fraction]:
    return one.value, one.value if one.high is None else one.high


def _negates(contrast: Contrast) -> bool:
    return contrast.negator is not None or contrast.family == "truth" or contrast.value in ("none", "may_not")


def _pair(contrast: Contrast) -> tuple[str, str]:
    return contrast.family, contrast.value
