"""The writer of Python source: lines, names, tables, and what the two dialects override.

Only numbers of a program reach the source, and ids of rules in comments, so no text of a spec can become code. An
expression that needs statements, such as a loop, writes them above the line that uses it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TypeVar

from rulespec.engine import ir
from rulespec.engine.backend.aggregates import Aggregate, weights_of
from rulespec.engine.backend.available import AvailableExpressions, CardPosition
from rulespec.engine.backend.faces import CardsDiffer
from rulespec.engine.evaluate import turned

T = TypeVar("T")
_ID = re.compile(r"[A-Za-z][A-Za-z0-9_.-]*")
_ATOM = frozenset("abcdefghijklmnopqrstuvwxyz0123456789_")


class Writer:
    """Writes lines of source. `variables` are the registers that have variables of their own; all others are in the
    array `r`. `only_placed` says whether a move must know the position of its card (see faces.py)."""

    longest_unrolled = 0
    """Folds over at most this many constants are written without a loop."""

    def __init__(self, program: ir.Program, variables: frozenset[int] = frozenset()) -> None:
        self.program, self.variables = program, variables
        self.lines: list[str] = []
        self.tables: dict[tuple[int, ...], str] = {}
        self.memory: dict[ir.Fold, str] = {}  # folds that are evaluated at most once, and their variables
        self.aggregates: tuple[Aggregate, ...] = ()
        self.available = AvailableExpressions()
        self.depth = 1
        self.only_placed = False
        self._names = 0
        self._rule, self._remark = -1, ""

    # lines

    def put(self, *lines: str) -> None:
        for line in lines:
            # statements.py compares the first and last lines of blocks, so these carry no comment.
            if self._remark and not line.endswith(":") and line not in ("break", "continue", "pass"):
                line, self._remark = line + self._remark, ""
            self.lines.append("    " * self.depth + line)

    def under(self, rule: int) -> None:
        """The next line belongs to a rule, which a comment names by its id."""
        if rule != self._rule and rule > 0:
            self._rule, id_ = rule, self.program.rules[rule]
            self._remark = f"  # {id_}" if _ID.fullmatch(id_) else ""

    @contextmanager
    def inside(self, head: str) -> Iterator[None]:
        """A compound statement with this head; the lines written inside are its body."""
        self.put(head)
        before, self.depth = len(self.lines), self.depth + 1
        with self.available.in_doubt():
            yield
        if len(self.lines) == before:
            self.put("pass")
        self.depth -= 1

    def apart(self, write: Callable[[], T]) -> tuple[list[str], T]:
        """The lines that `write` writes, without adding them, and its result."""
        before, self.lines = self.lines, []
        with self.available.in_doubt():
            result = write()
        lines, self.lines = self.lines, before
        return lines, result

    def paste(self, lines: list[str], deeper: int = 0) -> None:
        self.lines += ["    " * deeper + line for line in lines]

    def name(self, letter: str = "t") -> str:
        self._names += 1
        return f"{letter}{self._names}"

    def table(self, values: Sequence[int]) -> str:
        """The name of a constant table."""
        return self.tables.setdefault(tuple(values), f"T{len(self.tables)}")

    # locations

    def at(self, array: str, index: str) -> str:
        return f"{array}[{index}]"

    def register(self, slot: int) -> str:
        if slot < 0:
            return f"x{-slot}"
        return f"r{slot}" if slot in self.variables else f"r[{slot}]"

    def element(self, base: int, index: ir.Expr) -> str:
        if isinstance(index, ir.Const):
            return self.register(base + index.value)
        offset = self.value(index)
        return self.at("r", f"{base} + {offset}" if base else offset)

    def place_of(self, i: ir.Move) -> CardPosition | None:
        """The position of the card of a move, if it is known. Raises CardsDiffer if it must be known and is not."""
        place = self.available.known_place(i)
        if place is None and self.only_placed:
            raise CardsDiffer
        return place

    # incremental aggregates

    def aggregate_of(self, node: ir.Fold) -> str | None:
        """The source of the aggregate that equals a fold, if there is one."""
        if not self.aggregates or not isinstance(node.domain, ir.Cards):
            return None
        zone, weights = node.domain.zone, weights_of(node, self.program)
        for number, aggregate in enumerate(self.aggregates):
            if weights == aggregate.weights and aggregate.zones.issuperset(self.zones_of(zone)):
                return self.at(f"s{number}", self.value(zone))
        return None

    def zones_of(self, zone: ir.Expr) -> tuple[int, ...]:
        """The zones that an expression may evaluate to."""
        return ir.may_name(zone, self.program.zones)

    def goes(self, i: ir.Move, a: str, b: str, card: str) -> None:
        """Updates the aggregates when a card moves from zone a to zone b."""
        for number, aggregate in enumerate(self.aggregates):
            for zone, named, sign in ((i.source, a, "-="), (i.target, b, "+=")):
                if not aggregate.zones.isdisjoint(self.zones_of(zone)):
                    self.put(f"{self.at(f's{number}', named)} {sign} {self.at(self.table(aggregate.weights), card)}")

    def all_go(self, i: ir.Move, a: str, b: str) -> None:
        """Updates the aggregates before all cards of zone a move to zone b."""
        for number, aggregate in enumerate(self.aggregates):
            source, target = self.at(f"s{number}", a), self.at(f"s{number}", b)
            sources = self.zones_of(i.source)
            if not aggregate.zones.isdisjoint(self.zones_of(i.target)):
                if aggregate.zones.issuperset(sources):
                    self.put(f"{target} += {source}")
                else:
                    with self.each_card(i.source, card := self.name()):
                        self.put(f"{target} += {self.at(self.table(aggregate.weights), card)}")
            if not aggregate.zones.isdisjoint(sources):
                self.put(f"{source} = 0")

    # overridden by dialects

    def size(self, zone: ir.Expr) -> str:
        raise NotImplementedError

    def top(self, zone: ir.Expr) -> tuple[str, str]:
        """The test whether there is a top card, and the card."""
        raise NotImplementedError

    def card(self, zone: ir.Expr, position: str) -> str:
        raise NotImplementedError

    @contextmanager
    def each_card(self, zone: ir.Expr, variable: str) -> Iterator[None]:
        raise NotImplementedError
        yield

    # expressions: see expressions.py

    def value(self, node: ir.Expr) -> str:
        """The source of an expression, as an integer."""
        raise NotImplementedError

    def test(self, node: ir.Expr) -> str:
        """The source of an expression, as true or false."""
        raise NotImplementedError

    def either(self, condition: str, then: Callable[[], str], otherwise: Callable[[], str]) -> str:
        """`then` if the condition holds, else `otherwise`; only one of them is evaluated."""
        (a_lines, a), (b_lines, b) = self.apart(then), self.apart(otherwise)
        if not a_lines and not b_lines:
            return f"({a} if {condition} else {b})"
        name = self.name()
        self.put(f"if {condition}:")
        self.paste(a_lines, 1)
        self.put(f"    {name} = {a}", "else:")
        self.paste(b_lines, 1)
        self.put(f"    {name} = {b}")
        return name

    def once(self, expression: str) -> str:
        """An expression that can be repeated without being evaluated again: a variable unless it is atomic."""
        if _ATOM.issuperset(expression) or expression.lstrip("-").isdigit():
            return expression
        name = self.name()
        self.put(f"{name} = {expression}")
        return name

    @contextmanager
    def each(self, node: ir.Domain, slot: int) -> Iterator[None]:
        """A loop over a domain; the slot holds the element."""
        variable = self.register(slot)
        if isinstance(node, ir.Cards):
            with self.each_card(node.zone, variable):
                yield
            return
        target = variable if variable[-1] != "]" else self.name()
        with self.inside(f"for {target} in {self._elements(node)}:"):
            if target != variable:
                self.put(f"{variable} = {target}")
            yield

    @contextmanager
    def elements(self, fold: ir.Fold) -> Iterator[tuple[ir.Expr | None, str]]:
        """A loop over the domain of a fold; yields the rest of its condition, and the multiplicity of an element."""
        with self.each(fold.domain, fold.slot):
            yield fold.condition, "1"

    def _elements(self, node: ir.Items | ir.Ring | ir.Span) -> str:
        if isinstance(node, ir.Span):
            return f"range({self.value(node.low)}, {self.value(node.high)} + 1)"
        if isinstance(node, ir.Ring):
            table, begin, length = self.ring(node)
            return f"{table}[{begin}:{begin} + {length}]"
        first, last = node.values[0] if node.values else 0, node.values[-1] if node.values else -1
        if node.values == tuple(range(first, last + 1)):
            return f"range({first}, {last + 1})"
        return f"({', '.join(map(str, node.values))},)"

    def ring(self, node: ir.Ring) -> tuple[str, str, int]:
        """A table of all rotations of a ring, the index at which the wanted rotation starts, and its length."""
        length, turns = len(node.values), max(node.values) + 1
        rows = [v for s in range(turns) for v in turned(node.values, s)]
        start = self.once(self.value(node.start))
        return self.table(rows), self.once(f"({start} if {start} < {turns} else 0) * {length}"), length
