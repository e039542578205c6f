"""Which changes of a spec ask for another text of a rule."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from rulespec.text.rules.subjects import outer
from rulespec.text.seals.confirmation import confirmation
from rulespec.versions.changes.both import Both
from rulespec.versions.changes.change import Change
from rulespec.versions.changes.compare import Changes

_COUNTED = {"cards-changed", "component-changed"}


@dataclass(frozen=True)
class Asked:
    """The changes behind the texts of rules and rulings."""

    changes: Changes

    def by(self, id_: str) -> tuple[Change, ...]:
        """The changes that concern a rule, or the rules that depend on a ruling, or else the rules around it.

        If its facts or its digest differ without one, these are the changes of cards and components, of which rules
        state numbers; else there are none.
        """
        if id_ not in self._known:
            self._known[id_] = self._by(id_)
        return self._known[id_]

    @cached_property
    def _known(self) -> dict[str, tuple[Change, ...]]:
        return {}

    def _by(self, id_: str) -> tuple[Change, ...]:
        for rules in ({id_, *self._users(id_)}, set(self._around(id_))):
            own = tuple(one for one in self.changes.every if rules.intersection((*one.rules, one.name)))
            if own:
                return own
        return (self.loose or self.changes.every) if self.differs(id_) else ()

    @property
    def loose(self) -> tuple[Change, ...]:
        """The changes of cards and components."""
        return tuple(one for one in self.changes.every if one.kind in _COUNTED)

    def _users(self, id_: str) -> tuple[str, ...]:
        """The rules that depend on a ruling; none if it is a rule."""
        return self._both.users(("ruling", id_), True) if id_ in self.changes.new.rulings else ()

    def _around(self, id_: str) -> tuple[str, ...]:
        """The rules around a rule: what they do, the texts of the rules inside them may say."""
        return tuple(outer(self.changes.new, id_)) if id_ in self.changes.new.rules else ()

    @cached_property
    def _both(self) -> Both:
        return Both(self.changes.old, self.changes.new)

    def differs(self, id_: str) -> bool:
        """Whether a rule that both versions have states something else."""
        versions = (self.changes.old, self.changes.new)
        if not all(id_ in spec.rules or id_ in spec.rulings for spec in versions):
            return False
        was, now = (confirmation(spec, id_) for spec in versions)
        return was != now
