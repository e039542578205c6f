"""What a condition says of expressions where it holds: narrower intervals, and values that are present.

Facts hold inside `then`, `else`, the options of a choice, the rows of a table and the rounds of a `while`, until a step
changes what they are about. A position set up by hand may start at a rule inside, where no condition was tested: rules
keep the facts that they and the steps after them rely on (`Assumptions`), and these are tested there. In an expression,
facts hold where it is evaluated only if the condition holds: in the branches of `? :`, on the right of `and` and `or`,
and in the body of a fold.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import lru_cache

from rulespec.language.model import typed as t
from rulespec.language.model.names import Names
from rulespec.language.model.operators import OPERATORS
from rulespec.language.model.step import Step, nested
from rulespec.language.model.substitution import same_elements, written_out
from rulespec.language.model.types import BOOL, Type

Facts = Mapping[t.TExpr, Type]

_UNCHANGING = (t.CardField, t.Const, t.Let, t.Local, t.Op, t.Seat, t.Table)
"""Expressions that no step changes, unless they contain one that a step may change."""


def known(facts: Facts, condition: t.TExpr, holds: bool = True) -> Facts:
    """The facts, and what follows from a condition that holds, or from its opposite."""
    found = dict(facts)
    for node, type_ in _follows(written_out(condition), holds):
        both = met(found.get(node, node.type), type_)
        if both is not None and not isinstance(node, t.Const):
            found[node] = both
    return found


@lru_cache(maxsize=4096)
def relies(node: t.TExpr, condition: t.TExpr, holds: bool) -> bool:
    """Whether an expression can only be evaluated if a condition holds, or if it does not: it uses what the condition
    narrows where other values have no meaning, such as an index."""
    facts = known({}, condition, holds)
    narrowed = {about for about, type_ in facts.items() if about.type != type_}
    if not narrowed and not any(isinstance(about, t.Fold) for about in facts):
        return False
    operands = (operand for part in t.walk(written_out(node)) for operand in _bounded(part))
    parts = [part for operand in operands for part in t.walk(operand)]
    return any(part in narrowed or (isinstance(part, t.Fold) and occurring(facts, part) is not None) for part in parts)


def occurring(facts: Facts, fold: t.Fold) -> t.TExpr | None:
    """The fact that there is an element that a fold chooses or takes its value from; None if there is none."""
    if not fold.type.optional or (fold.body is not None and fold.body.type.optional):
        return None
    placed = t.where(fold)
    for fact in facts:
        if isinstance(fact, t.Fold) and fact.function == "any":
            if same_elements(fact, fold):
                return fact
            lies = t.lying(fact)
            # A card that lies in one of the zones lies in some of them.
            if placed is not None and lies is not None and (lies[0], lies[1].name) == (placed[0], placed[1].name):
                return fact
    return None


def _bounded(node: t.TExpr) -> Iterator[t.TExpr]:
    """The operands of a node that must lie in their interval, or be present, so that it can be evaluated."""
    if isinstance(node, t.Fold):
        yield from t.children(node.domain)
    elif isinstance(node, t.Table | t.Value | t.CardField | t.TopCard | t.NthCard | t.ZoneSize):
        yield from t.children(node)
    elif isinstance(node, t.Op) and node.operator in ("//", "%", "has"):
        yield from node.arguments


def lasting(facts: Facts) -> Facts:
    """The facts that no step changes."""
    return {node: type_ for node, type_ in facts.items() if all(isinstance(part, _UNCHANGING) for part in t.walk(node))}


def after(facts: Facts, steps: Iterable[Step], names: Names) -> Facts:
    """The facts that survive the steps."""
    every = [inner for step in steps for inner in nested(step)]
    if not all(step.followed for step in every):
        return lasting(facts)
    changes = [one for step in every for one in step.changes()]
    stored = {one.name for one in changes if isinstance(one, t.Value)}
    moves = any(isinstance(one, t.ZoneRef) for one in changes) or any(any(step.flows()) for step in every)
    return {node: type_ for node, type_ in facts.items() if not _changed(node, stored, moves, names)}


def _changed(node: t.TExpr, stored: set[str], moves: bool, names: Names) -> bool:
    return any(_part_changed(part, stored, moves, names) for part in t.walk(node))


def _part_changed(part: t.TExpr, stored: set[str], moves: bool, names: Names) -> bool:
    if isinstance(part, t.Value):
        shape = names.values.get(part.name)
        return part.name in stored or (bool(stored or moves) and (shape is None or shape.derived))
    return moves and (
        isinstance(part, t.TopCard | t.NthCard | t.ZoneSize)
        or (isinstance(part, t.Fold) and isinstance(part.domain, t.Cards))
    )


class Assumptions:
    """What rules and the steps after them rely on, by rule: facts that hold wherever play reaches the rule."""

    def __init__(self) -> None:
        self._known: dict[str, dict[t.TExpr, Type]] = {}

    def add(self, rule: str, facts: Facts) -> None:
        known = self._known.setdefault(rule, {})
        for node, type_ in facts.items():
            known[node] = met(known.get(node, node.type), type_) or type_

    def add_inside(self, step: Step, facts: Facts) -> None:
        """Adds facts that hold before and after a step: what follows the rules inside relies on them."""
        for inner in nested(step):
            if inner.rule:
                self.add(inner.rule, facts)

    def of(self, rule: str, relied_on: Container[t.TExpr] = ()) -> tuple[tuple[t.TExpr, Type], ...]:
        """The expressions that have a narrower type at a rule, and the elements of folds that are relied on. Parts of
        others come first, as those rely on them."""
        facts = self._known.get(rule, {})
        narrower = [(node, type_) for node, type_ in facts.items() if node.type != type_]
        narrower += [
            (replace(node, type=node.domain.type.maybe(), function="first", body=None), node.domain.type)
            for node in facts
            if isinstance(node, t.Fold) and node in relied_on
        ]
        return tuple(sorted(narrower, key=lambda fact: sum(1 for _ in t.walk(fact[0]))))


# what follows


def _follows(condition: t.TExpr, holds: bool) -> Iterator[tuple[t.TExpr, Type]]:
    if isinstance(condition, t.Fold) and condition.function == "any" and condition.body is None and holds:
        yield condition, condition.type
    if not isinstance(condition, t.Op):
        return
    name, arguments = condition.operator, condition.arguments
    if name == "not":
        yield from _follows(arguments[0], not holds)
    elif name == ("and" if holds else "or"):
        for argument in arguments:
            yield from _follows(argument, holds)
    elif OPERATORS[name].compares:
        left, right = arguments
        operator = name if holds else OPERATORS[name].opposite
        yield from _compared(left, operator, right)
        yield from _compared(right, OPERATORS[operator].mirrored, left)


def _compared(node: t.TExpr, operator: str, other: t.TExpr) -> Iterator[tuple[t.TExpr, Type]]:
    """What a comparison with another expression says of an expression."""
    a, b = node.type, other.type
    if (operator == "!=" and b.kind == "none") or (operator == "==" and not b.optional and a.kind != "int"):
        yield from _present(node)
    elif a.kind == b.kind == "int" and not b.optional and (operator == "==" or not a.optional):
        low, high = _BOUNDS[operator](a, b)
        yield from _present(node)
        yield node, replace(a, low=low, high=high, optional=False)
        # The top card of a zone that is not empty
        if isinstance(node, t.ZoneSize) and low > 0:
            top = t.TopCard(Type("card", optional=True), node.zone)
            yield top, top.type.required()
        if isinstance(node, t.Fold) and node.function == "count" and low > 0:
            yield replace(node, type=BOOL, function="any"), BOOL


def _present(node: t.TExpr) -> Iterator[tuple[t.TExpr, Type]]:
    """What is present if an expression is: the card of a field, the member of an attribute, and the square of a value,
    which would be absent beyond the edge of its board."""
    yield node, node.type.required()
    for part in t.children(node) if isinstance(node, t.CardField | t.Table | t.Value) else ():
        if part.type.optional:
            yield from _present(part)


def _unequal(a: Type, b: Type) -> tuple[int, int]:
    """An interval without its end that is the only value of another."""
    if b.low != b.high:
        return a.low, a.high
    return a.low + (a.low == b.low), a.high - (a.high == b.low)


_BOUNDS: Mapping[str, Callable[[Type, Type], tuple[int, int]]] = {
    "==": lambda a, b: (b.low, b.high),
    "!=": _unequal,
    "<": lambda a, b: (a.low, b.high - 1),
    "<=": lambda a, b: (a.low, b.high),
    ">": lambda a, b: (b.low + 1, a.high),
    ">=": lambda a, b: (b.low, a.high),
}
"""The interval of a number for which a comparison holds with a number of another interval."""


def met(a: Type, b: Type) -> Type | None:
    """The type with the values of both; None if it has none, because the condition never holds."""
    low, high = max(a.low, b.low), min(a.high, b.high)
    return replace(a, low=low, high=high, optional=a.optional and b.optional) if low <= high else None
