"""Facts implied by conditions, and the effects that invalidate them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from rulespec.model.operators import OPERATORS
from rulespec.model.spec import Spec
from rulespec.model.typed import (
    CardField,
    Cards,
    Const,
    Domain,
    Fold,
    Local,
    NthCard,
    Op,
    TExpr,
    TopCard,
    Value,
    ZoneRef,
    ZoneSize,
    children,
    walk,
)
from rulespec.model.types import BOOL, NONE, integer


def nonempty(zone: ZoneRef) -> TExpr:
    """The fact that a zone holds a card, in its canonical form."""
    return Op(BOOL, ">", (ZoneSize(integer(0, 0), zone), Const(integer(0, 0), 0)))


def filled(fact: TExpr) -> ZoneRef | None:
    """The zone of a `nonempty` fact; None for any other fact."""
    size = fact.arguments[0] if isinstance(fact, Op) and fact.operator == ">" else None
    return size.zone if isinstance(size, ZoneSize) and fact == nonempty(size.zone) else None


def negation(condition: TExpr) -> TExpr:
    """The negation of a condition."""
    if isinstance(condition, Op):
        if condition.operator == "not":
            return condition.arguments[0]
        if opposite := OPERATORS[condition.operator].opposite:
            return Op(BOOL, opposite, condition.arguments)
        if condition.operator in ("and", "or"):
            other = "or" if condition.operator == "and" else "and"
            return Op(BOOL, other, tuple(negation(a) for a in condition.arguments))
    return Op(BOOL, "not", (condition,))


def implied(condition: TExpr) -> Iterator[TExpr]:
    """All facts that a condition implies, itself included."""
    if isinstance(condition, Op) and condition.operator == "and":
        for part in condition.arguments:
            yield from implied(part)
        return
    if isinstance(condition, Op) and condition.operator == "not" and negation(condition.arguments[0]) != condition:
        yield from implied(negation(condition.arguments[0]))
        return
    yield condition
    zone = _fills(condition)
    if zone is not None:
        yield nonempty(zone)


def _fills(condition: TExpr) -> ZoneRef | None:
    """The zone that must hold a card if the condition holds; None if it implies none."""
    if isinstance(condition, Fold) and condition.function == "any":
        return condition.domain.zone if isinstance(condition.domain, Cards) else None
    if not isinstance(condition, Op) or not OPERATORS[condition.operator].compares:
        return None
    left, right = condition.arguments
    return _above(left, condition.operator, right) or _above(right, OPERATORS[condition.operator].mirrored, left)


def _above(left: TExpr, operator: str, right: TExpr) -> ZoneRef | None:
    """The zone that must hold a card if `left operator right` holds, because of `left`; None if it implies none."""
    counted = _counted(left)
    if counted is not None:
        low = right.type.low
        more = operator in (">", ">=", "==") and low + (operator == ">") > 0
        return counted if more or (operator == "!=" and isinstance(right, Const) and right.value == 0) else None
    top = left.card if isinstance(left, CardField) else left
    if not isinstance(top, TopCard):
        return None
    equal = operator == "==" and right.type.kind != "none" and not right.type.optional
    present = equal or operator not in ("==", "!=")
    absent = isinstance(right, Const) and right.value == NONE
    return top.zone if present or (operator == "!=" and absent) else None


def names_a_card(card: TExpr, zone: ZoneRef) -> bool:
    """Whether a card is one of a zone, whatever lies there, unless the zone is empty."""
    if isinstance(card, NthCard):
        return card.zone == zone and isinstance(card.number, Const) and card.number.value == 1
    if isinstance(card, Fold) and isinstance(card.domain, Cards) and card.condition is None:
        chosen = card.function == "first" or (card.body is not None and not card.body.type.optional)
        return chosen and card.type.kind == "card" and card.domain.zone == zone
    return isinstance(card, TopCard) and card.zone == zone


def _counted(node: TExpr) -> ZoneRef | None:
    """The zone whose cards a number counts, all or some of them; None if it counts no cards."""
    if isinstance(node, ZoneSize):
        return node.zone
    counts = isinstance(node, Fold) and node.function == "count"
    return node.domain.zone if counts and isinstance(node, Fold) and isinstance(node.domain, Cards) else None


@dataclass(frozen=True)
class Effects:
    """What may change: `flows` are moves of cards between zones, `stirred` shuffled zones, `sets` values, by name."""

    flows: frozenset[tuple[str, str]] = frozenset()
    stirred: frozenset[str] = frozenset()
    sets: frozenset[str] = frozenset()

    def __or__(self, other: Effects) -> Effects:
        return Effects(self.flows | other.flows, self.stirred | other.stirred, self.sets | other.sets)

    @property
    def emptied(self) -> frozenset[str]:
        return frozenset(source for source, _ in self.flows)

    @property
    def touched(self) -> frozenset[str]:
        return self.stirred | frozenset(zone for flow in self.flows for zone in flow)


@dataclass
class Reads:
    """What an expression reads, including the definitions of values."""

    spec: Spec
    _values: dict[str, tuple[frozenset[str], frozenset[str]]] = field(default_factory=dict)
    _known: dict[TExpr | Domain | ZoneRef, tuple[frozenset[str], frozenset[str]]] = field(default_factory=dict)

    def of(self, node: TExpr | Domain | ZoneRef) -> tuple[frozenset[str], frozenset[str]]:
        """The names of the zones and of the stored values that an expression reads."""
        if node not in self._known:
            self._known[node] = self._computed(node)
        return self._known[node]

    def _computed(self, node: TExpr | Domain | ZoneRef) -> tuple[frozenset[str], frozenset[str]]:
        zones, values = set(_zones(node)), set[str]()
        for part in walk(node):
            zones |= set(_zones(part))
            if isinstance(part, Value):
                inner = self._value(part.name)
                zones |= inner[0]
                values |= inner[1]
        return frozenset(zones), frozenset(values)

    def _value(self, name: str) -> tuple[frozenset[str], frozenset[str]]:
        if name not in self._values:
            definition = self.spec.values[name].definition
            self._values[name] = (frozenset(), frozenset((name,))) if definition is None else self.of(definition)
        return self._values[name]

    def changed(self, node: TExpr | Domain | ZoneRef | None, effects: Effects) -> bool:
        """Whether the effects may change the value of an expression."""
        zones, values = self.of(node) if node is not None else (frozenset(), frozenset())
        return bool(zones & effects.touched or values & effects.sets)

    def survives(self, fact: TExpr, effects: Effects) -> bool:
        """Whether a fact still holds after the effects."""
        zone = filled(fact)
        if zone is None:
            return not self.changed(fact, effects)
        return zone.name not in effects.emptied and not self.moved_on(zone, effects)

    def moved_on(self, zone: ZoneRef, effects: Effects) -> bool:
        """Whether the effects may change which zone is meant."""
        return any(self.changed(index, effects) for index in zone.indices)


def _zones(node: TExpr | Domain | ZoneRef) -> Iterator[str]:
    """The zones that a node itself names."""
    if isinstance(node, ZoneRef):
        yield node.name
    elif isinstance(node, ZoneSize | TopCard | NthCard | Cards):
        yield node.zone.name
    elif isinstance(node, Fold) and isinstance(node.domain, Cards):
        yield node.domain.zone.name


def locals_of(node: TExpr | ZoneRef) -> Iterator[str]:
    """The names of all variables in a node."""
    if isinstance(node, Local):
        yield node.name
    for child in children(node):
        yield from locals_of(child)
