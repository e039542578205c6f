"""The intermediate representation: a flat program of instructions over integer registers and zones of cards.

A program is made for one setting: a player count and an answer to every ruling. Expressions have no effects, except on
scratch registers. Those follow all other registers and count from the end: -1 is the last. NONE (see model.types)
stands for an absent value.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, is_dataclass
from enum import Flag, auto
from functools import cached_property
from typing import ClassVar, TypeAlias

from rulespec.language.model.types import Type

Expr: TypeAlias = "Const | Register | Element | Lookup | Size | Card | Operation | Choice | Bind | Fold | Reached | Try"


@dataclass(frozen=True, slots=True)
class Const:
    value: int


@dataclass(frozen=True, slots=True)
class Register:
    slot: int


@dataclass(frozen=True, slots=True)
class Element:
    """Register `base + index`; the index is below `size`."""

    base: int
    index: Expr
    size: int


@dataclass(frozen=True, slots=True)
class Lookup:
    """An entry of a constant table. If `maybe`, the index can be NONE, and then so is the result."""

    table: tuple[int, ...]
    index: Expr
    maybe: bool = False


@dataclass(frozen=True, slots=True)
class Size:
    """The number of cards in a zone."""

    zone: Expr


@dataclass(frozen=True, slots=True)
class Card:
    """The card at a position of a zone, counted from the bottom; without a position, the top card. NONE if missing."""

    zone: Expr
    position: Expr | None = None


@dataclass(frozen=True, slots=True)
class Operation:
    """An operator by its row in `language/model/operators.py`."""

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
    """A fixed list of rising values, rotated to begin at `start`, or at the next value in the list."""

    values: tuple[int, ...]
    start: Expr


@dataclass(frozen=True, slots=True)
class Span:
    """All numbers from `low` to `high`; `least` and `most` are constant bounds of both."""

    low: Expr
    high: Expr
    least: int
    most: int


@dataclass(frozen=True, slots=True)
class Cards:
    """The cards in a zone, bottom to top."""

    zone: Expr


Domain: TypeAlias = Items | Ring | Span | Cards


@dataclass(frozen=True, slots=True)
class Fold:
    """sum, count, any, all, min, max or first; `slot` holds the element. min, max and first give NONE for nothing."""

    function: str
    slot: int
    domain: Domain
    condition: Expr | None
    body: Expr | None


WORD = 62
"""Squares whose bits are in one number, which is positive in 64 bits."""


@dataclass(frozen=True, slots=True)
class Reached:
    """The bits of the squares `first` to `first + WORD - 1` that are reached: those of `squares` for which `start`
    holds (`slot` holds the square), and from each square every `item` for which `condition` holds (`ahead` holds it);
    there is an item for each element of `near`, which `way` holds. Squares are numbers below `size`."""

    slot: int
    squares: Items
    start: Expr
    way: int
    near: Domain
    ahead: int
    item: Expr
    condition: Expr
    size: int
    first: int


@dataclass(frozen=True, slots=True, eq=False)
class Try:
    """What `condition` is after `steps`, which are taken back then. They are sets, branches and jumps, whose targets
    are places in them; a jump past the last one ends them."""

    steps: tuple[Instruction, ...]
    condition: Expr


def walk(node: object) -> Iterator[object]:
    """An expression or instruction and all parts of it, in order; not the numbers of tables and ranks, nor weights."""
    ahead = [node]
    while ahead:
        node = ahead.pop()
        if isinstance(node, tuple | list):
            ahead += reversed(node)
        elif (names := FOLLOWED[type(node)]) is not None:
            yield node
            ahead += [getattr(node, name) for name in names]


_LEFT_OUT = frozenset({"table", "ranks", "weight"})


class _Followed(dict[type, tuple[str, ...] | None]):
    """See FOLLOWED."""

    def __missing__(self, kind: type) -> tuple[str, ...] | None:
        names = [part.name for part in reversed(fields(kind))] if is_dataclass(kind) else None
        self[kind] = tuple(name for name in names if name not in _LEFT_OUT) if names is not None else None
        return self[kind]


FOLLOWED: Mapping[type, tuple[str, ...] | None] = _Followed()
"""The fields of a class that `walk` follows, the last one first; None for a class that is no part of a program."""


def may_name(zone: Expr, zones: Sequence[tuple[str, tuple[int, ...]]]) -> tuple[int, ...]:
    """The zones that an expression may name: all of a declaration if the index is not constant. `zones` holds the name
    and the indices of every zone, as in `Program`."""
    if isinstance(zone, Const):
        return (zone.value,)
    # The first zone has the number 0, which is not added to an index.
    first = zone.arguments[0] if isinstance(zone, Operation) and zone.operator == "+" else Const(0)
    name = zones[first.value if isinstance(first, Const) else 0][0]
    return tuple(number for number, (other, _) in enumerate(zones) if other == name)


class Role(Flag):
    """What a field says of what its instruction does."""

    NEXT = auto()  # a place where play may go on at once
    CHOSEN = auto()  # a place where play may go on after a choice
    WAYS = NEXT | CHOSEN
    TAKEN = auto()  # a zone from which cards are taken
    ADDED = auto()  # a zone to which cards are added
    ORDERED = auto()  # a zone whose cards get another order
    CHANGED = TAKEN | ADDED | ORDERED
    FOUND = auto()  # a zone in which the position of a card is read
    SET = auto()  # a register that is set; if the instruction has a `size`, one of as many from here on


class _Roles(dict[type, dict[str, Role]]):
    def __missing__(self, kind: type) -> dict[str, Role]:
        self[kind] = {part.name: part.metadata["role"] for part in fields(kind) if "role" in part.metadata}
        return self[kind]


ROLES: Mapping[type, dict[str, Role]] = _Roles()
"""The roles of the fields of each instruction, and of options: analyses derive from them what it does."""


@dataclass(slots=True, kw_only=True)
class Instruction:
    """One step of a program. `rule` is the index of the rule that causes it, -1 for none. `next` says whether play may
    go on at the next place, and when."""

    next: ClassVar[Role] = Role.NEXT
    rule: int = -1

    @property
    def offered(self) -> Sequence[Option]:
        """The options of a decision point."""
        return ()


def ways(i: Instruction, place: int, when: Role = Role.WAYS) -> tuple[int, ...]:
    """Where play may go on after the instruction at a place: first at the places that it names."""
    named = (getattr(part, name) for part in (i, *i.offered) for name, role in ROLES[type(part)].items() if role & when)
    return *(to for to in named if to >= 0), *((place + 1,) if i.next & when else ())


def sets(i: Instruction) -> Iterator[int]:
    """The registers that an instruction may set, but for those of picks, which code of options binds, and scratch."""
    for name, role in ROLES[type(i)].items():
        if role is Role.SET:
            first: int = getattr(i, name)
            yield from range(first, first + getattr(i, "size", 1))


def zones_of(i: Instruction, role: Role) -> list[Expr]:
    """The zones that have a role in an instruction."""
    return [getattr(i, name) for name, own in ROLES[type(i)].items() if own & role]


@dataclass(slots=True, kw_only=True)
class EventOnly(Instruction):
    """An instruction that only emits events: it is skipped where they are not recorded."""


@dataclass(slots=True, kw_only=True)
class Mark(EventOnly):
    """Emits the event that the rule starts to apply."""


@dataclass(slots=True, kw_only=True)
class Let(Instruction):
    """Sets register `base + index`; the index is below `size`.

    `value` is the name of the declared value that the register belongs to, empty for registers of the program's own.
    """

    base: int = field(metadata={"role": Role.SET})
    index: Expr
    expression: Expr
    size: int = 1
    value: str = ""


@dataclass(slots=True, kw_only=True)
class Move(Instruction):
    """Moves cards between zones.

    `how` is card (`amount` is the card), top or random (`amount` is the number of cards), or every (all cards, or those
    that satisfy `where`, with the card in `slot`).
    """

    how: str
    amount: Expr | None
    slot: int
    where: Expr | None
    source: Expr = field(metadata={"role": Role.TAKEN})
    target: Expr = field(metadata={"role": Role.ADDED})


@dataclass(slots=True, kw_only=True)
class Show(EventOnly):
    """Emits the event that a card in a zone is shown. `card`, `to` and `number` are registers: the card, the player who
    sees it (-1 for everybody), and how many cards the step has shown before."""

    card: int
    zone: Expr = field(metadata={"role": Role.FOUND})
    to: int
    number: int


@dataclass(slots=True, kw_only=True)
class Shuffle(Instruction):
    """Shuffles a zone."""

    zone: Expr = field(metadata={"role": Role.ORDERED})


@dataclass(slots=True, kw_only=True)
class Sink(Instruction):
    """Puts the top card of a zone at a position, counted from the bottom; the cards from there on lie above it."""

    zone: Expr = field(metadata={"role": Role.ORDERED})
    position: Expr


@dataclass(slots=True, kw_only=True)
class Draw(Instruction):
    """Sets a register to a random element of a domain; `name` and `type` are for the event.

    The register `viewers` holds a bit for each player who sees what is drawn; -1 if everybody does.
    """

    slot: int = field(metadata={"role": Role.SET})
    domain: Items | Ring | Span
    name: str
    type: Type
    viewers: int = -1


@dataclass(slots=True, kw_only=True)
class Branch(Instruction):
    """Continues if the condition holds, else jumps to `target`."""

    condition: Expr
    target: int = field(default=-1, metadata={"role": Role.NEXT})


@dataclass(slots=True, kw_only=True)
class Jump(Instruction):
    """Jumps to `target`."""

    next: ClassVar[Role] = Role(0)
    target: int = field(default=-1, metadata={"role": Role.NEXT})


@dataclass(frozen=True, slots=True)
class Pick:
    """One variable of an option. Its digit in an action number has `size` values: members, numbers from `least` on, or
    card faces.

    The elements of a set are one pick each. The first has the number of sets as its `size`, the others have 1. The
    digit of the set is the sum of what `ranks` has for each element.
    """

    name: str
    slot: int
    domain: Domain
    size: int
    type: Type
    ranks: tuple[int, ...] = ()


@dataclass(slots=True, kw_only=True)
class Option(Instruction):
    """Actions `first` to `first + size - 1`: the picks are the digits, the last one varies fastest. Play continues at
    `target`. `seen` has, for each player who may choose, a bit for each who sees the picks; it is empty if everybody
    does. The others see only the title of the rule and what the picks change, or only that if it is not `noticed`.
    `weight` is for bots only: `walk` leaves it out, since no rule reads it."""

    says: str
    picks: tuple[Pick, ...]
    condition: Expr | None
    first: int
    size: int
    target: int = field(default=-1, metadata={"role": Role.CHOSEN})
    seen: tuple[int, ...] = ()
    noticed: bool = True
    weight: Expr | None = None


@dataclass(slots=True, kw_only=True)
class Choose(Instruction):
    """A decision point: waits for the player `by`. Continues at `none` if no action is legal. If it is not `noticed`,
    the others do not see that it waits."""

    next: ClassVar[Role] = Role(0)
    by: Expr
    options: list[Option]
    none: int = field(default=-1, metadata={"role": Role.NEXT})
    noticed: bool = True

    @property
    def offered(self) -> Sequence[Option]:
        return self.options


@dataclass(frozen=True, slots=True)
class Asking:
    """A player's part in a secret choice, if `asked` holds. The register `chosen` gets the number of their option."""

    player: int
    asked: Expr
    options: tuple[Option, ...]
    chosen: int


