"""The contents of facts: what a text can state about a rule, by value and by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Self, TypeAlias

from rulespec.base.messages import Message, all_of, any_of, chained, counted, say
from rulespec.text.reading.contrasts.lexicon import value_in_words


class Name(Message):
    """A name of the spec or a concept in words, `number` of them; `in_terms` puts a term in its place."""

    __slots__ = ("name", "number")

    name: str
    number: int | None

    def __new__(cls, name: str, number: int | None = None) -> Self:
        words = name.rpartition(".")[2].replace("_", " ")
        made = super().__new__(cls, words if number is None else f"{number} {_plural(words, number)}")
        made.name, made.number = name, number
        return made

    def __reduce__(self) -> tuple[Any, ...]:
        # What `Message` gives here would be read as a message, which has no name.
        return Name, (self.name, self.number)


class Key(Message):
    """A value of a name of the spec, such as floor 2; `in_terms` puts a term in the place of the name."""

    __slots__ = ("name",)

    name: str

    def __new__(cls, name: str, number: int, term: str = "") -> Self:
        made = super().__new__(cls, say("{term} {number}"), {"term": term or Name(name), "number": number})
        made.name = name
        return made

    def __reduce__(self) -> tuple[Any, ...]:
        return Key, (self.name, self.values["number"], self.values["term"])


def in_terms(text: str, term: Callable[[str], str]) -> str:
    """A text with the terms that a function gives for its names, "" for a name that has none."""
    if isinstance(text, Name):
        return _named(text, term(text.name))
    if isinstance(text, Key):
        return Key(text.name, text.values["number"], term(text.name))
    if isinstance(text, Message):
        return Message(text.template, {key: _in_terms(value, term) for key, value in text.values.items()}, text.many)
    return text


def _named(name: Name, term: str) -> str:
    if not term:
        return name
    shown = say("“{term}”", term=term)
    return say("{number} ({term})", number=name.number, term=shown) if name.number is not None else shown


def _in_terms(value: object, term: Callable[[str], str]) -> object:
    if isinstance(value, tuple):
        return [_in_terms(one, term) for one in value]
    return in_terms(value, term) if isinstance(value, str) else value


@dataclass(frozen=True)
class Number:
    """One number, a count of the concept `of` ("" if it counts no concept)."""

    value: int
    of: str = ""

    def __str__(self) -> str:
        return Name(self.of, self.value) if self.of else str(self.value)


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
        rows = with_players(self.rows)
        return say("{name}: {rows}", name=Name(self.of), rows=rows) if self.of else rows

    def __hash__(self) -> int:
        return hash((tuple(self.rows.items()), self.of))


def by_players(rows: Mapping[int, int], of: str = "") -> Number | ByPlayers:
    """A number for each number of players; one number if it is the same for all."""
    values = set(rows.values())
    return Number(values.pop(), of) if len(values) == 1 else ByPlayers(rows, of)


@dataclass(frozen=True)
class ByKey:
    """A number for each number or name of the spec (such as `office.military`); `by` is the value whose numbers the
    keys are, "" if it is not known."""

    rows: Mapping[int | str, int]
    of: str = ""
    by: str = field(default="", compare=False)

    def __str__(self) -> str:
        rows = for_keys(self.rows, self.by)
        return say("{name}: {rows}", name=Name(self.of), rows=rows) if self.of else rows

    def __hash__(self) -> int:
        return hash((tuple(self.rows.items()), self.of))


@dataclass(frozen=True)
class Extent:
    """A range from the lowest to the highest value: numbers or letters as written."""

    low: str
    high: str

    def __str__(self) -> str:
        return say("from {low} to {high}", low=self.low, high=self.high)


@dataclass(frozen=True)
class Choices:
    """A set of numbers for each number of players."""

    rows: Mapping[int, frozenset[int]]

    def __str__(self) -> str:
        return with_players({players: all_of(sorted(some)) or say("none") for players, some in self.rows.items()})

    def __hash__(self) -> int:
        return hash(tuple(self.rows.items()))


@dataclass(frozen=True)
class Faces:
    """The signed numbers on different card faces, 0 for a choice of plus and minus."""

    faces: frozenset[tuple[int, ...]]

    def __str__(self) -> str:
        faces = sorted(self.faces, key=lambda face: (len(face), tuple(-number for number in face)))
        return chained(say("{first}; {second}"), [all_of([_sign(number) for number in face]) for face in faces])


@dataclass(frozen=True)
class Sequence:
    """Names of the spec in the order in which the text must list them."""

    names: tuple[str, ...]

    def __str__(self) -> str:
        return chained(say("{first}, then {second}"), list(map(Name, self.names)))


@dataclass(frozen=True)
class Words:
    """Concepts that the text must mention."""

    concepts: tuple[str, ...]

    def __str__(self) -> str:
        return say("mentions {names}", names=list(map(Name, self.concepts)))


@dataclass(frozen=True)
class Names:
    """Names of the spec whose concepts the text mentions. Names without a concept in the glossary ask for nothing."""

    names: tuple[str, ...]

    def __str__(self) -> str:
        return say("mentions {names}", names=list(map(Name, self.names)))


@dataclass(frozen=True)
class Said:
    """One thing that the text says in any of several ways: with a name of the spec or with a contrast.

    `contrasts` are pairs of a family and a value. A text may say nothing of what is `implied`, but not only the
    opposite.
    """

    names: tuple[str, ...] = ()
    contrasts: tuple[tuple[str, str], ...] = ()
    implied: bool = False

    @property
    def names_and_values(self) -> Message:
        return self.naming(Name)

    def naming(self, named_as: Callable[[str], str]) -> Message:
        """The names, as a function gives them, and the values."""
        values = [value_in_words(family, value) for family, value in self.contrasts]
        named = map(named_as, self.names)
        return say("{names}", names=any_of(list(dict.fromkeys((*named, *values)))))

    def __str__(self) -> str:
        return say("says {names}", names=self.names_and_values)


@dataclass(frozen=True)
class Share:
    """A fraction of something, such as a half."""

    value: Fraction

    def __str__(self) -> str:
        return {Fraction(1, 2): say("half"), Fraction(1, 3): say("a third")}.get(self.value, str(self.value))


@dataclass(frozen=True)
class Counts:
    """The numbers of players for which a rule differs: `inside` are those with which it applies."""

    inside: frozenset[int]
    outside: frozenset[int]

    def __str__(self) -> str:
        return say("applies with {counts} players only", counts=sorted(self.inside))


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
        return say("{fact} (may be left out)", fact=self.content) if self.optional else str(self.content)


def with_players(rows: Mapping[int, object]) -> Message:
    """Values for numbers of players, in words."""
    return say("{rows}", rows=[of_players(rows[number], number) for number in rows])


def of_players(value: object, number: int) -> Message:
    """A value for a number of players, in words."""
    return counted("{value} with {number} player", "{value} with {number} players", number, value=value)


def for_keys(rows: Mapping[int | str, object], by: str = "") -> Message:
    """Values for names of the spec, or for numbers of the value `by`, in words."""
    return say("{rows}", rows=[say("{value} for {key}", value=rows[key], key=_key(key, by)) for key in rows])


def _key(key: int | str, by: str) -> str:
    if isinstance(key, str):
        return Name(key)
    return Key(by, key) if by else str(key)


def _sign(number: int) -> str:
    return f"{number:+d}" if number else any_of(["+", "−"])


def _plural(noun: str, number: int) -> str:
    """The regular English plural of a noun, unless the number is 1."""
    if number == 1:
        return noun
    if noun.endswith("y") and noun[-2:-1] not in tuple("aeiou"):
        return noun[:-1] + "ies"
    return noun + ("es" if noun.endswith(("s", "x", "z", "ch", "sh")) else "s")
