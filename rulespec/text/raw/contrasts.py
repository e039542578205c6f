"""Contrasts of a raw text that are probably wrong: the rules that their sentence may state exclude them, and our
sentences most like theirs have another value of the family.

The evidence is weighed as that of numbers is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

from rulespec.text.judging.contradictions import compared, names_thing
from rulespec.text.raw.alignment import Alignment
from rulespec.text.raw.references import FAINT, Reference, References, clause_around, place_of, probability
from rulespec.text.reading.contrasts.negation import Contrast
from rulespec.text.reading.mentions import ByPlace, Reading
from rulespec.text.reading.once import once
from rulespec.text.rules.claims import Claim

FAMILIES = frozenset(
    {"side", "stack", "extreme", "distance", "comparison", "face", "sight", "fraction", "rounding", "change"}
    | {"selection", "result", "moment", "occupancy", "duty"}
)
"""The families that are compared. In the others two sentences often say the same with opposite words: “nobody may” is
“all must not”, A before B is B after A."""

_SAME_WAY = ({"more", "at_least"}, {"less", "at_most"}, {"exactly", "at_most"})
"""Bounds that differ by one: higher than the last bid is at least one more."""

_IN_CONDITIONS = frozenset({"comparison"})
"""The families that our sentences are compared in in conditions only: what is less than another thing makes that one
more."""

_DENIALS = frozenset({("truth", "not"), ("modality", "may_not"), ("quantity", "none")})


class Evidence(NamedTuple):
    """What speaks for a contrast being wrong, or against it.

    `excluded`: the probability that the sentence states a rule whose claims exclude the value. `own`, `other`: how like
    its place is to that of the most similar contrast of our text with the same value, and with another one. `negated`:
    the words are. `conditional`: they are in a condition; of others a text may state either case.
    """

    excluded: float
    own: float
    other: float
    negated: bool
    conditional: bool


WEIGHTS = (3.90, -2.75, 2.56, 0.74, 0.93, -1.87)
"""The weights of the evidence, and a constant."""


@dataclass(frozen=True)
class WrongContrast:
    """A contrast that is probably wrong: the rule, the claim that excludes it or our sentence with another value, and
    the probability."""

    contrast: Contrast
    rule: str
    claim: Claim | None
    sentence: str
    chance: float


_Judges: TypeAlias = Mapping[tuple[int, str], Mapping[str, Callable[[Contrast], Claim | None]]]


def wrong_contrasts(alignment: Alignment) -> Iterator[WrongContrast]:
    """The contrasts of a text with the probability that they are wrong."""
    judged = Contrasts(alignment)
    for index, contrast in judged.every():
        evidence, claim, best = judged.about(contrast, index)
        chance = probability(WEIGHTS, evidence)
        if claim is not None:
            yield WrongContrast(contrast, claim[0], claim[1], "", chance)
        elif best is not None:
            sentence = " ".join(best.sentence.text[best.sentence.start : best.sentence.end].split())
            yield WrongContrast(contrast, best.rule, None, sentence, chance)


class Contrasts:
    """The contrasts of a text that can be compared."""

    def __init__(self, alignment: Alignment) -> None:
        self.alignment, self.book = alignment, alignment.book
        known = alignment.statements
        self.references = once(known, "contrasts", lambda: References(_references(alignment), known))
        self.conditions = ByPlace(one for one in alignment.reading.clauses if one.is_condition)

    def every(self) -> Iterator[tuple[int, Contrast]]:
        """The contrasts, each with the index of its sentence."""
        for index in self.alignment.asserted:
            for contrast in self.alignment.sentence(index).contrasts:
                if (
                    contrast.family in FAMILIES
                    and not names_thing(contrast, self.book)
                    and not self._is_denied(contrast)
                ):
                    yield index, contrast

    def about(
        self, contrast: Contrast, index: int
    ) -> tuple[Evidence, tuple[str, Claim] | None, Reference[_Value] | None]:
        """The evidence about a contrast, the claim that excludes it with its rule, and the best of the references with
        another value."""
        row, part = self.alignment.scores[index], self.alignment.sentence(index)
        excluded, claim = self._claims(contrast, index)
        conditional = any(self.conditions.over(contrast.start, contrast.start + 1))
        own, other, best = 0.0, 0.0, None
        known = conditional or contrast.family not in _IN_CONDITIONS
        for like, one in self.references.like(place_of(part, contrast.words)) if known else ():
            if like and one.value[0] == contrast.family:
                like += row.get(one.rule, 0.0) / 2
                if _agree(one.value[1], contrast.label):
                    own = max(own, like)
                elif _exclude(one.value[1], contrast.label) and like > other:
                    other, best = like, one
        evidence = Evidence(excluded, own, other, contrast.negated, conditional)
        return evidence, claim, best

    def _claims(self, contrast: Contrast, index: int) -> tuple[float, tuple[str, Claim] | None]:
        """How likely the sentence states a rule whose claims exclude a contrast, and the claim of the likeliest one."""
        total, first = 0.0, None
        for rule, judge in self._judges(index).get((contrast.start, contrast.family), {}).items():
            claim = judge(contrast)
            if claim is not None and not _agree(claim.value, contrast.value):
                total, first = total + self.alignment.chances[index][rule], first or (rule, claim)
        return total, first

    def _judges(self, index: int) -> _Judges:
        """For every contrast of a sentence the rules that it can be compared with, each with its judge."""
        part = self.alignment.sentence(index)
        return once(part, "judges", lambda: self._read_judges(part, index))

    def _read_judges(self, part: Reading, index: int) -> _Judges:
        found: dict[tuple[int, str], dict[str, Callable[[Contrast], Claim | None]]] = {}
        for rule, chance in self.alignment.chances[index].items():
            for contrast, judge in compared(part, rule, self.book) if chance >= FAINT else ():
                found.setdefault((contrast.start, contrast.family), {})[rule] = judge
        return found

    def _is_denied(self, contrast: Contrast) -> bool:
        """Whether the clause of a contrast denies something else, and so may say the opposite: nobody climbs down."""
        around = clause_around(self.alignment.reading, contrast.start, contrast.end)
        return any(one.negated or (one.family, one.value) in _DENIALS for one in around.contrasts if one != contrast)


_Value: TypeAlias = tuple[str, str]
"""A family and a value."""


def _references(alignment: Alignment) -> Iterator[Reference[_Value]]:
    for rule, sentence, ours in alignment.statements.readings():
        for contrast in sentence.contrasts if ours else ():
            if contrast.family in FAMILIES and not names_thing(contrast, alignment.book):
                value = contrast.family, contrast.label
                yield Reference(value, rule, place_of(sentence, contrast.words), sentence)


def _agree(one: str, other: str) -> bool:
    return one == other or {one, other} in _SAME_WAY


def _exclude(one: str, other: str) -> bool:
    """Whether two values that do not agree exclude each other. Of negated values only the same value does, and an exact
    number excludes no bound."""
    negated = one.startswith("not ") or other.startswith("not ")
    return (not negated and "exactly" not in (one, other)) or one == f"not {other}" or other == f"not {one}"
