"""Incremental aggregates: sums over the cards of a zone that every move updates, instead of loops over the zone.

A sum has an aggregate if a choice or a branch evaluates it, and if it depends on the cards alone.
"""

from __future__ import annotations

from dataclasses import dataclass

from rulespec.engine.interpreter.evaluate import evaluator
from rulespec.engine.program import ir
from rulespec.language.model.types import NONE

Weights = tuple[int, ...]


@dataclass(frozen=True)
class Aggregate:
    """The weight of each card, and the zones whose sums are maintained."""

    weights: Weights
    zones: frozenset[int]


def aggregates(program: ir.Program) -> tuple[Aggregate, ...]:
    """The aggregates of a program."""
    found: dict[Weights, set[int]] = {}
    for instruction in program.code:
        if isinstance(instruction, ir.Choose | ir.Secret | ir.Branch):
            for fold in (node for node in ir.walk(instruction) if isinstance(node, ir.Fold)):
                if (weights := weights_of(fold, program)) is not None and isinstance(fold.domain, ir.Cards):
                    found.setdefault(weights, set()).update(ir.may_name(fold.domain.zone, program.zones))
    return tuple(Aggregate(weights, frozenset(zones)) for weights, zones in found.items())


def weights_of(fold: ir.Fold, program: ir.Program) -> Weights | None:
    """The weight of each card in a sum or count over a zone; None if it depends on more than the card."""
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
