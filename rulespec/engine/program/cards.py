"""Lowers the steps that move, show and shuffle cards."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

from rulespec.engine.program import ir
from rulespec.engine.program.lower import Lowering, LowerStep
from rulespec.engine.program.operations import ABSENT, ONE, ZERO, Scope, choice, operation
from rulespec.engine.program.sets import elements
from rulespec.language.model import spec as m
from rulespec.language.model import typed as t
from rulespec.language.model.types import CARD


class _Shown(NamedTuple):
    """The registers of a `show`: the card, the player who sees it, and how many cards have been shown."""

    card: int
    to: int
    number: int


def _move_step(low: Lowering, step: m.Move, scope: Scope) -> None:
    if step.limited:
        make_room(low, step.source, step.target, _moved(low, step, scope), scope)
    if step.at is not None:
        _move_below(low, step, scope)
        return
    if step.how in _BY_CARD:
        _BY_CARD[step.how](low, step, scope)
        return
    slot = low.temporary() if step.where is not None else -1
    where = low.expr(step.where, {**scope, step.variable: ir.Register(slot)}) if step.where is not None else None
    amount = low.expr(step.amount, scope) if step.amount is not None else None
    source, target = low.zone(step.source, scope), low.zone(step.target, scope)
    low.emit(ir.Move(how=step.how, amount=amount, slot=slot, where=where, source=source, target=target))


def make_room(low: Lowering, source: t.ZoneRef, target: t.ZoneRef, cards: ir.Expr, scope: Scope) -> None:
    """Stops the game, as at a bound that it must not reach, if a zone cannot hold so many cards more."""
    most = low.spec.zones[target.name].holds
    if most is None:
        return
    holds = ir.Const(low.setting.value(most))
    here, there = low.zone(source, scope), low.zone(target, scope)
    # A move within one zone needs no room. Zones of different declarations are never the same.
    more = choice(operation("==", here, there), ZERO, cards) if source.name == target.name else cards
    room = low.branch(operation(">", operation("+", ir.Size(there), more), holds))
    low.stop(low.stored(holds).slot, target.name)
    low.land(room)


def _moved(low: Lowering, step: m.Move, scope: Scope) -> ir.Expr:
    """The number of cards that a move will move."""
    source = low.zone(step.source, scope)
    if step.how == "every":
        if step.where is None:
            return ir.Size(source)
        slot = low.temporary()
        where = low.expr(step.where, {**scope, step.variable: ir.Register(slot)})
        return ir.Fold("count", slot, ir.Cards(source), where, None)
    assert step.amount is not None
    if step.how == "cards":
        assert isinstance(step.amount, t.Local)
        return scope[f"{step.amount.name}#"]
    amount = low.expr(step.amount, scope)
    if step.how == "card":
        return choice(operation("==", amount, ABSENT), ZERO, ONE)
    return operation("min", amount, ir.Size(source))


def _move_set(low: Lowering, step: m.Move, scope: Scope) -> None:
    """Moves the cards of a picked set one by one. The zones are those of before the first move."""
    assert isinstance(step.amount, t.Local)
    source, target = _kept_zone(low, step.source, scope), _kept_zone(low, step.target, scope)
    for held, card in elements(step.amount.name, scope):
        missing = low.branch(held)
        low.emit(ir.Move(how="card", amount=card, slot=-1, where=None, source=source, target=target))
        low.land(missing)


def _move_bottom(low: Lowering, step: m.Move, scope: Scope) -> None:
    """Moves the lowest cards one by one. The zones are those of before the first move."""
    assert step.amount is not None
    amount = low.expr(step.amount, scope)
    source, target = _kept_zone(low, step.source, scope), _kept_zone(low, step.target, scope)
    lowest = ir.Move(how="card", amount=ir.Card(source, ZERO), slot=-1, where=None, source=source, target=target)
    if amount == ONE:
        low.emit(lowest)
        return
    left = low.stored(operation("min", amount, ir.Size(source)))
    top, stop = low.here, low.branch(operation(">", left, ZERO))
    low.emit(lowest)
    low.let(left.slot, operation("-", left, ONE))
    low.emit(ir.Jump(target=top))
    low.land(stop)


def _move_below(low: Lowering, step: m.Move, scope: Scope) -> None:
    """Moves cards one by one: each arrives on top and sinks to its place. All is read before the first move."""
    assert step.amount is not None and step.at is not None
    amount, at = low.expr(step.amount, scope), low.expr(step.at, scope)
    at = at if isinstance(at, ir.Const) else low.stored(at)
    source, target = _kept_zone(low, step.source, scope), _kept_zone(low, step.target, scope)
    size, slot = ir.Size(target), low.temporary()
    place = operation("max", operation("-", size, at), ZERO)
    if step.end == "bottom":
        place = operation("min", operation("-", at, ONE), operation("-", size, ONE))
    sink = ir.Sink(zone=target, position=place)
    if step.how == "card":
        card = low.stored(amount)
        there = operation("==", ir.Register(slot), card)
        absent = low.branch(ir.Fold("any", slot, ir.Cards(source), there, None))
        low.emit(ir.Move(how="card", amount=card, slot=-1, where=None, source=source, target=target))
        low.emit(sink)
        low.land(absent)
        return
    how, each = ("card", ir.Card(source, ZERO)) if step.how == "bottom" else (step.how, ONE)
    left = low.stored(operation("min", amount, ir.Size(source)))
    top, stop = low.here, low.branch(operation(">", left, ZERO))
    low.emit(ir.Move(how=how, amount=each, slot=-1, where=None, source=source, target=target))
    low.emit(sink)
    low.let(left.slot, operation("-", left, ONE))
    low.emit(ir.Jump(target=top))
    low.land(stop)


def _kept_zone(low: Lowering, zone: t.ZoneRef, scope: Scope) -> ir.Expr:
    """The number of a zone: what its indices read of zones is evaluated here."""
    indices = [low.expr(index, scope) for index in zone.indices]
    return low.zone_at(zone, [low.stored(one) if _reads_zones(one) else one for one in indices])


def _show_step(low: Lowering, step: m.Show, scope: Scope) -> None:
    zone, shown = low.zone(step.source, scope), _Shown(low.allocate(), low.allocate(), low.allocate())
    low.let(shown.to, low.expr(step.to, scope) if step.to is not None else ir.Const(-1))
    low.let(shown.number, ZERO)
    if step.how == "every":
        with low.loop(t.Cards(CARD, step.source), scope) as element:
            held = low.expr(step.where, {**scope, step.variable: element}) if step.where is not None else ONE
            skip = low.branch(held)
            _show(low, zone, element, shown)
            low.land(skip)
        return
    assert step.amount is not None
    amount = low.expr(step.amount, scope)
    if step.how == "card":
        slot = low.temporary()
        low.let(shown.card, amount)
        there = operation("==", ir.Register(slot), ir.Register(shown.card))
        absent = low.branch(ir.Fold("any", slot, ir.Cards(zone), there, None))
        _show(low, zone, ir.Register(shown.card), shown)
        low.land(absent)
        return
    number, most = ir.Register(shown.number), low.allocate()
    low.let(most, operation("min", amount, ir.Size(zone)))
    top, stop = low.here, low.branch(operation("<", number, ir.Register(most)))
    last = operation("-", ir.Size(zone), ONE)
    position = number if step.how == "bottom" else operation("-", last, number)
    _show(low, zone, ir.Card(zone, position), shown)
    low.emit(ir.Jump(target=top))
    low.land(stop)


def _show(low: Lowering, zone: ir.Expr, card: ir.Expr, shown: _Shown) -> None:
    low.let(shown.card, card)
    low.emit(ir.Show(card=shown.card, zone=zone, to=shown.to, number=shown.number))
    low.let(shown.number, operation("+", ir.Register(shown.number), ONE))


def _shuffle_step(low: Lowering, step: m.Shuffle, scope: Scope) -> None:
    low.emit(ir.Shuffle(zone=low.zone(step.zone, scope)))


_BY_CARD: Mapping[str, Callable[[Lowering, m.Move, Scope], None]] = {
    "cards": _move_set,
    "bottom": _move_bottom,
}
"""The ways to move cards that are moves of single cards in programs."""


def _reads_zones(expression: ir.Expr) -> bool:
    """Whether a move of cards may change the value of an expression."""
    return any(isinstance(node, ir.Size | ir.Card | ir.Cards) for node in ir.walk(expression))


CARDS: Mapping[type[m.Step], LowerStep] = {
    m.Move: _move_step,
    m.Show: _show_step,
    m.Shuffle: _shuffle_step,
}
