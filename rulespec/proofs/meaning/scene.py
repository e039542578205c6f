"""The surroundings of a step: settings, rule, and conditions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from rulespec.base.diagnostics import Span
from rulespec.language.model import typed as t
from rulespec.language.model.constants import Setting
from rulespec.language.model.phrase import Around, Gate, Phrase, Proposition, number
from rulespec.language.model.phrase import Scene as PhraseScene
from rulespec.language.model.spec import Option, Spec
from rulespec.language.model.step import Body, Step
from rulespec.language.model.typed import TExpr
from rulespec.proofs.meaning.expressions import Wording, opposite


@dataclass(frozen=True)
class Scene:
    """Where steps stand: the settings in which they are present, their rule, and what is around them.

    `in_secret`: what they lay out is revealed later.
    """

    spec: Spec
    among: Sequence[Setting]
    rule: str = ""
    around: tuple[Around, ...] = ()
    in_secret: bool = False

    @property
    def say(self) -> Wording:
        return Wording(self.spec, self.among)

    @property
    def conditions(self) -> tuple[Phrase, ...]:
        return tuple(one.phrase for one in self.around if one.gate is Gate.CONDITION)

    @property
    def within(self) -> tuple[Phrase, ...]:
        """The loops around the steps."""
        return tuple(one.phrase for one in self.around if one.gate is Gate.LOOP)

    def under(self, *conditions: Phrase, step: Span | None = None) -> Scene:
        """The scene inside further conditions, those of the branches of an `if` with its span."""
        return self._in(*(Around(Gate.CONDITION, phrase, self.rule, step) for phrase in conditions))

    def inside(self, *loops: Phrase) -> Scene:
        """The scene inside further loops."""
        return self._in(*(Around(Gate.LOOP, phrase, self.rule) for phrase in loops))

    def choosing(self, step: Span, by: Phrase) -> Scene:
        """The scene of the options of a choice."""
        return self._in(Around(Gate.CHOICE, Phrase("choose_one", (by,)), self.rule, step))

    def _in(self, *around: Around) -> Scene:
        return replace(self, around=(*self.around, *around))

    def where(self, condition: TExpr | None, wanted: bool = True, step: Span | None = None) -> Scene | None:
        """The scene where a condition has the wanted truth; None if it has it in no setting. For the branches of an
        `if`, `step` is its span."""
        if condition is None:
            return self
        if not t.constant(condition):
            phrase = self.say(condition) if wanted else opposite(self.say(condition))
            if phrase.constructor == "false":
                return None
            return self if phrase.constructor == "true" else self.under(phrase, step=step)
        left = [one for one in self.among if bool(one.value(condition)) == wanted]
        if not left:
            return None
        here = replace(self, among=left)
        counts = tuple(number(one.players) for one in left)
        return here if len(left) == len(self.among) else here.under(Phrase("with_players", counts))

    def option(self, option: Option) -> Scene:
        """The scene of one of several options."""
        return self._in(Around(Gate.OPTION, Phrase("option", name=option.says), self.rule, option.span))

    def instead(self, before: PhraseScene, condition: Phrase) -> Scene:
        """The scene with a condition in place of those that it has more than another one."""
        assert isinstance(before, Scene)
        return replace(before.under(condition), among=self.among)

    def alone(self) -> Scene:
        """The scene outside of all loops."""
        return replace(self, around=tuple(one for one in self.around if one.gate is not Gate.LOOP))

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

    def fact(self, span: Span, act: Phrase, aside: bool = False) -> Proposition:
        """A proposition of this scene."""
        around = self.around
        return Proposition(self.rule, act, self.conditions, span, within=self.within, around=around, aside=aside)
