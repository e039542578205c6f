"""`if`: steps under a condition."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from rulespec.language.document.nodes import Mapping
from rulespec.language.model.infer.advice import Locals
from rulespec.language.model.narrowing import known
from rulespec.language.model.phrase import Proposition, Scene
from rulespec.language.model.step import Body, Step
from rulespec.language.model.steps import fields
from rulespec.language.model.steps.reading import Common, StepReader
from rulespec.language.model.typed import TExpr
from rulespec.language.model.types import BOOL
from rulespec.language.model.ways import Count, Ways


@dataclass(frozen=True, kw_only=True, eq=False)
class If(Step, key="if", once=True, followed=True):
    """Steps if a condition holds, and others if it does not."""

    condition: TExpr = fields.condition("if")
    then: Body = fields.body("then", beside="if")
    otherwise: Body = fields.body("else", beside="if", optional=True)

    @classmethod
    def read(cls, steps: StepReader, node: Mapping, scope: Locals, common: Common) -> If:
        condition = steps.reader.expr(node.get("if"), scope, BOOL)
        facts = steps.reader.facts
        with steps.reader.given(known(facts, condition)):
            then = steps.body(node.get("then"), scope)
        with steps.reader.given(known(facts, condition, holds=False)):
            otherwise = steps.body(node.get("else"), scope)
        return cls(condition=condition, then=then, otherwise=otherwise, **common)

    def flow(self, count: Count) -> Ways:
        return count.work(1).then(count.body(self.then).either(count.body(self.otherwise)))

    def propositions(self, scene: Scene) -> Iterator[Proposition]:
        for body, wanted in ((self.then, True), (self.otherwise, False)):
            inside = scene.where(self.condition, wanted, self.span)
            if inside is not None:
                yield from inside.body(body)
