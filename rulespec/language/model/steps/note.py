"""`note`: a rule that players follow and the engine does not need."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from rulespec.language.model.step import Body, Step
from rulespec.language.model.steps import fields


@dataclass(frozen=True, kw_only=True, eq=False)
class Note(Step, key="note", once=True, followed=True):
    """A rule that players follow and the engine does not need."""

    note: ClassVar = fields.key("note", "text")

    def written_out(self) -> Body:
        return ()
