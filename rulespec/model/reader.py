"""Reads typed pieces out of positioned nodes, and collects what is wrong with them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from rulespec.diagnostics import Finding, Span, finding
from rulespec.document import Mapping as MapNode
from rulespec.document import Node, Scalar, Sequence
from rulespec.expr.parser import ExpressionError, parse
from rulespec.expr.tree import Expr, Fold, Index, Name
from rulespec.model.infer import Inference
from rulespec.model.names import Names, suggest
from rulespec.model.typed import CardField, Const, Domain, Local, Members, Op, Players, Ruling, Seat, Table, TExpr, Value, ZoneRef, walk
from rulespec.model.typed import If as Choice
from rulespec.model.types import ABSENT, BOOL, PLAYER, Type, enum, integer
from rulespec.source import Source

Locals = Mapping[str, Type | None]
_RANGE = re.compile(r"(-?[0-9]{1,9})\.\.(-?[0-9]{1,9})")


class Broken(Exception):
    """A node of the wrong shape: the schema has said so already, whoever reads it stops here."""


def mapping(node: Node | None) -> MapNode:
    if not isinstance(node, MapNode):
        raise Broken
    return node


def items(node: Node | None) -> tuple[Node, ...]:
    """The items of a list; a single node counts as a list of one, nothing as an empty list."""
    if node is None:
        return ()
    return node.items if isinstance(node, Sequence) else (node,)


def text(node: Node | None) -> str:
    if not isinstance(node, Scalar) or node.value is None:
        raise Broken
    return node.text


def entries(node: Node | None) -> Iterator[tuple[Scalar, Node]]:
    """Key and value nodes of a mapping; nothing where there is none."""
    yield from mapping(node).entries if node is not None else ()


def constant(expression: TExpr, free: tuple[str, ...] = ()) -> bool:
    """Whether an expression has one value for a whole game: only players, rulings, tables, arithmetic, `free` names."""
    fixed = (Const, Players, Ruling, Table, Op, Choice, Seat)
    return all(isinstance(n, fixed) or (isinstance(n, Local | CardField) and _root(n) in free) for n in walk(expression))


def _root(node: TExpr) -> str:
    while isinstance(node, CardField):
        node = node.card
    return node.name if isinstance(node, Local) else ""


@dataclass
class Reader:
    """Turns scalars into typed expressions, zones, domains and types. A piece that failed comes back as a harmless
    stand-in: with an error on record the model is never sealed, so nobody will run it."""

    source: Source
    names: Names
    findings: list[Finding] = field(default_factory=list)

    def say(self, name: str, message: str, place: Node | Span, hint: str = "", rule: str = "") -> None:
        span = place if isinstance(place, Span) else place.span
        self.findings.append(finding(name, _sentence(message), self.source, span, hint, rule))

    def parsed(self, node: Node | None) -> Expr | None:
        """The syntax tree of a scalar, or None after saying what is wrong with it."""
        if not isinstance(node, Scalar) or node.value is None:
            raise Broken
        if node.style == ">":
            self.say("folded-expression", "an expression cannot be folded with `>`", node, "Write it on one line, or give parts of it names.")
            return None
        try:
            return parse(node.text)
        except ExpressionError as error:
            self.say("bad-expression", error.message, node.value_span(error.start, error.end), error.hint)
            return None

    def inference(self, node: Scalar, locals_: Locals) -> Inference:
        def report(name: str, message: str, start: int, end: int, hint: str) -> None:
            self.say(name, message, node.value_span(start, end), hint)

        return Inference(self.names, locals_, report)

    def expr(self, node: Node | None, locals_: Locals, wanted: Type | None = None) -> TExpr:
        """A typed expression; `wanted` is the type its place asks for."""
        tree = self.parsed(node)
        assert isinstance(node, Scalar)
        found = None
        if tree is not None:
            inference = self.inference(node, locals_)
            found = inference.typed(tree, wanted)
            if found is not None and wanted is not None:
                found = inference.fit(found, wanted, tree.start, tree.end)
        return found if found is not None else Const(wanted or ABSENT, 0)

    def number(self, node: Node | None, locals_: Locals) -> TExpr:
        """An expression for any number."""
        return self._of_kind(node, locals_, "int", integer(0, 0))

    def _of_kind(self, node: Node | None, locals_: Locals, kind: str, wanted: Type) -> TExpr:
        before = len(self.findings)
        found = self.expr(node, locals_)
        if found.type.kind == kind and not found.type.optional:
            return found
        if len(self.findings) == before:
            assert isinstance(node, Scalar)
            self.inference(node, locals_).fit(found, wanted, 0, len(node.text))
        return Const(wanted, 0)

    def fixed(self, node: Node | None, locals_: Locals, wanted: Type | None, free: tuple[str, ...] = ()) -> TExpr:
        """An expression that must have one value for the whole game (for each value of the `free` names)."""
        found = self.expr(node, locals_, wanted) if wanted else self.number(node, locals_)
        if not constant(found, free) and node is not None:
            self.say("not-constant", "this must be known before the game begins", node, "Use only `players`, rulings, tables and numbers.")
            return Const(wanted or integer(0, 0), 0)
        return found

    def condition(self, node: Node | None, locals_: Locals) -> TExpr | None:
        """A condition, None where the key is absent."""
        return self.expr(node, locals_, BOOL) if node is not None else None

    def zone(self, node: Node | None, locals_: Locals) -> ZoneRef:
        tree = self.parsed(node)
        assert isinstance(node, Scalar)
        found = self.inference(node, locals_).zone(tree) if tree is not None else None
        return found or ZoneRef("", None)

    def domain(self, node: Node | None, locals_: Locals) -> Domain | None:
        """What a variable ranges over; None after a finding."""
        if isinstance(node, Scalar) and ".." in node.text and (tree := self._as_range(node)) is not None:
            assert isinstance(tree, Fold)
            shifted = self.inference(node, locals_)
            return Inference(self.names, locals_, lambda n, m, a, b, h: shifted.report(n, m, a - 11, b - 11, h)).domain(tree.domain)
        parsed = self.parsed(node)
        assert isinstance(node, Scalar)
        return self.inference(node, locals_).domain(parsed) if parsed is not None else None

    def _as_range(self, node: Scalar) -> Expr | None:
        # `a..b` is part of the grammar only after `in`; 11 characters stand before it here.
        try:
            return parse(f"count(_ in {node.text})")
        except ExpressionError as error:
            self.say("bad-expression", error.message, node.value_span(error.start - 11, error.end - 11), error.hint)
            return None

    def value(self, node: Node | None, locals_: Locals) -> Value:
        """A stored value as the target of an assignment."""
        tree = self.parsed(node)
        assert isinstance(node, Scalar)
        found = self.inference(node, locals_).typed(tree) if tree is not None else None
        if isinstance(found, Value):
            return found
        if found is not None or (tree is not None and not isinstance(tree, Name | Index)):
            self.say("not-a-value", "only a declared value can be set", node, "Declare it under `values:`.")
        return Value(ABSENT, "", ())

    def type(self, node: Node | None) -> Type | None:
        """A type as written: `1..6`, `bool`, `player`, an enum, each with `?` where it may be absent."""
        written = text(node)
        assert isinstance(node, Scalar)
        core = written.removesuffix("?")
        found = self._core_type(core, node)
        return found.maybe() if found and written.endswith("?") else found

    def _core_type(self, core: str, node: Scalar) -> Type | None:
        if match := _RANGE.fullmatch(core):
            low, high = int(match[1]), int(match[2])
            if low > high:
                self.say("empty-range", f"no number lies in {core}", node, "Write the smaller number first.")
                return None
            return integer(low, high)
        if core in ("bool", "player"):
            return BOOL if core == "bool" else PLAYER
        if core in self.names.enums:
            return enum(core) if self.names.enums[core] else None
        hint = suggest(core, [*self.names.enums, "player", "bool"]) or "A type is a range such as 1..6, `bool`, `player` or an enum."
        self.say("unknown-type", f"there is no type `{core}`", node, hint)
        return None


def members(domain: Domain | None) -> Type | None:
    """The type of a domain's elements, None for a domain that failed."""
    return domain.type if domain is not None else None


def stand_in() -> Domain:
    """A harmless domain in place of one that failed."""
    return Members(PLAYER)


def _sentence(message: str) -> str:
    start = message[:1].upper() + message[1:]
    return start if start.endswith((".", "?", "!")) else start + "."
