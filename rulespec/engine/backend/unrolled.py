"""Folds over a few fixed values as one expression without a loop."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields, is_dataclass, replace
from typing import TYPE_CHECKING, Any

from rulespec.engine import ir

if TYPE_CHECKING:
    from rulespec.engine.backend.writer import Writer


def rewritten(node: Any, change: Callable[[Any], Any]) -> Any:
    """An expression or instruction with every part replaced for which `change` does not give None."""
    if (changed := change(node)) is not None:
        return changed
    if isinstance(node, (tuple, list)):
        return type(node)(rewritten(part, change) for part in node)
    if not is_dataclass(node):
        return node
    parts = {part.name: getattr(node, part.name) for part in fields(node) if part.name != "table"}
    return replace(node, **{name: rewritten(part, change) for name, part in parts.items()})  # type: ignore[type-var]


def unrolled(w: Writer, fold: ir.Fold) -> str | None:
    """A fold that only asks which of a few values meet a condition, where that can be said without a loop."""
    domain, condition = fold.domain, fold.condition
    if fold.function not in ("count", "any") or condition is None or not isinstance(domain, ir.Items):
        return None
    if not 0 < len(domain.values) <= w.longest_unrolled:
        return None
    conditions = [_with(condition, fold.slot, value) for value in domain.values]
    lines, tests = w.apart(lambda: [w.test(condition) for condition in conditions])
    if fold.function == "count":
        w.paste(lines)
        return " + ".join(f"(1 if {test} else 0)" for test in tests)
    # A value is asked only where those before it do not settle it, and so is all it needs.
    return f"(1 if {' or '.join(tests)} else 0)" if not lines else None


def _with(node: ir.Expr, slot: int, value: int) -> ir.Expr:
    own = ir.Register(slot)
    result: ir.Expr = rewritten(node, lambda part: ir.Const(value) if part == own else None)
    return result
