"""Picks with which an option is always legal: what its condition compares them with, such as `t == p or near[p, t]`."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import fields, replace
from itertools import islice
from typing import Any

from rulespec.language.model.folds import FOLDS
from rulespec.language.model.spec import Spec
from rulespec.language.model.substitution import substitute
from rulespec.language.model.typed import Chosen, Const, Domain, Fold, Local, Members, Op, Part, Sets, TExpr

MOST_TRIED = 100
"""Ways to pick that are tried, at most: several picks multiply. A pick is compared with two or three things."""


def always(condition: TExpr, picks: Mapping[str, Domain], facts: Collection[TExpr], spec: Spec) -> bool:
    """Whether some picks meet the condition wherever the facts hold. False if none are found."""
    return any(_holds(tried, facts) for tried in islice(_picked(condition, picks, spec), MOST_TRIED))


def _picked(condition: TExpr, picks: Mapping[str, Domain], spec: Spec) -> Iterator[TExpr]:
    """The condition, and with one pick after the other replaced."""
    yield condition
    for name, tried in _tried(condition, picks, spec):
        # Each pick is replaced once, so this ends.
        yield from _picked(tried, {other: domain for other, domain in picks.items() if other != name}, spec)


def _tried(condition: TExpr, picks: Mapping[str, Domain], spec: Spec) -> Iterator[tuple[str, TExpr]]:
    """The condition with a pick replaced by what some part of it compares the pick with, after the name of the pick."""
    for part in _parts(condition):
        if isinstance(part, Op) and part.operator == "==":
            for mine, other in (part.arguments, part.arguments[::-1]):
                if isinstance(mine, Local) and mine.name in picks and _within(other, picks[mine.name], spec):
                    yield mine.name, substitute(condition, {mine.name: other})


def _parts(condition: TExpr) -> Iterator[TExpr]:
    """The conditions that are joined by `and` and `or`."""
    if isinstance(condition, Op) and condition.operator in ("and", "or"):
        for part in condition.arguments:
            yield from _parts(part)
    else:
        yield condition


def _within(value: TExpr, domain: Domain, spec: Spec) -> bool:
    """Whether a value is always an element of a domain: of the players, or of an enum that is always in play."""
    of = domain.type
    whole = of.kind == "player" or (of.kind == "enum" and spec.enums[of.name].in_play is None)
    same = (value.type.kind, value.type.name) == (of.kind, of.name) and not value.type.optional
    return isinstance(domain, Members) and whole and same


def _holds(condition: TExpr, facts: Collection[TExpr]) -> bool:
    """Whether a condition is true by its form or by the facts."""
    if isinstance(condition, Op) and condition.operator in ("and", "or"):
        return (all if condition.operator == "and" else any)(_holds(part, facts) for part in condition.arguments)
    same = isinstance(condition, Op) and condition.operator == "==" and condition.arguments[0] == condition.arguments[1]
    return same or condition in facts


def with_empty_sets(node: TExpr, picks: Mapping[str, Domain]) -> TExpr:
    """A condition on picks if the sets among them that may be empty are."""
    empty = {name for name, domain in picks.items() if isinstance(domain, Sets) and domain.type.low == 0}
    emptied: TExpr = _emptied(node, empty)
    return emptied


def _emptied(node: Any, empty: Collection[str]) -> Any:
    if isinstance(node, tuple):
        return tuple(_emptied(item, empty) for item in node)
    if isinstance(node, Fold) and isinstance(node.domain, Chosen) and node.domain.picked.name in empty:
        row = FOLDS[node.function]
        # A fold over nothing is what it starts with. `all` is the opposite of `any` and starts like it.
        return Const(node.type, int(not row.start) if row.opposite else row.start)
    if not isinstance(node, Part):
        return node
    return replace(node, **{item.name: _emptied(getattr(node, item.name), empty) for item in fields(node)})
