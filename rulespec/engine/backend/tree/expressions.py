"""The code of each kind of expression; `evaluate.py` defines their meaning."""

from __future__ import annotations

import ast
from collections.abc import Callable

from rulespec.engine.backend.analyses.rewriting import rewritten
from rulespec.engine.backend.tree import syntax
from rulespec.engine.backend.tree.reached import word_of
from rulespec.engine.backend.tree.syntax import Code, Operand, assign, either, equal, filled, junction, negation, when
from rulespec.engine.backend.tree.trials import tried
from rulespec.engine.backend.tree.writer import Writer
from rulespec.engine.program import ir
from rulespec.language.model.folds import FOLDS, FoldRow, Gain
from rulespec.language.model.operators import OPERATORS, Emit
from rulespec.language.model.types import NONE


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
        return syntax.total([either(test, 1, 0) for test in tests])
    # `or` evaluates a test only if those before it fail, so a test must not need statements of its own.
    return either(junction("or", *tests), 1, 0) if not statements else None


def _with(node: ir.Expr, slot: int, value: int) -> ir.Expr:
    own = ir.Register(slot)
    result: ir.Expr = rewritten(node, lambda part: ir.Const(value) if part == own else None)
    return result


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
    return not isinstance(node, ir.Size | ir.Reached | ir.Try) and not (
        isinstance(node, ir.Const) and node.value != NONE
    )


def _const(w: Writer, node: ir.Const) -> Code:
    return syntax.number(node.value)


def _register(w: Writer, node: ir.Register) -> Code:
    return w.register(node.slot)


def _element(w: Writer, node: ir.Element) -> Code:
    return w.element(node.base, node.index)


def _lookup(w: Writer, node: ir.Lookup) -> Code:
    table = w.table(node.table)
    if not node.maybe or not may_be_none(node.index):
        return table[w.value(node.index)]
    if is_top(node.index):
        return w.available.value(node, lambda: _of_top(w, table, node.index.zone))  # type: ignore[union-attr]
    index = w.once(w.value(node.index))
    return either(equal(index, NONE), NONE, table[index])


def _of_top(w: Writer, table: Code, zone: ir.Expr) -> Code:
    there, card = w.top(zone)
    value = either(there, table[card], NONE)
    return w.once(value) if w.available.sure else value


def is_top(node: object) -> bool:
    """Whether an expression is the top card of a zone."""
    return isinstance(node, ir.Card) and node.position is None


def _size(w: Writer, node: ir.Size) -> Code:
    return w.size(node.zone)


def _card(w: Writer, node: ir.Card) -> Code:
    if node.position is None:
        there, card = w.top(node.zone)
        return either(there, card, NONE)
    position = w.once(w.value(node.position))
    card = w.card(node.zone, position)
    return either(position < w.size(node.zone), card, NONE)


def _operation(w: Writer, node: ir.Operation) -> Code:
    row = OPERATORS[node.operator]
    if row.emit is Emit.DEFAULT:
        first = w.once(w.value(node.arguments[0]))
        return w.either(equal(first, NONE), lambda: w.value(node.arguments[1]), lambda: first)
    arguments = [w.value(a) for a in node.arguments]
    return filled(row.source, *(w.once(a) if row.repeated(i) else a for i, a in enumerate(arguments)))


def _choice(w: Writer, node: ir.Choice) -> Code:
    return w.either(w.test(node.condition), lambda: w.value(node.then), lambda: w.value(node.otherwise))


def _bind(w: Writer, node: ir.Bind) -> Code:
    w.put(assign(w.value(node.value), w.register(node.slot)))
    return w.value(node.body)


def _fold(w: Writer, node: ir.Fold) -> Code:
    aggregate = w.aggregate_of(node)
    if aggregate is not None:
        return aggregate
    known = w.memory.get(node)
    if known is None:
        return w.available.value(node, lambda: _evaluated(w, node))
    with w.inside(when(equal(known, UNSET))):
        w.put(assign(_evaluated(w, node), known))
    return known


def _evaluated(w: Writer, node: ir.Fold) -> Code:
    if node.function == "count" and node.condition is None and isinstance(node.domain, ir.Cards):
        return w.size(node.domain.zone)
    result, element = w.name("f"), w.register(node.slot)
    if (expression := unrolled(w, node)) is not None:
        w.put(assign(expression, result))
        return result
    if (found := w.at_once(node)) is not None:
        w.put(assign(found, result))
        return result
    w.put(assign(FOLDS[node.function].start, result))
    with w.elements(node) as (condition, times):
        if condition is None:
            _take(w, node, result, element, times)
        else:
            with w.inside(when(w.test(condition))):
                _take(w, node, result, element, times)
    return result


def _take(w: Writer, node: ir.Fold, result: Code, element: Code, times: Operand) -> None:
    """Writes how a fold takes an element that satisfies its condition, `times` times."""
    row = FOLDS[node.function]
    if row.gain is not Gain.BODY:
        gained = element if row.gain is Gain.ELEMENT else times if row.adds else 1
        w.put(_updated(row, result, gained), *([syntax.leave()] if row.stops else []))
        return
    assert node.body is not None
    value = w.value(node.body)
    if row.adds and not may_be_none(node.body):
        w.put(_updated(row, result, _multiplied(value, times)))
        return
    value = w.once(value)
    tests = [syntax.unequal(value, NONE), *([filled(row.better, value, result)] if row.better else [])]
    with w.inside(when(junction("and", *tests))):
        w.put(_updated(row, result, _multiplied(value, times) if row.adds else value))


def _multiplied(value: Code, times: Operand) -> Code:
    return value if times == 1 else value * times


def _updated(row: FoldRow, result: Code, gained: Operand) -> ast.stmt:
    return syntax.increase(result, gained) if row.adds else assign(gained, result)


VALUES: dict[type, Callable[..., Code]] = {
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
    ir.Reached: word_of,
    ir.Try: tried,
}


class ExpressionWriter(Writer):
    """Writes expressions by the table `VALUES`."""

    def value(self, node: ir.Expr) -> Code:
        return either(self.test(node), 1, 0) if is_test(node) else VALUES[type(node)](self, node)

    def test(self, node: ir.Expr) -> Code:
        if isinstance(node, ir.Operation):
            if node.operator == "not":
                return negation(self.test(node.arguments[0]))
            if node.operator in ("and", "or"):
                return self._both(node.operator, *node.arguments)
            if (row := OPERATORS[node.operator]).compares:
                return filled(row.source, *(self.value(a) for a in node.arguments))
        return VALUES[type(node)](self, node)

    def _both(self, operator: str, left: ir.Expr, right: ir.Expr) -> Code:
        first = self.test(left)
        statements, second = self.apart(lambda: self.test(right))
        if not statements:
            return junction(operator, first, second)
        # The second side, with its statements, is evaluated only if the first does not decide.
        result = self.name()
        undecided = result if operator == "and" else negation(result)
        self.put(assign(first, result), when(undecided, [*statements, assign(second, result)]))
        return result
