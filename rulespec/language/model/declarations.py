"""What a spec declares: enums, cards, tables, zones, values, rulings, rules, facts, invariants and claims."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal, TypeAlias, TypeVar

from rulespec.base.diagnostics import Span
from rulespec.language.model.sight import OPEN, Sight
from rulespec.language.model.step import Body
from rulespec.language.model.typed import Domain, TExpr
from rulespec.language.model.types import NONE, Type

_Index = TypeVar("_Index")
Word = Callable[[Type, int], str]
"""The word for a value of a type."""


@dataclass(frozen=True)
class Enum:
    """An enum. `in_play` is a condition on one member, bound to the name of the enum; None if all are in play. `places`
    are the column and the row of every square of a grid, both from 1 or from the lowest number; empty for others."""

    name: str
    members: tuple[str, ...]
    in_play: TExpr | None
    span: Span
    places: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True)
class ManifestRow:
    """One row of the card manifest: its cards, their status and the sources that print them. `reads` is the table with
    its numbers of copies, or ""."""

    cards: range
    status: str
    sources: tuple[str, ...]
    span: Span
    reads: str = ""


@dataclass(frozen=True)
class PerMember:
    """A field with a value for each member of an enum: a column of its own for each holds them, in the order of the
    members."""

    name: str
    enum: str
    type: Type
    columns: tuple[str, ...]
    span: Span

    def __str__(self) -> str:
        return f"{{per: {self.enum}, type: {self.type}}}"

    @property
    def table(self) -> str:
        """The table by card and member that expressions with a computed member read. No enum can be named `card`."""
        return f"card.{self.name}"

    @property
    def unwritten(self) -> int | None:
        """What a member has that a row does not write; None if rows must write all members."""
        if self.type.optional:
            return NONE
        return 0 if self.type.kind == "bool" or (self.type.kind == "int" and self.type.contains(0)) else None

    def words(self, values: Iterable[int], word: Word) -> str:
        """The values of members in words, without those that need not be written: `4 green 1 red`."""
        by, written = Type("enum", self.enum), [(at, one) for at, one in enumerate(values) if one != self.unwritten]
        if self.type.kind == "bool":
            return " ".join(word(by, at) for at, one in written if one)
        pairs = ((word(by, at), word(self.type, one)) for at, one in written if one != NONE)
        return " ".join(f"{one} {member}" if self.type.kind == "int" else f"{member} {one}" for member, one in pairs)


def column_of(field: str, member: str) -> str:
    """The field with the value of one member, as expressions write it: `cost[green]`."""
    return f"{field}[{member}]"


def field_of(column: str) -> str:
    """The declared field that a column belongs to."""
    return column.partition("[")[0]


@dataclass(frozen=True)
class Deck:
    """All cards. `cards[c][i]` is field i of card c, or NONE; `faces[c]` is the number of its face.

    `names` maps a value of the first field of the face to the name of a card. `per_member` has the fields with a value
    for each member of an enum; `fields` and `face` have their columns.
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
    per_member: Mapping[str, PerMember] = field(default_factory=dict)

    @cached_property
    def declared(self) -> Mapping[str, Type]:
        """The fields as the spec declares them: one with a value for each member has the type of these."""
        return {
            name: self.per_member[name].type if name in self.per_member else self.fields[columns[0]]
            for name, columns in self.together(self.fields)
        }

    def columns_of(self, field: str) -> tuple[str, ...]:
        """The columns of a declared field."""
        return self.per_member[field].columns if field in self.per_member else (field,)

    def words(self, card: Sequence[int], fields: Iterable[str], word: Word) -> dict[str, str]:
        """What a card has in some columns, in words by the names of the fields."""
        return {name: self._words(card, name, columns, word) for name, columns in self.together(fields)}

    def _words(self, card: Sequence[int], name: str, columns: Sequence[str], word: Word) -> str:
        values = [card[self.column(column)] for column in columns]
        if name in self.per_member:
            return self.per_member[name].words(values, word)
        return word(self.fields[name], values[0])

    def together(self, fields: Iterable[str]) -> list[tuple[str, tuple[str, ...]]]:
        """The names of fields, each with its columns among `fields`: those of one field follow each other."""
        found: dict[str, tuple[str, ...]] = {}
        for column in fields:
            name = field_of(column)
            found[name] = (*found.get(name, ()), column)
        return list(found.items())

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
        """The first card of each face."""
        first: dict[int, int] = {}
        for card, face in enumerate(self.faces):
            first.setdefault(face, card)
        return tuple(first[face] for face in range(len(first)))


