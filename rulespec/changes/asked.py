"""Which changes of a spec ask for another text of a rule."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from rulespec.changes.change import Change
from rulespec.changes.compare import Changes
from rulespec.text import confirmation


@dataclass(frozen=True)
class Asked:
    """The changes behind the texts of rules and rulings."""

    changes: Changes

    def by(self, id_: str) -> tuple[Change, ...]:
        """The changes that concern a rule or ruling. If its facts or its digest differ without one, these are the
        changes of cards and components, of which rules state numbers; else there are none."""
        if id_ not in self._known:
            self._known[id_] = self._by(id_)
        return self._known[id_]

    @cached_property
    def _known(self) -> dict[str, tuple[Change, ...]]:
        return {}

    def _by(self, id_: str) -> tuple[Change, ...]:
        own = tuple(one for one in self.changes.every if id_ in one.rules or id_ == one.name)
        if own or not self.differs(id_):
            return own
        loose = tuple(one for one in self.changes.every if one.face or one.kind == "component-changed")
        return loose or self.changes.every

    def differs(self, id_: str) -> bool:
        """Whether a rule that both versions have states something else."""
        versions = (self.changes.old, self.changes.new)
        if not all(id_ in spec.rules or id_ in spec.rulings for spec in versions):
            return False
        was, now = (confirmation(spec, id_) for spec in versions)
        return was != now
