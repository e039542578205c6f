"""Propositions of declarations: derived values, stored values, tables, zones, and the cards left out."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from rulespec.base.diagnostics import Span
from rulespec.language.model.phrase import Phrase, Proposition, number
from rulespec.language.model.sight import Sight, Viewers
from rulespec.language.model.spec import StoredValue, Table, Zone
from rulespec.language.model.types import PLAYER
from rulespec.proofs.meaning.expressions import kind_of, owner_first
from rulespec.proofs.meaning.scene import Scene

_SEEN = {
    **{"everybody": "seen_by_all", "owner": "seen_by_owner", "others": "seen_by_others"},
    **{"nobody": "seen_by_none", "where": "seen_by_some"},
}


_VALUE_SEEN = {group: f"value_{name}" for group, name in _SEEN.items()}


def of_spec(scene: Scene, wanted: Callable[[Any], bool]) -> Iterator[Proposition]:
    """The definition of every wanted value, table and zone; the first part of each act is what it defines."""
    spec = scene.spec
    for value in filter(wanted, spec.values.values()):
        yield from (_fact(one, value, scene) for one in _value(value, scene))
    for table in (table for table in filter(wanted, spec.tables.values()) if not table.computed):
        yield from (_fact(one, table, scene) for one in _table(table, scene))
    for zone in filter(wanted, spec.zones.values()):
        yield from (_fact(one, zone, scene) for one in _zone(zone, scene))


def left_out(scene: Scene) -> Iterator[Proposition]:
    """The cards that go out of the game before it begins."""
    deck = scene.spec.deck
    if deck.leave_out is not None:
        rule = scene.spec.rules.get(deck.leave_out_rule)
        span = rule.span if rule is not None else Span(0, 0)
        yield Proposition(deck.leave_out_rule, Phrase("removed_cards", (scene.say(deck.leave_out),)), (), span)


def _fact(act: Phrase, declared: StoredValue | Table | Zone, scene: Scene) -> Proposition:
    return Proposition("", act, scene.conditions, declared.span, definition=True)


def _value(value: StoredValue, scene: Scene) -> Iterator[Phrase]:
    """What a value is, or where it starts and between which numbers it stays."""
    say = scene.say
    indices = tuple(say.variable(index.name, index.type) for index in value.per)
    named = Phrase("value", indices, value.name, kind=kind_of(value.type))
    if value.definition is not None:
        yield _defined(named, say(value.definition))
        return
    if value.start is not None:
        start = say(value.start)
        name = _STARTS.get(start.constructor)
        yield Phrase(name, (named,)) if name else Phrase("starts", (named, start))
    if not value.sight.public:
        yield _seen(named, _viewers(value.sight, scene), scene)
    yield from _conserved(value, scene)
    if value.type.kind == "int":
        yield Phrase("ranges", (named, number(value.type.low), number(value.type.high)))


def _conserved(value: StoredValue, scene: Scene) -> Iterator[Phrase]:
    """That tokens only move, said once for a stock, at its first place."""
    places = [one for one in scene.spec.values.values() if one.stock and one.stock == value.stock]
    if value in places[:1]:
        yield Phrase("conserved", (_place(value, scene), *(_place(one, scene) for one in places[1:])))


def _place(value: StoredValue, scene: Scene) -> Phrase:
    per = value.per if value.kind is None else value.per[:-1]
    indices = tuple(scene.say.variable(index.name, index.type) for index in per)
    return Phrase("value", indices, value.name, kind="place")


_STARTS = {"true": "starts_true", "false": "starts_false", "nothing": "starts_without"}


def _defined(named: Phrase, definition: Phrase) -> Phrase:
    if named.kind != "bool":
        return Phrase("defined", (named, definition))
    fixed = {"true": "always", "false": "never"}.get(definition.constructor)
    return Phrase(fixed, (named,)) if fixed else Phrase("defined_if", (named, definition))


def _table(table: Table, scene: Scene) -> Iterator[Phrase]:
    """A row of the table for each of its keys."""
    say = scene.say
    for keys, value in table.rows.items():
        by = tuple(say.constant(type_, key) or number(key) for type_, key in zip(table.by, keys, strict=True))
        result = say.constant(table.type, value) or number(value)
        yield Phrase("table_row", (Phrase("table", by, table.name, kind=kind_of(table.type)), result))


def _zone(zone: Zone, scene: Scene) -> Iterator[Phrase]:
    """Who sees the cards of a zone."""
    viewers = _viewers(zone.sight, scene)
    names = zone.names if viewers.where is not None else _names(zone)
    owner = owner_first(zone, [*map(scene.say.variable, names, zone.per)])
    yield _seen(Phrase("zone", owner, zone.name), viewers, scene)


def _names(zone: Zone) -> Iterator[str]:
    own = zone.owned_by or 0
    named = ("owner" if at == own else type_.name or "p" for at, type_ in enumerate(zone.per))
    return ("n" if type_.kind == "int" else name for name, type_ in zip(named, zone.per, strict=True))


def _viewers(sight: Sight, scene: Scene) -> Viewers:
    fails = sight.condition is not None and scene.say.decided(sight.condition) is False
    return sight.otherwise if fails else sight.viewers


def _seen(what: Phrase, viewers: Viewers, scene: Scene) -> Phrase:
    """Who sees the cards of a zone, or a value."""
    seen = _SEEN if what.constructor == "zone" else _VALUE_SEEN
    who: tuple[Phrase, ...] = ()
    if viewers.where is not None:
        who = (scene.say.variable(viewers.viewer, PLAYER), scene.say(viewers.where))
    return Phrase(seen[viewers.group], (what, *who))
