"""`shuffle`: a zone in a random order."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from rulespec.language.model.phrase import Constructor, Phrase, Proposition, Scene, constructor
from rulespec.language.model.step import Step
from rulespec.language.model.steps import fields
from rulespec.language.model.typed import Value, ZoneRef
from rulespec.language.model.ways import Count, Ways


@dataclass(frozen=True, kw_only=True, eq=False)
class Shuffle(Step, key="shuffle", once=True, followed=True):
    """Shuffles a zone."""

    zone: ZoneRef = fields.zone("shuffle")
    constructors: ClassVar[tuple[Constructor, ...]] = (constructor("shuffle", "zone", implies="selection: random"),)

    def changes(self) -> tuple[Value | ZoneRef, ...]:
        return (self.zone,)

    def flow(self, count: Count) -> Ways:
        return count.work(1).then(count.draws(max(0, count.cards - 1)))

    def propositions(self, scene: Scene) -> Iterator[Proposition]:
        yield scene.fact(self.span, Phrase("shuffle", (scene.say.zone(self.zone),)))
