"""`move`: cards from one zone to another. `show`: cards shown where they lie."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import ClassVar

from rulespec.base.messages import say
from rulespec.language.document.nodes import Mapping, Scalar
from rulespec.language.model.infer.advice import Locals
from rulespec.language.model.names import Names
from rulespec.language.model.narrowing import Facts
from rulespec.language.model.nodes import Broken, entries, mapping, scalar, text
from rulespec.language.model.phrase import Constructor, Phrase, Proposition, Scene, constructor
from rulespec.language.model.reader import FAILED, NOWHERE
from rulespec.language.model.step import Flow, Step
from rulespec.language.model.steps import fields
from rulespec.language.model.steps.reading import Common, StepReader
from rulespec.language.model.typed import Local, NthCard, Op, TExpr, ZoneRef, ZoneSize
from rulespec.language.model.types import CARD, PLAYER, Type, describe, integer
from rulespec.language.model.ways import Count, Ways

_ENDS = (fields.key(end, "expression", optional=True) for end in ("top", "bottom"))
_PLACE = fields.mapping(*_ENDS, minProperties=1, maxProperties=1)


@dataclass(frozen=True, kw_only=True, eq=False)
class Move(Step, key="move", once=True, followed=True):
    """`how` is card, cards, top, bottom, random or every; `amount` is the card, the picked set or the number; `where`
    tests `variable` for `every`. `limited` says whether the cards may be more than the target can hold, unless it is
    shown that they are not. Each card becomes the one with the number `at` from the `end` of the target, top or bottom;
    without them, it lies on top."""

    head: ClassVar = fields.Head(least=("card", "cards", "every", "top", "bottom", "random"))
    how: str
    amount: TExpr | None
    card: ClassVar = fields.key("card", "expression", optional=True)
    cards: ClassVar = fields.key("cards", "expression", optional=True)
    top: ClassVar = fields.key("top", "expression", optional=True)
    bottom: ClassVar = fields.key("bottom", "expression", optional=True)
    random: ClassVar = fields.key("random", "expression", optional=True)
    variable: str = fields.variable("every", "name", optional=True)
    where: TExpr | None = fields.custom("where", "expression", beside="every", optional=True)
    source: ZoneRef = fields.zone("from")
    target: ZoneRef = fields.zone("to")
    limited: bool = fields.aside(default=True)
    at: TExpr | None = fields.custom(
        "at", _PLACE, (fields.ADDED,), ways="card top bottom random", optional=True, default=None
    )
    end: str = fields.aside((fields.ADDED,), default="")
    constructors: ClassVar[tuple[Constructor, ...]] = (
        constructor("move_top", "amount source target face?", "stack: top"),
        constructor("move_bottom", "amount source target face?", "stack: bottom"),
        constructor("move_random", "amount source target face?", "selection: random"),
        constructor("move_card", "card source target face?"),
        constructor("move_cards", "cards source target face?"),
        constructor("move_all", "source target face?", "quantity: all", implies="quantity: rest"),
        constructor(
            "move_matching", "variable condition source target face?", "quantity: all", implies="quantity: rest"
        ),
        constructor("arrives_as", "place"),
        constructor("face_up", "", "face: up"),
        constructor("face_down", "", "face: down"),
    )

    @classmethod
    def read(cls, steps: StepReader, node: Mapping, scope: Locals, common: Common) -> Move:
        inner, read = mapping(node.get("move")), steps.reader
        how = _how(inner, "card", "cards", "top", "bottom", "random", "every")
        source, target = read.zone(inner.get("from"), scope), read.zone(inner.get("to"), scope)
        if source == target and source != NOWHERE:
            message = say("`from` and `to` name the same zone.")
            hint = say("Name another zone, or delete the step.")
            read.report("moves-nowhere", message, inner.get("to") or node, hint)
        amount, variable, where = _which(steps, inner, how, scope)
        ends = [(value, key.text) for key, value in entries(inner.get("at"))]
        at, end = (steps.reader.number(ends[0][0], scope, 1), ends[0][1]) if ends else (None, "")
        common |= {"source": source, "target": target, "at": at, "end": end}
        step = cls(how=how, amount=amount, variable=variable, where=where, **common)
        # The interval of what failed means nothing, so it is not compared with the room in a zone.
        failed = FAILED in (amount, where, at) or NOWHERE in (source, target)
        return step if failed else replace(step, limited=not _finds_room(step, read.names, read.facts))

    def flows(self) -> Iterator[Flow]:
        card = {"card": self.amount, "every": Local(CARD, self.variable)}.get(self.how)
        yield Flow(self.source, self.target, card, self.where, one=self.how == "card")

    def binds(self) -> Iterator[tuple[str, Type]]:
        return _bound(self)

    def flow(self, count: Count) -> Ways:
        drawn = min(count.cards, count.most(self.amount)) if self.how == "random" and self.amount is not None else 0
        return count.work(1).then(count.draws(drawn))

    def propositions(self, scene: Scene) -> Iterator[Proposition]:
        face = () if scene.in_secret else face_of(scene, self.target.name)
        yield from _of_cards("move", self, (scene.say.zone(self.source), scene.say.zone(self.target), *face), scene)
        if self.at is not None:
            place = scene.say(NthCard(CARD.maybe(), self.target, self.at, self.end))
            yield scene.fact(self.span, Phrase("arrives_as", (place,)))


@dataclass(frozen=True, kw_only=True, eq=False)
class Show(Step, key="show", once=True, followed=True):
    """Shows cards of a zone to a player, or to everybody if `to` is None. `how` is card, top, bottom or every;
    `amount`, `variable` and `where` select the cards as in a move."""

    head: ClassVar = fields.Head(least=("card", "every", "top", "bottom"))
    how: str
    amount: TExpr | None
    card: ClassVar = fields.key("card", "expression", optional=True)
    top: ClassVar = fields.key("top", "expression", optional=True)
    bottom: ClassVar = fields.key("bottom", "expression", optional=True)
    variable: str = fields.variable("every", "name", optional=True)
    where: TExpr | None = fields.custom("where", "expression", beside="every", optional=True)
    source: ZoneRef = fields.zone("from")
    to: TExpr | None = fields.custom("to", "expression")
    constructors: ClassVar[tuple[Constructor, ...]] = (
        constructor("show_top", "amount source to", "stack: top"),
        constructor("show_bottom", "amount source to", "stack: bottom"),
        constructor("show_card", "card source to"),
        constructor("show_all", "source to", "quantity: all"),
        constructor("show_matching", "variable condition source to", "quantity: all"),
    )

    @classmethod
    def read(cls, steps: StepReader, node: Mapping, scope: Locals, common: Common) -> Show:
        inner, read = mapping(node.get("show")), steps.reader
        how = _how(inner, "card", "top", "bottom", "every")
        source = read.zone(inner.get("from"), scope)
        everybody = scalar(inner.get("to")).text == "everybody"
        to = None if everybody else read.expr(inner.get("to"), scope, PLAYER)
        amount, variable, where = _which(steps, inner, how, scope)
        return cls(how=how, amount=amount, variable=variable, where=where, source=source, to=to, **common)

    def binds(self) -> Iterator[tuple[str, Type]]:
        return _bound(self)

    def propositions(self, scene: Scene) -> Iterator[Proposition]:
        viewers = Phrase("everybody") if self.to is None else scene.say(self.to)
        return _of_cards("show", self, (scene.say.zone(self.source), viewers), scene)


def _how(node: Mapping, *ways: str) -> str:
    """The key that says which cards are meant."""
    how = next((key for key in ways if node.get(key) is not None), None)
    if how is None:
        raise Broken
    return how


def _which(steps: StepReader, node: Mapping, how: str, scope: Locals) -> tuple[TExpr | None, str, TExpr | None]:
    """The card or the number of cards; or a name for each card, and a condition on it."""
    read, given = steps.reader, node.get(how)
    if how == "every":
        free = read.local(scalar(given), scope)
        return None, text(given), read.condition(node.get("where"), {**scope, text(given): CARD if free else None})
    if how == "cards":
        return _several(steps, scalar(given), scope), "", None
    # A card may be absent.
    return read.expr(given, scope, CARD.maybe()) if how == "card" else read.number(given, scope, 0), "", None


def _several(steps: StepReader, node: Scalar, scope: Locals) -> TExpr:
    """The name of a picked set of cards."""
    found = steps.reader.expr(node, scope)
    if found is FAILED or (found.type.of is not None and found.type.of.kind == "card"):
        return found
    hint = say("Move one card with `card:`, a number of cards with `top:` or `random:`, or all with `every:`.")
    message = say("This is {type}, but a picked set of cards is needed.", type=describe(found.type))
    steps.reader.report("type-mismatch", message, node, hint)
    return FAILED


def _bound(step: Move | Show) -> Iterator[tuple[str, Type]]:
    if step.variable:
        yield step.variable, CARD


# --- the room in a zone that can hold only so many cards --------------------------------------------------------------


def _finds_room(step: Move, names: Names, facts: Facts) -> bool:
    """Whether the cards of a move always find room in its target, as far as intervals and conditions show."""
    holds = names.holds.get(step.target.name)
    if holds is None:
        return True
    there = _most(step.target, names, facts)
    return there + _moved(step, names, facts) <= holds.type.low or _fills(step.amount, step.target, holds)


def _moved(step: Move, names: Names, facts: Facts) -> int:
    """The most cards that a move can move."""
    if step.how == "card":
        return 1
    every = _most(step.source, names, facts)
    return min(every, step.amount.type.high) if step.amount is not None else every


def _most(zone: ZoneRef, names: Names, facts: Facts) -> int:
    """The most cards in a zone here."""
    size = ZoneSize(integer(0, names.room(zone.name)), zone)
    return facts.get(size, size.type).high


def _fills(amount: TExpr | None, zone: ZoneRef, holds: TExpr) -> bool:
    """Whether a number of cards is at most the room that is left in a zone, as in `5 - size(row)`."""
    if isinstance(amount, Op) and amount.operator == "max":
        # `max(0, …)`: a part that is never positive cannot exceed the room.
        return all(one.type.high <= 0 or _fills(one, zone, holds) for one in amount.arguments)
    if not isinstance(amount, Op) or amount.operator != "-":
        return False
    most, size = amount.arguments
    fills = most == holds or most.type.high <= holds.type.low
    return fills and isinstance(size, ZoneSize) and size.zone == zone


# --- in words ---------------------------------------------------------------------------------------------------------


def _of_cards(verb: str, step: Move | Show, places: tuple[Phrase, ...], scene: Scene) -> Iterator[Proposition]:
    say = scene.say
    if step.how == "every":
        narrowed = step.where is not None and not say.decided(step.where)
        variable = say.variable(step.variable, CARD)
        parts = (variable, say(step.where), *places) if narrowed and step.where is not None else places
        yield scene.fact(step.span, Phrase(f"{verb}_matching" if narrowed else f"{verb}_all", parts))
        return
    assert step.amount is not None
    yield scene.fact(step.span, Phrase(f"{verb}_{step.how}", (say(step.amount), *places)))


def face_of(scene: Scene, zone: str) -> tuple[Phrase, ...]:
    """Face up or face down, as cards lie in a zone; nothing if it depends on the player who looks."""
    ways = scene.spec.zones[zone].sight.ways
    faces = {"everybody": "face_up", "nobody": "face_down"}
    return (Phrase(faces[ways[0].group]),) if len(ways) == 1 and ways[0].group in faces else ()
