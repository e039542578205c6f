"""`each`: steps once for every element of a domain."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from rulespec.base.messages import say
from rulespec.language.document import Mapping
from rulespec.language.model.infer import Locals
from rulespec.language.model.phrase import Constructor, Phrase, Proposition, Scene, constructor, number
from rulespec.language.model.step import Body, Step
from rulespec.language.model.steps import fields
from rulespec.language.model.steps.reading import Common, StepReader, known
from rulespec.language.model.typed import Domain, Members, Range, TExpr
from rulespec.language.model.types import Type
from rulespec.language.model.ways import NOTHING, Count, Ways


@dataclass(frozen=True, kw_only=True, eq=False)
class Each(Step, key="each", once=False, followed=True):
    """A loop over a domain, without `but`. Players start at `start`; cards are visited from the last to the first."""

    variable: str = fields.variable(
        "each",
        "Each",
        "Once for every player, member, number or card, under a name: `{p: player}`. With `do`.",
        "variable",
        aka="for foreach for_each every",
    )
    domain: Domain
    start: TExpr | None = fields.custom(
        "from", "Starting with", "The player the round begins with.", "expression", beside="each", optional=True
    )
    but: TExpr | None = fields.custom(
        "but", "Except", "The one that is left out.", "expression", beside="each", optional=True
    )
    body: Body = fields.shared("do")
    constructors: ClassVar[tuple[Constructor, ...]] = (
        constructor("each", "variable domain but?", "quantity: all"),
        constructor("each_count", "variable amount but?"),
        constructor("each_from", "variable start but?", "quantity: all", "side: left"),
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
        with steps.inside_loop(common["rule"]):
            body = steps.body(node.get("do"), inner)
        return cls(variable=variable, domain=known(domain), start=start, but=but, body=body, **common)

    def binds(self) -> Iterator[tuple[str, Type]]:
        yield self.variable, self.domain.type

    def flow(self, count: Count) -> Ways:
        rounds = count.work(1).then(count.body(self.body)).times(count.extent(self.domain))
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
        yield scene.fact(self.span, head)
        yield from scene.inside(head).body(self.body)