@dataclass(slots=True, kw_only=True)
class Secret(Instruction):
    """A decision point for several players, who choose in any order; play continues after the last of them. A player
    without a legal action, or not asked, has NONE in `chosen`."""

    next: ClassVar[Role] = Role.WAYS
    askings: tuple[Asking, ...]

    @property
    def offered(self) -> Sequence[Option]:
        return [option for asking in self.askings for option in asking.options]


@dataclass(slots=True, kw_only=True)
class Note(EventOnly):
    """Emits the event of an award, of the ranking or of a bound, from the registers that it reads."""

    report: Award | Ranking | Bound


@dataclass(slots=True, kw_only=True)
class Check(EventOnly):
    """Checks an invariant here. `sides` are the two sides if it is a comparison."""

    invariant: int
    holds: Expr
    sides: tuple[Expr, ...] = ()


@dataclass(slots=True, kw_only=True)
class SetupEnds(EventOnly):
    """The end of the setup."""


@dataclass(slots=True, kw_only=True)
class End(Instruction):
    """The end of the game."""

    next: ClassVar[Role] = Role(0)


@dataclass(frozen=True, slots=True)
class Reads:
    """The zones and registers that an expression may read; all of a declaration if an index is not constant."""

    zones: frozenset[int] = frozenset()
    registers: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class Key:
    """One criterion of an award or a ranking. Its values by player start at register `base`.

    `reads` holds, for every player, what their value is computed from: only players who see all of that may know it.
    """

    title: str
    base: int
    high: bool
    type: Type
    rule: int
    reads: tuple[Reads, ...]
    of: str = ""


