"""Facts implied by conditions, and the effects that invalidate them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace

from rulespec.language.model import typed as t
from rulespec.language.model.operators import OPERATORS
from rulespec.language.model.spec import Spec
from rulespec.language.model.substitution import same_elements, substitute
from rulespec.language.model.types import BOOL, NONE, integer


def nonempty(zone: t.ZoneRef) -> t.TExpr:
    """The fact that a zone holds a card, in its canonical form."""
    # Nodes are compared without their types, so the interval of the size does not matter.
    return t.Op(BOOL, ">", (t.ZoneSize(integer(0, 0), zone), t.Const(integer(0, 0), 0)))


def filled(fact: t.TExpr) -> t.ZoneRef | None:
    """The zone of a `nonempty` fact; None for any other fact."""
    size = fact.arguments[0] if isinstance(fact, t.Op) and fact.operator == ">" else None
    return size.zone if isinstance(size, t.ZoneSize) and fact == nonempty(size.zone) else None


def negation(condition: t.TExpr) -> t.TExpr:
    """The negation of a condition."""
    if isinstance(condition, t.Op):
        if condition.operator == "not":
            return condition.arguments[0]
        if opposite := OPERATORS[condition.operator].opposite:
            return t.Op(BOOL, opposite, condition.arguments)
        if condition.operator in ("and", "or"):
            other = "or" if condition.operator == "and" else "and"
            return t.Op(BOOL, other, tuple(negation(a) for a in condition.arguments))
    return t.Op(BOOL, "not", (condition,))


def implied(condition: t.TExpr) -> Iterator[t.TExpr]:
    """All facts that a condition implies, itself included."""
    if isinstance(condition, t.Op) and condition.operator == "and":
        for part in condition.arguments:
            yield from implied(part)
        return
    # A test without an opposite is negated by `not` again, so to go on there would never end.
    if isinstance(condition, t.Op) and condition.operator == "not" and negation(condition.arguments[0]) != condition:
        yield from implied(negation(condition.arguments[0]))
        return
    yield condition
    zone = _fills(condition)
    if zone is not None:
        yield nonempty(zone)


def _fills(condition: t.TExpr) -> t.ZoneRef | None:
    """The zone that must hold a card if the condition holds; None if it implies none."""
    if isinstance(condition, t.Fold) and condition.function == "any":
        return condition.domain.zone if isinstance(condition.domain, t.Cards) else None
    if not isinstance(condition, t.Op) or not OPERATORS[condition.operator].compares:
        return None
    left, right = condition.arguments
    return _above(left, condition.operator, right) or _above(right, OPERATORS[condition.operator].mirrored, left)


def _above(left: t.TExpr, operator: str, right: t.TExpr) -> t.ZoneRef | None:
    """The zone that must hold a card if `left operator right` holds, because of `left`; None if it implies none."""
    counted = _counted(left)
    if counted is not None:
        low = right.type.low
        more = operator in (">", ">=", "==") and low + (operator == ">") > 0
        return counted if more or (operator == "!=" and isinstance(right, t.Const) and right.value == 0) else None
    top = left.card if isinstance(left, t.CardField) else left
    if not isinstance(top, t.TopCard):
        return None
    # Two absent values are equal, so equality shows a card only if the other side is never absent.
    equal = operator == "==" and right.type.kind != "none" and not right.type.optional
    # Type inference refuses values that may be absent where an order is compared.
    present = equal or operator not in ("==", "!=")
    absent = isinstance(right, t.Const) and right.value == NONE
    return top.zone if present or (operator == "!=" and absent) else None


def names_a_card(card: t.TExpr, zone: t.ZoneRef) -> bool:
    """Whether a card is one of a zone, whatever lies there, unless the zone is empty."""
    if isinstance(card, t.NthCard):
        # A zone that is not empty may still have fewer cards than any other number.
        return card.zone == zone and isinstance(card.number, t.Const) and card.number.value == 1
    if isinstance(card, t.Fold) and isinstance(card.domain, t.Cards) and card.condition is None:
        return _chooses(card) and card.type.kind == "card" and card.domain.zone == zone
    return isinstance(card, t.TopCard) and card.zone == zone


def _chooses(fold: t.Fold) -> bool:
    # `highest` and `lowest` pass over cards without a value, and may choose none.
    return fold.function == "first" or (fold.body is not None and not fold.body.type.optional)


def among(facts: Iterable[t.TExpr], card: t.TExpr, zone: t.ZoneRef) -> bool:
    """Whether a card certainly lies in a zone, because of a fact: it is there, or a card of its kind is."""
    if isinstance(card, t.Local):
        return any(t.lying(one) == (card, zone) for fact in facts for one in _some(fact))
    if not isinstance(card, t.Fold) or card.domain != t.Cards(card.domain.type, zone) or card.type.kind != "card":
        return False
    return _chooses(card) and any(same_elements(one, card) for fact in facts for one in _some(fact))


def instance(fold: t.Fold, element: t.TExpr) -> t.TExpr | None:
    """What holds for the element that `first` chooses."""
    chosen = fold.function in ("first", "any") and fold.body is None and fold.condition is not None
    return substitute(fold.condition, {fold.variable: element}) if chosen and fold.condition is not None else None


def _some(fact: t.TExpr) -> Iterator[t.Fold]:
    """The folds that have an element if a fact holds, as `any`: of the player who has such a card, that card, too."""
    found = _with_elements(fact)
    if found is None:
        return
    yield found
    if not isinstance(found.domain, t.Cards):
        first = t.Fold(found.domain.type, "first", found.variable, found.domain, found.condition, None)
        holds = instance(found, first)
        for inner in implied(holds) if holds is not None else ():
            yield from _some(inner)


def _with_elements(fact: t.TExpr) -> t.Fold | None:
    """The fold that has an element if a fact holds; None if there is none."""
    if isinstance(fact, t.Fold):
        return fact if fact.function == "any" and fact.body is None else None
    if not isinstance(fact, t.Op) or not OPERATORS[fact.operator].compares:
        return None
    left, right = fact.arguments
    if not isinstance(left, t.Fold) or not isinstance(right, t.Const):
        return None
    least = right.value + (fact.operator == ">") if fact.operator in (">", ">=", "==") else 0
    counted = left.function == "count" and (least > 0 or (fact.operator, right.value) == ("!=", 0))
    present = left.function == "first" and fact.operator == "!=" and right.value == NONE
    return replace(left, function="any") if counted or present else None


def _counted(node: t.TExpr) -> t.ZoneRef | None:
    """The zone whose cards a number counts, all or some of them; None if it counts no cards."""
    if isinstance(node, t.ZoneSize):
        return node.zone
    counts = isinstance(node, t.Fold) and node.function == "count"
    return node.domain.zone if counts and isinstance(node, t.Fold) and isinstance(node.domain, t.Cards) else None


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
    _known: dict[t.TExpr | t.Domain | t.ZoneRef, tuple[frozenset[str], frozenset[str]]] = field(default_factory=dict)

    def of(self, node: t.TExpr | t.Domain | t.ZoneRef) -> tuple[frozenset[str], frozenset[str]]:
        """The names of the zones and of the stored values that an expression reads."""
        if node not in self._known:
            self._known[node] = self._computed(node)
        return self._known[node]

    def _computed(self, node: t.TExpr | t.Domain | t.ZoneRef) -> tuple[frozenset[str], frozenset[str]]:
        zones, values = set(_zones(node)), set[str]()
        for part in t.walk(node):
            zones |= set(_zones(part))
            if isinstance(part, t.Value):
                definition = self.spec.values[part.name].definition
                read, stored = self.of(definition) if definition is not None else ((), (part.name,))
                zones.update(read)
                values.update(stored)
            elif isinstance(part, t.Repeated):
                values.add(part.counter)
        return frozenset(zones), frozenset(values)

    def changed(self, node: t.TExpr | t.Domain | t.ZoneRef | None, effects: Effects) -> bool:
        """Whether the effects may change the value of an expression."""
        zones, values = self.of(node) if node is not None else (frozenset(), frozenset())
        return bool(zones & effects.touched or values & effects.sets)

    def survives(self, fact: t.TExpr, effects: Effects) -> bool:
        """Whether a fact still holds after the effects."""
        zone = filled(fact)
        if zone is None:
            return not self.changed(fact, effects)
        # Shuffles and cards that come cannot empty a zone, although they change what else is known of it.
        return zone.name not in effects.emptied and not self.moved_on(zone, effects)

    def moved_on(self, zone: t.ZoneRef, effects: Effects) -> bool:
        """Whether the effects may change which zone is meant."""
        return any(self.changed(index, effects) for index in zone.indices)


def _zones(node: t.TExpr | t.Domain | t.ZoneRef) -> Iterator[str]:
    """The zones that a node itself names."""
    if isinstance(node, t.ZoneRef):
        yield node.name
    elif isinstance(node, t.ZoneSize | t.TopCard | t.NthCard | t.Cards):
        yield node.zone.name
    elif isinstance(node, t.Fold) and isinstance(node.domain, t.Cards):
        yield node.domain.zone.name


def locals_of(node: t.TExpr | t.ZoneRef) -> Iterator[str]:
    """The names of all variables in a node."""
    if isinstance(node, t.Local):
        yield node.name
    for child in t.children(node):
        yield from locals_of(child)
