"""Checks claims by enumeration: evaluates a claim for every possible content of its value."""

from __future__ import annotations

from itertools import combinations_with_replacement

from rulespec.engine.evaluate import evaluator
from rulespec.engine.expressions import ExpressionLowering
from rulespec.model.constants import Setting
from rulespec.model.spec import Claim
from rulespec.model.types import NONE, Type


def counterexample(setting: Setting, claim: Claim) -> dict[int, int] | None:
    """The content of the value, by enum member, for which the claim fails; None if it always holds.

    Claims are symmetric in the members (the checks ensure it), so only rising sequences of contents are tried.
    """
    lowering = ExpressionLowering(setting)
    value = setting.spec.values[claim.over]
    base, members = lowering.value_base[claim.over], setting.in_play(value.per[0].type.name)
    given, holds = (evaluator(lowering.expr(condition, {})) for condition in (claim.given, claim.holds))
    registers = [*lowering.start, *[0] * len(lowering.scratch)]
    for contents in combinations_with_replacement(_contents(setting, value.type), len(members)):
        for member, content in zip(members, contents, strict=True):
            registers[base + member] = content
        if given(registers, []) and not holds(registers, []):
            return dict(zip(members, contents, strict=True))
    return None


def _contents(setting: Setting, type_: Type) -> list[int]:
    """Every content that a value of this type can hold."""
    ranges = {"int": range(type_.low, type_.high + 1), "bool": range(2), "player": range(setting.players)}
    found = ranges.get(type_.kind) or setting.in_play(type_.name)
    return [*([NONE] if type_.optional else []), *found]
