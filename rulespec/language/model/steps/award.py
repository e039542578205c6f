"""`award`: prizes for the best players."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from rulespec.base.messages import say
from rulespec.language.document.nodes import Mapping
from rulespec.language.model.infer.advice import Locals
from rulespec.language.model.nodes import entries, items, mapping, scalar, text
from rulespec.language.model.phrase import Constructor, Phrase, Proposition, Scene, constructor
from rulespec.language.model.reader import NO_VALUE
from rulespec.language.model.step import Step
from rulespec.language.model.steps import criteria, fields
from rulespec.language.model.steps.criteria import Criterion
from rulespec.language.model.steps.reading import Common, StepReader, known
from rulespec.language.model.typed import Domain, Local, TExpr, Value, ZoneRef, walk
from rulespec.language.model.types import BOOL, PLAYER, Type, describe
from rulespec.language.model.ways import Count, Ways

_GOT = "transfer: receive, comparison: exactly"
"""What a prize implies for who gets it."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Prize(Step, key="gives", once=False, followed=False):
    """One place of an award: `gives` is set to the best player who meets `condition`, if there is one; if tied players
    share it, it is set for each player to whether they do."""

    title: str = fields.aside()
    gives: Value = fields.custom("gives", "place")
    worth: TExpr | None = fields.number("worth", optional=True)
    condition: TExpr | None = fields.condition("if", optional=True)

    @classmethod
    def read(cls, steps: StepReader, node: Mapping, awarded: Locals, both: Locals, player: str, left: str) -> Prize:
        """`awarded` has the name of what is awarded, `both` that of the `player` as well."""
        common, read = steps.common(node, awarded), steps.reader
        gives = read.stored(node.get("gives"), both)
        if gives is not NO_VALUE and left in _CHECKS:
            _CHECKS[left](steps, node, gives, player)
        worth = read.number(node.get("worth"), awarded) if node.get("worth") else None
        title = text(node.get("title")) if node.get("title") else common["rule"] or gives.name
        condition = read.condition(node.get("if"), both)
        return cls(title=title, gives=gives, worth=worth, condition=condition, **common)

    def changes(self) -> tuple[Value | ZoneRef, ...]:
        return (self.gives,)

    def stated(self, scene: Scene, name: str) -> Iterator[Proposition]:
        """Who gets the prize."""
        named = scene.named(self)
        here = named and named.where(self.condition)
        if here is not None:
            given = here.say.value(self.gives.name, self.gives.arguments)
            worth = () if self.worth is None else (here.say(self.worth),)
            yield here.fact(self.span, Phrase(name, (given, *worth)))


def _check_alone(steps: StepReader, node: Mapping, gives: Value, player: str) -> None:
    """Reports a value that cannot name the only player who wins a place."""
    place = scalar(node.get("gives"))
    if any(part == Local(PLAYER, player) for part in walk(gives)):
        message = say("Without `left: share`, one player wins the place, so `gives` cannot depend on `{p}`.", p=player)
        steps.reader.report("wrong-index", message, place, say("Write `left: share`, or leave out the index."))
    elif not gives.type.accepts(PLAYER.maybe()):
        message = say("`gives` needs a value of type `player?`, not {type}.", type=describe(gives.type))
        hint = say("Declare `{gives}` with the type `player?`.", gives=gives.name)
        steps.reader.report("type-mismatch", message, place, hint)


def _check_shared(steps: StepReader, node: Mapping, gives: Value, player: str) -> None:
    """Reports a value that cannot say of each player whether they share a place."""
    if gives.type == BOOL and Local(PLAYER, player) in gives.arguments:
        return
    message = say("With `left: share`, `gives` needs a truth value of each player.")
    hint = say(
        "Declare it with `per: […, player]` and `type: bool`, and write `{gives}[…, {p}]`.", gives=gives.name, p=player
    )
    steps.reader.report("type-mismatch", message, scalar(node.get("gives")), hint)


_CHECKS = {"nobody": _check_alone, "seat": _check_alone, "share": _check_shared}
"""What `gives` must be, by the word of `left`."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Award(Step, key="award", once=False, followed=False):
    """For every member of `domain`, gives the places to the best players in turn."""

    variable: str = fields.variable("each", "variable")
    domain: Domain
    player: str = fields.variable("among", "player_variable")
    eligible: TExpr | None = fields.condition("if", optional=True)
    chain: tuple[Criterion, ...] = criteria.chain()
    left: str = fields.words("left", "nobody seat share")
    places: tuple[Prize, ...] = fields.constructs("places", "prize")
    constructors: ClassVar[tuple[Constructor, ...]] = (
        constructor("award", "variable domain player", "quantity: all"),
        constructor("candidates", "condition", "scope: only"),
        constructor("prize", "value worth?", "possession: take", implies=_GOT),
        constructor("prize_next", "value worth?", "possession: take", implies=f"{_GOT}, quantity: rest"),
        constructor("prize_shared", "value worth?", "possession: take", implies=_GOT),
        constructor("prize_shared_next", "value worth?", "possession: take", implies=f"{_GOT}, quantity: rest"),
        constructor("left_nobody", "", "quantity: none"),
        constructor("left_share", "", "result: shared"),
        constructor("left_seat", "", "sequence: first", "result: alone"),
    )

    @classmethod
    def read(cls, steps: StepReader, node: Mapping, scope: Locals, common: Common) -> Award:
        inner = mapping(node.get("award"))
        variable, domain, awarded = steps.binding(inner.get("each"), scope)
        if domain is not None and domain.type.kind != "enum":
            place = next(value for _, value in entries(inner.get("each")))
            hint = say("Name an enum. For a single prize, declare an enum with one member.")
            steps.reader.report("wrong-domain", say("An award needs an enum, one prize for each member."), place, hint)
        player, _, both = steps.binding(inner.get("among"), awarded)
        left = text(inner.get("left"))
        return cls(
            variable=variable,
            domain=known(domain),
            player=player,
            eligible=steps.reader.condition(inner.get("if"), both),
            chain=criteria.read_chain(steps, inner.get("by"), both),
            left=left,
            places=tuple(
                Prize.read(steps, mapping(item), awarded, both, player, left) for item in items(inner.get("places"))
            ),
            **common,
        )

    def binds(self) -> Iterator[tuple[str, Type]]:
        yield from ((self.variable, self.domain.type), (self.player, PLAYER))

    def flow(self, count: Count) -> Ways:
        return super().flow(count).times(count.extent(self.domain))

    def propositions(self, scene: Scene) -> Iterator[Proposition]:
        """Who gets each prize, and what breaks ties."""
        say = scene.say
        variable = say.variable(self.variable, self.domain.type)
        player = say.variable(self.player, PLAYER)
        yield scene.fact(self.span, Phrase("award", (variable, say.domain(self.domain), player)))
        candidates = Phrase("true") if self.eligible is None else say(self.eligible)
        if candidates.constructor != "true":
            yield scene.fact(self.span, Phrase("candidates", (candidates,)))
        yield from criteria.stated(self.chain, scene, True)
        for index, place in enumerate(self.places):
            name = "prize_shared" if self.left == "share" else "prize"
            yield from place.stated(scene, f"{name}_next" if index else name)
        yield scene.fact(self.span, Phrase(f"left_{self.left}"))
