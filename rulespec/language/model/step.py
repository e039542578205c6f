"""The steps of a sealed game: the core steps and the blocks."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields, is_dataclass
from functools import cache
from typing import ClassVar, NamedTuple

from rulespec.base.diagnostics import Span
from rulespec.language.model.typed import Domain, Listed, Local, Members, Op, Range, Ruling, TExpr, Value, ZoneRef
from rulespec.language.model.types import CARD, Type

__all__ = [
    "Auction",
    "Award",
    "Body",
    "Choose",
    "Connect",
    "Criterion",
    "Decide",
    "DecisionRow",
    "Do",
    "Draft",
    "Each",
    "Effect",
    "End",
    "Flow",
    "If",
    "Leave",
    "Let",
    "MemberEffect",
    "Move",
    "Note",
    "Option",
    "Place",
    "Prize",
    "Random",
    "Rank",
    "Repeat",
    "Run",
    "Secret",
    "Set",
    "Show",
    "Shuffle",
    "Step",
    "Transfer",
    "nested",
]

Body = tuple["Step", ...]


class Flow(NamedTuple):
    """Cards that go from one zone to another: `card` is an expression for each of them, and `where` holds for it. `one`
    says whether it is one card."""

    source: ZoneRef
    target: ZoneRef
    card: TExpr | None = None
    where: TExpr | None = None
    one: bool = False


@dataclass(frozen=True, kw_only=True, eq=False)
class Step:
    """A step of a game. `rule` is its own id or empty; `only_if`, constant for a game, says whether it is present.

    Steps are compared and hashed by identity, so each is a key of its own: two equal texts at two places are two steps.

    Every class says whether it runs `once` where it stands, so that what holds before it holds inside, and whether it
    is `followed`: only its `flows`, its `changes` and the steps inside change anything, so other facts hold after it.
    """

    once: ClassVar[bool]
    followed: ClassVar[bool]
    span: Span
    rule: str = ""
    only_if: TExpr | None = None

    def __init_subclass__(cls, *, once: bool, followed: bool) -> None:
        cls.once, cls.followed = once, followed

    def flows(self) -> Iterator[Flow]:
        """How the step moves cards, without the steps inside it."""
        return iter(())

    def changes(self) -> tuple[Value | ZoneRef, ...]:
        """The stored values that the step sets and the zones that it reorders, without the steps inside it."""
        return ()


@dataclass(frozen=True, kw_only=True, eq=False)
class Note(Step, once=True, followed=True):
    """A rule that players follow and the engine does not need."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Do(Step, once=True, followed=True):
    body: Body


@dataclass(frozen=True, kw_only=True, eq=False)
class If(Step, once=True, followed=True):
    condition: TExpr
    then: Body
    otherwise: Body


@dataclass(frozen=True, kw_only=True, eq=False)
class Repeat(Step, once=False, followed=False):
    """`while_` is tested before every round, `until` after it; there are at most `at_most` rounds, if it is given.

    `then` runs if another round would begin after them; it is None if that is an error.
    """

    body: Body
    while_: TExpr | None
    until: TExpr | None
    at_most: TExpr | None
    then: Body | None


@dataclass(frozen=True, kw_only=True, eq=False)
class Leave(Step, once=True, followed=True):
    """Ends a loop: the innermost repeat, or the `repeat` or `each` whose rule is `loop`."""

    loop: str = ""


