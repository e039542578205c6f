"""Conditions that are constant: always true, never true, or never in the game."""

from __future__ import annotations

from collections.abc import Iterator

from rulespec.base.diagnostics import Finding
from rulespec.base.messages import say
from rulespec.language.model import spec as m
from rulespec.language.model.step import inside
from rulespec.language.model.typed import TExpr, constant
from rulespec.proofs.checks import locations
from rulespec.proofs.checks.assignments import decided_by_types, everything
from rulespec.proofs.checks.implications import negation

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