@dataclass(frozen=True, slots=True)
class Award:
    """A prize that is awarded or not. `subject`, `winner` and `decided` (the index of the deciding key) are registers,
    `candidates` is the first of one register per player."""

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
    """The final order. `ranks` is the first of one register per player, `decided` a register as in `Award`.

    `returns` is the first of one register per player, -1 if the winners share 1; `bounds` are the least and the most
    that a player may get, `sum` is what all of them get together, None if that varies.
    """

    keys: tuple[Key, ...]
    ranks: int
    decided: int
    returns: int = -1
    bounds: tuple[int, int] = (0, 1)
    sum: int | None = 1


@dataclass(frozen=True, slots=True)
class Bound:
    """A loop that would have more rounds than it may (`thing` is -1), a zone that would hold more cards, or a value
    that would be outside of its type; zones and then values are numbered as the spec declares them. `number` is a
    register with the most rounds or cards, or with what the value would be. The game ends without a ranking."""

    number: int
    thing: int = -1


@dataclass(frozen=True, slots=True)
class TitledValue:
    """A cell of a titled value, stored or derived.

    `reads` is what it is computed from: only players who see all of that may know it. `remembers` says whether that
    includes remembered positions.
    """

    value: str
    cell: int
    expression: Expr
    reads: Reads
    remembers: bool = False


