"""Types of the language: whole numbers with an interval, truth values, enums, players, cards; each may be optional."""

from __future__ import annotations

from dataclasses import dataclass, replace

from rulespec.base.messages import Message, say

LIMIT = 2**31 - 1
"""The largest absolute value of an expression: 32 bits with a sign, so products of two values fit 64 bits."""

NONE = -(2**31)
"""How an absent value is stored: the one number of 32 bits that no expression reaches (see LIMIT)."""


@dataclass(frozen=True, slots=True)
class Type:
    """`kind` is int, bool, player, card, enum or set; `name` the enum's name, for a set that of its members;
    `low..high` an int's interval, so `low` is the first place of any type as an index. A set is stored as a number
    whose bit i says whether member i is in it. The kind `several` is a set that is picked: `of` is the type of its
    `low` to `high` elements."""

    kind: str
    name: str = ""
    low: int = 0
    high: int = 0
    optional: bool = False
    of: Type | None = None

    def __str__(self) -> str:
        named = {"int": f"{self.low}..{self.high}", "enum": self.name, "set": f"set of {self.name}"}
        core = named.get(self.kind, self.kind)
        return core + ("?" if self.optional else "")

    def required(self) -> Type:
        """The same type without absence."""
        return replace(self, optional=False) if self.optional else self

    def maybe(self) -> Type:
        """The same type, possibly absent."""
        return self if self.optional else replace(self, optional=True)

    def accepts(self, other: Type) -> bool:
        """Whether every value of `other` is a value of this type."""
        if other.kind == "none":
            return self.optional
        if (self.kind, self.name) != (other.kind, other.name) or (other.optional and not self.optional):
            return False
        return self.kind != "int" or (self.low <= other.low and other.high <= self.high)

    def contains(self, value: int) -> bool:
        """Whether a stored value of this kind is a value of this type."""
        if value == NONE:
            return self.optional
        return self.kind != "int" or self.low <= value <= self.high

    def comparable(self, other: Type) -> bool:
        """Whether values of the two types can be compared with `==`."""
        return self.kind != "several" and (self.kind, self.name) == (other.kind, other.name)


BOOL = Type("bool")
PLAYER = Type("player")
CARD = Type("card")
ABSENT = Type("none", optional=True)


def integer(low: int, high: int) -> Type:
    """The whole numbers from `low` to `high`, both included."""
    return Type("int", low=low, high=high)


def enum(name: str) -> Type:
    return Type("enum", name=name)


MOST_MEMBERS = 31
"""Members of an enum with sets, at most: a set is stored as the bits of an integer of 32 bits with a sign."""


def set_of(name: str) -> Type:
    return Type("set", name=name)


MOST_PICKED = 10
"""Elements of a picked set, at most: generated code nests one loop for each, and CPython allows 20."""


def several(element: Type, low: int, high: int) -> Type:
    """The type of a picked set of `low` to `high` elements."""
    return Type("several", low=low, high=high, of=element)


def join(a: Type, b: Type) -> Type | None:
    """The smallest type that holds the values of both; None if there is none."""
    if a.kind == "none" or b.kind == "none":
        return (b if a.kind == "none" else a).maybe()
    if not a.comparable(b):
        return None
    optional = a.optional or b.optional
    return Type(a.kind, a.name, min(a.low, b.low), max(a.high, b.high), optional)


def _elements(kind: Type | None) -> str:
    """The elements of a picked set in words."""
    if kind is None or kind.kind == "enum":
        return f"`{kind.name}`" if kind is not None else ""
    return {"int": say("numbers"), "player": say("players"), "card": say("cards")}.get(kind.kind, f"{kind.kind}s")


def describe(kind: Type) -> Message:
    """A type in words, for messages."""
    words = {
        "int": say("a number from {low} to {high}", low=kind.low, high=kind.high)
        if kind.low != kind.high
        else say("the number {low}", low=kind.low),
        "bool": say("true or false"),
        "player": say("a player"),
        "card": say("a card"),
        "several": say("a picked set of {of}", of=_elements(kind.of)),
        "set": say("a set of `{kind}`", kind=kind.name),
        "enum": say("an option of `{ruling}`", ruling=kind.name[7:])
        if kind.name.startswith("ruling:")
        else say("one of `{kind}`", kind=kind.name),
        "none": say("nothing"),
    }[kind.kind]
    return say("{type} or nothing", type=words) if kind.optional and kind.kind != "none" else words
