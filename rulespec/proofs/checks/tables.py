"""Checks of decision tables: tries every combination of values that the rows depend on."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain

from rulespec.language.model import spec as m
from rulespec.language.model import typed as t
from rulespec.language.model.substitution import substitute
from rulespec.language.model.typed import TExpr
from rulespec.proofs.checks.conditions import Combination, Evaluate, Item, Support, inline
from rulespec.proofs.checks.implications import Reads

MOST_COMBINATIONS = 20_000
"""Combinations tried for one table, at most: about a tenth of a second."""
MOST_IN_ALL = 500_000
"""Combinations tried in one run, at most: a few seconds. The largest shipped game needs 156,084."""


@dataclass(frozen=True)
class Verdict:
    """The result for one table. `overlaps` maps a row to an earlier row that applies as well, and when; `gap` says when
    no row applies, or is empty; `applied` are the rows that can apply (with hit policy `first`, as the first one)."""

    overlaps: Mapping[int, tuple[int, str]] = field(default_factory=dict)
    gap: str = ""
    applied: frozenset[int] = frozenset()
    proven: bool = True

    def merged(self, other: Verdict) -> Verdict:
        """The verdict on a table that is reached on two paths."""
        return Verdict(
            {**other.overlaps, **self.overlaps},
            self.gap or other.gap,
            self.applied | other.applied,
            self.proven and other.proven,
        )


@dataclass
class Judge:
    """Computes verdicts on tables, within a limit of combinations per run."""

    spec: m.Spec
    _done: dict[tuple[m.Step, frozenset[TExpr], tuple[TExpr, ...]], Verdict] = field(default_factory=dict)
    _spent: int = 0

    def __post_init__(self) -> None:
        self._reads = Reads(self.spec)

    def verdict(self, step: m.Decide, scope: Mapping[str, TExpr], facts: Collection[TExpr]) -> Verdict:
        """The verdict on a table in a state with these facts. With too many combinations nothing is proven, and every
        row counts as one that can apply."""
        rows = tuple(inline(substitute(row.when, scope), self.spec) for row in step.rows)
        key = (step, frozenset(facts), rows)
        if key not in self._done:
            # Sorted: the order of a set differs between processes, and decides which combination a finding names.
            self._done[key] = self._judge(step, rows, [inline(f, self.spec) for f in sorted(facts, key=repr)])
        return self._done[key]

    def _judge(self, step: m.Decide, rows: tuple[TExpr, ...], facts: list[TExpr]) -> Verdict:
        support = self._support(step, rows, facts)
        size = support.size()
        self._spent += size
        if size > MOST_COMBINATIONS or self._spent > MOST_IN_ALL:
            return Verdict(applied=frozenset(range(len(rows))), proven=False)
        applies = [self._applies(support, row, when) for row, when in zip(step.rows, rows, strict=True)]
        by_content: dict[_Content | None, list[int]] = {}
        for at, when in enumerate(rows):
            by_content.setdefault(_content(support, when), []).append(at)
        found = _Trial(support, applies, step.hit == "unique", by_content).verdict()
        # The combination that shows the fault may be an impossible one, so nothing is proven either way.
        if (found.overlaps or found.gap) and support.entangled(self._reads):
            return Verdict(applied=found.applied, proven=False)
        return found

    def _support(self, step: m.Decide, rows: tuple[TExpr, ...], facts: list[TExpr]) -> Support:
        support = Support(self.spec, facts)
        for when in (*rows, *(row.only_if for row in step.rows if row.only_if is not None)):
            support.add(when)
        # With the number of players, `combinations` leaves out seats that no player has.
        if any(n.type.kind == "player" for n in support.singles):
            support.add(support.count)
        for fact in facts:
            # Numbers that only a fact mentions must be distinguished as well.
            if support.covers(fact):
                support.add(fact)
        return support

    def _applies(self, support: Support, row: m.DecisionRow, when: TExpr) -> Evaluate:
        applies = support.function(when)
        if row.only_if is None:
            return applies
        present = support.function(row.only_if)
        return lambda one: int(bool(present(one) and applies(one)))


_Content = tuple[int, Item]
"""A place in a combination, and what is there."""


def _content(support: Support, when: TExpr) -> _Content | None:
    """What a combination has if a row applies that compares one thing with a constant; None for any other row."""
    if not (isinstance(when, t.Op) and when.operator == "==" and isinstance(constant := when.arguments[1], t.Const)):
        return None
    thing = when.arguments[0]
    return (support.singles.index(thing), constant.value) if thing in support.singles else None


@dataclass
class _Trial:
    """Combinations tried for the rows of a table; `rows` has their numbers by what a combination must have for them."""

    support: Support
    applies: list[Evaluate]
    unique: bool
    rows: Mapping[_Content | None, Sequence[int]]
    overlaps: dict[int, tuple[int, str]] = field(default_factory=dict)
    gap: str = ""
    applied: set[int] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.places = {key[0] for key in self.rows if key is not None}

    def verdict(self) -> Verdict:
        # A set, because `_words` looks up many of them; in order, so that findings name the same one each time.
        self.possible = set(self.support.combinations())
        for one in sorted(self.possible):
            self._try(one)
        return Verdict(self.overlaps, self.gap, frozenset(self.applied))

    def _try(self, one: Combination) -> None:
        hits = [at for at in self._candidates(one) if self.applies[at](one)]
        if not hits:
            self.gap = self.gap or self._words(one, lambda o: not any(applies(o) for applies in self.applies))
        self.applied.update(hits if self.unique else hits[:1])
        if self.unique and len(hits) > 1 and hits[1] not in self.overlaps:
            first, second = hits[:2]
            both = self._words(one, lambda o: bool(self.applies[first](o) and self.applies[second](o)))
            self.overlaps[second] = (first, both)

    def _candidates(self, one: Combination) -> list[int]:
        """The rows that may apply: a table of the effects of a thousand cards has one for each combination."""
        return sorted(chain(self.rows.get(None, ()), *(self.rows.get((at, one[at]), ()) for at in self.places)))

    def _words(self, one: Combination, holds: Callable[[Combination], bool]) -> str:
        """The combination in words, without the values that make no difference."""
        domains = self.support.domains()
        matter = set(range(len(one)))
        for at, domain in enumerate(domains):
            others = [(*one[:at], item, *one[at + 1 :]) for item in domain]
            if all(holds(o) for o in others if o in self.possible):
                matter.discard(at)
        return self.support.words(one, matter)
