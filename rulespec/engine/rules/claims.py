"""Checks claims by enumeration: evaluates a claim for every possible content of its value."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache, partial
from itertools import combinations_with_replacement
from typing import TYPE_CHECKING

from rulespec.base import store
from rulespec.engine.backend.engines.code import COMPILE_LIMITS
from rulespec.engine.interpreter.evaluate import Evaluate, evaluator
from rulespec.engine.program import ir
from rulespec.engine.program.expressions import ExpressionLowering
from rulespec.language.model.constants import Setting
from rulespec.language.model.spec import Claim
from rulespec.language.model.types import NONE

if TYPE_CHECKING:
    from rulespec.engine.backend.forms.python_values import Holds


def counterexample(setting: Setting, claim: Claim) -> dict[int, int] | None:
    """The content of the value, by enum member, for which the claim fails; None if it always holds.

    Claims are symmetric in the members (the checks ensure it), so only rising sequences of contents are tried.
    """
    over = setting.spec.values[claim.over]
    members = tuple(setting.in_play(over.per[0].type.name))
    found = _failing(*_lowered(setting, claim))
    return None if found is None else dict(zip(members, found, strict=True))


Lowered = tuple[ir.Expr, ir.Expr, tuple[int, ...], tuple[int, ...], tuple[int, ...]]
"""`given` and `holds` of a claim, the registers before, those of the value, and its possible contents."""


def _lowered(setting: Setting, claim: Claim) -> Lowered:
    lowering, value = ExpressionLowering(setting), setting.spec.values[claim.over]
    ranges = {"int": range(value.type.low, value.type.high + 1), "bool": range(2), "player": range(setting.players)}
    found = ranges.get(value.type.kind) or setting.in_play(value.type.name)
    return (
        lowering.expr(claim.given, {}),
        lowering.expr(claim.holds, {}),
        (*lowering.start, *[0] * len(lowering.scratch)),
        tuple(lowering.value_base[claim.over] + member for member in setting.in_play(value.per[0].type.name)),
        (*([NONE] if value.type.optional else []), *found),
    )


@lru_cache(maxsize=64)
def _failing(
    given: ir.Expr, holds: ir.Expr, start: tuple[int, ...], slots: tuple[int, ...], contents: tuple[int, ...]
) -> tuple[int, ...] | None:
    """The first contents of the registers `slots` with `given` and without `holds`.

    It is a function of the lowered claim alone, so a variant or a version that changes nothing about a claim costs no
    second proof.
    """
    key = store.key(repr((given, holds, start, slots, contents)), code=("engine", "language/model"))
    return store.cached("claim", key, lambda: (_searched(given, holds, start, slots, contents),))[0]


def _searched(
    given: ir.Expr, holds: ir.Expr, start: tuple[int, ...], slots: tuple[int, ...], contents: tuple[int, ...]
) -> tuple[int, ...] | None:
    fails = _condition(ir.Operation("and", (given, ir.Operation("not", (holds,)))), slots)
    registers = list(start)
    for found in combinations_with_replacement(contents, len(slots)):
        if fails(registers, found):
            return found
    return None


def _condition(node: ir.Expr, slots: tuple[int, ...]) -> Holds:
    """A condition as one function; as closures where it is nested too deeply for Python."""
    from rulespec.engine.backend.forms.python_values import compiled  # most specs have no claim, or one that is proved

    try:
        return compiled(node, slots)
    except COMPILE_LIMITS:
        return partial(_evaluated, evaluator(node), slots)


def _evaluated(condition: Evaluate, slots: tuple[int, ...], registers: list[int], contents: Sequence[int]) -> bool:
    for slot, content in zip(slots, contents, strict=True):
        registers[slot] = content
    return bool(condition(registers, []))
