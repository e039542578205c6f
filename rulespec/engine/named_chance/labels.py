"""Labels: 64-bit numbers that stand for rules, card faces, values and actions in both versions of a game.

A label is a digest of names, so it does not depend on numbers of rules, cards or actions in one program. Names of an
older version can be replaced by those of a newer one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import blake2b
from typing import Any

from rulespec.engine.interpreter.random import MASK, mixed
from rulespec.engine.program import ir
from rulespec.engine.program.sets import digits
from rulespec.engine.rules.ruleset import Ruleset
from rulespec.language.model.spec import field_of
from rulespec.language.model.types import NONE, Type

Name = tuple[str, str]
"""A kind (rule, enum, member, field …) and a name."""


@dataclass(frozen=True)
class Aliases:
    """The names that stand for names of this version, by kind and name; members of enums are `enum.member`."""

    names: Mapping[Name, str] = field(default_factory=dict)

    def of(self, kind: str, name: str) -> str:
        return self.names.get((kind, name), name)

    def member(self, enum: str, member: str) -> str:
        """A member of an enum with its enum."""
        return self.names.get(("member", f"{enum}.{member}"), f"{self.of('enum', enum)}.{member}")

    def renamed(self, names: Mapping[Name, str]) -> Aliases:
        """The same aliases for a later version with other names: each new name has the alias of the old one."""
        alias = {
            (kind, new): self.member(*old.split(".", 1)) if kind == "member" else self.of(kind, old)
            for (kind, old), new in names.items()
        }
        return Aliases({**self.names, **alias})

    def to_list(self) -> list[list[str]]:
        """Kind, name and alias of each name, for logs."""
        return sorted([kind, name, alias] for (kind, name), alias in self.names.items())

    @classmethod
    def from_list(cls, listed: object) -> Aliases:
        """Raises ValueError for anything but what `to_list` returns."""
        rows: Any = listed
        if not isinstance(rows, list) or not all(_is_row(row) for row in rows):
            raise ValueError("the aliases are not a list of kind, name and alias")
        return cls({(kind, name): alias for kind, name, alias in rows})


def _is_row(row: object) -> bool:
    return isinstance(row, list) and len(row) == 3 and all(isinstance(part, str) for part in row)


def label(text: str) -> int:
    """The label of a name."""
    return int.from_bytes(blake2b(text.encode(), digest_size=8).digest(), "little")


class Labels:
    """The labels of one ruleset. `rules` and `faces` are by number; `owners` holds the place of each zone in its
    declaration, `card_faces` the face of each card."""

    def __init__(self, game: Ruleset, aliases: Aliases) -> None:
        self._game, self.aliases = game, aliases
        bases = game.program.zone_base
        self.owners = tuple(number - bases[name] for number, (name, _) in enumerate(game.program.zones))
        self.card_faces = game.program.faces
        self._actions: dict[int, int] = {}

    @cached_property
    def rules(self) -> tuple[int, ...]:
        return tuple(label(f"rule {self.aliases.of('rule', rule)}") for rule in self._game.program.rules)

    @cached_property
    def faces(self) -> tuple[int, ...]:
        deck = self._game.spec.deck
        return tuple(self._face(deck.cards[card]) for card in deck.first_of_face)

    def _face(self, card: tuple[int, ...]) -> int:
        """The label of a face: its fields in any order, without those that are absent."""
        deck = self._game.spec.deck
        shown = ((name, card[deck.column(name)]) for name in deck.face)
        words = (
            f"{self._column(name)}={self.word(deck.fields[name], value)}" for name, value in shown if value != NONE
        )
        return label(f"face {' '.join(sorted(words))}")

    def _column(self, column: str) -> str:
        """A column of the cards as text that is the same in both versions."""
        field = self._game.spec.deck.per_member.get(field_of(column))
        if field is None:
            return self.aliases.of("field", column)
        member = self._game.spec.enums[field.enum].members[field.columns.index(column)]
        return f"{self.aliases.of('field', field.name)}[{self.aliases.member(field.enum, member)}]"

    def word(self, type_: Type, value: int) -> str:
        """A value as text that is the same in both versions."""
        if type_.kind == "card":
            return f"card {self.faces[value]}"
        written = self._game.spec.member(type_, value)
        return self.aliases.member(type_.name, written) if type_.kind == "enum" else written

    def value(self, type_: Type, value: int) -> int:
        """The label of a value; odd, as `NamedChance.choose` needs it."""
        return label(f"value {self.word(type_, value)}") | 1

    # actions

    def action(self, action: int) -> int:
        """The label of an action: its option and what it picks; odd, as `NamedChance.choose` needs it."""
        found = self._actions.get(action)
        if found is None:
            option = self._game.actions.option(action)
            found = self._actions[action] = self._picked(option, action - option.first)
        return found

    def _picked(self, option: ir.Option, number: int) -> int:
        values = dict[str, list[int]]()
        for pick, digit in zip(option.picks, digits(option)(number), strict=True):
            least = pick.domain.least if isinstance(pick.domain, ir.Span) and pick.type.kind != "card" else 0
            values.setdefault(pick.name, []).append(self.value(pick.type, digit + least))
        found = self._options[option.first]
        # The elements of a set have an order of their own, which differs between versions.
        for one in (value for picked in values.values() for value in sorted(picked)):
            found = mixed((found + one) & MASK)
        return found | 1

    @cached_property
    def _options(self) -> dict[int, int]:
        """The label of every option, by its first action. Options of a rule that pick the same are counted."""
        seen: Counter[tuple[str, str]] = Counter()
        found = {}
        for option in self._game.program.options:
            named = self.aliases.of("rule", self._game.program.rules[option.rule])
            picks = " ".join(self._picks(option))
            found[option.first] = label(f"option {named} {seen[named, picks]} {picks}")
            seen[named, picks] += 1
        return found

    def _picks(self, option: ir.Option) -> Iterator[str]:
        """What an option picks: names of variables do not matter."""
        for pick in option.picks:
            yield self.aliases.of("enum", pick.type.name) or pick.type.kind
