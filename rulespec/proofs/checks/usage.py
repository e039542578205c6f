"""Checks for what a game never needs: declared names that are not used, and conditions that are constant."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rulespec.base.diagnostics import Finding, Span
from rulespec.base.messages import Message, say
from rulespec.language.model import spec as m
from rulespec.language.model.spec import field_of
from rulespec.language.model.step import inside, within
from rulespec.language.model.typed import CardField, Repeated, Ruling, Table, TExpr, Value, ZoneRef, constant
from rulespec.language.model.types import Type, enum
from rulespec.proofs.checks import locations
from rulespec.proofs.checks.assignments import decided_by_types, everything
from rulespec.proofs.checks.implications import negation

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
    # `locations.at` gives the place of a scalar, and the name stands before it.
    return Span(spec.source.text.rindex(name, 0, key.start), key.end)


def _used(spec: m.Spec) -> Used:
    # A derived value with a title is shown to players.
    shown = {("value", v.name) for v in spec.values.values() if v.definition is not None and v.title}
    # The enums that are types or indices of declarations.
    types = [*spec.deck.fields.values(), *(v.type for v in spec.values.values() if v.definition is None)]
    types += [enum(field.enum) for field in spec.deck.per_member.values()]
    types += [index.type for v in spec.values.values() for index in v.per]
    types += [type_ for zone in spec.zones.values() for type_ in zone.per]
    types += [t for table in spec.tables.values() if not table.computed for t in (*table.by, table.type)]
    types += [index.type for p in spec.procedures.values() for index in p.parameters]
    used: Used = {("zone", spec.deck.start), *shown, *(("enum", type_.name) for type_ in types)}
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


Conditions = tuple[TExpr, ...]


def settled(spec: m.Spec) -> Iterator[Finding]:
    """Conditions that hold in every setting or in none, and parts that no setting brings into the game."""
    for body in (spec.setup, spec.play, *(p.body for p in spec.procedures.values())):
        for step in body:
            yield from _settled(spec, step, ())


def _settled(spec: m.Spec, step: m.Step, around: Conditions) -> Iterator[Finding]:
    """`around` holds the constant conditions around the step: only settings that meet them count."""
    if step.only_if is not None:
        if _outcomes(spec, step.only_if, around) == {False}:
            if decided_by_types(step.only_if):
                return
            message = say("This is in the game for no player count and no ruling.")
            place = locations.of(spec, step, "only_if")
            yield locations.report(spec, "never-in-game", message, place, say("Change `only_if`, or delete the step."))
            return
        around = (*around, step.only_if)
    if isinstance(step, m.If):
        yield from _asked(spec, step, around)
        return
    for inner in inside(step):
        yield from _settled(spec, inner, around)


def _asked(spec: m.Spec, step: m.If, around: Conditions) -> Iterator[Finding]:
    outcomes = _outcomes(spec, step.condition, around)
    if outcomes in ({True}, {False}) and not decided_by_types(step.condition):
        name = "always-true" if outcomes == {True} else "never-true"
        message = (
            say("This is always true, for all player counts and rulings.")
            if outcomes == {True}
            else say("This is never true, for all player counts and rulings.")
        )
        hint = say("Delete the `if`, or compare with a value that can change.")
        yield locations.report(spec, name, message, locations.of(spec, step), hint)
    fixed = constant(step.condition)
    for body, holds in ((step.then, step.condition), (step.otherwise, negation(step.condition))):
        # `then` of a condition that never holds, and `else` of one that always does, are part of the finding above.
        for inner in body if outcomes != {holds is not step.condition} else ():
            yield from _settled(spec, inner, (*around, holds) if fixed else around)


def _outcomes(spec: m.Spec, condition: TExpr, around: Conditions) -> set[bool]:
    """The possible outcomes of a condition in the settings that meet those around it; both if it is not constant."""
    settings = everything(spec).settings([condition, *around]) if constant(condition) else None
    if settings is None:
        return {True, False}
    return {bool(s.value(condition)) for s in settings if all(s.value(c) for c in around)}
