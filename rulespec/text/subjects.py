"""The subjects of a rule: the zones, values, cards and tables that its steps refer to."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import fields
from typing import Any

from rulespec.model.spec import Run, Spec, Step
from rulespec.model.step import inside
from rulespec.model.typed import CardField, Const, Table, Value, ZoneRef, walk


def subjects(spec: Spec) -> Mapping[str, frozenset[str]]:
    """For every rule the names of the spec (such as `deck`, `office.military`) in its steps and nested steps."""
    found: dict[str, frozenset[str]] = dict.fromkeys(spec.rules, frozenset())
    for step in spec.steps():
        if step.rule in found:
            found[step.rule] |= frozenset(_all(spec, step))
    for procedure in spec.procedures.values():
        if procedure.rule in found:
            found[procedure.rule] |= frozenset(n for step in procedure.body for n in _all(spec, step))
    return found


def around(spec: Spec, id_: str) -> Iterator[str]:
    """The rules that contain a rule, and the rule itself."""
    one = spec.rules[id_].span
    for rule in spec.rules.values():
        if rule.span.start <= one.start and one.end <= rule.span.end:
            yield rule.id


def _all(spec: Spec, step: Step) -> Iterator[str]:
    """The names in a step and its nested steps, procedures included."""
    yield from _own(spec, step)
    for inner in inside(step):
        yield from _all(spec, inner)


def _own(spec: Spec, step: Step) -> Iterator[str]:
    if isinstance(step, Run):
        yield spec.procedures[step.procedure].rule
    for item in fields(step):
        yield from _names(spec, getattr(step, item.name))


def _names(spec: Spec, value: object) -> Iterator[str]:
    if isinstance(value, tuple):
        for item in value:
            yield from _names(spec, item)
    elif isinstance(value, ZoneRef):
        yield value.name
        yield from _names(spec, value.index)
    elif not isinstance(value, Step) and hasattr(value, "type"):
        yield from _of_expression(spec, value)


def _of_expression(spec: Spec, node: Any) -> Iterator[str]:
    for part in walk(node):
        if isinstance(part, Value | Table):
            yield part.name
        elif isinstance(part, CardField):
            yield part.field
        elif isinstance(part, Const) and part.type.kind == "enum" and ":" not in part.type.name:
            yield f"{part.type.name}.{spec.member(part.type, part.value)}"
        elif part.type.kind == "enum":
            yield part.type.name