@dataclass(frozen=True, kw_only=True, eq=False)
class End(Step, once=True, followed=False):
    """Ends the play: what comes next is the final ranking."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Each(Step, once=False, followed=True):
    """A loop over a domain, without `but`. Players start at `start`; cards are visited from the last to the first."""

    variable: str
    domain: Domain
    start: TExpr | None
    but: TExpr | None
    body: Body


@dataclass(frozen=True, kw_only=True, eq=False)
class Let(Step, once=True, followed=True):
    """Binds what an expression is now to a name, which does not change inside."""

    variable: str
    value: TExpr
    body: Body


@dataclass(frozen=True, kw_only=True, eq=False)
class Random(Step, once=True, followed=True):
    """Binds a random element of a domain to a name. If there is `seen_where`, only the players for whom it holds, each
    in turn bound to `viewer`, see what is drawn."""

    variable: str
    domain: Members | Range
    body: Body
    viewer: str = ""
    seen_where: TExpr | None = None


@dataclass(frozen=True, kw_only=True, eq=False)
class Option(Step, once=False, followed=True):
    """One option of a choice: every combination of picks that meets `condition`. `needs` are the last parts of the
    condition, joined by `and`: that there are enough tokens for the transfers in the body."""

    says: str
    picks: tuple[tuple[str, Domain], ...]
    condition: TExpr | None
    body: Body
    needs: tuple[TExpr, ...] = ()

    @property
    def own_condition(self) -> TExpr | None:
        """The condition without what the transfers need."""
        condition = self.condition
        for need in reversed(self.needs):
            condition = condition.arguments[0] if isinstance(condition, Op) and condition != need else None
        return condition


@dataclass(frozen=True, kw_only=True, eq=False)
class Choose(Step, once=True, followed=True):
    """`none` says what happens without a legal action: skip, leave, or empty if there always is one."""

    by: TExpr
    options: tuple[Option, ...]
    none: str


@dataclass(frozen=True, kw_only=True, eq=False)
class Move(Step, once=True, followed=True):
    """`how` is card, cards, top, bottom, random or every; `amount` is the card, the picked set or the number; `where`
    tests `variable` for `every`. `limited` says whether the cards may be more than the target can hold."""

    how: str
    amount: TExpr | None
    variable: str
    where: TExpr | None
    source: ZoneRef
    target: ZoneRef
    limited: bool = False

    def flows(self) -> Iterator[Flow]:
        card = {"card": self.amount, "every": Local(CARD, self.variable)}.get(self.how)
        yield Flow(self.source, self.target, card, self.where, one=self.how == "card")


@dataclass(frozen=True, kw_only=True, eq=False)
class Show(Step, once=True, followed=True):
    """Shows cards of a zone to a player, or to everybody if `to` is None. `how` is card, top, bottom or every;
    `amount`, `variable` and `where` select the cards as in a move."""

    how: str
    amount: TExpr | None
    variable: str
    where: TExpr | None
    source: ZoneRef
    to: TExpr | None


@dataclass(frozen=True, kw_only=True, eq=False)
class Shuffle(Step, once=True, followed=True):
    zone: ZoneRef

    def changes(self) -> tuple[Value | ZoneRef, ...]:
        return (self.zone,)


@dataclass(frozen=True, kw_only=True, eq=False)
class Set(Step, once=True, followed=True):
    """Sets a stored value. If it is `limited`, the number may be outside of the type of the value, which is tested."""

    target: Value
    value: TExpr
    limited: bool = False

    def changes(self) -> tuple[Value | ZoneRef, ...]:
        return (self.target,)


@dataclass(frozen=True, kw_only=True, eq=False)
class Transfer(Step, once=True, followed=True):
    """Moves tokens from one place of a stock to another: `amount` of one kind, or of each kind `variable` of `domain`.

    Those that are lacking are paid in `jokers`, the tokens of another stock, from one place to another. `short` says
    what happens if there are still too few: `as_many` as there are move, an `error` stops the game, or the option with
    the step is `illegal`; it is empty if there always are enough. `sets` are the steps that this means for the values
    of the places."""

    amount: TExpr
    source: Value
    target: Value
    variable: str = ""
    domain: Domain | None = None
    jokers: tuple[Value, Value] | None = None
    short: str = ""
    sets: Body

    def changes(self) -> tuple[Value, ...]:
        """The places that change: where tokens come from, then where they go, for the jokers too."""
        return self.source, self.target, *(self.jokers or ())

    def taken_from(self) -> set[str]:
        """The names of the places that it takes tokens from."""
        return {place.name for place in self.changes()[::2]}


@dataclass(frozen=True, kw_only=True, eq=False)
class Connect(Step, once=False, followed=False):
    """Sets `target`, a truth value, for each square `variable` of a board: whether a way of neighbours (`near`) leads
    there from a square for which `start` holds, through squares for which `through` does.

    With a name for the square `ahead`, `through` is about both squares, and they may be members of any enum.
    """

    variable: str
    domain: Members
    start: TExpr
    through: TExpr
    near: Listed | Members
    target: Value
    ahead: str | None = None

    def changes(self) -> tuple[Value | ZoneRef, ...]:
        return (self.target,)


@dataclass(frozen=True, kw_only=True, eq=False)
class Run(Step, once=True, followed=False):
    procedure: str
    arguments: tuple[tuple[str, TExpr], ...]


@dataclass(frozen=True, kw_only=True, eq=False)
class Effect(Run, once=True, followed=False):
    """Carries out the effect of a member, the first argument: `procedure` has those of all members at a moment."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Place(Step, once=False, followed=False):
    """A place for a drawn card. `then` runs after the card is put there; it binds the card to `card`."""

    title: str
    says: str
    target: ZoneRef
    face: str
    limit: TExpr
    then: Body


@dataclass(frozen=True, kw_only=True, eq=False)
class Draft(Step, once=False, followed=False):
    """One player draws cards one by one and puts each into a place with room."""

    by: TExpr
    source: ZoneRef
    look: ZoneRef
    draws: TExpr
    places: tuple[Place, ...]

    def flows(self) -> Iterator[Flow]:
        yield Flow(self.source, self.look)
        yield from (Flow(self.look, place.target) for place in self.places)


