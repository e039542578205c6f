"""What each expression of a program becomes in source; `evaluate.py` says what each means."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from rulespec.engine import ir
from rulespec.engine.backend.unrolled import unrolled
from rulespec.model.types import NONE

if TYPE_CHECKING:
    from rulespec.engine.backend.writer import Writer

UNSET = NONE - 1
"""What a variable holds that has not been worked out."""
COMPARISONS = frozenset({"==", "!=", "<", "<=", ">", ">="})


def is_test(node: ir.Expr) -> bool:
    return isinstance(node, ir.Operation) and (node.operator in COMPARISONS or node.operator in ("and", "or", "not"))


def may_be_none(node: ir.Expr) -> bool:
    """Whether an expression may give NONE, as far as its form tells."""
    if isinstance(node, ir.Lookup):
        return NONE in node.table or (node.maybe and may_be_none(node.index))
    if isinstance(node, ir.Operation):
        return node.operator in ("min", "max", "clamp") or (node.operator == "??" and may_be_none(node.arguments[1]))
    if isinstance(node, ir.Choice):
        return may_be_none(node.then) or may_be_none(node.otherwise)
    if isinstance(node, ir.Bind):
        return may_be_none(node.body)
    if isinstance(node, ir.Fold):
        return node.function in ("min", "max", "first")
    return not isinstance(node, ir.Size) and not (isinstance(node, ir.Const) and node.value != NONE)


def _const(w: Writer, node: ir.Const) -> str:
    return str(node.value) if node.value >= 0 else f"({node.value})"


def _register(w: Writer, node: ir.Register) -> str:
    return w.register(node.slot)


def _element(w: Writer, node: ir.Element) -> str:
    return w.element(node.base, node.index)


def _lookup(w: Writer, node: ir.Lookup) -> str:
    table = w.table(node.table)
    if not node.maybe or not may_be_none(node.index):
        return w.at(table, w.value(node.index))
    if is_top(node.index):
        return w.available.value(node, lambda: _of_top(w, table, node.index.zone))  # type: ignore[union-attr]
    index = w.once(w.value(node.index))
    return f"({NONE} if {index} == {NONE} else {w.at(table, index)})"


def _of_top(w: Writer, table: str, zone: ir.Expr) -> str:
    there, card = w.top(zone)
    value = f"({w.at(table, card)} if {there} else {NONE})"
    return w.once(value) if w.available.sure else value


def is_top(node: object) -> bool:
    """Whether an expression is the top card of a zone."""
    return isinstance(node, ir.Card) and node.position is None


def _size(w: Writer, node: ir.Size) -> str:
    return w.size(node.zone)


def _card(w: Writer, node: ir.Card) -> str:
    if node.position is None:
        there, card = w.top(node.zone)
        return f"({card} if {there} else {NONE})"
    position = w.once(w.value(node.position))
    return f"({w.card(node.zone, position)} if {position} < {w.size(node.zone)} else {NONE})"


def _operation(w: Writer, node: ir.Operation) -> str:
    if node.operator == "??":
        first = w.once(w.value(node.arguments[0]))
        return w.either(f"{first} == {NONE}", lambda: w.value(node.arguments[1]), lambda: first)
    arguments = [w.value(a) for a in node.arguments]
    if node.operator in ("min", "max"):
        a, b = (w.once(a) for a in arguments)
        return f"({a} if {a} {'<' if node.operator == 'min' else '>'} {b} else {b})"
    return _OPERATORS[node.operator].format(*arguments)


_OPERATORS = {
    **{operator: "({0} " + operator + " {1})" for operator in ("+", "-", "*", "//", "%")},
    "neg": "(-{0})",
    "abs": "abs({0})",
    "clamp": "min(max({0}, {1}), {2})",
    "has": "({0} >> {1} & 1)",
    "seat": "({0} - 1)",
    "seat_of": "({0} + 1)",
}


def _choice(w: Writer, node: ir.Choice) -> str:
    return w.either(w.test(node.condition), lambda: w.value(node.then), lambda: w.value(node.otherwise))


def _bind(w: Writer, node: ir.Bind) -> str:
    w.put(f"{w.register(node.slot)} = {w.value(node.value)}")
    return w.value(node.body)


def _fold(w: Writer, node: ir.Fold) -> str:
    kept = w.aggregate_of(node)
    if kept is not None:
        return kept
    known = w.memory.get(id(node))
    if known is None:
        return w.available.value(node, lambda: _worked_out(w, node))
    with w.inside(f"if {known} == {UNSET}:"):
        w.put(f"{known} = {_worked_out(w, node)}")
    return known


def _worked_out(w: Writer, node: ir.Fold) -> str:
    if node.function == "count" and node.condition is None and isinstance(node.domain, ir.Cards):
        return w.size(node.domain.zone)
    result, element = w.name("f"), w.register(node.slot)
    if (expression := unrolled(w, node)) is not None:
        w.put(f"{result} = {expression}")
        return result
    w.put(f"{result} = {_BEGIN.get(node.function, NONE)}")
    with w.elements(node) as (condition, times):
        if condition is None:
            _take(w, node, result, element, times)
        else:
            with w.inside(f"if {w.test(condition)}:"):
                _take(w, node, result, element, times)
    return result


_BEGIN = {"sum": 0, "count": 0, "any": 0}


def _take(w: Writer, node: ir.Fold, result: str, element: str, times: str) -> None:
    """What a fold does with an element that counts, so many times."""
    if node.function in ("any", "first"):
        w.put(f"{result} = {1 if node.function == 'any' else element}", "break")
    elif node.function == "count":
        w.put(f"{result} += {times}")
    else:
        assert node.body is not None
        value, often = w.value(node.body), "" if times == "1" else f" * {times}"
        if node.function == "sum" and not may_be_none(node.body):
            w.put(f"{result} += {value}{often}")
            return
        value = w.once(value)
        # NONE is less than every value, so that only a least one must be told from it.
        better = {
            "sum": "",
            "max": f" and {value} > {result}",
            "min": f" and ({result} == {NONE} or {value} < {result})",
        }
        with w.inside(f"if {value} != {NONE}{better[node.function]}:"):
            w.put(f"{result} += {value}{often}" if node.function == "sum" else f"{result} = {value}")


VALUES: dict[type, Callable[..., str]] = {
    ir.Const: _const,
    ir.Register: _register,
    ir.Element: _element,
    ir.Lookup: _lookup,
    ir.Size: _size,
    ir.Card: _card,
    ir.Operation: _operation,
    ir.Choice: _choice,
    ir.Bind: _bind,
    ir.Fold: _fold,
}
