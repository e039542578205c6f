"""Checks of loops over the cards of a zone: an iteration may remove only its own card, so none is visited twice."""

from __future__ import annotations

from collections.abc import Iterator

from rulespec.checks import locations
from rulespec.diagnostics import Finding
from rulespec.messages import say
from rulespec.model import spec as m
from rulespec.model.typed import Cards, Local


def each_its_own(spec: m.Spec) -> Iterator[Finding]:
    """Moves inside such a loop that take other cards out of the zone."""
    for step in spec.steps():
        if isinstance(step, m.Each) and isinstance(step.domain, Cards):
            for move in _moves(spec, step.body, set()):
                own = move.how == "card" and isinstance(move.amount, Local) and move.amount.name == step.variable
                if move.source.name == step.domain.zone.name and not own:
                    message = say(
                        "This takes cards out of `{source}` inside a loop over its cards.", source=move.source.name
                    )
                    hint = say(
                        "Move only `{variable}` out of it, or move the cards to another zone before the loop.",
                        variable=step.variable,
                    )
                    yield locations.report(spec, "takes-others", message, locations.of(spec, move), hint)


def _moves(spec: m.Spec, body: m.Body, run: set[str]) -> Iterator[m.Move]:
    """Every move in a body and in the procedures it runs."""
    for step in (inner for top in body for inner in m.nested(top)):
        if isinstance(step, m.Move):
            yield step
        elif isinstance(step, m.Run) and step.procedure not in run:
            run.add(step.procedure)
            yield from _moves(spec, spec.procedures[step.procedure].body, run)
