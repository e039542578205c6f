"""Goes through every way a value could stand, to see whether a claim holds in all of them."""

from __future__ import annotations

from itertools import combinations_with_replacement

from rulespec.engine.evaluate import evaluator
from rulespec.engine.expressions import ExpressionLowering
from rulespec.model.constants import Setting
from rulespec.model.spec import Claim
from rulespec.model.types import NONE, Type


def counterexample(setting: Setting, claim: Claim) -> dict[int, int] | None:
    """A way the value could stand (its content by enum member) in which the claim fails; None where it always holds.

    Which member holds what does not matter to a claim (the checker has seen to that), so the contents are handed out in
    rising order only.
    """
    terms = ExpressionLowering(setting)
    value = setting.spec.values[claim.over]
    base, members = terms.value_base[claim.over], setting.in_play(value.per[0].type.name)
    given, holds = (evaluator(terms.expr(condition, {})) for condition in (claim.given, claim.holds))
    registers = [*terms.start, *[0] * len(terms.scratch)]
    for contents in combinations_with_replacement(_contents(setting, value.type), len(members)):
        for member, content in zip(members, contents, strict=True):
            registers[base + member] = content
        if given(registers, []) and not holds(registers, []):
            return dict(zip(members, contents, strict=True))
    return None


def _contents(setting: Setting, type_: Type) -> list[int]:
    """Everything a value of this type can hold."""
    ranges = {"int": range(type_.low, type_.high + 1), "bool": range(2), "player": range(setting.players)}
    found = ranges.get(type_.kind) or setting.in_play(type_.name)
    return [*([NONE] if type_.optional else []), *found]