@dataclass(frozen=True)
class Program:
    """A program ready to run. `start` holds the initial registers of the state, `scratch` counts the scratch registers.

    `zones` holds the name and indices of every zone; `entries` the place of every rule that a position can start at,
    `named` the registers of the names around it with what they stand for, and `assumed` the expressions that must have
    the types of `Rule.assumes` there. `positions` are the registers with the numbers of remembered positions, each with
    what such a position is made of.
    """

    players: int
    code: tuple[Instruction, ...]
    rules: tuple[str, ...]
    start: tuple[int, ...]
    scratch: int
    zones: tuple[tuple[str, tuple[int, ...]], ...]
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
    named: Mapping[str, tuple[tuple[int, Expr], ...]] = field(default_factory=dict)
    assumed: Mapping[str, tuple[Expr, ...]] = field(default_factory=dict)
    positions: tuple[tuple[int, Reads], ...] = ()

    @property
    def returns(self) -> range:
        """The registers of what the game is worth to each player; empty if the winners share 1."""
        base = self.ranking.returns if self.ranking is not None else -1
        return range(base, base + self.players) if base >= 0 else range(0)

    def zone(self, name: str, *index: int) -> int:
        """The number of a zone. Raises KeyError if there is none."""
        return self._numbers[name, index]

    @cached_property
    def unnoticed(self) -> frozenset[int]:
        """The places of the decision points that only the player who decides sees."""
        return frozenset(at for at, i in enumerate(self.code) if isinstance(i, Choose) and not i.noticed)

    @cached_property
    def _numbers(self) -> dict[tuple[str, tuple[int, ...]], int]:
        return {zone: number for number, zone in enumerate(self.zones)}
