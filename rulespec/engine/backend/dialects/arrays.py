"""The dialect for machine code: zones are in a flat array `z`, with the same room for each; `n` has their sizes."""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from functools import reduce
from types import MappingProxyType
from typing import TypeAlias

from rulespec.engine.backend.analyses.hoisting import registers_read
from rulespec.engine.backend.tree import syntax
from rulespec.engine.backend.tree.available import CardPosition
from rulespec.engine.backend.tree.instructions import InstructionWriter
from rulespec.engine.backend.tree.syntax import Code, Operand, assign, call, do, either, loop, name, unequal, when
from rulespec.engine.backend.tree.writer import REGISTERS, Writer
from rulespec.engine.interpreter.choices import conjuncts
from rulespec.engine.program import ir
from rulespec.language.model.types import NONE

WIDE = 16
"""Spare elements behind the cards of a zone for the `_wide` functions of runtime/common.py: the same as in
values.py."""

WORD = 64
"""Bits of a word. Collections are bit sets: up to this size in a variable, larger ones in the array `bits`."""

ZONES, SIZES, BITS, TAKEN, DEAL = name("z"), name("n"), name("bits"), name("taken"), name("deal")


def capacity(program: ir.Program) -> int:
    """The room of a zone: all cards and WIDE more, rounded up to a power of two for fast indexing."""
    return 1 << (len(program.cards) + WIDE).bit_length()


