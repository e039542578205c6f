"""The dialect for plain Python: zones are lists of cards, collections are sets."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager

from rulespec.engine.backend.tree.available import CardPosition
from rulespec.engine.backend.tree.instructions import InstructionWriter
from rulespec.engine.backend.tree.syntax import (
    Code,
    Operand,
    among,
    assign,
    call,
    do,
    exchange,
    list_of,
    loop,
    name,
    number,
    tuple_of,
    unequal,
    unpacked,
    when,
    word,
)
from rulespec.engine.program import ir
from rulespec.language.model.types import NONE

Zone = tuple[Code, Code]
"""The number of a zone and its list of cards."""

ZONES, FIRST, TAKEN = name("z"), name("first"), name("taken")


class Lists(InstructionWriter):
    """With `zone_variables`, zones of a constant number have variables of their own (`z3`)."""

    zone_variables = False
    records = False

    def zone(self, zone: ir.Expr) -> Code:
        """The list of cards of a zone."""
        if isinstance(zone, ir.Const):
            return name(f"z{zone.value}") if self.zone_variables else ZONES[zone.value]
        return self.both(zone)[1] if self.available.sure else ZONES[self.value(zone)]

    def both(self, zone: ir.Expr) -> Zone:
        """The number of a zone and its list, in variables."""
        if isinstance(zone, ir.Const):
            return number(zone.value), self.once(self.zone(zone))
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
            self.put(do(call("emit", tuple_of(word(kind), *parts))))

    # randomness

    def draw(self, stream: str, bound: Operand, drawn: Code | None = None) -> Code:
        drawn = drawn or self.name("k")
        self.put(assign(call(stream, bound), drawn))
        return drawn

    def shuffle(self, i: ir.Shuffle) -> None:
        named, cards = self.both(i.zone)
        last = self.name()
        with self.inside(loop(last, call("range", call("len", cards) - 1, 0, -1))):
            self.put(exchange(cards[last], cards[self.draw("deal", last + 1)]))
        self.emit("shuffle", i.rule, named, unpacked(cards))

    def sink(self, i: ir.Sink) -> None:
        (named, cards), place = self.both(i.zone), self.once(self.value(i.position))
        self.put(do(cards.method("insert", place, cards.method("pop"))))
        self.emit("sink", i.rule, named, place)

    # moves

    def move(self, i: ir.Move) -> None:
        {"card": self._card, "top": self._top, "random": self._random, "every": self._every}[i.how](i)

    def _card(self, i: ir.Move) -> None:
        assert i.amount is not None
        card, place = self.once(self.value(i.amount)), self.place_of(i)
        (a, source), (b, target) = self.both(i.source), self.both(i.target)
        if place is not None and not self.records:
            self._placed(i, place, (a, source), (b, target), card)
            return
        with self.inside(when(among(card, source))):
            position = self.name()
            if self.records:
                self.put(assign(source.method("index", card), position))
            self.put(do(source.method("remove", card)), do(target.method("append", card)))
            self.goes(i, a, b, card)
            self.emit("move", i.rule, card, a, position, b)

    def _placed(self, i: ir.Move, place: CardPosition, source: Zone, target: Zone, card: Code) -> None:
        """Moves a card whose position is known, if the register holds one."""
        with ExitStack() as stack:
            if not place.sure:
                stack.enter_context(self.inside(when(unequal(card, NONE))))
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

    def _top(self, i: ir.Move) -> None:
        assert i.amount is not None
        (a, source), (b, target) = self.both(i.source), self.both(i.target)
        card, position = self.name(), self.name()
        if i.amount == ir.Const(1) and not self.records:
            with self.inside(when(source)):
                self.put(assign(source.method("pop"), card), do(target.method("append", card)))
                self.goes(i, a, b, card)
            return
        last, wanted = self.once(call("len", source) - 1), self.once(self.value(i.amount))
        with self.inside(loop(position, call("range", last, call("max", last - wanted, -1), -1))):
            self._popped(i, (a, source), (b, target), card, position)

    def _popped(self, i: ir.Move, source: Zone, target: Zone, card: Code, position: Code) -> None:
        self.put(assign(source[1].method("pop", position), card), do(target[1].method("append", card)))
        self.goes(i, source[0], target[0], card)
        self.emit("move", i.rule, card, source[0], position, target[0])

    def _random(self, i: ir.Move) -> None:
        assert i.amount is not None
        source, target = self.both(i.source), self.both(i.target)
        wanted = self.once(self.value(i.amount))
        with self.inside(loop(self.name(), call("range", call("min", wanted, call("len", source[1]))))):
            position, card = self.draw("deal", call("len", source[1])), self.name()
            self._popped(i, source, target, card, position)

    def _every(self, i: ir.Move) -> None:
        source, target = self.both(i.source), self.both(i.target)
        if i.where is not None:
            self._those(i, source, target)
        elif not (source[0].is_number and target[0].is_number):
            with self.inside(when(unequal(source[0], target[0]))):
                self._all(i, source, target)
        elif source[0] != target[0]:
            self._all(i, source, target)

    def _all(self, i: ir.Move, source: Zone, target: Zone) -> None:
        if self.records:
            with self.inside(when(source[1])):
                self.emit("move_all", i.rule, source[0], target[0], unpacked(source[1]))
        self.all_go(i, source[0], target[0])
        self.put(do(target[1].method("extend", source[1])), do(source[1].method("clear")))

    def _those(self, i: ir.Move, source: Zone, target: Zone) -> None:
        assert i.where is not None
        staying, gone, card = self.name(), self.name(), self.register(i.slot)
        self.put(assign(list_of(), staying), assign(list_of(), gone))
        with self.inside(loop(card, source[1])):
            with self.inside(when(self.test(i.where))) as test:
                self.put(do(gone.method("append", card)))
                self.goes(i, source[0], target[0], card)
                self.emit("move", i.rule, card, source[0], call("len", staying), target[0])
            with self.otherwise(test):
                self.put(do(staying.method("append", card)))
        self.put(assign(staying, source[1][:]), do(target[1].method("extend", gone)))

    # collections

    def scratch(self, size: int) -> Code:
        array = self.name("a")
        self.put(assign(list_of(0) * size, array))
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
        return among(card, TAKEN)

    def none_taken(self) -> None:
        self.put(assign(call("set"), TAKEN))

    def take(self, card: Code) -> None:
        self.put(do(TAKEN.method("add", card)))
