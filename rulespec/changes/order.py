"""Changes of order: of the steps in a rule, or of the rules of the whole game."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rulespec.changes import sides
from rulespec.changes.both import Both, rules_in, without
from rulespec.changes.change import Change, Side
from rulespec.changes.renames import Renames
from rulespec.changes.written import written
from rulespec.diagnostics import Span
from rulespec.meaning.canonical import Form
from rulespec.model.spec import Spec


def order_changed(name: str, before: Side, after: Side) -> Change:
    return Change("order-changed", name, (name,), before, after)


def reordered(both: Both, name: str, other: str, was: Form, now: Form) -> Change:
    """The change of a rule whose forms `was` and `now` have the same steps in another order.

    If nothing differs in the rule as it is written, it stands for the steps outside all rules, and the game changes. A
    rule without steps, which only players read, says the same at any place: moving it concerns no other rule.
    """
    notes = both.notes & frozenset(rules_in(was))
    only_notes = without(was, notes) == without(now, notes)
    before, after = sides.differing(both, name, other)
    if before.text != after.text:
        return Change("order-changed", other, tuple(sorted(notes)) if only_notes else (other,), before, after)
    return _of_game(both, frozenset() if only_notes else notes)


@dataclass(frozen=True)
class _Place:
    """A step of `setup` or `play`: the id of its rule in the new version, empty without one, or what it says."""

    rule: str
    text: str
    span: Span


def _of_game(both: Both, ignored: frozenset[str]) -> Change:
    """The change of the order in which the rules of the game stand."""
    gone, added = both.children
    old = [one for one in _places(both.old, both.names, gone) if one.rule not in ignored]
    new = [one for one in _places(both.new, Renames(), added) if one.rule not in ignored]
    start, end = _same(old, new), _same(old[::-1], new[::-1])
    old, new = old[start : len(old) - end], new[start : len(new) - end]
    return Change("order-changed", "game", tuple(one.rule for one in new if one.rule), _side(old), _side(new))


def _places(spec: Spec, names: Renames, absent: frozenset[str]) -> Iterator[_Place]:
    for step in (*spec.setup, *spec.play):
        if step.rule not in absent:
            rule = names.of(("rule", step.rule))[1] if step.rule else ""
            yield _Place(rule, rule or written(spec.source, step.span), step.span)


def _same(old: Sequence[_Place], new: Sequence[_Place]) -> int:
    """The number of places at the start that are the same."""
    pairs = enumerate(zip(old, new, strict=False))
    return next((at for at, (one, other) in pairs if one.text != other.text), min(len(old), len(new)))


def _side(places: Sequence[_Place]) -> Side:
    return Side(", ".join(one.text for one in places), places[0].span if places else None)
