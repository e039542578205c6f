"""Changes in the words of a language."""

from __future__ import annotations

from dataclasses import dataclass

from rulespec.changes.change import Change, Side
from rulespec.text.describe import Description


@dataclass(frozen=True)
class Words:
    """Says changes in a language: `old` and `new` describe the two versions."""

    old: Description
    new: Description

    def before(self, change: Change) -> list[str]:
        return _sentences(change.before, self.old)

    def after(self, change: Change) -> list[str]:
        return _sentences(change.after, self.new)

    def title(self, change: Change) -> str:
        """The title of the rule or the term of the name that changed."""
        names = self.new.say.names if change.after != Side() else self.old.say.names
        if change.kind.startswith(("rule-", "statement-", "order-", "words-")):
            return names.title(change.name)
        return change.name


def _sentences(side: Side, description: Description) -> list[str]:
    if side.stated:
        return [description.sentence(one) for one in side.stated]
    return [side.text] if side.text else []
