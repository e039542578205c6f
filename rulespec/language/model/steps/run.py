"""`run`: the steps of a procedure."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from rulespec.base.messages import say
from rulespec.language.document.nodes import Mapping, Scalar
from rulespec.language.model.infer.advice import Locals
from rulespec.language.model.names import suggest
from rulespec.language.model.nodes import declared, entries
from rulespec.language.model.phrase import Constructor, Phrase, Proposition, Scene, constructor
from rulespec.language.model.step import Step
from rulespec.language.model.steps import fields
from rulespec.language.model.steps.reading import Common, Signature, StepReader
from rulespec.language.model.typed import TExpr
from rulespec.language.model.ways import Count, Ways

PARAMETERS = fields.mapping_of(names=True)


@dataclass(frozen=True, kw_only=True, eq=False)
class Run(Step, key="run", once=True, followed=False):
    """Carries out a procedure with arguments."""

    procedure: str = fields.custom("run", "name")
    arguments: tuple[tuple[str, TExpr], ...] = fields.custom("with", PARAMETERS, beside="run", optional=True)
    constructors: ClassVar[tuple[Constructor, ...]] = (
        constructor("carry_out", "procedure arguments*"),
        constructor("argument", "variable what"),
    )

    @classmethod
    def read(cls, steps: StepReader, node: Mapping, scope: Locals, common: Common) -> Run:
        called = declared(node.get("run"))
        if called.text not in steps.procedures:
            hint = suggest(called.text, steps.procedures) or say("Declare it under `procedures:`.")
            message = say("There is no procedure `{called}`.", called=called.text)
            steps.reader.report("unknown-name", message, called, hint)
        else:
            steps.call(called.text, called)
        given = arguments(steps, node, called, steps.procedures.get(called.text), called.text, scope)
        return cls(procedure=called.text, arguments=given, **common)

    def flow(self, count: Count) -> Ways:
        return count.work(1).then(count.procedure(self.procedure))

    def propositions(self, scene: Scene) -> Iterator[Proposition]:
        procedure = scene.spec.procedures[self.procedure]
        # Its steps are stated once, by its own rule or as a definition, not wherever it runs.
        named = Phrase("procedure", name=procedure.rule or procedure.name)
        yield scene.fact(self.span, Phrase("carry_out", (named, *said(self.arguments, self, scene))))


def said(given: tuple[tuple[str, TExpr], ...], step: Run, scene: Scene) -> Iterator[Phrase]:
    """Arguments of a procedure in words."""
    types = {index.name: index.type for index in scene.spec.procedures[step.procedure].parameters}
    for name, value in given:
        yield Phrase("argument", (scene.say.variable(name, types[name]), scene.say(value)))


def arguments(
    steps: StepReader, node: Mapping, place: Scalar, parameters: Signature | None, called: str, scope: Locals
) -> tuple[tuple[str, TExpr], ...]:
    """The arguments under `with` of what is called; those that are missing are reported at a place."""
    given = list(entries(node.get("with")))
    if parameters is None:
        # The parameters of an unknown or broken procedure are not known; arguments are read for mistakes of their own.
        return tuple((key.text, steps.reader.expr(value, scope)) for key, value in given)
    # The schema has already reported a parameter that stands next to `with:` instead of under it.
    for missing in [p for p in parameters if p not in {key.text for key, _ in given} and node.key(p) is None]:
        message = say("`{called}` is called without its parameter `{missing}`.", called=called, missing=missing)
        steps.reader.report("wrong-arguments", message, place, say("Add `{missing}:` under `with:`.", missing=missing))
    for key, _ in given:
        if key.text not in parameters:
            hint = suggest(key.text, parameters)
            message = say("`{called}` has no parameter `{key}`.", called=called, key=key.text)
            steps.reader.report("wrong-arguments", message, key, hint)
    return tuple((key.text, steps.reader.expr(value, scope, parameters.get(key.text))) for key, value in given)
