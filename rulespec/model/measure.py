"""How large an expression becomes once the definitions it leans on are written out, and how long it takes."""

from __future__ import annotations

from typing import NamedTuple

from rulespec.model.names import Names
from rulespec.model.typed import Fold, TExpr, Value, children

LARGEST = 20_000
COSTLIEST = 2_000_000
DEEPEST = 120


class Measure(NamedTuple):
    """`size`: nodes written out; `cost`: steps to work it out, at worst; `depth`: levels, those of definitions too."""

    size: int
    cost: int
    depth: int

    @property
    def fits(self) -> bool:
        return self.size <= LARGEST and self.cost <= COSTLIEST and self.depth <= DEEPEST


def measure(node: TExpr, names: Names) -> Measure:
    """The measure of an expression whose values all have theirs already."""
    if isinstance(node, Fold):
        return _fold(node, names)
    parts = [measure(child, names) for child in children(node)]
    if isinstance(node, Value) and (shape := names.values.get(node.name)) is not None and shape.derived:
        parts.append(Measure(shape.size, shape.cost, shape.depth))
    return _together(parts)


def _fold(node: Fold, names: Names) -> Measure:
    inside = _together([measure(part, names) for part in (node.condition, node.body) if part is not None])
    bounds = [measure(child, names) for child in _bounds(node)]
    return _together([inside._replace(cost=inside.cost * max(1, names.most(node.domain))), *bounds])


def _bounds(node: Fold) -> list[TExpr]:
    return list(children(node.domain))


def _together(parts: list[Measure]) -> Measure:
    size, cost = 1 + sum(p.size for p in parts), 1 + sum(p.cost for p in parts)
    return Measure(size, cost, 1 + max((p.depth for p in parts), default=0))
