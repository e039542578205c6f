"""Checks of cards by their place: only in a stack do players know which card is the lowest, or the third."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields

from rulespec.checks import locations
from rulespec.diagnostics import Finding
from rulespec.messages import Message, say
from rulespec.model import spec as m
from rulespec.model.typed import NthCard, Part, ZoneRef, walk

_HINT = say("Add `order: stack` to the zone, or choose the card: with `pick`, `random`, or `highest` and `lowest`.")


def unordered(spec: m.Spec) -> Iterator[Finding]:
    """Cards that are named by a place in a zone without an order that players know."""
    for step in spec.steps():
        for zone in _asked_by(step):
            if not spec.zones[zone.name].ordered:
                yield locations.report(spec, "no-order", _message(zone), locations.of(spec, step), _HINT)
                break
    for name, value in spec.values.items():
        for zone in _asked(value.definition) if value.definition is not None else ():
            if not spec.zones[zone.name].ordered:
                place = locations.at(spec, None, "values", name, "is")
                yield locations.report(spec, "no-order", _message(zone), place, _HINT)
                break


def _message(zone: ZoneRef) -> Message:
    return say(
        "The cards in `{zone}` have no order that players know, so they cannot be counted from an end.", zone=zone.name
    )


def _asked_by(step: m.Step) -> Iterator[ZoneRef]:
    """The zones in which a step counts cards from an end, without the steps inside it."""
    if isinstance(step, m.Move | m.Show) and step.how == "bottom":
        yield step.source
    for item in fields(step):
        value = getattr(step, item.name)
        for part in value if isinstance(value, tuple) else (value,):
            if isinstance(part, Part):
                yield from _asked(part)


def _asked(node: Part) -> Iterator[ZoneRef]:
    return (part.zone for part in walk(node) if isinstance(part, NthCard))  # type: ignore[arg-type]
