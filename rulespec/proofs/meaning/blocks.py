"""Propositions of the blocks: draft, auction, secret choice, award and ranking."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from rulespec.language.model import step as s
from rulespec.language.model import typed as t
from rulespec.language.model.types import PLAYER
from rulespec.proofs.meaning.phrase import Phrase, Proposition
from rulespec.proofs.meaning.scene import Scene, of_option, verb_of


def of_draft(step: s.Draft, scene: Scene) -> Iterator[Proposition]:
    """What a player draws, the places for it, and what happens to a card put there."""
    say = scene.say
    by = say(step.by)
    yield scene.fact(step.span, Phrase("draft", (by, say(step.draws), say.zone(step.source))))
    if scene.spec.zones[step.look.name].sight.viewers.group == "owner":
        yield scene.fact(step.span, Phrase("draft_looks", (by,)))
    for place in step.places:
        here = scene.named(place)
        if here is None:
            continue
        target = here.say.zone(place.target)
        face = (Phrase(f"face_{place.face}"),)
        yield here.fact(place.span, Phrase("draft_place", (by, here.say(place.limit), target, *face)))
        yield from here.under(Phrase("drafted", (target,))).body(place.then)
    yield scene.fact(step.span, Phrase("draft_closed"))


def of_auction(step: s.Auction, scene: Scene) -> Iterator[Proposition]:
    """How the players bid, and what happens to the winner, to the card and if nobody bids."""
    yield from _bidding(step, scene)
    for event, body in (
        ("bidding_starts", step.before),
        ("winner_pays", step.pays),
        ("winner_takes", step.takes),
        ("winner_cannot_pay", step.cannot_pay),
    ):
        yield from scene.under(Phrase(event)).body(body)
    if step.again_from is not None:
        unable = scene.under(Phrase("winner_cannot_pay"))
        yield unable.fact(step.span, Phrase("auctioned_again", (scene.say(step.again_from),)))
    yield from scene.under(Phrase("nobody_bids")).body(step.nobody)


def _bidding(step: s.Auction, scene: Scene) -> Iterator[Proposition]:
    say = scene.say
    yield scene.fact(step.span, Phrase("auction", (say.zone(step.lot),)))
    yield scene.fact(step.span, Phrase("bidding_order", (say(step.start),)))
    if step.eligible is not None:
        yield scene.fact(step.span, Phrase("bidder_if", (say(step.eligible),)))
    bidder = say.variable(step.bidder, PLAYER)
    for option, verb in ((step.bid, "may_bid"), (step.passing, "may_pass")):
        here = scene.named(option)
        if here is not None:
            yield here.fact(option.span, Phrase(verb, (bidder,)))
            yield from _amounts(step, here) if verb == "may_bid" else (here.fact(option.span, Phrase("passed_is_out")),)


def _amounts(step: s.Auction, scene: Scene) -> Iterator[Proposition]:
    """The bounds of a bid."""
    named = {"opening": step.opening, "raise": step.increment, "bid_cap": step.cap}
    # Otherwise the same limit would be stated twice.
    if step.limit != step.cap:
        named["bid_limit"] = step.limit
    for name, amount in {**named, "means": step.means}.items():
        yield scene.fact(step.span, Phrase(name, (scene.say(amount),)))


def of_secret(step: s.Secret, scene: Scene) -> Iterator[Proposition]:
    """What all players choose in secret, and what happens when it is revealed."""
    say = scene.say
    who = say.variable(step.player, PLAYER)
    if step.eligible is not None:
        yield scene.fact(step.span, Phrase("secret_choice", (say(step.eligible),)))
    else:
        yield scene.fact(step.span, Phrase("secret_all"))
    for option in step.options:
        yield from of_option(option, who, verb_of(step.options, scene), replace(scene, in_secret=True))
    if step.none == "skip":
        yield scene.fact(step.span, Phrase("unable_skip", (who,)))
    yield scene.fact(step.span, Phrase("revealed_together"))
    yield from scene.body(step.then)


def of_award(step: s.Award, scene: Scene) -> Iterator[Proposition]:
    """Who gets each prize, and what breaks ties."""
    say = scene.say
    variable = say.variable(step.variable, step.domain.type)
    player = say.variable(step.player, PLAYER)
    yield scene.fact(step.span, Phrase("award", (variable, say.domain(step.domain), player)))
    candidates = Phrase("true") if step.eligible is None else say(step.eligible)
    if candidates.constructor != "true":
        yield scene.fact(step.span, Phrase("candidates", (candidates,)))
    yield from _chain(step.chain, scene, True)
    for index, place in enumerate(step.places):
        name = "prize_shared" if step.left == "share" else "prize"
        yield from _prize(place, scene, f"{name}_next" if index else name)
    yield scene.fact(step.span, Phrase(f"left_{step.left}"))


def _prize(place: s.Prize, scene: Scene, name: str) -> Iterator[Proposition]:
    named = scene.named(place)
    here = named and named.where(place.condition)
    if here is not None:
        say = here.say
        given = say.value(place.gives.name, place.gives.arguments)
        worth = () if place.worth is None else (say(place.worth),)
        yield here.fact(place.span, Phrase(name, (given, *worth)))


def _chain(chain: tuple[s.Criterion, ...], scene: Scene, first: bool) -> Iterator[Proposition]:
    """The criteria in order: the first says who is best, the others break ties."""
    for criterion in chain:
        here = scene.named(criterion)
        if here is None:
            continue
        if criterion.each is not None:
            name, domain = criterion.each
            parts = (here.say.variable(name, domain.type), here.say.domain(domain))
            yield here.fact(criterion.span, Phrase("tie_each", parts))
        if criterion.by is not None:
            yield here.fact(criterion.span, _criterion(criterion, criterion.by, here, first))
        yield from _chain(criterion.inner, here, first and criterion.by is None)
        first = False


def _criterion(criterion: s.Criterion, by: t.TExpr, scene: Scene, first: bool) -> Phrase:
    return Phrase(f"{'best' if first else 'tie'}_{_direction(criterion, by)}", (scene.say(by),))


def _direction(criterion: s.Criterion, by: t.TExpr) -> str:
    """The end of the order of values that is best."""
    seats = isinstance(by, t.Op) and by.operator == "seat_of"
    if seats or by.type.kind == "enum":
        return "last" if criterion.high else "first"
    return "most" if criterion.high else "fewest"


def of_order(step: s.Each, scene: Scene) -> Iterator[Proposition]:
    """Which elements of a loop come first, and which of those that are tied."""
    tied = scene.under(Phrase("order_tied"))
    yield from _order(step.chain, scene, tied)
    if step.start is not None:
        yield tied.fact(step.span, Phrase("order_from", (scene.say(step.start),)))
    else:
        yield tied.fact(step.span, Phrase("order_seats" if step.domain.type.kind == "player" else "order_members"))


def _order(chain: tuple[s.Criterion, ...], scene: Scene, tied: Scene) -> Iterator[Proposition]:
    """The criteria in order: all but the first are about those that are still tied."""
    for criterion in chain:
        here = scene.named(criterion)
        if here is not None and criterion.each is not None:
            name, domain = criterion.each
            parts = (here.say.variable(name, domain.type), here.say.domain(domain))
            yield here.fact(criterion.span, Phrase("order_each", parts))
            yield from _order(criterion.inner, here, here)
        elif here is not None and criterion.by is not None:
            phrase = Phrase(f"order_{_direction(criterion, criterion.by)}", (here.say(criterion.by),))
            yield here.fact(criterion.span, phrase)
        scene = tied


def of_rank(step: s.Rank, scene: Scene) -> Iterator[Proposition]:
    """Who wins the game, and what breaks ties."""
    yield scene.fact(step.span, Phrase("rank", (scene.say.variable(step.player, PLAYER),)))
    yield from _chain(step.chain, scene, True)
    yield scene.fact(step.span, Phrase(f"left_{step.left}"))
