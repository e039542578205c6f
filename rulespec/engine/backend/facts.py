"""What is known at a point of the source that is being written, so that it is not worked out again."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from rulespec.engine import ir


@dataclass(frozen=True)
class Sum:
    """The variable that holds what a fold gave, and what it depends on."""

    variable: str
    registers: frozenset[int]
    zones: bool


class Facts:
    """Folds that were worked out on every way to this point, and where picked cards lie."""

    def __init__(self) -> None:
        self.folds: dict[str, Sum] = {}
        self.places: dict[int, tuple[ir.Expr, str]] = {}
        self._doubt = 0

    @contextmanager
    def in_doubt(self) -> Iterator[None]:
        """What is written here may not happen: nothing new is known from it afterwards."""
        self._doubt += 1
        yield
        self._doubt -= 1

    def fold(self, node: ir.Fold, write: Callable[[], str]) -> str:
        """The variable that holds a fold already, or what `write` gives."""
        key = _named_alike(node)
        if key not in self.folds:
            variable = write()
            if self._doubt:
                return variable
            self.folds[key] = Sum(variable, frozenset(_registers(node)), _looks_into_zones(node))
        return self.folds[key].variable

    def clear(self) -> None:
        self.folds, self.places = {}, {}

    def copy(self) -> Facts:
        other = Facts()
        other.folds, other.places = dict(self.folds), dict(self.places)
        return other

    def happened(self, i: ir.Instruction) -> None:
        """Forgets what an instruction may have changed."""
        if isinstance(i, ir.Let):
            changed = range(i.base, i.base + i.size)
            self.folds = {key: s for key, s in self.folds.items() if s.registers.isdisjoint(changed)}
            self.places = {slot: place for slot, place in self.places.items() if slot not in changed}
        elif isinstance(i, ir.Move | ir.Shuffle):
            self.folds = {key: s for key, s in self.folds.items() if not s.zones}
            self.places = {}
        elif not isinstance(i, ir.Mark | ir.Note | ir.Check | ir.SetupEnds | ir.Jump):
            self.clear()


def _named_alike(node: ir.Fold) -> str:
    """A fold as text, its own variables numbered in order, so that equal folds have equal texts."""
    order: dict[str, str] = {}
    return re.sub(r"slot=-\d+", lambda found: order.setdefault(found[0], f"slot=#{len(order)}"), repr(node))


def _registers(node: ir.Expr) -> Iterator[int]:
    for part in ir.walk(node):
        if isinstance(part, ir.Register):
            yield part.slot
        elif isinstance(part, ir.Element):
            yield from range(part.base, part.base + part.size)


def _looks_into_zones(node: ir.Expr) -> bool:
    return any(isinstance(part, ir.Cards | ir.Card | ir.Size) for part in ir.walk(node))
