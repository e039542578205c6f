"""Compares two versions of a spec: the changes of the game, matched by id, without those of order and layout."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from rulespec.language.model.spec import Spec
from rulespec.proofs.meaning.canonical import Name
from rulespec.versions.changes.both import Both
from rulespec.versions.changes.cards import card_changes
from rulespec.versions.changes.change import Change
from rulespec.versions.changes.declarations import check_changes, declaration_changes
from rulespec.versions.changes.effects import Effects
from rulespec.versions.changes.game import game_changes
from rulespec.versions.changes.kinds import Impact
from rulespec.versions.changes.parameters import with_old_parameters
from rulespec.versions.changes.proofs import Example
from rulespec.versions.changes.rules import rule_changes
from rulespec.versions.changes.rulings import ruling_changes
from rulespec.versions.changes.settled import settled


@dataclass(frozen=True)
class Changes:
    """The changes from one version of a game to another, the most serious first."""

    old: Spec
    new: Spec
    every: tuple[Change, ...]

    @property
    def impact(self) -> Impact:
        """The greatest impact of the changes."""
        return max((one.impact for one in self.every), default=Impact.NONE)


_PARTS = (game_changes, declaration_changes, rule_changes, ruling_changes, check_changes)


def compare(old: Spec, new: Spec) -> Changes:
    """What changed in the game from `old` to `new`. Equal games, however they are written, have no changes."""
    both, examples = _without_rewritings(Both(old, new))
    found = [_shown(change, examples) for changes in _PARTS for change in changes(both)]
    effects = Effects(old, new)
    judged = [effects.judged(one) for one in (*found, *card_changes(old, new, both.names))]
    order = {rule: at for at, rule in enumerate(new.rules)}
    return Changes(old, new, tuple(sorted(judged, key=lambda one: (-one.impact, _place(one, order)))))


def _without_rewritings(both: Both) -> tuple[Both, Mapping[Name, tuple[Example, ...]]]:
    """Both versions, the new one with the old expressions where both are equal, and positions where others differ."""
    new = with_old_parameters(both.old, both.new, both.names)
    left = settled(both.old, new, both.names)
    same = left.spec is both.new and not left.same
    return both if same else Both(both.old, left.spec, left.same), left.examples


_OF_RULES = ("statement", "order")


def _shown(change: Change, examples: Mapping[Name, tuple[Example, ...]]) -> Change:
    """The change with its examples."""
    kind, _, what = change.kind.rpartition("-")
    of = "rule" if kind in _OF_RULES else kind
    return replace(change, examples=examples.get((of, change.name), ())) if what == "changed" else change


def _place(change: Change, order: Mapping[str, int]) -> int:
    """The place of the first rule that a change concerns, in the order of the spec; the last without a rule."""
    return min((order[rule] for rule in change.rules if rule in order), default=len(order))
