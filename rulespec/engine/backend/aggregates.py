"""Sums over the cards of a zone that are asked for again and again: kept up to date as cards move, not added up anew.

A sum is kept where it is asked for at a choice or a branch, and depends on nothing but the cards.
"""

from __future__ import annotations

from dataclasses import dataclass

from rulespec.engine import ir
from rulespec.engine.evaluate import evaluator
from rulespec.model.types import NONE

Weights = tuple[int, ...]


@dataclass(frozen=True)
class Aggregate:
    """What each card counts, and the zones whose sums are kept."""

    weights: Weights
    zones: frozenset[int]


def aggregates(program: ir.Program) -> tuple[Aggregate, ...]:
    """The sums worth keeping."""
    found: dict[Weights, set[int]] = {}
    for instruction in program.code:
        if isinstance(instruction, ir.Choose | ir.Secret | ir.Branch):
            for fold in (node for node in ir.walk(instruction) if isinstance(node, ir.Fold)):
                if (weights := weights_of(fold, program)) is not None and isinstance(fold.domain, ir.Cards):
                    found.setdefault(weights, set()).update(ir.may_name(fold.domain.zone, program.zones))
    return tuple(Aggregate(weights, frozenset(zones)) for weights, zones in found.items())


def weights_of(fold: ir.Fold, program: ir.Program) -> Weights | None:
    """What each card counts in a sum or count over a zone, where that depends on the card alone; else None."""
    parts = [part for part in (fold.condition, fold.body) if part is not None]
    if fold.function not in ("sum", "count") or not isinstance(fold.domain, ir.Cards) or not parts:
        return None
    nodes = [node for part in parts for node in ir.walk(part)]
    alone = all(node.slot == fold.slot for node in nodes if isinstance(node, ir.Register))
    if not alone or any(isinstance(node, ir.Element | ir.Size | ir.Card | ir.Fold | ir.Bind) for node in nodes):
        return None
    registers = [0] * (len(program.start) + program.scratch)
    condition = evaluator(fold.condition) if fold.condition is not None else lambda r, z: 1
    body = evaluator(fold.body) if fold.body is not None and fold.function == "sum" else lambda r, z: 1
    weights = [0] * len(program.faces)
    for card in program.cards:
        registers[fold.slot] = card
        value = body(registers, []) if condition(registers, []) else NONE
        weights[card] = int(value) if value != NONE else 0
    return tuple(weights)
