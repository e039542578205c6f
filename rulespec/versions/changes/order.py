"""Changes of order: of the steps in a rule, or of the rules of the whole game."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from rulespec.base.diagnostics import Span
from rulespec.language.model.spec import Spec
from rulespec.proofs.meaning.canonical import Form, rules_in, without_rules
from rulespec.proofs.meaning.digest import remainder_rule
from rulespec.versions.changes import sides
from rulespec.versions.changes.both import Both
from rulespec.versions.changes.change import Change, Side
from rulespec.versions.changes.renames import Renames
from rulespec.versions.changes.written import written


def order_changed(name: str, before: Side, after: Side) -> Change:
    return Change("order-changed", name, (name,), before, after)


def reordered(both: Both, name: str, other: str, was: Form, now: Form) -> Change:
    """The change of a rule whose forms `was` and `now` have the same steps in another order.

    The rule that stands for the steps outside all rules is the game. A rule without steps, which only players read,
    says the same at any place: moving it concerns no other rule.
    """
    notes = both.notes & frozenset(rules_in(was))
    only_notes = without_rules(was, notes) == without_rules(now, notes)
    before, after = sides.differing(both, name, other)
    if before.text != after.text:
        return Change("order-changed", other, tuple(sorted(notes)) if only_notes else (other,), before, after)
    ignored = frozenset() if only_notes else notes
    if name != remainder_rule(both.old):
        old, new = _moved(_inside(both.old, was, both.names), _inside(both.new, now, Renames()), ignored)
        return order_changed(other, _side(old), _side(new))
    gone, added = both.children
    old, new = _moved(_outside(both.old, both.names, gone), _outside(both.new, Renames(), added), ignored)
    return Change("order-changed", "game", tuple(one.rule for one in new if one.rule), _side(old), _side(new))


@dataclass(frozen=True)
class _Place:
    """A step: the id of its rule in the new version, empty without one, and that id or else what is written."""

    rule: str
    text: str
    span: Span


def _moved(
    old: Iterable[_Place], new: Iterable[_Place], ignored: frozenset[str]
) -> tuple[Sequence[_Place], Sequence[_Place]]:
    """Both orders from the first place that differs to the last, without the rules that are ignored."""
    was, now = ([one for one in places if one.rule not in ignored] for places in (old, new))
    start, end = _same(was, now), _same(was[::-1], now[::-1])
    return was[start : len(was) - end], now[start : len(now) - end]


def _inside(spec: Spec, form: Form, names: Renames) -> Iterator[_Place]:
    """The rules inside a rule."""
    for rule in rules_in(form):
        now = names.of(("rule", rule))[1]
        yield _Place(now, now, spec.rules[rule].span)


def _outside(spec: Spec, names: Renames, absent: frozenset[str]) -> Iterator[_Place]:
    """The steps of the setup and of the play, which are rules or outside all rules."""
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
