"""The writer of generated code: statements, names, tables, and what the two dialects override.

Only numbers of a program reach the code, and ids of rules in comments, so no text of a spec can become code. An
expression that needs statements, such as a loop, writes them before the statement that uses it.
"""

from __future__ import annotations

import ast
import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from typing import TypeVar

from rulespec.engine.backend.analyses.aggregates import Aggregate, weights_of
from rulespec.engine.backend.analyses.faces import CardsDiffer
from rulespec.engine.backend.tree import syntax
from rulespec.engine.backend.tree.available import AvailableExpressions, CardPosition
from rulespec.engine.backend.tree.syntax import Code, Compound, Operand, assign, decrease, increase, name, number
from rulespec.engine.interpreter.evaluate import turned
from rulespec.engine.program import ir

T = TypeVar("T")
If = TypeVar("If", bound=Compound)
_ID = re.compile(r"[A-Za-z][A-Za-z0-9_.-]*")

REGISTERS = name("r")
"""The array of the registers that have no variable of their own."""


class Writer(ABC):
    """Writes statements into `block`. `variables` are the registers that have variables of their own; all others are in
    the array `r`. `only_placed` says whether a move must know the position of its card (see faces.py)."""

    longest_unrolled = 0
    """Folds over at most this many constants are written without a loop."""

    def __init__(self, program: ir.Program, variables: frozenset[int] = frozenset()) -> None:
        self.program, self.variables = program, variables
        self.block: list[ast.stmt] = []
        self._tables: dict[tuple[int, ...], str] = {}
        self.memory: dict[ir.Fold, Code] = {}  # folds that are evaluated at most once, and their variables
        self.searched: tuple[list[ast.stmt], int, ir.Reached, Code] | None = None  # the latest search: see reached.py
        self.aggregates: tuple[Aggregate, ...] = ()
        self.available = AvailableExpressions()
        self.depth = 1
        self.only_placed = False
        self.used: set[int] = set()  # the registers whose variables occur
        self._names = 0
        self._rule, self._remark = -1, ""

    # statements

    def put(self, *statements: ast.stmt) -> None:
        for statement in statements:
            if self._remark:
                syntax.remark(statement, self._remark)
                self._remark = ""
            self.block.append(statement)

    def under(self, rule: int) -> None:
        """The next statement belongs to a rule, which a comment names by its id."""
        if rule != self._rule and rule > 0:
            self._rule, id_ = rule, self.program.rules[rule]
            self._remark = id_ if _ID.fullmatch(id_) else ""

    @contextmanager
    def inside(self, statement: If) -> Iterator[If]:
        """Writes a compound statement; what is written inside is its body."""
        self.put(statement)
        with self._into(statement.body):
            yield statement

    @contextmanager
    def otherwise(self, statement: ast.If) -> Iterator[None]:
        """What is written inside is executed where the test of a statement does not hold."""
        with self._into(statement.orelse):
            yield

    @contextmanager
    def _into(self, body: list[ast.stmt]) -> Iterator[None]:
        before, self.block = self.block, body
        self.depth += 1
        with self.available.in_doubt():
            yield
        if not body:
            self.put(syntax.nothing())
        self.block = before
        self.depth -= 1

    def written(self, write: Callable[[], T]) -> tuple[list[ast.stmt], T]:
        """The statements that `write` writes, without adding them, and its result."""
        before, self.block = self.block, []
        result = write()
        statements, self.block = self.block, before
        return statements, result

    def apart(self, write: Callable[[], T]) -> tuple[list[ast.stmt], T]:
        """The same for statements that may not be executed."""
        with self.available.in_doubt():
            return self.written(write)

    def name(self, letter: str = "t") -> Code:
        self._names += 1
        return name(f"{letter}{self._names}")

    def table(self, values: Sequence[int]) -> Code:
        """A constant table."""
        return name(self._tables.setdefault(tuple(values), f"T{len(self._tables)}"))

    @property
    def tables(self) -> dict[str, tuple[int, ...]]:
        """The constant tables so far, by name."""
        return {table: values for values, table in self._tables.items()}

    # locations

    def register(self, slot: int) -> Code:
        if slot < 0:
            return name(f"x{-slot}")
        if slot not in self.variables:
            return REGISTERS[slot]
        self.used.add(slot)
        return name(f"r{slot}")

    def element(self, base: int, index: ir.Expr) -> Code:
        if isinstance(index, ir.Const):
            return self.register(base + index.value)
        return self.cell(base, self.value(index))

    def cell(self, base: int, offset: Code) -> Code:
        return REGISTERS[number(base) + offset if base else offset]

    def place_of(self, i: ir.Move) -> CardPosition | None:
        """The position of the card of a move, if it is known. Raises CardsDiffer if it must be known and is not."""
        place = self.available.known_place(i)
        if place is None and self.only_placed:
            raise CardsDiffer
        return place

    # incremental aggregates

    def sums(self, aggregate: int) -> Code:
        """The array of an aggregate, with the sum of each zone."""
        return name(f"s{aggregate}")

    def aggregate_of(self, node: ir.Fold) -> Code | None:
        """The aggregate that equals a fold, if there is one."""
        if not self.aggregates or not isinstance(node.domain, ir.Cards):
            return None
        zone, weights = node.domain.zone, weights_of(node, self.program)
        for i, aggregate in enumerate(self.aggregates):
            if weights == aggregate.weights and aggregate.zones.issuperset(self.zones_of(zone)):
                return self.sums(i)[self.value(zone)]
        return None

    def zones_of(self, zone: ir.Expr) -> tuple[int, ...]:
        """The zones that an expression may evaluate to."""
        return ir.may_name(zone, self.program.zones)

    def goes(self, i: ir.Move, a: Code, b: Code, card: Code) -> None:
        """Updates the aggregates when a card moves from zone a to zone b."""
        for n, aggregate in enumerate(self.aggregates):
            for zone, named, changed in ((i.source, a, decrease), (i.target, b, increase)):
                if not aggregate.zones.isdisjoint(self.zones_of(zone)):
                    self.put(changed(self.sums(n)[named], self.table(aggregate.weights)[card]))

    def all_go(self, i: ir.Move, a: Code, b: Code) -> None:
        """Updates the aggregates before all cards of zone a move to zone b."""
        for n, aggregate in enumerate(self.aggregates):
            source, target = self.sums(n)[a], self.sums(n)[b]
            sources = self.zones_of(i.source)
            if not aggregate.zones.isdisjoint(self.zones_of(i.target)):
                if aggregate.zones.issuperset(sources):
                    self.put(increase(target, source))
                else:
                    with self.each_card(i.source, card := self.name()):
                        self.put(increase(target, self.table(aggregate.weights)[card]))
            if not aggregate.zones.isdisjoint(sources):
                self.put(assign(0, source))

    @abstractmethod
    def inline(self, i: ir.Instruction, place: int = -1) -> None:
        """Writes the text of an instruction: see instructions.py."""

    # overridden by dialects

    @abstractmethod
    def size(self, zone: ir.Expr) -> Code:
        """The number of cards in a zone."""

    @abstractmethod
    def top(self, zone: ir.Expr) -> tuple[Code, Code]:
        """The test whether there is a top card, and the card."""

    @abstractmethod
    def card(self, zone: ir.Expr, position: Code) -> Code:
        """The card at a position of a zone."""

    @abstractmethod
    def scratch(self, size: int) -> Code:
        """A new array of numbers, with any content."""

    @abstractmethod
    def copies(self, size: int) -> Code:
        """An array for a copy of so many registers."""

    @abstractmethod
    def copy(self, cells: range, array: Code) -> None:
        """Copies registers to such an array."""

    @abstractmethod
    def put_back(self, cells: range, array: Code) -> None:
        """Copies registers back."""

    @abstractmethod
    def each_card(self, zone: ir.Expr, variable: Code) -> AbstractContextManager[None]:
        """A loop over the cards in a zone."""

    # expressions: see expressions.py

    @abstractmethod
    def value(self, node: ir.Expr) -> Code:
        """The code of an expression, as an integer."""

    @abstractmethod
    def test(self, node: ir.Expr) -> Code:
        """The code of an expression, as true or false."""

    def either(self, test: Code, then: Callable[[], Code], otherwise: Callable[[], Code]) -> Code:
        """`then` if the test holds, else `otherwise`; only one of them is evaluated."""
        (before_a, a), (before_b, b) = self.apart(then), self.apart(otherwise)
        if not before_a and not before_b:
            return syntax.either(test, a, b)
        result = self.name()
        self.put(syntax.when(test, [*before_a, assign(a, result)], [*before_b, assign(b, result)]))
        return result

    def once(self, expression: Code) -> Code:
        """An expression that can be repeated without being evaluated again: a variable unless it is atomic."""
        if expression.is_atomic:
            return expression
        variable = self.name()
        self.put(assign(expression, variable))
        return variable

    # loops

    @contextmanager
    def each(self, node: ir.Domain, slot: int) -> Iterator[None]:
        """A loop over a domain; the slot holds the element."""
        variable = self.register(slot)
        if isinstance(node, ir.Cards):
            with self.each_card(node.zone, variable):
                yield
            return
        element = variable if not variable.is_element else self.name()
        with self.inside(syntax.loop(element, self._elements(node))):
            if element is not variable:
                self.put(assign(element, variable))
            yield

    @contextmanager
    def each_where(self, domain: ir.Domain, slot: int, conditions: Sequence[ir.Expr]) -> Iterator[Sequence[ir.Expr]]:
        """A loop over the elements of a domain that satisfy those conditions which the dialect tests for all of them at
        once; yields the others."""
        with self.each(domain, slot):
            yield conditions

    @contextmanager
    def elements(self, fold: ir.Fold) -> Iterator[tuple[ir.Expr | None, Operand]]:
        """A loop over the domain of a fold; yields the rest of its condition, and the multiplicity of an element."""
        with self.each(fold.domain, fold.slot):
            yield fold.condition, 1

    def at_once(self, fold: ir.Fold) -> Code | None:
        """What a fold is, if the dialect tests its condition for all elements at once."""
        return None

    def _elements(self, node: ir.Items | ir.Ring | ir.Span) -> Code:
        if isinstance(node, ir.Span):
            return syntax.call("range", self.value(node.low), self.value(node.high) + 1)
        if isinstance(node, ir.Ring):
            table, begin, length = self.ring(node)
            return table[begin : begin + length]
        first, last = node.values[0] if node.values else 0, node.values[-1] if node.values else -1
        if node.values == tuple(range(first, last + 1)):
            return syntax.call("range", first, last + 1)
        return syntax.tuple_of(*node.values)

    def ring(self, node: ir.Ring) -> tuple[Code, Code, int]:
        """A table of all rotations of a ring, the index at which the wanted rotation starts, and its length."""
        length, turns = len(node.values), max(node.values) + 1
        rows = [v for s in range(turns) for v in turned(node.values, s)]
        start = self.once(self.value(node.start))
        return self.table(rows), self.once(syntax.either(start < turns, start, 0) * length), length
