"""Face canonicalisation: a program in which all cards with the same face are one number, if it cannot distinguish them.

Playouts use it instead of the program itself. Zones then hold faces, and no table maps cards to faces. A program
cannot distinguish such cards if it uses a card only to look up its fields, to test whether there is one, and to move it
from a known position. The last condition is checked when the move is written (see `AvailableExpressions`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TypeVar

from rulespec.engine.backend.analyses.rewriting import rewritten
from rulespec.engine.program import ir
from rulespec.language.model.types import NONE

T = TypeVar("T")


class CardsDiffer(Exception):
    """The program may distinguish cards with the same face."""


def by_face(program: ir.Program, write: Callable[[ir.Program, bool], T]) -> T:
    """What `write` returns for the program with faces for cards, or if it may distinguish cards of a face, for the
    program itself. The second argument of `write` says whether it must raise CardsDiffer for a move of a card whose
    position is not known."""
    shown = [program.faces[card] for card in program.cards]
    try:
        return write(_Faces(program).program(), len(set(shown)) < len(shown))
    except CardsDiffer:
        return write(program, False)


class _Faces:
    def __init__(self, program: ir.Program) -> None:
        self.before = program
        self.slots: set[int] = set()
        self.shown = {program.faces[card]: card for card in reversed((*program.cards, *range(len(program.faces))))}
        found = -1
        while found < len(self.slots):  # a register that is set from one with a card holds a card, too
            found = len(self.slots)
            for node in (node for i in program.code for node in ir.walk(i)):
                if (
                    (isinstance(node, ir.Fold | ir.Pick) and isinstance(node.domain, ir.Cards))
                    or (isinstance(node, ir.Bind) and self._is_card(node.value))
                    or (isinstance(node, ir.Move) and node.where is not None)
                ):
                    self.slots.add(node.slot)
                elif isinstance(node, ir.Let) and self._is_card(node.expression):
                    self._certain(isinstance(node.index, ir.Const) and node.size == 1)
                    self.slots.add(node.base + getattr(node.index, "value", 0))

    def program(self) -> ir.Program:
        p = self.before
        for i in p.code:
            if not isinstance(i, ir.Check):
                self._check(i)
        results = {base + seat for base in _results(p) for seat in range(p.players)}
        self._certain(self.slots.isdisjoint(results))
        for start in (p.start[slot] for slot in self.slots if slot >= 0):
            self._certain(start == NONE or p.faces[start] == start)
        faces = tuple(range(len(self.shown)))
        self._certain(set(faces) == self.shown.keys())
        code = tuple(i if isinstance(i, ir.Check) else rewritten(i, self._face) for i in p.code)
        return replace(p, code=code, cards=tuple(p.faces[card] for card in p.cards), faces=faces)

    def _certain(self, holds: bool) -> None:
        if not holds:
            raise CardsDiffer

    # which expressions are cards

    def _is_card(self, node: object) -> bool:
        if isinstance(node, ir.Register):
            return node.slot in self.slots
        if isinstance(node, ir.Choice):
            return self._is_card(node.then) or self._is_card(node.otherwise)
        if isinstance(node, ir.Bind):
            return self._is_card(node.body)
        if isinstance(node, ir.Operation) and node.operator == "??":
            return any(map(self._is_card, node.arguments))
        if isinstance(node, ir.Fold) and isinstance(node.domain, ir.Cards):
            return node.function == "first" or (node.function in ("min", "max") and self._is_card(node.body))
        return isinstance(node, ir.Card)

    # how cards are used

    def _check(self, i: ir.Instruction) -> None:
        for node in ir.walk(i):
            if isinstance(node, ir.Element):
                self._certain(self.slots.isdisjoint(range(node.base, node.base + node.size)))
            elif isinstance(node, ir.Let):
                # A register always holds a card, or never
                slots = self.slots.intersection(range(node.base, node.base + node.size))
                self._certain(not slots or self._is_card(node.expression) or node.expression == ir.Const(NONE))
            elif isinstance(node, ir.Draw):
                self._certain(node.slot not in self.slots)
            elif isinstance(node, ir.Secret):
                self._certain(not any(p.type.kind == "card" for a in node.askings for o in a.options for p in o.picks))
            for name in ir.FOLLOWED[type(node)] or ():
                part = getattr(node, name)
                for one in part if isinstance(part, tuple) else (part,):
                    self._certain(not self._is_card(one) or self._is_uniform(node, name, one))

    def _is_uniform(self, node: object, name: str, card: object) -> bool:
        """Whether this use of a card does not distinguish cards of one face."""
        if isinstance(node, ir.Lookup):
            table, faces = node.table, self.before.faces
            return len(table) == len(faces) and all(table[c] == table[self.shown[faces[c]]] for c in self.before.cards)
        if isinstance(node, ir.Operation):
            asked = node.operator in ("==", "!=") and ir.Const(NONE) in node.arguments
            return asked or (node.operator == "??" and all(self._is_card_or_none(a) for a in node.arguments))
        if isinstance(node, ir.Choice):
            return name != "condition" and self._is_card_or_none(node.then) and self._is_card_or_none(node.otherwise)
        moves = isinstance(node, ir.Move) and node.how == "card" and isinstance(card, ir.Register)
        return moves or (isinstance(node, ir.Let | ir.Bind) and name in ("expression", "value", "body"))

    def _is_card_or_none(self, node: object) -> bool:
        return self._is_card(node) or node == ir.Const(NONE)

    # replacement

    def _face(self, node: object) -> ir.Lookup | None:
        """A lookup by card as a lookup by face."""
        if not isinstance(node, ir.Lookup) or not self._is_card(node.index):
            return None
        table = tuple(node.table[self.shown[face]] for face in range(len(self.shown)))
        return replace(node, table=table, index=rewritten(node.index, self._face))


def _results(program: ir.Program) -> list[int]:
    """The registers of the results of a game, as the first one of each row of players."""
    ranking = program.ranking
    if ranking is None:
        return []
    returns = [ranking.returns] if ranking.returns >= 0 else []
    return [ranking.ranks, *returns, *(key.base for key in ranking.keys)]
