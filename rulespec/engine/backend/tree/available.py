"""Available expressions: values that are in a variable on every path to a point, and are not evaluated again."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, TypeAlias

from rulespec.engine.backend.analyses.rewriting import parts_of
from rulespec.engine.backend.tree.syntax import Code
from rulespec.engine.program import ir

Key: TypeAlias = tuple[Any, ...]
"""An expression with its bound variables numbered in order, and which of its values is meant."""


@dataclass(frozen=True)
class Known:
    """The variable that holds the value of an expression, and what the expression depends on."""

    variable: Code
    registers: frozenset[int]
    zones: bool


@dataclass(frozen=True)
class CardPosition:
    """The position of a card: `where` is the variable that holds it, None for the top. Unless it is `sure`, the
    register may hold NONE instead of a card."""

    zone: ir.Expr
    where: Code | None
    sure: bool


class AvailableExpressions:
    """The expressions available on every path to the point being written, and the positions of cards in registers."""

    def __init__(self) -> None:
        self.known: dict[Key, Known] = {}
        self.places: dict[int, CardPosition] = {}
        self._doubt = 0

    @contextmanager
    def in_doubt(self) -> Iterator[None]:
        """The code written here may not be executed: nothing becomes available from it."""
        self._doubt += 1
        yield
        self._doubt -= 1

    def value(self, node: ir.Expr, write: Callable[[], Code], what: str = "") -> Code:
        """The variable that already holds the value of an expression, or the result of `write`. `what` distinguishes
        several values of one expression."""
        key = (what, _canonical(node, {}))
        if key not in self.known:
            variable = write()
            registers = frozenset(_registers(node))
            if not self.sure or not _is_about_state(node):
                return variable
            looks = any(isinstance(part, ir.Cards | ir.Card | ir.Size) for part in ir.walk(node))
            self.known[key] = Known(variable, registers, looks)
        return self.known[key].variable

    @property
    def sure(self) -> bool:
        """Whether the code written here is executed on every path from here."""
        return not self._doubt

    def found(self, slot: int, place: CardPosition) -> None:
        if self.sure:
            self.places[slot] = place

    def clear(self) -> None:
        self.known, self.places = {}, {}

    def copy(self) -> AvailableExpressions:
        other = AvailableExpressions()
        other.known, other.places = dict(self.known), dict(self.places)
        return other

    def shared(self, other: AvailableExpressions) -> AvailableExpressions:
        """What is available both here and there."""
        both = AvailableExpressions()
        both.known = {key: known for key, known in self.known.items() if other.known.get(key) == known}
        both.places = {slot: place for slot, place in self.places.items() if other.places.get(slot) == place}
        return both

    def known_place(self, i: ir.Move) -> CardPosition | None:
        """The position of the card of a move, if it is known."""
        slot = i.amount.slot if i.how == "card" and isinstance(i.amount, ir.Register) else None
        place = self.places.get(slot) if slot is not None else None
        return place if place is not None and place.zone == i.source else None

    # invalidation

    def changed(self, slots: Iterable[int]) -> None:
        """Invalidates what depends on these registers."""
        slots = frozenset(slots)
        self.known = {key: known for key, known in self.known.items() if known.registers.isdisjoint(slots)}
        self.places = {
            slot: place
            for slot, place in self.places.items()
            if slot not in slots and slots.isdisjoint(_registers(place.zone))
        }

    def moved(self) -> None:
        """Invalidates what depends on zones."""
        self.known = {key: known for key, known in self.known.items() if not known.zones}
        self.places = {}

    def happened(self, i: ir.Instruction) -> None:
        """Invalidates what an instruction may have changed, and notes the new position of its card."""
        place = self.known_place(i) if isinstance(i, ir.Move) else None
        if slots := [*ir.sets(i)]:
            self.changed(slots)
        if ir.zones_of(i, ir.Role.CHANGED):
            self.moved()
        match i:
            case ir.Move(amount=ir.Register(slot)) if place is not None:
                self._on_top(slot, i.target, place.sure)
            case ir.Let(index=ir.Const(index), expression=ir.Card(zone, None)):
                self._on_top(i.base + index, zone, False)

    def _on_top(self, slot: int, zone: ir.Expr, sure: bool) -> None:
        if slot not in _registers(zone):
            self.found(slot, CardPosition(zone, None, sure))


def _canonical(node: Any, bound: dict[int, int]) -> Any:
    """A key of an expression with its bound variables numbered in order, so that equal expressions have equal keys."""
    if isinstance(node, tuple):
        return tuple(_canonical(part, bound) for part in node)
    if not (names := parts_of(node.__class__)):
        return node
    return (type(node), *[_part(name, getattr(node, name), bound) for name in names])


def _part(name: str, part: Any, bound: dict[int, int]) -> Any:
    if name == "slot" and part < 0:
        return bound.setdefault(part, -1 - len(bound))
    return part if name == "table" else _canonical(part, bound)


def _registers(node: ir.Expr) -> Iterator[int]:
    for part in ir.walk(node):
        if isinstance(part, ir.Register):
            yield part.slot
        elif isinstance(part, ir.Element):
            yield from range(part.base, part.base + part.size)


def _is_about_state(node: ir.Expr) -> bool:
    """Whether an expression depends on the state and on its own bound variables only."""
    own = {part.slot for part in ir.walk(node) if isinstance(part, ir.Fold | ir.Bind | ir.Reached)}
    own |= {slot for part in ir.walk(node) if isinstance(part, ir.Reached) for slot in (part.way, part.ahead)}
    return all(slot >= 0 or slot in own for slot in _registers(node))
