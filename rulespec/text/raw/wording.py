"""Contrasts of a raw text against the rules that its sentences state.

Two witnesses are asked: the claims of the propositions of a rule, and the clause of our own text that says most nearly
the same. Of two possible readings, or of two rules that a sentence may state, the one that agrees counts.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from rulespec.meaning import Proposition
from rulespec.text.contradictions import compared, names_thing
from rulespec.text.contrasts import Contrast
from rulespec.text.once import once
from rulespec.text.raw.alignment import Alignment
from rulespec.text.raw.features import Features, features
from rulespec.text.raw.parts import part_around, parts
from rulespec.text.raw.segments import Role
from rulespec.text.reading import Reading

LIKE = 0.35
"""The least similarity of two clauses that say the same. Below it they have one rare word in common."""

CLOSE = 0.5
"""The same for what may and must be done: a rule has both of its different steps."""

NEARLY = 0.7
"""Clauses of our text that are at least this share as similar as the best one are other readings of the sentence."""

REPLACED = frozenset(
    {
        *(("side", a, b) for a, b in (("left", "right"), ("right", "left"))),
        *(("face", a, b) for a, b in (("up", "down"), ("down", "up"))),
        *(("stack", a, b) for a, b in (("top", "bottom"), ("bottom", "top"))),
        *(("extreme", a, b) for a, b in (("most", "fewest"), ("fewest", "most"))),
        *(("distance", a, b) for a, b in (("nearest", "farthest"), ("farthest", "nearest"))),
        *(("rounding", a, b) for a, b in (("up", "down"), ("down", "up"))),
        *(("fraction", a, b) for a in ("half", "third", "double") for b in ("half", "third", "double") if a != b),
        *(("selection", a, b) for a, b in (("random", "chosen"), ("chosen", "random"))),
        *(("moment", a, b) for a, b in (("at_once", "later"), ("later", "at_once"))),
        *(("comparison", a, b) for a, b in (("more", "less"), ("less", "more"), ("less", "at_least"))),
        *(("modality", a, b) for a, b in (("may", "must"), ("may", "may_not"))),
    }
)
"""A family, the value of a text and the value of our text instead. Families in which two texts often say the same with
opposite words are left out: who takes a card from another makes them lose it, and nobody bids if all pass."""


@dataclass(frozen=True)
class Opposed:
    """A contrast of the text, the rule that says otherwise, its value and the sentence or proposition that has it."""

    contrast: Contrast
    rule: str
    instead: str
    stated: Proposition | str


def opposed(alignment: Alignment) -> Iterator[Opposed]:
    """The contrasts of a text that the rules of their sentences exclude."""
    for index in alignment.scores:
        if alignment.rules_at(index) and alignment.segments[index].role in (Role.RULE, Role.TABLE):
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
        return self.alignment.part(self.alignment.segments[self.index])

    def opposed(self) -> Iterator[Opposed]:
        claimed = {(one.contrast.start, one.contrast.family): one for one in self._by_claims()}
        for contrast in self.part.contrasts:
            place = contrast.start, contrast.family
            other = self._by_wording(contrast)
            found = claimed.get(place) if other is not _AGREES and not self._is_denied(contrast) else None
            if found is not None:
                yield found
            elif other is not None and other is not _AGREES:
                yield other

    @cached_property
    def _judged(self) -> dict[tuple[int, str], dict[str, Opposed | None]]:
        """For every contrast that some rule of the sentence compares: what each of these rules says instead."""
        found: dict[tuple[int, str], dict[str, Opposed | None]] = {}
        for rule in self.rules:
            for contrast, judge in compared(self.part, rule, self.alignment.book):
                claim = judge(contrast)
                said = Opposed(contrast, rule, claim.value, claim.proposition) if claim is not None else None
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
        return any(one.negated or (one.family, one.value) in _DENIALS for one in around.contrasts)

    def _by_wording(self, contrast: Contrast) -> Opposed | None:
        """What the clause of our text says instead that is most like the clause of a contrast."""
        book, known = self.alignment.book, self.alignment.statements
        if contrast.family not in _FAMILIES or names_thing(contrast, book):
            return None
        said = features(part_around(self.part, contrast.start, contrast.end), (contrast.words,))
        rows = [row for rule in self.rules for row in our_clauses(self.alignment, rule, contrast.family)]
        ranked = sorted(((known.cosine(said, row.features), i) for i, row in enumerate(rows)), reverse=True)
        if not ranked or ranked[0][0] < (CLOSE if contrast.family == "modality" else LIKE):
            return None
        near = [rows[i] for like, i in ranked if like >= NEARLY * ranked[0][0]]
        values = {_label(one) for row in near for one in row.contrasts}
        if _label(contrast) in values:
            return _AGREES
        instead = next((one for one in values if (contrast.family, _label(contrast), one) in REPLACED), "")
        if not instead or not all((contrast.family, _label(contrast), one) in REPLACED for one in values):
            return None
        if contrast.family == "moment" and any(
            (one.family, one.value) == ("moment", instead) for one in self.part.contrasts
        ):
            return None  # at once, and only then something else
        best = near[0]
        return Opposed(contrast, best.rule, instead, best.part.text[best.part.start : best.part.end])


def _is_near(one: Opposed) -> bool:
    """Whether two bounds may say the same: higher than the last bid is at least one more; until it is not reached."""
    bounds = one.contrast.family == "comparison"
    return bounds and (one.contrast.negator is not None or {one.contrast.value, one.instead} in _SAME_WAY)


_DENIALS = {("truth", "not"), ("modality", "may_not"), ("quantity", "none")}
_SAME_WAY = ({"more", "at_least"}, {"less", "at_most"})
"""Bounds that differ by one: higher than the last bid is at least one more."""

_FAMILIES = frozenset(family for family, _, _ in REPLACED)
_AGREES = Opposed(Contrast("", "", 0, 0), "", "", "")
"""Our own text has the same value."""


def _label(contrast: Contrast) -> str:
    return f"not {contrast.value}" if contrast.negated else contrast.value


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
    for one in alignment.statements.ours(rule):
        whole = one.whole or one
        for span in parts(one):
            part = whole.part(span.start, span.end)
            same = tuple(c for c in part.contrasts if c.family == family and not names_thing(c, alignment.book))
            if same:
                yield OurClause(rule, part, same, features(part, [c.words for c in same]))
