"""Whether the conditions of two versions of a claim hold for the same contents of its value, by trying all of them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from rulespec.engine.rules.claims import counterexample
from rulespec.language.model import typed as t
from rulespec.language.model.constants import Setting
from rulespec.language.model.phrase import Phrase, number
from rulespec.language.model.spec import Claim, Spec
from rulespec.language.model.types import BOOL
from rulespec.proofs.checks import claims
from rulespec.proofs.meaning.expressions import Wording
from rulespec.versions.changes.proofs import Example

MOST_WAYS = 200_000
"""Contents tried for both versions of a claim, for one condition, at most: about two seconds."""


def compared(spec: Spec, claim: Claim, given: t.TExpr, holds: t.TExpr) -> Example | str | None:
    """A position in which a condition holds in one version of a claim only; None if there is none.

    `claim` is the new version, `given` and `holds` are the conditions of the old one. A text says why it is not known.
    """
    for was, now in ((given, claim.given), (holds, claim.holds)):
        for before, after, truth in ((was, now, True), (now, was, False)):
            found = _counterexample(spec, replace(claim, given=before, holds=after), truth)
            if found is not None:
                return found
    return None


def _counterexample(spec: Spec, differs: Claim, truth: bool) -> Example | str | None:
    among = claims.settings(spec, differs)
    particular = any(True for _ in claims.general(replace(spec, claims=(differs,))))
    if among is None or particular or len(among) * claims.number_of_ways(spec, differs) > MOST_WAYS:
        return "not proved"
    for setting in among:
        found = counterexample(setting, differs)
        if found is not None:
            return Example(tuple(_when(setting, differs, found)), *_truths(truth))
    return None


def _truths(before: bool) -> tuple[Phrase, Phrase]:
    truth, untruth = Phrase("true"), Phrase("false")
    return (truth, untruth) if before else (untruth, truth)


def _when(setting: Setting, claim: Claim, contents: dict[int, int]) -> Iterator[Phrase]:
    """The position: the number of players if it matters, and the content of the value."""
    spec, value = setting.spec, setting.spec.values[claim.over]
    say = Wording(spec, [setting])
    if claims.by_players(spec, claim):
        yield Phrase("with_players", (number(setting.players),))
    for member, content in contents.items():
        cell = t.Value(value.type, value.name, (t.Const(value.per[0].type, member),))
        yield say(t.Op(BOOL, "==", (cell, t.Const(value.type, content))))
