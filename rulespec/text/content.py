"""The contents of facts: what a text can state about a rule, by value and by name."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias


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


def by_players(rows: Mapping[int, int], of: str = "") -> Number | ByPlayers:
    """A number for each number of players; one number if it is the same for all."""
    values = set(rows.values())
    return Number(values.pop(), of) if len(values) == 1 else ByPlayers(rows, of)


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


@dataclass(frozen=True)
class Names:
    """Names of the spec whose concepts the text mentions. Names without a concept in the glossary ask for nothing."""

    names: tuple[str, ...]

    def __str__(self) -> str:
        return "mentions " + ", ".join(_words(name.rpartition(".")[2]) for name in self.names)


@dataclass(frozen=True)
class Said:
    """One thing that the text says in any of several ways: with a name of the spec or with a contrast.

    `contrasts` are pairs of a family and a value. A text may say nothing of what is `implied`, but not only the
    opposite.
    """

    names: tuple[str, ...] = ()
    contrasts: tuple[tuple[str, str], ...] = ()
    implied: bool = False

    def __str__(self) -> str:
        values = [_words(value) for _, value in self.contrasts]
        named = [_words(name.rpartition(".")[2]) for name in self.names]
        return "says " + " or ".join(dict.fromkeys((*named, *values)))


@dataclass(frozen=True)
class Share:
    """A fraction of something, such as a half."""

    value: Fraction

    def __str__(self) -> str:
        return {Fraction(1, 2): "half", Fraction(1, 3): "a third"}.get(self.value, str(self.value))


@dataclass(frozen=True)
class Counts:
    """The numbers of players for which a rule differs: `inside` are those with which it applies."""

    inside: frozenset[int]
    outside: frozenset[int]

    def __str__(self) -> str:
        return f"applies with {', '.join(map(str, sorted(self.inside)))} players only"


Content: TypeAlias = (
    "Number | ByPlayers | ByKey | Extent | Choices | Faces | Sequence | Words | Names | Said | Share | Counts"
)


@dataclass(frozen=True)
class Fact:
    """One fact that a text states. A text may leave out an optional fact but not contradict it.

    A `derived` fact comes from what the rule does; the others are listed under `states:`.
    """

    content: Content
    optional: bool = False
    derived: bool = False

    def __str__(self) -> str:
        return str(self.content) + (" (may be left out)" if self.optional else "")


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
