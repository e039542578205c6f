"""What the parts of type inference share: the names in scope, reporting, and checks of types."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Self

from rulespec.base.messages import NOTHING, Message, say, sentences
from rulespec.language.expr import tree
from rulespec.language.model.infer.advice import Locals, or_else, other_kind
from rulespec.language.model.names import Names
from rulespec.language.model.narrowing import Facts, known
from rulespec.language.model.typed import Chosen, Domain, TExpr, ZoneRef
from rulespec.language.model.types import Type, describe

Reporter = Callable[[str, Message, int, int, Message], None]

A_ZONE = say("a zone")
_WANTED = {"int": say("a number"), "bool": say("true or false"), "player": say("a player")}


@dataclass
class Base(ABC):
    """Types one expression. Findings go to `report(name, message, start, end, hint)`. A part that failed is None, and
    so is everything that contains it, without another finding.

    With `free`, the expression must be constant for a game, for each value of the `free` names. `facts` are narrower
    types of expressions (see `narrowing.py`). With `proving`, folds are present that have an element by the facts.
    """

    names: Names
    locals: Locals
    report: Reporter
    free: tuple[str, ...] | None = None
    facts: Facts = field(default_factory=dict)
    proving: bool = False

    def where(self, condition: TExpr | None, holds: bool = True) -> Self:
        """What types the expressions that are evaluated only if a condition holds, or only if it does not."""
        return self if condition is None else replace(self, facts=known(self.facts, condition, holds))

    @abstractmethod
    def typed(self, node: tree.Expr, expected: Type | None = None) -> TExpr | None:
        """The typed form of `node`. `expected` decides between members of several enums with one name."""

    @abstractmethod
    def domain(self, node: tree.DomainExpr) -> Domain | None:
        """The domain of a variable: `low..high`, `player`, an enum or a zone."""

    @abstractmethod
    def squares(self, node: tree.Call) -> Domain | None:
        """The squares of a board that a function stands for: the neighbours of one, or those in a direction."""

    @abstractmethod
    def on_row(self, row: TExpr, square: tree.Expr) -> TExpr | None:
        """Whether a row of a board contains a square."""

    @abstractmethod
    def picked(self, node: tree.Name) -> Chosen | None:
        """The elements of a picked set; None if the name is no such set."""

    @abstractmethod
    def zone(self, node: tree.Expr, wanted: Message = A_ZONE) -> ZoneRef | None:
        """A zone, with its index if it has one."""

    def fail(self, name: str, message: Message, node: tree.Node, hint: Message = NOTHING) -> None:
        self.report(name, message, node.start, node.end, hint)

    def of_kind(self, kind: str, node: tree.Expr) -> TExpr | None:
        """The typed form of `node`, which must have that kind and never be absent."""
        found = self.typed(node)
        return self.required(found, kind, node) if found is not None else None

    def number(self, node: tree.Expr) -> TExpr | None:
        return self.of_kind("int", node)

    def required(self, found: TExpr, kind: str, node: tree.Expr) -> TExpr | None:
        """`found` if it has that kind and is never absent; None after a finding."""
        if found.type.kind != kind:
            hint = other_kind(found, kind, "", self.names)
            self.fail(
                "type-mismatch",
                say("This is {type}, but {wanted} is needed.", type=describe(found.type), wanted=_WANTED[kind]),
                node,
                hint,
            )
            return None
        if found.type.optional:
            self.fail("may-be-absent", say("This may be absent."), node, or_else(kind))
            return None
        return found

    def fits(self, node: tree.Expr, wanted: Type, target: str = "") -> TExpr | None:
        """The typed form of `node`, whose values must all be values of `wanted`: the type of a stored value `target`
        that is set to it, if it has a name."""
        found = self.typed(node, wanted)
        return self.fit(found, wanted, node, target) if found is not None else None

    def fit(self, found: TExpr, wanted: Type, node: tree.Expr, target: str = "") -> TExpr | None:
        """`found` if all its values are values of `wanted`; None after a finding."""
        if wanted.accepts(found.type):
            return found
        if not found.type.comparable(wanted):
            hint = other_kind(found, wanted.kind, wanted.name, self.names)
            self.fail(
                "type-mismatch",
                say("This is {type}, but {wanted} is needed.", type=describe(found.type), wanted=describe(wanted)),
                node,
                hint,
            )
        elif found.type.optional and not wanted.optional:
            self.fail("may-be-absent", say("This may be absent."), node, or_else(wanted.kind))
        else:
            self._out_of_range(found.type, wanted, node, target)
        return None

    def _out_of_range(self, found: Type, wanted: Type, node: tree.Expr, target: str) -> None:
        bounds = say("{low} to {high}", low=wanted.low, high=wanted.high)
        message = (
            say("This is {number}, but must be {bounds}.", number=found.low, bounds=bounds)
            if found.low == found.high
            else say(
                "This can be {low} to {high}, but must be {bounds}.", low=found.low, high=found.high, bounds=bounds
            )
        )
        hint = say("Limit it: `clamp(…, {low}, {high})`.", low=wanted.low, high=wanted.high)
        if isinstance(node, tree.Number):
            hint = say("Write a number from {low} to {high}.", low=wanted.low, high=wanted.high)
        elif target and not wanted.optional and found.low <= wanted.high and wanted.low <= found.high:
            stops = say("Or write `beyond: error` at the value `{value}`: a game that exceeds it stops.", value=target)
            hint = sentences(hint, stops)
        self.fail("out-of-range", message, node, hint)
