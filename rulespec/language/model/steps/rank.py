"""`rank`: the end of the game."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from rulespec.base.messages import say
from rulespec.language.document.nodes import Mapping, Scalar
from rulespec.language.model.declarations import Invariant
from rulespec.language.model.infer.advice import Locals
from rulespec.language.model.nodes import mapping, scalar, text
from rulespec.language.model.phrase import Constructor, Phrase, Proposition, Scene, constructor
from rulespec.language.model.reader import FAILED
from rulespec.language.model.step import Step
from rulespec.language.model.steps import criteria, fields
from rulespec.language.model.steps.criteria import Criterion
from rulespec.language.model.steps.reading import Common, StepReader, known
from rulespec.language.model.typed import Fold, Op, TExpr
from rulespec.language.model.types import BOOL, PLAYER, Type, describe, integer


@dataclass(frozen=True, kw_only=True, eq=False)
class Rank(Step, key="rank", once=False, followed=False):
    """The end of the game: ranks the players. The first criterion is the score.

    `returns` is what the game is worth to each player; if it is None, the winners share 1. `sum` is what it is worth
    to all of them together, constant in a setting; None if that varies.
    """

    player: str = fields.variable("among", "player_variable")
    chain: tuple[Criterion, ...] = criteria.chain()
    left: str = fields.words("left", "share seat")
    returns: TExpr | None = fields.number("returns", optional=True, form=(fields.ADDED,))
    sum: TExpr | None = fields.custom("sum", "expression", beside="returns", optional=True, form=(fields.DISPLAYED,))
    constructors: ClassVar[tuple[Constructor, ...]] = (
        constructor("rank", "player"),
        constructor("returns", "player value"),
    )

    @classmethod
    def read(cls, steps: StepReader, node: Mapping, scope: Locals, common: Common) -> Rank:
        inner = mapping(node.get("rank"))
        player, domain, both = steps.binding(inner.get("among"), scope)
        chain = criteria.read_chain(steps, inner.get("by"), both)
        returns = steps.reader.number(inner.get("returns"), both) if inner.get("returns") else None
        sum_ = steps.reader.fixed(inner.get("sum"), {}, None) if inner.get("sum") else None
        if returns is not None and sum_ is not None and FAILED not in (returns, sum_):
            players = steps.reader.names.players or range(1)
            low, high = min(n * returns.type.low for n in players), max(n * returns.type.high for n in players)
            every = Fold(integer(low, high), "sum", player, known(domain), None, returns)
            _check_sum(steps, common["rule"], every, sum_, scalar(inner.get("sum")))
        return cls(player=player, chain=chain, left=text(inner.get("left")), returns=returns, sum=sum_, **common)

    def binds(self) -> Iterator[tuple[str, Type]]:
        yield self.player, PLAYER

    def propositions(self, scene: Scene) -> Iterator[Proposition]:
        """Who wins the game, and what breaks ties."""
        player = scene.say.variable(self.player, PLAYER)
        yield scene.fact(self.span, Phrase("rank", (player,)))
        yield from criteria.stated(self.chain, scene, True)
        yield scene.fact(self.span, Phrase(f"left_{self.left}"))
        if self.returns is not None:
            yield scene.fact(self.span, Phrase("returns", (player, scene.say(self.returns))), aside=True)


def _check_sum(steps: StepReader, rule: str, every: TExpr, wanted: TExpr, place: Scalar) -> None:
    """Declares the invariant that what a game is worth to all players together is the `sum` of the ranking."""
    if wanted.type.high < every.type.low or every.type.high < wanted.type.low:
        message = say(
            "`returns` of all players together is {sum}, never {wanted}.",
            sum=describe(every.type),
            wanted=describe(wanted.type),
        )
        steps.reader.report("out-of-range", message, place, say("Write the number that it adds up to in every game."))
    id_ = f"{rule}.sum"
    steps.declare(id_, place, place.span)
    steps.invariants.append(Invariant(id_, Op(BOOL, "==", (every, wanted)), "end", place.span))
