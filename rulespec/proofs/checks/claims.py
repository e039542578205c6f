"""Checks that claims can be verified by enumeration: the engine tries all contents of the value.

A claim must treat all members of the enum alike. Then contents differ only in how many members hold each value.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from math import comb

from rulespec.base.diagnostics import Finding
from rulespec.base.messages import say
from rulespec.language.model import spec as m
from rulespec.language.model import typed as t
from rulespec.language.model.constants import Setting
from rulespec.language.model.folds import FOLDS, Body, Gain
from rulespec.language.model.operators import OPERATORS, Demand
from rulespec.language.model.step import rulings_in
from rulespec.language.model.types import Type
from rulespec.proofs.checks import locations
from rulespec.proofs.checks.assignments import Assignment

MOST_WAYS = 100_000
"""Contents tried for one claim and setting, at most; that takes about a second."""
MOST_SETTINGS = 64
"""Settings in which a claim is tried, at most; each multiplies the contents."""


def general(spec: m.Spec) -> Iterator[Finding]:
    """Claims that do not treat all members alike, or read anything else, or have too many cases."""
    for claim in spec.claims:
        enum = spec.values[claim.over].per[0].type.name
        if spec.values[claim.over].type.name == enum:
            yield _of_itself(spec, claim, enum)
        for key, condition in (("given", claim.given), ("holds", claim.holds)):
            if what := next(_particular(spec, claim.over, enum, condition), ""):
                message = say(
                    "This claim {what}, so it does not treat all members of `{enum}` alike.", what=what, enum=enum
                )
                hint = say("Use only `any(x in {enum} if …)`, `all(…)` and `count(…)`.", enum=enum)
                yield locations.report(spec, "claim-too-particular", message, locations.at(spec, claim.span, key), hint)
        ways = number_of_ways(spec, claim)
        if ways > MOST_WAYS:
            message = say(
                "`{over}` has {ways:,} different contents, more than {most_ways:,}.",
                over=claim.over,
                ways=ways,
                most_ways=MOST_WAYS,
            )
            hint = say("Give the value a narrower type, or the enum fewer members.")
            yield locations.report(spec, "claim-too-wide", message, locations.at(spec, claim.span, "for_all"), hint)
        elif settings(spec, claim) is None:
            message = say(
                "This claim depends on player counts and rulings with more than {most_settings} settings.",
                most_settings=MOST_SETTINGS,
            )
            hint = say("Split it into claims that depend on fewer rulings.")
            yield locations.report(spec, "claim-too-wide", message, locations.at(spec, claim.span, "holds"), hint)


def _of_itself(spec: m.Spec, claim: m.Claim, enum: str) -> Finding:
    message = say(
        "`{over}` maps members of `{enum}` to members of `{enum}`, so a claim cannot treat them alike.",
        over=claim.over,
        enum=enum,
    )
    hint = say("Use a value that holds numbers or members of another enum.")
    return locations.report(spec, "claim-too-particular", message, locations.at(spec, claim.span, "for_all"), hint)


def number_of_ways(spec: m.Spec, claim: m.Claim) -> int:
    """The number of different contents: multisets of values, one value per member of the enum."""
    value = spec.values[claim.over]
    contents = {"int": value.type.high - value.type.low + 1, "bool": 2, "player": spec.players[-1]}
    kinds = (contents.get(value.type.kind) or len(spec.enums[value.type.name].members)) + value.type.optional
    # Members are alike, so only the number of them with each content matters (decision 010).
    return comb(len(spec.enums[value.per[0].type.name].members) + kinds - 1, kinds - 1)


def settings(spec: m.Spec, claim: m.Claim) -> list[Setting] | None:
    """The settings in which a claim is tried, which differ only in what it depends on; None if there are too many."""
    parts = _reached(spec, claim)
    # If a claim does not depend on the number of players, any number serves.
    assignment = Assignment(spec, tuple(spec.players) if by_players(spec, claim) else (spec.players[0],))
    found = assignment.settings(parts)
    return None if found is None or len(found) > MOST_SETTINGS else found


def by_players(spec: m.Spec, claim: m.Claim) -> bool:
    """Whether a claim depends on the number of players."""
    nodes = [node for part in _reached(spec, claim) for node in t.walk(part)]
    types = (node.domain.type if isinstance(node, t.Fold) else node.type for node in nodes)
    return any(isinstance(node, t.Players | t.Seat) for node in nodes) or any(type_.kind == "player" for type_ in types)


def rulings(spec: m.Spec, claim: m.Claim) -> list[str]:
    """The rulings that a claim depends on."""
    return rulings_in(tuple(_reached(spec, claim)))


def _reached(spec: m.Spec, claim: m.Claim) -> list[t.TExpr]:
    """The conditions of a claim, the definitions they use, and the conditions of members in play."""
    over = spec.values[claim.over]
    waiting: list[t.TExpr] = [claim.given, claim.holds]
    waiting += _playing(spec, over.type) + _playing(spec, over.per[0].type)
    found: list[t.TExpr] = []
    while waiting:
        part = waiting.pop()
        if part not in found:
            found.append(part)
            waiting += chain.from_iterable(_behind(spec, node) for node in t.walk(part))
    return found


def _behind(spec: m.Spec, node: t.TExpr) -> list[t.TExpr]:
    definition = spec.values[node.name].definition if isinstance(node, t.Value) else None
    found = [definition] if definition is not None else []
    return found + (_playing(spec, node.domain.type) if isinstance(node, t.Fold) else [])


def _playing(spec: m.Spec, type_: Type) -> list[t.TExpr]:
    enum = spec.enums.get(type_.name)
    return [enum.in_play] if enum is not None and enum.in_play is not None else []


def _particular(spec: m.Spec, over: str, enum: str, condition: t.TExpr) -> Iterator[str]:
    """What in a condition, and in the definitions it uses, does not treat all members alike."""
    for node in t.walk(condition):
        if isinstance(node, t.Const) and (node.type.kind, node.type.name) == ("enum", enum):
            yield say("names `{node}`", node=spec.member(node.type, node.value))
        elif isinstance(node, t.Table) and enum in (*(index.type.name for index in node.indices), node.type.name):
            yield say("reads the table `{node}` by member of `{enum}`", node=node.name, enum=enum)
        elif isinstance(node, t.CardField | t.TopCard | t.NthCard | t.ZoneSize) or (
            isinstance(node, t.Fold) and node.domain.type.kind == "card"
        ):
            yield say("reads cards")
        elif isinstance(node, t.Op) and _orders(node) and node.arguments[0].type.name == enum:
            yield say("compares members of `{enum}` by their order", enum=enum)
        elif isinstance(node, t.Fold):
            yield from _fold(node, enum)
        elif isinstance(node, t.Value) and (definition := spec.values[node.name].definition) is not None:
            yield from _particular(spec, over, enum, definition)
        elif isinstance(node, t.Value) and node.name != over:
            yield say("reads `{node}`", node=node.name)


def _orders(node: t.Op) -> bool:
    return OPERATORS[node.operator].demand is Demand.ORDERED


def _fold(node: t.Fold, enum: str) -> Iterator[str]:
    ring = isinstance(node.domain, t.Members) and node.domain.type.name == enum and node.domain.start is not None
    row = FOLDS[node.function]
    if ring or ((row.gain is Gain.ELEMENT or row.ordered) and node.domain.type.name == enum):
        yield say("goes through `{enum}` in order", enum=enum)
    elif row.body is Body.ORDERED and node.body is not None and node.body.type.name == enum:
        yield say("compares members of `{enum}` by their order", enum=enum)
