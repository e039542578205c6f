"""Where cards lie: the zones that the cards which variables and expressions stand for may be in."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache

from rulespec.language.model import spec as m
from rulespec.language.model.step import inside, nested
from rulespec.language.model.typed import (
    Cards,
    Chosen,
    Domain,
    Fold,
    Local,
    NthCard,
    Sets,
    TExpr,
    TopCard,
    children,
)

Zones = frozenset[str]
Lying = Mapping[str, Zones]
"""By the names of variables, the zones of their cards."""


@lru_cache(maxsize=8)
def card_zones(spec: m.Spec) -> Mapping[m.Step, Lying]:
    """For every step, where the cards of the variables around it may lie: where these find them, or where the steps
    inside bring them. Parameters of procedures have the zones of all arguments."""
    found, given = dict[m.Step, Lying](), defaultdict[tuple[str, str], Zones](frozenset)
    known = None
    while known != given:
        known = given.copy()
        for body in (spec.setup, spec.play):
            _walk(spec, body, {}, found, given)
        for one in spec.procedures.values():
            cards = (index.name for index in one.parameters if index.type.kind == "card")
            _walk(spec, one.body, {name: given[one.name, name] for name in cards}, found, given)
    return found


def zones_of(card: TExpr, lying: Lying) -> Zones | None:
    """The zones that a card may be in; None if they are not known."""
    if isinstance(card, Local):
        return lying.get(card.name)
    if isinstance(card, TopCard | NthCard):
        return frozenset((card.zone.name,))
    if isinstance(card, Fold):
        return _of_domain(card.domain, lying)
    parts = [zones_of(part, lying) for part in children(card) if part.type.kind == "card"]
    return frozenset[str]().union(*(part for part in parts if part is not None)) if None not in parts else None


def _of_domain(domain: Domain, lying: Lying) -> Zones | None:
    if isinstance(domain, Sets):
        return _of_domain(domain.of, lying)
    if isinstance(domain, Chosen):
        return lying.get(domain.picked.name)
    return frozenset((domain.zone.name,)) if isinstance(domain, Cards) else None


def _walk(
    spec: m.Spec,
    body: Iterable[m.Step],
    lying: Lying,
    found: dict[m.Step, Lying],
    given: defaultdict[tuple[str, str], Zones],
) -> None:
    every = frozenset(spec.zones)
    for step in body:
        found[step] = lying
        if isinstance(step, m.Run):
            for name, value in step.arguments:
                if value.type.kind == "card":
                    given[step.procedure, name] |= zones_of(value, lying) or every
        bound = {name: zones for name, domain in _domains(step) if (zones := _of_domain(domain, lying)) is not None}
        if isinstance(step, m.Place):
            bound["card"] = frozenset((step.target.name,))
        if bound:
            flows = [flow for one in _carried_out(spec, step, set()) for flow in one.flows()]
            bound = {name: _reached(zones, flows) for name, zones in bound.items()}
        _walk(spec, inside(step), {**lying, **bound}, found, given)


def _domains(step: m.Step) -> Iterator[tuple[str, Domain]]:
    """The variables of a step that stand for elements of a domain."""
    if isinstance(step, m.Each):
        yield step.variable, step.domain
    elif isinstance(step, m.Option):
        yield from step.picks


def _carried_out(spec: m.Spec, step: m.Step, called: set[str]) -> Iterator[m.Step]:
    """A step and all steps inside it, with those of procedures."""
    for one in nested(step):
        yield one
        if isinstance(one, m.Run) and one.procedure not in called:
            called.add(one.procedure)
            for inner in spec.procedures[one.procedure].body:
                yield from _carried_out(spec, inner, called)


def _reached(zones: Zones, flows: list[m.Flow]) -> Zones:
    """The zones that cards may get to from some zones."""
    while more := frozenset(flow.target.name for flow in flows if flow.source.name in zones) - zones:
        zones |= more
    return zones
