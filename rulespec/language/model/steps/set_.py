"""`set`: new contents of stored values."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

from rulespec.base.diagnostics import Span
from rulespec.language.document.nodes import Mapping, Node
from rulespec.language.model.infer.advice import Locals
from rulespec.language.model.narrowing import after
from rulespec.language.model.nodes import entries
from rulespec.language.model.phrase import Constructor, Phrase, Proposition, Scene, Wording, constructor
from rulespec.language.model.reader import FAILED, NO_VALUE, Reader
from rulespec.language.model.step import Step
from rulespec.language.model.steps import fields
from rulespec.language.model.steps.do import Do
from rulespec.language.model.steps.reading import Common, StepReader
from rulespec.language.model.typed import Op, TExpr, Value, ZoneRef


@dataclass(frozen=True, kw_only=True, eq=False)
class Set(Step, key="set", once=True, followed=True):
    """Sets a stored value. If it is `limited`, the number may be outside of the type of the value, which is tested."""

    target: Value = fields.custom("set", {**fields.mapping_of(), "propertyNames": {"x-names": "value"}})
    value: TExpr
    limited: bool = fields.aside(default=False)
    constructors: ClassVar[tuple[Constructor, ...]] = (
        constructor("becomes", "value to"),
        constructor("becomes_if", "value to"),
        constructor("becomes_true", "value"),
        constructor("becomes_false", "value", "truth: not"),
        constructor("becomes_nothing", "value", implies="possession: lose"),
        constructor("increase", "value by limits?", "change: increase"),
        constructor("decrease", "value by limits?", "change: decrease"),
        constructor("changes_by", "value by limits?"),
        constructor("limits", "low high"),
    )

    @classmethod
    def read(cls, steps: StepReader, node: Mapping, scope: Locals, common: Common) -> Do:
        """One step for each value, one after the other."""
        assignments = []
        for key, value in entries(node.get("set")):
            target = steps.reader.stored(key, scope)
            found, limited = _content(steps.reader, target, value, scope)
            span = Span(key.span.start, value.span.end)
            assignments.append(cls(target=target, value=found, limited=limited, span=span))
            # Values are set one after the other, so the next one is read without the facts that this one ends.
            steps.reader.facts = after(steps.reader.facts, assignments[-1:], steps.reader.names)
        return Do(body=tuple(assignments), **common)

    def changes(self) -> tuple[Value | ZoneRef, ...]:
        return (self.target,)

    def propositions(self, scene: Scene) -> Iterator[Proposition]:
        say = scene.say
        target = say.value(self.target.name, self.target.arguments)
        change = _change(self.target, self.value, say)
        if change is not None:
            yield scene.fact(self.span, Phrase(change[0], (target, *change[1:])))
            return
        value = say(self.value)
        named = {"true": "becomes_true", "false": "becomes_false", "nothing": "becomes_nothing"}.get(value.constructor)
        verb = "becomes_if" if self.value.type.kind == "bool" else "becomes"
        yield scene.fact(self.span, Phrase(named, (target,)) if named else Phrase(verb, (target, value)))


def _content(reader: Reader, target: Value, node: Node, scope: Locals) -> tuple[TExpr, bool]:
    """What a value is set to, and whether that may be outside of the bounds of its type, which play must test."""
    if target is NO_VALUE:
        return reader.expr(node, scope), False
    shape, type_ = reader.names.values[target.name], target.type
    if shape is None or not shape.bounded or type_.kind != "int":
        return reader.expr(node, scope, type_, target.name), False
    found = reader.number(node, scope)
    # Only what is never within the bounds is a mistake; what may be outside of them is tested in play.
    if found is not FAILED and (found.type.high < type_.low or type_.high < found.type.low):
        return reader.expr(node, scope, type_), False  # reports it
    return found, found is not FAILED and not type_.low <= found.type.low <= found.type.high <= type_.high


def _change(target: Value, value: TExpr, say: Wording) -> tuple[Any, ...] | None:
    """A gain or a loss of the value itself: its constructor, the amount, and the limits if it has any."""
    if isinstance(value, Op) and value.operator == "clamp":
        inner = _change(target, value.arguments[0], say)
        return inner and (*inner, Phrase("limits", tuple(map(say, value.arguments[1:]))))
    if isinstance(value, Op) and value.operator in ("+", "-"):
        kept, by = value.arguments
        # The fallback says where counting begins if there is no value yet; it is a gain all the same.
        if isinstance(kept, Op) and kept.operator == "??":
            kept = kept.arguments[0]
        if kept == target:
            # Whether adding or subtracting an amount makes a value greater, smaller, or either
            if by.type.low < 0 < by.type.high:
                direction = "changes_by"
            else:
                direction = "increase" if (value.operator == "+") == (by.type.low >= 0) else "decrease"
            reverse = direction == "changes_by" and value.operator == "-"
            return (direction, Phrase("negative", (say(by),)) if reverse else say(by))
    return None
