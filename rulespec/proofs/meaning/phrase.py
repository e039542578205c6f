"""Phrases: the language-neutral syntax trees in which the meaning of a rule is written."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import Enum, auto

from rulespec.base.diagnostics import Span

Rows = tuple[tuple[int, int], ...]
"""A number by players: pairs of a number of players and the value with that many; one pair (0, value) if all agree."""


@dataclass(frozen=True)
class Phrase:
    """A constructor (a row of `CONSTRUCTORS`) applied to parts.

    Leaves have a `name` of the spec (`deck`, `office.military`, a variable) or an `amount`. `kind` is the type of a
    variable, value or field: `player`, `card`, `number`, `bool` or the name of an enum.
    """

    constructor: str
    parts: tuple[Phrase, ...] = ()
    name: str = ""
    amount: Rows = ()
    kind: str = ""

    def walk(self) -> Iterator[Phrase]:
        """This phrase and all phrases inside it."""
        yield self
        for part in self.parts:
            yield from part.walk()

    def __str__(self) -> str:
        """The phrase in the notation of tests: `move_top(22/13/8/0, deck, box, face_down)`."""
        head = self.name if self.constructor in _NAMED else self.constructor
        if self.amount:
            head = "/".join(str(value) for _, value in self.amount)
        elif self.name and head != self.name:
            head += f":{self.name}"
        open_, close = "[]" if self.constructor in _NAMED else "()"
        return head + (f"{open_}{', '.join(map(str, self.parts))}{close}" if self.parts else "")

    @property
    def number(self) -> int | None:
        """The amount if it is the same for all numbers of players, else None."""
        return self.amount[0][1] if len(self.amount) == 1 else None


_NAMED = ("variable", "zone", "value", "field", "member", "table")
"""The constructors whose phrases are written by their name alone."""


class Gate(Enum):
    """What can stand around an act: a condition, a loop, a choice between options, or one of its options."""

    CONDITION = auto()
    LOOP = auto()
    CHOICE = auto()
    OPTION = auto()


@dataclass(frozen=True)
class Around:
    """Something around an act, with the rule that it belongs to. Both branches of an `if` have the same `step`, which
    no other condition has; a choice and an option have their own."""

    gate: Gate
    phrase: Phrase
    rule: str = ""
    step: Span | None = None


@dataclass(frozen=True)
class Proposition:
    """One thing that a rule does: an act, the conditions under which it happens, and the place in the spec.

    `ruling` is empty, or the answer of a ruling that brings the proposition in: (`overbid`, `forbidden`).
    `definition` marks the meaning of a derived value, a table, a zone or a procedure without a rule: it holds at all
    times. `within` are the loops around the act, outermost first; they bind its variables. `around` is everything
    around it, outermost first. An `aside` is said in descriptions alone: no text must state it, no digest covers it.
    """

    rule: str
    act: Phrase
    conditions: tuple[Phrase, ...]
    span: Span
    ruling: tuple[str, str] | None = None
    definition: bool = False
    within: tuple[Phrase, ...] = ()
    around: tuple[Around, ...] = field(default=(), compare=False)
    aside: bool = False

    def __str__(self) -> str:
        conditions = " & ".join(map(str, self.conditions))
        return str(self.act) + (f" if {conditions}" if conditions else "")

    def phrases(self) -> Iterator[Phrase]:
        """All phrases of the act and of the conditions."""
        for one in (*self.conditions, self.act):
            yield from one.walk()


def number(value: int) -> Phrase:
    return Phrase("number", amount=((0, value),))
