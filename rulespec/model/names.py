"""What the names in a spec stand for, as far as it has been read."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from difflib import get_close_matches

from rulespec.model.spec import Index
from rulespec.model.typed import Cards, Domain
from rulespec.model.types import PLAYER, Type, enum

RESERVED = frozenset(["players", "player", "true", "false", "none", "card", "and", "or", "not", "if", "for", "in"])
"""Words of the language, which nothing declared can be called."""

_FEW = 500


@dataclass(frozen=True)
class ValueShape:
    """What a use of a value needs: its indices, its type (None: broken, or not known yet), whether it is derived.

    `size`, `cost` and `depth` are those of the definition: its nodes written out, the steps to work it out, its levels.
    """

    index: tuple[Index, ...]
    type: Type | None
    derived: bool
    size: int = 1
    cost: int = 1
    depth: int = 1


@dataclass
class Names:
    """Declared names; a name whose declaration is broken maps to None and silences all its uses.

    `contested` names mean two things and are silent too; so are `players` and the number of `cards` where those are
    None. `broken` says that something could not be read, `incomplete` that a declaration was among it, so that a name
    nobody knows may be one from there.
    """

    players: range | None
    enums: dict[str, tuple[str, ...] | None] = field(default_factory=dict)
    rulings: dict[str, tuple[str, ...] | None] = field(default_factory=dict)
    fields: dict[str, Type | None] = field(default_factory=dict)
    zones: dict[str, tuple[Type, ...] | None] = field(default_factory=dict)
    tables: dict[str, tuple[Type, Type] | None] = field(default_factory=dict)
    values: dict[str, ValueShape | None] = field(default_factory=dict)
    contested: set[str] = field(default_factory=set)
    cards: int | None = 0
    broken: bool = False
    incomplete: bool = False
    _members: dict[str, list[tuple[Type, int]]] = field(default_factory=dict)

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
        """Fills in what is known about a derived value once its definition is read."""
        shape = self.values[name]
        assert shape is not None
        self.values[name] = replace(shape, **known)  # type: ignore[arg-type]

    def members_named(self, name: str) -> list[tuple[Type, int]]:
        """Every enum member and ruling answer of that name, as type and index."""
        return self._members.get(name, [])

    def members_of(self, type_: Type) -> tuple[str, ...]:
        owner = type_.name
        found = (
            self.rulings.get(owner.removeprefix("ruling:")) if owner.startswith("ruling:") else self.enums.get(owner)
        )
        return found or ()

    def is_domain(self, name: str) -> bool:
        """Whether the name is one of a set to go through, be it broken."""
        return name == "player" or name in self.enums

    def domain(self, name: str) -> Type | None:
        """The type a domain name stands for: `player` or an enum; None where it is neither, or broken."""
        if name == "player":
            return PLAYER
        return enum(name) if self.enums.get(name) and name not in self.contested else None

    def most(self, domain: Domain) -> int:
        """How many elements a domain has at most."""
        if isinstance(domain, Cards):
            return self.cards or 0
        if domain.type.kind == "player":
            return self.most_players
        return self.extent(domain.type)

    def extent(self, type_: Type) -> int:
        """How many values a type without absence has, at the largest player count."""
        if type_.kind == "card":
            return self.cards or 1
        if type_.kind == "player":
            return self.most_players
        return len(self.members_of(type_)) if type_.kind == "enum" else type_.high - type_.low + 1

    def meaning(self, name: str) -> str:
        """What a declared name already is, in words; empty for a free name."""
        if name in RESERVED:
            return "a word of the language"
        groups: tuple[tuple[Iterable[str], str], ...] = (
            (self.enums, "an enum"),
            (self.rulings, "a ruling"),
            (self.zones, "a zone"),
            (self.tables, "a table"),
            (self.values, "a value"),
        )
        what = next((kind for group, kind in groups if name in group), "")
        if what or name not in self._members:
            return what
        owner = self._members[name][0][0].name
        ruling = owner.removeprefix("ruling:")
        return f"a member of `{owner}`" if ruling == owner else f"an answer to `{ruling}`"

    def everything(self, locals_: Mapping[str, Type | None]) -> list[str]:
        """All names that may stand in an expression, for suggestions."""
        groups = (locals_, self.values, self.tables, self.zones, self.rulings, self._members)
        return ["players", "true", "false", "none", *(name for group in groups for name in group)]


def suggest(name: str, known: Iterable[str]) -> str:
    """A hint that offers the nearest known name, or none."""
    # Comparing is slow; among thousands of names it would take minutes on a file made to hurt.
    candidates = [k for k in known if k != name and abs(len(k) - len(name)) <= 4][:_FEW]
    near = get_close_matches(name[:80], candidates, n=1, cutoff=0.65)
    return f"Did you mean `{near[0]}`?" if near else ""
