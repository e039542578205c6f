"""Where names that everybody sees go: into values and zones that not everybody sees."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import lru_cache
from types import MappingProxyType
from typing import TypeAlias

from rulespec.language.model import spec as m
from rulespec.language.model import typed as t
from rulespec.language.model.step import inside, nested, within
from rulespec.language.model.substitution import Scope, substitute

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


def zones_of(card: t.TExpr, lying: Lying) -> Zones | None:
    """The zones that a card may be in; None if they are not known."""
    if isinstance(card, t.Local):
        return lying.get(card.name)
    if isinstance(card, t.TopCard | t.NthCard):
        return frozenset((card.zone.name,))
    if isinstance(card, t.Fold):
        return _of_domain(card.domain, lying)
    parts = [zones_of(part, lying) for part in t.children(card) if part.type.kind == "card"]
    return frozenset[str]().union(*(part for part in parts if part is not None)) if None not in parts else None


def _of_domain(domain: t.Domain, lying: Lying) -> Zones | None:
    if isinstance(domain, t.Sets):
        return _of_domain(domain.of, lying)
    if isinstance(domain, t.Chosen):
        return lying.get(domain.picked.name)
    return frozenset((domain.zone.name,)) if isinstance(domain, t.Cards) else None


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


def _domains(step: m.Step) -> Iterator[tuple[str, t.Domain]]:
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


Storing = m.Set | m.Connect | m.Prize | m.Move
"""The steps that put something into a value or a zone."""

Deciding: TypeAlias = "m.Step | t.TExpr | t.Domain | None"


def hiding(spec: m.Spec, body: m.Body, names: frozenset[str]) -> Iterator[Storing]:
    """The steps that put what these names stand for into a hidden place: they store it in a value, say with it which
    value they store in, or move the cards that it selects into a zone. Under a condition on these names, they store
    what follows from them. Procedures that get it as an argument are read too, and values without a title, which nobody
    sees, carry it on."""
    known = names | carrying(spec, body, names)
    yield from (step for step in _following(spec, body, known) if not _public(spec, step))


@lru_cache(maxsize=1024)
def hidden_picks(spec: m.Spec, option: m.Option) -> frozenset[str]:
    """The picks of an option that go into a hidden place, at once or later."""
    picks = (frozenset((name,)) for name, _ in option.picks)
    hidden = (one for one in picks if any(hiding(spec, option.body, one)) or _hidden_later(spec, option.body, one))
    return frozenset().union(*hidden)


def _hidden_later(spec: m.Spec, body: m.Body, names: frozenset[str]) -> bool:
    """Whether values without a title carry what these names stand for to a step elsewhere that puts it into a hidden
    place."""
    carried = carrying(spec, body, names)
    bodies = (spec.setup, spec.play, *(one.body for one in spec.procedures.values()))
    found = (step for one in bodies for step in _following(spec, one, carried)) if carried else ()
    return any(not _public(spec, step) for step in found)


def carrying(spec: m.Spec, body: m.Body, names: frozenset[str]) -> frozenset[str]:
    """The values without a title that these names decide."""
    found: frozenset[str] = frozenset()
    while True:
        steps = _following(spec, body, names | found)
        more = {target_of(step).name for step in steps if _untitled(spec, step)} - found
        if not more:
            return found
        found |= more


def shown(spec: m.Spec, body: m.Body, scope: Scope = MappingProxyType({})) -> Iterator[tuple[t.Value, frozenset[str]]]:
    """The titled values that steps certainly set, with the names that those who see one learn from it: what is stored,
    and the indices. `scope` has what names stand for."""
    for step in body:
        if step.only_if is not None:
            continue
        if isinstance(step, m.Do):
            yield from shown(spec, step.body, scope)
        elif isinstance(step, m.Let):
            yield from shown(spec, step.body, {**scope, step.variable: substitute(step.value, scope)})
        elif isinstance(step, m.Run):
            given = {name: substitute(value, scope) for name, value in step.arguments}
            yield from shown(spec, spec.procedures[step.procedure].body, given)
        elif isinstance(step, m.Set) and spec.values[step.target.name].title and _on_open_cards(spec, step):
            value, *arguments = (substitute(one, scope) for one in (step.value, *step.target.arguments))
            named = frozenset(one.name for one in (value, *arguments) if isinstance(one, t.Local))
            yield replace(step.target, arguments=tuple(arguments)), named


def _following(
    spec: m.Spec,
    body: Iterable[m.Step],
    names: frozenset[str],
    called: frozenset[str] = frozenset(),
    decided: bool = False,
) -> Iterator[Storing]:
    """The steps that store what these names stand for, or store in a place that they decide, or whether to; `decided`
    says that of all of them."""
    for step in body:
        if isinstance(step, Storing) and _follows(spec, step, names, decided):
            yield step
        elif isinstance(step, m.Run) and step.procedure not in called:
            given = frozenset(name for name, value in step.arguments if reads(spec, value, names))
            carried = frozenset(name for name in names if name in spec.values)
            if given or decided or carried:
                inner = spec.procedures[step.procedure].body
                yield from _following(spec, inner, given | carried, called | {step.procedure}, decided)
        follows = not names.isdisjoint(_deciding(spec, step)) or _left(spec, step, names)
        named = names | set(_named(step)) if follows else names
        depends = follows and not isinstance(step, m.Let | m.Random)
        yield from _following(spec, inside(step), named, called, decided or depends)


def _named(step: m.Step) -> Iterator[str]:
    """The variables of a step."""
    if isinstance(step, m.Let | m.Each | m.Random):
        yield step.variable
    elif isinstance(step, m.Option):
        yield from (name for name, _ in step.picks)


def decisive(step: m.Step) -> Iterator[Deciding]:
    """What decides what the variables of a step are, and whether and how often the steps inside it are carried out."""
    if isinstance(step, m.Let):
        yield step.value
    elif isinstance(step, m.Each):
        yield from (step.domain, step.start, step.but, *_criteria(step.chain))
    elif isinstance(step, m.Random):
        yield step.domain
    elif isinstance(step, m.Repeat):
        yield from (step.while_, step.until, step.at_most)
    elif isinstance(step, m.If | m.Option):
        yield step.condition
        yield from (domain for _, domain in step.picks) if isinstance(step, m.Option) else ()
    elif isinstance(step, m.Decide):
        yield from (row.when for row in step.rows)
    elif isinstance(step, m.Award):
        yield from (step, *_criteria(step.chain))
    elif isinstance(step, m.Choose):
        yield from (part for option in step.options for part in decisive(option))


def _criteria(chain: tuple[m.Criterion, ...]) -> Iterator[m.Step]:
    return (part for one in chain for part in nested(one))


def _left(spec: m.Spec, step: m.Step, names: frozenset[str]) -> bool:
    """Whether names decide when a loop is left, and so whether the steps in it are carried out."""
    if not isinstance(step, m.Each | m.Repeat) or not any(isinstance(one, m.Leave) for one in nested(step)):
        return False
    return any(not names.isdisjoint(_deciding(spec, one)) for one in nested(step))


@lru_cache(maxsize=8192)
def _deciding(spec: m.Spec, step: m.Step) -> frozenset[str]:
    """The names that decide what the variables of a step are, and whether the steps inside it are carried out."""
    return frozenset().union(*(_read(spec, part) for part in decisive(step)))


def _follows(spec: m.Spec, step: Storing, names: frozenset[str], decided: bool) -> bool:
    """Everybody sees which zone a card goes to, but not which card does, nor which cell of a hidden value changes."""
    if not isinstance(step, m.Move):
        return decided or reads(spec, step, names)
    return reads(spec, _selecting(step), names) or (decided and not _plain(spec, step))


def _plain(spec: m.Spec, step: m.Move) -> bool:
    """Whether everybody sees which card of a zone moves, whatever it is: all of them, any of them or one at a place of
    a stack."""
    which = _selecting(step)
    at_place = step.how in ("top", "bottom") or isinstance(which, t.TopCard | t.NthCard)
    return spec.zones[step.source.name].ordered if at_place else which is None


def _selecting(step: m.Move) -> t.TExpr | None:
    """What decides which cards move, beside their number."""
    return step.amount if step.how in ("card", "cards") else step.where


def target_of(step: Storing) -> t.Value | t.ZoneRef:
    """The value that a step sets, or the zone that cards go to."""
    return step.gives if isinstance(step, m.Prize) else step.target


def _public(spec: m.Spec, step: Storing) -> bool:
    """Whether all players see what a step stores, or which cards it moves."""
    if isinstance(step, m.Move):
        return any(spec.zones[zone.name].sight.public for zone in (step.source, step.target))
    declared = spec.values[target_of(step).name]
    return declared.sight.public and (not declared.title or _on_open_cards(spec, step))


def _on_open_cards(spec: m.Spec, step: m.Set | m.Connect | m.Prize) -> bool:
    """Whether all cards lie openly whose value a step sets: it is seen with the card."""
    target, lying = target_of(step), card_zones(spec)[step]
    assert isinstance(target, t.Value)
    cards = [zones_of(one, lying) for one in target.arguments if one.type.kind == "card"]
    return all(zones is not None and all(spec.zones[zone].sight.public for zone in zones) for zones in cards)


def _untitled(spec: m.Spec, step: Storing) -> bool:
    """Whether a step stores in a value that everybody might see, but that is never shown."""
    return not isinstance(step, m.Move) and _public(spec, step) and not spec.values[target_of(step).name].title


def stored(step: Storing) -> tuple[t.TExpr | None, ...]:
    """The expressions that decide what a step stores, or which cards it moves."""
    if isinstance(step, m.Connect):
        return step.start, step.through
    if isinstance(step, m.Prize):
        return ()
    return (step.value if isinstance(step, m.Set) else _selecting(step),)


def reads(spec: m.Spec, part: Deciding, names: frozenset[str]) -> bool:
    """Whether an expression, a domain or a step, without those inside it, reads one of these names: variables and
    stored values."""
    return not names.isdisjoint(_read_by(spec, part) if isinstance(part, m.Step) else _read(spec, part))


@lru_cache(maxsize=8192)
def _read_by(spec: m.Spec, step: m.Step) -> frozenset[str]:
    return _read(spec, step)


def _read(spec: m.Spec, part: Deciding) -> frozenset[str]:
    """The variables and stored values that a part reads, and the values that their definitions read."""
    nodes = within(part, own=True) if part is None or isinstance(part, m.Step) else t.walk(part)
    named = [node for node in nodes if isinstance(node, t.Local | t.Value)]
    defined = (_defined(spec, node.name) for node in named if isinstance(node, t.Value))
    return frozenset(node.name for node in named).union(*defined)


@lru_cache(maxsize=1024)
def _defined(spec: m.Spec, name: str) -> frozenset[str]:
    """The values that the definition of a value reads, all the way down."""
    return frozenset(one for one in _read(spec, spec.values[name].definition) if one in spec.values)
