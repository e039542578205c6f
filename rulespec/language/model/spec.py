"""The sealed model: a game without errors, with typed expressions. Engine, checks and texts read nothing else."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from rulespec.base.source import Source
from rulespec.language.model.declarations import *  # noqa: F403  # a spec, its parts and its steps share one namespace
from rulespec.language.model.declarations import (
    Claim,
    Deck,
    Enum,
    Fact,
    Invariant,
    Procedure,
    Rename,
    Rule,
    Ruling,
    StoredValue,
    Table,
    Zone,
    field_of,
)
from rulespec.language.model.step import *  # noqa: F403
from rulespec.language.model.step import Body, Step, inside, nested
from rulespec.language.model.steps.table import *  # noqa: F403
from rulespec.language.model.steps.table import Choose, Draft, Option, Place, Secret
from rulespec.language.model.typed import Const, Op, TExpr
from rulespec.language.model.types import NONE, Type


@dataclass(frozen=True, eq=False)
class Spec:
    """A whole game, sealed. `digest` names its content: sha256 of the text, in hex. Specs are compared by identity.

    `weights` say how often bots try the actions of options and the places of drafts; they are apart from the steps,
    because they are no rules.
    `variant` has the ids of the overlays that are merged into it, joined by `+`; "" for the game alone.
    """

    id: str
    version: str
    title: str
    players: range
    sources: Mapping[str, str]
    enums: Mapping[str, Enum]
    deck: Deck
    tables: Mapping[str, Table]
    zones: Mapping[str, Zone]
    values: Mapping[str, StoredValue]
    rulings: Mapping[str, Ruling]
    rules: Mapping[str, Rule]
    setup: Body
    play: Body
    procedures: Mapping[str, Procedure]
    invariants: tuple[Invariant, ...]
    claims: tuple[Claim, ...]
    source: Source = field(repr=False)
    components: Mapping[str, int] = field(default_factory=dict)
    states: Mapping[str, tuple[Fact, ...]] = field(default_factory=dict)
    weights: Mapping[Option | Place, TExpr] = field(default_factory=dict)
    renamed: tuple[Rename, ...] = ()
    digest: str = ""
    builds_on: str = ""
    variant: str = ""

    def edition(self, players: int) -> Spec:
        """The same game for one number of players only.

        Raises ValueError if the game is not for that number.
        """
        if players not in self.players:
            raise ValueError(f"{self.title} is for {self.players[0]} to {self.players[-1]} players, not for {players}.")
        return replace(self, players=range(players, players + 1))

    @property
    def with_bounds(self) -> dict[str, Zone | StoredValue]:
        """What a game may stop at: zones and values by name, in the order in which bounds number them."""
        return {**self.zones, **self.values}

    def steps(self, core: bool = True) -> Iterator[Step]:
        """Every step of the game; those of a procedure once. Without the `core`, the steps as they are written."""
        for body in (self.setup, self.play, *(p.body for p in self.procedures.values())):
            for step in body:
                yield from nested(step, core)

    def idle(self, players: int) -> list[int]:
        """The seats that decide nothing, as no person sits there: those that no decision names, if all name a seat."""
        decisions = [step for step in self.steps() if isinstance(step, Choose | Draft | Secret)]
        named = [
            one.by.arguments[0]
            for one in decisions
            if not isinstance(one, Secret) and isinstance(one.by, Op) and one.by.operator == "seat"
        ]
        seats = {one.value - 1 for one in named if isinstance(one, Const)}
        return sorted({*range(players)} - seats) if seats and len(named) == len(decisions) else []

    @cached_property
    def option_words(self) -> tuple[str, ...]:
        """The words of every option, each once, with the names of its picks in braces."""
        return tuple(dict.fromkeys(step.says for step in self.steps() if isinstance(step, Option | Place)))

    @cached_property
    def member_rules(self) -> Mapping[str, tuple[Enum, int]]:
        """The rules that the effects of members are, each with its enum and the member."""
        tables = (table for one in self.procedures.values() if one.moment is not None for table in one.body)
        rules = (row.rule for table in tables for row in inside(table))
        named = {rule: rule.partition(".") for rule in rules if rule}
        return {
            rule: (self.enums[owner], self.enums[owner].members.index(name)) for rule, (owner, _, name) in named.items()
        }

    def rules_on(self, card: Sequence[int]) -> list[str]:
        """The rules that stand on a card, given by its values: those of its members that do something."""
        fields = zip(self.deck.fields.items(), card, strict=True)
        held = ((type_, value) for (name, type_), value in fields if type_.kind == "enum" and field_of(name) == name)
        named = (f"{type_.name}.{self.member(type_, value)}" for type_, value in held if value != NONE)
        return [rule for rule in dict.fromkeys(named) if rule in self.member_rules]

    def member(self, type_: Type, value: int) -> str:
        """A value of `type_` as it is written in a spec."""
        if type_.kind == "set":
            return " ".join(m for i, m in enumerate(self.enums[type_.name].members) if value >> i & 1)
        if type_.kind == "enum":
            ruling = self.rulings.get(type_.name.removeprefix("ruling:")) if ":" in type_.name else None
            return (ruling.options if ruling else self.enums[type_.name].members)[value]
        if type_.kind == "bool":
            return "true" if value else "false"
        return f"player {value + 1}" if type_.kind == "player" else str(value)
