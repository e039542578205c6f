"""Claims: whether all ways a value could stand can be gone through, so that the engine may do so.

Which member of the enum holds what must not matter: then the ways differ only in how many members hold each content.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import comb

from rulespec.checks import places
from rulespec.diagnostics import Finding
from rulespec.model import spec as m
from rulespec.model.typed import CardField, Const, Fold, Members, Op, TExpr, TopCard, Value, ZoneSize, walk

MOST_WAYS = 100_000
_ORDER = ("<", "<=", ">", ">=", "min", "max")


def general(spec: m.Spec) -> Iterator[Finding]:
    """Claims that speak of single members or of anything else, and those with too many ways."""
    for claim in spec.claims:
        enum = spec.values[claim.over].per[0].type.name
        for key, condition in (("given", claim.given), ("holds", claim.holds)):
            if what := next(_particular(spec, claim.over, enum, condition), ""):
                message = f"This claim {what}, so not every way `{claim.over}` could stand can be looked at."
                hint = f"Ask about `any(x in {enum} if …)`, `all(…)` or `count(…)` only."
                yield places.say(spec, "claim-too-particular", message, places.at(spec, claim.span, key), hint)
        ways = number_of_ways(spec, claim)
        if ways > MOST_WAYS:
            message = f"There are {ways:,} ways `{claim.over}` could stand, more than {MOST_WAYS:,}."
            hint = "Give the value a narrower type, or the enum fewer members."
            yield places.say(spec, "claim-too-wide", message, places.at(spec, claim.span, "for_all"), hint)


def number_of_ways(spec: m.Spec, claim: m.Claim) -> int:
    """How many multisets of contents the members of the enum can hold."""
    value = spec.values[claim.over]
    contents = {"int": value.type.high - value.type.low + 1, "bool": 2, "player": spec.players[-1]}
    kinds = (contents.get(value.type.kind) or len(spec.enums[value.type.name].members)) + value.type.optional
    return comb(len(spec.enums[value.per[0].type.name].members) + kinds - 1, kinds - 1)


def _particular(spec: m.Spec, over: str, enum: str, condition: TExpr) -> Iterator[str]:
    """What in a condition, and in the definitions it uses, is not the same for all members."""
    for node in walk(condition):
        if isinstance(node, Const) and (node.type.kind, node.type.name) == ("enum", enum):
            yield f"names `{spec.member(node.type, node.value)}`"
        elif isinstance(node, CardField | TopCard | ZoneSize):
            yield "looks at cards"
        elif isinstance(node, Op) and node.operator in _ORDER and node.arguments[0].type.name == enum:
            yield f"compares members of `{enum}` by their order"
        elif isinstance(node, Fold):
            yield from _fold(node, enum)
        elif isinstance(node, Value) and (definition := spec.values[node.name].definition) is not None:
            yield from _particular(spec, over, enum, definition)
        elif isinstance(node, Value) and node.name != over:
            yield f"looks at `{node.name}`"


def _fold(node: Fold, enum: str) -> Iterator[str]:
    ring = isinstance(node.domain, Members) and node.domain.type.name == enum and node.domain.start is not None
    if ring or (node.function == "first" and node.domain.type.name == enum):
        yield f"goes through `{enum}` in order"
    elif node.function in ("min", "max") and node.body is not None and node.body.type.name == enum:
        yield f"compares members of `{enum}` by their order"
