"""`choose`: one player chooses. `secret`: several players choose at once, unseen."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from rulespec.language.document.nodes import Mapping
from rulespec.language.model.infer.advice import Locals
from rulespec.language.model.nodes import mapping, text
from rulespec.language.model.phrase import Constructor, Phrase, Proposition, Scene, constructor
from rulespec.language.model.step import Body, Step
from rulespec.language.model.steps import fields
from rulespec.language.model.steps.option import Option, options_of, verb_of
from rulespec.language.model.steps.reading import Common, StepReader
from rulespec.language.model.typed import TExpr
from rulespec.language.model.types import PLAYER, Type
from rulespec.language.model.ways import Count, Point, Ways


@dataclass(frozen=True, kw_only=True, eq=False)
class Choose(Step, key="choose", once=True, followed=True):
    """`none` says what happens without a legal action: skip, leave, or empty if there always is one. If it is
    `seen_by` nobody, the other players do not see that a player decides."""

    by: TExpr = fields.expression("by", PLAYER)
    options: tuple[Option, ...] = fields.constructs("options", "option", read=options_of)
    none: str = fields.words("none", "skip leave", optional=True)
    seen_by: str = fields.words("seen_by", "everybody nobody", form=(fields.ADDED,), optional=True, default="")
    constructors: ClassVar[tuple[Constructor, ...]] = (
        constructor("decides_unseen", "by", "sight: secret"),
        constructor("unable_skip", "by", implies="quantity: none"),
        constructor("unable_leave", "by", implies="quantity: none"),
    )

    @classmethod
    def read(cls, steps: StepReader, node: Mapping, scope: Locals, common: Common) -> Choose:
        inner = mapping(node.get("choose"))
        step = cls(**steps.read(cls, inner, scope), **common)
        if step.none == "leave":
            steps.leave(inner.get("none") or node)
        return step

    def flow(self, count: Count) -> Ways:
        """Without a legal action it passes without a decision, and the loop goes on or is left."""
        passes = {"skip": count.skipped, "leave": ("",)}.get(self.none, ())
        return count.work(1).then(count.decisions(1)).then(count.choice(count.any(self.options), *passes))

    def propositions(self, scene: Scene) -> Iterator[Proposition]:
        by = scene.say(self.by)
        if self.seen_by == "nobody":
            yield scene.fact(self.span, Phrase("decides_unseen", (by,)))
        for option in self.options:
            yield from option.offered(by, verb_of(self.options, scene), scene.choosing(self.span, by))
        if self.none in ("skip", "leave"):
            yield scene.fact(self.span, Phrase(f"unable_{self.none}", (by,)))


@dataclass(frozen=True, kw_only=True, eq=False)
class Secret(Step, key="secret", once=False, followed=False):
    """All players for whom `eligible` holds choose in secret; then the options run seat by seat, then `then`. `none` is
    skip, or empty if every player always has a legal action."""

    player: str = fields.variable("who", "player_variable")
    eligible: TExpr | None = fields.condition("if", optional=True)
    options: tuple[Option, ...] = fields.constructs("options", "option")
    none: str = fields.words("none", "skip", optional=True)
    revealed: ClassVar = fields.settled("revealed", "together")
    then: Body = fields.body("then")
    constructors: ClassVar[tuple[Constructor, ...]] = (
        constructor("secret_choice", "who", "sight: secret", "face: down"),
        constructor("secret_all", "", "sight: secret", "face: down"),
        constructor("revealed_together", "", "sight: open", "face: up"),
    )

    @classmethod
    def read(cls, steps: StepReader, node: Mapping, scope: Locals, common: Common) -> Secret:
        inner = mapping(node.get("secret"))
        player, _, choosing = steps.binding(inner.get("who"), scope)
        with steps.inside_secret():
            options = options_of(steps, inner.get("options"), choosing)
        return cls(
            player=player,
            eligible=steps.reader.condition(inner.get("if"), choosing),
            options=options,
            none=text(inner.get("none")) if inner.get("none") else "",
            then=steps.body(inner.get("then"), scope),
            **common,
        )

    def binds(self) -> Iterator[tuple[str, Type]]:
        yield self.player, PLAYER

    def flow(self, count: Count) -> Ways:
        passes = (Point.END,) if self.eligible is not None else count.skipped if self.none else ()
        options = count.any(self.options).times(count.players)
        asked = count.work(count.players).then(count.decisions(count.players))
        return asked.then(count.choice(options, *passes)).then(count.body(self.then))

    def propositions(self, scene: Scene) -> Iterator[Proposition]:
        say = scene.say
        who = say.variable(self.player, PLAYER)
        asked = Phrase("secret_choice", (say(self.eligible),)) if self.eligible is not None else Phrase("secret_all")
        yield scene.fact(self.span, asked)
        for option in self.options:
            hidden = scene.choosing(self.span, who).secretly()
            yield from option.offered(who, verb_of(self.options, scene), hidden)
        if self.none == "skip":
            yield scene.fact(self.span, Phrase("unable_skip", (who,)))
        yield scene.fact(self.span, Phrase("revealed_together"))
        yield from scene.body(self.then)
