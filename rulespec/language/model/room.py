"""Whether moved cards always find room in a zone that can hold only so many."""

from __future__ import annotations

from rulespec.language.model.names import Names
from rulespec.language.model.narrowing import Facts
from rulespec.language.model.step import Move
from rulespec.language.model.typed import Op, TExpr, ZoneRef, ZoneSize
from rulespec.language.model.types import integer


def fits(step: Move, names: Names, facts: Facts) -> bool:
    """Whether the cards of a move always find room in its target, as far as intervals and conditions show."""
    holds = names.holds.get(step.target.name)
    if holds is None:
        return True
    there = _most(step.target, names, facts)
    return there + _moved(step, names, facts) <= holds.type.low or _fills(step.amount, step.target, holds)


def _moved(step: Move, names: Names, facts: Facts) -> int:
    """The most cards that a move can move."""
    if step.how == "card":
        return 1
    every = _most(step.source, names, facts)
    return min(every, step.amount.type.high) if step.amount is not None else every


def _most(zone: ZoneRef, names: Names, facts: Facts) -> int:
    """The most cards in a zone here."""
    size = ZoneSize(integer(0, names.room(zone.name)), zone)
    return facts.get(size, size.type).high


def _fills(amount: TExpr | None, zone: ZoneRef, holds: TExpr) -> bool:
    """Whether a number of cards is at most the room that is left in a zone, as in `5 - size(row)`."""
    if isinstance(amount, Op) and amount.operator == "max":
        # `max(0, …)`: a part that is never positive cannot exceed the room.
        return all(one.type.high <= 0 or _fills(one, zone, holds) for one in amount.arguments)
    if not isinstance(amount, Op) or amount.operator != "-":
        return False
    most, size = amount.arguments
    fills = most == holds or most.type.high <= holds.type.low
    return fills and isinstance(size, ZoneSize) and size.zone == zone