@dataclass(frozen=True, kw_only=True, eq=False)
class Auction(Step, once=False, followed=False):
    """An ascending auction. The bodies bind `winner` and `price`; `limit` and `means` bind the name of the bidder."""

    lot: ZoneRef
    bidder: str
    eligible: TExpr | None
    start: TExpr
    opening: TExpr
    increment: TExpr
    cap: TExpr
    limit: TExpr
    means: TExpr
    bid: Option
    passing: Option
    before: Body
    pays: Body
    takes: Body
    cannot_pay: Body
    again_from: TExpr | None
    nobody: Body


@dataclass(frozen=True, kw_only=True, eq=False)
class Secret(Step, once=False, followed=False):
    """All players for whom `eligible` holds choose in secret; then the options run seat by seat, then `then`. `none` is
    skip, or empty if every player always has a legal action."""

    player: str
    eligible: TExpr | None
    options: tuple[Option, ...]
    none: str
    then: Body


@dataclass(frozen=True, kw_only=True, eq=False)
class DecisionRow(Step, once=False, followed=True):
    when: TExpr
    body: Body


@dataclass(frozen=True, kw_only=True, eq=False)
class MemberEffect(DecisionRow, once=False, followed=True):
    """The effect of one member of an enum at a moment. Its rule is that of the member, for all moments together."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Decide(Step, once=True, followed=True):
    """A decision table. `otherwise` is None if the spec says that the rows leave no gap."""

    hit: str
    rows: tuple[DecisionRow, ...]
    otherwise: Body | None


@dataclass(frozen=True, kw_only=True, eq=False)
class Criterion(Step, once=False, followed=False):
    """One criterion of a chain of tie-breaks; with `each`, the criteria in `inner`, once per member of a domain."""

    title: str
    high: bool = True
    by: TExpr | None = None
    each: tuple[str, Domain] | None = None
    inner: tuple[Criterion, ...] = ()


@dataclass(frozen=True, kw_only=True, eq=False)
class Prize(Step, once=False, followed=False):
    """One place of an award: `gives` is set to the best player who meets `condition`, if there is one."""

    title: str
    gives: Value
    worth: TExpr | None
    condition: TExpr | None

    def changes(self) -> tuple[Value | ZoneRef, ...]:
        return (self.gives,)


@dataclass(frozen=True, kw_only=True, eq=False)
class Award(Step, once=False, followed=False):
    """For every member of `domain`, gives the places to the best players in turn."""

    variable: str
    domain: Domain
    player: str
    eligible: TExpr | None
    chain: tuple[Criterion, ...]
    left: str
    places: tuple[Prize, ...]


@dataclass(frozen=True, kw_only=True, eq=False)
class Rank(Step, once=False, followed=False):
    """The end of the game: ranks the players. The first criterion is the score.

    `returns` is what the game is worth to each player; if it is None, the winners share 1. `sum` is what it is worth
    to all of them together, constant in a setting; None if that varies.
    """

    player: str
    chain: tuple[Criterion, ...]
    left: str
    returns: TExpr | None = None
    sum: TExpr | None = None


@cache
def _parts(kind: type) -> tuple[str, ...]:
    """The fields of a class in which `inside` and `within` look."""
    return tuple(item.name for item in fields(kind)) if is_dataclass(kind) and kind not in (Type, Span) else ()


def inside(step: Step) -> Iterator[Step]:
    """The steps directly inside a step."""
    for name in _parts(type(step)):  # type: ignore[arg-type]  # mypy finds no hash of classes
        value = getattr(step, name)
        yield from (s for s in (value if isinstance(value, tuple) else (value,)) if isinstance(s, Step))


def nested(step: Step) -> Iterator[Step]:
    """A step and all steps inside it."""
    yield step
    for inner in inside(step):
        yield from nested(inner)


def within(value: object, own: bool = False) -> Iterator[object]:
    """A step, an expression, a declaration or a tuple of them, and what is in their fields, all the way down.

    `own`: without the steps inside a step, whose rules may be others.
    """
    yield value
    if names := _parts(type(value)):  # type: ignore[arg-type]
        value = tuple(getattr(value, name) for name in names)
    for item in value if isinstance(value, tuple) else ():
        if not (own and isinstance(item, Step)):
            yield from within(item, own)


def rulings_in(value: object, own: bool = False) -> list[str]:
    """The rulings that are `within` a value, each once."""
    return list(dict.fromkeys(one.id for one in within(value, own) if isinstance(one, Ruling)))