@dataclass(frozen=True)
class Table:
    """A table: `rows` maps each combination of its indices to a value: numbers, enum members, or player counts at the
    positions in `counts`. One that is `computed` follows from the declaration of a board."""

    name: str
    by: tuple[Type, ...]
    rows: Mapping[tuple[int, ...], int]
    type: Type
    counts: frozenset[int]
    span: Span
    computed: bool = False

    def entry(self, indices: tuple[int, ...]) -> int:
        """The entry for stored values of the indices; NONE if there is none, as for an absent member."""
        return self.rows.get(indices, NONE)

    @property
    def by_players(self) -> bool:
        """Whether the only index is the number of players."""
        return len(self.by) == 1 and 0 in self.counts


def owner_among(indices: Sequence[Type]) -> int | None:
    """The position of the index that is the owner: the only player among them."""
    players = [position for position, type_ in enumerate(indices) if type_.kind == "player"]
    return players[0] if len(players) == 1 else None


@dataclass(frozen=True)
class Zone:
    """A zone, or one for each content of the indices in `per`.

    `names` are those of the indices in a condition of `sight`; `holds` is the most cards that each can hold,
    constant in a setting.
    """

    name: str
    title: str
    per: tuple[Type, ...]
    names: tuple[str, ...]
    ordered: bool
    sight: Sight
    span: Span
    holds: TExpr | None = None

    @property
    def owned_by(self) -> int | None:
        """The position of the index that is the owner: the only player among them."""
        return owner_among(self.per)

    def owner(self, indices: Sequence[_Index]) -> _Index | None:
        """The owner among the indices of one such zone; None if it has none."""
        return indices[self.owned_by] if self.owned_by is not None else None


@dataclass(frozen=True)
class Index:
    """One index of a value: its name inside a definition, and its type."""

    name: str
    type: Type


@dataclass(frozen=True)
class StoredValue:
    """A stored value (with `start`) or a derived one (with `definition`). Players see it only if it has a title, and a
    stored one only if they belong to `sight`. If it is `bounded`, a game that would set it to a number outside of its
    type stops. `stock` is the stock whose tokens it counts, empty for other values; `kind` is the type of its last
    index if that says which kind of tokens."""

    name: str
    title: str
    per: tuple[Index, ...]
    type: Type
    start: TExpr | None
    definition: TExpr | None
    span: Span
    sight: Sight = OPEN
    bounded: bool = False
    stock: str = ""
    kind: Type | None = None


@dataclass(frozen=True)
class Ruling:
    """A question that the rulebook leaves open. `options[0]` is the default; a game can choose another one."""

    id: str
    question: str
    options: tuple[str, ...]
    silent: tuple[str, ...]
    span: Span


Origin = Literal["rulebook", "base_game", "component", "ours"]
"""The text that states a rule: the rulebook, that of the game it builds on, a component, or none."""

RULEBOOK: Origin = "rulebook"


