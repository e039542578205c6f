"""Claims: whether all ways a value could stand can be gone through, so that the engine may do so.

Which member of the enum holds what must not matter: then the ways differ only in how many members hold each content.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from math import comb

from rulespec.checks import locations
from rulespec.checks.assignments import Assignment, rulings_in
from rulespec.diagnostics import Finding
from rulespec.model import spec as m
from rulespec.model.constants import Setting
from rulespec.model.operators import OPERATORS, Demand
from rulespec.model.typed import (
    CardField,
    Const,
    Fold,
    Members,
    Op,
    Players,
    Seat,
    Table,
    TExpr,
    TopCard,
    Value,
    ZoneSize,
    walk,
)
from rulespec.model.types import Type

MOST_WAYS = 100_000
MOST_SETTINGS = 64


def general(spec: m.Spec) -> Iterator[Finding]:
    """Claims that speak of single members or of anything else, and those with too many ways."""
    for claim in spec.claims:
        enum = spec.values[claim.over].per[0].type.name
        if spec.values[claim.over].type.name == enum:
            yield _of_itself(spec, claim, enum)
        for key, condition in (("given", claim.given), ("holds", claim.holds)):
            if what := next(_particular(spec, claim.over, enum, condition), ""):
                message = f"This claim {what}, so not every way `{claim.over}` could stand can be looked at."
                hint = f"Ask about `any(x in {enum} if …)`, `all(…)` or `count(…)` only."
                yield locations.report(spec, "claim-too-particular", message, locations.at(spec, claim.span, key), hint)
        ways = number_of_ways(spec, claim)
        if ways > MOST_WAYS:
            message = f"There are {ways:,} ways `{claim.over}` could stand, more than {MOST_WAYS:,}."
            hint = "Give the value a narrower type, or the enum fewer members."
            yield locations.report(spec, "claim-too-wide", message, locations.at(spec, claim.span, "for_all"), hint)
        elif settings(spec, claim) is None:
            message = f"This claim depends on more rulings and numbers of players than {MOST_SETTINGS} settings have."
            hint = "Make several claims of it, each about fewer rulings."
            yield locations.report(spec, "claim-too-wide", message, locations.at(spec, claim.span, "holds"), hint)


def _of_itself(spec: m.Spec, claim: m.Claim, enum: str) -> Finding:
    message = f"`{claim.over}` holds members of `{enum}` itself, so it matters which member stands where."
    hint = "Make the claim about a value that holds numbers or members of another enum."
    return locations.report(spec, "claim-too-particular", message, locations.at(spec, claim.span, "for_all"), hint)


def number_of_ways(spec: m.Spec, claim: m.Claim) -> int:
    """How many multisets of contents the members of the enum can hold."""
    value = spec.values[claim.over]
    contents = {"int": value.type.high - value.type.low + 1, "bool": 2, "player": spec.players[-1]}
    kinds = (contents.get(value.type.kind) or len(spec.enums[value.type.name].members)) + value.type.optional
    return comb(len(spec.enums[value.per[0].type.name].members) + kinds - 1, kinds - 1)


def settings(spec: m.Spec, claim: m.Claim) -> list[Setting] | None:
    """The settings a claim is tried in: only what can make a difference differs. None where there are too many."""
    parts = _reached(spec, claim)
    assignment = Assignment(spec, tuple(spec.players) if by_players(spec, claim) else (spec.players[0],))
    found = assignment.settings(parts)
    return None if found is None or len(found) > MOST_SETTINGS else found


def by_players(spec: m.Spec, claim: m.Claim) -> bool:
    """Whether the number of players can make a difference to a claim."""
    nodes = [node for part in _reached(spec, claim) for node in walk(part)]
    types = (node.domain.type if isinstance(node, Fold) else node.type for node in nodes)
    return any(isinstance(node, Players | Seat) for node in nodes) or any(type_.kind == "player" for type_ in types)


def rulings(spec: m.Spec, claim: m.Claim) -> list[str]:
    """The rulings that can make a difference to a claim."""
    return rulings_in(_reached(spec, claim))


def _reached(spec: m.Spec, claim: m.Claim) -> list[TExpr]:
    """The conditions of a claim, the definitions they lean on, and what says which members are in play."""
    over = spec.values[claim.over]
    waiting: list[TExpr] = [claim.given, claim.holds]
    waiting += _playing(spec, over.type) + _playing(spec, over.per[0].type)
    found: list[TExpr] = []
    while waiting:
        part = waiting.pop()
        if part not in found:
            found.append(part)
            waiting += chain.from_iterable(_behind(spec, node) for node in walk(part))
    return found


def _behind(spec: m.Spec, node: TExpr) -> list[TExpr]:
    definition = spec.values[node.name].definition if isinstance(node, Value) else None
    found = [definition] if definition is not None else []
    return found + (_playing(spec, node.domain.type) if isinstance(node, Fold) else [])


def _playing(spec: m.Spec, type_: Type) -> list[TExpr]:
    enum = spec.enums.get(type_.name)
    return [enum.in_play] if enum is not None and enum.in_play is not None else []


def _particular(spec: m.Spec, over: str, enum: str, condition: TExpr) -> Iterator[str]:
    """What in a condition, and in the definitions it uses, is not the same for all members."""
    for node in walk(condition):
        if isinstance(node, Const) and (node.type.kind, node.type.name) == ("enum", enum):
            yield f"names `{spec.member(node.type, node.value)}`"
        elif isinstance(node, Table) and enum in (node.argument.type.name, node.type.name):
            yield f"looks members of `{enum}` up in the table `{node.name}`"
        elif isinstance(node, CardField | TopCard | ZoneSize) or (isinstance(node, Fold) and _of_cards(node)):
            yield "looks at cards"
        elif isinstance(node, Op) and _orders(node) and node.arguments[0].type.name == enum:
            yield f"compares members of `{enum}` by their order"
        elif isinstance(node, Fold):
            yield from _fold(node, enum)
        elif isinstance(node, Value) and (definition := spec.values[node.name].definition) is not None:
            yield from _particular(spec, over, enum, definition)
        elif isinstance(node, Value) and node.name != over:
            yield f"looks at `{node.name}`"


def _orders(node: Op) -> bool:
    return OPERATORS[node.operator].demand is Demand.ORDERED


def _of_cards(node: Fold) -> bool:
    return node.domain.type.kind == "card"


def _fold(node: Fold, enum: str) -> Iterator[str]:
    ring = isinstance(node.domain, Members) and node.domain.type.name == enum and node.domain.start is not None
    if ring or (node.function == "first" and node.domain.type.name == enum):
        yield f"goes through `{enum}` in order"
    elif node.function in ("min", "max") and node.body is not None and node.body.type.name == enum:
        yield f"compares members of `{enum}` by their order"
