"""Conditions as functions over finite domains: the expressions they depend on, and all their possible values."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, field, replace
from itertools import product
from math import prod
from typing import TypeAlias

from rulespec.base.messages import Message, all_of, counted, say
from rulespec.language.model import typed as t
from rulespec.language.model.columns import as_columns
from rulespec.language.model.operators import OPERATORS
from rulespec.language.model.spec import Spec
from rulespec.language.model.substitution import substitute, written_out
from rulespec.language.model.types import NONE, Type, integer, join
from rulespec.proofs.checks.implications import Reads, locals_of, nonempty
from rulespec.proofs.checks.unparse import member, place, text

LARGE = 64
"""Numbers with more values than this are tried only near the numbers they are compared with."""
Pair = tuple[t.TExpr, t.TExpr]
Item: TypeAlias = "int | tuple[int, ...]"
Combination = tuple[Item, ...]
Evaluate = Callable[[Combination], int]


def inline(node: t.TExpr, spec: Spec) -> t.TExpr:
    """The expression with every `let` written out, and with the definitions of values inlined, except those that
    contain a fold or count positions."""
    return _inlined(as_columns(written_out(node), spec.deck), spec)


def _inlined(node: t.TExpr, spec: Spec) -> t.TExpr:
    if not isinstance(node, t.Value):
        if isinstance(node, t.Op):
            return t.Op(node.type, node.operator, tuple(_inlined(a, spec) for a in node.arguments))
        if isinstance(node, t.If):
            return t.If(node.type, *(_inlined(part, spec) for part in (node.condition, node.then, node.otherwise)))
        if isinstance(node, t.CardField):
            return t.CardField(node.type, _inlined(node.card, spec), node.field)
        return node
    declared = spec.values[node.name]
    # At an absent square a value is absent, which its definition does not say.
    nowhere = any(argument.type.optional for argument in node.arguments)
    if (
        declared.definition is None
        or nowhere
        or any(isinstance(one, t.Fold | t.Repeated) for one in t.walk(declared.definition))
    ):
        return node
    given = {index.name: argument for index, argument in zip(declared.per, node.arguments, strict=True)}
    return _inlined(as_columns(substitute(written_out(declared.definition), given), spec.deck), spec)


def leaf(node: t.TExpr) -> t.TExpr | None:
    """The expression that a node makes a condition depend on: the node, or the card of a field; None for arithmetic."""
    if isinstance(node, t.CardField):
        return node.card
    whole = t.Local | t.Value | t.ZoneSize | t.Fold | t.Repeated | t.TopCard | t.NthCard | t.Players | t.Ruling
    return node if isinstance(node, whole) else None


def leaves(node: t.TExpr) -> Iterator[t.TExpr]:
    found = leaf(node)
    if found is not None:
        yield found
        return
    for child in t.children(node):
        yield from leaves(child)


def large(node: t.TExpr) -> bool:
    return leaf(node) is node and node.type.kind == "int" and node.type.high - node.type.low >= LARGE


@dataclass
class Support:
    """The support of a group of conditions: the expressions they depend on.

    A large number that is only compared with constants is tried near those constants (`points`); one in `whole` is
    tried with all values. Of two large numbers that are compared, only their order is tried (`pairs`).
    """

    spec: Spec
    facts: Collection[t.TExpr]
    points: dict[t.TExpr, set[int]] = field(default_factory=dict)
    whole: set[t.TExpr] = field(default_factory=set)
    fields: dict[t.TExpr, list[str]] = field(default_factory=dict)
    singles: list[t.TExpr] = field(default_factory=list)
    pairs: list[Pair] = field(default_factory=list)

    @property
    def count(self) -> t.Players:
        return t.Players(integer(self.spec.players[0], self.spec.players[-1]))

    def add(self, node: t.TExpr) -> None:
        """Adds a condition."""
        if isinstance(node, t.Op) and OPERATORS[node.operator].compares and self._compared(*node.arguments):
            return
        found = leaf(node)
        if found is None:
            if isinstance(node, t.Seat):
                self._single(self.count)
            for child in t.children(node):
                self.add(child)
        elif found.type.kind == "card":
            names = self.fields.setdefault(found, [])
            names += [node.field] if isinstance(node, t.CardField) and node.field not in names else []
        else:
            self.whole.add(found)
            self._single(found)

    def _single(self, node: t.TExpr) -> None:
        """Adds an expression, with the widest type that it has: a condition around it may narrow some of its uses."""
        if node not in self.singles:
            self.singles.append(node)
            return
        at = self.singles.index(node)
        if (wider := join(self.singles[at].type, node.type)) is not None:
            self.singles[at] = replace(node, type=wider)

    def _compared(self, left: t.TExpr, right: t.TExpr) -> bool:
        """Adds a comparison as a whole if its sides have too many values; False if they do not."""
        for number, other in ((left, right), (right, left)):
            if large(number) and isinstance(other, t.Const):
                self._single(number)
                # All numbers between two such constants compare alike, so those beside the constants stand for them.
                self.points.setdefault(number, set()).update((other.value - 1, other.value, other.value + 1))
                return True
        # The fields of two cards do not show whether they are the same card, so that is tried as a whole.
        cards = left.type.kind == right.type.kind == "card"
        if not cards and not any(large(n) for side in (left, right) for n in leaves(side)):
            return False
        if (left, right) not in self.pairs and (right, left) not in self.pairs:
            self.pairs.append((left, right))
        return True

    @property
    def names(self) -> list[t.TExpr | Pair]:
        """The expressions that the conditions depend on, in the order of a combination."""
        return [*self.singles, *self.fields, *self.pairs]

    def domains(self) -> list[list[Item]]:
        """The possible values of each expression."""
        singles: list[list[Item]] = [list(self._values(n)) for n in self.singles]
        pairs: list[list[Item]] = [list(_order(*pair)) for pair in self.pairs]
        return [*singles, *(self._cards(card) for card in self.fields), *pairs]

    def _values(self, node: t.TExpr) -> list[int]:
        if isinstance(node, t.Players):
            return list(self.spec.players)
        every = _every(node.type, self.spec)
        if node in self.points and node not in self.whole:
            near = self.points[node] | {every[0], every[-1]}
            return sorted(v for v in near if v in every) + [NONE] * node.type.optional
        return [*every, *[NONE] * node.type.optional]

    def _cards(self, card: t.TExpr) -> list[Item]:
        """The cards as tuples of the fields that are read, after a 1; for an absent card, 0 and absent fields."""
        columns = [self.spec.deck.column(name) for name in self.fields[card]]
        found: list[Item] = [*sorted({(1, *(c[i] for i in columns)) for c in self.spec.deck.cards})]
        certain = isinstance(card, t.TopCard) and nonempty(card.zone) in self.facts
        return found if found and (certain or not card.type.optional) else [*found, (0, *[NONE] * len(columns))]

    def size(self) -> int:
        """The number of combinations, computed without enumerating them."""
        return prod(map(len, self.domains()))

    def combinations(self) -> Iterator[Combination]:
        """Every possible combination: players are below the player count, and all known facts hold."""
        seats = [i for i, n in enumerate(self.singles) if n.type.kind == "player" and not isinstance(n, t.Players)]
        count = next((i for i, n in enumerate(self.singles) if isinstance(n, t.Players)), None)
        known = [self.function(fact) for fact in self.facts if self.covers(fact)]
        for one in product(*self.domains()):
            playing = one[count] if count is not None else self.spec.players[-1]
            if all(one[i] < playing for i in seats) and all(fact(one) for fact in known):  # type: ignore[operator]
                yield one

    def covers(self, node: t.TExpr) -> bool:
        """Whether a condition depends on these expressions only."""
        if isinstance(node, t.Op) and ((pair := node.arguments) in self.pairs or pair[::-1] in self.pairs):
            return True
        found = leaf(node)
        if found is not None:
            return found in self.singles or found in self.fields
        return all(self.covers(child) for child in t.children(node))

    def entangled(self, reads: Reads) -> bool:
        """Whether two of the expressions depend on the same value, so some combinations may be impossible."""
        seen: set[str] = set()
        for name in self.names:
            read: set[str] = set()
            for part in name if isinstance(name, tuple) else (name,):
                read |= {x for group in reads.of(part) for x in group} | {f"{n}" for n in locals_of(part)}
            if read & seen and not isinstance(name, t.Players | t.Ruling):
                return True
            seen |= read
        return False

    # conditions as functions

    def function(self, node: t.TExpr) -> Evaluate:
        """The value of an expression for a combination."""
        if isinstance(node, t.Op):
            pair = self._pair(node) if OPERATORS[node.operator].compares else None
            return pair or self._operation(node)
        found = leaf(node)
        if found is not None:
            return self._leaf(node, self.names.index(found))
        return self._other(node)

    def _operation(self, node: t.Op) -> Evaluate:
        row, parts = OPERATORS[node.operator], [self.function(a) for a in node.arguments]
        if row.guards is not None:
            first, second = parts
            return lambda one: value if row.decided(value := first(one)) else second(one)
        return lambda one: row.apply(*(part(one) for part in parts))

    def _pair(self, node: t.Op) -> Evaluate | None:
        left, right = node.arguments
        apply = OPERATORS[node.operator].apply
        if (left, right) in self.pairs:
            at = self.names.index((left, right))
            return lambda one: apply(one[at], 0)
        if (right, left) in self.pairs:
            at = self.names.index((right, left))
            return lambda one: apply(0, one[at])
        return None

    def _leaf(self, node: t.TExpr, at: int) -> Evaluate:
        if isinstance(node, t.CardField):
            column = 1 + self.fields[node.card].index(node.field)
            return lambda one: one[at][column]  # type: ignore[index]
        if node.type.kind == "card":
            # Here a card is only compared with `none`; two cards are compared as a pair.
            return lambda one: 0 if one[at][0] else NONE  # type: ignore[index]
        return lambda one: one[at]  # type: ignore[return-value]

    def _other(self, node: t.TExpr) -> Evaluate:
        if isinstance(node, t.If):
            condition, then, otherwise = (self.function(n) for n in (node.condition, node.then, node.otherwise))
            return lambda one: then(one) if condition(one) else otherwise(one)
        if isinstance(node, t.Table):
            entry, indices = self.spec.tables[node.name].entry, tuple(map(self.function, node.indices))
            return lambda one: entry(tuple(index(one) for index in indices))
        if isinstance(node, t.Seat):
            player, count = self.function(node.player), self.function(self.count)
            return lambda one: (player(one) + node.step) % count(one)
        assert isinstance(node, t.Const)
        return lambda one: node.value

    # words

    def words(self, one: Combination, matter: Collection[int]) -> str:
        """The relevant part of a combination, in words; "always" if no part of it is."""
        return all_of([part for at in sorted(matter) for part in self._said(self.names[at], one[at])]) or "always"

    def _said(self, name: t.TExpr | Pair, item: Item) -> Iterator[Message]:
        if isinstance(name, tuple):
            left, right = (text(self.spec, side) for side in name)
            yield say(_COMPARED[1 + _sign(item)], left=left, right=right)
        elif isinstance(item, tuple):
            yield from self._card(name, item)
        elif isinstance(name, t.Players):
            yield counted("there is {number} player", "there are {number} players", _sign(item))
        else:
            yield say("`{value}` is {content}", value=text(self.spec, name), content=member(self.spec, name.type, item))

    def _card(self, card: t.TExpr, item: tuple[int, ...]) -> Iterator[Message]:
        if not item[0] or len(item) == 1:
            zone = isinstance(card, t.TopCard) and place(self.spec, card.zone)
            where = say("in `{zone}`", zone=zone) if zone else say("as `{card}`", card=text(self.spec, card))
            yield (
                say("there is a card {where}", where=where) if item[0] else say("there is no card {where}", where=where)
            )
            return
        for name, value in zip(self.fields[card], item[1:], strict=True):
            content = member(self.spec, self.spec.deck.fields[name], value)
            yield say("`{value}` is {content}", value=f"{text(self.spec, card)}.{name}", content=content)


_COMPARED = (
    say("`{left}` is less than `{right}`"),
    say("`{left}` is equal to `{right}`"),
    say("`{left}` is more than `{right}`"),
)
"""A pair in words, by the sign of their difference."""


def _sign(item: Item) -> int:
    return item if isinstance(item, int) else 0


def _every(type_: Type, spec: Spec) -> range:
    if type_.kind == "enum":
        # The options of a ruling are an enum, too. Its name has a colon, which no declared enum has.
        ruling = spec.rulings.get(type_.name.removeprefix("ruling:")) if ":" in type_.name else None
        return range(len(ruling.options if ruling else spec.enums[type_.name].members))
    sizes = {"bool": range(2), "player": range(spec.players[-1])}
    return sizes.get(type_.kind, range(type_.low, type_.high + 1))


def _order(left: t.TExpr, right: t.TExpr) -> list[int]:
    """The possible results of a three-way comparison: -1 (less), 0 (equal), 1 (more)."""
    a, b = left.type, right.type
    if a.kind != "int" or b.kind != "int":
        # Players and cards have no order: 1 stands for different ones.
        return [-1, 0, 1] if a.kind == "enum" else [0, 1]
    possible = {-1: a.low < b.high, 0: a.low <= b.high and b.low <= a.high, 1: a.high > b.low}
    return [sign for sign, can in possible.items() if can]
