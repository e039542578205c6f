"""The flat program of a game: instructions over integer registers and zones of cards.

A program is made for one player count and one set of rulings. Expressions change nothing but scratch registers, which
lie behind all others and are numbered from the end: -1 is the last. NONE (see model.types) stands for what is absent.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, is_dataclass
from typing import TypeAlias

from rulespec.model.types import Type

Expr: TypeAlias = "Const | Register | Element | Lookup | Size | Card | Operation | Choice | Bind | Fold"


@dataclass(frozen=True, slots=True)
class Const:
    value: int


@dataclass(frozen=True, slots=True)
class Register:
    slot: int


@dataclass(frozen=True, slots=True)
class Element:
    """Register `base + index`, where the index lies below `size`."""

    base: int
    index: Expr
    size: int


@dataclass(frozen=True, slots=True)
class Lookup:
    """A constant table; NONE where the index is NONE."""

    table: tuple[int, ...]
    index: Expr
    maybe: bool = False


@dataclass(frozen=True, slots=True)
class Size:
    """How many cards lie in a zone."""

    zone: Expr


@dataclass(frozen=True, slots=True)
class Card:
    """The card at a position of a zone, counted from the bottom; without one the top card. NONE where there is none."""

    zone: Expr
    position: Expr | None = None


@dataclass(frozen=True, slots=True)
class Operation:
    """An operator by its row in `model/operators.py`."""

    operator: str
    arguments: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Choice:
    condition: Expr
    then: Expr
    otherwise: Expr


@dataclass(frozen=True, slots=True)
class Bind:
    """`body` with `slot` set to `value`."""

    slot: int
    value: Expr
    body: Expr


@dataclass(frozen=True, slots=True)
class Items:
    """A fixed list of values."""

    values: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Ring:
    """A fixed list of rising values, gone through from `start` (or the next one that is there) on and round."""

    values: tuple[int, ...]
    start: Expr


@dataclass(frozen=True, slots=True)
class Span:
    """All numbers from `low` to `high`; `least` and `most` bound them whatever happens."""

    low: Expr
    high: Expr
    least: int
    most: int


@dataclass(frozen=True, slots=True)
class Cards:
    """The cards in a zone, bottom to top."""

    zone: Expr


Domain: TypeAlias = "Items | Ring | Span | Cards"


@dataclass(frozen=True, slots=True)
class Fold:
    """sum, count, any, all, min, max or first; `slot` holds the element. min, max and first give NONE for nothing."""

    function: str
    slot: int
    domain: Domain
    condition: Expr | None
    body: Expr | None


def walk(node: object) -> Iterator[object]:
    """An expression or instruction, and every expression, domain and option inside it; not the numbers of tables."""
    if is_dataclass(node):
        yield node
        for part in fields(node):
            yield from walk(getattr(node, part.name)) if part.name != "table" else ()
    elif isinstance(node, tuple | list):
        for part in node:
            yield from walk(part)


def may_name(zone: Expr, zones: Sequence[tuple[str, int | None]]) -> tuple[int, ...]:
    """The zones an expression may name: where the index is not known, all of the same declaration. `zones` holds name
    and index of every zone, as in `Program`."""
    if isinstance(zone, Const):
        return (zone.value,)
    # The first zone has the number 0, which is not added to an index.
    first = zone.arguments[0] if isinstance(zone, Operation) and zone.operator == "+" else Const(0)
    name = zones[first.value if isinstance(first, Const) else 0][0]
    return tuple(number for number, (other, _) in enumerate(zones) if other == name)


@dataclass(slots=True, kw_only=True)
class Instruction:
    """`rule` is the index of the rule that causes what happens here, -1 for none."""

    rule: int = -1


@dataclass(slots=True, kw_only=True)
class Mark(Instruction):
    """The rule applies now."""


@dataclass(slots=True, kw_only=True)
class Let(Instruction):
    """Sets register `base + index`, where the index lies below `size`; `value` names the declared value it belongs to,
    empty for the program's own."""

    base: int
    index: Expr
    expression: Expr
    size: int = 1
    value: str = ""


@dataclass(slots=True, kw_only=True)
class Move(Instruction):
    """card: `amount` is the card. top, random: `amount` is the number. every: all cards, or those with `where`."""

    how: str
    amount: Expr | None
    slot: int
    where: Expr | None
    source: Expr
    target: Expr


