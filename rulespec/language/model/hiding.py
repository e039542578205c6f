"""Where names that everybody sees go: into values and zones that not everybody sees."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rulespec.language.model import spec as m
from rulespec.language.model.step import inside
from rulespec.language.model.typed import Local, TExpr, walk

Storing = m.Set | m.Connect | m.Move
"""The steps that put something into a value or a zone."""


def hiding(spec: m.Spec, body: Iterable[m.Step], names: frozenset[str]) -> Iterator[Storing]:
    """The steps that put what these names stand for into a hidden place: they store it in a value, or move the cards
    that it selects into a zone. Procedures that get it as an argument are read too."""
    yield from _in_body(spec, body, names, frozenset())


def _in_body(spec: m.Spec, body: Iterable[m.Step], names: frozenset[str], called: frozenset[str]) -> Iterator[Storing]:
    for step in body:
        if isinstance(step, Storing) and _hides(spec, step, names):
            yield step
        elif isinstance(step, m.Run) and step.procedure not in called:
            given = frozenset(name for name, value in step.arguments if reads(value, names))
            if given:
                inner = spec.procedures[step.procedure].body
                yield from _in_body(spec, inner, given, called | {step.procedure})
        named = names | {step.variable} if isinstance(step, m.Let) and reads(step.value, names) else names
        yield from _in_body(spec, inside(step), named, called)


def _hides(spec: m.Spec, step: Storing, names: frozenset[str]) -> bool:
    into = spec.zones if isinstance(step, m.Move) else spec.values
    return any(reads(one, names) for one in stored(step)) and not into[step.target.name].sight.public


def stored(step: Storing) -> tuple[TExpr | None, ...]:
    """The expressions that decide what a step stores, or which cards it moves."""
    if isinstance(step, m.Connect):
        return step.start, step.through
    return (step.value if isinstance(step, m.Set) else step.where,)


def reads(expression: TExpr | None, names: frozenset[str]) -> bool:
    """Whether an expression reads one of these names."""
    return expression is not None and any(isinstance(n, Local) and n.name in names for n in walk(expression))
