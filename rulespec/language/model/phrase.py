"""Phrases: the language-neutral syntax trees in which the meaning of a rule is written."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from enum import Enum, auto
from typing import Any, Protocol

from rulespec.base.diagnostics import Span
from rulespec.language.model.typed import Domain, TExpr, Value, ZoneRef
from rulespec.language.model.types import Type

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


Says = tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Constructor:
    """`parts` names the parts in order; a name with `*` stands for any number, with `?` for one that may be missing.

    `says` are the contrasts that every phrase of this constructor states: pairs of a family and a value. `implies` are
    contrasts in which a text may state the same in other words: what does not hold may hold for none. They agree with
    texts, but exclude nothing.
    """

    name: str
    parts: tuple[str, ...] = ()
    says: Says = ()
    implies: Says = ()


def constructor(name: str, parts: str = "", *says: str, implies: str = "") -> Constructor:
    """A constructor: its parts, the contrasts that it says as `FAMILY: VALUE`, and those that it implies."""
    return Constructor(name, tuple(parts.split()), _pairs(says), _pairs(filter(None, implies.split(", "))))


def _pairs(written: Iterable[str]) -> Says:
    return tuple((family, value) for family, _, value in (one.partition(": ") for one in written))


class Wording(Protocol):
    """Makes phrases of the parts of a step. Calling it makes one of an expression."""

    def __call__(self, node: TExpr) -> Phrase: ...

    def decided(self, node: TExpr) -> bool | None:
        """The truth of a condition that is the same in all settings, else None."""

    def zone(self, zone: ZoneRef) -> Phrase: ...

    def variable(self, name: str, type_: Type) -> Phrase: ...

    def value(self, name: str, arguments: Iterable[TExpr] = ()) -> Phrase: ...

    def place(self, place: Value) -> Phrase: ...

    def domain(self, domain: Domain) -> Phrase: ...


class Scene(Protocol):
    """Where a step stands when it says what it does: its rule, the conditions and the loops around it."""

    @property
    def spec(self) -> Any:
        """The sealed spec."""

    @property
    def say(self) -> Wording: ...

    @property
    def in_secret(self) -> bool:
        """Whether what the steps lay out is revealed later."""

    @property
    def conditions(self) -> tuple[Phrase, ...]: ...

    @property
    def within(self) -> tuple[Phrase, ...]: ...

    def under(self, *conditions: Phrase) -> Scene:
        """The scene inside further conditions."""

    def inside(self, *loops: Phrase) -> Scene:
        """The scene inside further loops."""

    def choosing(self, step: Span, by: Phrase) -> Scene:
        """The scene of the options of a choice."""

    def option(self, option: Any) -> Scene:
        """The scene of one of several options."""

    def instead(self, before: Scene, condition: Phrase) -> Scene:
        """The scene with a condition in place of those that it has more than another one."""

    def alone(self) -> Scene:
        """The scene outside of all loops."""

    def secretly(self) -> Scene:
        """The scene where what the steps lay out is revealed later."""

    def where(self, condition: TExpr | None, wanted: bool = True, step: Span | None = None) -> Scene | None:
        """The scene where a condition has the wanted truth; None if it has it in no setting. For the branches of an
        `if`, `step` is its span."""

    def named(self, step: Any) -> Scene | None:
        """The scene of a step that may have a rule of its own; None if it is in no setting."""

    def body(self, steps: tuple[Any, ...]) -> Iterator[Proposition]:
        """The propositions of steps inside this scene."""

    def fact(self, span: Span, act: Phrase, aside: bool = False) -> Proposition:
        """A proposition of this scene."""
