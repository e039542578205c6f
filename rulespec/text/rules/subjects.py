"""The surroundings of a rule: the rules inside, around and beside it, who runs it, and what a ruling concerns."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache

from rulespec.language.model.phrase import Proposition
from rulespec.language.model.spec import Spec
from rulespec.language.model.step import Step, inside, own_fields, rulings_in
from rulespec.proofs.meaning.rules import propositions


@lru_cache(maxsize=16)
def _around(spec: Spec) -> Mapping[str, tuple[str, ...]]:
    """For every rule the rules that contain it, itself included, the smallest first."""
    rules = sorted(spec.rules.values(), key=lambda rule: rule.span.end - rule.span.start)
    return {
        one.id: tuple(o.id for o in rules if o.span.start <= one.span.start and one.span.end <= o.span.end)
        for one in rules
    }


def around(spec: Spec, id_: str) -> tuple[str, ...]:
    """The rules that contain a rule, the smallest first: the rule itself, its parent and so on."""
    return _around(spec)[id_]


def within(spec: Spec, id_: str) -> Iterator[str]:
    """The rules inside a rule."""
    return iter(_within(spec).get(id_, ()))


def beside(spec: Spec, id_: str, number: int) -> Iterator[str]:
    """The rules before and after a rule in the spec, at most this number on each side; none for a ruling."""
    ordered = _ordered(spec)
    at = ordered.index(id_) if id_ in ordered else -1
    if at >= 0:
        yield from (*ordered[max(0, at - number) : at], *ordered[at + 1 : at + 1 + number])


@lru_cache(maxsize=16)
def _ordered(spec: Spec) -> tuple[str, ...]:
    return tuple(rule.id for rule in sorted(spec.rules.values(), key=lambda rule: rule.span.start))


@lru_cache(maxsize=16)
def _within(spec: Spec) -> Mapping[str, tuple[str, ...]]:
    found: dict[str, list[str]] = {}
    for rule in spec.rules:
        for container in outer(spec, rule):
            found.setdefault(container, []).append(rule)
    return {container: tuple(rules) for container, rules in found.items()}


def outer(spec: Spec, id_: str) -> tuple[str, ...]:
    """The rules that contain a rule, the smallest first; none for a ruling."""
    return around(spec, id_)[1:] if id_ in spec.rules else ()


def next_to(spec: Spec, id_: str) -> Iterator[str]:
    """The rules before and after a rule among those directly inside the same rule; none for a ruling."""
    if id_ not in spec.rules:
        return
    container = outer(spec, id_)[:1]
    siblings = [other for other in spec.rules if outer(spec, other)[:1] == container]
    at = siblings.index(id_)
    yield from (*siblings[max(at - 1, 0) : at], *siblings[at + 1 : at + 2])


def calls(spec: Spec, id_: str) -> Iterator[Proposition]:
    """The propositions that run the procedures which contain a rule."""
    containing = around(spec, id_) if id_ in spec.rules else ()
    yield from (one for name in containing for one in _calls(spec).get(name, ()))


@lru_cache(maxsize=16)
def _calls(spec: Spec) -> Mapping[str, tuple[Proposition, ...]]:
    """For every procedure the propositions that run it."""
    found: dict[str, list[Proposition]] = {}
    for one in (one for stated in propositions(spec).values() for one in stated):
        for phrase in one.phrases():
            if phrase.constructor == "procedure":
                found.setdefault(phrase.name, []).append(one)
    return {name: tuple(several) for name, several in found.items()}


@lru_cache(maxsize=16)
def concerned(spec: Spec) -> Mapping[str, frozenset[str]]:
    """For every ruling the rules, values and zones that depend on it directly."""
    found: dict[str, set[str]] = {id_: set() for id_ in spec.rulings}
    for name, ruling in _asking(spec):
        found[ruling].add(name)
    return {id_: frozenset(names) for id_, names in found.items()}


def is_about(spec: Spec, ruling: str, rule: str) -> bool:
    """Whether the text of a rule may speak of what a ruling decides: the rule depends on it, contains a rule that does,
    or is in one container with it below the phases of the game. If only values depend on it, any may."""
    rules = concerned(spec).get(ruling, frozenset()) & spec.rules.keys()
    if not rules or rule not in spec.rules:
        return True
    inner = {*around(spec, rule)[:-1], rule}
    return any(rule in around(spec, one) or not inner.isdisjoint((*around(spec, one)[:-1], one)) for one in rules)


def _asking(spec: Spec) -> Iterator[tuple[str, str]]:
    """Pairs of a rule, value or zone and a ruling in it."""
    for step in (*spec.setup, *spec.play):
        yield from _of_step(step, "")
    for procedure in spec.procedures.values():
        for step in procedure.body:
            yield from _of_step(step, procedure.rule)
    for value in spec.values.values():
        yield from (
            (value.name, ruling) for ruling in rulings_in((value.start, value.definition, *value.sight.expressions))
        )
    for zone in spec.zones.values():
        yield from ((zone.name, ruling) for ruling in rulings_in(zone.sight.expressions))


def _of_step(step: Step, rule: str) -> Iterator[tuple[str, str]]:
    rule = step.rule or rule
    for _, value in own_fields(step) if rule else ():
        yield from ((rule, ruling) for ruling in rulings_in(value, own=True))
    for inner in inside(step):
        yield from _of_step(inner, rule)
