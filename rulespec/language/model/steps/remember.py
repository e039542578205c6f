"""`remember` and `forget`: the positions that a value counts."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from rulespec.base.messages import say
from rulespec.language.document.nodes import Node
from rulespec.language.model.infer.advice import Locals
from rulespec.language.model.names import suggest
from rulespec.language.model.nodes import Broken, declared
from rulespec.language.model.phrase import Constructor, Phrase, Proposition, Scene, constructor
from rulespec.language.model.step import Step
from rulespec.language.model.steps import fields
from rulespec.language.model.steps.reading import StepReader
from rulespec.language.model.typed import Value, ZoneRef


def _counter(steps: StepReader, node: Node | None, scope: Locals) -> Value:
    """The value that remembers positions. Raises Broken after a finding."""
    written = declared(node)
    known = steps.reader.names.values
    counting = {name: shape for name, shape in known.items() if shape is None or shape.remembers}
    if written.text not in counting and not steps.reader.names.incomplete:
        hint = suggest(written.text, counting) or say("Declare it under `values:`, with `repeats:` and `most:`.")
        message = say("There is no value `{name}` that remembers positions.", name=written.text)
        steps.reader.report("unknown-name", message, written, hint)
    shape = counting.get(written.text)
    if shape is None or shape.type is None:
        raise Broken
    return Value(shape.type, written.text, ())


@dataclass(frozen=True, kw_only=True, eq=False)
class Remember(Step, key="remember", once=True, followed=True):
    """Adds the present position to those that a value remembers."""

    target: Value = fields.custom("remember", "name", read=_counter)
    constructors: ClassVar[tuple[Constructor, ...]] = (constructor("remember", "value"),)

    def changes(self) -> tuple[Value | ZoneRef, ...]:
        return (self.target,)

    def propositions(self, scene: Scene) -> Iterator[Proposition]:
        yield scene.fact(self.span, Phrase("remember", (scene.say.value(self.target.name),)))


@dataclass(frozen=True, kw_only=True, eq=False)
class Forget(Step, key="forget", once=True, followed=True):
    """Forgets all positions that a value remembers."""

    target: Value = fields.custom("forget", "name", read=_counter)
    constructors: ClassVar[tuple[Constructor, ...]] = (constructor("forget", "value"),)

    def changes(self) -> tuple[Value | ZoneRef, ...]:
        return (self.target,)

    def propositions(self, scene: Scene) -> Iterator[Proposition]:
        yield scene.fact(self.span, Phrase("forget", (scene.say.value(self.target.name),)))
