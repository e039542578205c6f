"""Which zones a playout reads in order, so that others need not keep the order of their cards.

Zones of one declaration are read alike, since an expression with an index may name any of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeVar

from rulespec.engine.program import ir

T = TypeVar("T")


class ZoneIsRead(Exception):
    """Code that is being written reads a zone in order which was believed to be read never so."""

    def __init__(self, zones: frozenset[int]) -> None:
        super().__init__(zones)
        self.zones = zones


def until_read(write: Callable[[frozenset[int]], T]) -> T:
    """What `write` returns for the zones that are read in order although it does not seem so."""
    read = frozenset[int]()
    while True:
        try:
            return write(read)
        except ZoneIsRead as found:
            read |= found.zones


class ZoneReads:
    """The `zones` of which code reads cards in order. `by_face` says whether a fold or an option needs only the faces
    in its zone."""

    def __init__(self, program: ir.Program, by_face: Callable[[ir.Fold | ir.Option], bool]) -> None:
        self.program, self.by_face = program, by_face
        self.picked = dict(self._picks())
        self.zones = frozenset(zone for i in program.code for at in self._read(i) for zone in self.named(at))
        grown = -1
        while grown < len(self.zones):  # a zone is read if all of its cards move to one that is read
            grown = len(self.zones)
            moves = (i for i in program.code if isinstance(i, ir.Move))
            self.zones = self.zones.union(*(self.named(i.source) for i in moves if self._feeds(i)))

    def named(self, zone: ir.Expr) -> frozenset[int]:
        """All zones of the declaration of a zone."""
        zones = self.program.zones
        name = zones[ir.may_name(zone, zones)[0]][0]
        return frozenset(number for number, (other, _) in enumerate(zones) if other == name)

    def _picks(self) -> Iterator[tuple[int, ir.Expr]]:
        """The registers of cards that options pick by face, with their zones."""
        for i in self.program.code:
            for option in i.options if isinstance(i, ir.Choose) else ():
                if option.picks and self.by_face(option) and isinstance(domain := option.picks[0].domain, ir.Cards):
                    yield option.picks[0].slot, domain.zone

    def _read(self, i: ir.Instruction) -> Iterator[ir.Expr]:
        yield from ir.zones_of(i, ir.Role.ORDERED)
        for node in ir.walk(i):
            if isinstance(node, ir.Card):
                yield node.zone
            elif isinstance(node, ir.Fold | ir.Pick) and isinstance(node.domain, ir.Cards):
                own = isinstance(node, ir.Pick) and self.picked.get(node.slot) == node.domain.zone
                if not own and not (isinstance(node, ir.Fold) and self.by_face(node)):
                    yield node.domain.zone
        if isinstance(i, ir.Move) and (i.where is not None or i.how in ("top", "random") or self._by_position(i)):
            yield i.source

    def _by_position(self, i: ir.Move) -> bool:
        slot = i.amount.slot if isinstance(i.amount, ir.Register) else None
        return i.how == "card" and (slot is None or self.picked.get(slot) != i.source)

    def _feeds(self, i: ir.Move) -> bool:
        return i.how == "every" and not self.zones.isdisjoint(self.named(i.target))
