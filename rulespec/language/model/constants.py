"""Settings of a game, and the value of expressions that are constant in one: players, rulings, tables, arithmetic."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import product, repeat
from math import prod

from rulespec.language.model.operators import OPERATORS
from rulespec.language.model.spec import Spec, StoredValue
from rulespec.language.model.typed import CardField, Const, If, Let, Local, Op, Players, Ruling, Seat, Table, TExpr
from rulespec.language.model.types import Type


@dataclass(frozen=True)
class Setting:
    """One way to set up a game: the number of players, and for every ruling the chosen option, as an index."""

    spec: Spec
    players: int
    chosen: Mapping[str, int]

    def value(self, node: TExpr, given: Mapping[str, int] | None = None, card: int = 0) -> int:
        """The value of a constant expression; `given` for its free names, `card` for the fields of a free card."""
        if isinstance(node, Const):
            return node.value
        if isinstance(node, Players):
            return self.players
        if isinstance(node, Ruling):
            return self.chosen[node.id]
        if isinstance(node, Local):
            return (given or {}).get(node.name, card) if node.type.kind == "card" else (given or {})[node.name]
        if isinstance(node, CardField):
            card = given.get(node.card.name, card) if given and isinstance(node.card, Local) else card
            return self.spec.deck.cards[card][self.spec.deck.column(node.field)]
        if isinstance(node, Table):
            at = tuple(self.value(index, given, card) for index in node.indices)
            return self.spec.tables[node.name].entry(at)
        if isinstance(node, If):
            return self.value(node.then if self.value(node.condition, given, card) else node.otherwise, given, card)
        if isinstance(node, Let):
            return self.value(node.body, {**(given or {}), node.variable: self.value(node.value, given, card)}, card)
        if isinstance(node, Seat):
            return (self.value(node.player, given, card) + node.step) % self.players
        assert isinstance(node, Op), f"{type(node).__name__} is not constant"
        row, (first, *others) = OPERATORS[node.operator], node.arguments
        value = self.value(first, given, card)
        # As in play, what is not evaluated need not have a value: the right side may divide by 0.
        if row.decided(value):
            return value
        return row.apply(value, *(self.value(other, given, card) for other in others))

    def present(self, only_if: TExpr | None) -> bool:
        """Whether a part with this `only_if` is in the game."""
        return only_if is None or bool(self.value(only_if))

    def in_play(self, enum: str) -> tuple[int, ...]:
        """The members of an enum in play, as indices."""
        declared = self.spec.enums[enum]
        every = range(len(declared.members))
        return tuple(i for i in every if declared.in_play is None or self.value(declared.in_play, {enum: i}))

    def starts(self, value: StoredValue) -> Iterator[int]:
        """What each cell of a stored value holds before the game begins."""
        assert value.start is not None
        if isinstance(value.start, Const):
            yield from repeat(value.start.value, self.cells(value))
            return
        for at in product(*(self.places(index.type) for index in value.per)):
            yield self.value(value.start, dict(zip((index.name for index in value.per), at, strict=True)))

    def cells(self, value: StoredValue) -> int:
        """The number of cells of a value, over all its indices."""
        return prod(self.extent(index.type) for index in value.per)

    def extent(self, type_: Type) -> int:
        """The number of values that an index of this type can take, in play or not."""
        if type_.kind == "card":
            return len(self.spec.deck.cards)
        if type_.kind == "int":
            return type_.high - type_.low + 1
        return self.players if type_.kind == "player" else len(self.spec.enums[type_.name].members)

    def places(self, type_: Type) -> range:
        """The values that an index of this type can take, in play or not."""
        return range(type_.low, type_.low + self.extent(type_))

    def contents(self, type_: Type) -> range:
        """The numbers that stand for what a value of this type holds, in play or not."""
        if type_.kind == "bool":
            return range(2)
        return range(1 << self.extent(type_)) if type_.kind == "set" else self.places(type_)

    @cached_property
    def cards(self) -> tuple[int, ...]:
        """The cards in the game, as indices into the manifest: all that are not left out."""
        deck = self.spec.deck
        every = range(len(deck.cards))
        return tuple(c for c in every if deck.leave_out is None or not self.value(deck.leave_out, {}, c))


def settings(spec: Spec, rulings: Mapping[str, int] | None = None) -> list[Setting]:
    """One setting per player count, with the default options except for `rulings`."""
    # A list of its own for each caller: the settings that are kept are shared.
    return list(_settings(spec, tuple(sorted((rulings or {}).items()))))


@lru_cache(maxsize=64)
def _settings(spec: Spec, rulings: tuple[tuple[str, int], ...]) -> tuple[Setting, ...]:
    answers = dict.fromkeys(spec.rulings, 0) | dict(rulings)
    return tuple(Setting(spec, players, answers) for players in spec.players)
