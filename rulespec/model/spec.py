"""The sealed model: a game without errors, every expression typed. Engine, checks and texts read only this."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields
from functools import cached_property

from rulespec.diagnostics import Span
from rulespec.model.typed import Domain, Members, Range, TExpr, Value, ZoneRef
from rulespec.model.types import Type
from rulespec.source import Source

Body = tuple["Step", ...]


@dataclass(frozen=True)
class Enum:
    """`in_play` speaks of one member under the enum's own name; absent where all members always are."""

    name: str
    members: tuple[str, ...]
    in_play: TExpr | None
    span: Span


@dataclass(frozen=True)
class Entry:
    """One row of the card manifest: what it stands for, how many cards, and where it comes from."""

    cards: range
    status: str
    sources: tuple[str, ...]
    span: Span


@dataclass(frozen=True)
class Deck:
    """All cards. `cards[c][i]` is field i of card c (NONE where it has none); `faces[c]` the face card c shares.

    `names` says how cards are called, by what the first field of their face holds.
    """

    fields: Mapping[str, Type]
    cards: tuple[tuple[int, ...], ...]
    entries: tuple[Entry, ...]
    face: tuple[str, ...]
    names: Mapping[int, str]
    start: str
    leave_out: TExpr | None
    leave_out_rule: str
    totals: Mapping[str, Mapping[int, int]]

    @cached_property
    def faces(self) -> tuple[int, ...]:
        known: dict[tuple[int, ...], int] = {}
        columns = [list(self.fields).index(name) for name in self.face]
        return tuple(known.setdefault(tuple(card[i] for i in columns), len(known)) for card in self.cards)

    @cached_property
    def first_of_face(self) -> tuple[int, ...]:
        """For every face, the first card that has it."""
        first: dict[int, int] = {}
        for card, face in enumerate(self.faces):
            first.setdefault(face, card)
        return tuple(first[face] for face in range(len(first)))


@dataclass(frozen=True)
class Table:
    """`rows` by index: a number, an enum member or a number of players."""

    name: str
    by: Type
    rows: Mapping[int, int]
    type: Type
    span: Span


@dataclass(frozen=True)
class Zone:
    """`per` is player, an enum or nothing; `seen_by` owner, everybody or nobody, `or_seen_by` where `seen_if` fails."""

    name: str
    title: str
    per: Type | None
    ordered: bool
    seen_if: TExpr | None
    seen_by: str
    or_seen_by: str
    span: Span


@dataclass(frozen=True)
class Index:
    """One index of a value: the name it has in a definition, and its type."""

    name: str
    type: Type


@dataclass(frozen=True)
class StoredValue:
    """A stored value (`start`), or a derived one (`definition`). Without a title, players are not told of it."""

    name: str
    title: str
    per: tuple[Index, ...]
    type: Type
    start: TExpr | None
    definition: TExpr | None
    span: Span


@dataclass(frozen=True)
class Ruling:
    """A question the rulebook leaves open. `answers[0]` is the one taken; the others can be chosen per game."""

    id: str
    question: str
    answers: tuple[str, ...]
    silent: tuple[str, ...]
    span: Span


@dataclass(frozen=True)
class Rule:
    """A rule's public id, its short title, and where it stands; `only_if` says for which rulings or player counts."""

    id: str
    title: str
    note: str
    span: Span
    only_if: TExpr | None = None


@dataclass(frozen=True)
class Invariant:
    id: str
    holds: TExpr
    at: str
    span: Span


@dataclass(frozen=True, kw_only=True)
class Step:
    """`rule` is the id the step carries itself, or empty; `only_if`, constant for a game, says whether it is there."""

    span: Span
    rule: str = ""
    only_if: TExpr | None = None


@dataclass(frozen=True, kw_only=True)
class Note(Step):
    """A rule that people follow and the engine has nothing to do for."""


@dataclass(frozen=True, kw_only=True)
class Do(Step):
    body: Body


@dataclass(frozen=True, kw_only=True)
class If(Step):
    condition: TExpr
    then: Body
    otherwise: Body


@dataclass(frozen=True, kw_only=True)
class Repeat(Step):
    """`while_` is asked before every round, `until` after it; `at_most` rounds in any case where it is given."""

    body: Body
    while_: TExpr | None
    until: TExpr | None
    at_most: TExpr | None


@dataclass(frozen=True, kw_only=True)
class Leave(Step):
    """Ends the innermost repeat."""


@dataclass(frozen=True, kw_only=True)
class Each(Step):
    """Players go round from `start`; cards are taken from the last to the first."""

    variable: str
    domain: Domain
    start: TExpr | None
    but: TExpr | None
    body: Body


@dataclass(frozen=True, kw_only=True)
class Random(Step):
    """One of the domain at random, under a name."""

    variable: str
    domain: Members | Range
    body: Body


