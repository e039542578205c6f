"""Where names that everybody sees go: into values and zones that not everybody sees."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rulespec.language.model import spec as m
from rulespec.language.model.step import inside
from rulespec.language.model.typed import Domain, Local, TExpr, walk

Storing = m.Set | m.Connect | m.Move
"""The steps that put something into a value or a zone."""


def hiding(spec: m.Spec, body: Iterable[m.Step], names: frozenset[str]) -> Iterator[Storing]:
    """The steps that put what these names stand for into a hidden place: they store it in a value, say with it which
    value they store in, or move the cards that it selects into a zone. Under a condition on these names, they store
    what follows from them. Procedures that get it as an argument are read too."""
    yield from _in_body(spec, body, names, frozenset(), False)


def _in_body(
    spec: m.Spec, body: Iterable[m.Step], names: frozenset[str], called: frozenset[str], decided: bool
) -> Iterator[Storing]:
    for step in body:
        if isinstance(step, Storing) and _hides(spec, step, names, decided):
            yield step
        elif isinstance(step, m.Run) and step.procedure not in called:
            given = frozenset(name for name, value in step.arguments if reads(value, names))
            if given or decided:
                inner = spec.procedures[step.procedure].body
                yield from _in_body(spec, inner, given, called | {step.procedure}, decided)
        follows = any(reads(one, names) for one in _decisive(step))
        named = names | {step.variable} if isinstance(step, m.Let | m.Each | m.Random) and follows else names
        depends = follows and not isinstance(step, m.Let | m.Random)
        yield from _in_body(spec, inside(step), named, called, decided or depends)


def _decisive(step: m.Step) -> tuple[TExpr | Domain | None, ...]:
    """What decides what the variable of a step is, and whether and how often the steps inside it are carried out."""
    if isinstance(step, m.Let):
        return (step.value,)
    if isinstance(step, m.Each):
        return step.domain, step.start, step.but
    if isinstance(step, m.Random):
        return (step.domain,)
    if isinstance(step, m.Repeat):
        return step.while_, step.until, step.at_most
    return (step.condition,) if isinstance(step, m.If) else (step.when,) if isinstance(step, m.DecisionRow) else ()


def _hides(spec: m.Spec, step: Storing, names: frozenset[str], decided: bool) -> bool:
    """Everybody sees which zone a card goes to, but not which cell of a hidden value has changed."""
    if isinstance(step, m.Move):
        return reads(step.where, names) and not spec.zones[step.target.name].sight.public
    public = spec.values[step.target.name].sight.public
    return not public and (decided or any(reads(one, names) for one in (*stored(step), *step.target.arguments)))


def stored(step: Storing) -> tuple[TExpr | None, ...]:
    """The expressions that decide what a step stores, or which cards it moves."""
    if isinstance(step, m.Connect):
        return step.start, step.through
    return (step.value if isinstance(step, m.Set) else step.where,)


def reads(part: TExpr | Domain | None, names: frozenset[str]) -> bool:
    """Whether an expression or a domain reads one of these names."""
    return part is not None and any(isinstance(n, Local) and n.name in names for n in walk(part))
