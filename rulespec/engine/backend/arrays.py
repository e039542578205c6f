"""The dialect for machine code: zones are in a flat array `z` with room for `C` cards each; `n` has their sizes."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

from rulespec.engine import ir
from rulespec.engine.backend.available import CardPosition
from rulespec.engine.backend.choosing import Choosing
from rulespec.model.types import NONE

WIDE = 16
"""Spare elements behind the cards of a zone for the `_wide` functions of runtime.py: the same as in values.py."""

WORD = 64
"""Bits of a word. Collections are bit sets: up to this size in a variable, larger ones in the array `bits`."""


class Arrays(Choosing):
    """`words` is the number of words of `bits` that the collections need."""

    words = 0
    wide = ""
    """The suffix `_wide` of functions for zones with spare room (see runtime.py)."""

    def zone(self, zone: ir.Expr) -> str:
        """The number of a zone, in a variable."""
        return self.once(self.value(zone))

    def size(self, zone: ir.Expr) -> str:
        return self.at("n", self.zone(zone))

    def top(self, zone: ir.Expr) -> tuple[str, str]:
        number = self.zone(zone)
        count = self.at("n", number)
        return f"({count} > 0)", self.at("z", f"{number} * C + {count} - 1")

    def card(self, zone: ir.Expr, position: str) -> str:
        return self.at("z", f"{self.zone(zone)} * C + {position}")

    @contextmanager
    def each_card(self, zone: ir.Expr, variable: str) -> Iterator[None]:
        number, place = self.zone(zone), self.name("i")
        with self.inside(f"for {place} in range({number} * C, {number} * C + {self.at('n', number)}):"):
            self.put(f"{variable} = {self.at('z', place)}")
            yield
            self.last_place = place  # set after the body, since loops inside it have positions of their own

    # randomness

    def draw(self, stream: str, bound: str, name: str = "") -> str:
        name = name or self.name("k")
        self.put(f"{stream}, {name} = below({stream}, {bound})")
        return name

    def shuffle(self, i: ir.Shuffle) -> None:
        number = self.zone(i.zone)
        self.put(f"deal = shuffle(deal, z, {number} * C, {self.at('n', number)})")

    # moves

    def move(self, i: ir.Move) -> None:
        a, b = self.zone(i.source), self.zone(i.target)
        amount = self.once(self.value(i.amount)) if i.amount is not None else ""
        if i.how == "every" and i.where is None:
            with self.inside(f"if {a} != {b}:"):
                self.all_go(i, a, b)
                self.put(f"move_all(z, n, {a}, {b}, C)")
                self.all_gone(i, a, b)
        elif i.how == "card" and (known := self.place_of(i)) is not None:
            self._placed(i, known, a, amount, b)
        elif i.how == "card":
            place = self.name("i")
            found = f"find{self.wide}(z, n, {a}, C, {amount})"
            # A card in a register was picked or visited. In 16 bits, as zones have them, NONE equals the first card.
            computed = not isinstance(i.amount, ir.Register)
            self.put(f"{place} = -1 if {amount} == {NONE} else {found}" if computed else f"{place} = {found}")
            with self.inside(f"if {place} >= 0:"):
                self._one(i, a, place, b)
        elif i.how == "every":
            self._those(i, a, b)
        else:
            self._several(i, a, b, amount)

    def find(self, option: ir.Option, zone: ir.Expr, card: str) -> str:
        number, place = self.zone(zone), self.name("i")
        self.put(f"{place} = {number} * C + find{self.wide}(z, n, {number}, C, {card})")
        return place

    def all_gone(self, i: ir.Move, a: str, b: str) -> None:
        """Called after all cards of zone a have moved to zone b."""

    def place(self) -> str:
        return self.last_place

    def _placed(self, i: ir.Move, place: CardPosition, a: str, card: str, b: str) -> None:
        """Moves a card whose position is known, if the register holds one."""
        with ExitStack() as stack:
            if not place.sure:
                stack.enter_context(self.inside(f"if {card} != {NONE}:"))
            if place.where:
                self._one(i, a, self.once(f"{place.where} - {a} * C"), b, card)
            else:
                self.goes(i, a, b, card)
                self.put(f"move_top(z, n, {a}, {b}, C)")

    def _one(self, i: ir.Move, a: str, place: str, b: str, card: str = "") -> None:
        card = card or self.once(self.at("z", f"{a} * C + {place}"))
        self.goes(i, a, b, card)
        self.put(f"move_one{self.wide}(z, n, {a}, {place}, {b}, C)")

    def _several(self, i: ir.Move, a: str, b: str, amount: str) -> None:
        count, last = self.at("n", a), self.name("i")
        if i.how == "random":
            with self.inside(f"for {self.name()} in range(min({amount}, {count})):"):
                self._one(i, a, self.draw("deal", count), b)
        elif amount == "1":
            with self.inside(f"if {count} > 0:"):
                card = self.once(self.at("z", f"{a} * C + {count} - 1"))
                self._placed(i, CardPosition(i.source, "", True), a, card, b)
        else:
            start = self.once(f"{count} - 1")
            with self.inside(f"for {last} in range({start}, max({start} - {amount}, -1), -1):"):
                self._one(i, a, last, b)

    def _those(self, i: ir.Move, a: str, b: str) -> None:
        """Tests all cards before it moves any; `taken` marks those to move."""
        assert i.where is not None
        place, gone, card = self.name("i"), self.name(), self.register(i.slot)
        with self.inside(f"for {place} in range({self.at('n', a)}):"):
            self.put(f"{card} = {self.at('z', f'{a} * C + {place}')}")
            self.put(f"{self.at('taken', place)} = {self.value(i.where)}")
        self.put(f"{gone} = 0")
        with (
            self.inside(f"for {place} in range({self.at('n', a)}):"),
            self.inside(f"if {self.at('taken', place)}:"),
        ):
            self._one(i, a, self.once(f"{place} - {gone}"), b)
            self.put(f"{gone} += 1")

    # collections

    def collection(self, size: int) -> str:
        name = self.name("c")
        if size <= WORD:
            self.put(f"{name} = u64(0)")
        else:
            self.put(f"{name} = {self.words}", f"clear(bits, {name}, {-(-size // WORD)})")
            self.words += -(-size // WORD)
        return name

    def add(self, collection: str, size: int, number: str) -> None:
        if size <= WORD:
            self.put(f"{collection} |= u64(1) << u64({number})")
        else:
            self.put(f"set_bit(bits, {collection}, {number})")

    def collected(self, collection: str, size: int) -> str:
        return f"ones({collection})" if size <= WORD else f"count_bits(bits, {collection}, {-(-size // WORD)})"

    def chosen(self, collection: str, size: int, index: str) -> str:
        return f"nth({collection}, {index})" if size <= WORD else f"nth_of(bits, {collection}, {index})"

    def taken(self, card: str) -> str:
        return self.at("taken", card)

    def none_taken(self) -> None:
        self.put(f"zero(taken, {1 + max(self.program.cards, default=0)})")

    def take(self, card: str) -> None:
        self.put(f"{self.at('taken', card)} = 1")
