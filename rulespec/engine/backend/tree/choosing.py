"""Writes code that binds the variables of an action: what its number says was picked."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

from rulespec.engine.backend.analyses.hoisting import registers_read
from rulespec.engine.backend.tree import syntax
from rulespec.engine.backend.tree.available import CardPosition
from rulespec.engine.backend.tree.legal_actions import LegalActions, least_of
from rulespec.engine.backend.tree.syntax import Code, assign, decrease, equal, leave, when
from rulespec.engine.interpreter.choices import conjuncts
from rulespec.engine.program import ir
from rulespec.engine.program.sets import groups


class Choosing(LegalActions):
    """Writes the code of options: their legal actions, and what carries out a chosen one."""

    # overridden by dialects

    @abstractmethod
    def chosen(self, collection: Code, size: int, index: Code) -> Code:
        """The element at an index of a collection, in rising order."""

    @abstractmethod
    def taken(self, card: Code) -> Code:
        """Whether another player of the same secret choice has taken a card: 0 or 1."""

    @abstractmethod
    def find(self, option: ir.Option, zone: ir.Expr, card: Code) -> Code:
        """A variable with the position of the first such card in the zone of an option, if there is one."""

    @abstractmethod
    def place(self) -> Code:
        """A variable with the position at which the last written loop over a zone has stopped."""

    @abstractmethod
    def none_taken(self) -> None:
        """Writes: no card is taken yet."""

    @abstractmethod
    def take(self, card: Code) -> None:
        """Writes: a card is taken."""

    # for every dialect

    def bind(self, option: ir.Option, action: Code, secret: bool = False) -> None:
        """Sets the variables of an option for a legal action."""
        self.available.changed(pick.slot for pick in option.picks)
        # The picks, last one first, with the digit of each in the number of an action
        digits, parts = list[tuple[ir.Pick, Code]](), groups(option.picks)
        rest = self.once(action) if len(parts) > 1 else action
        for i, group in enumerate(reversed(parts)):
            last = i == len(parts) - 1
            digit = rest if last else rest % group[0].size
            digits += reversed(self._things(group, digit)) if group[0].ranks else [(group[0], digit)]
            if not last:
                rest = self.once(rest // group[0].size)
        cards = []
        for pick, digit in digits:
            if pick.type.kind == "card":
                cards.append((pick, self.once(digit)))
            else:
                least = least_of(pick)
                self.put(assign(digit + least if least else digit, self.register(pick.slot)))
        if cards:
            about = {pick.slot for pick, _ in cards}
            conditions = [c for c in conjuncts(option.condition) if about & set(registers_read(c))]
            self._settle(option, cards, conditions, secret)

    def _things(self, group: list[ir.Pick], digit: Code) -> list[tuple[ir.Pick, Code]]:
        """The elements of the set with a digit, as digits: each is the highest that adds no more than is left."""
        left, found = self.name(), list[tuple[ir.Pick, Code]]()
        self.put(assign(digit, left))
        for pick in group:
            added, thing = self.table(pick.ranks), self.name()
            self.put(assign(len(pick.ranks) - 1, thing))
            with self.inside(syntax.repeat(added[thing] > left)):
                self.put(decrease(thing, 1))
            self.put(decrease(left, added[thing]))
            found.append((pick, thing))
        return found

    def _settle(
        self, option: ir.Option, cards: list[tuple[ir.Pick, Code]], conditions: list[ir.Expr], secret: bool
    ) -> None:
        """Binds the first cards with these faces that satisfy the condition; cards that no player took come first."""
        if self.cards_are_faces and not secret and len(groups([pick for pick, _ in cards])) < len(cards):
            self.put(*(assign(face, self.register(pick.slot)) for pick, face in cards))
            return
        if len(cards) == 1 and not secret:
            ((pick, face),) = cards
            if self.cards_are_faces and isinstance(pick.domain, ir.Cards):
                place = self.find(option, pick.domain.zone, face)
                self.put(assign(face, self.register(pick.slot)))
                self.available.found(pick.slot, CardPosition(pick.domain.zone, place, True))
                return
            with self._bearers(*cards[0]), self._if_all(conditions):
                self.put(leave())
            domain = cards[0][0].domain
            if isinstance(domain, ir.Cards):
                self.available.found(cards[0][0].slot, CardPosition(domain.zone, self.place(), True))
            return
        found = self.name("s")
        self.put(assign(0, found))
        self._nest(cards, conditions, secret, found)

    def _nest(self, cards: list[tuple[ir.Pick, Code]], conditions: list[ir.Expr], secret: bool, found: Code) -> None:
        (pick, face), *others = cards
        with ExitStack() as stack:
            if secret:
                late = self.name("l")
                stack.enter_context(self.inside(syntax.loop(late, syntax.call("range", 2))))
            with self._bearers(pick, face), ExitStack() as inner:
                if secret:
                    card = self.register(pick.slot)
                    inner.enter_context(self.inside(when(equal(self.taken(card), late))))
                if others:
                    self._nest(others, conditions, secret, found)
                else:
                    with self._if_all(conditions):
                        self.put(assign(1, found))
                self.put(when(found, [leave()]))
            if secret:
                self.put(when(found, [leave()]))

    @contextmanager
    def _bearers(self, pick: ir.Pick, face: Code) -> Iterator[None]:
        card = self.register(pick.slot)
        with self.each(pick.domain, pick.slot), self.inside(when(equal(self.face(card), face))):
            yield

    @contextmanager
    def _if_all(self, conditions: list[ir.Expr]) -> Iterator[None]:
        with ExitStack() as stack:
            for condition in conditions:
                stack.enter_context(self.inside(when(self.test(condition))))
            yield
