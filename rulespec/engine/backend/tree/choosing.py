"""Writes code that enumerates the legal actions of an option, and code that binds the variables of an action.

`choices.py` defines their meaning. Here actions are counted from the first one of their option.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import fields, is_dataclass, replace
from functools import partial
from typing import Any

from rulespec.engine.backend.analyses.aggregates import weights_of
from rulespec.engine.backend.tree.available import CardPosition
from rulespec.engine.backend.tree.expressions import UNSET, ExpressionWriter, is_top
from rulespec.engine.backend.tree.syntax import (
    NOTHING,
    Code,
    Operand,
    assign,
    call,
    decrease,
    either,
    equal,
    leave,
    loop,
    number,
    repeat,
    when,
    within,
)
from rulespec.engine.interpreter.choices import PickLoop, arranged, conjuncts
from rulespec.engine.program import ir
from rulespec.engine.program.sets import groups

Forget = Callable[[int], None]
"""Writes, inside the loop of a level, that the folds which depend on its pick are to be evaluated again."""


class Choosing(ExpressionWriter):
    """Writes the code of options."""

    keeps_variables = False
    """Whether the variables of picks are reset to 0 after enumeration, as in the interpreter: the state holds them."""

    # overridden by dialects

    @abstractmethod
    def draw(self, stream: str, bound: Operand, drawn: Code | None = None) -> Code:
        """Draws a random number below a bound; returns its variable (a new one unless `drawn` is given)."""

    @abstractmethod
    def collection(self, size: int) -> Code:
        """A new empty collection of numbers below `size`."""

    @abstractmethod
    def add(self, collection: Code, size: int, element: Code) -> None:
        """Adds an element to a collection."""

    @abstractmethod
    def collected(self, collection: Code, size: int) -> Code:
        """The number of distinct elements of a collection. Nothing is added afterwards."""

    @abstractmethod
    def chosen(self, collection: Code, size: int, index: Code) -> Code:
        """The element at an index of a collection, in rising order."""

    @abstractmethod
    def taken(self, card: Code) -> Code:
        """Whether another player of the same secret choice has taken a card: 0 or 1."""

    @abstractmethod
    def find(self, option: ir.Option, zone: ir.Expr, card: Code) -> Code:
        """A variable with the position of the first such card in the zone of an option, if there is one."""

    def each_kind(self, zone: ir.Expr, variable: Code) -> AbstractContextManager[None]:
        """A loop over the distinct cards in a zone; it may also repeat them."""
        return self.each_card(zone, variable)

    def kinds(self, zone: ir.Expr, those: frozenset[int] | None) -> Code | None:
        """A collection of the distinct cards in a zone, or of `those` only; None if the dialect needs a loop."""
        return None

    @abstractmethod
    def place(self) -> Code:
        """A variable with the position at which the last written loop over a zone has stopped."""

    @abstractmethod
    def none_taken(self) -> None:
        """Writes: no card is taken yet."""

    @abstractmethod
    def take(self, card: Code) -> None:
        """Writes: a card is taken."""

    @abstractmethod
    def move(self, i: ir.Move) -> None:
        """Writes a move of cards."""

    @abstractmethod
    def shuffle(self, i: ir.Shuffle) -> None:
        """Writes the shuffling of a zone."""

    def draw_from(self, domain: ir.Items | ir.Ring | ir.Span) -> Code:
        """A random element of a domain."""
        if isinstance(domain, ir.Span):
            low = self.once(self.value(domain.low))
            return low + self.draw("deal", self.value(domain.high) + 1 - low)
        if isinstance(domain, ir.Ring):
            table, begin, length = self.ring(domain)
            return table[begin + self.draw("deal", length)]
        drawn = self.draw("deal", len(domain.values))
        return drawn if domain.values == tuple(range(len(domain.values))) else self.table(domain.values)[drawn]

    def instruction(self, i: ir.Instruction) -> None:
        """Writes what an instruction does to the state."""
        WRITTEN[type(i)](self, i)

    def _let(self, i: ir.Let) -> None:
        element = self.element(i.base, i.index)
        self.put(assign(self.value(i.expression), element))

    def random(self, i: ir.Draw) -> None:
        """Writes a draw from a domain."""
        register = self.register(i.slot)
        self.put(assign(self.draw_from(i.domain), register))

    def _nothing(self, i: ir.Instruction) -> None:
        """The instruction only reports something, or only says where the program goes on."""

    # legal actions

    def count(self, option: ir.Option) -> tuple[Code, Code]:
        """The number of legal actions of an option, and the collection of them: for a plain interval its first number,
        without picks nothing."""
        if not option.picks:
            return (number(1) if option.condition is None else self.value(option.condition)), NOTHING
        if (interval := plain_interval(option)) is not None:
            low, high = self.once(self.value(interval.low)), self.once(self.value(interval.high))
            return either(low <= high, high - low + 1, 0), low
        if (about := self.only_cards(option)) is not None and (kinds := self.kinds(*about)) is not None:
            return self.collected(kinds, option.size), kinds
        collection = self.collection(option.size)
        self.collect(option, collection)
        return self.collected(collection, option.size), collection

    def collect(self, option: ir.Option, collection: Code, base: Code | None = None) -> None:
        """Adds the legal actions of an option with picks, other than a plain interval, counted from `base`."""
        slots = {pick.slot for pick in option.picks}
        self.available.changed(slots)
        guard, levels = arranged(option)
        certain = _always_evaluated(option.condition)
        tops = (n for n in certain if isinstance(n, ir.Lookup) and n.maybe and is_top(n.index))
        for node in tops:
            if all(slot >= 0 and slot not in slots for slot in _registers(node)):
                self.value(node)  # once, not for every action
        with ExitStack() as stack, self.remembered(levels) as forget:
            forget(-1)
            for condition in guard:
                stack.enter_context(self.inside(when(self.test(condition))))
            self._try(levels, 0, base, forget, partial(self.add, collection, option.size))

    def _try(
        self, levels: Sequence[PickLoop], depth: int, base: Code | None, forget: Forget, found: Callable[[Code], None]
    ) -> None:
        """Writes the loops over the picks from a level on; `found` writes what is done with each action."""
        pick, stride, conditions = levels[depth]
        with ExitStack() as stack:
            if (only := self._only(pick, conditions)) is not None:
                conditions = [condition for condition in conditions if condition is not only[0]]
                stack.enter_context(self._that(pick, only[1]))
            else:
                stack.enter_context(self._each(pick))
            forget(depth)
            for condition in conditions:
                stack.enter_context(self.inside(when(self.test(condition))))
            digit = self.number(pick, self.register(pick.slot))
            action = _plus(base, digit if stride == 1 else digit * stride)
            if depth + 1 < len(levels):
                self._try(levels, depth + 1, action, forget, found)
            else:
                found(action)
        if self.keeps_variables:
            self.put(assign(0, self.register(pick.slot)))

    def picked(self) -> dict[frozenset[int] | None, frozenset[int]]:
        """The zones that options pick one card from by a condition on the card alone, by the cards that satisfy it."""
        found: dict[frozenset[int] | None, frozenset[int]] = {}
        for option in (node for i in self.program.code for node in ir.walk(i) if isinstance(node, ir.Option)):
            if option.picks and (about := self.only_cards(option)) is not None:
                zone, those = about
                found[those] = found.get(those, frozenset()).union(self.zones_of(zone))
        return found

    def only_cards(self, option: ir.Option) -> tuple[ir.Expr, frozenset[int] | None] | None:
        """The zone that an option picks one card from, and the cards that satisfy its condition (None for all); None if
        cards are not faces or the condition depends on anything else."""
        domain = option.picks[0].domain
        if len(option.picks) > 1 or not self.cards_are_faces or not isinstance(domain, ir.Cards):
            return None
        if option.condition is None:
            return domain.zone, None
        weights = weights_of(ir.Fold("count", option.picks[0].slot, domain, option.condition, None), self.program)
        return (domain.zone, frozenset(c for c, w in enumerate(weights) if w)) if weights is not None else None

    def _only(self, pick: ir.Pick, conditions: list[ir.Expr]) -> tuple[ir.Expr, ir.Expr] | None:
        """A condition that determines the pick (`==`), and its value; None if there is none."""
        own, domain = ir.Register(pick.slot), pick.domain
        if not pick.ranks and isinstance(domain, ir.Items) and domain.values == tuple(range(len(domain.values))):
            for condition in conditions:
                if isinstance(condition, ir.Operation) and condition.operator == "==" and own in condition.arguments:
                    (other,) = [a for a in condition.arguments if a != own] or [own]
                    if pick.slot not in _registers(other):
                        return condition, other
        return None

    @contextmanager
    def _that(self, pick: ir.Pick, value: ir.Expr) -> Iterator[None]:
        picked = self.register(pick.slot)
        self.put(assign(self.value(value), picked))
        with self.inside(when(within(0, picked, pick.size))):
            yield

    def _each(self, pick: ir.Pick) -> AbstractContextManager[None]:
        if isinstance(pick.domain, ir.Cards):
            return self.each_kind(pick.domain.zone, self.register(pick.slot))
        return self.each(pick.domain, pick.slot)

    def number(self, pick: ir.Pick, value: Code) -> Code:
        """The digit of a picked value in the number of an action, or what it adds to the digit of a set."""
        if pick.ranks:
            return self.table(pick.ranks)[self.number(replace(pick, ranks=()), value)]
        if pick.type.kind == "card":
            return self.face(value)
        least = least_of(pick)
        return value - least if least else value

    @property
    def cards_are_faces(self) -> bool:
        return self.program.faces == tuple(range(len(self.program.faces)))

    def face(self, card: Code) -> Code:
        return card if self.cards_are_faces else self.table(self.program.faces)[card]

    @contextmanager
    def remembered(self, levels: Sequence[PickLoop]) -> Iterator[Forget]:
        """Hoists folds out of the loops over picks: a fold that does not depend on the innermost pick is evaluated once
        for the picks that it depends on, on first use."""
        slots = [pick.slot for pick, _, _ in levels]
        names: dict[int, list[Code]] = {}
        for depth, (_, _, conditions) in enumerate(levels):
            for fold in (f for condition in conditions for f in free_folds(condition, frozenset(slots))):
                about = max((slots.index(s) for s in _registers(fold) if s in slots), default=-1)
                if about < depth and fold not in self.memory:
                    self.memory[fold] = self.name("m")
                    names.setdefault(about, []).append(self.memory[fold])

        def forget(depth: int) -> None:
            self.put(*(assign(UNSET, name) for name in names.get(depth, ())))

        yield forget
        self.memory = {}

    # binding

    def bind(self, option: ir.Option, action: Code, secret: bool = False) -> None:
        """Sets the variables of an option for a legal action."""
        self.available.changed(pick.slot for pick in option.picks)
        digits = self._digits(option, action)
        cards = []
        for pick, digit in digits:
            if pick.type.kind == "card":
                cards.append((pick, self.once(digit)))
            else:
                least = least_of(pick)
                self.put(assign(digit + least if least else digit, self.register(pick.slot)))
        if cards:
            about = {pick.slot for pick, _ in cards}
            conditions = [c for c in conjuncts(option.condition) if about & set(_registers(c))]
            self._settle(option, cards, conditions, secret)

    def _digits(self, option: ir.Option, action: Code) -> list[tuple[ir.Pick, Code]]:
        """The picks, last one first, with the digit of each in the number of an action."""
        found, parts = list[tuple[ir.Pick, Code]](), groups(option.picks)
        rest = self.once(action) if len(parts) > 1 else action
        for i, group in enumerate(reversed(parts)):
            last = i == len(parts) - 1
            digit = rest if last else rest % group[0].size
            found += reversed(self._things(group, digit)) if group[0].ranks else [(group[0], digit)]
            if not last:
                rest = self.once(rest // group[0].size)
        return found

    def _things(self, group: list[ir.Pick], digit: Code) -> list[tuple[ir.Pick, Code]]:
        """The elements of the set with a digit, as digits: each is the highest that adds no more than is left."""
        left, found = self.name(), list[tuple[ir.Pick, Code]]()
        self.put(assign(digit, left))
        for pick in group:
            added, thing = self.table(pick.ranks), self.name()
            self.put(assign(len(pick.ranks) - 1, thing))
            with self.inside(repeat(added[thing] > left)):
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
                stack.enter_context(self.inside(loop(late, call("range", 2))))
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


def _plus(base: Code | None, value: Code) -> Code:
    return base + value if base is not None else value


def plain_interval(option: ir.Option) -> ir.Span | None:
    """The interval of an option that picks one number without any condition; None for other options."""
    if len(option.picks) == 1 and option.condition is None and isinstance(option.picks[0].domain, ir.Span):
        return option.picks[0].domain
    return None


def least_of(pick: ir.Pick) -> int:
    return pick.domain.least if isinstance(pick.domain, ir.Span) and pick.type.kind != "card" else 0


def _registers(node: object) -> Iterator[int]:
    return (n.slot for n in ir.walk(node) if isinstance(n, ir.Register))


def _always_evaluated(node: object) -> Iterator[object]:
    """The parts of an expression that can be evaluated wherever it is: not those that rely on a condition in it."""
    if isinstance(node, tuple | list):
        for part in node:
            yield from _always_evaluated(part)
    elif is_dataclass(node):
        yield node
        relying = _RELYING.get(type(node), ()) if getattr(node, "condition", None) is not None else ()
        for item in fields(node):
            if item.name not in (*relying, "table"):
                yield from _always_evaluated(getattr(node, item.name))


_RELYING: dict[type, tuple[str, ...]] = {ir.Choice: ("then", "otherwise"), ir.Fold: ("body",)}
"""The fields of an expression that may have no value where its condition does not hold."""


def free_folds(condition: ir.Expr, picks: frozenset[int]) -> Iterator[ir.Fold]:
    """The outermost folds of a condition that depend on the state and the picks only."""
    if isinstance(condition, ir.Fold):
        inner = {n.slot for n in ir.walk(condition) if isinstance(n, ir.Fold | ir.Bind)}
        if all(slot >= 0 or slot in picks or slot in inner for slot in _registers(condition)):
            yield condition
            return
    for part in _parts(condition):
        yield from free_folds(part, picks)


def _parts(node: ir.Expr) -> Iterator[ir.Expr]:
    if isinstance(node, ir.Operation):
        yield from node.arguments
    elif isinstance(node, ir.Choice):
        yield from (node.condition, node.then, node.otherwise)
    elif isinstance(node, ir.Bind):
        yield from (node.value, node.body)


WRITTEN: dict[type[ir.Instruction], Callable[[Choosing, Any], None]] = {
    ir.Let: Choosing._let,
    ir.Draw: lambda writer, i: writer.random(i),
    ir.Move: lambda writer, i: writer.move(i),
    ir.Shuffle: lambda writer, i: writer.shuffle(i),
    **dict.fromkeys((ir.Mark, ir.Show, ir.Note, ir.Check, ir.SetupEnds, ir.Branch, ir.Jump), Choosing._nothing),
}
"""The code of each instruction. Choices and the end are written by `playout.py` and `segments.py`."""
