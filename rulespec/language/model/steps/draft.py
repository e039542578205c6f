"""`draft`: one player draws cards one by one and puts each into a place that has room."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from rulespec.language.document.nodes import Mapping, Node
from rulespec.language.model.infer.advice import Locals
from rulespec.language.model.nodes import items, mapping, text
from rulespec.language.model.phrase import Constructor, Phrase, Proposition, Scene, constructor
from rulespec.language.model.step import Body, Flow, Step
from rulespec.language.model.steps import fields
from rulespec.language.model.steps.reading import StepReader
from rulespec.language.model.typed import TExpr, ZoneRef
from rulespec.language.model.types import CARD, PLAYER, Type
from rulespec.language.model.ways import Count, Point, Ways


@dataclass(frozen=True, kw_only=True, eq=False)
class Place(Step, key="says", once=False, followed=False):
    """A place for a drawn card. `then` runs after the card is put there; it binds the card to `card`."""

    head: ClassVar = fields.Head(common=("id", "origin", "title"))
    title: str = fields.aside()
    says: str = fields.custom("says", "says", form=(fields.DISPLAYED,))
    target: ZoneRef = fields.zone("to")
    face: str = fields.words("face", "up down")
    limit: TExpr = fields.number("limit", 0)
    weight: ClassVar = fields.key("weight", "expression", optional=True)
    then: Body = fields.body("then", optional=True)

    @classmethod
    def read(cls, steps: StepReader, node: Mapping, scope: Locals) -> Place:
        common = steps.common(node, scope)
        target, limit = steps.reader.zone(node.get("to"), scope), steps.reader.number(node.get("limit"), scope, 0)
        drawn = {**scope, "card": CARD}
        weight, then = steps.weight(node.get("weight"), drawn), steps.body(node.get("then"), drawn)
        says, face = steps.says(node, []), text(node.get("face"))
        title = text(node.get("title")) if node.get("title") else common["rule"]
        place = cls(title=title, says=says, target=target, face=face, limit=limit, then=then, **common)
        steps.weigh(place, weight)
        return place

    def binds(self) -> Iterator[tuple[str, Type]]:
        yield "card", CARD


def _places(steps: StepReader, node: Node | None, scope: Locals) -> tuple[Place, ...]:
    return tuple(Place.read(steps, mapping(item), scope) for item in items(node))


@dataclass(frozen=True, kw_only=True, eq=False)
class Draft(Step, key="draft", once=False, followed=False):
    """One player draws cards one by one and puts each into a place with room."""

    by: TExpr = fields.expression("by", PLAYER)
    source: ZoneRef = fields.zone("from")
    look: ZoneRef = fields.zone("look")
    draws: TExpr = fields.number("draws", 0)
    full: ClassVar = fields.settled("full", "closed")
    places: tuple[Place, ...] = fields.constructs("places", "draft_place", read=_places)
    constructors: ClassVar[tuple[Constructor, ...]] = (
        constructor("draft", "by amount source", "possession: take"),
        constructor("draft_looks", "by", "sight: secret"),
        constructor("draft_place", "by amount target face?", "comparison: exactly"),
        constructor("draft_closed"),
        constructor("drafted", "target"),
    )

    def flows(self) -> Iterator[Flow]:
        yield Flow(self.source, self.look)
        yield from (Flow(self.look, place.target) for place in self.places)

    def flow(self, count: Count) -> Ways:
        put = count.decisions(1).then(count.choice(count.any(self.places), Point.END))
        return count.work(1).then(put).times(count.most(self.draws))

    def propositions(self, scene: Scene) -> Iterator[Proposition]:
        say = scene.say
        by = say(self.by)
        yield scene.fact(self.span, Phrase("draft", (by, say(self.draws), say.zone(self.source))))
        if scene.spec.zones[self.look.name].sight.viewers.group == "owner":
            yield scene.fact(self.span, Phrase("draft_looks", (by,)))
        for place in self.places:
            here = scene.named(place)
            if here is None:
                continue
            target = here.say.zone(place.target)
            face = (Phrase(f"face_{place.face}"),)
            yield here.fact(place.span, Phrase("draft_place", (by, here.say(place.limit), target, *face)))
            yield from here.under(Phrase("drafted", (target,))).body(place.then)
        yield scene.fact(self.span, Phrase("draft_closed"))
