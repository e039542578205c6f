"""Contrasts of a raw text against the claims of the rules that its sentences state.

Of two possible readings, of two rules that a sentence may state, and of the steps and our own text of a rule, the one
that agrees counts.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from rulespec.text.judging.contradictions import compared, names_thing
from rulespec.text.raw.alignment import Alignment
from rulespec.text.raw.features import Features, features
from rulespec.text.raw.marks import denies, label
from rulespec.text.raw.parts import part_around, parts
from rulespec.text.raw.statements import sentences_of
from rulespec.text.reading.contrasts import Contrast
from rulespec.text.reading.mentions import Reading
from rulespec.text.reading.once import once
from rulespec.text.rules.claims import Claim

LIKE = 0.35
"""The least similarity of two clauses that say the same. Below it they have one rare word in common."""

NEARLY = 0.7
"""Clauses of our text that are at least this share as similar as the best one are other readings of the sentence."""


UNSURE = frozenset({"quantity"})
"""The families that are not compared: a writer says “any” and “all” of one thing."""


@dataclass(frozen=True)
class Opposed:
    """A contrast of the text, the rule that says otherwise, and the claim that excludes it."""

    contrast: Contrast
    rule: str
    claim: Claim


def opposed(alignment: Alignment) -> Iterator[Opposed]:
    """The contrasts of a text that the rules of their sentences exclude."""
    for index in alignment.scores:
        if alignment.rules_at(index) and alignment.is_asserted(index):
            yield from _Sentence(alignment, index).opposed()


@dataclass(frozen=True, eq=False)
class _Sentence:
    alignment: Alignment
    index: int

    @cached_property
    def rules(self) -> Sequence[str]:
        return self.alignment.rules_at(self.index)

    @cached_property
    def part(self) -> Reading:
        return self.alignment.sentence(self.index)

    def opposed(self) -> Iterator[Opposed]:
        for one in self._by_claims():
            if not self._agrees(one.contrast) and not self._is_denied(one.contrast):
                yield one

    @cached_property
    def _judged(self) -> dict[tuple[int, str], dict[str, Opposed | None]]:
        """For every contrast that some rule of the sentence compares: what each of these rules says instead."""
        found: dict[tuple[int, str], dict[str, Opposed | None]] = {}
        for rule in self.rules:
            for contrast, judge in compared(self.part, rule, self.alignment.book):
                if contrast.family in UNSURE:
                    continue
                claim = judge(contrast)
                said = Opposed(contrast, rule, claim) if claim is not None else None
                found.setdefault((contrast.start, contrast.family), {})[rule] = said
        return found

    def _by_claims(self) -> Iterator[Opposed]:
        for said in self._judged.values():
            mine = said.get(self.rules[0])
            if mine is not None and all(said.values()) and not _is_near(mine):
                yield mine

    def _is_denied(self, contrast: Contrast) -> bool:
        """Whether the part around a contrast denies something, so that it may say the opposite: nobody climbs down."""
        around = part_around(self.part, contrast.start, contrast.end)
        return any(map(denies, around.contrasts))

    def _agrees(self, contrast: Contrast) -> bool:
        """Whether the clauses of our text that are most like the clause of a contrast have its value."""
        book, known = self.alignment.book, self.alignment.statements
        if names_thing(contrast, book):
            return False
        said = features(part_around(self.part, contrast.start, contrast.end), (contrast.words,))
        rows = [row for rule in self.rules for row in our_clauses(self.alignment, rule, contrast.family)]
        likes = [known.cosine(said, row.features) for row in rows]
        best = max(likes, default=0.0)
        near = (row for row, like in zip(rows, likes, strict=True) if best >= LIKE and like >= NEARLY * best)
        return any(label(one) == label(contrast) for row in near for one in row.contrasts)


def _is_near(one: Opposed) -> bool:
    """Whether two bounds may say the same: higher than the last bid is at least one more; until it is not reached."""
    bounds = one.contrast.family == "comparison"
    return bounds and (one.contrast.negator is not None or {one.contrast.value, one.claim.value} in _SAME_WAY)


_SAME_WAY = ({"more", "at_least"}, {"less", "at_most"}, {"exactly", "at_most"})
"""Bounds that differ by one: higher than the last bid is at least one more. A place that takes exactly one card in the
end takes at most one."""


@dataclass(frozen=True)
class OurClause:
    """A clause of our text with its contrasts of one family, and its features without these words."""

    rule: str
    part: Reading
    contrasts: tuple[Contrast, ...]
    features: Features


def our_clauses(alignment: Alignment, rule: str, family: str) -> tuple[OurClause, ...]:
    """The clauses of our text of a rule that have a contrast of a family."""
    key = ("clauses", rule, family)
    return once(alignment.statements, key, lambda: tuple(_our_clauses(alignment, rule, family)))


def _our_clauses(alignment: Alignment, rule: str, family: str) -> Iterator[OurClause]:
    for one in sentences_of(alignment.statements, rule):
        whole = one.whole or one
        for span in parts(one):
            part = whole.part(span.start, span.end)
            same = tuple(c for c in part.contrasts if c.family == family and not names_thing(c, alignment.book))
            if same:
                yield OurClause(rule, part, same, features(part, [c.words for c in same]))
