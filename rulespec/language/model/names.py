"""The meaning of the names in a spec, as far as it has been read."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping
from dataclasses import dataclass, field, replace
from difflib import get_close_matches

from rulespec.base.messages import NOTHING, Message, say
from rulespec.language.model.board import Board, Place
from rulespec.language.model.declarations import Index, PerMember, field_of
from rulespec.language.model.typed import Cards, Chosen, Domain, Listed, TExpr
from rulespec.language.model.types import PLAYER, Type, enum

_NAMED = ("players", "player", "true", "false", "none", "card")
RESERVED = frozenset([*_NAMED, "and", "or", "not", "if", "for", "in"])
"""Words of the language; no declaration may take one as its name."""

_NEAR = 0.65
"""Similarity of names for a suggestion, as `difflib` measures it: allows one or two errors in six letters."""
_FEW = 500
"""Candidates for a suggestion, at most: comparing 500 names takes a few milliseconds."""


@dataclass(frozen=True)
class ValueShape:
    """What a use of a value needs: its indices, its type (None: broken or not known yet), whether it is derived,
    whether a game stops that would leave the bounds of its type, the stock whose tokens it counts, or "", and whether
    it remembers positions.

    `size`, `cost` and `depth` are those of its definition (see `measure.py`).
    """

    index: tuple[Index, ...]
    type: Type | None
    derived: bool
    bounded: bool = False
    stock: str = ""
    remembers: bool = False
    size: int = 1
    cost: int = 1
    depth: int = 1


@dataclass
class Names:
    """Declared names. A name whose declaration is broken maps to None, and its uses are not reported.

    `contested` names have two meanings; their uses are not reported either, nor those of `players` and of the number of
    `cards` if these are None. `copies` are the numbers of equal cards, one for each face. `broken` means that a part
    could not be read, `incomplete` that it held a declaration, so an unknown name may be declared there. `boards` are
    the enums of squares, `rows` those of rows: the board of each, and the squares of every row; `ways` are those of
    directions, as steps east and north. `holds` has the
    most cards of each zone that says so, and `stocks` the kinds of tokens of each stock, None for one kind.
    `per_member` are the fields with a value for each member of an enum; their columns are in `fields`. `relied_on` are
    the folds of which some expression relies on having an element, `partial` the enums of which not all members need be
    in play.
    """

    players: range | None
    enums: dict[str, tuple[str, ...] | None] = field(default_factory=dict)
    rulings: dict[str, tuple[str, ...] | None] = field(default_factory=dict)
    fields: dict[str, Type | None] = field(default_factory=dict)
    zones: dict[str, tuple[Type, ...] | None] = field(default_factory=dict)
    holds: dict[str, TExpr] = field(default_factory=dict)
    tables: dict[str, tuple[tuple[Type, ...], Type] | None] = field(default_factory=dict)
    values: dict[str, ValueShape | None] = field(default_factory=dict)
    stocks: dict[str, Type | None] = field(default_factory=dict)
    contested: set[str] = field(default_factory=set)
    _clashes: set[str] = field(default_factory=set)
    cards: int | None = 0
    copies: tuple[int, ...] = ()
    broken: bool = False
    incomplete: bool = False
    boards: dict[str, Board | None] = field(default_factory=dict)
    rows: dict[str, tuple[str, tuple[tuple[int, ...], ...]]] = field(default_factory=dict)
    ways: dict[str, tuple[Place, ...]] = field(default_factory=dict)
    per_member: dict[str, PerMember | None] = field(default_factory=dict)
    relied_on: set[TExpr] = field(default_factory=set)
    partial: set[str] = field(default_factory=set)
    _members: dict[str, list[tuple[Type, int]]] = field(default_factory=dict)

    @property
    def field_names(self) -> list[str]:
        """The fields of cards as they are declared."""
        return list(dict.fromkeys(map(field_of, self.fields)))

    @property
    def most_players(self) -> int:
        return self.players[-1] if self.players else 1

    def add_enum(self, name: str, members: tuple[str, ...] | None) -> None:
        self.enums[name] = members
        self._add_members(enum(name), members)

    def add_ruling(self, name: str, answers: tuple[str, ...] | None) -> None:
        self.rulings[name] = answers
        self._add_members(enum(f"ruling:{name}"), answers)

    def _add_members(self, owner: Type, members: tuple[str, ...] | None) -> None:
        self.incomplete |= members is None
        for index, member in enumerate(members or ()):
            self._members.setdefault(member, []).append((owner, index))

    def type_value(self, name: str, **known: object) -> None:
        """Adds what is known about a derived value once its definition is read."""
        shape = self.values[name]
        assert shape is not None
        self.values[name] = replace(shape, **known)  # type: ignore[arg-type]

    def members_named(self, name: str) -> list[tuple[Type, int]]:
        """Every enum member and every option of a ruling with that name, as type and index."""
        return self._members.get(name, [])

    def members_of(self, type_: Type) -> tuple[str, ...]:
        owner = type_.name
        found = (
            self.rulings.get(owner.removeprefix("ruling:")) if owner.startswith("ruling:") else self.enums.get(owner)
        )
        return found or ()

    def is_domain(self, name: str) -> bool:
        """Whether the name is `player` or an enum, broken ones included."""
        return name == "player" or name in self.enums

    def domain(self, name: str) -> Type | None:
        """The type of `player` or of an enum; None for any other name and for a broken enum."""
        if name == "player":
            return PLAYER
        return enum(name) if self.enums.get(name) and name not in self.contested else None

    def room(self, zone: str) -> int:
        """The most cards that a zone can hold, in any setting."""
        holds = self.holds.get(zone)
        return min(holds.type.high if holds is not None else self.cards or 0, self.cards or 0)

    def most(self, domain: Domain) -> int:
        """The largest number of elements of a domain."""
        if isinstance(domain, Cards):
            return self.room(domain.zone.name)
        if isinstance(domain, Chosen):
            return domain.picked.type.high
        if isinstance(domain, Listed):
            return domain.count.type.high
        if domain.type.kind == "player":
            return self.most_players
        return self.extent(domain.type)

    def extent(self, type_: Type) -> int:
        """The number of values of a type at the largest player count, absence not counted."""
        if type_.kind == "card":
            return self.cards or 1
        if type_.kind == "player":
            return self.most_players
        return len(self.members_of(type_)) if type_.kind == "enum" else type_.high - type_.low + 1

    def clash(self, name: str, variables: Container[str]) -> tuple[Message, bool]:
        """What the name of a new variable means already, empty for a free name; and whether that is to be reported.

        Variables with the name of a declaration are one mistake, however many they are: only the first is reported.
        """
        if name in variables:
            return say("a variable"), True
        what, first = self.meaning(name), name not in self._clashes
        if what and name not in RESERVED:
            self._clashes.add(name)
        return what, first

    def meaning(self, name: str) -> Message:
        """The meaning of a declared name in words; empty for a free name."""
        if name in RESERVED:
            return say("a word of the language")
        groups: tuple[tuple[Iterable[str], Message], ...] = (
            (self.enums, say("an enum")),
            (self.rulings, say("a ruling")),
            (self.zones, say("a zone")),
            (self.tables, say("a table")),
            (self.values, say("a value")),
        )
        what = next((kind for group, kind in groups if name in group), NOTHING)
        if what or name not in self._members:
            return what
        owner = self._members[name][0][0].name
        ruling = owner.removeprefix("ruling:")
        return (
            say("a member of `{owner}`", owner=owner)
            if ruling == owner
            else say("an option of `{ruling}`", ruling=ruling)
        )

    def everything(self, locals_: Mapping[str, Type | None]) -> list[str]:
        """All names that an expression may use, for suggestions."""
        groups = (locals_, self.values, self.tables, self.zones, self.rulings, self._members)
        return ["players", "true", "false", "none", *(name for group in groups for name in group)]


def suggest(name: str, known: Iterable[str], form: str = "{}") -> Message:
    """A hint that offers the nearest known name in the form in which it is written; empty if none is near."""
    # Comparing is slow: among thousands of names a hostile file would take minutes.
    candidates = [k for k in known if k != name and abs(len(k) - len(name)) <= 4][:_FEW]
    near = get_close_matches(name[:80], candidates, n=1, cutoff=_NEAR)
    return say("Did you mean `{name}`?", name=form.format(near[0])) if near else NOTHING
