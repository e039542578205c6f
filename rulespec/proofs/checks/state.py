"""The abstract state of the data-flow analysis: facts, positions of picked cards, and loops with progress."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from enum import IntEnum

from rulespec.language.model.typed import Local, Op, TExpr, ZoneRef, ZoneSize
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

    facts: frozenset[TExpr] = frozenset()
    lies: frozenset[tuple[str, ZoneRef]] = frozenset()
    moved: tuple[Progress, ...] = ()

    def assume(self, condition: TExpr | None) -> State:
        """The state in which a condition holds. Dropping facts is always safe, so their number is limited."""
        if condition is None or len(self.facts) > MOST_FACTS:
            return self
        return replace(self, facts=self.facts | frozenset(implied(condition)))

    def holds(self, zone: ZoneRef) -> bool:
        """Whether the zone always holds a card."""
        return nonempty(zone) in self.facts

    def filled(self, zone: ZoneRef) -> State:
        return replace(self, facts=self.facts | {nonempty(zone)})

    def holds_at_least(self, zone: ZoneRef, number: int) -> bool:
        """Whether the zone always holds so many cards, by a condition on its size."""
        for fact in self.facts:
            if isinstance(fact, Op) and fact.operator in _LEAST:
                size, other = fact.arguments
                least = other.type.low + _LEAST[fact.operator]
                if isinstance(size, ZoneSize) and size.zone == zone and least >= number:
                    return True
        return False

    def lying(self, variable: TExpr, zone: ZoneRef, filled: bool = True) -> State:
        """The state in which the card of a variable, or all cards of a picked set, are in a zone. Unless the zone is
        `filled` by them, the set may be empty."""
        assert isinstance(variable, Local)
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


def token(name: str, type_: Type, depth: int) -> Local:
    """A variable with a name that no other variable in scope has."""
    # No name of a spec contains `#`, so `_depth` can take the number off again.
    return Local(type_, f"{name}#{depth}")


def _depth(name: str) -> int:
    """The depth at which a variable is bound; -1 for one that an expression binds itself."""
    number = name.partition("#")[2]
    return int(number) if number.isdigit() else -1
