"""Cards that look alike are one number: a program whose cards are faces, where nothing tells two such cards apart.

Whole games play it instead of the program itself; zones are then full of faces, and no table leads from card to face.
Nothing tells cards apart where a card serves only to look up what is on it, to be asked whether there is one, and to
be moved from where it is known to lie. The last is not seen here: the writer of a move finds out
(see `AvailableExpressions`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields, is_dataclass, replace
from typing import Any, TypeVar

from rulespec.engine import ir
from rulespec.engine.backend.rewriting import rewritten
from rulespec.model.types import NONE

T = TypeVar("T")


class CardsDiffer(Exception):
    """The program may tell cards with the same face apart."""


def by_face(program: ir.Program, write: Callable[[ir.Program, bool], T]) -> T:
    """What `write` makes of a program with faces for cards, or where that may be another game, of the program itself.
    It is told whether it must raise CardsDiffer where a card is moved from it is not known where."""
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
        while found < len(self.slots):  # a register holds a card where one is put into it from another that does
            found = len(self.slots)
            for node in (node for i in program.code for node in ir.walk(i)):
                self._note(node)

    def program(self) -> ir.Program:
        p = self.before
        for i in p.code:
            if not isinstance(i, ir.Check):
                self._check(i)
        told = {base + seat for base in _told(p) for seat in range(p.players)}
        self._certain(self.slots.isdisjoint(told))
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

    def _note(self, node: object) -> None:
        if (
            (isinstance(node, ir.Fold | ir.Pick) and isinstance(node.domain, ir.Cards))
            or (isinstance(node, ir.Bind) and self._is_card(node.value))
            or (isinstance(node, ir.Move) and node.where is not None)
        ):
            self.slots.add(node.slot)
        elif isinstance(node, ir.Let) and self._is_card(node.expression):
            self._certain(isinstance(node.index, ir.Const) and node.size == 1)
            self.slots.add(node.base + getattr(node.index, "value", 0))

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

    # what is done with them

    def _check(self, i: ir.Instruction) -> None:
        for node in ir.walk(i):
            if isinstance(node, ir.Element):
                self._certain(self.slots.isdisjoint(range(node.base, node.base + node.size)))
            elif isinstance(node, ir.Let):
                self._let(node)
            elif isinstance(node, ir.Draw):
                self._certain(node.slot not in self.slots)
            elif isinstance(node, ir.Secret):
                self._certain(not any(p.type.kind == "card" for a in node.askings for o in a.options for p in o.picks))
            for name, part in _parts(node):
                for one in part if isinstance(part, tuple) else (part,):
                    self._certain(not self._is_card(one) or self._may_stand(node, name, one))

    def _let(self, i: ir.Let) -> None:
        """No register holds now a card and now something else."""
        slots = self.slots.intersection(range(i.base, i.base + i.size))
        self._certain(not slots or self._is_card(i.expression) or i.expression == ir.Const(NONE))

    def _may_stand(self, node: object, name: str, card: object) -> bool:
        """Whether a card may stand where it does."""
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

    # the same with faces

    def _face(self, node: object) -> ir.Lookup | None:
        """A table of cards as one of faces."""
        if not isinstance(node, ir.Lookup) or not self._is_card(node.index):
            return None
        table = tuple(node.table[self.shown[face]] for face in range(len(self.shown)))
        return replace(node, table=table, index=rewritten(node.index, self._face))


def _told(program: ir.Program) -> list[int]:
    """Where the results of a game lie, for every player."""
    ranking = program.ranking
    return [ranking.ranks, *(key.base for key in ranking.keys)] if ranking is not None else []


def _parts(node: Any) -> list[tuple[str, Any]]:
    """What may hold expressions, with its name."""
    parts = [(part.name, getattr(node, part.name)) for part in fields(node)] if is_dataclass(node) else []
    return [(name, part) for name, part in parts if is_dataclass(part) or isinstance(part, (tuple, list))]
