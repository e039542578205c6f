"""Propositions of declarations: derived values, stored values, tables, zones, and the cards left out."""

from __future__ import annotations

from collections.abc import Iterator

from rulespec.diagnostics import Span
from rulespec.meaning.phrase import Phrase, Proposition, number
from rulespec.meaning.scene import Scene
from rulespec.model.constants import settings
from rulespec.model.spec import Spec, StoredValue, Table, Zone

_SEEN = {"everybody": "seen_by_all", "owner": "seen_by_owner", "nobody": "seen_by_none"}


def of_spec(spec: Spec) -> Iterator[tuple[str, tuple[Proposition, ...]]]:
    """The definition of every value, table and zone, with its name."""
    scene = Scene(spec, settings(spec), lambda steps, scene: iter(()))
    for value in spec.values.values():
        yield value.name, tuple(_fact(one, value, scene) for one in _value(value, scene))
    for table in spec.tables.values():
        yield table.name, tuple(_fact(one, table, scene) for one in _table(table, scene))
    for zone in spec.zones.values():
        yield zone.name, tuple(_fact(one, zone, scene) for one in _zone(zone, scene))


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
    named = Phrase("value", tuple(say.variable(index.name, index.type) for index in value.per), value.name)
    if value.definition is not None:
        yield Phrase("defined_if" if value.type.kind == "bool" else "defined", (named, say(value.definition)))
        return
    if value.start is not None:
        yield Phrase("starts", (named, say(value.start)))
    if value.type.kind == "int":
        yield Phrase("ranges", (named, number(value.type.low), number(value.type.high)))


def _table(table: Table, scene: Scene) -> Iterator[Phrase]:
    """A row of the table for each of its keys."""
    say = scene.say
    for key, value in table.rows.items():
        by = say.constant(table.by, key) or number(key)
        result = say.constant(table.type, value) or number(value)
        yield Phrase("table_row", (Phrase("table", (by,), table.name), result))


def _zone(zone: Zone, scene: Scene) -> Iterator[Phrase]:
    """Who sees the cards of a zone."""
    owner = () if zone.per is None else (scene.say.variable("owner", zone.per),)
    seen_by = zone.seen_by
    if zone.seen_if is not None and scene.say.decided(zone.seen_if) is False:
        seen_by = zone.or_seen_by
    yield Phrase(_SEEN[seen_by], (Phrase("zone", owner, zone.name),))
