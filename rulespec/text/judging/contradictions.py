"""Contrasts of a text against the claims of its rule: the same value, the opposite, or nothing to compare."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import permutations

from rulespec.base.messages import Message, say
from rulespec.proofs.meaning.constructors import FAMILIES
from rulespec.proofs.meaning.expressions import TESTS
from rulespec.text.judging.justified import compares
from rulespec.text.languages.quantity.quantity import Kind
from rulespec.text.reading.contrasts.lexicon import value_in_words
from rulespec.text.reading.contrasts.negation import Contrast
from rulespec.text.reading.mentions import Reading
from rulespec.text.reading.once import once
from rulespec.text.rules.book import Book
from rulespec.text.rules.claims import Claim, Nearness, claims, everywhere


@dataclass(frozen=True)
class Contradiction:
    """A contrast of the text that a claim of the rule excludes."""

    contrast: Contrast
    claim: Claim


def contradictions(reading: Reading, rule: str, book: Book) -> Iterator[Contradiction]:
    """The contrasts in the text of a rule that the rule excludes. Of two possible readings the one that agrees wins."""
    for contrast, judge in compared(reading, rule, book):
        excluded = judge(contrast)
        if excluded is not None:
            yield Contradiction(contrast, excluded)


def compared(reading: Reading, rule: str, book: Book) -> Iterator[tuple[Contrast, Callable[[Contrast], Claim | None]]]:
    """The contrasts of a text that can be compared with its rule, each with its judge: the claim that excludes a value
    in its place.

    A face that `states:` lists for the rule is never excluded. The steps show only who sees a card, not which side of a
    two-sided card lies up.
    """
    listed, known = book.needs(rule), Known(rule, book)
    spans, beside = reading.clauses, {one.value for one in reading.contrasts if one.family == "comparison"}
    for span in reading.sentences:
        part = reading.part(span.start, span.end)
        for contrast in part.contrasts:
            exempt = names_thing(contrast, book) or (contrast.family == "face" and contrast.within in listed)
            if not exempt and contrast.family in known.near:
                # The concepts that the clause of a contrast mentions, with those of the head line of its list.
                inside = [one for one in spans if one.start <= contrast.start < one.end]
                parts = [(part.start, part.end) for one in inside for part in (one, one.head) if part is not None]
                clause = frozenset(concept for start, end in parts for concept in reading.part(start, end).places)
                yield contrast, partial(_judged, part=part, clause=clause, known=known, beside=beside)


@dataclass(frozen=True)
class Known:
    """What the text of a rule is compared with: the claims of the rule and its surroundings, by family."""

    rule: str
    book: Book

    @cached_property
    def near(self) -> Mapping[str, Sequence[About]]:
        return _by_family(claims(self.book.spec, self.rule), self.book)

    @property
    def everywhere(self) -> Mapping[str, Sequence[About]]:
        """The claims of the whole game, one for each value and set of concepts."""
        return once(self.book, "claims", self._everywhere)

    def _everywhere(self) -> Mapping[str, Sequence[About]]:
        every = _by_family(everywhere(self.book.spec), self.book)
        return {
            family: list({(one.claim.value, one.concepts): one for one in stated}.values())
            for family, stated in every.items()
        }

    @cached_property
    def decided(self) -> bool:
        """Whether a player decides something in the rule."""
        return any(one.claim.own and one.claim.constructor in _DECISIONS for one in self.near.get("modality", ()))


def _by_family(stated: Sequence[Claim], book: Book) -> Mapping[str, Sequence[About]]:
    found: dict[str, list[About]] = {}
    for claim in stated:
        found.setdefault(claim.family, []).append(About(claim, _concepts(claim.acting | claim.named, book)))
    return found


_DECISIONS = {"must_choose", "may_choose", "must_choose_such", "may_choose_such", "must_take", "may_take"}


def _judged(contrast: Contrast, part: Reading, clause: frozenset[str], known: Known, beside: Set[str]) -> Claim | None:
    """The claim that excludes a contrast; None if another claim agrees with it as well or better. `beside` are the
    comparisons of the whole text."""
    if contrast.negated or (known.decided and (contrast.family, contrast.value) == ("selection", "chosen")):
        # “Choose” is a decision of a player, beside something else in the rule that is random.
        return None
    near = known.near[contrast.family]
    equal = (contrast.family, contrast.value) == ("comparison", "exactly")
    if equal and not any(compares(contrast, one) for one in part.quantities if one.kind != Kind.ARTICLE):
        # “As many as another” is the case beside one with more, which is always there where players are ranked.
        mine = [one.claim for one in near if one.claim.own]
        if any(one.constructor in RANKINGS or one.value in beside for one in mine):
            return None
    if contrast.family in COMPARED:
        excluded = _excluded(contrast, [one.claim for one in near], part, known.book)
        if excluded is not None:
            return excluded
    return excluding(contrast.family, contrast.value, clause, near, known.everywhere.get(contrast.family, ()))


def plain(contrast: Contrast) -> Message:
    """The value of a contrast in words."""
    value = value_in_words(contrast.family, contrast.value)
    return say("not {value}", value=value) if contrast.negated else value


def names_thing(contrast: Contrast, book: Book) -> bool:
    """Whether the words are part of the name of a thing, such as “first player”."""
    return bool(contrast.within) and book.is_thing(contrast.within)


RANKINGS = frozenset({"best_most", "best_fewest", "tie_most", "tie_fewest"})
"""The constructors that say who is ahead of whom."""

COMPARED = frozenset({"side", "stack", "extreme", "distance", "comparison", "face", "sight", "fraction", "rounding"})
COMPARED |= {"change", "selection", "result"}
"""The families in which steps say enough that a sentence is compared as a whole: the claim that fits it best excludes
all other values. Of the other families steps state too little. `EXCLUSIONS` lists what a claim excludes there."""


def _excluded(contrast: Contrast, known: Sequence[Claim], part: Reading, book: Book) -> Claim | None:
    """The claim that excludes a contrast; None if another claim agrees with it as well or better."""
    if contrast.family == "comparison":
        return _other_bound(contrast, known, part)
    agreeing = [_fit(claim, part, book) for claim in known if contrast.value == claim.value]
    opposed = [(claim, _fit(claim, part, book)) for claim in known if contrast.value != claim.value]
    mine = [(claim, fit) for claim, fit in opposed if claim.stated and (claim.own or fit >= NEAR)]
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
        number in claim.numbers or number - 1 in claim.numbers for claim in known if claim.constructor in TESTS
    ):
        return None
    least = _least(contrast.value, number)
    bounds = {_least(claim.value, one) for claim in known for one in claim.numbers}
    same = [claim for claim in known if claim.own and number in claim.numbers]
    return same[0] if same and least is not None and least not in bounds else None


def _least(value: str, number: int) -> int | None:
    """The least number on the upper side of a bound: 6 for “more than 5” and for “at most 5”; None if exact."""
    return {"more": number + 1, "at_most": number + 1, "at_least": number, "less": number}.get(value)


def _compared(contrast: Contrast, part: Reading) -> int | None:
    """The number next to a comparison: “at least 3”, “3 or more”."""
    for quantity in part.quantities:
        if 0 <= quantity.start - contrast.end <= 1 or 0 <= contrast.start - quantity.end <= 1:
            return int(quantity.value)
    return None


OWN, NEARBY = Nearness.OWN, Nearness.NEAR
_NONE = Nearness.OWN + 1
"""Nearer than any claim is, so that none excludes the value."""


@dataclass(frozen=True)
class Exclusion:
    """How near a claim must be to exclude a value.

    `sole`: if neither the rule nor anything near it states the excluded value. `named`: if the clause mentions what the
    claim is about, and no claim of the game about as many things of the clause states the excluded value.
    """

    sole: int = _NONE
    named: int = _NONE


_Row = tuple[tuple[str, str, str], Exclusion]


def _opposites(*families: str, sole: int = _NONE, named: int = _NONE) -> Iterator[_Row]:
    """Each value of the families excludes each other one."""
    for family in families:
        for claimed, said in permutations(FAMILIES[family], 2):
            yield (family, claimed, said), Exclusion(sole, named)


def _excludes(family: str, claimed: str, *said: str, sole: int = _NONE, named: int = _NONE) -> Iterator[_Row]:
    """A value excludes some of the others."""
    for value in said:
        yield (family, claimed, value), Exclusion(sole, named)


EXCLUSIONS: Mapping[tuple[str, str, str], Exclusion] = dict(
    (
        *_opposites("side", "stack", "fraction", "rounding", sole=NEARBY, named=NEARBY),
        *_opposites("extreme", "distance", sole=OWN, named=NEARBY),
        *_opposites("change", "result", sole=OWN),
        *_excludes("duty", "binding", "optional", sole=NEARBY),
        *_excludes("selection", "random", "chosen", sole=OWN),
        *_excludes("possession", "take", "lose", sole=OWN, named=OWN),
        *_excludes("transfer", "pay", "receive", sole=NEARBY, named=OWN),
        *_excludes("quantity", "all", "rest", "some", "none", named=OWN),
        *_excludes("quantity", "none", "rest", sole=OWN, named=NEARBY),
        *_excludes("quantity", "none", "some", named=NEARBY),
        *_excludes("quantity", "rest", "some", sole=OWN, named=OWN),
        *_excludes("quantity", "some", "rest", sole=OWN, named=NEARBY),
        *_excludes("comparison", "at_least", "exactly", "less", sole=OWN),
        *_excludes("comparison", "at_most", "exactly", "less", "at_least", sole=OWN),
        *_excludes("comparison", "exactly", "at_least", "at_most", "less", "more", sole=OWN),
        *_excludes("comparison", "more", "exactly", "at_most", sole=OWN),
        *_excludes("comparison", "more", "less", sole=OWN, named=OWN),
        *_excludes("comparison", "less", "exactly", sole=OWN),
        *_excludes("comparison", "less", "more", sole=OWN, named=OWN),
    )
)
"""The values that a claimed value excludes. Steps show only part of what a text may say, so most rows are not
symmetric: a rule that names nobody may forbid a thing, and a rule for all has no part for some."""


@dataclass(frozen=True)
class About:
    """A claim with the concepts that it is about."""

    claim: Claim
    concepts: frozenset[str]


def excluding(
    family: str, said: str, mentioned: frozenset[str], near: Sequence[About], everywhere: Sequence[About]
) -> Claim | None:
    """The claim that excludes a value where a clause mentions these concepts.

    `near` are the claims of the family that the rule and its surroundings state, `everywhere` those of the game.
    """
    agreeing = [one for one in (*near, *everywhere) if one.claim.value == said]
    stated_near = any(one.claim.nearness > Nearness.FAR for one in agreeing)
    shared = max((len(one.concepts & mentioned) for one in agreeing), default=0)
    for one in near:
        row = EXCLUSIONS.get((family, one.claim.value, said))
        if row is not None and one.claim.stated:
            sole = not stated_near and one.claim.nearness >= row.sole
            if sole or (one.claim.nearness >= row.named and len(one.concepts & mentioned) > shared):
                return one.claim
    return None
