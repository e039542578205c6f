"""Typed expressions: every name resolved to what it stands for, every node with its type."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields
from typing import TypeAlias

from rulespec.model.types import Type

TExpr: TypeAlias = (
    "Const | Players | Local | Ruling | Value | Table | CardField | TopCard | ZoneSize | Op | If | Fold | Seat"
)


@dataclass(frozen=True, slots=True)
class Typed:
    type: Type


@dataclass(frozen=True, slots=True)
class Const(Typed):
    """A number, a truth value (0, 1), an enum member's index, a seat counted from 0, or NONE."""

    value: int


@dataclass(frozen=True, slots=True)
class Players(Typed):
    """The number of players; a constant once a game is set up."""


@dataclass(frozen=True, slots=True)
class Ruling(Typed):
    """The answer taken for a ruling, as an index into its answers; a constant once a game is set up."""

    id: str


@dataclass(frozen=True, slots=True)
class Local(Typed):
    """A variable bound by a fold, a loop, a choice, a procedure or a block."""

    name: str


@dataclass(frozen=True, slots=True)
class Value(Typed):
    """A declared value, with one argument per index."""

    name: str
    arguments: tuple[TExpr, ...]


@dataclass(frozen=True, slots=True)
class Table(Typed):
    name: str
    argument: TExpr


@dataclass(frozen=True, slots=True)
class CardField(Typed):
    """A field of a card; `card` may be absent, then so is the field."""

    card: TExpr
    field: str


@dataclass(frozen=True, slots=True)
class ZoneRef:
    """A zone, or the one of a player or enum member where it is declared `per` one."""

    name: str
    index: TExpr | None


@dataclass(frozen=True, slots=True)
class TopCard(Typed):
    """The last card put into a zone, absent where the zone is empty."""

    zone: ZoneRef


@dataclass(frozen=True, slots=True)
class ZoneSize(Typed):
    zone: ZoneRef


@dataclass(frozen=True, slots=True)
class Op(Typed):
    """An operator or built-in over plain values, with one argument (not neg abs seat seat_of), two (+ - * // % == !=
    < <= > >= and or min max ??) or three (clamp)."""

    operator: str
    arguments: tuple[TExpr, ...]


@dataclass(frozen=True, slots=True)
class If(Typed):
    condition: TExpr
    then: TExpr
    otherwise: TExpr


@dataclass(frozen=True, slots=True)
class Seat(Typed):
    """The seat before or after another one, around the table: `step` is +1 for left, -1 for right."""

    player: TExpr
    step: int


@dataclass(frozen=True, slots=True)
class Range:
    """A domain of numbers, both ends included; `type` holds the widest it can be."""

    type: Type
    low: TExpr
    high: TExpr


@dataclass(frozen=True, slots=True)
class Members:
    """A domain of all members of an enum in play, or of all players; with `start` beginning there and going round."""

    type: Type
    start: TExpr | None = None


@dataclass(frozen=True, slots=True)
class Cards:
    """A domain of the cards in a zone."""

    type: Type
    zone: ZoneRef


Domain: TypeAlias = "Range | Members | Cards"


@dataclass(frozen=True, slots=True)
class Fold(Typed):
    """sum, count, any, all, min, max or first over a domain."""

    function: str
    variable: str
    domain: Domain
    condition: TExpr | None
    body: TExpr | None


def children(node: TExpr | Domain | ZoneRef) -> Iterator[TExpr]:
    """The expressions directly below a node."""
    for field in fields(node):
        value = getattr(node, field.name)
        for item in value if isinstance(value, tuple) else (value,):
            if isinstance(item, Typed):
                yield item  # type: ignore[misc]
            elif isinstance(item, (Range, Cards, Members, ZoneRef)):
                yield from children(item)


def walk(node: TExpr | Domain | ZoneRef) -> Iterator[TExpr]:
    """The node and everything below it."""
    if isinstance(node, Typed):
        yield node
    for child in children(node):
        yield from walk(child)


def fixed(node: TExpr, free: tuple[str, ...] = ()) -> bool:
    """Whether a node, apart from what is below it, has one value for a whole game; `free` names count as known."""
    if isinstance(node, Local):
        return node.name in free
    return not isinstance(node, Value | TopCard | ZoneSize | Fold)


def constant(node: TExpr, free: tuple[str, ...] = ()) -> bool:
    """Whether an expression has one value for a whole game: only players, rulings, tables, arithmetic, `free` names."""
    return all(fixed(part, free) for part in walk(node))
