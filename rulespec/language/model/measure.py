"""The size and cost of an expression with the definitions it depends on written out."""

from __future__ import annotations

from typing import NamedTuple

from rulespec.base.messages import Message, say
from rulespec.language.model.folds import FOLDS
from rulespec.language.model.names import Names
from rulespec.language.model.substitution import written_out
from rulespec.language.model.typed import Fold, Let, Repeated, TExpr, Value, children, walk

LARGEST = 20_000
"""Nodes of an expression, at most: its definitions are inlined in programs, so they multiply."""
COSTLIEST = 2_000_000
"""Evaluation steps of an expression, at most: the interpreter takes about a second for them."""
DEEPEST = 120
"""Levels of an expression, at most: twice the limit of the parser, and Python's recursion limit is far above it."""


class Measure(NamedTuple):
    """`size`: nodes with definitions written out; `cost`: evaluation steps, at most; `depth`: levels of nesting."""

    size: int
    cost: int
    depth: int

    @property
    def fits(self) -> bool:
        return self.size <= LARGEST and self.cost <= COSTLIEST and self.depth <= DEEPEST


def measure(node: TExpr, names: Names) -> Measure:
    """The measure of an expression whose values are all measured."""
    if isinstance(node, Fold):
        inside = _together([measure(part, names) for part in (node.condition, node.body) if part is not None])
        bounds = [measure(child, names) for child in children(node.domain)]
        row, most = FOLDS[node.function], max(1, names.most(node.domain))
        # A fold made of others is written out as these; one that depends on the order looks back from each element.
        times, back = len(row.parts) or 1, 2 * most * most if row.ordered else 0
        return _together([Measure(times * inside.size, times * inside.cost * most + back, inside.depth), *bounds])
    parts = [measure(child, names) for child in children(node)]
    if isinstance(node, Let):
        # Programs evaluate the value once; checks read it in every place of the name.
        return measure(written_out(node), names)._replace(cost=_together(parts).cost)
    if isinstance(node, Value) and (shape := names.values.get(node.name)) is not None and shape.derived:
        parts.append(Measure(shape.size, shape.cost, shape.depth))
    if isinstance(node, Repeated):
        parts.append(Measure(1, node.most, 1))
    return _together(parts)


class Excess(NamedTuple):
    """What an expression takes too much of, in words with the limit; the part that takes most of it, and how much."""

    message: Message
    part: TExpr
    taken: int


def excess(node: TExpr, names: Names) -> Excess:
    """Why an expression does not fit. The part is the innermost that alone does not fit, else the largest in it."""
    at, limit, message = next(one for one in _LIMITS if measure(node, names)[one[0]] > one[1])
    part = node
    while below := [child for child in children(part) if measure(child, names)[at] > limit]:
        part = below[0]
    if not isinstance(part, Fold | Value):
        inside = [one for one in walk(part) if isinstance(one, Fold | Value)]
        part = max(inside, key=lambda one: measure(one, names)[at], default=part)
    words = say(message, count=measure(node, names)[at], limit=limit)
    return Excess(words, part, measure(part, names)[at])


_LIMITS = (
    (1, COSTLIEST, say("This takes up to {count:,} steps to evaluate, more than {limit:,}")),
    (0, LARGEST, say("This has {count:,} parts with the values it depends on, more than {limit:,}")),
    (2, DEEPEST, say("This is nested {count:,} levels deep with the values it depends on, more than {limit:,}")),
)
"""What a measure limits, by its position, the limit, and how a finding says that it is exceeded."""


def _together(parts: list[Measure]) -> Measure:
    size, cost = 1 + sum(p.size for p in parts), 1 + sum(p.cost for p in parts)
    return Measure(size, cost, 1 + max((p.depth for p in parts), default=0))
