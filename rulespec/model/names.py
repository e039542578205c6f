"""What the names in a spec stand for, as far as it has been read."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches

from rulespec.model.types import PLAYER, Type, enum


@dataclass
class Names:
    """Declared names; a name whose declaration is broken maps to None and silences all its uses."""

    players: range
    enums: dict[str, tuple[str, ...] | None] = field(default_factory=dict)
    answers: dict[str, tuple[str, ...] | None] = field(default_factory=dict)
    fields: dict[str, Type | None] = field(default_factory=dict)
    zones: dict[str, tuple[Type | None, int] | None] = field(default_factory=dict)
    tables: dict[str, tuple[Type, Type] | None] = field(default_factory=dict)
    values: dict[str, tuple[tuple[Type, ...], Callable[[], Type | None]] | None] = field(default_factory=dict)
    cards: int = 0
    broken: bool = False

    def members_named(self, name: str) -> list[tuple[Type, int]]:
        """Every enum member and ruling answer of that name, as type and index."""
        sets: list[tuple[str, tuple[str, ...] | None]] = [*self.enums.items()]
        sets += [(f"ruling:{id_}", answers) for id_, answers in self.answers.items()]
        return [(enum(owner), members.index(name)) for owner, members in sets if members and name in members]

    def members_of(self, type_: Type) -> tuple[str, ...]:
        owner = type_.name
        found = self.answers.get(owner.removeprefix("ruling:")) if owner.startswith("ruling:") else self.enums.get(owner)
        return found or ()

    def domain(self, name: str) -> Type | None:
        """The type a domain name stands for: `player` or an enum."""
        if name == "player":
            return PLAYER
        return enum(name) if self.enums.get(name) else None

    def everything(self, locals_: Mapping[str, Type | None]) -> list[str]:
        """All names that may stand in an expression, for suggestions."""
        members = [m for group in (*self.enums.values(), *self.answers.values()) for m in group or ()]
        return ["players", *locals_, *self.values, *self.tables, *self.zones, *self.answers, *members]


def suggest(name: str, known: list[str]) -> str:
    """A hint that offers the nearest known name, or none."""
    near = get_close_matches(name, known, n=1, cutoff=0.6)
    return f"Did you mean `{near[0]}`?" if near else ""
