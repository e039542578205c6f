"""Criteria: what decides an award or a ranking, one after the other."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

from rulespec.base.messages import say
from rulespec.language.document.nodes import Mapping, Node
from rulespec.language.model.infer.advice import Locals
from rulespec.language.model.nodes import items, mapping, scalar, text
from rulespec.language.model.phrase import Constructor, Phrase, Proposition, Scene, constructor
from rulespec.language.model.reader import FAILED
from rulespec.language.model.step import Step
from rulespec.language.model.steps import fields
from rulespec.language.model.steps.reading import StepReader, known
from rulespec.language.model.typed import Domain, Op, TExpr
from rulespec.language.model.types import Type, describe


def read_chain(steps: StepReader, node: Node | None, scope: Locals) -> tuple[Criterion, ...]:
    """The criteria of a list, without the broken ones."""
    found = (steps.reader.attempt(Criterion.read, steps, mapping(item), scope) for item in items(node))
    return tuple(criterion for criterion in found if criterion is not None)


def chain(**more: Any) -> Any:
    """A field of criteria in order."""
    return fields.custom("by", "criteria", read=read_chain, **more)


@dataclass(frozen=True, kw_only=True, eq=False)
class Criterion(Step, key="id", once=False, followed=False):
    """One criterion of a chain of tie-breaks; with `each`, the criteria in `inner`, once per member of a domain."""

    head: ClassVar = fields.Head(least=("high", "low", "each"), needs={"each": ("by",)})
    title: str = fields.aside()
    high: bool = fields.custom("high", "expression", optional=True)
    by: TExpr | None = fields.custom("low", "expression", optional=True)
    each: tuple[str, Domain] | None = fields.variable("each", "variable", optional=True)
    inner: tuple[Criterion, ...] = chain(beside="each", optional=True)
    constructors: ClassVar[tuple[Constructor, ...]] = (
        constructor("best_most", "by", "extreme: most", "comparison: more"),
        constructor("best_fewest", "by", "extreme: fewest", "comparison: less"),
        constructor("best_first", "by", "sequence: first", "distance: nearest"),
        constructor("best_last", "by", "sequence: last", "distance: farthest"),
        constructor("tie_most", "by", "extreme: most", "comparison: more"),
        constructor("tie_fewest", "by", "extreme: fewest", "comparison: less"),
        constructor("tie_first", "by", "sequence: first", "distance: nearest"),
        constructor("tie_last", "by", "sequence: last", "distance: farthest"),
        constructor("tie_each", "variable domain", "quantity: all", implies="order: after"),
        constructor("order_most", "by", "extreme: most", implies="sequence: first"),
        constructor("order_fewest", "by", "extreme: fewest", implies="sequence: first"),
        constructor("order_first", "by", "sequence: first"),
        constructor("order_last", "by", "sequence: last"),
        constructor("order_each", "variable domain", "quantity: all"),
    )

    @classmethod
    def read(cls, steps: StepReader, node: Mapping, scope: Locals) -> Criterion:
        common = steps.common(node, scope)
        if node.get("each") is not None:
            variable, domain, inner = steps.binding(node.get("each"), scope)
            below = read_chain(steps, node.get("by"), inner)
            return cls(title="", high=True, by=None, each=(variable, known(domain)), inner=below, **common)
        key = "high" if node.get("high") is not None else "low"
        by = steps.reader.expr(node.get(key), scope)
        if by is not FAILED and by.type.kind not in ("int", "enum"):
            message = say("A criterion compares numbers or members of an enum, not {type}.", type=describe(by.type))
            hint = say("Write a number, such as `… ? 1 : 0` for a condition.")
            steps.reader.report("type-mismatch", message, scalar(node.get(key)), hint)
        title = text(node.get("title")) if node.get("title") else common["rule"]
        return cls(title=title, high=key == "high", by=by, each=None, inner=(), **common)

    def binds(self) -> Iterator[tuple[str, Type]]:
        if self.each is not None:
            yield self.each[0], self.each[1].type


def stated(criteria: tuple[Criterion, ...], scene: Scene, first: bool) -> Iterator[Proposition]:
    """The criteria in order: the first says who is best, the others break ties."""
    for criterion in criteria:
        here = scene.named(criterion)
        if here is None:
            continue
        if criterion.each is not None:
            name, domain = criterion.each
            parts = (here.say.variable(name, domain.type), here.say.domain(domain))
            yield here.fact(criterion.span, Phrase("tie_each", parts))
        if criterion.by is not None:
            yield here.fact(criterion.span, _compared(criterion, criterion.by, here, first))
        yield from stated(criterion.inner, here, first and criterion.by is None)
        first = False


def order(chain: tuple[Criterion, ...], scene: Scene, tied: Scene) -> Iterator[Proposition]:
    """What puts elements in order: all criteria but the first are about those that are still tied."""
    for criterion in chain:
        here = scene.named(criterion)
        if here is not None and criterion.each is not None:
            name, domain = criterion.each
            parts = (here.say.variable(name, domain.type), here.say.domain(domain))
            yield here.fact(criterion.span, Phrase("order_each", parts))
            yield from order(criterion.inner, here, here)
        elif here is not None and criterion.by is not None:
            phrase = Phrase(f"order_{_direction(criterion, criterion.by)}", (here.say(criterion.by),))
            yield here.fact(criterion.span, phrase)
        scene = tied


def _compared(criterion: Criterion, by: TExpr, scene: Scene, first: bool) -> Phrase:
    return Phrase(f"{'best' if first else 'tie'}_{_direction(criterion, by)}", (scene.say(by),))


def _direction(criterion: Criterion, by: TExpr) -> str:
    """The end of the order of values that is best."""
    seats = isinstance(by, Op) and by.operator == "seat_of"
    if seats or by.type.kind == "enum":
        return "last" if criterion.high else "first"
    return "most" if criterion.high else "fewest"
