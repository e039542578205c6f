"""Readers of the blocks: draft, auction, secret, decide, award, rank."""

from __future__ import annotations

from rulespec.base.messages import say
from rulespec.language.document import Mapping as MapNode
from rulespec.language.document import Node, Scalar
from rulespec.language.model import spec as m
from rulespec.language.model.infer import Locals
from rulespec.language.model.narrowing import Facts
from rulespec.language.model.narrowing import known as narrowed
from rulespec.language.model.nodes import entries, items, mapping, scalar, text
from rulespec.language.model.reader import FAILED, NO_VALUE, type_of
from rulespec.language.model.steps import MOST_ACTIONS, Common, StepReader, known
from rulespec.language.model.typed import Domain, Fold, Local, Op, TExpr, Value
from rulespec.language.model.types import BOOL, CARD, PLAYER, Type, describe, integer


def draft(steps: StepReader, node: MapNode, scope: Locals, common: Common) -> m.Step:
    inner, read = mapping(node.get("draft")), steps.reader
    by = read.expr(inner.get("by"), scope, PLAYER)
    source, look = read.zone(inner.get("from"), scope), read.zone(inner.get("look"), scope)
    draws = read.number(inner.get("draws"), scope, 0)
    places = tuple(_place(steps, mapping(item), scope) for item in items(inner.get("places")))
    return m.Draft(by=by, source=source, look=look, draws=draws, places=places, **common)


def _place(steps: StepReader, node: MapNode, scope: Locals) -> m.Place:
    common = steps.common(node, scope)
    target, limit = steps.reader.zone(node.get("to"), scope), steps.reader.number(node.get("limit"), scope, 0)
    drawn = {**scope, "card": CARD}
    weight, then = steps.weight(node.get("weight"), drawn), steps.body(node.get("then"), drawn)
    says, face = steps.says(node, []), text(node.get("face"))
    title = text(node.get("title")) if node.get("title") else common["rule"]
    place = m.Place(title=title, says=says, target=target, face=face, limit=limit, then=then, **common)
    steps.weigh(place, weight)
    return place


def auction(steps: StepReader, node: MapNode, scope: Locals, common: Common) -> m.Step:
    inner, read = mapping(node.get("auction")), steps.reader
    place = node.key("auction") or node
    bidder, _, bidding = steps.binding(inner.get("bidders"), scope)
    cap = read.fixed(inner.get("cap"), scope, None)
    bid, price = _bids(steps, inner, type_of(cap))
    bidding_amount = steps.give(bidding, place, {"amount": bid})
    won = steps.give(scope, place, {"winner": PLAYER, "price": price})
    cannot_pay = mapping(inner.get("cannot_pay"))
    return m.Auction(
        lot=read.zone(inner.get("lot"), scope),
        bidder=bidder,
        eligible=read.condition(inner.get("if"), bidding),
        start=read.expr(inner.get("from"), scope, PLAYER),
        opening=read.number(inner.get("opening"), scope, 0),
        # With a raise of 0 the bidding might never end.
        increment=read.number(inner.get("raise"), scope, 1),
        cap=cap,
        limit=read.number(inner.get("limit"), bidding),
        means=read.number(inner.get("means"), bidding),
        bid=steps.option(mapping(inner.get("bid")), bidding_amount, ("amount",)),
        passing=steps.option(mapping(inner.get("pass")), bidding),
        before=steps.body(inner.get("before"), scope),
        pays=steps.body(inner.get("pays"), won),
        takes=steps.body(inner.get("takes"), won),
        # A step, because `cannot_pay` may have an id, and so be a rule.
        cannot_pay=(m.Do(body=steps.body(cannot_pay.get("do"), won), **steps.common(cannot_pay, won)),),
        again_from=read.expr(cannot_pay.get("from"), won, PLAYER),
        nobody=steps.body(inner.get("nobody"), scope),
        **common,
    )


def _bids(steps: StepReader, node: MapNode, cap: Type | None) -> tuple[Type | None, Type | None]:
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


def secret(steps: StepReader, node: MapNode, scope: Locals, common: Common) -> m.Step:
    inner = mapping(node.get("secret"))
    player, _, choosing = steps.binding(inner.get("who"), scope)
    with steps.inside_secret():
        found = [steps.reader.attempt(steps.option, mapping(item), choosing) for item in items(inner.get("options"))]
    return m.Secret(
        player=player,
        eligible=steps.reader.condition(inner.get("if"), choosing),
        options=tuple(option for option in found if option is not None),
        none=text(inner.get("none")) if inner.get("none") else "",
        then=steps.body(inner.get("then"), scope),
        **common,
    )


def decide(steps: StepReader, node: MapNode, scope: Locals, common: Common) -> m.Step:
    inner = mapping(node.get("decide"))
    hit, rest, rows = text(inner.get("hit")), steps.reader.facts, []
    for item in items(inner.get("rows")):
        row = steps.reader.attempt(_row, steps, item, scope, rest if hit == "first" else steps.reader.facts)
        rows += [row] if row is not None else []
        # A row that is not in every game excludes nothing.
        if row is not None and row.only_if is None:
            rest = narrowed(rest, row.when, holds=False)
    otherwise = inner.get("otherwise")
    with steps.reader.given(rest):
        last = None if isinstance(otherwise, Scalar) else steps.body(otherwise, scope)
    return m.Decide(hit=hit, rows=tuple(rows), otherwise=last, **common)


