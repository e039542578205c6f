"""Lowers the count of repeated positions. A position is packed into numbers of 32 bits, and registers hold those of all
remembered positions, so comparing them is exact."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial, reduce
from itertools import groupby, product
from typing import Protocol

from rulespec.engine.program import ir
from rulespec.engine.program.operations import ABSENT, ONE, ZERO, Scope, choice, operation
from rulespec.language.model import typed as t
from rulespec.language.model.constants import Setting
from rulespec.language.model.positions import Digit, packed
from rulespec.language.model.types import LIMIT, Type


class Lowers(Protocol):
    """A lowering of expressions, with the registers that it allocates."""

    setting: Setting

    def allocate(self, size: int = 1) -> int:
        """Registers of the state."""

    def temporary(self) -> int:
        """A scratch register."""

    def expr(self, node: t.TExpr, scope: Scope) -> ir.Expr:
        """A lowered expression."""


@dataclass(frozen=True)
class Positions:
    """The positions that a value remembers: `count` is the register of their number, and each of `columns` the first of
    `most` registers with one number of each position."""

    count: ir.Register
    columns: tuple[int, ...]
    most: int

    @property
    def slots(self) -> range:
        """The registers of the positions and of their number."""
        return range(self.count.slot, self.columns[-1] + self.most)


def lay_out(low: Lowers, node: t.Repeated) -> Positions:
    """Registers for the positions of a value."""
    count = ir.Register(low.allocate())
    return Positions(count, tuple(low.allocate(node.most) for _ in _packed(low, node)), node.most)


def repeated(low: Lowers, node: t.Repeated, kept: Positions) -> ir.Expr:
    """How many positions are like the present one, which is packed once."""
    now, at = [ir.Register(low.temporary()) for _ in kept.columns], low.temporary()
    columns = [ir.Element(column, ir.Register(at), kept.most) for column in kept.columns]
    same = (operation("==", number, column) for number, column in zip(now, columns, strict=True))
    every = ir.Span(ZERO, operation("-", kept.count, ONE), 0, kept.most - 1)
    found: ir.Expr = ir.Fold("count", at, every, reduce(partial(operation, "and"), same), None)
    for register, number in zip(now, present(low, node), strict=True):
        found = ir.Bind(register.slot, number, found)
    return found


def present(low: Lowers, node: t.Repeated) -> Iterator[ir.Expr]:
    """The numbers of the present position."""
    for digits in _packed(low, node):
        parts = (_digits(low, node.contents[at], [*own]) for at, own in groupby(digits, lambda digit: digit.value))
        yield reduce(partial(operation, "+"), parts)


def _packed(low: Lowers, node: t.Repeated) -> list[list[Digit]]:
    values = [_value(content) for content in node.contents]
    declared = low.setting.spec.values
    return packed((low.setting.cells(declared[one.name]), _contents(low, one.type)) for one in values)


def _value(content: t.TExpr) -> t.Value:
    """The value that a part of a position reads."""
    return next(part for part in t.walk(content) if isinstance(part, t.Value))


def _contents(low: Lowers, type_: Type) -> int:
    return len(low.setting.contents(type_)) + type_.optional


def _digits(low: Lowers, content: t.TExpr, digits: list[Digit]) -> ir.Expr:
    """What some cells of a value add to a number: a sum over the cells."""
    value, number = _value(content), low.temporary()
    per = [index.type for index in low.setting.spec.values[value.name].per]
    places = [*product(*map(low.setting.places, per))]
    lists = [*zip(*(places[digit.cell] for digit in digits), strict=True), tuple(digit.weight for digit in digits)]
    single = len(digits) == 1
    *indices, weight = (ir.Const(one[0]) if single else ir.Lookup(one, ir.Register(number)) for one in lists)
    scope = {f"#{at}": index for at, index in enumerate(indices)}
    arguments = tuple(t.Local(type_, f"#{at}") for at, type_ in enumerate(per))
    cell = low.expr(t.Value(value.type, value.name, arguments), scope)
    weighed = operation("*", _digit(low, cell, value.type), weight)
    every = ir.Items(tuple(range(len(digits))))
    return weighed if single else ir.Fold("sum", number, every, None, weighed)


def _digit(low: Lowers, content: ir.Expr, type_: Type) -> ir.Expr:
    """A content counted from 0, or as it is if a number has no room for more than one of its type."""
    if _contents(low, type_) > LIMIT:
        return content
    least = ir.Const(type_.low - type_.optional)
    if not type_.optional:
        return operation("-", content, least)
    kept = ir.Register(low.temporary())
    counted = choice(operation("==", kept, ABSENT), ZERO, operation("-", kept, least))
    return ir.Bind(kept.slot, content, counted)
