"""Where names that everybody sees go: into values and zones that not everybody sees."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rulespec.model import spec as m
from rulespec.model.step import inside
from rulespec.model.typed import Local, TExpr, walk


def hiding(spec: m.Spec, body: Iterable[m.Step], names: frozenset[str]) -> Iterator[m.Set | m.Move]:
    """The steps that put what these names stand for into a hidden place: they store it in a value, or move the cards
    that it selects into a zone. Procedures that get it as an argument are read too."""
    yield from _in_body(spec, body, names, frozenset())


def _in_body(
    spec: m.Spec, body: Iterable[m.Step], names: frozenset[str], called: frozenset[str]
) -> Iterator[m.Set | m.Move]:
    for step in body:
        if isinstance(step, m.Set | m.Move) and _hides(spec, step, names):
            yield step
        elif isinstance(step, m.Run) and step.procedure not in called:
            given = frozenset(name for name, value in step.arguments if reads(value, names))
            if given:
                inner = spec.procedures[step.procedure].body
                yield from _in_body(spec, inner, given, called | {step.procedure})
        named = names | {step.variable} if isinstance(step, m.Let) and reads(step.value, names) else names
        yield from _in_body(spec, inside(step), named, called)


def _hides(spec: m.Spec, step: m.Set | m.Move, names: frozenset[str]) -> bool:
    if isinstance(step, m.Set):
        return reads(step.value, names) and not spec.values[step.target.name].sight.public
    return reads(step.where, names) and not spec.zones[step.target.name].sight.public


def reads(expression: TExpr | None, names: frozenset[str]) -> bool:
    """Whether an expression reads one of these names."""
    return expression is not None and any(isinstance(n, Local) and n.name in names for n in walk(expression))
