"""Whether two expressions of one game are equal for all values, or a position in which they differ."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, fields, replace
from itertools import combinations
from typing import Any

from rulespec.language.model import spec as m
from rulespec.language.model import typed as t
from rulespec.language.model.constants import settings
from rulespec.language.model.phrase import Phrase, number
from rulespec.language.model.spec import Spec
from rulespec.language.model.substitution import substitute
from rulespec.language.model.types import BOOL, Type
from rulespec.proofs.checks.conditions import Combination, Evaluate, Support, inline, leaves
from rulespec.proofs.checks.implications import Reads
from rulespec.proofs.meaning.expressions import Wording, kind_of
from rulespec.versions.changes.translation import key

MOST_COMBINATIONS = 20_000
"""Combinations of values tried for one pair of expressions, at most: about a tenth of a second."""
MOST_IN_ALL = 300_000
"""Combinations tried for two versions, at most: two seconds. Expressions beyond that stay unproved."""

_EXCLUDED = (KeyError, IndexError, ZeroDivisionError, AssertionError)
"""What an expression raises for values that the conditions around it exclude."""


@dataclass(frozen=True)
class Example:
    """A position in which two versions of an expression differ: what holds there, and what each version gives."""

    when: tuple[Phrase, ...]
    before: Phrase
    after: Phrase


@dataclass
class Prover:
    """Compares expressions of a game, within a limit of combinations."""

    spec: Spec
    _spent: int = 0
    _reads: Reads = field(init=False)

    def __post_init__(self) -> None:
        self._reads = Reads(self.spec)

    def settled(self, old: Any, new: Any) -> Any:
        """The new expression, with the old one, or parts of it, where both are equal for all values."""
        if key(old) == key(new):
            return new
        typed = isinstance(old, t.Typed) and isinstance(new, t.Typed) and old.type.kind == new.type.kind
        if typed and self._first(old, self._folds(old, new)) is None:
            return old
        return self._by_parts(old, new)

    def _by_parts(self, old: Any, new: Any) -> Any:
        """The new expression with parts of the old one, if both are made of the same parts."""
        if type(old) is not type(new) or not isinstance(new, t.Part):
            return new
        if isinstance(new, t.Fold):
            # A fold with another name of its variable.
            inner = {old.variable: t.Local(old.domain.type, new.variable)}
            parts = (None if part is None else substitute(part, inner) for part in (old.condition, old.body))
            old = t.Fold(old.type, old.function, new.variable, old.domain, *parts)
        changed: dict[str, Any] = {}
        for name in (item.name for item in fields(new) if item.name != "type"):
            was, now = getattr(old, name), getattr(new, name)
            if isinstance(now, tuple):
                same = len(was) == len(now)
                changed[name] = tuple(map(self.settled, was, now)) if same else now
            elif was is not None and now is not None:
                changed[name] = self.settled(was, now)
        return replace(new, **changed)

    def _folds(self, old: Any, new: Any) -> Any:
        """The new expression with the folds of the old one that are equal to its own."""
        known = {key(leaf): leaf for leaf in leaves(old) if isinstance(leaf, t.Fold)}
        for leaf in [leaf for leaf in leaves(new) if isinstance(leaf, t.Fold) and key(leaf) not in known]:
            for other in known.values():
                if key(self._by_parts(other, leaf)) == key(other):
                    new = _replaced(new, leaf, other)
                    break
        return new

    def example(self, old: Any, new: Any) -> Example | None:
        """A position in which the expressions differ; None if none is known to be possible."""
        if not isinstance(new, t.Typed) or old.type.kind != new.type.kind:
            return None
        found = self._first(old, self._folds(old, new))
        if found is None or found.one is None or self._entangled(found.trial):
            return None
        try:
            return found.example(self.spec)
        except _EXCLUDED:
            return None

    def of_row(self, table: m.Table, row: tuple[int, ...], was: int) -> Example:
        """A row of a table that had another value."""
        say = Wording(self.spec, settings(self.spec))
        when = tuple(
            Phrase("with_players", (number(key),))
            if at in table.counts
            else Phrase("is", (_key_of(type_), _shown(say, type_, key)))
            for at, (type_, key) in enumerate(zip(table.by, row, strict=True))
        )
        return Example(when, _shown(say, table.type, was), _shown(say, table.type, table.rows[row]))

    def _first(self, old: Any, new: Any) -> _Found | None:
        """The first combination of values for which the expressions differ; None if they are equal.

        Without a combination if there are too many, or if the values of an expression cannot be listed.
        """
        trial = _Trial.of(self.spec, old, new)
        size = trial.support.size() if trial is not None else 0
        if trial is None or size > MOST_COMBINATIONS or self._spent + size > MOST_IN_ALL:
            return _Found(None, None)
        self._spent += size
        try:
            one = next(trial.differing(), None)
        except _EXCLUDED:
            return _Found(None, None)
        return None if one is None else _Found(trial, one)

    def _entangled(self, trial: _Trial | None) -> bool:
        """Whether two of the values depend on each other, so that the combination may be impossible."""
        assert trial is not None
        names = [part for name in trial.support.names for part in (name if isinstance(name, tuple) else (name,))]
        return any(self._together(one, other) for one, other in combinations(names, 2))

    def _together(self, one: t.TExpr, other: t.TExpr) -> bool:
        (zones, values), (more_zones, more_values) = self._reads.of(one), self._reads.of(other)
        stored = isinstance(one, t.Value) and isinstance(other, t.Value) and not zones
        return bool(zones & more_zones) or (bool(values & more_values) and not stored)


@dataclass(frozen=True)
class _Trial:
    """Two expressions as functions of the values that they depend on."""

    support: Support
    old: Evaluate
    new: Evaluate
    type: Any

    @classmethod
    def of(cls, spec: Spec, old: t.TExpr, new: t.TExpr) -> _Trial | None:
        """None for cards, which are compared by what they are and not by their fields."""
        if "card" in (old.type.kind, new.type.kind):
            return None
        known: dict[Any, t.TExpr] = {}
        after, before = (_unified(inline(node, spec), known) for node in (new, old))
        support = Support(spec, ())
        for node in (after, before):
            support.add(node)
        if any(n.type.kind == "player" for n in support.singles):
            support.add(support.count)
        return cls(support, support.function(before), support.function(after), new.type)

    def differing(self) -> Iterator[Combination]:
        return (one for one in self.support.combinations() if self.old(one) != self.new(one))

    def matter(self, one: Combination) -> list[int]:
        """The places of the values without which the difference would not be there."""
        found = []
        for at, domain in enumerate(self.support.domains()):
            others = ((*one[:at], item, *one[at + 1 :]) for item in domain)
            if any(self.old(each) == self.new(each) for each in others):
                found.append(at)
        return found


@dataclass(frozen=True)
class _Found:
    trial: _Trial | None
    one: Combination | None

    def example(self, spec: Spec) -> Example | None:
        """The position in words; None if nothing has to hold there: then the statements themselves say enough."""
        assert self.trial is not None and self.one is not None
        say = Wording(spec, settings(spec))
        said = [phrase for at in self.trial.matter(self.one) for phrase in self._said(say, at)]
        when = [phrase for phrase in said if phrase.constructor != "true"]
        before, after = (each(self.one) for each in (self.trial.old, self.trial.new))
        if not when or any(phrase.constructor == "false" for phrase in when):
            return None
        return Example(tuple(when), _shown(say, self.trial.type, before), _shown(say, self.trial.type, after))

    def _said(self, say: Wording, at: int) -> Iterator[Phrase]:
        """What holds of one of the values, as conditions."""
        assert self.trial is not None and self.one is not None
        support, item = self.trial.support, self.one[at]
        name = support.names[at]
        if isinstance(name, tuple):
            sign = item if isinstance(item, int) else 0
            yield say(t.Op(BOOL, {-1: "<", 0: "==", 1: ">"}[sign], name))
        elif isinstance(name, t.Players):
            assert isinstance(item, int)
            yield Phrase("with_players", (number(item),))
        elif isinstance(item, tuple):
            for column, value in zip(support.fields[name], item[1:], strict=True):
                type_ = support.spec.deck.fields[column]
                yield say(t.Op(BOOL, "==", (t.CardField(type_, name, column), t.Const(type_, value))))
        else:
            yield say(t.Op(BOOL, "==", (name, t.Const(name.type, item))))


def _shown(say: Wording, type_: Any, value: int) -> Phrase:
    return say.constant(type_, value) or number(value)


def _key_of(type_: Type) -> Phrase:
    """What the rows of a table are by, as a phrase."""
    return Phrase("variable", (), type_.name or "number", kind=kind_of(type_))


def _replaced(node: Any, part: t.TExpr, by: t.TExpr) -> Any:
    """A node with another expression in each place of a part."""
    return _mapped(node, lambda one: by if one == part else None)


_UNIFIED = (t.Value, t.ZoneSize, t.TopCard, t.NthCard, t.Fold, t.Repeated, t.Local, t.Ruling, t.Players)


def _unified(node: Any, known: dict[Any, t.TExpr]) -> Any:
    """A node whose leaves are the first ones of the same key: types of old and new declarations may differ."""

    def first(one: Any) -> Any:
        return known.setdefault(key(one), one) if isinstance(one, _UNIFIED) else None

    return _mapped(node, first)


def _mapped(node: Any, change: Any) -> Any:
    """A node with parts changed, from the outside inwards; `change` gives None for a part to look into."""
    if isinstance(node, tuple):
        return tuple(_mapped(item, change) for item in node)
    if not isinstance(node, t.Part):
        return node
    changed = change(node)
    if changed is not None:
        return changed
    return replace(node, **{item.name: _mapped(getattr(node, item.name), change) for item in fields(node)})
