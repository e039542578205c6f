"""`random`: a random element of a domain."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from rulespec.base.messages import say
from rulespec.language.document.nodes import Mapping
from rulespec.language.model import sights
from rulespec.language.model.infer.advice import Locals
from rulespec.language.model.nodes import entries
from rulespec.language.model.phrase import Constructor, Phrase, Proposition, Scene, constructor
from rulespec.language.model.step import Body, Step
from rulespec.language.model.steps import fields
from rulespec.language.model.steps.reading import Common, StepReader
from rulespec.language.model.typed import Cards, Listed, Members, Range, TExpr
from rulespec.language.model.types import PLAYER, Type
from rulespec.language.model.ways import Count, Ways


@dataclass(frozen=True, kw_only=True, eq=False)
class Random(Step, key="random", once=True, followed=True):
    """Binds a random element of a domain to a name. If there is `seen_where`, only the players for whom it holds, each
    in turn bound to `viewer`, see what is drawn."""

    variable: str = fields.variable("random", "variable")
    domain: Members | Range
    body: Body = fields.shared("do")
    viewer: str = fields.aside((fields.VARIABLE, fields.ADDED), default="")
    seen_where: TExpr | None = fields.custom(
        "seen_by",
        {
            "type": ["string", "object"],
            "if": {"type": "object"},
            "then": {"$ref": "#/$defs/seen_where"},
            "else": {"enum": ["everybody", "nobody"]},
        },
        beside="random",
        optional=True,
        form=(fields.ADDED,),
    )
    constructors: ClassVar[tuple[Constructor, ...]] = (
        constructor("pick_random", "variable domain", "selection: random"),
        constructor("drawn_for_some", "variable viewer where", "sight: secret", implies="scope: only"),
        constructor("drawn_for_none", "variable", "sight: secret"),
    )

    @classmethod
    def read(cls, steps: StepReader, node: Mapping, scope: Locals, common: Common) -> Random:
        variable, domain, inner = steps.binding(node.get("random"), scope)
        viewer, where = sights.of_draw(steps.reader, node.get("seen_by"), scope)
        body = steps.body(node.get("do"), inner)
        place = next((value for _, value in entries(node.get("random"))), node)
        if isinstance(domain, Cards):
            hint = say("Move a random card: `move: {random: 1, from: …, to: …}`.")
            steps.reader.report("wrong-domain", say("`random` cannot draw a card."), place, hint)
        elif isinstance(domain, Listed):
            hint = say("Draw one of all with `{type}`, or a number, and go that many steps.", type=domain.type)
            steps.reader.report("wrong-domain", say("`random` cannot draw from a list of squares."), place, hint)
        elif isinstance(domain, Range) and domain.low.type.high > domain.high.type.low:
            steps.reader.report(
                "empty-range", say("This range can be empty, but a draw needs at least one number."), place
            )
        drawn = domain if isinstance(domain, Members | Range) else Members(PLAYER)
        return cls(variable=variable, domain=drawn, body=body, viewer=viewer, seen_where=where, **common)

    def binds(self) -> Iterator[tuple[str, Type]]:
        yield self.variable, self.domain.type
        if self.viewer:
            yield self.viewer, PLAYER

    def flow(self, count: Count) -> Ways:
        return count.work(1).then(count.draws(1)).then(count.body(self.body))

    def propositions(self, scene: Scene) -> Iterator[Proposition]:
        say = scene.say
        parts = (say.variable(self.variable, self.domain.type), say.domain(self.domain))
        yield scene.fact(self.span, Phrase("pick_random", parts))
        if self.viewer and self.seen_where is not None:
            who = (say.variable(self.viewer, PLAYER), say(self.seen_where))
            yield scene.fact(self.span, Phrase("drawn_for_some", (parts[0], *who)))
        elif self.seen_where is not None:
            yield scene.fact(self.span, Phrase("drawn_for_none", parts[:1]))
        yield from scene.body(self.body)
