"""Marks of a raw text whose opposite our own text has in the same place.

The witnesses are the marks of our whole text of the same family. Each weighs as much as the sentences resemble each
other and as the sentence fits its rule. The best one with the opposite value must resemble well, and far better than
the best one that agrees.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from rulespec.text.raw import cases
from rulespec.text.raw.alignment import Alignment
from rulespec.text.raw.features import Features, features
from rulespec.text.raw.marks import Mark, marks, names_things
from rulespec.text.raw.statements import Statements
from rulespec.text.reading.once import once
from rulespec.text.rules.book import Book

FIT = 0.5
"""The weight of the fit of a sentence to the rule of a witness, beside the likeness of the two sentences (0 to 1)."""

BEFORE, AFTER = 0.6, 0.3
"""The share of its fit that a rule keeps in the next sentence, and in the one before: “Then it goes to your left.”"""

AGREEING = 0.5
"""The most that a witness that agrees may weigh, as a share of the one with the opposite. Chosen by trial on the texts
to tune on: from 0.6 on true texts have findings."""

RARE = frozenset({"when", "extreme", "transfer"})
"""The families of which a rulebook says little: the witness that weighs most is right."""

_USUAL = 0.55
"""The least weight of a witness. Chosen in the same way, as those of `LEAST`."""

LEAST: Mapping[str, float] = {
    **dict.fromkeys(("side", "rounding", "extreme", "distance"), _USUAL),
    "comparison": 0.45,
    "change in turn": 0.75,
    **dict.fromkeys(("change", "refund"), 0.28),
    "which": 0.33,
    "how many": 0.35,
    **dict.fromkeys(("how little", "together"), 0.6),
    **{"when": 0.35, "transfer": 1.0},
}
"""The families that are compared, each with the least weight of a witness. Others were compared once, such as what is
affirmed and denied of a duty: their findings were right too rarely."""

_OPPOSITE = {"affirmed": "denied", "denied": "affirmed", "increase": "decrease", "decrease": "increase"}
_OPPOSITE |= {"up": "down", "down": "up", "most": "fewest", "fewest": "most", "nearest": "farthest"}
_OPPOSITE |= {"farthest": "nearest", "more": "less", "less": "more", "left": "right", "right": "left"}
"""What our text says instead of a value."""

SINGLE: Mapping[str, float] = {"rounding": 0.1, "distance": 0.1, "change": 0.1, "refund": 0.1}
"""The families of which one value in the whole game makes its opposite wrong nearly anywhere, each with the least
weight of a witness in that case."""

FEW = 3
"""The largest number that many rules have. Sentences about one of a series must have a larger one in common."""

SAME_CASE = 0.4
"""The least likeness of two conditions that state the same case."""

GENERAL = 0.5
"""The share of its weight that an agreeing witness keeps if the opposite one alone states the case or the kind of card
that the sentence is about."""

OF_NOTHING = frozenset({"change", "refund"}) | cases.ON_NOTHING
"""The families whose marks need no thing in common with their witness: what is changed or done is often left unsaid."""


OF_OUTCOMES, SAME_OUTCOME = frozenset({"comparison"}), 0.2
"""The families whose marks are in conditions, so that the rest of both sentences must say about the same, and the least
likeness of these."""


@dataclass(frozen=True)
class Witness:
    """A mark of our own text with its rule and its sentence.

    `kinds` are the members of enums that the sentence mentions, or those of the rule if it mentions none.
    """

    mark: Mark
    rule: str
    sentence: str
    kinds: frozenset[str]


@dataclass(frozen=True)
class Opposite:
    """A mark of the text, and the witness that says the opposite."""

    mark: Mark
    witness: Witness


def opposites(alignment: Alignment) -> Iterator[Opposite]:
    """The marks of a text that our own text contradicts."""
    before: Features = frozenset()
    for index in alignment.scores:
        part = alignment.sentence(index)
        if alignment.is_asserted(index):
            found = marks(part, alignment.book, before)
            yield from _Sentence(alignment, index, found, not names_things(features(part))).opposites()
        before = features(part)


@dataclass(frozen=True, eq=False)
class _Sentence:
    """The marks of a sentence. `goes_on`: it names no thing, so that it is about those of the sentence before."""

    alignment: Alignment
    index: int
    marks: Sequence[Mark]
    goes_on: bool

    def opposites(self) -> Iterator[Opposite]:
        known = _witnesses(self.alignment)
        for mark in self.marks:
            if _least(mark.family) and not mark.open and not self._both(mark):
                witness = self._against(mark, known)
                if witness is not None:
                    yield Opposite(mark, witness)

    def _both(self, mark: Mark) -> bool:
        """Whether the sentence has the opposite of a mark as well: at once, and only then something else."""
        same = self._values[mark.family]
        return any(_opposed(value, mark.value) or _opposed(mark.value, value) for value in same)

    @cached_property
    def _values(self) -> Mapping[str, set[str]]:
        """The values of each family that the sentence has."""
        found: defaultdict[str, set[str]] = defaultdict(set)
        for one in self.marks:
            found[one.family].add(one.value)
        return found

    def _against(self, mark: Mark, known: Mapping[str, Sequence[Witness]]) -> Witness | None:
        """The witness that contradicts a mark, None if it is too weak or another one agrees."""
        witnesses = known.get(mark.family, ())
        opposed = [one for one in witnesses if _opposed(mark.value, one.mark.value)]
        firm = (one for one in opposed if not one.mark.open and self._may_contradict(mark, one))
        against = max(firm, key=lambda one: self._weight(mark, one), default=None)
        if against is None:
            return None
        weight = self._weight(mark, against)
        agreeing = [one for one in witnesses if one.mark.value == mark.value]
        agreeing += [one for one in opposed if one.mark.open]
        least = _least(mark.family) if agreeing else SINGLE.get(mark.family, _least(mark.family))
        if weight < least:
            return None
        best = max((self._weight(mark, one) * self._about(mark, one, against) for one in agreeing), default=0.0)
        return against if best < (1.0 if mark.family in RARE else AGREEING) * weight else None

    def _weight(self, mark: Mark, witness: Witness) -> float:
        like = self._like(mark, witness)
        if not like and _is_occasion(mark.family):
            return 0.0
        return like + FIT * self.fits.get(witness.rule, 0.0)

    def _like(self, mark: Mark, witness: Witness) -> float:
        like = _likeness(mark, witness.mark, self.alignment.statements)
        return like / 2 if self.kinds and witness.kinds and not self.kinds & witness.kinds else like

    def _may_contradict(self, mark: Mark, witness: Witness) -> bool:
        """Whether a mark and a witness with the opposite may be about the same."""
        ours, known = witness.mark, self.alignment.statements
        if mark.family in OF_OUTCOMES and known.cosine(mark.wide - mark.near, ours.wide - ours.near) < SAME_OUTCOME:
            return False
        if mark.conditional and not ours.conditional and witness.rule not in self.alignment.rules_at(self.index):
            return not _are_of_different_things(mark.near, ours.near)
        return mark.family in SINGLE or self._like(mark, witness) > 0

    def _about(self, mark: Mark, witness: Witness, against: Witness) -> float:
        """How much of its weight a witness keeps that is not about the case or the kind that the opposite is about."""
        known = self.alignment.statements
        case = known.cosine(mark.case, against.mark.case) >= SAME_CASE > known.cosine(mark.case, witness.mark.case)
        kind = self.kinds & against.kinds and not self.kinds & witness.kinds
        return GENERAL if case or kind else 1.0

    @cached_property
    def kinds(self) -> frozenset[str]:
        return _kinds(features(self.alignment.sentence(self.index)), self.alignment.book)

    @cached_property
    def fits(self) -> Mapping[str, float]:
        """How well the sentence fits each rule, by itself or by its neighbours."""
        fit, index = self.alignment.fit, self.index
        before = 1.0 if self.goes_on else BEFORE
        return {
            rule: max(fit(index, rule), before * fit(index - 1, rule), AFTER * fit(index + 1, rule))
            for rule in self.alignment.statements.rules
        }


def _least(family: str) -> float:
    """The least weight of a witness of a family, 0 if it is not compared."""
    return LEAST["which"] if _is_occasion(family) else LEAST.get(family, 0.0)


def _is_occasion(family: str) -> bool:
    return family.startswith("which ")


def _opposed(one: str, other: str) -> bool:
    """Whether two values of a family exclude each other: opposites, two orders, different members of a series."""
    if ", " in one or ", " in other:
        return one == ", ".join(reversed(other.split(", ")))
    if one.isdecimal() or other.isdecimal():
        return one != other
    if (one, other) in cases.EXCLUDES:
        return True
    return _OPPOSITE.get(one) == other or one == f"not {other}" or other == f"not {one}"


def _likeness(one: Mark, other: Mark, known: Statements) -> float:
    if one.family not in OF_NOTHING and not names_things(one.wide & other.wide):
        return 0.0
    if _is_occasion(one.family) and not any(map(_is_rare_number, one.wide & other.wide)):
        return 0.0
    return max(known.cosine(mine, theirs) for mine in (one.near, one.wide) for theirs in (other.near, other.wide))


def _is_rare_number(name: str) -> bool:
    return name[0] == "=" and name[1:].isdecimal() and int(name[1:]) > FEW


def _are_of_different_things(one: Features, other: Features) -> bool:
    return names_things(one) and names_things(other) and not names_things(one & other)


def _kinds(said: Features, book: Book) -> frozenset[str]:
    """The members of enums among features, such as the kinds of cards."""
    concepts = (name[1:] for name in said if name[0] == "@")
    return frozenset(one for one in concepts if book.glossary.concepts[one].names.partition(".")[0] in book.spec.enums)


def _witnesses(alignment: Alignment) -> Mapping[str, Sequence[Witness]]:
    return once(alignment.statements, "witnesses", lambda: _read(alignment))


def _read(alignment: Alignment) -> Mapping[str, Sequence[Witness]]:
    found: defaultdict[str, list[Witness]] = defaultdict(list)
    known, book = alignment.statements, alignment.book
    for one in known.every:
        if one.part is not None and not one.variant:
            said = " ".join(one.part.text[one.part.start : one.part.end].split())
            kinds = _kinds(one.features, book) or _kinds(known.vocabulary[one.rule], book)
            for mark in marks(one.part, book):
                found[mark.family].append(Witness(mark, one.rule, said, kinds))
    return found
