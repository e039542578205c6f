"""Typed expressions: all names are resolved, and every node has a type."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TypeAlias

from rulespec.language.model.types import Type

TExpr: TypeAlias = (
    "Const | Players | Local | Ruling | Value | Table | CardField | TopCard | NthCard | ZoneSize"
    " | Repeated | Op | If | Let | Fold | Seat"
)


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a typed expression: a node, a domain or a zone."""


@dataclass(frozen=True, slots=True)
class Typed(Part):
    """A node. Nodes are compared without their types: those follow from the parts, but for what conditions say."""

    type: Type = field(compare=False)


@dataclass(frozen=True, slots=True)
class Const(Typed):
    """A number, a truth value (0, 1), an enum member's index, a seat counted from 0, or NONE."""

    # Compared, unlike in other nodes: one number may stand for a member, a seat or itself.
    type: Type
    value: int


@dataclass(frozen=True, slots=True)
class Players(Typed):
    """The number of players; constant in a setting."""


@dataclass(frozen=True, slots=True)
class Ruling(Typed):
    """The chosen option of a ruling, as an index; constant in a setting."""

    id: str


@dataclass(frozen=True, slots=True)
class Local(Typed):
    """A variable that a fold, a `let`, a loop, a choice, a procedure or a block binds."""

    name: str


@dataclass(frozen=True, slots=True)
class Value(Typed):
    """A declared value, with one argument per index."""

    name: str
    arguments: tuple[TExpr, ...]


@dataclass(frozen=True, slots=True)
class Table(Typed):
    """An entry of a table, with one index for each that it is declared `by`."""

    name: str
    indices: tuple[TExpr, ...]


@dataclass(frozen=True, slots=True)
class CardField(Typed):
    """A field of a card; absent if `card` is."""

    card: TExpr
    field: str


@dataclass(frozen=True, slots=True)
class ZoneRef(Part):
    """A zone, with one index for each that it is declared `per`."""

    name: str
    indices: tuple[TExpr, ...] = ()


@dataclass(frozen=True, slots=True)
class TopCard(Typed):
    """The card that was put into a zone last; absent if the zone is empty."""

    zone: ZoneRef


@dataclass(frozen=True, slots=True)
class NthCard(Typed):
    """The card at a place of a zone, counted from 1 at one end, top or bottom; absent if the zone has fewer cards."""

    zone: ZoneRef
    number: TExpr
    end: str


@dataclass(frozen=True, slots=True)
class ZoneSize(Typed):
    zone: ZoneRef


@dataclass(frozen=True, slots=True)
class Repeated(Typed):
    """How many of the positions that the value `counter` remembers, `most` at a time, are like the present one.
    `contents` are expressions that read all cells of a value each: of these a position consists."""

    counter: str
    most: int
    contents: tuple[TExpr, ...]


@dataclass(frozen=True, slots=True)
class Op(Typed):
    """An operator or function over plain values, by the name of its row in `operators.py`."""

    operator: str
    arguments: tuple[TExpr, ...]


@dataclass(frozen=True, slots=True)
class If(Typed):
    condition: TExpr
    then: TExpr
    otherwise: TExpr


@dataclass(frozen=True, slots=True)
class Let(Typed):
    """`body`, in which `variable` stands for `value`."""

    variable: str
    value: TExpr
    body: TExpr


@dataclass(frozen=True, slots=True)
class Seat(Typed):
    """The neighbour of a player: `step` is +1 for left, -1 for right."""

    player: TExpr
    step: int


@dataclass(frozen=True, slots=True)
class Range(Part):
    """A domain of numbers, both ends included; `type` is the largest possible interval."""

    type: Type
    low: TExpr
    high: TExpr


@dataclass(frozen=True, slots=True)
class Members(Part):
    """A domain of all members of an enum in play, or of all players; with `start`, the order begins there and wraps."""

    type: Type
    start: TExpr | None = None


@dataclass(frozen=True, slots=True)
class Cards(Part):
    """A domain of the cards in a zone."""

    type: Type
    zone: ZoneRef


ITEM = "#"
"""The name of the number of an item in a list of squares; no expression can write it."""


ON_ROW = "#square"
"""The name of a square of a row in `has(row, square)`; no expression can write it."""


IN_ZONE = "#card"
"""The name of a card of a zone in `has(zone, card)`; no expression can write it."""


PLACE = "#place"
"""The name of the index of a zone in `where(card, zone)`; no expression can write it."""


@dataclass(frozen=True, slots=True)
class Listed(Part):
    """A domain of squares of a board: `item` is the square for each number `ITEM` from 1 to `count`."""

    type: Type
    item: Table
    count: TExpr


@dataclass(frozen=True, slots=True)
class Chosen(Part):
    """A domain of the elements of a set that `picked` names, in the order in which actions number them."""

    type: Type
    picked: Local


@dataclass(frozen=True, slots=True)
class Sets(Part):
    """A domain of sets: from `low` to `high` elements of another domain; `type` is the type of a set."""

    type: Type
    of: Range | Members | Cards
    low: TExpr
    high: TExpr


Domain: TypeAlias = "Range | Members | Cards | Listed | Chosen | Sets"


@dataclass(frozen=True, slots=True)
class Fold(Typed):
    """A fold over a domain, by the name of its row in `folds.py`."""

    function: str
    variable: str
    domain: Domain
    condition: TExpr | None
    body: TExpr | None


def lying(node: Fold) -> tuple[TExpr, ZoneRef] | None:
    """The card and the zone of `has(zone, card)`; None for another fold."""
    if node.variable == IN_ZONE and isinstance(node.domain, Cards) and isinstance(node.condition, Op):
        return node.condition.arguments[1], node.domain.zone
    return None


def where(node: Fold) -> tuple[TExpr, ZoneRef] | None:
    """The card and the zone of `where(card, zone)`; None for another fold."""
    return lying(node.condition) if node.variable == PLACE and isinstance(node.condition, Fold) else None


def children(node: TExpr | Domain | ZoneRef) -> Iterator[TExpr]:
    """The expressions directly below a node."""
    for name in node.__match_args__:  # the fields: `dataclasses.fields` makes a tuple of them at each call
        value = getattr(node, name)
        for item in value if isinstance(value, tuple) else (value,):
            if isinstance(item, Typed):
                yield item  # type: ignore[misc]
            elif isinstance(item, Part):
                yield from children(item)  # type: ignore[arg-type]


def walk(node: TExpr | Domain | ZoneRef) -> Iterator[TExpr]:
    """The node and everything below it."""
    if isinstance(node, Typed):
        yield node
    for child in children(node):
        yield from walk(child)


def fixed(node: TExpr, free: tuple[str, ...] = ()) -> bool:
    """Whether a node is constant in a setting if the nodes below it are; `free` names count as constant."""
    if isinstance(node, Local):
        return node.name in free
    return not isinstance(node, Value | TopCard | NthCard | ZoneSize | Repeated | Fold)


def constant(node: TExpr, free: tuple[str, ...] = ()) -> bool:
    """Whether an expression is constant in a setting: players, rulings, tables, arithmetic and `free` names only."""
    if isinstance(node, Let):
        return constant(node.value, free) and constant(node.body, (*free, node.variable))
    return fixed(node, free) and all(constant(part, free) for part in children(node))
