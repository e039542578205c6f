"""The dialect for plain Python: zones are lists of cards, collections are sets."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from types import MappingProxyType

from rulespec.engine.backend.tree import syntax
from rulespec.engine.backend.tree.instructions import InstructionWriter
from rulespec.engine.backend.tree.syntax import Code, Operand, assign, call, do, loop, name
from rulespec.engine.backend.tree.writer import REGISTERS
from rulespec.engine.program import ir
from rulespec.language.model.types import NONE

Zone = tuple[Code, Code]
"""The number of a zone and its list of cards."""

ZONES, FIRST, TAKEN = name("z"), name("first"), name("taken")


class Lists(InstructionWriter):
    """With `zone_variables`, zones of a constant number have variables of their own (`z3`)."""

    zone_variables = False
    own = MappingProxyType({ir.Move: lambda w, i: w.move(i)})

    def zone(self, zone: ir.Expr) -> Code:
        """The list of cards of a zone."""
        if isinstance(zone, ir.Const):
            return name(f"z{zone.value}") if self.zone_variables else ZONES[zone.value]
        return self.both(zone)[1] if self.available.sure else ZONES[self.value(zone)]

    def both(self, zone: ir.Expr) -> Zone:
        """The number of a zone and its list, in variables."""
        if isinstance(zone, ir.Const):
            return syntax.number(zone.value), self.once(self.zone(zone))
        named = self.available.value(zone, lambda: self.once(self.value(zone)))
        return named, self.available.value(zone, lambda: self.once(ZONES[named]), "cards of ")

    def size(self, zone: ir.Expr) -> Code:
        return call("len", self.zone(zone))

    def test(self, node: ir.Expr) -> Code:
        if isinstance(node, ir.Operation) and node.operator == ">" and node.arguments[1] == ir.Const(0):
            size = node.arguments[0]
            # A list that is not empty is true.
            return self.zone(size.zone) if isinstance(size, ir.Size) else super().test(node)
        return super().test(node)

    def top(self, zone: ir.Expr) -> tuple[Code, Code]:
        cards = self.once(self.zone(zone))
        return cards, cards[-1]

    def card(self, zone: ir.Expr, position: Code) -> Code:
        return self.zone(zone)[position]

    @contextmanager
    def each_card(self, zone: ir.Expr, variable: Code) -> Iterator[None]:
        element = variable if not variable.is_element else self.name()
        with self.inside(loop(element, self.zone(zone))):
            if element is not variable:
                self.put(assign(element, variable))
            yield

    def emit(self, kind: str, *parts: Operand) -> None:
        """Writes an event, if events are recorded."""
        if self.records:
            self.put(do(call("emit", syntax.tuple_of(syntax.word(kind), *parts))))

    # randomness

    def draw(self, stream: str, bound: Operand, drawn: Code | None = None) -> Code:
        drawn = drawn or self.name("k")
        self.put(assign(call(stream, bound), drawn))
        return drawn

    # moves

    def move(self, i: ir.Move) -> None:
        place = self.place_of(i) if i.how == "card" else None
        if place is None or self.records:
            self.inline(i)
        else:
            assert i.amount is not None
            card, source, target = self.once(self.value(i.amount)), self.both(i.source), self.both(i.target)
            with ExitStack() as stack:
                if not place.sure:
                    stack.enter_context(self.inside(syntax.when(syntax.unequal(card, NONE))))
                taken = source[1].method("remove", card) if place.where is not None else source[1].method("pop")
                self.put(do(taken), do(target[1].method("append", card)))
                self.goes(i, source[0], target[0], card)

    def find(self, option: ir.Option, zone: ir.Expr, card: Code) -> Code:
        return FIRST

    def each_kind(self, zone: ir.Expr, variable: Code) -> AbstractContextManager[None]:
        if not self.cards_are_faces or variable.is_element:
            return self.each_card(zone, variable)
        return self._each_face(zone, variable)

    @contextmanager
    def _each_face(self, zone: ir.Expr, variable: Code) -> Iterator[None]:
        with self.inside(loop(variable, call("set", self.zone(zone)))):
            yield

    def place(self) -> Code:
        return FIRST

    # copies of registers

    def copies(self, size: int) -> Code:
        return self.name("a")

    def copy(self, cells: range, array: Code) -> None:
        self.put(assign(REGISTERS[cells.start : cells.stop], array))

    def put_back(self, cells: range, array: Code) -> None:
        self.put(assign(array, REGISTERS[cells.start : cells.stop]))

    # collections

    def scratch(self, size: int) -> Code:
        array = self.name("a")
        self.put(assign(syntax.list_of(0) * size, array))
        return array

    def collection(self, size: int) -> Code:
        collection = self.name("c")
        self.put(assign(call("set"), collection))
        return collection

    def add(self, collection: Code, size: int, element: Code) -> None:
        self.put(do(collection.method("add", element)))

    def collected(self, collection: Code, size: int) -> Code:
        self.put(assign(call("sorted", collection), collection))
        return call("len", collection)

    def chosen(self, collection: Code, size: int, index: Code) -> Code:
        return collection[index]

    def taken(self, card: Code) -> Code:
        return syntax.among(card, TAKEN)

    def none_taken(self) -> None:
        self.put(assign(call("set"), TAKEN))

    def take(self, card: Code) -> None:
        self.put(do(TAKEN.method("add", card)))
