"""Changes of what only the checker reads: invariants, claims, and facts that texts must state."""

from __future__ import annotations

from collections.abc import Iterator

from rulespec.changes import sides
from rulespec.changes.both import Both
from rulespec.changes.change import Change, Side
from rulespec.changes.written import written
from rulespec.model.spec import Spec


def check_changes(both: Both) -> Iterator[Change]:
    yield from _proved(both)
    yield from _stated(both)


def _proved(both: Both) -> Iterator[Change]:
    for name in ("invariants", "claims"):
        was, now = ({one.id: one for one in getattr(spec, name)} for spec in (both.old, both.new))
        for id_ in dict.fromkeys((*was, *now)):
            before, after = sides.as_written(both.old, was.get(id_)), sides.as_written(both.new, now.get(id_))
            if not both.names.says(before.text, after.text) and id_ not in both.same:
                yield Change("invariant-changed", id_, (), before, after)


def _stated(both: Both) -> Iterator[Change]:
    """Facts of rules that are in both versions; those of a rule that is new or gone come and go with it."""
    kinds = {id_: "ruling" if id_ in both.old.rulings else "rule" for id_ in both.old.states}
    back = {both.names.of((kind, id_))[1]: id_ for id_, kind in kinds.items()}
    gone, added = both.children
    for rule in dict.fromkeys((*back, *both.new.states)):
        was, now = _facts(both.old, back.get(rule, rule)), _facts(both.new, rule)
        if rule not in gone | added and not both.names.all_say(was, now):
            yield Change("facts-changed", rule, (rule,), _side(both.old, rule, was), _side(both.new, rule, now))


def _facts(spec: Spec, rule: str) -> list[str]:
    return [written(spec.source, fact.span) for fact in spec.states.get(rule, ())]


def _side(spec: Spec, rule: str, facts: list[str]) -> Side:
    stated = spec.states.get(rule, ())
    return Side("; ".join(facts), stated[0].span if stated else None)