class Arrays(InstructionWriter):
    """`words` is the number of words of `bits` that the collections need, `room` that of a zone for cards."""

    own = MappingProxyType(
        {ir.Move: lambda w, i: w.move(i), ir.Shuffle: lambda w, i: w.shuffle(i), ir.Sink: lambda w, i: w.sink(i)}
    )
    wide = ""
    """The suffix `_wide` of functions for zones with spare room (see runtime/common.py)."""

    def __init__(self, program: ir.Program, variables: frozenset[int] = frozenset()) -> None:
        super().__init__(program, variables)
        self.words, self.room = 0, capacity(program)

    def zone(self, zone: ir.Expr) -> Code:
        """The number of a zone, in a variable."""
        return self.once(self.value(zone))

    def ordered(self, zone: ir.Expr) -> Code:
        """The number of a zone whose cards are read in order."""
        return self.zone(zone)

    def size(self, zone: ir.Expr) -> Code:
        return SIZES[self.zone(zone)]

    def at(self, zone: Code, position: Operand) -> Code:
        """The card at a position of the zone with a number."""
        return ZONES[zone * self.room + position]

    def last(self, zone: Code) -> Code:
        """The top card of the zone with a number."""
        return ZONES[zone * self.room + SIZES[zone] - 1]

    def top(self, zone: ir.Expr) -> tuple[Code, Code]:
        named = self.ordered(zone)
        return SIZES[named] > 0, self.last(named)

    def card(self, zone: ir.Expr, position: Code) -> Code:
        return self.at(self.ordered(zone), position)

    @contextmanager
    def each_card(self, zone: ir.Expr, variable: Code) -> Iterator[None]:
        named, place = self.ordered(zone), self.name("i")
        first = named * self.room
        with self.inside(loop(place, call("range", first, first + SIZES[named]))):
            self.put(assign(ZONES[place], variable))
            yield
            self.last_place = place  # set after the body, since loops inside it have positions of their own

    def fill(self, array: Code, first: int, numbers: Sequence[int]) -> None:
        """Copies numbers into an array."""
        place = name("i")
        if numbers:
            with self.inside(loop(place, call("range", 0, len(numbers)))):
                self.put(assign(self.table(numbers)[place], array[place + first]))

    # loops

    @contextmanager
    def each_where(self, domain: ir.Domain, slot: int, conditions: Sequence[ir.Expr]) -> Iterator[Sequence[ir.Expr]]:
        if (found := among(self, domain, slot, conditions)) is None:
            with super().each_where(domain, slot, conditions) as rest:
                yield rest
            return
        word, element = self.name("b"), self.register(slot)
        self.put(assign(found[0], word))
        with self.inside(syntax.repeat(word)):
            self.put(assign(call("lowest_bit", word), element), assign(word & (word - u64(1)), word))
            yield found[1]

    @contextmanager
    def elements(self, fold: ir.Fold) -> Iterator[tuple[ir.Expr | None, Operand]]:
        with self.each_where(fold.domain, fold.slot, [*conjuncts(fold.condition)]) as rest:
            yield (reduce(lambda left, right: ir.Operation("and", (left, right)), rest) if rest else None), 1

    def at_once(self, fold: ir.Fold) -> Code | None:
        if fold.function not in ("count", "any") or fold.condition is None:
            return None
        found = among(self, fold.domain, fold.slot, [*conjuncts(fold.condition)])
        if found is None or found[1]:
            return None
        return call("ones", found[0]) if fold.function == "count" else either(unequal(found[0], 0), 1, 0)

    # randomness

    def draw(self, stream: str, bound: Operand, drawn: Code | None = None) -> Code:
        drawn, state = drawn or self.name("k"), name(stream)
        self.put(assign(call("below", state, bound), syntax.tuple_of(state, drawn)))
        return drawn

    def shuffle(self, i: ir.Shuffle) -> None:
        named = self.ordered(i.zone)
        self.put(assign(call("shuffle", DEAL, ZONES, named * self.room, SIZES[named]), DEAL))

    def sink(self, i: ir.Sink) -> None:
        named, place = self.ordered(i.zone), self.once(self.value(i.position))
        self.put_at(named, place)

    def put_at(self, zone: Code, place: Code) -> None:
        """Writes that the top card of a zone goes to a position in it."""
        self.put(do(call("sink", ZONES, SIZES, zone, place, self.room)))

    # moves

    def move(self, i: ir.Move) -> None:
        a, b = self.taken_from(i), self.zone(i.target)
        amount = self.once(self.value(i.amount)) if i.amount is not None else None
        if i.how == "every":
            if i.where is None:
                with self.inside(when(unequal(a, b))):
                    self.all_go(i, a, b)
                    self.all_move(i, a, b)
            else:
                self._those(i, i.where, a, b)
            return
        assert amount is not None
        if i.how != "card":
            self._several(i, a, b, amount)
        elif (known := self.place_of(i)) is not None:
            self.placed(i, known, a, amount, b)
        else:
            place, found = self.name("i"), self.position(a, amount)
            # A card in a register was picked or visited. In 16 bits, as zones have them, NONE equals the first card.
            computed = not isinstance(i.amount, ir.Register)
            self.put(assign(either(syntax.equal(amount, NONE), -1, found) if computed else found, place))
            with self.inside(when(place >= 0)):
                self._one(i, a, place, b)

    def taken_from(self, i: ir.Move) -> Code:
        """The number of the zone that a move takes cards from."""
        return self.ordered(i.source)

    def all_move(self, i: ir.Move, a: Code, b: Code) -> None:
        self.put(do(call("move_all", ZONES, SIZES, a, b, self.room)))

    def position(self, zone: Code, card: Code) -> Code:
        """The position of a card in the zone with a number, -1 if it is not there."""
        return call(f"find{self.wide}", ZONES, SIZES, zone, self.room, card)

    def find(self, option: ir.Option, zone: ir.Expr, card: Code) -> Code:
        named, place = self.ordered(zone), self.name("i")
        self.put(assign(named * self.room + self.position(named, card), place))
        return place

    def place(self) -> Code:
        return self.last_place

    def placed(self, i: ir.Move, place: CardPosition, a: Code, card: Code, b: Code) -> None:
        """Moves a card whose position is known, if the register holds one."""
        with ExitStack() as stack:
            if not place.sure:
                stack.enter_context(self.inside(when(unequal(card, NONE))))
            if place.where is not None:
                self._one(i, a, self.once(place.where - a * self.room), b, card)
            else:
                self.goes(i, a, b, card)
                self.top_moves(a, b)

    def _one(self, i: ir.Move, a: Code, place: Code, b: Code, card: Code | None = None) -> None:
        card = card or self.once(self.at(a, place))
        self.goes(i, a, b, card)
        self.one_moves(a, place, b)

    def one_moves(self, a: Code, place: Code, b: Code) -> None:
        self.put(do(call(f"move_one{self.wide}", ZONES, SIZES, a, place, b, self.room)))

    def top_moves(self, a: Code, b: Code) -> None:
        self.put(do(call("move_top", ZONES, SIZES, a, b, self.room)))

    def _several(self, i: ir.Move, a: Code, b: Code, amount: Code) -> None:
        count, last = SIZES[a], self.name("i")
        if i.how == "random":
            with self.inside(loop(self.name(), call("range", call("min", amount, count)))):
                self._one(i, a, self.draw("deal", count), b)
        elif i.amount == ir.Const(1):
            with self.inside(when(count > 0)):
                card = self.once(self.last(a))
                self.placed(i, CardPosition(i.source, None, True), a, card, b)
        else:
            start = self.once(count - 1)
            with self.inside(loop(last, call("range", start, call("max", start - amount, -1), -1))):
                self._one(i, a, last, b)

    def _those(self, i: ir.Move, where: ir.Expr, a: Code, b: Code) -> None:
        """Tests all cards before it moves any; `taken` marks those to move."""
        place, gone, card = self.name("i"), self.name(), self.register(i.slot)
        cards = call("range", SIZES[a])
        with self.inside(loop(place, cards)):
            self.put(assign(self.at(a, place), card))
            self.put(assign(self.value(where), TAKEN[place]))
        self.put(assign(0, gone))
        with self.inside(loop(place, cards)), self.inside(when(TAKEN[place])):
            self._one(i, a, self.once(place - gone), b)
            self.put(syntax.increase(gone, 1))

    # copies of registers

    def copies(self, size: int) -> Code:
        return self.scratch(size)

    def copy(self, cells: range, array: Code) -> None:
        with self.inside(loop(place := self.name("i"), call("range", 0, len(cells)))):
            self.put(assign(self.cell(cells.start, place), array[place]))

    def put_back(self, cells: range, array: Code) -> None:
        with self.inside(loop(place := self.name("i"), call("range", 0, len(cells)))):
            self.put(assign(array[place], self.cell(cells.start, place)))

    # collections

    def scratch(self, size: int) -> Code:
        array = self.name("a")
        self.put(assign(call("array", name("i64s"), size), array))
        return array

    def collection(self, size: int) -> Code:
        collection = self.name("c")
        if size <= WORD:
            self.put(assign(u64(0), collection))
        else:
            self.put(assign(self.words, collection), do(call("clear", BITS, collection, words(size))))
            self.words += words(size)
        return collection

    def add(self, collection: Code, size: int, element: Code) -> None:
        if size <= WORD:
            self.put(syntax.unite(collection, u64(1) << u64(element)))
        else:
            self.put(do(call("set_bit", BITS, collection, element)))

    def collected(self, collection: Code, size: int) -> Code:
        return call("ones", collection) if size <= WORD else call("count_bits", BITS, collection, words(size))

    def chosen(self, collection: Code, size: int, index: Code) -> Code:
        return call("nth", collection, index) if size <= WORD else call("nth_of", BITS, collection, index)

    def taken(self, card: Code) -> Code:
        return TAKEN[card]

    def none_taken(self) -> None:
        self.put(do(call("zero", TAKEN, 1 + max(self.program.cards, default=0))))

    def take(self, card: Code) -> None:
        self.put(assign(1, TAKEN[card]))


