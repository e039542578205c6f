"""`leave`: ends a loop. `end`: ends the play."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from rulespec.language.document.nodes import Mapping
from rulespec.language.model.infer.advice import Locals
from rulespec.language.model.nodes import scalar
from rulespec.language.model.phrase import Constructor, Phrase, Proposition, Scene, constructor
from rulespec.language.model.step import Step
from rulespec.language.model.steps import fields
from rulespec.language.model.steps.reading import Common, StepReader
from rulespec.language.model.ways import Count, Point, Ways


@dataclass(frozen=True, kw_only=True, eq=False)
class Leave(Step, key="leave", once=True, followed=True):
    """Ends a loop: the innermost repeat, or the `repeat` or `each` whose rule is `loop`."""

    loop: str = fields.custom("leave", "id")
    constructors: ClassVar[tuple[Constructor, ...]] = (
        constructor("leave_loop"),
        constructor("leave_named", "procedure"),
    )

    @classmethod
    def read(cls, steps: StepReader, node: Mapping, scope: Locals, common: Common) -> Leave:
        named = scalar(node.get("leave"))
        if named.text == "repeat":
            steps.leave(node.key("leave") or node)
            return cls(loop="", **common)
        steps.leave_named(named)
        return cls(loop=named.text, **common)

    def flow(self, count: Count) -> Ways:
        return count.work(1, self.loop)

    def propositions(self, scene: Scene) -> Iterator[Proposition]:
        named = Phrase("leave_named", (Phrase("procedure", name=self.loop),))
        yield scene.fact(self.span, named if self.loop else Phrase("leave_loop"))


@dataclass(frozen=True, kw_only=True, eq=False)
class End(Step, key="end", once=True, followed=False):
    """Ends the play: what comes next is the final ranking."""

    end: ClassVar = fields.key("end", {"enum": ["play"]})
    constructors: ClassVar[tuple[Constructor, ...]] = (constructor("end_play"),)

    @classmethod
    def read(cls, steps: StepReader, node: Mapping, scope: Locals, common: Common) -> End:
        steps.end()
        return cls(**common)

    def flow(self, count: Count) -> Ways:
        return count.work(1, Point.PLAY)

    def propositions(self, scene: Scene) -> Iterator[Proposition]:
        yield scene.fact(self.span, Phrase("end_play"))
