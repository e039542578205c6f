"""The abstract state of the data-flow analysis: facts, positions of picked cards, and loops with progress."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from enum import IntEnum
from itertools import islice
from typing import Any

from rulespec.language.model import typed as t
from rulespec.language.model.folds import FOLDS
from rulespec.language.model.spec import Spec
from rulespec.language.model.substitution import substitute
from rulespec.language.model.types import Type
from rulespec.proofs.checks.implications import Effects, Reads, implied, locals_of, nonempty

_LEAST = {">": 1, ">=": 0, "==": 0}
"""By how much the left side of a comparison is at least greater than the right one."""

MOST_FACTS = 40
"""Facts in one state, at most: decision tables are tried against all of them."""


class Progress(IntEnum):
    """What has happened to cards on every path since the round of a repeat began: nothing, at least one card has moved,
    or at least one has moved onward: no move of this repeat leads back to where it came from."""

    NONE = 0
    MOVED = 1
    ONWARD = 2


@dataclass(frozen=True)
class State:
    """`lies` are variables whose card is known to be in a zone. `moved` is the progress of every enclosing repeat,
    outermost first."""

    facts: frozenset[t.TExpr] = frozenset()
    lies: frozenset[tuple[str, t.ZoneRef]] = frozenset()
    moved: tuple[Progress, ...] = ()

    def assume(self, condition: t.TExpr | None) -> State:
        """The state in which a condition holds. Dropping facts is always safe, so their number is limited."""
        if condition is None or len(self.facts) > MOST_FACTS:
            return self
        return replace(self, facts=self.facts | frozenset(implied(condition)))

    def holds(self, zone: t.ZoneRef) -> bool:
        """Whether the zone always holds a card."""
        return nonempty(zone) in self.facts

    def filled(self, zone: t.ZoneRef) -> State:
        return replace(self, facts=self.facts | {nonempty(zone)})

    def holds_at_least(self, zone: t.ZoneRef, number: int) -> bool:
        """Whether the zone always holds so many cards, by a condition on its size."""
        for fact in self.facts:
            if isinstance(fact, t.Op) and fact.operator in _LEAST:
                size, other = fact.arguments
                least = other.type.low + _LEAST[fact.operator]
                if isinstance(size, t.ZoneSize) and size.zone == zone and least >= number:
                    return True
        return False

    def lying(self, variable: t.TExpr, zone: t.ZoneRef, filled: bool = True) -> State:
        """The state in which the card of a variable, or all cards of a picked set, are in a zone. Unless the zone is
        `filled` by them, the set may be empty."""
        assert isinstance(variable, t.Local)
        return replace(self.filled(zone) if filled else self, lies=self.lies | {(variable.name, zone)})

    def progressed(self, by: Sequence[Progress]) -> State:
        """The state after progress in every enclosing repeat."""
        return replace(self, moved=tuple(map(max, self.moved, by)))

    def after(self, effects: Effects, reads: Reads) -> State:
        """The part of the state that survives the effects."""
        kept = frozenset(f for f in self.facts if reads.survives(f, effects))
        lies = frozenset(
            (v, z) for v, z in self.lies if z.name not in effects.emptied and not reads.moved_on(z, effects)
        )
        return replace(self, facts=kept, lies=lies)

    def forget(self, depth: int) -> State:
        """The state without facts about variables that are bound at this depth or deeper."""
        kept = frozenset(f for f in self.facts if all(_depth(name) < depth for name in locals_of(f)))
        lies = frozenset((v, z) for v, z in self.lies if max(map(_depth, (v, *locals_of(z)))) < depth)
        return replace(self, facts=kept, lies=lies)

    def enter(self) -> State:
        """The state at the start of a round of an inner repeat."""
        return replace(self, moved=(*self.moved, Progress.NONE))

    def leave(self) -> State:
        return replace(self, moved=self.moved[:-1])


def join(states: Iterable[State | None]) -> State | None:
    """Facts that hold on every incoming path; None if unreachable."""
    reached = [s for s in states if s is not None]
    if not reached:
        return None
    first, *rest = reached
    for other in rest:
        moved = tuple(map(min, first.moved, other.moved))
        first = State(first.facts & other.facts, first.lies & other.lies, moved)
    return first


def token(name: str, type_: Type, depth: int) -> t.Local:
    """A variable with a name that no other variable in scope has."""
    # No name of a spec contains `#`, so `_depth` can take the number off again.
    return t.Local(type_, f"{name}#{depth}")


def _depth(name: str) -> int:
    """The depth at which a variable is bound; -1 for one that an expression binds itself."""
    number = name.partition("#")[2]
    return int(number) if number.isdigit() else -1


MOST_TRIED = 100
"""Ways to pick that are tried, at most: several picks multiply. A pick is compared with two or three things."""


def always(condition: t.TExpr, picks: Mapping[str, t.Domain], facts: Collection[t.TExpr], spec: Spec) -> bool:
    """Whether some picks meet the condition wherever the facts hold. False if none are found."""
    return any(_holds(tried, facts) for tried in islice(_picked(condition, picks, spec), MOST_TRIED))


def _picked(condition: t.TExpr, picks: Mapping[str, t.Domain], spec: Spec) -> Iterator[t.TExpr]:
    """The condition, and with one pick after the other replaced."""
    yield condition
    for name, tried in _tried(condition, picks, spec):
        # Each pick is replaced once, so this ends.
        yield from _picked(tried, {other: domain for other, domain in picks.items() if other != name}, spec)


def _tried(condition: t.TExpr, picks: Mapping[str, t.Domain], spec: Spec) -> Iterator[tuple[str, t.TExpr]]:
    """The condition with a pick replaced by what some part of it compares the pick with, after the name of the pick."""
    for part in _parts(condition):
        if isinstance(part, t.Op) and part.operator == "==":
            for mine, other in (part.arguments, part.arguments[::-1]):
                if isinstance(mine, t.Local) and mine.name in picks and _within(other, picks[mine.name], spec):
                    yield mine.name, substitute(condition, {mine.name: other})


def _parts(condition: t.TExpr) -> Iterator[t.TExpr]:
    """The conditions that are joined by `and` and `or`."""
    if isinstance(condition, t.Op) and condition.operator in ("and", "or"):
        for part in condition.arguments:
            yield from _parts(part)
    else:
        yield condition


def _within(value: t.TExpr, domain: t.Domain, spec: Spec) -> bool:
    """Whether a value is always an element of a domain: of the players, or of an enum that is always in play."""
    of = domain.type
    whole = of.kind == "player" or (of.kind == "enum" and spec.enums[of.name].in_play is None)
    same = (value.type.kind, value.type.name) == (of.kind, of.name) and not value.type.optional
    return isinstance(domain, t.Members) and whole and same


def _holds(condition: t.TExpr, facts: Collection[t.TExpr]) -> bool:
    """Whether a condition is true by its form or by the facts."""
    if isinstance(condition, t.Op) and condition.operator in ("and", "or"):
        return (all if condition.operator == "and" else any)(_holds(part, facts) for part in condition.arguments)
    same = (
        isinstance(condition, t.Op) and condition.operator == "==" and condition.arguments[0] == condition.arguments[1]
    )
    return same or condition in facts


def with_empty_sets(node: t.TExpr, picks: Mapping[str, t.Domain]) -> t.TExpr:
    """A condition on picks if the sets among them that may be empty are."""
    empty = {name for name, domain in picks.items() if isinstance(domain, t.Sets) and domain.type.low == 0}
    emptied: t.TExpr = _emptied(node, empty)
    return emptied


def _emptied(node: Any, empty: Collection[str]) -> Any:
    if isinstance(node, tuple):
        return tuple(_emptied(item, empty) for item in node)
    if isinstance(node, t.Fold) and isinstance(node.domain, t.Chosen) and node.domain.picked.name in empty:
        row = FOLDS[node.function]
        # A fold over nothing is what it starts with. `all` is the opposite of `any` and starts like it.
        return t.Const(node.type, int(not row.start) if row.opposite else row.start)
    if not isinstance(node, t.Part):
        return node
    return replace(node, **{item.name: _emptied(getattr(node, item.name), empty) for item in fields(node)})
