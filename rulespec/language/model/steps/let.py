"""`let`: names for what expressions are now."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from rulespec.base.diagnostics import Span
from rulespec.base.messages import say
from rulespec.language.document.nodes import Mapping, Node, Scalar
from rulespec.language.model.infer.advice import Locals
from rulespec.language.model.nodes import Broken, entries
from rulespec.language.model.phrase import Constructor, Phrase, Proposition, Scene, constructor
from rulespec.language.model.reader import FAILED
from rulespec.language.model.step import Body, Step
from rulespec.language.model.steps import fields
from rulespec.language.model.steps.reading import Common, StepReader
from rulespec.language.model.typed import TExpr
from rulespec.language.model.types import Type


@dataclass(frozen=True, kw_only=True, eq=False)
class Let(Step, key="let", once=True, followed=True):
    """Binds what an expression is now to a name, which does not change inside."""

    variable: str = fields.variable("let", fields.mapping_of(names=True))
    value: TExpr
    body: Body = fields.shared("do")
    constructors: ClassVar[tuple[Constructor, ...]] = (constructor("let", "variable what"),)

    @classmethod
    def read(cls, steps: StepReader, node: Mapping, scope: Locals, common: Common) -> Let:
        """Several names in one step are steps inside each other: each value may use the names before it."""
        inner, named = scope, []
        for key, value in entries(node.get("let")):
            known = steps.reader.expr(value, inner)
            inner = {**inner, key.text: known.type if _nameable(steps, key, value, known, inner) else None}
            named.append((key, value, known))
        if not named:
            raise Broken
        body = steps.body(node.get("do"), inner)
        for key, value, known in reversed(named[1:]):
            body = (cls(variable=key.text, value=known, body=body, span=Span(key.span.start, value.span.end)),)
        key, _, known = named[0]
        return cls(variable=key.text, value=known, body=body, **common)

    def binds(self) -> Iterator[tuple[str, Type]]:
        yield self.variable, self.value.type

    def propositions(self, scene: Scene) -> Iterator[Proposition]:
        say = scene.say
        yield scene.fact(self.span, Phrase("let", (say.variable(self.variable, self.value.type), say(self.value))))
        yield from scene.body(self.body)


def _nameable(steps: StepReader, key: Scalar, value: Node, known: TExpr, scope: Locals) -> bool:
    """Whether the name is free, and the value one that a name can stand for."""
    if not steps.reader.local(key, scope) or known is FAILED:
        return False
    if known.type.kind not in ("card", "set", "several", "none"):
        return True
    what, hint = say("a card"), say("Move the card to a zone of its own, or go through the zone with `each`.")
    if known.type.kind == "set":
        what, hint = say("a set"), say("Ask for its members with `has`.")
    elif known.type.kind == "several":
        what, hint = say("a picked set"), say("Use the name under which it was picked.")
    elif known.type.kind == "none":
        what, hint = say("`none`"), say("Write `none` where it is used.")
    steps.reader.report("type-mismatch", say("`let` cannot name {what}.", what=what), value, hint)
    return False