@dataclass(frozen=True, kw_only=True)
class Option(Step):
    """One kind of thing a player may do: every combination of picks for which `condition` holds."""

    says: str
    picks: tuple[tuple[str, Domain], ...]
    condition: TExpr | None
    body: Body


@dataclass(frozen=True, kw_only=True)
class Choose(Step):
    """`none` is skip, leave, or empty where something can always be chosen."""

    by: TExpr
    options: tuple[Option, ...]
    none: str


@dataclass(frozen=True, kw_only=True)
class Move(Step):
    """`how` is card, top, random or every, `amount` the card or the number; `where` filters `every` as `variable`."""

    how: str
    amount: TExpr | None
    variable: str
    where: TExpr | None
    source: ZoneRef
    target: ZoneRef


@dataclass(frozen=True, kw_only=True)
class Shuffle(Step):
    zone: ZoneRef


@dataclass(frozen=True, kw_only=True)
class Set(Step):
    target: Value
    value: TExpr


@dataclass(frozen=True, kw_only=True)
class Run(Step):
    procedure: str
    arguments: tuple[tuple[str, TExpr], ...]


@dataclass(frozen=True, kw_only=True)
class Place(Step):
    """Where a drawn card may go; `then` happens once it lies there, with the card under the name `card`."""

    title: str
    says: str
    target: ZoneRef
    face: str
    limit: TExpr
    then: Body


@dataclass(frozen=True, kw_only=True)
class Draft(Step):
    """One player draws cards one by one and puts each into a place that has room."""

    by: TExpr
    source: ZoneRef
    look: ZoneRef
    draws: TExpr
    places: tuple[Place, ...]


@dataclass(frozen=True, kw_only=True)
class Auction(Step):
    """An ascending auction; the bodies know `winner` and `price`, `limit` and `means` the bidder's name."""

    lot: ZoneRef
    bidder: str
    eligible: TExpr | None
    start: TExpr
    opening: TExpr
    increment: TExpr
    cap: TExpr
    limit: TExpr
    means: TExpr
    bid: Option
    passing: Option
    before: Body
    pays: Body
    takes: Body
    cannot_pay: Body
    again_from: TExpr | None
    nobody: Body


@dataclass(frozen=True, kw_only=True)
class Row(Step):
    when: TExpr
    body: Body


@dataclass(frozen=True, kw_only=True)
class Decide(Step):
    """A decision table. `otherwise` is None where the rows are said to leave no gap."""

    hit: str
    rows: tuple[Row, ...]
    otherwise: Body | None


@dataclass(frozen=True, kw_only=True)
class Criterion(Step):
    """One link of a chain of tie-breaks; with `each` the links in `inner`, once per member of a domain."""

    title: str
    high: bool = True
    by: TExpr | None = None
    each: tuple[str, Domain] | None = None
    inner: tuple[Criterion, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Prize(Step):
    """What one place of an award gives: `gives` is set to the player who takes it, if `condition` lets anybody."""

    title: str
    gives: Value
    worth: TExpr | None
    condition: TExpr | None


@dataclass(frozen=True, kw_only=True)
class Award(Step):
    """For every member of `domain`, the places go to the best players in turn."""

    variable: str
    domain: Domain
    player: str
    eligible: TExpr | None
    chain: tuple[Criterion, ...]
    left: str
    places: tuple[Prize, ...]


@dataclass(frozen=True, kw_only=True)
class Rank(Step):
    """The end of the game: the final order. The first criterion is the score."""

    player: str
    chain: tuple[Criterion, ...]
    left: str


@dataclass(frozen=True)
class Procedure:
    name: str
    rule: str
    parameters: tuple[Index, ...]
    body: Body
    span: Span


@dataclass(frozen=True)
class Spec:
    """A whole game, sealed. `digest` names its content: sha256 of the text, in hex."""

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
    source: Source = field(repr=False)
    digest: str = ""

    def steps(self) -> Iterator[Step]:
        """Every step of the game, those of procedures once."""
        for body in (self.setup, self.play, *(p.body for p in self.procedures.values())):
            for step in body:
                yield from nested(step)

    def member(self, type_: Type, value: int) -> str:
        """A value of `type_` as people write it."""
        if type_.kind == "enum":
            ruling = self.rulings.get(type_.name.removeprefix("ruling:")) if ":" in type_.name else None
            return (ruling.answers if ruling else self.enums[type_.name].members)[value]
        if type_.kind == "bool":
            return "true" if value else "false"
        return f"player {value + 1}" if type_.kind == "player" else str(value)


def nested(step: Step) -> Iterator[Step]:
    """A step and all steps inside it."""
    yield step
    for item in fields(step):
        value = getattr(step, item.name)
        for inner in value if isinstance(value, tuple) else (value,):
            if isinstance(inner, Step):
                yield from nested(inner)