@dataclass(slots=True, kw_only=True)
class Shuffle(Instruction):
    zone: Expr


@dataclass(slots=True, kw_only=True)
class Draw(Instruction):
    """One element of a domain at random into a register; `name` and `type` are for the event."""

    slot: int
    domain: Items | Ring | Span
    name: str
    type: Type


@dataclass(slots=True, kw_only=True)
class Branch(Instruction):
    """Goes on where the condition holds, else to `target`."""

    condition: Expr
    target: int = -1


@dataclass(slots=True, kw_only=True)
class Jump(Instruction):
    target: int = -1


@dataclass(frozen=True, slots=True)
class Pick:
    """One variable of an option. Actions count `size` values: members, numbers from `least`, or card faces."""

    name: str
    slot: int
    domain: Domain
    size: int
    type: Type


@dataclass(slots=True, kw_only=True)
class Option(Instruction):
    """Actions `first` to `first + size - 1`, numbered by the picks, the last one fastest; they go on at `target`."""

    says: str
    picks: tuple[Pick, ...]
    condition: Expr | None
    first: int
    size: int
    target: int = -1


@dataclass(slots=True, kw_only=True)
class Choose(Instruction):
    """Waits for a player; where nothing can be chosen, goes on at `none`."""

    by: Expr
    options: list[Option]
    none: int = -1


@dataclass(frozen=True, slots=True)
class Asking:
    """What one player is asked in a secret choice; `chosen` is the register for the number of the option taken."""

    player: int
    asked: Expr
    options: tuple[Option, ...]
    chosen: int


@dataclass(slots=True, kw_only=True)
class Secret(Instruction):
    """Waits for several players, in any order; nothing happens before the last has chosen. Whoever has no choice, or is
    not asked, gets NONE in their `chosen`."""

    askings: tuple[Asking, ...]


@dataclass(slots=True, kw_only=True)
class Note(Instruction):
    """Records how a place or a rank was decided: registers to read, and how to tell of it."""

    telling: Award | Ranking


@dataclass(slots=True, kw_only=True)
class Check(Instruction):
    """An invariant that must hold here; `sides` are what it compares, where it does."""

    invariant: int
    holds: Expr
    sides: tuple[Expr, ...] = ()


@dataclass(slots=True, kw_only=True)
class SetupEnds(Instruction):
    """The setup is over; play begins."""


@dataclass(slots=True, kw_only=True)
class End(Instruction):
    """The game is over."""


@dataclass(frozen=True, slots=True)
class Key:
    """One link of a chain of tie-breaks: its values per player lie from register `base` on.

    `zones` holds, for every player, the zones their value may be worked out from: who sees those may be told it.
    """

    title: str
    base: int
    high: bool
    type: Type
    rule: int
    zones: tuple[frozenset[int], ...]
    of: str = ""


@dataclass(frozen=True, slots=True)
class Award:
    """A place given or not: `subject` and `winner` are registers, `decided` holds the index of the deciding key."""

    title: str
    subject: int
    type: Type
    keys: tuple[Key, ...]
    candidates: int
    winner: int
    decided: int
    worth: Expr | None


@dataclass(frozen=True, slots=True)
class Ranking:
    keys: tuple[Key, ...]
    ranks: int
    decided: int


@dataclass(frozen=True, slots=True)
class TitledValue:
    """A cell of a titled value, stored or derived. Whoever sees all `zones` it may be worked out from is told."""

    value: str
    cell: int
    expression: Expr
    zones: frozenset[int]


@dataclass(frozen=True)
class Program:
    """A game ready to run: `start` holds the registers that are state, `scratch` counts those that are not."""

    players: int
    code: tuple[Instruction, ...]
    rules: tuple[str, ...]
    start: tuple[int, ...]
    scratch: int
    zones: tuple[tuple[str, int | None], ...]
    zone_base: Mapping[str, int]
    value_base: Mapping[str, int]
    cards: tuple[int, ...]
    start_zone: int
    faces: tuple[int, ...]
    actions: int
    options: tuple[Option, ...]
    ranking: Ranking | None
    always: tuple[Check, ...]
    entries: Mapping[str, int] = field(default_factory=dict)

    def zone(self, name: str, index: int = 0) -> int:
        return self.zone_base[name] + index
