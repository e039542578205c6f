"""Syntax trees of the expression language (grammar.lark), with spans in code points of the expression's own text."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

Expr: TypeAlias = "Number | Name | Unary | Binary | Conditional | Index | Attribute | Call | Fold"
DomainExpr: TypeAlias = "Expr | RangeExpr"


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
class Fold(Node):
    """`sum(body for variable in domain if condition)`; `count`, `any` and `all` may leave the body out."""

    function: str
    body: Expr | None
    variable: str
    domain: DomainExpr
    condition: Expr | None
