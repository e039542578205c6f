"""The dialect for plain Python: zones are lists of cards, collections are sets."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

from rulespec.engine import ir
from rulespec.engine.backend.available import CardPosition
from rulespec.engine.backend.choosing import Choosing
from rulespec.model.types import NONE


class Lists(Choosing):
    """With `zone_variables`, zones of a constant number have variables of their own (`z3`)."""

    zone_variables = False
    records = False

    def zone(self, zone: ir.Expr) -> str:
        if isinstance(zone, ir.Const):
            return f"z{zone.value}" if self.zone_variables else f"z[{zone.value}]"
        return self.both(zone)[1] if self.available.sure else f"z[{self.value(zone)}]"

    def both(self, zone: ir.Expr) -> tuple[str, str]:
        """The number of a zone and its list, in variables."""
        if isinstance(zone, ir.Const):
            return str(zone.value), self.once(self.zone(zone))
        number = self.available.value(zone, lambda: self.once(self.value(zone)))
        return number, self.available.value(zone, lambda: self.once(f"z[{number}]"), "cards of ")

    def size(self, zone: ir.Expr) -> str:
        return f"len({self.zone(zone)})"

    def test(self, node: ir.Expr) -> str:
        if isinstance(node, ir.Operation) and node.operator == ">" and node.arguments[1] == ir.Const(0):
            size = node.arguments[0]
            # A list that is not empty is true.
            return self.zone(size.zone) if isinstance(size, ir.Size) else super().test(node)
        return super().test(node)

    def top(self, zone: ir.Expr) -> tuple[str, str]:
        cards = self.once(self.zone(zone))
        return cards, f"{cards}[-1]"

    def card(self, zone: ir.Expr, position: str) -> str:
        return f"{self.zone(zone)}[{position}]"

    @contextmanager
    def each_card(self, zone: ir.Expr, variable: str) -> Iterator[None]:
        target = variable if variable[-1] != "]" else self.name()
        with self.inside(f"for {target} in {self.zone(zone)}:"):
            if target != variable:
                self.put(f"{variable} = {target}")
            yield

    def emit(self, kind: str, *parts: object) -> None:
        """Writes an event, if events are recorded."""
        if self.records:
            self.put(f"emit(({kind!r}, {', '.join(map(str, parts))}))")

    # randomness

    def draw(self, stream: str, bound: str, name: str = "") -> str:
        name = name or self.name("k")
        self.put(f"{name} = {stream}({bound})")
        return name

    def shuffle(self, i: ir.Shuffle) -> None:
        number, cards = self.both(i.zone)
        last = self.name()
        with self.inside(f"for {last} in range(len({cards}) - 1, 0, -1):"):
            other = self.draw("deal", f"{last} + 1")
            self.put(f"{cards}[{last}], {cards}[{other}] = {cards}[{other}], {cards}[{last}]")
        self.emit("shuffle", i.rule, number, f"*{cards}")

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
        with self.inside(f"if {card} in {source}:"):
            position = self.name()
            if self.records:
                self.put(f"{position} = {source}.index({card})")
            self.put(f"{source}.remove({card})", f"{target}.append({card})")
            self.goes(i, a, b, card)
            self.emit("move", i.rule, card, a, position, b)

    def _placed(
        self, i: ir.Move, place: CardPosition, source: tuple[str, str], target: tuple[str, str], card: str
    ) -> None:
        """Moves a card whose position is known, if the register holds one."""
        with ExitStack() as stack:
            if not place.sure:
                stack.enter_context(self.inside(f"if {card} != {NONE}:"))
            self.put(f"{source[1]}.{f'remove({card})' if place.where else 'pop()'}", f"{target[1]}.append({card})")
            self.goes(i, source[0], target[0], card)

    def find(self, option: ir.Option, zone: ir.Expr, card: str) -> str:
        return "first"

    @contextmanager
    def each_kind(self, zone: ir.Expr, variable: str) -> Iterator[None]:
        if not self.cards_are_faces or variable[-1] == "]":
            with self.each_card(zone, variable):
                yield
            return
        with self.inside(f"for {variable} in set({self.zone(zone)}):"):
            yield

    def place(self) -> str:
        return "first"

    def _top(self, i: ir.Move) -> None:
        assert i.amount is not None
        (a, source), (b, target) = self.both(i.source), self.both(i.target)
        card, position = self.name(), self.name()
        if i.amount == ir.Const(1) and not self.records:
            with self.inside(f"if {source}:"):
                self.put(f"{card} = {source}.pop()", f"{target}.append({card})")
                self.goes(i, a, b, card)
            return
        last, wanted = self.once(f"len({source}) - 1"), self.once(self.value(i.amount))
        with self.inside(f"for {position} in range({last}, max({last} - {wanted}, -1), -1):"):
            self.put(f"{card} = {source}.pop({position})", f"{target}.append({card})")
            self.goes(i, a, b, card)
            self.emit("move", i.rule, card, a, position, b)

    def _random(self, i: ir.Move) -> None:
        assert i.amount is not None
        (a, source), (b, target) = self.both(i.source), self.both(i.target)
        with self.inside(self._times(i.amount, source)):
            position, card = self.draw("deal", f"len({source})"), self.name()
            self.put(f"{card} = {source}.pop({position})", f"{target}.append({card})")
            self.goes(i, a, b, card)
            self.emit("move", i.rule, card, a, position, b)

    def _times(self, amount: ir.Expr, source: str) -> str:
        wanted = self.once(self.value(amount))
        return f"for {self.name()} in range(min({wanted}, len({source}))):"

    def _every(self, i: ir.Move) -> None:
        (a, source), (b, target) = self.both(i.source), self.both(i.target)
        if i.where is not None:
            self._those(i, (a, source), (b, target))
        elif a.isdigit() and b.isdigit():
            if a != b:
                self._all(i, (a, source), (b, target))
        else:
            with self.inside(f"if {a} != {b}:"):
                self._all(i, (a, source), (b, target))

    def _all(self, i: ir.Move, source: tuple[str, str], target: tuple[str, str]) -> None:
        if self.records:
            with self.inside(f"if {source[1]}:"):
                self.emit("move_all", i.rule, source[0], target[0], f"*{source[1]}")
        self.all_go(i, source[0], target[0])
        self.put(f"{target[1]}.extend({source[1]})", f"{source[1]}.clear()")

    def _those(self, i: ir.Move, source: tuple[str, str], target: tuple[str, str]) -> None:
        assert i.where is not None
        staying, gone, card = self.name(), self.name(), self.register(i.slot)
        self.put(f"{staying} = []", f"{gone} = []")
        with self.inside(f"for {card} in {source[1]}:"):
            with self.inside(f"if {self.test(i.where)}:"):
                self.put(f"{gone}.append({card})")
                self.goes(i, source[0], target[0], card)
                self.emit("move", i.rule, card, source[0], f"len({staying})", target[0])
            with self.inside("else:"):
                self.put(f"{staying}.append({card})")
        self.put(f"{source[1]}[:] = {staying}", f"{target[1]}.extend({gone})")

    # collections

    def collection(self, size: int) -> str:
        name = self.name("c")
        self.put(f"{name} = set()")
        return name

    def add(self, collection: str, size: int, number: str) -> None:
        self.put(f"{collection}.add({number})")

    def collected(self, collection: str, size: int) -> str:
        self.put(f"{collection} = sorted({collection})")
        return f"len({collection})"

    def chosen(self, collection: str, size: int, index: str) -> str:
        return f"{collection}[{index}]"

    def taken(self, card: str) -> str:
        return f"({card} in taken)"

    def none_taken(self) -> None:
        self.put("taken = set()")

    def take(self, card: str) -> None:
        self.put(f"taken.add({card})")
