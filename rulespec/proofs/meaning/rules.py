"""The propositions of every rule of a game, and the definitions that a rule depends on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import takewhile
from typing import Any
from weakref import WeakKeyDictionary

from rulespec.base.diagnostics import Span
from rulespec.language.model.constants import settings
from rulespec.language.model.phrase import Gate, Phrase, Proposition, number
from rulespec.language.model.sight import Sight, Viewers
from rulespec.language.model.spec import Procedure, Rule, Spec, StoredValue, Table, Zone
from rulespec.language.model.step import rulings_in
from rulespec.language.model.types import PLAYER
from rulespec.proofs.meaning.expressions import kind_of, owner_first
from rulespec.proofs.meaning.scene import Scene

Propositions = Mapping[str, tuple[Proposition, ...]]
_Said = tuple[str, Phrase, tuple[Phrase, ...]]
_Cache = WeakKeyDictionary[Spec, dict[int | None, Propositions]]
# Specs are compared by identity, so what is kept for one is never found again once it is gone.
_KNOWN: _Cache = WeakKeyDictionary()
_WITH_ASIDES: _Cache = WeakKeyDictionary()
_DEFINED: _Cache = WeakKeyDictionary()
_ANSWERED: WeakKeyDictionary[Spec, dict[str, tuple[Proposition, ...]]] = WeakKeyDictionary()
_ASKED: WeakKeyDictionary[Spec, dict[int, frozenset[str]]] = WeakKeyDictionary()
"""The rulings that each part of a spec asks, by its identity."""
_STEPS: WeakKeyDictionary[Spec, dict[int | None, tuple[Proposition, ...]]] = WeakKeyDictionary()


def propositions(spec: Spec, players: int | None = None) -> Propositions:
    """What each rule does, in the order of its steps, by rule id; rules without steps have none.

    Propositions with the default answers of all rulings come first, then those that another answer brings in.
    Steps outside all rules and procedures have the id "". `players` limits them to one number of players.
    """
    known = _KNOWN.setdefault(spec, {})
    if players not in known:
        steps = (one for one in _of_steps(spec, players) if not one.definition and not one.aside)
        known[players] = _by_name((one.rule, one) for one in steps)
    return known[players]


def with_asides(spec: Spec, players: int | None = None) -> Propositions:
    """What descriptions say of each rule: its `propositions` and asides, in order."""
    known = _WITH_ASIDES.setdefault(spec, {})
    if players not in known:
        every = [one for one in _of_steps(spec, players) if not one.definition]
        known[players] = _by_name((one.rule, one) for one in _with_places(spec, every))
    return known[players]


def _with_places(spec: Spec, every: Iterable[Proposition]) -> Iterator[Proposition]:
    """Propositions, with two asides before the first one of each rule inside another: that it applies there, and which
    rule it is a part of."""
    outer, known = outer_rules(spec), set[str]()
    for one in every:
        begun: list[str] = []
        rule = one.rule
        while rule and rule not in known:
            known.add(rule)
            begun.append(rule)
            rule = outer.get(rule, "")
        for last in reversed(range(len(begun))):
            yield from _placed(one, begun[: last + 1], outer)
        yield one


def _placed(one: Proposition, begun: Sequence[str], outer: Mapping[str, str]) -> Iterator[Proposition]:
    """The asides for the last of some rules, each inside the next, if it is inside another one or a loop."""
    inner, around = begun[-1], tuple(takewhile(lambda gate: gate.rule not in begun, one.around))
    if inner in outer or any(gate.gate is Gate.LOOP and gate.phrase.constructor in _LOOPS for gate in around[:1]):
        applies = Phrase("apply", (Phrase("procedure", name=inner),))
        yield Proposition(outer.get(inner, ""), applies, (), one.span, one.ruling, around=around, aside=True)
    if inner in outer:
        part = Phrase("part_of", (Phrase("procedure", name=outer[inner]),))
        yield Proposition(inner, part, (), one.span, aside=True)


_LOOPS = {"each", "each_count", "each_from", "each_in_order", "repeat_while"}
"""The loops whose head stands before what is inside."""


def outer_rules(spec: Spec) -> Mapping[str, str]:
    """The innermost rule around each rule that is inside another."""
    found, open_ = dict[str, str](), list[Rule]()
    for rule in sorted(spec.rules.values(), key=lambda rule: (rule.span.start, -rule.span.end)):
        while open_ and open_[-1].span.end < rule.span.end:
            open_.pop()
        if open_:
            found[rule.id] = open_[-1].id
        open_.append(rule)
    return found


def rule_before(spec: Spec, place: Span) -> str:
    """The last rule of the play, not inside another one, that ends before a place; "" without one."""
    outer = outer_rules(spec)
    own = [one for one in spec.rules.values() if one.id not in outer and not one.says and one.span.end <= place.start]
    played = (one for one in own if any(step.span.start <= one.span.start < step.span.end for step in spec.play))
    return max(((one.span.start, one.id) for one in played), default=(0, ""))[1]


def answering(spec: Spec, ruling: str) -> Iterator[Proposition]:
    """The propositions that another answer to a ruling brings in."""
    every = (one for stated in propositions(spec).values() for one in stated)
    return (one for one in every if one.ruling is not None and one.ruling[0] == ruling)


def by_default(spec: Spec, ruling: str) -> tuple[Proposition, ...]:
    """The propositions that hold with the default answer to a ruling and not with another one."""
    known = _ANSWERED.setdefault(spec, {})
    if ruling not in known:
        own, others = Counter(_answered(spec, ruling, 0)), range(1, len(spec.rulings[ruling].options))
        left = {one for option in others for one in _answered(spec, ruling, option)}
        every = (one for group in (propositions(spec), defined(spec)) for stated in group.values() for one in stated)
        here = [one for one in every if one.ruling is None and _said(one) in own]
        # What a part says that does not ask the ruling holds with each answer.
        also = Counter(map(_said, here)) - own
        known[ruling] = tuple(one for one in here if _said(one) not in left and _said(one) not in also)
    return known[ruling]


def _answered(spec: Spec, ruling: str, option: int) -> Iterator[_Said]:
    """What the parts that ask a ruling say if the answer is this option."""
    scene = _scene(spec, None, {ruling: option})
    return (_said(one) for derived in (_declared, _steps) for one in derived(scene, _asks(spec, ruling)))


def defined(spec: Spec, players: int | None = None) -> Propositions:
    """The definition of each value, table, zone and procedure without a rule, by its name."""
    known = _DEFINED.setdefault(spec, {})
    if players not in known:
        declared = ((one.act.parts[0].name, one) for one in _all(spec, players, _declared))
        defining = (one for one in _of_steps(spec, players) if one.definition and not one.aside)
        steps = ((one.within[0].parts[0].name, one) for one in defining)
        known[players] = _by_name((*declared, *steps))
    return known[players]


def related(spec: Spec, stated: Iterable[Proposition], players: int | None = None) -> Propositions:
    """The definitions of the names in propositions, and of the names in those definitions, by name."""
    known, found = defined(spec, players), dict[str, tuple[Proposition, ...]]()
    waiting = [name for one in stated for name in names(one)]
    while waiting:
        name = waiting.pop()
        if name in known and name not in found:
            found[name] = known[name]
            waiting += [inner for one in known[name] for inner in names(one)]
    return found


def names(stated: Proposition) -> Iterator[str]:
    """The zones, values, tables, card fields and procedures in a proposition."""
    for phrase in stated.phrases():
        if phrase.constructor in _NAMED:
            yield phrase.name


_NAMED = {"zone", "value", "table", "field", "procedure"}


def _by_name(every: Iterable[tuple[str, Proposition]]) -> Propositions:
    found: dict[str, list[Proposition]] = {}
    for name, one in every:
        found.setdefault(name, []).append(one)
    return {name: tuple(stated) for name, stated in found.items()}


_Wanted = Callable[[Any], bool]
"""Chooses among the parts of a spec: steps, values, tables and zones."""

_Derived = Callable[[Scene, _Wanted], Iterator[Proposition]]


def _all(spec: Spec, players: int | None, derived: _Derived) -> Iterator[Proposition]:
    """What holds with the default answers, then what other answers add."""
    by_default = list(derived(_scene(spec, players, {}), lambda part: True))
    yield from by_default
    known = {_said(one) for one in by_default}
    for ruling in spec.rulings.values():
        for option in range(1, len(ruling.options)):
            for one in derived(_scene(spec, players, {ruling.id: option}), _asks(spec, ruling.id)):
                # A part that asks the ruling may say most things with every answer; only the rest depends on it.
                if _said(one) not in known:
                    yield replace(one, ruling=(ruling.id, ruling.options[option]))


def _asks(spec: Spec, ruling: str) -> _Wanted:
    """Whether what a part does depends on the answer to a ruling: no other part need be derived once more for it."""
    known = _ASKED.setdefault(spec, {})

    def asks(part: Any) -> bool:
        # By identity, because tables cannot be hashed. All parts live as long as the spec, so no id is used twice.
        if id(part) not in known:
            known[id(part)] = frozenset(rulings_in(part))
        return ruling in known[id(part)]

    return asks


def _scene(spec: Spec, players: int | None, rulings: Mapping[str, int]) -> Scene:
    among = [one for one in settings(spec, rulings) if players in (None, one.players)]
    return Scene(spec, among)


def _said(one: Proposition) -> _Said:
    return one.rule, one.act, one.conditions


def _of_steps(spec: Spec, players: int | None) -> tuple[Proposition, ...]:
    """What `propositions` and `defined` select from."""
    known = _STEPS.setdefault(spec, {})
    if players not in known:
        known[players] = tuple(_all(spec, players, _steps))
    return known[players]


def _declared(scene: Scene, wanted: _Wanted) -> Iterator[Proposition]:
    # The definition of every wanted value, table and zone; the first part of each act is what it defines.
    spec = scene.spec
    for value in filter(wanted, spec.values.values()):
        yield from (_fact(one, value, scene) for one in _value(value, scene))
    for table in (table for table in filter(wanted, spec.tables.values()) if not table.computed):
        yield from (_fact(one, table, scene) for one in _table(table, scene))
    for zone in filter(wanted, spec.zones.values()):
        yield from (_fact(one, zone, scene) for one in _zone(zone, scene))


def _steps(scene: Scene, wanted: _Wanted) -> Iterator[Proposition]:
    """The propositions of all wanted steps. Procedures without a rule are definitions of the rules that run them."""
    spec = scene.spec
    if wanted(spec.deck.leave_out):
        # The cards that go out of the game before it begins.
        deck = scene.spec.deck
        if deck.leave_out is not None:
            rule = scene.spec.rules.get(deck.leave_out_rule)
            span = rule.span if rule is not None else Span(0, 0)
            yield Proposition(deck.leave_out_rule, Phrase("removed_cards", (scene.say(deck.leave_out),)), (), span)
    for body in (spec.setup, spec.play):
        yield from scene.body(tuple(filter(wanted, body)))
    for procedure in spec.procedures.values():
        for one in _inside(scene, procedure).body(tuple(filter(wanted, procedure.body))):
            yield one if one.rule else replace(one, definition=True)


def _inside(scene: Scene, procedure: Procedure) -> Scene:
    """The scene of the steps of a procedure."""
    if procedure.rule:
        return replace(scene, rule=procedure.rule)
    named = Phrase("procedure", name=procedure.name)
    if procedure.moment is not None:
        return scene.inside(Phrase("moment", (named,))) if procedure.moment else scene
    parameters = (scene.say.variable(index.name, index.type) for index in procedure.parameters)
    return scene.inside(Phrase("procedure_is", (named, *parameters)))


_SEEN = {
    **{"everybody": "seen_by_all", "owner": "seen_by_owner", "others": "seen_by_others"},
    **{"nobody": "seen_by_none", "where": "seen_by_some"},
}


_VALUE_SEEN = {group: f"value_{name}" for group, name in _SEEN.items()}


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
    # That tokens only move, said once for a stock, at its first place.
    places = [one for one in scene.spec.values.values() if one.stock and one.stock == value.stock]
    if value in places[:1]:
        yield Phrase("conserved", (_place(value, scene), *(_place(one, scene) for one in places[1:])))
    if value.type.kind == "int":
        yield Phrase("ranges", (named, number(value.type.low), number(value.type.high)))


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
