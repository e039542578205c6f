"""The source of each kind of expression; `evaluate.py` defines their meaning."""

from __future__ import annotations

from collections.abc import Callable

from rulespec.engine import ir
from rulespec.engine.backend.unrolled import unrolled
from rulespec.engine.backend.writer import Writer
from rulespec.model.folds import FOLDS, FoldRow, Gain
from rulespec.model.operators import OPERATORS, Emit
from rulespec.model.types import NONE

UNSET = NONE - 1
"""The content of a variable that has not been evaluated yet."""


def is_test(node: ir.Expr) -> bool:
    return isinstance(node, ir.Operation) and OPERATORS[node.operator].is_test


def may_be_none(node: ir.Expr) -> bool:
    """Whether an expression may evaluate to NONE, judged by its form."""
    if isinstance(node, ir.Lookup):
        return NONE in node.table or (node.maybe and may_be_none(node.index))
    if isinstance(node, ir.Operation):
        return any(may_be_none(node.arguments[passed]) for passed in OPERATORS[node.operator].passes)
    if isinstance(node, ir.Choice):
        return may_be_none(node.then) or may_be_none(node.otherwise)
    if isinstance(node, ir.Bind):
        return may_be_none(node.body)
    if isinstance(node, ir.Fold):
        return FOLDS[node.function].start == NONE
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
    row = OPERATORS[node.operator]
    if row.emit is Emit.DEFAULT:
        first = w.once(w.value(node.arguments[0]))
        return w.either(f"{first} == {NONE}", lambda: w.value(node.arguments[1]), lambda: first)
    arguments = [w.value(a) for a in node.arguments]
    return row.source.format(*(w.once(a) if row.repeated(i) else a for i, a in enumerate(arguments)))


def _choice(w: Writer, node: ir.Choice) -> str:
    return w.either(w.test(node.condition), lambda: w.value(node.then), lambda: w.value(node.otherwise))


def _bind(w: Writer, node: ir.Bind) -> str:
    w.put(f"{w.register(node.slot)} = {w.value(node.value)}")
    return w.value(node.body)


def _fold(w: Writer, node: ir.Fold) -> str:
    aggregate = w.aggregate_of(node)
    if aggregate is not None:
        return aggregate
    known = w.memory.get(node)
    if known is None:
        return w.available.value(node, lambda: _evaluated(w, node))
    with w.inside(f"if {known} == {UNSET}:"):
        w.put(f"{known} = {_evaluated(w, node)}")
    return known


def _evaluated(w: Writer, node: ir.Fold) -> str:
    if node.function == "count" and node.condition is None and isinstance(node.domain, ir.Cards):
        return w.size(node.domain.zone)
    result, element = w.name("f"), w.register(node.slot)
    if (expression := unrolled(w, node)) is not None:
        w.put(f"{result} = {expression}")
        return result
    w.put(f"{result} = {FOLDS[node.function].start}")
    with w.elements(node) as (condition, times):
        if condition is None:
            _take(w, node, result, element, times)
        else:
            with w.inside(f"if {w.test(condition)}:"):
                _take(w, node, result, element, times)
    return result


def _take(w: Writer, node: ir.Fold, result: str, element: str, times: str) -> None:
    """Writes how a fold takes an element that satisfies its condition, `times` times."""
    row = FOLDS[node.function]
    if row.gain is not Gain.BODY:
        gained = element if row.gain is Gain.ELEMENT else times if row.adds else "1"
        w.put(_updated(row, result, gained), *(["break"] if row.stops else []))
        return
    assert node.body is not None
    value, often = w.value(node.body), f" * {times}" if row.adds and times != "1" else ""
    if row.adds and not may_be_none(node.body):
        w.put(_updated(row, result, value + often))
        return
    value = w.once(value)
    better = f" and {row.better.format(value=value, result=result)}" if row.better else ""
    with w.inside(f"if {value} != {NONE}{better}:"):
        w.put(_updated(row, result, value + often))


def _updated(row: FoldRow, result: str, gained: str) -> str:
    return f"{result} {'+=' if row.adds else '='} {gained}"


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


class ExpressionWriter(Writer):
    """Writes expressions by the table `VALUES`."""

    def value(self, node: ir.Expr) -> str:
        """The source of an expression, as an integer."""
        if is_test(node):
            return f"(1 if {self.test(node)} else 0)"
        return VALUES[type(node)](self, node)

    def test(self, node: ir.Expr) -> str:
        """The source of an expression, as true or false."""
        if isinstance(node, ir.Operation):
            if node.operator == "not":
                return f"(not {self.test(node.arguments[0])})"
            if node.operator in ("and", "or"):
                return self._both(node.operator, *node.arguments)
            if (row := OPERATORS[node.operator]).compares:
                return row.source.format(*(self.value(a) for a in node.arguments))
        return VALUES[type(node)](self, node)

    def _both(self, operator: str, left: ir.Expr, right: ir.Expr) -> str:
        first = self.test(left)
        lines, second = self.apart(lambda: self.test(right))
        if not lines:
            return f"({first} {operator} {second})"
        # The second side, with its statements, is evaluated only if the first does not decide.
        name = self.name()
        self.put(f"{name} = {first}")
        self.put(f"if {name}:" if operator == "and" else f"if not {name}:")
        self.paste(lines, 1)
        self.put(f"    {name} = {second}")
        return name
