"""Syntax trees of the expression language (grammar.lark). Spans are code points of the expression's own text."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields
from typing import TypeAlias

Expr: TypeAlias = "Number | Name | Unary | Binary | Conditional | Let | Index | Attribute | Call | Fold"
DomainExpr: TypeAlias = "Expr | RangeExpr | RingExpr"


@dataclass(frozen=True, slots=True)
class Node:
    """Anything in an expression; `start` and `end` are offsets into the expression's text."""

    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Number(Node):
    value: int


@dataclass(frozen=True, slots=True)
class Name(Node):
    name: str


@dataclass(frozen=True, slots=True)
class Unary(Node):
    """`not x` or `-x`."""

    operator: str
    operand: Expr


@dataclass(frozen=True, slots=True)
class Binary(Node):
    operator: str
    left: Expr
    right: Expr


@dataclass(frozen=True, slots=True)
class Conditional(Node):
    """`condition ? then : otherwise`."""

    condition: Expr
    then: Expr
    otherwise: Expr


@dataclass(frozen=True, slots=True)
class Let(Node):
    """`let variable = value in body`."""

    variable: Name
    value: Expr
    body: Expr


@dataclass(frozen=True, slots=True)
class Index(Node):
    """`base[a, b]`."""

    base: Expr
    arguments: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Attribute(Node):
    """`card.field`, or `zone.field` for the field of the zone's top card."""

    base: Expr
    name: str


@dataclass(frozen=True, slots=True)
class Call(Node):
    function: str
    arguments: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class RangeExpr(Node):
    """`low..high`, both ends included."""

    low: Expr
    high: Expr


@dataclass(frozen=True, slots=True)
class RingExpr(Node):
    """`domain from start`: the whole domain in order, beginning with `start` and wrapping."""

    base: Expr
    begin: Expr


@dataclass(frozen=True, slots=True)
class Fold(Node):
    """`sum(body for variable in domain if condition)`; `count`, `any` and `all` may leave the body out. With `by`, the
    body stands behind the domain: `highest(variable in domain by body if condition)`."""

    function: str
    body: Expr | None
    variable: Name
    domain: DomainExpr
    condition: Expr | None
    by: bool = False


def children(node: Node) -> Iterator[Node]:
    """The nodes directly below a node."""
    for item in fields(node):
        value = getattr(node, item.name)
        yield from (below for below in (value if isinstance(value, tuple) else (value,)) if isinstance(below, Node))


def walk(root: Node) -> Iterator[tuple[Node, int]]:
    """Every node with its depth, 1 for the root. It does not recurse, so it can measure trees that are too deep."""
    stack = [(root, 1)]
    while stack:
        node, depth = stack.pop()
        yield node, depth
        stack += [(below, depth + 1) for below in children(node)]


def free_names(root: Node) -> Iterator[Name]:
    """The names that an expression uses and does not bind."""
    nodes = [node for node, _ in walk(root)]
    # A name that is bound in one place is free nowhere: variables do not have the names of declarations.
    bound = {node.variable.name for node in nodes if isinstance(node, Fold | Let)}
    yield from (node for node in nodes if isinstance(node, Name) and node.name not in bound)
