"""The sealed model: a game without errors, every expression typed. Engine, checks and texts read only this."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TypeAlias

from rulespec.diagnostics import Span
from rulespec.model.step import *  # noqa: F403  # whoever speaks of a spec speaks of its steps too, under one name
from rulespec.model.step import Body, Step, nested
from rulespec.model.typed import Domain, TExpr
from rulespec.model.types import Type
from rulespec.source import Source


@dataclass(frozen=True)
class Enum:
    """`in_play` speaks of one member under the enum's own name; absent where all members always are."""

    name: str
    members: tuple[str, ...]
    in_play: TExpr | None
    span: Span


@dataclass(frozen=True)
class ManifestRow:
    """One row of the card manifest: what it stands for, how many cards, and where it comes from.

    `source` is the file it stands in: that of the spec, or of a deck.
    """

    cards: range
    status: str
    sources: tuple[str, ...]
    span: Span
    source: Source = field(repr=False)


@dataclass(frozen=True)
class Deck:
    """All cards. `cards[c][i]` is field i of card c (NONE where it has none); `faces[c]` the face card c shares.

    `names` says how cards are called, by what the first field of their face holds.
    """

    fields: Mapping[str, Type]
    cards: tuple[tuple[int, ...], ...]
    rows: tuple[ManifestRow, ...]
    face: tuple[str, ...]
    names: Mapping[int, str]
    start: str
    leave_out: TExpr | None
    leave_out_rule: str
    totals: Mapping[str, Mapping[int, int]]

    @cached_property
    def _columns(self) -> dict[str, int]:
        return {name: column for column, name in enumerate(self.fields)}

    def column(self, field: str) -> int:
        """The position of a field in every card. Raises KeyError for a field the deck does not have."""
        return self._columns[field]

    @cached_property
    def faces(self) -> tuple[int, ...]:
        known: dict[tuple[int, ...], int] = {}
        columns = [self.column(name) for name in self.face]
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
    options: tuple[str, ...]
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
class Stated:
    """Something the text of a rule must state; an optional one it may leave out, but not contradict."""

    span: Span
    optional: bool


@dataclass(frozen=True)
class Amount(Stated):
    """A number settled before the game: by itself, by the number of players, or for each value of `over`.

    `of` is the concept of the glossary that is counted or measured, "" where none is named.
    """

    value: TExpr
    over: tuple[str, Domain] | None
    of: str


@dataclass(frozen=True)
class CardCount(Stated):
    """How many cards `condition` (on a free card) holds for: of those printed, or only of those in play."""

    condition: TExpr
    in_play: bool
    of: str


@dataclass(frozen=True)
class MemberCount(Stated):
    """How many members of an enum are in play."""

    enum: str
    of: str


@dataclass(frozen=True)
class Bounds(Stated):
    """The lowest and the highest of a range, as they are written: numbers, or the members of an enum."""

    low: str
    high: str


@dataclass(frozen=True)
class Which(Stated):
    """The values a field has on the cards that `condition` (on a free card) holds for, by the number of players."""

    field: str
    condition: TExpr


@dataclass(frozen=True)
class Signs(Stated):
    """What stands on the different faces of the cards that `condition` holds for: for each the numbers of its signs, in
    the order of the fields; 0 is a choice of plus and minus."""

    faces: frozenset[tuple[int, ...]]


@dataclass(frozen=True)
class Order(Stated):
    """Names of the spec (`office.military`, `points`) that the text lists in this order."""

    names: tuple[str, ...]


@dataclass(frozen=True)
class StatedTerms(Stated):
    """Concepts of the glossary that a statement of the rule needs, and where each is written."""

    concepts: tuple[str, ...]
    spans: tuple[Span, ...]


@dataclass(frozen=True)
class Repeated(Stated):
    """Rules whose facts the text may repeat."""

    rules: tuple[str, ...]


Fact: TypeAlias = "Amount | CardCount | MemberCount | Bounds | Which | Signs | Order | StatedTerms | Repeated"


@dataclass(frozen=True)
class Invariant:
    id: str
    holds: TExpr
    at: str
    span: Span


@dataclass(frozen=True)
class Claim:
    """`holds` follows from `given` whatever the value `over` holds: a stored value with one index, an enum."""

    id: str
    over: str
    given: TExpr
    holds: TExpr
    span: Span


@dataclass(frozen=True)
class Procedure:
    name: str
    rule: str
    parameters: tuple[Index, ...]
    body: Body
    span: Span


@dataclass(frozen=True, eq=False)
class Spec:
    """A whole game, sealed. `digest` names its content: sha256 of the text, in hex. Specs are compared by identity."""

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
    digest: str = ""

    def steps(self) -> Iterator[Step]:
        """Every step of the game, those of procedures once."""
        for body in (self.setup, self.play, *(p.body for p in self.procedures.values())):
            for step in body:
                yield from nested(step)

    def member(self, type_: Type, value: int) -> str:
        """A value of `type_` as people write it."""
        if type_.kind == "set":
            return " ".join(m for i, m in enumerate(self.enums[type_.name].members) if value >> i & 1)
        if type_.kind == "enum":
            ruling = self.rulings.get(type_.name.removeprefix("ruling:")) if ":" in type_.name else None
            return (ruling.options if ruling else self.enums[type_.name].members)[value]
        if type_.kind == "bool":
            return "true" if value else "false"
        return f"player {value + 1}" if type_.kind == "player" else str(value)
