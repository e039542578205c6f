"""`auction`: an ascending auction."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from rulespec.base.messages import say
from rulespec.language.document.nodes import Mapping
from rulespec.language.model.infer.advice import Locals
from rulespec.language.model.nodes import mapping, scalar
from rulespec.language.model.phrase import Constructor, Phrase, Proposition, Scene, constructor
from rulespec.language.model.reader import type_of
from rulespec.language.model.step import Body, Step
from rulespec.language.model.steps import fields
from rulespec.language.model.steps.do import Do
from rulespec.language.model.steps.option import MOST_ACTIONS, Option
from rulespec.language.model.steps.reading import Common, StepReader
from rulespec.language.model.typed import TExpr, ZoneRef
from rulespec.language.model.types import PLAYER, Type, integer
from rulespec.language.model.ways import NOTHING, Count, Point, Ways

_RULE = tuple(fields.key(name, name, optional=True) for name in ("id", "origin", "title"))
"""The keys of a part with a rule of its own."""

_SAYS = (*_RULE, fields.key("says", "says"), fields.key("weight", "expression", optional=True))
_BID = fields.mapping(*_SAYS)
_PASS = fields.mapping(*_SAYS, fields.settled("means", "out_for_the_round"))
_CANNOT_PAY = fields.mapping(
    *_RULE,
    fields.key("do", "body"),
    fields.settled("then", "again_without_winner"),
    fields.key("from", "expression"),
)


@dataclass(frozen=True, kw_only=True, eq=False)
class Auction(Step, key="auction", once=False, followed=False):
    """An ascending auction. The bodies bind `winner` and `price`; `limit` and `means` bind the name of the bidder."""

    lot: ZoneRef = fields.zone("lot")
    bidder: str = fields.variable("bidders", "player_variable")
    eligible: TExpr | None = fields.condition("if", optional=True)
    start: TExpr = fields.expression("from", PLAYER)
    opening: TExpr = fields.number("opening", 0)
    increment: TExpr = fields.number("raise", 1)
    cap: TExpr = fields.custom("cap", "expression")
    limit: TExpr = fields.custom("limit", "expression")
    means: TExpr = fields.custom("means", "expression")
    bid: Option = fields.custom("bid", _BID)
    passing: Option = fields.custom("pass", _PASS)
    before: Body = fields.body("before", optional=True)
    pays: Body = fields.custom("pays", "body")
    takes: Body = fields.custom("takes", "body")
    cannot_pay: Body = fields.custom("cannot_pay", _CANNOT_PAY)
    again_from: TExpr | None
    nobody: Body = fields.body("nobody")
    constructors: ClassVar[tuple[Constructor, ...]] = (
        constructor("auction", "lot"),
        constructor("bidding_order", "start", "side: left"),
        constructor("bidder_if", "condition", "scope: only"),
        constructor("opening", "amount", "comparison: at_least"),
        constructor("raise", "amount", "comparison: at_least"),
        constructor("bid_cap", "amount", "comparison: at_most", implies="quantity: none"),
        constructor("bid_limit", "amount", "comparison: at_most"),
        constructor("means", "amount", "comparison: at_most", "transfer: pay"),
        constructor("may_bid", "by", "modality: may", implies="duty: optional"),
        constructor("may_pass", "by", "modality: may", implies="duty: optional"),
        constructor("passed_is_out"),
        constructor("bidding_starts"),
        constructor("winner_pays", "", "transfer: pay"),
        constructor("winner_takes", "", "possession: take", implies="transfer: receive"),
        constructor("winner_cannot_pay", "", "transfer: pay"),
        constructor("nobody_bids", "", "quantity: none"),
        constructor("auctioned_again", "start"),
    )

    @classmethod
    def read(cls, steps: StepReader, node: Mapping, scope: Locals, common: Common) -> Auction:
        inner, read = mapping(node.get("auction")), steps.reader
        place = node.key("auction") or node
        bidder, _, bidding = steps.binding(inner.get("bidders"), scope)
        cap = read.fixed(inner.get("cap"), scope, None)
        amount, price = _bids(steps, inner, type_of(cap))
        offered = steps.give(bidding, place, {"amount": amount})
        won = steps.give(scope, place, {"winner": PLAYER, "price": price})
        cannot_pay = mapping(inner.get("cannot_pay"))
        return cls(
            lot=read.zone(inner.get("lot"), scope),
            bidder=bidder,
            eligible=read.condition(inner.get("if"), bidding),
            start=read.expr(inner.get("from"), scope, PLAYER),
            opening=read.number(inner.get("opening"), scope, 0),
            increment=read.number(inner.get("raise"), scope, 1),
            cap=cap,
            limit=read.number(inner.get("limit"), bidding),
            means=read.number(inner.get("means"), bidding),
            bid=Option.read(steps, mapping(inner.get("bid")), offered, ("amount",)),
            passing=Option.read(steps, mapping(inner.get("pass")), bidding),
            before=steps.body(inner.get("before"), scope),
            pays=steps.body(inner.get("pays"), won),
            takes=steps.body(inner.get("takes"), won),
            # A step, because `cannot_pay` may have an id, and so be a rule.
            cannot_pay=(Do(body=steps.body(cannot_pay.get("do"), won), **steps.common(cannot_pay, won)),),
            again_from=read.expr(cannot_pay.get("from"), won, PLAYER),
            nobody=steps.body(inner.get("nobody"), scope),
            **common,
        )

    def binds(self) -> Iterator[tuple[str, Type]]:
        yield from ((self.bidder, PLAYER), ("winner", PLAYER), ("price", integer(0, 0)))

    def flow(self, count: Count) -> Ways:
        """Each bid is higher than the one before it and at most the cap, and each player passes once; that again for
        each winner who cannot pay."""
        bids = count.decisions(count.most(self.cap) + count.players)
        asked = bids.then(count.choice(count.work(count.players), Point.END))
        sold = count.body(self.pays).then(count.body(self.takes)).either(count.body(self.nobody))
        unpaid = count.body(self.cannot_pay).either(NOTHING)
        return count.body(self.before).then(count.work(1).then(asked).then(unpaid).times(count.players)).then(sold)

    def propositions(self, scene: Scene) -> Iterator[Proposition]:
        """How the players bid, and what happens to the winner, to the card and if nobody bids."""
        say = scene.say
        yield scene.fact(self.span, Phrase("auction", (say.zone(self.lot),)))
        yield scene.fact(self.span, Phrase("bidding_order", (say(self.start),)))
        if self.eligible is not None:
            yield scene.fact(self.span, Phrase("bidder_if", (say(self.eligible),)))
        bidder = say.variable(self.bidder, PLAYER)
        for option, verb in ((self.bid, "may_bid"), (self.passing, "may_pass")):
            here = scene.named(option)
            if here is not None:
                yield here.fact(option.span, Phrase(verb, (bidder,)))
                out = here.fact(option.span, Phrase("passed_is_out"))
                yield from self._amounts(here) if verb == "may_bid" else (out,)
        for event, body in (
            ("bidding_starts", self.before),
            ("winner_pays", self.pays),
            ("winner_takes", self.takes),
            ("winner_cannot_pay", self.cannot_pay),
        ):
            yield from scene.under(Phrase(event)).body(body)
        if self.again_from is not None:
            unable = scene.under(Phrase("winner_cannot_pay"))
            yield unable.fact(self.span, Phrase("auctioned_again", (scene.say(self.again_from),)))
        yield from scene.under(Phrase("nobody_bids")).body(self.nobody)

    def _amounts(self, scene: Scene) -> Iterator[Proposition]:
        """The bounds of a bid."""
        named = {"opening": self.opening, "raise": self.increment, "bid_cap": self.cap}
        # Otherwise the same limit would be stated twice.
        if self.limit != self.cap:
            named["bid_limit"] = self.limit
        for name, amount in {**named, "means": self.means}.items():
            yield scene.fact(self.span, Phrase(name, (scene.say(amount),)))


def _bids(steps: StepReader, node: Mapping, cap: Type | None) -> tuple[Type | None, Type | None]:
    """The types of a bid and of the price. Every bid up to the cap is an action."""
    if cap is None:
        return None, None
    if cap.high >= MOST_ACTIONS:
        message = say(
            "Bids up to {high:,} are more than {most_actions:,} actions.", high=cap.high, most_actions=MOST_ACTIONS
        )
        hint = say("Lower `cap` to the highest bid that can occur.")
        steps.reader.report("too-many-choices", message, scalar(node.get("cap")), hint)
        return None, None
    return integer(0, max(0, cap.high)), integer(0, max(0, cap.high))