@dataclass(frozen=True)
class Rule:
    """The public id of a rule, its title and its span; `only_if` limits it to some rulings or player counts.

    `says` are the words of an option that has no title; its title is made of them (see `title_of`). `origin` says which
    text states it. `assumes` holds expressions with the narrower types that they have wherever play reaches the rule,
    because of conditions around it; a position set up by hand must fit them.
    """

    id: str
    title: str
    note: str
    span: Span
    only_if: TExpr | None = None
    origin: Origin = RULEBOOK
    assumes: tuple[tuple[TExpr, Type], ...] = ()
    says: str = ""

    @property
    def in_rulebook(self) -> bool:
        """Whether the rulebook of the game states it."""
        return self.origin == RULEBOOK


def title_of(says: str) -> str:
    """The words of an option as a title: “take …” for “take {gems}”, as it is the same whatever is picked."""
    return re.sub(r"\{\w*\}", "…", says)


@dataclass(frozen=True)
class Stated:
    """A fact that the text of a rule must state. It may leave out an optional fact, but not contradict it."""

    span: Span
    optional: bool


@dataclass(frozen=True)
class Amount(Stated):
    """A number known before the game, perhaps by player count, or for each value of `over`.

    `of` is the glossary concept that is counted or measured, or empty; `declared` the value that starts with it.
    """

    value: TExpr
    over: tuple[str, Domain] | None
    of: str
    declared: str = ""


@dataclass(frozen=True)
class CardCount(Stated):
    """The number of cards that meet `condition`, among all printed cards or only those in play."""

    condition: TExpr
    in_play: bool
    of: str


@dataclass(frozen=True)
class MemberCount(Stated):
    """The number of members of an enum in play."""

    enum: str
    of: str


@dataclass(frozen=True)
class PartCount(Stated):
    """The number of parts of the game with these names: rules, zones or values."""

    names: tuple[str, ...]
    of: str


@dataclass(frozen=True)
class Bounds(Stated):
    """The bounds of the range of a value, a field or an enum (`declared`) as they are written: numbers or members."""

    low: str
    high: str
    declared: str = ""


@dataclass(frozen=True)
class Which(Stated):
    """The values of a field on the cards that meet `condition`, by player count."""

    field: str
    condition: TExpr


@dataclass(frozen=True)
class Signs(Stated):
    """The signed numbers on the faces of the cards that meet a condition, in the order of the fields; 0 is a choice of
    plus and minus."""

    faces: frozenset[tuple[int, ...]]


@dataclass(frozen=True)
class Order(Stated):
    """Names of the spec that the text lists in this order."""

    names: tuple[str, ...]


@dataclass(frozen=True)
class StatedTerms(Stated):
    """Glossary concepts that the text must mention, and the span of each."""

    concepts: tuple[str, ...]
    spans: tuple[Span, ...]


@dataclass(frozen=True)
class About(Stated):
    """Names of the spec that the text describes: rules, rulings, values, zones, tables, fields, enums, components."""

    names: tuple[str, ...]


@dataclass(frozen=True)
class Unsaid(Stated):
    """Names of the spec that the text need not mention although the rule refers to them."""

    names: tuple[str, ...]


Fact: TypeAlias = (
    "Amount | CardCount | MemberCount | PartCount | Bounds | Which | Signs | Order | StatedTerms | About | Unsaid"
)


@dataclass(frozen=True)
class Invariant:
    id: str
    holds: TExpr
    at: str
    span: Span


@dataclass(frozen=True)
class Claim:
    """A claim: `given` implies `holds` for all contents of the stored value `over`, which has one index, an enum."""

    id: str
    over: str
    given: TExpr
    holds: TExpr
    span: Span


@dataclass(frozen=True)
class Procedure:
    """Steps with parameters. If they are the effects of the members of an enum, the first parameter is the member, and
    `moment` says when they happen, empty if the enum has only one moment; else it is None."""

    name: str
    rule: str
    parameters: tuple[Index, ...]
    body: Body
    span: Span
    moment: str | None = None


@dataclass(frozen=True)
class Rename:
    """A name that `version` was the last to have, and what it is called now. Members and answers have their owner."""

    version: str
    kind: str
    old: str
    new: str