def u64(value: Operand) -> Code:
    """A number as an unsigned one."""
    return call("u64", value)


def i64(value: Operand) -> Code:
    """A number as a signed one."""
    return call("i64", value)


def words(size: int) -> int:
    """The number of words of a bit set."""
    return -(-size // WORD)


def zeros(size: int) -> array[int]:
    """An array of 64-bit zeros."""
    return array("q", bytes(8 * size))


def signed(word: int) -> int:
    """The signed 64-bit integer with the same bits."""
    return word - 2**64 if word >= 2**63 else word


FEWEST, MOST = 8, 64
"""Members for which it pays: as many numbers as are compared at once, and the bits of a word."""


def among(
    w: Writer, domain: ir.Domain, slot: int, conditions: Sequence[ir.Expr]
) -> tuple[Code, Sequence[ir.Expr]] | None:
    """The bits of the members, which `slot` stands for, that satisfy some of the conditions, and the other conditions;
    None if no condition is that simple: it compares a register of each member with the same number."""
    if not isinstance(domain, ir.Items) or not FEWEST <= len(domain.values) <= MOST:
        return None
    size, found, rest = len(domain.values), list[Code](), list[ir.Expr]()
    if domain.values != tuple(range(size)):
        return None
    for condition in conditions:
        if (simple := _comparison(condition, ir.Register(slot))) is None:
            rest.append(condition)
            continue
        base, offset, number, is_equal = simple
        first = w.value(ir.Operation("+", (ir.Const(base), offset)) if offset is not None else ir.Const(base))
        bits = call("equal_bits", REGISTERS, first, size, w.value(number))
        found.append(bits if is_equal else call("u64", 2**size - 1) - bits)
    if not found:
        return None
    both = found[0]
    for bits in found[1:]:
        both = both & bits
    return both, rest


_Comparison: TypeAlias = "tuple[int, ir.Expr | None, ir.Expr, bool]"
"""Registers from a base and an offset on, the number that they are compared with, and whether they equal it."""


def _comparison(condition: ir.Expr, own: ir.Register) -> _Comparison | None:
    if isinstance(condition, ir.Element):
        return _registers(condition, own, ir.Const(0), False)
    if not isinstance(condition, ir.Operation):
        return None
    if condition.operator == "not":
        return _registers(condition.arguments[0], own, ir.Const(0), True)
    if condition.operator in ("==", "!="):
        for element, number in (condition.arguments, condition.arguments[::-1]):
            if (found := _registers(element, own, number, condition.operator == "==")) is not None:
                return found
    return None


def _registers(element: ir.Expr, own: ir.Register, number: ir.Expr, is_equal: bool) -> _Comparison | None:
    if not isinstance(element, ir.Element) or not _is_plain(number, own):
        return None
    if element.index == own:
        return element.base, None, number, is_equal
    index = element.index
    if isinstance(index, ir.Operation) and index.operator == "+" and own in index.arguments:
        (offset,) = [one for one in index.arguments if one != own] or [own]
        return (element.base, offset, number, is_equal) if _is_plain(offset, own) else None
    return None


_SAFE = frozenset({"+", "-", "*", "%"})


def _is_plain(node: ir.Expr, own: ir.Register) -> bool:
    """Whether an expression is the same for all members and has a value whatever holds."""
    return all(map(_has_value, ir.walk(node))) and own.slot not in registers_read(node)


def _has_value(node: object) -> bool:
    if isinstance(node, ir.Operation):
        divides = node.operator == "%"
        return node.operator in _SAFE and (not divides or isinstance(node.arguments[1], ir.Const))
    return isinstance(node, ir.Const | ir.Register)
