"""Contrasts of a text against the claims of its rule: the same value, the opposite, or nothing to compare."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from rulespec.meaning.expressions import TESTS
from rulespec.text import describe
from rulespec.text.book import Book
from rulespec.text.claims import Claim, claims
from rulespec.text.contrasts import Contrast
from rulespec.text.reading import Reading
from rulespec.text.segmentation import passages


@dataclass(frozen=True)
class Contradiction:
    """A contrast of the text that a claim of the rule excludes."""

    contrast: Contrast
    claim: Claim


def by_spec(found: Contradiction, lang: str, book: Book) -> str:
    """What the spec says instead: the value, and its sentence if the language has descriptions."""
    value = found.claim.value.replace("_", " ")
    if lang not in describe.languages():
        return f"by the spec it is {value}."
    sentence = describe.Description(book.spec, lang, book.glossary).sentence(found.claim.proposition)
    return f"by the spec it is {value}: {sentence}"


def contradictions(reading: Reading, rule: str, book: Book) -> Iterator[Contradiction]:
    """The contrasts in the text of a rule that the rule excludes. Of two possible readings the one that agrees wins.

    A face that `states:` lists for the rule is never excluded. The steps show only who sees a card, not which side of a
    two-sided card lies up.
    """
    stated, listed = claims(book.spec, rule), book.needs(rule)
    by_family: dict[str, list[Claim]] = {}
    for claim in stated:
        by_family.setdefault(claim.family, []).append(claim)
    for span in passages(reading.text, reading.language, reading.start, reading.end):
        part = reading.part(span.start, span.end)
        for contrast in part.contrasts:
            exempt = names_thing(contrast, book) or (contrast.family == "face" and contrast.within in listed)
            if not exempt and contrast.family in by_family and not _is_decision(contrast, by_family):
                excluded = _excluded(contrast, by_family[contrast.family], part, book)
                if excluded is not None:
                    yield Contradiction(contrast, excluded)


def _is_decision(contrast: Contrast, by_family: Mapping[str, Sequence[Claim]]) -> bool:
    """Whether “choose” is a decision of a player, beside something else in the rule that is random."""
    decided = any(claim.own and claim.constructor in _DECISIONS for claim in by_family.get("modality", ()))
    return decided and (contrast.family, contrast.value) == ("selection", "chosen")


_DECISIONS = {"must_choose", "may_choose", "must_choose_such", "may_choose_such", "must_take", "may_take"}


def plain(contrast: Contrast) -> str:
    """The value of a contrast in words."""
    return ("not " if contrast.negated else "") + contrast.value.replace("_", " ")


def names_thing(contrast: Contrast, book: Book) -> bool:
    """Whether the words are part of the name of a thing, such as “first player”."""
    return bool(contrast.within) and book.is_thing(contrast.within)


COMPARED = frozenset({"side", "stack", "extreme", "distance", "comparison", "face", "sight", "fraction", "rounding"})
COMPARED |= {"change", "selection", "result"}
"""The families that are compared with the spec. Of the others a rule states too little: a text may say “all” or “may”
of things that no step does. These are compared between languages only."""


def _excluded(contrast: Contrast, known: Sequence[Claim], part: Reading, book: Book) -> Claim | None:
    """The claim that excludes a contrast; None if another claim agrees with it as well or better."""
    if contrast.family not in COMPARED or contrast.negated:
        return None
    if contrast.family == "comparison":
        return _other_bound(contrast, known, part)
    agreeing = [_fit(claim, part, book) for claim in known if contrast.value == claim.value]
    excluding = [(claim, _fit(claim, part, book)) for claim in known if contrast.value != claim.value]
    mine = [(claim, fit) for claim, fit in excluding if claim.own or fit >= NEAR]
    claim, fit = max(mine, key=lambda pair: pair[1], default=(None, 0.0))
    if claim is None or fit <= max(agreeing, default=-1.0):
        return None
    own = [_distance(one, contrast, part, book) for one in known if one.own and one.value == contrast.value]
    return None if min(own, default=FAR) <= _distance(claim, contrast, part, book) else claim


FAR = 10**9
"""The distance of a claim from a contrast in a passage that does not mention what the claim is about."""


def _distance(claim: Claim, contrast: Contrast, part: Reading, book: Book) -> int:
    """The least distance between a contrast and a mention of what a claim is about; 0 if that has no term."""
    acting = _concepts(claim.acting, book)
    places = [mention for concept in acting for mention in part.places.get(concept, ())]
    between = [max(contrast.start - one.end, one.start - contrast.end, 0) for one in places]
    return min(between, default=FAR) if acting else 0


NEAR = 1.5
"""From this fit on a claim of another rule is what a passage speaks of: it shares two names with the passage."""


def _fit(claim: Claim, part: Reading, book: Book) -> float:
    """How well a claim fits a passage.

    Names of the act count more than names of its conditions, and a little less if the passage does not mention them.
    The rule's own claims are nearer than others.
    """
    acting, conditional = (_concepts(names, book) for names in (claim.acting, claim.conditional))
    shared = len(acting & part.places.keys()) + len(conditional & part.places.keys()) / 2
    return shared - len(acting - part.places.keys()) / 10 + claim.own / 2


def _concepts(names: frozenset[str], book: Book) -> frozenset[str]:
    return frozenset(book.concepts[name] for name in names if name in book.concepts)


# --- comparisons with a number ---------------------------------------------------------------------------------------


def _other_bound(contrast: Contrast, known: Sequence[Claim], part: Reading) -> Claim | None:
    """The claim with the same number and other bounds; None without a number, or if a claim agrees.

    Only bounds that an act states are compared, such as the opening bid. The number of a condition may be said in many
    ways: before or after the act (fewer than 4 lie there, at most 4 lie there), where it holds or where it fails.
    """
    number = _compared(contrast, part)
    if number is None or any(
        number in claim.numbers or number - 1 in claim.numbers for claim in known if _tests(claim)
    ):
        return None
    least = _least(contrast.value, number)
    bounds = {_least(claim.value, one) for claim in known for one in claim.numbers}
    same = [claim for claim in known if claim.own and number in claim.numbers]
    return same[0] if same and least is not None and least not in bounds else None


def _tests(claim: Claim) -> bool:
    """Whether a comparison is a condition, not a bound that an act states."""
    return claim.constructor in TESTS


def _least(value: str, number: int) -> int | None:
    """The least number on the upper side of a bound: 6 for “more than 5” and for “at most 5”; None if exact."""
    return {"more": number + 1, "at_most": number + 1, "at_least": number, "less": number}.get(value)


def _compared(contrast: Contrast, part: Reading) -> int | None:
    """The number next to a comparison: “at least 3”, “3 or more”."""
    for quantity in part.quantities:
        if 0 <= quantity.start - contrast.end <= 1 or 0 <= contrast.start - quantity.end <= 1:
            return int(quantity.value)
    return None
