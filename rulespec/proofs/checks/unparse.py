"""Typed expressions and values as text, for messages."""

from __future__ import annotations

from rulespec.language.model import typed as t
from rulespec.language.model.folds import FOLDS, Body
from rulespec.language.model.operators import COMPARE, OPERATORS, POSTFIX, Notation
from rulespec.language.model.spec import Spec
from rulespec.language.model.types import NONE, Type


def member(spec: Spec, type_: Type, value: int) -> str:
    """A value as it is written in a spec."""
    return "none" if value == NONE else spec.member(type_, value)


def text(spec: Spec, node: t.TExpr, level: int = 0) -> str:
    """An expression as it is written in a spec; in brackets if the operator around it (`level`) binds tighter."""
    if isinstance(node, t.Op):
        row = OPERATORS[node.operator]
        if row.notation is Notation.INFIX:
            # Operators group to the left, so a right side that binds as tightly needs brackets.
            left, right = (text(spec, a, row.binding + i) for i, a in enumerate(node.arguments))
            return _bracketed(f"{left} {row.sign} {right}", row.binding < level)
        if row.notation is Notation.PREFIX:
            return f"{row.sign}{text(spec, node.arguments[0], COMPARE)}"
        return f"{row.name}({', '.join(text(spec, a) for a in node.arguments)})"
    if isinstance(node, t.If):
        parts = (text(spec, part, 1) for part in (node.condition, node.then, node.otherwise))
        return _bracketed("{} ? {} : {}".format(*parts), level > 0)
    if isinstance(node, t.Let):
        words = f"let {node.variable} = {text(spec, node.value)} in {text(spec, node.body)}"
        return _bracketed(words, level > 0)
    if isinstance(node, t.Fold):
        return _fold(spec, node)
    return _simple(spec, node)


def _bracketed(words: str, needed: bool) -> str:
    return f"({words})" if needed else words


def _simple(spec: Spec, node: t.TExpr) -> str:
    if isinstance(node, t.Const):
        return f"seat({node.value + 1})" if node.type.kind == "player" else member(spec, node.type, node.value)
    if isinstance(node, t.Players | t.Ruling | t.Local):
        return "players" if isinstance(node, t.Players) else _name(node)
    if isinstance(node, t.Table) and "(" in node.name:
        return f"{node.name.partition('(')[0]}({', '.join(text(spec, index) for index in node.indices)})"
    if isinstance(node, t.Table) and "." in node.name:
        owner, *others = (text(spec, index, POSTFIX if at == 0 else 0) for at, index in enumerate(node.indices))
        return f"{owner}.{node.name.partition('.')[2]}" + (f"[{', '.join(others)}]" if others else "")
    if isinstance(node, t.Value | t.Table):
        arguments = node.arguments if isinstance(node, t.Value) else node.indices
        return node.name + (f"[{', '.join(text(spec, a) for a in arguments)}]" if arguments else "")
    if isinstance(node, t.CardField):
        return f"{text(spec, node.card, POSTFIX)}.{node.field}"
    if isinstance(node, t.TopCard | t.ZoneSize):
        zone = place(spec, node.zone)
        return zone if isinstance(node, t.TopCard) else f"size({zone})"
    if isinstance(node, t.NthCard):
        number = "" if node.number == t.Const(node.number.type, 1) else f", {text(spec, node.number)}"
        return f"{node.end}({place(spec, node.zone)}{number})"
    assert isinstance(node, t.Seat)
    return f"{'left_of' if node.step > 0 else 'right_of'}({text(spec, node.player)})"


def _name(node: t.Ruling | t.Local) -> str:
    # The data-flow analysis puts the depth of a variable behind its name.
    return node.id if isinstance(node, t.Ruling) else node.name.partition("#")[0]


def _fold(spec: Spec, node: t.Fold) -> str:
    # `has(row, square)` is a fold over the squares of the row (`infer/squares.py`), and `has` and `where` of a card are
    # folds over the cards of zones (`infer/lying.py`).
    if node.variable in (t.ON_ROW, t.IN_ZONE) and isinstance(node.condition, t.Op):
        return f"has({_domain(spec, node.domain)}, {text(spec, node.condition.arguments[1])})"
    if (found := t.where(node)) is not None:
        return f"where({text(spec, found[0])}, {found[1].name})"
    over = f"{node.variable} in {_domain(spec, node.domain)}"
    condition = f" if {text(spec, node.condition)}" if node.condition is not None else ""
    if FOLDS[node.function].body is Body.KEY and node.body is not None:
        return f"{node.function}({over} by {text(spec, node.body)}{condition})"
    body = f"{text(spec, node.body)} for " if node.body is not None else ""
    return f"{node.function}({body}{over}{condition})"


def _domain(spec: Spec, domain: t.Domain) -> str:
    if isinstance(domain, t.Range):
        return f"{text(spec, domain.low)}..{text(spec, domain.high)}"
    if isinstance(domain, t.Chosen):
        return text(spec, domain.picked)
    if isinstance(domain, t.Listed):
        # The squares of a board that an entry is one of: those of a row, or what a function stands for.
        of = ", ".join(text(spec, index) for index in domain.item.indices[:-1])
        called = domain.item.name.partition("(")[0]
        if " " in called:
            return f"{called.partition(' ')[2]}[{of}]"
        return of if called == "row" else f"{'ray' if called == 'step' else called}({of})"
    return place(spec, domain.zone) if isinstance(domain, t.Cards) else domain.type.name or domain.type.kind


def place(spec: Spec, zone: t.ZoneRef) -> str:
    """A zone as it is written."""
    indices = ", ".join(text(spec, index) for index in zone.indices)
    return f"{zone.name}[{indices}]" if indices else zone.name
