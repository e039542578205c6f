"""The surroundings of a step: settings, rule, and conditions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from rulespec.base.diagnostics import Span
from rulespec.language.model import typed as t
from rulespec.language.model.constants import Setting
from rulespec.language.model.phrase import Phrase, Proposition, number
from rulespec.language.model.spec import Spec
from rulespec.language.model.step import Body, Step
from rulespec.language.model.typed import TExpr
from rulespec.proofs.meaning.expressions import Wording, opposite


@dataclass(frozen=True)
class Scene:
    """Where steps stand: the settings in which they are present, their rule, and the conditions around them.

    `in_secret`: what they lay out is revealed later.
    """

    spec: Spec
    among: Sequence[Setting]
    rule: str = ""
    conditions: tuple[Phrase, ...] = ()
    within: tuple[Phrase, ...] = ()
    in_secret: bool = False

    @property
    def say(self) -> Wording:
        return Wording(self.spec, self.among)

    def under(self, *conditions: Phrase) -> Scene:
        """The scene inside further conditions."""
        return replace(self, conditions=(*self.conditions, *conditions))

    def inside(self, *loops: Phrase) -> Scene:
        """The scene inside further loops."""
        return replace(self, within=(*self.within, *loops))

    def where(self, condition: TExpr | None, wanted: bool = True) -> Scene | None:
        """The scene where a condition has the wanted truth; None if it has it in no setting."""
        if condition is None:
            return self
        if not t.constant(condition):
            phrase = self.say(condition) if wanted else opposite(self.say(condition))
            if phrase.constructor == "false":
                return None
            return self if phrase.constructor == "true" else self.under(phrase)
        left = [one for one in self.among if bool(one.value(condition)) == wanted]
        if not left:
            return None
        here = replace(self, among=left)
        counts = tuple(number(one.players) for one in left)
        return here if len(left) == len(self.among) else here.under(Phrase("with_players", counts))

    def instead(self, number: int, condition: Phrase) -> Scene:
        """The scene with a condition in place of all after the first `number`."""
        return replace(self, conditions=(*self.conditions[:number], condition))

    def alone(self) -> Scene:
        """The scene outside of all loops."""
        return replace(self, within=())

    def secretly(self) -> Scene:
        """The scene where what the steps lay out is revealed later."""
        return replace(self, in_secret=True)

    def body(self, steps: Body) -> Iterator[Proposition]:
        """The propositions of steps in order, those of rules inside them included."""
        for step in steps:
            here = self.named(step)
            if here is not None:
                yield from step.propositions(here)

    def named(self, step: Step) -> Scene | None:
        """The scene of a step that may have a rule of its own; None if it is in no setting."""
        return replace(self, rule=step.rule or self.rule).where(step.only_if)

    def fact(self, span: Span, act: Phrase) -> Proposition:
        """A proposition of this scene."""
        return Proposition(self.rule, act, self.conditions, span, within=self.within)
