"""Folds over a few constants as one expression without a loop."""

from __future__ import annotations

from rulespec.engine.backend.analyses.rewriting import rewritten
from rulespec.engine.backend.tree.syntax import Code, either, junction, total
from rulespec.engine.backend.tree.writer import Writer
from rulespec.engine.program import ir


def unrolled(w: Writer, fold: ir.Fold) -> Code | None:
    """A count or test of the constants that satisfy a condition, if it can be written without a loop."""
    domain, condition = fold.domain, fold.condition
    if fold.function not in ("count", "any") or condition is None or not isinstance(domain, ir.Items):
        return None
    if not 0 < len(domain.values) <= w.longest_unrolled:
        return None
    if any(isinstance(part, ir.Bind) for part in ir.walk(condition)):
        return None  # every test would set the same register before the first one is read
    conditions = [_with(condition, fold.slot, value) for value in domain.values]
    statements, tests = w.apart(lambda: [w.test(condition) for condition in conditions])
    if fold.function == "count":
        w.put(*statements)
        return total([either(test, 1, 0) for test in tests])
    # `or` evaluates a test only if those before it fail, so a test must not need statements of its own.
    return either(junction("or", *tests), 1, 0) if not statements else None


def _with(node: ir.Expr, slot: int, value: int) -> ir.Expr:
    own = ir.Register(slot)
    result: ir.Expr = rewritten(node, lambda part: ir.Const(value) if part == own else None)
    return result
