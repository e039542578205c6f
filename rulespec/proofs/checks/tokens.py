"""Transfers of several kinds of tokens, whose amounts must not depend on the tokens that have moved before."""

from __future__ import annotations

from collections.abc import Iterator

from rulespec.base.diagnostics import Finding
from rulespec.base.messages import say
from rulespec.language.model import spec as m
from rulespec.language.model.typed import Local, TExpr, Value, walk
from rulespec.proofs.checks import locations
from rulespec.proofs.checks.conditions import inline


def amounts(spec: m.Spec) -> Iterator[Finding]:
    """Amounts that the same transfer changes while it goes through the kinds of tokens."""
    for step in spec.steps():
        if not isinstance(step, m.Transfer) or step.domain is None:
            continue
        own = Local(step.source.type, step.variable)
        for place in sorted({*_changing(inline(step.amount, spec), step, spec, own)})[:1]:
            message = say("This depends on `{place}`, which changes while tokens of other kinds move.", place=place)
            hint = say("Read it before: put the step under `let`.")
            found = locations.of(spec, step, "transfer", "tokens")
            yield locations.report(spec, "amount-changes", message, found, hint)


def _changing(amount: TExpr, step: m.Transfer, spec: m.Spec, own: TExpr | None) -> Iterator[str]:
    """The places that an amount reads and the transfer changes before: all but those of its `own` kind."""
    changed = {place.name for place in step.changes()}
    for part in (part for part in walk(amount) if isinstance(part, Value)):
        definition = spec.values[part.name].definition
        if definition is not None:
            # Its variables may have the name of the kind.
            yield from _changing(definition, step, spec, None)
        elif part.name in changed and own not in part.arguments[-1:]:
            yield part.name
