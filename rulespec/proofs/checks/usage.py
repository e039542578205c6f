"""Checks for declared names that are never used."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rulespec.base.diagnostics import Finding, Span
from rulespec.base.messages import Message, say
from rulespec.language.model import spec as m
from rulespec.language.model.spec import field_of
from rulespec.language.model.step import within
from rulespec.language.model.typed import CardField, Repeated, Ruling, Table, Value, ZoneRef
from rulespec.language.model.types import Type, enum
from rulespec.proofs.checks import locations

Used = set[tuple[str, str]]
_HINT = say("Delete it, or add the rule that uses it.")


def unused(spec: m.Spec) -> Iterator[Finding]:
    """Zones, values, tables, procedures, rulings, enums and card fields that are declared and never used."""
    used = _used(spec)
    for what, name, span in _declared(spec):
        if (what, name) not in used:
            yield locations.report(
                spec, "never-used", say("The {what} `{name}` is never used.", what=what, name=name), span, _HINT
            )


def uncalled(spec: m.Spec) -> Iterator[Finding]:
    """Moments whose effects no step carries out."""
    run = {step.procedure for step in spec.steps() if isinstance(step, m.Effect)}
    for name, one in spec.procedures.items():
        if one.moment is not None and name not in run:
            enum, _, moment = name.partition(".")
            message = say("No step carries out the effects of `{enum}`.", enum=enum)
            if one.moment:
                message = say("No step carries out the effects of `{enum}` at `{moment}`.", enum=enum, moment=moment)
            hint = say("Delete them, or add the step: `{effect: {of: …}}`.")
            yield locations.report(spec, "never-used", message, one.span, hint)


def unremembered(spec: m.Spec) -> Iterator[Finding]:
    """Values that count repeated positions, for which no step remembers any."""
    remembered = {step.target.name for step in spec.steps() if isinstance(step, m.Remember)}
    for name, value in spec.values.items():
        if isinstance(value.definition, Repeated) and name not in remembered:
            message = say("No step remembers a position for `{name}`, so it is always 0.", name=name)
            hint = say("Add the step `remember: {name}` where a position is complete.", name=name)
            yield locations.report(spec, "never-used", message, value.span, hint)


def _declared(spec: m.Spec) -> Iterator[tuple[Message, str, Span]]:
    groups = (
        (say("zone"), spec.zones),
        (say("value"), spec.values),
        (say("table"), spec.tables),
        (say("procedure"), {name: one for name, one in spec.procedures.items() if one.moment is None}),
        (say("ruling"), spec.rulings),
        (say("enum"), spec.enums),
    )
    for what, group in groups:
        for name, declared in group.items():
            if not (isinstance(declared, m.Table) and declared.computed):
                yield what, name, declared.span
    shown = {*map(field_of, (*spec.deck.face, *spec.deck.totals))}
    for name in spec.deck.declared:
        # A field of the face is shown to players, even if no rule reads it.
        if name not in shown:
            yield say("card field"), name, _of_field(spec, name)


def _of_field(spec: m.Spec, name: str) -> Span:
    if name in spec.deck.per_member:
        return spec.deck.per_member[name].span
    key = locations.at(spec, None, "cards", "fields", name)
    return Span(key.start - _width(spec, name, key), key.end)


def _width(spec: m.Spec, name: str, value: Span) -> int:
    """The distance from the name of a field to its type."""
    # `locations.at` gives the place of a scalar, and the name stands before it.
    return value.start - spec.source.text.rindex(name, 0, value.start)


def _used(spec: m.Spec) -> Used:
    # A derived value with a title is shown to players.
    shown = {("value", v.name) for v in spec.values.values() if v.definition is not None and v.title}
    used: Used = {("zone", spec.deck.start), *shown, *_types(spec)}
    for step in spec.steps():
        used |= _in(step)
    expressions = [v.definition or v.start for v in spec.values.values()]
    expressions += [i.holds for i in spec.invariants]
    expressions += [part for claim in spec.claims for part in (claim.given, claim.holds)]
    expressions += [part for zone in spec.zones.values() for part in zone.sight.expressions]
    expressions += [part for value in spec.values.values() for part in value.sight.expressions]
    expressions += spec.weights.values()
    expressions += [e.in_play for e in spec.enums.values()] + [spec.deck.leave_out]
    for expression in expressions:
        used |= _in(expression)
    used |= {("table", row.reads) for row in spec.deck.rows}
    return used | {*_offsets(spec, used)}


def _offsets(spec: m.Spec, used: Used) -> Iterator[tuple[str, str]]:
    """The attributes of the directions in which steps go on a board."""
    for table in spec.tables.values():
        # The steps on a board are worked out when the model is built, so no expression names these attributes.
        if table.computed and len(table.by) > 1 and ("table", table.name) in used:
            yield from (("table", f"{table.by[1].name}.{attribute}") for attribute in ("east", "north"))


def _types(spec: m.Spec) -> Iterator[tuple[str, str]]:
    """The enums that are types or indices of declarations."""
    types = [*spec.deck.fields.values(), *(v.type for v in spec.values.values() if v.definition is None)]
    types += [enum(field.enum) for field in spec.deck.per_member.values()]
    types += [index.type for v in spec.values.values() for index in v.per]
    types += [type_ for zone in spec.zones.values() for type_ in zone.per]
    types += [t for table in spec.tables.values() if not table.computed for t in (*table.by, table.type)]
    types += [index.type for p in spec.procedures.values() for index in p.parameters]
    return (("enum", type_.name) for type_ in types)


def _in(value: object) -> Used:
    """All names that a step or expression uses."""
    return {name for one in within(value) for name in _named(one)}


def _named(value: Any) -> Iterator[tuple[str, str]]:
    if isinstance(value, Type) and value.kind == "enum":
        yield "enum", value.name
    elif isinstance(value, ZoneRef):
        yield "zone", value.name
    elif isinstance(value, Table) and value.name.startswith("card."):
        yield "card field", value.name.removeprefix("card.")
    elif isinstance(value, Value | Table):
        yield ("value" if isinstance(value, Value) else "table"), value.name
    elif isinstance(value, Ruling):
        yield "ruling", value.id
    elif isinstance(value, CardField):
        yield "card field", field_of(value.field)
    elif isinstance(value, m.Run):
        yield "procedure", value.procedure
