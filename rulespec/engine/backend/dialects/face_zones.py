"""Zones of faces in machine code: the set of the faces in a zone as bits, and the number of cards of each.

Moves update both for the zones that options pick from. Zones that are never read in order have a number of cards only.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cached_property, reduce

from rulespec.engine.backend.analyses.aggregates import weights_of
from rulespec.engine.backend.analyses.zone_reads import ZoneIsRead, ZoneReads
from rulespec.engine.backend.dialects.arrays import SIZES, WORD, Arrays, signed, u64
from rulespec.engine.backend.tree import syntax
from rulespec.engine.backend.tree.available import CardPosition
from rulespec.engine.backend.tree.syntax import Code, assign, call, do, either, increase, name
from rulespec.engine.interpreter.choices import conjuncts
from rulespec.engine.program import ir
from rulespec.language.model.types import NONE

Having = tuple[Sequence[int], ir.Expr]
"""A table and one of its values."""

FACE_SETS, COPIES = name("q"), name("k")
"""The bit set of faces in each zone, and how many cards of each face are there."""

BY_FACE = name("by_face")
"""The position of a card that leaves its zone by its face."""


class FaceZones(Arrays):
    """`read` are zones that are read in order although it does not seem so (see ZoneIsRead)."""

    def __init__(
        self, program: ir.Program, variables: frozenset[int] = frozenset(), read: frozenset[int] = frozenset()
    ) -> None:
        super().__init__(program, variables)
        self.watched = frozenset[int]().union(*self.picked().values()) if len(program.faces) <= WORD else frozenset()
        self.read = read

    # which zones keep what

    @cached_property
    def counted(self) -> frozenset[int]:
        """The zones whose faces moves count: those that are watched, those that a move may name in place of one of
        them, those that a move may name in place of one of these, and so on."""
        moves = (i for i in self.program.code if isinstance(i, ir.Move))
        ends = {frozenset(self.zones_of(end)) for i in moves for end in (i.source, i.target)}
        counted: frozenset[int] = frozenset()
        more = self.watched
        while more != counted:
            counted = more
            more = counted.union(*(zones for zones in ends if not counted.isdisjoint(zones)))
        return counted

    @cached_property
    def unordered(self) -> frozenset[int]:
        """The zones that are never read in order."""
        read = self._reads.zones.union(*(self._reads.named(ir.Const(zone)) for zone in self.read))
        return frozenset(range(len(self.program.zones))) - read

    @cached_property
    def _reads(self) -> ZoneReads:
        return ZoneReads(self.program, self._by_face)

    def _by_face(self, node: ir.Fold | ir.Option) -> bool:
        """Whether code reads only the faces in the zone of a fold or an option."""
        if isinstance(node, ir.Option):
            return bool(self.watched) and self.only_cards(node) is not None
        if node.function == "count" and node.condition is None:
            return True
        weights, zones = weights_of(node, self.program), self._zones_of(node.domain)
        kept = any(weights == one.weights and one.zones >= zones for one in self.aggregates)
        return kept or self._sorted_out(node) is not None

    def _zones_of(self, domain: ir.Domain) -> frozenset[int]:
        return frozenset(self.zones_of(domain.zone)) if isinstance(domain, ir.Cards) else frozenset()

    def _watches(self, zone: ir.Expr) -> bool:
        return not self.counted.isdisjoint(self.zones_of(zone))

    def _all_in(self, zones: frozenset[int], zone: ir.Expr) -> bool:
        return zones.issuperset(self.zones_of(zone))

    # reading

    def ordered(self, zone: ir.Expr) -> Code:
        if not self.unordered.isdisjoint(self.zones_of(zone)):
            raise ZoneIsRead(self._reads.named(zone))
        return super().ordered(zone)

    def kinds(self, zone: ir.Expr, those: frozenset[int] | None) -> Code | None:
        if not self._watches(zone):
            return None
        every = FACE_SETS[self.zone(zone)]
        return self.once(every if those is None else every & u64(sum(1 << face for face in those)))

    @contextmanager
    def elements(self, fold: ir.Fold) -> Iterator[tuple[ir.Expr | None, syntax.Operand]]:
        """Loops over the faces in the zone that have the wanted value in a table, instead of all cards."""
        if (found := self._sorted_out(fold)) is None:
            with super().elements(fold) as element:
                yield element
            return
        zone, (table, value), rest = found
        word, named, card = self.name("c"), self.zone(zone), self.register(fold.slot)
        self.put(assign(FACE_SETS[named] & self._having(table, value), word))
        with self.inside(syntax.repeat(word)):
            self.put(assign(call("lowest_bit", word), card), assign(word & (word - u64(1)), word))
            several = any(n > 1 and table[face] != NONE for face, n in Counter(self.program.cards).items())
            yield rest, COPIES[named * WORD + card] if several else 1

    def _sorted_out(self, fold: ir.Fold) -> tuple[ir.Expr, Having, ir.Expr | None] | None:
        """The zone, the table with the wanted value, and the rest of the condition; None without such a table."""
        domain = fold.domain
        if fold.function == "first" or not isinstance(domain, ir.Cards):
            return None
        if not self.watched.issuperset(self.zones_of(domain.zone)):
            return None
        conditions = list(conjuncts(fold.condition))
        for i, condition in enumerate(conditions):
            if (having := self._about_table(condition, fold.slot)) is not None:
                rest = conditions[:i] + conditions[i + 1 :]
                return domain.zone, having, reduce(_and, rest) if rest else None
        return None

    def _about_table(self, condition: ir.Expr, slot: int) -> Having | None:
        if not isinstance(condition, ir.Operation) or condition.operator != "==":
            return None
        lookup, value = condition.arguments
        if not isinstance(lookup, ir.Lookup) or lookup.index != ir.Register(slot):
            return None
        if not isinstance(value, ir.Const | ir.Register) or value == ir.Register(slot):
            return None
        few = all(lookup.table[card] == NONE or 0 <= lookup.table[card] < WORD for card in self.program.cards)
        return (lookup.table, value) if few else None

    def _having(self, table: Sequence[int], value: ir.Expr) -> Code:
        """The bit set of the faces with a value in a table."""
        words = {v: 0 for v in range(max(table[card] for card in self.program.cards) + 1)}
        for card in set(self.program.cards):
            words[table[card]] = words.get(table[card], 0) | 1 << card
        if isinstance(value, ir.Const):
            return u64(words.get(value.value, 0))
        without, wanted = words.pop(NONE, 0), self.value(value)
        row = self.table([signed(word) for word in words.values()] or [0])[wanted]
        absent = either(syntax.equal(wanted, NONE), signed(without), 0)
        return u64(either(syntax.within(0, wanted, len(words)), row, absent))

    # moving

    def find(self, option: ir.Option, zone: ir.Expr, card: Code) -> Code:
        by_face = self._watches(zone) and self._all_in(self.unordered, zone)
        return BY_FACE if by_face else super().find(option, zone, card)

    def taken_from(self, i: ir.Move) -> Code:
        known = self.available.known_place(i)
        by_face = known is not None and known.where == BY_FACE
        only_numbers = i.how == "every" and i.where is None and self._all_in(self.unordered, i.target)
        return self.zone(i.source) if by_face or only_numbers else self.ordered(i.source)

    def goes(self, i: ir.Move, a: Code, b: Code, card: Code) -> None:
        super().goes(i, a, b, card)
        if self._watches(i.source):
            self.put(do(call("went", COPIES, FACE_SETS, a, card)))
        if self._watches(i.target):
            self.put(do(call("came", COPIES, FACE_SETS, b, card)))

    def placed(self, i: ir.Move, place: CardPosition, a: Code, card: Code, b: Code) -> None:
        if place.where != BY_FACE:
            super().placed(i, place, a, card, b)
            return
        self.goes(i, a, b, card)
        if not self._all_in(self.unordered, i.target):
            self.put(assign(card, self.at(b, SIZES[b])))
        self.put(increase(SIZES[b], 1))
        if self._all_in(self.unordered, i.source):
            self.put(syntax.decrease(SIZES[a], 1))

    def all_go(self, i: ir.Move, a: Code, b: Code) -> None:
        super().all_go(i, a, b)
        if self._watches(i.target):
            if self._watches(i.source):
                self.put(do(call("all_came", COPIES, FACE_SETS, a, b)))
            else:
                with self.each_card(i.source, card := self.name()):
                    self.put(do(call("came", COPIES, FACE_SETS, b, card)))
        if self._watches(i.source):
            self.put(do(call("no_faces", COPIES, FACE_SETS, a)))

    def all_move(self, i: ir.Move, a: Code, b: Code) -> None:
        if self._all_in(self.unordered, i.target):
            self.put(increase(SIZES[b], SIZES[a]), assign(0, SIZES[a]))
        else:
            super().all_move(i, a, b)


def _and(left: ir.Expr, right: ir.Expr) -> ir.Expr:
    return ir.Operation("and", (left, right))
