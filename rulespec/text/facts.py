"""The facts of a rule, derived from the sealed model: what its text must state in every language."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeAlias

from rulespec.model import spec as m
from rulespec.model.constants import Setting, settings
from rulespec.model.spec import Spec
from rulespec.model.typed import Domain, Members, Range
from rulespec.model.types import NONE


@dataclass(frozen=True)
class Number:
    """One number, a count of the concept `of` ("" if it counts no concept)."""

    value: int
    of: str = ""

    def __str__(self) -> str:
        return f"{self.value} {_plural(_words(self.of), self.value)}" if self.of else str(self.value)


@dataclass(frozen=True)
class ByPlayers:
    """A number for each number of players; `offset` is k if it is always players + k, else None."""

    rows: Mapping[int, int]
    of: str = ""

    @property
    def offset(self) -> int | None:
        steps = {value - players for players, value in self.rows.items()}
        return steps.pop() if len(steps) == 1 and len(self.rows) > 1 else None

    def __str__(self) -> str:
        rows = ", ".join(f"{value} with {players} players" for players, value in self.rows.items())
        return f"{_words(self.of)}: {rows}" if self.of else rows

    def __hash__(self) -> int:
        return hash((tuple(self.rows.items()), self.of))


@dataclass(frozen=True)
class ByKey:
    """A number for each number or name of the spec (such as `office.military`)."""

    rows: Mapping[int | str, int]
    of: str = ""

    def __str__(self) -> str:
        rows = ", ".join(f"{key} → {value}" for key, value in self.rows.items())
        return f"{_words(self.of)}: {rows}" if self.of else rows

    def __hash__(self) -> int:
        return hash((tuple(self.rows.items()), self.of))


@dataclass(frozen=True)
class Extent:
    """A range from the lowest to the highest value: numbers or letters as written."""

    low: str
    high: str

    def __str__(self) -> str:
        return f"from {self.low} to {self.high}"


@dataclass(frozen=True)
class Choices:
    """A set of numbers for each number of players."""

    rows: Mapping[int, frozenset[int]]

    def __str__(self) -> str:
        rows = ((" and ".join(map(str, sorted(some))) or "none", players) for players, some in self.rows.items())
        return ", ".join(f"{some} with {players} players" for some, players in rows)

    def __hash__(self) -> int:
        return hash(tuple(self.rows.items()))


@dataclass(frozen=True)
class Faces:
    """The signed numbers on different card faces, 0 for a choice of plus and minus."""

    faces: frozenset[tuple[int, ...]]

    def __str__(self) -> str:
        return "; ".join(" and ".join(_sign(number) for number in face) for face in sorted(self.faces, key=_by_signs))


@dataclass(frozen=True)
class Sequence:
    """Names of the spec in the order in which the text must list them."""

    names: tuple[str, ...]

    def __str__(self) -> str:
        return ", then ".join(_words(name.rpartition(".")[2]) for name in self.names)


@dataclass(frozen=True)
class Words:
    """Concepts that the text must mention."""

    concepts: tuple[str, ...]

    def __str__(self) -> str:
        return "mentions " + ", ".join(_words(concept) for concept in self.concepts)


Content: TypeAlias = "Number | ByPlayers | ByKey | Extent | Choices | Faces | Sequence | Words"


@dataclass(frozen=True)
class Fact:
    """One fact that a text states. A text may leave out an optional fact but not contradict it."""

    content: Content
    optional: bool = False

    def __str__(self) -> str:
        return str(self.content) + (" (may be left out)" if self.optional else "")


def of_rule(spec: Spec, id_: str) -> tuple[Fact, ...]:
    """The facts of a rule or ruling; facts of rules that it may repeat are included as optional."""
    return _of_rule(_Key(spec), id_)


class _Key:
    """A spec as a cache key, hashed by its digest."""

    def __init__(self, spec: Spec) -> None:
        self.spec = spec

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Key) and self.spec is other.spec

    def __hash__(self) -> int:
        return hash(self.spec.digest)


@lru_cache(maxsize=4096)
def _of_rule(key: _Key, id_: str) -> tuple[Fact, ...]:
    return tuple(_facts(key.spec, id_))


def _facts(spec: Spec, id_: str) -> Iterator[Fact]:
    for stated in spec.states.get(id_, ()):
        if isinstance(stated, m.Repeated):
            for other in stated.rules:
                yield from (Fact(fact.content, True) for fact in of_rule(spec, other))
        else:
            yield Fact(_content(spec, _settings(spec, id_), stated), stated.optional)


def contents(spec: Spec, id_: str) -> list[Content]:
    """The contents of the facts of a rule or ruling, optional ones included."""
    return [fact.content for fact in of_rule(spec, id_)]


def digest(spec: Spec, id_: str) -> str:
    """A digest of the facts of a rule, eight hexadecimal digits: it changes with any fact, not with its wording."""
    stated = [[type(fact.content).__name__, fact.optional, vars(fact.content)] for fact in of_rule(spec, id_)]
    return hashlib.sha256(json.dumps(stated, default=sorted).encode()).hexdigest()[:8]


def _settings(spec: Spec, id_: str) -> list[Setting]:
    """The settings in which the rule is in the game; all settings if only other rulings bring it in."""
    rule = spec.rules.get(id_)
    every = settings(spec)
    return [one for one in every if rule is None or one.present(rule.only_if)] or every


def _content(spec: Spec, among: list[Setting], stated: m.Fact) -> Content:
    if isinstance(stated, m.Amount):
        return _amount(spec, among, stated)
    if isinstance(stated, m.CardCount):
        return _counted({one.players: _cards(one, stated) for one in among}, stated.of)
    if isinstance(stated, m.MemberCount):
        return _counted({one.players: len(one.in_play(stated.enum)) for one in among}, stated.of)
    if isinstance(stated, m.Bounds):
        return Extent(stated.low, stated.high)
    if isinstance(stated, m.Which):
        return Choices({one.players: _which(one, stated) for one in among})
    if isinstance(stated, m.Signs):
        return Faces(stated.faces)
    if isinstance(stated, m.Order):
        return Sequence(stated.names)
    assert isinstance(stated, m.StatedTerms)
    return Words(stated.concepts)


def _amount(spec: Spec, among: list[Setting], stated: m.Amount) -> Content:
    if stated.over is None:
        return _counted({one.players: one.value(stated.value) for one in among}, stated.of)
    name, domain = stated.over
    widest = among[-1]
    rows = {_key(spec, domain, index): widest.value(stated.value, {name: index}) for index in _indices(widest, domain)}
    return ByKey(rows, stated.of)


def _counted(rows: dict[int, int], of: str) -> Content:
    values = set(rows.values())
    return Number(values.pop(), of) if len(values) == 1 else ByPlayers(rows, of)


def _indices(setting: Setting, domain: Domain) -> list[int]:
    if isinstance(domain, Range):
        return list(range(setting.value(domain.low), setting.value(domain.high) + 1))
    assert isinstance(domain, Members)
    return list(setting.in_play(domain.type.name)) if domain.type.kind == "enum" else list(range(setting.players))


def _key(spec: Spec, domain: Domain, index: int) -> int | str:
    return f"{domain.type.name}.{spec.member(domain.type, index)}" if domain.type.kind == "enum" else index


def _cards(setting: Setting, stated: m.CardCount) -> int:
    cards = setting.cards() if stated.in_play else range(len(setting.spec.deck.cards))
    return sum(bool(setting.value(stated.condition, {}, card)) for card in cards)


def _which(setting: Setting, stated: m.Which) -> frozenset[int]:
    deck = setting.spec.deck
    column = deck.column(stated.field)
    held = (card[column] for c, card in enumerate(deck.cards) if setting.value(stated.condition, {}, c))
    return frozenset(value for value in held if value != NONE)


def _sign(number: int) -> str:
    return f"{number:+d}" if number else "+ or −"


def _by_signs(face: tuple[int, ...]) -> tuple[int, tuple[int, ...]]:
    return len(face), tuple(-number for number in face)


def _words(name: str) -> str:
    return name.replace("_", " ")


def _plural(noun: str, number: int) -> str:
    """The regular English plural of a noun, unless the number is 1."""
    if number == 1:
        return noun
    if noun.endswith("y") and noun[-2:-1] not in tuple("aeiou"):
        return noun[:-1] + "ies"
    return noun + ("es" if noun.endswith(("s", "x", "z", "ch", "sh")) else "s")
