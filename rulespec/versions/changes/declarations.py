"""Changes of declarations: enums, card fields, tables, values, zones, procedures, and what only the checker reads."""

from __future__ import annotations

from collections.abc import Iterator

from rulespec.language.model.spec import Spec
from rulespec.versions.changes import sides
from rulespec.versions.changes.both import Both
from rulespec.versions.changes.change import Change, Side
from rulespec.versions.changes.kinds import DECLARED
from rulespec.versions.changes.statements import only, pairs, through
from rulespec.versions.changes.written import written


def declaration_changes(both: Both) -> Iterator[Change]:
    for kind in DECLARED:
        yield from _of_kind(both, kind)
    yield from _titles(both)
    for (kind, name), now in both.names.names.items():
        if kind == "member":
            enum = now.partition(".")[0]
            users = both.users(("ruling" if enum in both.new.rulings else "enum", enum), True)
            yield Change("member-renamed", now, users, Side(name), Side(now))


def _of_kind(both: Both, kind: str) -> Iterator[Change]:
    gone, added, kept = both.of_kind(kind)
    for name in gone:
        before = sides.declared(both.old, kind, name)
        yield Change(f"{kind}-removed", name, both.users((kind, name), False), before, Side())
    for name in added:
        after = sides.declared(both.new, kind, name)
        yield Change(f"{kind}-added", name, both.users((kind, name), True), Side(), after)
    for name, other in kept:
        if name != other:
            yield sides.renamed(both, kind, name, other)
        if both.differ(kind, name, other):
            yield _changed(both, kind, name, other)


def _titles(both: Both) -> Iterator[Change]:
    """Titles of zones and values that players read."""
    for kind in ("zone", "value"):
        for name, other in both.of_kind(kind)[2]:
            was, now = getattr(both.old, f"{kind}s")[name], getattr(both.new, f"{kind}s")[other]
            if was.title != now.title:
                users = both.users((kind, other), True)
                yield Change("words-changed", other, users, Side(was.title, was.span), Side(now.title, now.span))


_BEFORE_SIGHT = {"zone": 2, "value": 5}
"""The items of a canonical form before who sees it."""


def _changed(both: Both, kind: str, name: str, other: str) -> Change:
    """A declaration with another content; a zone may only be seen by others now."""
    users = tuple(dict.fromkeys((*both.users((kind, other), True), *both.users((kind, name), False))))
    was, now = both.form((kind, name)), both.after.of[kind, other].form
    rest = _BEFORE_SIGHT.get(kind, 0)
    only_seen = bool(rest) and isinstance(was, list) and isinstance(now, list) and was[:rest] == now[:rest]
    before, after = _both_sides(both, kind, name, other, users)
    return Change("sight-changed" if only_seen else f"{kind}-changed", other, users, before, after)


def _both_sides(both: Both, kind: str, name: str, other: str, users: tuple[str, ...]) -> tuple[Side, Side]:
    """What a declaration changes in words: in the rules that read it, else in its own; as it is written if nothing."""
    before, after = sides.declared(both.old, kind, name), sides.declared(both.new, kind, other)
    if before.stated and after.stated:
        differing = list(through(both, users)) or pairs(both, before.stated, after.stated)
        if differing:
            return only(differing, before, after)
    elif before.text != after.text or before.stated != after.stated:
        return before, after
    was, now = getattr(both.old, f"{kind}s")[name], getattr(both.new, f"{kind}s")[other]
    return sides.as_written(both.old, was), sides.as_written(both.new, now)


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
