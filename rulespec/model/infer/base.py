"""What every part of the inference shares: the names in reach, the way to report, the demands on a type."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass

from rulespec.expr import tree
from rulespec.model.infer.advice import Locals, or_else, other_kind
from rulespec.model.names import Names
from rulespec.model.typed import Domain, TExpr, ZoneRef
from rulespec.model.types import Type, describe

Reporter = Callable[[str, str, int, int, str], None]

_WANTED = {"int": "a number", "bool": "true or false", "player": "a player"}


@dataclass
class Base(ABC):
    """Types one expression. Findings go to `report(name, message, start, end, hint)`; a part that failed is None,
    and whatever contains it is silently None too, so that one mistake is reported once.

    Where `free` is given, the expression must have one value for a whole game, for each value of the `free` names.
    """

    names: Names
    locals: Locals
    report: Reporter
    free: tuple[str, ...] | None = None

    @abstractmethod
    def typed(self, node: tree.Expr, expected: Type | None = None) -> TExpr | None:
        """The typed form of `node`; `expected` only helps to tell equal names of different enums apart."""

    @abstractmethod
    def domain(self, node: tree.DomainExpr) -> Domain | None:
        """What a variable ranges over: `low..high`, `player`, an enum or a zone."""

    @abstractmethod
    def zone(self, node: tree.Expr, wanted: str = "a zone") -> ZoneRef | None:
        """A zone, with its index where it has one."""

    def fail(self, name: str, message: str, node: tree.Node, hint: str = "") -> None:
        self.report(name, message, node.start, node.end, hint)

    def of_kind(self, kind: str, node: tree.Expr) -> TExpr | None:
        """The typed form of `node`, which must be of one kind and never absent."""
        found = self.typed(node)
        return self.required(found, kind, node) if found is not None else None

    def number(self, node: tree.Expr) -> TExpr | None:
        return self.of_kind("int", node)

    def required(self, found: TExpr, kind: str, node: tree.Expr) -> TExpr | None:
        """`found` if it is of that kind and never absent."""
        if found.type.kind != kind:
            hint = other_kind(found, kind, "", self.names)
            self.fail("type-mismatch", f"this is {describe(found.type)}, but {_WANTED[kind]} is needed", node, hint)
            return None
        if found.type.optional:
            self.fail("may-be-absent", "this may be absent", node, or_else(kind))
            return None
        return found

    def fits(self, node: tree.Expr, wanted: Type) -> TExpr | None:
        """The typed form of `node`, all values of which must be among `wanted`."""
        found = self.typed(node, wanted)
        return self.fit(found, wanted, node) if found is not None else None

    def fit(self, found: TExpr, wanted: Type, node: tree.Expr) -> TExpr | None:
        """`found` if all its values are among `wanted`; otherwise a finding that says why not."""
        if wanted.accepts(found.type):
            return found
        if not found.type.comparable(wanted):
            hint = other_kind(found, wanted.kind, wanted.name, self.names)
            self.fail("type-mismatch", f"this is {describe(found.type)}, but {describe(wanted)} is needed", node, hint)
        elif found.type.optional and not wanted.optional:
            self.fail("may-be-absent", "this may be absent", node, or_else(wanted.kind))
        else:
            self._out_of_range(found.type, wanted, node)
        return None

    def _out_of_range(self, found: Type, wanted: Type, node: tree.Expr) -> None:
        can = (
            f"this is {found.low}"
            if found.low == found.high
            else f"this can be anything from {found.low} to {found.high}"
        )
        message = f"{can}, but must stay from {wanted.low} to {wanted.high}"
        self.fail("out-of-range", message, node, f"Keep it inside: clamp(…, {wanted.low}, {wanted.high}).")
