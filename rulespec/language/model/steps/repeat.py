"""`repeat`: steps again and again."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from rulespec.language.document.nodes import Mapping, Scalar
from rulespec.language.model.infer.advice import Locals
from rulespec.language.model.narrowing import known
from rulespec.language.model.nodes import mapping
from rulespec.language.model.phrase import Constructor, Phrase, Proposition, Scene, constructor
from rulespec.language.model.step import Body, Step
from rulespec.language.model.steps import fields
from rulespec.language.model.steps.reading import Common, StepReader
from rulespec.language.model.typed import TExpr
from rulespec.language.model.ways import Count, Ways


@dataclass(frozen=True, kw_only=True, eq=False)
class Repeat(Step, key="repeat", once=False, followed=False):
    """`while_` is tested before every round, `until` after it; there are at most `at_most` rounds, if it is given.

    `then` runs if another round would begin after them; it is None if that is an error.
    """

    body: Body = fields.body("do")
    while_: TExpr | None = fields.condition("while", optional=True)
    until: TExpr | None = fields.condition("until", optional=True)
    at_most: TExpr | None = fields.number("at_most", 0, beside="then", optional=True)
    then: Body | None = fields.custom("then", fields.either("error"), beside="at_most", optional=True)
    constructors: ClassVar[tuple[Constructor, ...]] = (
        constructor("repeat_while", "condition"),
        constructor("repeat_until", "condition", implies="comparison: exactly"),
        constructor("repeat", ""),
        constructor("repeat_at_most", "amount", "comparison: at_most"),
        constructor("after_at_most", "amount"),
        constructor("bound", "amount"),
    )

    @classmethod
    def read(cls, steps: StepReader, node: Mapping, scope: Locals, common: Common) -> Repeat:
        inner = mapping(node.get("repeat"))
        before = len(steps.called)
        while_ = steps.reader.condition(inner.get("while"), scope)
        facts = known(steps.reader.facts, while_) if while_ is not None else steps.reader.facts
        with steps.inside_loop(common["rule"], repeats=True) as loop, steps.reader.given(facts):
            body = steps.body(inner.get("do"), scope)
        # Read without the facts of `while`: it is tested after the body, which may have changed what they are about.
        until = steps.reader.condition(inner.get("until"), scope)
        at_most = steps.reader.number(inner.get("at_most"), scope, 0) if inner.get("at_most") else None
        after = inner.get("then")
        then = None if isinstance(after, Scalar) and after.text == "error" else steps.body(after, scope)
        # An unknown key, which is not read here, may have been meant to end the repeat.
        understood = inner.get("do") is not None and {key for key, _ in inner.items()} <= {*fields.names(cls)}
        if understood and not loop.ends and while_ is None and until is None and (at_most is None or then is None):
            steps.unended.append((node.key("repeat") or node, [name for name, _, _ in steps.called[before:]]))
        return cls(body=body, while_=while_, until=until, at_most=at_most, then=then, **common)

    def flow(self, count: Count) -> Ways:
        rounds = count.work(1).then(count.body(self.body)).times(count.rounds(self))
        # Without a condition and with at least one round it is certain that there is one.
        if self.while_ is not None or (self.at_most is not None and self.at_most.type.low < 1):
            rounds = count.perhaps(rounds)
        return rounds.loop({"", self.rule}, count.body(self.then or ()))

    def propositions(self, scene: Scene) -> Iterator[Proposition]:
        say = scene.say
        head = () if self.while_ is None else (Phrase("repeat_while", (say(self.while_),)),)
        for act in head:
            yield scene.fact(self.span, act)
        yield from scene.inside(*head).body(self.body)
        until = say(self.until) if self.until is not None else Phrase("false")
        if until.constructor != "false":
            yield scene.fact(self.span, Phrase("repeat_until", (until,)))
        if self.at_most is not None and self.then is not None:
            yield scene.fact(self.span, Phrase("repeat_at_most", (say(self.at_most),)))
            yield from scene.under(Phrase("after_at_most", (say(self.at_most),))).body(self.then)
        elif self.while_ is None and until.constructor == "false":
            yield scene.fact(self.span, Phrase("repeat"))
        if self.at_most is not None and self.then is None:
            yield scene.fact(self.span, Phrase("bound", (say(self.at_most),)), aside=True)
