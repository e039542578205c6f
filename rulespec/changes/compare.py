"""Compares two versions of a spec: the changes of the game, matched by id, without those of order and layout."""

from __future__ import annotations

from dataclasses import dataclass

from rulespec.changes.both import Both
from rulespec.changes.cards import card_changes
from rulespec.changes.change import Change
from rulespec.changes.checks import check_changes
from rulespec.changes.declarations import declaration_changes
from rulespec.changes.effects import Effects
from rulespec.changes.game import game_changes
from rulespec.changes.kinds import Impact
from rulespec.changes.rules import rule_changes
from rulespec.changes.rulings import ruling_changes
from rulespec.model.spec import Spec


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
    both = Both(old, new)
    found = [change for changes in _PARTS for change in changes(both)]
    effects = Effects(old, new)
    judged = [effects.judged(one) for one in (*found, *card_changes(old, new, both.names))]
    return Changes(old, new, tuple(sorted(judged, key=lambda one: (-one.impact, _place(one, new)))))


def _place(change: Change, spec: Spec) -> int:
    """The place of the first rule that a change concerns, in the order of the spec; the last without a rule."""
    order = list(spec.rules)
    return min((order.index(rule) for rule in change.rules if rule in spec.rules), default=len(order))
