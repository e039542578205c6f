"""Exclusions: which value of a contrast family a claim rules out, and how near the claim must be to the text."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations

from rulespec.proofs.meaning.contrasts import FAMILIES
from rulespec.text.rules.claims import Claim, Nearness

OWN, NEAR = Nearness.OWN, Nearness.NEAR
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
        *_opposites("side", "stack", "fraction", "rounding", sole=NEAR, named=NEAR),
        *_opposites("extreme", "distance", sole=OWN, named=NEAR),
        *_opposites("change", "result", sole=OWN),
        *_excludes("duty", "binding", "optional", sole=NEAR),
        *_excludes("selection", "random", "chosen", sole=OWN),
        *_excludes("possession", "take", "lose", sole=OWN, named=OWN),
        *_excludes("transfer", "pay", "receive", sole=NEAR, named=OWN),
        *_excludes("quantity", "all", "rest", "some", "none", named=OWN),
        *_excludes("quantity", "none", "rest", sole=OWN, named=NEAR),
        *_excludes("quantity", "none", "some", named=NEAR),
        *_excludes("quantity", "rest", "some", sole=OWN, named=OWN),
        *_excludes("quantity", "some", "rest", sole=OWN, named=NEAR),
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
