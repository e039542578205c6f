"""`each`: steps once for every element of a domain."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from rulespec.base.messages import say
from rulespec.language.document.nodes import Mapping
from rulespec.language.model.infer.advice import Locals
from rulespec.language.model.phrase import Constructor, Phrase, Proposition, Scene, constructor, number
from rulespec.language.model.step import Body, Step
from rulespec.language.model.steps import criteria, fields
from rulespec.language.model.steps.criteria import Criterion
from rulespec.language.model.steps.reading import Common, StepReader, known
from rulespec.language.model.typed import Domain, Members, Range, TExpr
from rulespec.language.model.types import Type
from rulespec.language.model.ways import NOTHING, Count, Ways


@dataclass(frozen=True, kw_only=True, eq=False)
class Each(Step, key="each", once=False, followed=True):
    """A loop over a domain, without `but`. Players start at `start`; cards are visited from the last to the first. With
    a `chain`, the elements come in the order of its criteria when the loop begins, and only those tied in all of them
    in their own."""

    variable: str = fields.variable("each", "variable")
    domain: Domain
    start: TExpr | None = fields.custom("from", "expression", beside="each", optional=True)
    but: TExpr | None = fields.custom("but", "expression", beside="each", optional=True)
    body: Body = fields.shared("do")
    chain: tuple[Criterion, ...] = fields.custom(
        "by", "criteria", (fields.ADDED,), beside="each", optional=True, default=()
    )
    constructors: ClassVar[tuple[Constructor, ...]] = (
        constructor("each", "variable domain but?", "quantity: all"),
        constructor("each_count", "variable amount but?"),
        constructor("each_from", "variable start but?", "quantity: all", "side: left"),
        constructor("each_in_order", "variable domain but?", "quantity: all"),
        constructor("order_tied"),
        constructor("order_seats"),
        constructor("order_members"),
        constructor("order_from", "start", "side: left"),
    )

    @classmethod
    def read(cls, steps: StepReader, node: Mapping, scope: Locals, common: Common) -> Each:
        variable, domain, inner = steps.binding(node.get("each"), scope)
        start, but = None, None
        if node.get("from") and domain is not None and not isinstance(domain, Members):
            message = say("`from` needs players or an enum to start within.")
            steps.reader.report("wrong-from", message, node.key("from") or node)
        elif node.get("from"):
            start = steps.reader.expr(node.get("from"), scope, domain.type if domain is not None else None)
        if node.get("but"):
            but = steps.reader.expr(node.get("but"), scope, domain.type if domain is not None else None)
        chain = _ordered(steps, node, domain, inner) if node.get("by") else ()
        with steps.inside_loop(common["rule"]):
            body = steps.body(node.get("do"), inner)
        return cls(variable=variable, domain=known(domain), start=start, but=but, body=body, chain=chain, **common)

    def binds(self) -> Iterator[tuple[str, Type]]:
        yield self.variable, self.domain.type

    def flow(self, count: Count) -> Ways:
        ordered = count.work(len(self.chain)).times(count.extent(self.domain))
        rounds = ordered.then(count.work(1).then(count.body(self.body)).times(count.extent(self.domain)))
        if isinstance(self.domain, Range):
            certain = self.domain.low.type.high <= self.domain.high.type.low
        else:
            certain = self.but is None and isinstance(self.domain, Members)
        return (rounds if certain else count.perhaps(rounds)).loop({self.rule} - {""}, NOTHING)

    def propositions(self, scene: Scene) -> Iterator[Proposition]:
        say = scene.say
        variable = say.variable(self.variable, self.domain.type)
        but = () if self.but is None else (say(self.but),)
        head = Phrase("each", (variable, say.domain(self.domain), *but))
        if isinstance(self.domain, Range) and say(self.domain.low) == number(1):
            head = Phrase("each_count", (variable, say(self.domain.high), *but))
        if self.start is not None:
            head = Phrase("each_from", (variable, say(self.start), *but))
        if self.chain:
            head = Phrase("each_in_order", (variable, say.domain(self.domain), *but))
        yield scene.fact(self.span, head)
        inner = scene.inside(head)
        if self.chain:
            tied = inner.under(Phrase("order_tied"))
            yield from criteria.order(self.chain, inner, tied)
            if self.start is not None:
                yield tied.fact(self.span, Phrase("order_from", (inner.say(self.start),)))
            else:
                kind = "order_seats" if self.domain.type.kind == "player" else "order_members"
                yield tied.fact(self.span, Phrase(kind))
        yield from inner.body(self.body)


def _ordered(steps: StepReader, node: Mapping, domain: Domain | None, scope: Locals) -> tuple[Criterion, ...]:
    """The criteria that order the elements of a loop."""
    if domain is not None and not isinstance(domain, Members):
        message = say("`by` needs players or an enum to put in order.")
        steps.reader.report("wrong-domain", message, node.key("by") or node, say("Name an enum or `player`."))
    return criteria.read_chain(steps, node.get("by"), scope)
