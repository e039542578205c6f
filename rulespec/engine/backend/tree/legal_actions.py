"""Writes code that enumerates the legal actions of an option.

`choices.py` defines their meaning. Here actions are counted from the first one of their option.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import replace
from functools import partial

from rulespec.engine.backend.analyses.aggregates import weights_of
from rulespec.engine.backend.analyses.hoisting import always_evaluated, free_folds, registers_read
from rulespec.engine.backend.tree import syntax
from rulespec.engine.backend.tree.expressions import UNSET, ExpressionWriter, is_top
from rulespec.engine.backend.tree.syntax import Code, assign, when
from rulespec.engine.interpreter.choices import PickLoop, arranged
from rulespec.engine.program import ir

Forget = Callable[[int], None]
"""Writes, inside the loop of a level, that the folds which depend on its pick are to be evaluated again."""


class LegalActions(ExpressionWriter):
    """Writes the enumeration of legal actions."""

    keeps_variables = False
    """Whether the variables of picks are reset to 0 after enumeration, as in the interpreter: the state holds them."""

    # overridden by dialects

    @abstractmethod
    def collection(self, size: int) -> Code:
        """A new empty collection of numbers below `size`."""

    @abstractmethod
    def add(self, collection: Code, size: int, element: Code) -> None:
        """Adds an element to a collection."""

    @abstractmethod
    def collected(self, collection: Code, size: int) -> Code:
        """The number of distinct elements of a collection. Nothing is added afterwards."""

    def each_kind(self, zone: ir.Expr, variable: Code) -> AbstractContextManager[None]:
        """A loop over the distinct cards in a zone; it may also repeat them."""
        return self.each_card(zone, variable)

    def kinds(self, zone: ir.Expr, those: frozenset[int] | None) -> Code | None:
        """A collection of the distinct cards in a zone, or of `those` only; None if the dialect needs a loop."""
        return None

    # for every dialect

    def count(self, option: ir.Option) -> tuple[Code, Code]:
        """The number of legal actions of an option, and the collection of them: for a plain interval its first number,
        without picks nothing."""
        if not option.picks:
            return (syntax.number(1) if option.condition is None else self.value(option.condition)), syntax.NOTHING
        if (interval := plain_interval(option)) is not None:
            low, high = self.once(self.value(interval.low)), self.once(self.value(interval.high))
            return syntax.either(low <= high, high - low + 1, 0), low
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
        certain = always_evaluated(option.condition)
        tops = (n for n in certain if isinstance(n, ir.Lookup) and n.maybe and is_top(n.index))
        for node in tops:
            if all(slot >= 0 and slot not in slots for slot in registers_read(node)):
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
                conditions = [*stack.enter_context(self._each(pick, conditions))]
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
        for option in (option for i in self.program.code for option in i.offered):
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
                    if pick.slot not in registers_read(other):
                        return condition, other
        return None

    @contextmanager
    def _that(self, pick: ir.Pick, value: ir.Expr) -> Iterator[None]:
        picked = self.register(pick.slot)
        self.put(assign(self.value(value), picked))
        with self.inside(when(syntax.within(0, picked, pick.size))):
            yield

    @contextmanager
    def _each(self, pick: ir.Pick, conditions: Sequence[ir.Expr]) -> Iterator[Sequence[ir.Expr]]:
        if isinstance(pick.domain, ir.Cards):
            with self.each_kind(pick.domain.zone, self.register(pick.slot)):
                yield conditions
            return
        with self.each_where(pick.domain, pick.slot, conditions) as rest:
            yield rest

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
                about = max((slots.index(s) for s in registers_read(fold) if s in slots), default=-1)
                if about < depth and fold not in self.memory:
                    self.memory[fold] = self.name("m")
                    names.setdefault(about, []).append(self.memory[fold])

        def forget(depth: int) -> None:
            self.put(*(assign(UNSET, name) for name in names.get(depth, ())))

        yield forget
        self.memory = {}


def _plus(base: Code | None, value: Code) -> Code:
    return base + value if base is not None else value


def plain_interval(option: ir.Option) -> ir.Span | None:
    """The interval of an option that picks one number without any condition; None for other options."""
    if len(option.picks) == 1 and option.condition is None and isinstance(option.picks[0].domain, ir.Span):
        return option.picks[0].domain
    return None


def least_of(pick: ir.Pick) -> int:
    return pick.domain.least if isinstance(pick.domain, ir.Span) and pick.type.kind != "card" else 0