def _row(steps: StepReader, item: Node, scope: Locals, facts: Facts) -> m.DecisionRow:
    """A row; `facts` hold where no row before it applies. Its own condition does not rely on them, because the checker
    tries all rows on all contents."""
    node = mapping(item)
    common = steps.common(node, scope)
    when = steps.reader.expr(node.get("when"), scope, BOOL)
    with steps.assuming(common, narrowed(facts, when)):
        return m.DecisionRow(when=when, body=steps.body(node.get("do"), scope), **common)


def award(steps: StepReader, node: MapNode, scope: Locals, common: Common) -> m.Step:
    inner = mapping(node.get("award"))
    variable, domain, one = steps.binding(inner.get("each"), scope)
    _awarded(steps, inner.get("each"), domain)
    player, _, both = steps.binding(inner.get("among"), one)
    left = text(inner.get("left"))
    shared = player if left == "share" else ""
    return m.Award(
        variable=variable,
        domain=known(domain),
        player=player,
        eligible=steps.reader.condition(inner.get("if"), both),
        chain=criteria(steps, inner.get("by"), both),
        left=left,
        places=tuple(_prize(steps, mapping(item), one, both, shared) for item in items(inner.get("places"))),
        **common,
    )


def _awarded(steps: StepReader, node: Node | None, domain: Domain | None) -> None:
    """Reports an award over anything but an enum: results name what was awarded by its member."""
    if domain is not None and domain.type.kind != "enum":
        place = next(value for _, value in entries(node))
        hint = say("Name an enum. For a single prize, declare an enum with one member.")
        steps.reader.report("wrong-domain", say("An award needs an enum, one prize for each member."), place, hint)


def _prize(steps: StepReader, node: MapNode, one: Locals, both: Locals, shared: str) -> m.Prize:
    """A place of an award. `shared` is the name of a player if several can win it."""
    common, read = steps.common(node, one), steps.reader
    gives = read.stored(node.get("gives"), both if shared else one)
    if gives is not NO_VALUE and shared:
        _each_their_own(steps, node, gives, shared)
    elif gives is not NO_VALUE and not gives.type.accepts(PLAYER.maybe()):
        message = say("`gives` needs a value of type `player?`, not {type}.", type=describe(gives.type))
        hint = say("Declare `{gives}` with the type `player?`.", gives=gives.name)
        read.report("type-mismatch", message, scalar(node.get("gives")), hint)
    worth = read.number(node.get("worth"), one) if node.get("worth") else None
    title = text(node.get("title")) if node.get("title") else common["rule"] or gives.name
    condition = read.condition(node.get("if"), both)
    return m.Prize(title=title, gives=gives, worth=worth, condition=condition, **common)


def _each_their_own(steps: StepReader, node: MapNode, gives: Value, player: str) -> None:
    """Reports a value that cannot say of each player whether they share a place."""
    if gives.type == BOOL and Local(PLAYER, player) in gives.arguments:
        return
    message = say("With `left: share`, `gives` needs a truth value of each player.")
    hint = say(
        "Declare it with `per: […, player]` and `type: bool`, and write `{gives}[…, {p}]`.", gives=gives.name, p=player
    )
    steps.reader.report("type-mismatch", message, scalar(node.get("gives")), hint)


def criteria(steps: StepReader, node: Node | None, scope: Locals) -> tuple[m.Criterion, ...]:
    """The criteria of a chain of tie-breaks, in order."""
    found = (steps.reader.attempt(_criterion, steps, mapping(item), scope) for item in items(node))
    return tuple(criterion for criterion in found if criterion is not None)


def _criterion(steps: StepReader, node: MapNode, scope: Locals) -> m.Criterion:
    common = steps.common(node, scope)
    if node.get("each") is not None:
        variable, domain, inner = steps.binding(node.get("each"), scope)
        chain = criteria(steps, node.get("by"), inner)
        return m.Criterion(title="", each=(variable, known(domain)), inner=chain, **common)
    key = "high" if node.get("high") is not None else "low"
    by = steps.reader.expr(node.get(key), scope)
    if by is not FAILED and by.type.kind not in ("int", "enum"):
        message = say("A criterion compares numbers or members of an enum, not {type}.", type=describe(by.type))
        hint = say("Write a number, such as `… ? 1 : 0` for a condition.")
        steps.reader.report("type-mismatch", message, scalar(node.get(key)), hint)
    title = text(node.get("title")) if node.get("title") else common["rule"]
    return m.Criterion(title=title, high=key == "high", by=by, **common)


def rank(steps: StepReader, node: MapNode, scope: Locals, common: Common) -> m.Step:
    inner = mapping(node.get("rank"))
    player, domain, both = steps.binding(inner.get("among"), scope)
    chain = criteria(steps, inner.get("by"), both)
    returns = steps.reader.number(inner.get("returns"), both) if inner.get("returns") else None
    sum_ = steps.reader.fixed(inner.get("sum"), {}, None) if inner.get("sum") else None
    if returns is not None and sum_ is not None and FAILED not in (returns, sum_):
        every = _sum_over(player, known(domain), returns, steps.reader.names.players or range(1))
        _adds_up(steps, common["rule"], every, sum_, scalar(inner.get("sum")))
    return m.Rank(player=player, chain=chain, left=text(inner.get("left")), returns=returns, sum=sum_, **common)


def _sum_over(player: str, domain: Domain, each: TExpr, players: range) -> TExpr:
    low, high = min(n * each.type.low for n in players), max(n * each.type.high for n in players)
    return Fold(integer(low, high), "sum", player, domain, None, each)


def _adds_up(steps: StepReader, rule: str, every: TExpr, wanted: TExpr, place: Scalar) -> None:
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
    steps.invariants.append(m.Invariant(id_, Op(BOOL, "==", (every, wanted)), "end", place.span))
