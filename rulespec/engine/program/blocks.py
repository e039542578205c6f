"""Lowers the blocks to core instructions: draft, auction, secret, decide, award, rank."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from rulespec.engine.program import ir
from rulespec.engine.program.cards import make_room
from rulespec.engine.program.lower import Lowering, LowerStep
from rulespec.engine.program.operations import ABSENT, ONE, ZERO, Scope, choice, operation
from rulespec.engine.program.options import Offer
from rulespec.language.model import spec as m
from rulespec.language.model import typed as t
from rulespec.language.model.bounds import Bounds
from rulespec.language.model.types import LIMIT, PLAYER, integer


def draft(low: Lowering, step: m.Draft, scope: Scope) -> None:
    """Draws cards one by one into `look`; the player puts each in a place that has room."""
    by, drawn = ir.Register(low.allocate()), ir.Register(low.allocate())
    low.let(by.slot, low.expr(step.by, scope))
    low.let(drawn.slot, ZERO)
    places = [place for place in step.places if low.setting.present(place.only_if)]
    used = [ir.Register(low.allocate()) for _ in places]
    for register in used:
        low.let(register.slot, ZERO)
    source, look, card = low.zone(step.source, scope), low.zone(step.look, scope), ir.Register(low.allocate())
    top = low.here
    full = low.branch(operation("<", drawn, low.expr(step.draws, scope)))
    empty = low.branch(operation(">", ir.Size(source), ZERO))
    make_room(low, step.source, step.look, ONE, scope)
    low.emit(ir.Move(how="top", amount=ONE, slot=-1, where=None, source=source, target=look))
    low.let(drawn.slot, operation("+", drawn, ONE))
    options, targets = [], []
    for place, register in zip(places, used, strict=True):
        room = operation("<", register, low.expr(place.limit, scope))
        weight = low.weight(place, {**scope, "card": ir.Card(look)})
        options.append(low.numbered(place, place.says, (), room, weight=weight))
        targets.append(low.zone(place.target, scope))
    chooser = low.emit(ir.Choose(by=by, options=options, none=top))
    for place, option, register, target in zip(places, options, used, targets, strict=True):
        option.target = low.here
        with low.under(place.rule, {**scope, "card": card}):
            low.let(card.slot, ir.Card(look))
            make_room(low, step.look, place.target, ONE, scope)
            low.emit(ir.Move(how="card", amount=card, slot=-1, where=None, source=look, target=target))
            low.let(register.slot, operation("+", register, ONE))
            low.body(place.then, {**scope, "card": card})
        low.emit(ir.Jump(target=top))
    chooser.none = low.here
    low.land(full, empty)


def auction(low: Lowering, step: m.Auction, scope: Scope) -> None:
    """Bids rise round the table until at most one bidder is left. A winner who cannot pay is barred; bids restart."""
    players = low.players
    barred, out = low.allocate(players), low.allocate(players)
    turn, leader, high, bidding = (ir.Register(low.allocate()) for _ in range(4))
    winner, price = ir.Register(low.allocate()), ir.Register(low.allocate())
    for p in range(players):
        eligible = low.expr(step.eligible, {**scope, step.bidder: ir.Const(p)}) if step.eligible is not None else ONE
        low.let(barred + p, operation("not", eligible))
    low.body(step.before, scope)
    low.let(turn.slot, low.expr(step.start, scope))

    again = low.here
    for p in range(players):
        # A player who could not pay stays out of all further rounds.
        low.let(out + p, ir.Register(barred + p))
    low.let(leader.slot, ABSENT)
    low.let(high.slot, ZERO)
    low.let(bidding.slot, operation("-", ir.Const(players), _count(low, out)))

    loop = low.here
    anybody = low.branch(operation(">", bidding, ZERO))
    # The last bidder has won only with a bid: one who is left without any must still bid or pass.
    undecided = low.branch(operation("or", operation(">", bidding, ONE), operation("==", leader, ABSENT)))
    still_in = low.branch(operation("not", ir.Element(out, turn, players)))
    bid, passing, amount = _bid_or_pass(low, step, {**scope, step.bidder: turn}, leader, high)
    low.emit(ir.Choose(by=turn, options=[bid, passing]))
    bid.target = low.here
    with low.under(step.bid.rule, {**scope, step.bidder: turn}):
        low.let(high.slot, amount)
        low.let(leader.slot, turn)
    on = low.emit(ir.Jump())
    passing.target = low.here
    with low.under(step.passing.rule, {**scope, step.bidder: turn}):
        low.emit(ir.Let(base=out, index=turn, size=players, expression=ONE))
        low.let(bidding.slot, operation("-", bidding, ONE))
    low.land(still_in, on)
    low.let(turn.slot, low.around(turn, 1))
    low.emit(ir.Jump(target=loop))

    low.land(undecided)
    low.let(winner.slot, leader)
    low.let(price.slot, high)
    won = {**scope, "winner": winner, "price": price}
    means = low.expr(step.means, {**scope, step.bidder: winner})
    payable = low.branch(operation(">=", means, price))
    low.body(step.pays, won)
    low.body(step.takes, won)
    done = low.emit(ir.Jump())
    low.land(payable)
    low.emit(ir.Let(base=barred, index=winner, size=players, expression=ONE))
    low.body(step.cannot_pay, won)
    if step.again_from is not None:
        low.let(turn.slot, low.expr(step.again_from, won))
    low.emit(ir.Jump(target=again))
    low.land(anybody)
    low.body(step.nobody, scope)
    low.land(done)


def _bid_or_pass(
    low: Lowering, step: m.Auction, scope: Scope, leader: ir.Register, high: ir.Register
) -> tuple[ir.Option, ir.Option, ir.Register]:
    """The two options of a bidder, to bid and to pass, and the register of the bid."""
    cap = low.expr(step.cap, scope)
    assert isinstance(cap, ir.Const)
    opening, raised = low.expr(step.opening, scope), operation("+", high, low.expr(step.increment, scope))
    least = choice(operation("==", leader, ABSENT), opening, raised)
    most = operation("min", low.expr(step.limit, scope), cap)
    amount = ir.Register(low.allocate())
    highest = max(0, cap.value)
    pick = ir.Pick("amount", amount.slot, ir.Span(least, most, 0, highest), highest + 1, integer(0, highest))
    weight = low.weight(step.bid, {**scope, "amount": amount})
    bid = low.numbered(step.bid, step.bid.says, (pick,), None, weight=weight)
    passing = low.numbered(step.passing, step.passing.says, (), None, weight=low.weight(step.passing, scope))
    return bid, passing, amount


def secret(low: Lowering, step: m.Secret, scope: Scope) -> None:
    """All players choose before anything happens. Then their options run, in the order of the seats."""
    chosen = low.allocate(low.players)
    options = [o for o in step.options if low.setting.present(o.only_if)]
    scopes = [{**scope, step.player: ir.Const(p)} for p in range(low.players)]
    offers = [[low.offer(option, mine) for option in options] for mine in scopes]
    asked = [low.expr(step.eligible, mine) if step.eligible is not None else ONE for mine in scopes]
    shown = [tuple(one for offer in offers[p] for one in offer.options) for p in range(low.players)]
    askings = [ir.Asking(p, asked[p], shown[p], chosen + p) for p in range(low.players)]
    low.emit(ir.Secret(askings=tuple(askings)))
    for p in range(low.players):
        first = 0
        for option, offer in zip(options, offers[p], strict=True):
            unless = _revealed(low, offer, ir.Register(chosen + p), first)
            with low.under(option.rule, offer.scope):
                low.body(option.body, offer.scope)
            low.land(*unless)
            first += len(offer.options)
    low.body(step.then, scope)


def _revealed(low: Lowering, offer: Offer, chosen: ir.Expr, first: int) -> list[ir.Branch | None]:
    """Stores the sizes of the sets that a player picked; returns the branches for players who chose other options.
    The options of the offer are numbered from `first` on."""
    if len(offer.options) == 1:
        low.sized(offer.lengths[0])
        return [low.branch(operation("==", chosen, ir.Const(first)))]
    last = first + len(offer.options) - 1
    between = operation("<=", ir.Const(first), chosen), operation("<=", chosen, ir.Const(last))
    unless = [low.branch(condition) for condition in between]
    for number, lengths in enumerate(offer.lengths, first):
        other = low.branch(operation("==", chosen, ir.Const(number)))
        low.sized(lengths)
        low.land(other)
    return unless


_LONGEST = 16
"""The most rows of a decision table that are tried one after the other if they compare one thing with constants."""


def decide(low: Lowering, step: m.Decide, scope: Scope) -> None:
    """The first row that applies. With hit policy `unique`, the checks have proven that only one does."""
    rows = [row for row in step.rows if low.setting.present(row.only_if)]
    past: list[ir.Jump] = []
    # What many rows compare with a constant each, all of them different, so that their order does not matter
    whens = [row.when for row in rows if isinstance(row.when, t.Op) and row.when.operator == "=="]
    if len(rows) <= _LONGEST or len(whens) < len(rows):
        subject = None
    else:
        subjects, constants = {when.arguments[0] for when in whens}, {when.arguments[1] for when in whens}
        simple = len(subjects) == 1 and len(constants) == len(rows) and all(isinstance(c, t.Const) for c in constants)
        subject = subjects.pop() if simple else None
    compared = low.expr(subject, scope) if subject is not None else ZERO
    if isinstance(compared, ir.Const):
        on = _rows(low, rows, scope, past)
    else:
        _halves(low, sorted(rows, key=_constant), compared, scope, past)
        on = True
    if on:
        low.body(step.otherwise or (), scope)
    low.land(*past)


def _constant(row: m.DecisionRow) -> int:
    assert isinstance(row.when, t.Op) and isinstance(row.when.arguments[1], t.Const)
    return row.when.arguments[1].value


def _halves(low: Lowering, rows: Sequence[m.DecisionRow], compared: ir.Expr, scope: Scope, past: list[ir.Jump]) -> None:
    """Rows in the order of their constants, by halves: a thousand of them take ten comparisons and a few more."""
    if len(rows) <= _LONGEST:
        _rows(low, rows, scope, past)
        return
    middle = len(rows) // 2
    other = low.branch(operation("<", compared, ir.Const(_constant(rows[middle]))))
    _halves(low, rows[:middle], compared, scope, past)
    none = low.emit(ir.Jump())
    low.land(other)
    _halves(low, rows[middle:], compared, scope, past)
    low.land(none)


def _rows(low: Lowering, rows: Iterable[m.DecisionRow], scope: Scope, past: list[ir.Jump]) -> bool:
    """Rows one after the other. Adds the jumps from rows that apply to `past`; False if one always does."""
    for row in rows:
        when = low.expr(row.when, scope)
        if isinstance(when, ir.Const) and not when.value:
            continue
        unless = low.branch(when)
        with low.under(row.rule, scope):
            low.body(row.body, scope)
        if unless is None:
            return False
        past.append(low.emit(ir.Jump()))
        low.land(unless)
    return True


def award(low: Lowering, step: m.Award, scope: Scope) -> None:
    """Gives each place to the best of the players that are left, by the chain of criteria."""
    players = range(low.players)
    with low.loop(step.domain, scope) as subject:
        inner = {**scope, step.variable: subject}
        held = ir.Register(low.allocate())
        low.let(held.slot, subject)
        free = low.allocate(low.players)
        for p in players:
            mine = {**inner, step.player: ir.Const(p)}
            low.let(free + p, low.expr(step.eligible, mine) if step.eligible is not None else ONE)
        criteria = _criteria(low, step.chain, inner, step.player) + (_seats(low) if step.left == "seat" else ())
        for place in step.places:
            if low.setting.present(place.only_if):
                with low.under(place.rule, inner):
                    _place(low, step, place, inner, held, free, criteria)


def _place(
    low: Lowering, step: m.Award, place: m.Prize, inner: Scope, held: ir.Register, free: int, criteria: Criteria
) -> None:
    players = range(low.players)
    left = low.allocate(low.players)
    for p in players:
        allowed = low.expr(place.condition, {**inner, step.player: ir.Const(p)}) if place.condition is not None else ONE
        low.let(left + p, operation("and", ir.Register(free + p), allowed))
    entered = low.allocate(low.players)
    for p in players:
        low.let(entered + p, ir.Register(left + p))
    decided = _narrow(low, criteria, left)
    slot = low.temporary()
    standing = ir.Element(left, ir.Register(slot), low.players)
    first = ir.Fold("first", slot, ir.Items(tuple(players)), standing, None)
    one = operation("==", _count(low, left), ONE)
    winner = ir.Register(low.allocate())
    shared = step.left == "share"
    low.let(winner.slot, first if shared else choice(one, first, ABSENT))
    if shared:
        for p in players:
            _give(low, place, {**inner, step.player: ir.Const(p)}, ir.Register(left + p))
    else:
        _give(low, place, inner, winner)
    for p in players:
        # All who are left: the winner, or those whose tie leaves the place to nobody.
        low.let(free + p, operation("and", ir.Register(free + p), operation("not", ir.Register(left + p))))
    worth = low.expr(place.worth, inner) if place.worth is not None else None
    keys, about = tuple(key for key, _ in criteria), step.domain.type
    top = low.here
    low.emit(ir.Note(report=ir.Award(place.title, held.slot, about, keys, entered, winner.slot, decided.slot, worth)))
    if shared:
        # Once for each of them, so that a record of prizes names a player as their winner.
        later = operation("and", standing, operation(">", ir.Register(slot), winner))
        low.let(winner.slot, replace(first, condition=later))
        last = low.branch(operation("!=", winner, ABSENT))
        low.emit(ir.Jump(target=top))
        low.land(last)


def _give(low: Lowering, place: m.Prize, scope: Scope, what: ir.Expr) -> None:
    """Sets the value of a prize: to its winner, or for a player to whether they share it."""
    declared = low.spec.values[place.gives.name]
    base, index = low.address(declared, [low.expr(a, scope) for a in place.gives.arguments])
    low.emit(ir.Let(base=base, index=index, size=low.setting.cells(declared), expression=what, value=declared.name))


def rank(low: Lowering, step: m.Rank, scope: Scope) -> None:
    """The final order. Players tied in every criterion share a place, or the seats decide.

    A criterion is evaluated only while players are tied in all criteria before it.
    """
    criteria = _criteria(low, step.chain, scope, step.player) + (_seats(low) if step.left == "seat" else ())
    ranks, decided = _ranks(low, criteria, low.players)
    low.ranking = ir.Ranking(tuple(key for key, _ in criteria), ranks, decided)
    if step.returns is not None:
        base, type_ = low.allocate(low.players), Bounds(low.setting).type(step.returns, {step.player: PLAYER})
        for p in range(low.players):
            low.let(base + p, low.expr(step.returns, {**scope, step.player: ir.Const(p)}))
        total = low.setting.value(step.sum) if step.sum is not None else None
        low.ranking = replace(low.ranking, returns=base, bounds=(type_.low, type_.high), sum=total)
    low.emit(ir.Note(report=low.ranking))


def each(low: Lowering, step: m.Each, scope: Scope) -> None:
    """A loop. With a chain of criteria its elements are ranked first; the last criterion is their own order."""
    if not step.chain:
        low.each(step, scope)
        return
    elements = low.elements(step.domain.type)
    criteria = _criteria(low, step.chain, scope, step.variable, elements=elements)
    # Only a criterion that is a rule of its own is marked.
    named = [(replace(key, rule=-1) if key.rule == low.rule else key, values) for key, values in criteria]
    # The criterion that no elements are tied in: their order, once around from where the loop starts
    assert isinstance(step.domain, t.Members)
    size, extent = len(elements), low.setting.extent(step.domain.type)
    begin: ir.Expr = ZERO
    if (start := step.start or step.domain.start) is not None:
        begin = low.stored(low.position(elements, low.expr(start, scope), extent))
    places = (operation("%", operation("-", ir.Const(n + size), begin), ir.Const(size)) for n in range(size))
    own = ir.Key("", low.allocate(size), False, integer(0, size - 1), -1, (ir.Reads(),) * size)
    ranks, _ = _ranks(low, (*named, (own, tuple(places))), len(elements))
    low.each(step, scope, ranks)


def _ranks(low: Lowering, criteria: Criteria, players: int) -> tuple[int, int]:
    """Ranks players or other elements. Returns the first register of their ranks, and that of what decides."""
    every = ir.Items(tuple(range(players)))
    decided, before, ahead = ir.Register(low.allocate()), ir.Register(low.allocate()), low.allocate(players)
    ranks = low.allocate(players, 1)
    low.let(decided.slot, ABSENT)
    for p in range(players):
        low.let(ranks + p, ONE)
    done = []
    for number, criterion in enumerate(criteria):
        slot = low.temporary()
        rank_ = ir.Element(ranks, ir.Register(slot), players)
        if number:
            # The sum of the places is smaller while players share one.
            places = ir.Fold("sum", slot, every, None, rank_)
            done.append(low.branch(operation("<", places, ir.Const(players * (players + 1) // 2))))
        _evaluate(low, criterion)
        key = criterion[0]
        for p in range(players):
            tied = operation("==", rank_, ir.Register(ranks + p))
            theirs, mine = ir.Element(key.base, ir.Register(slot), players), ir.Register(key.base + p)
            better = operation("and", tied, operation(">" if key.high else "<", theirs, mine))
            low.let(ahead + p, ir.Fold("count", slot, every, better, None))
        first = ir.Fold("count", slot, every, operation("==", rank_, ONE), None)
        low.let(before.slot, first)
        for p in range(players):
            low.let(ranks + p, operation("+", ir.Register(ranks + p), ir.Register(ahead + p)))
        _decides(low, number, key, operation("<", first, before), decided)
    low.land(*done)
    return ranks, decided.slot


Criterion = tuple[ir.Key, tuple[ir.Expr, ...]]
Criteria = tuple[Criterion, ...]
"""The criteria of a chain, each with the expression of every player's value."""


def _evaluate(low: Lowering, criterion: Criterion) -> None:
    key, values = criterion
    for p, value in enumerate(values):
        low.let(key.base + p, value)


def _decides(low: Lowering, number: int, key: ir.Key, fewer: ir.Expr, decided: ir.Register) -> None:
    """Records the criterion that left fewer players tied. The first is no tie-break, so its rule is not marked."""
    unless = low.branch(fewer)
    low.let(decided.slot, ir.Const(number))
    if number and key.rule >= 0:
        low.emit(ir.Mark(rule=key.rule))
    low.land(unless)


def _seats(low: Lowering) -> Criteria:
    """The last criterion if seats break ties: the lower seat is better."""
    base, players = low.allocate(low.players), low.players
    key = ir.Key("seat", base, False, integer(1, players), low.rule, (ir.Reads(),) * players)
    return ((key, tuple(ir.Const(p + 1) for p in range(low.players))),)


def _noun(low: Lowering, criterion: m.Criterion) -> str:
    """What a criterion compares, in words: the title of its value, else its own."""
    by = criterion.by
    while isinstance(by, t.If) and t.constant(by.condition):
        by = by.then if low.setting.value(by.condition) else by.otherwise
    return (low.spec.values[by.name].title if isinstance(by, t.Value) else "") or criterion.title


def _criteria(
    low: Lowering,
    chain: tuple[m.Criterion, ...],
    scope: Scope,
    player: str,
    of: str = "",
    elements: Sequence[int] = (),
) -> Criteria:
    """Every criterion with its value for every player, or for other elements that `player` names. An absent value is
    the worst, whether high or low wins."""
    found: list[Criterion] = []
    elements = elements or range(low.players)
    for criterion in chain:
        if not low.setting.present(criterion.only_if):
            continue
        if criterion.each is not None:
            variable, domain = criterion.each
            members = low.domain(domain, scope)
            assert isinstance(members, ir.Items)
            for member in members.values:
                name, inner = low.spec.member(domain.type, member), {**scope, variable: ir.Const(member)}
                found += _criteria(low, criterion.inner, inner, player, name, elements)
            continue
        assert criterion.by is not None
        values, reads = [], []
        for p in elements:
            value = low.expr(criterion.by, {**scope, player: ir.Const(p)})
            reads.append(low.reads(value))
            # NONE is below all numbers, so where the highest wins it is the worst as it is.
            worst = criterion.by.type.optional and not criterion.high
            values.append(operation("??", value, ir.Const(LIMIT)) if worst else value)
        rule = low.rules.index(criterion.rule) if criterion.rule else low.rule
        base = low.allocate(len(elements))
        key = ir.Key(_noun(low, criterion), base, criterion.high, criterion.by.type, rule, tuple(reads), of)
        found.append((key, tuple(values)))
    return tuple(found)


def _narrow(low: Lowering, criteria: Criteria, left: int) -> ir.Register:
    """Keeps the best of the players in `left`, criterion by criterion. Returns the register of the deciding criterion.

    The first criterion is always evaluated, because the event reports it; the others only while players are tied.
    """
    decided, best, before = (ir.Register(low.allocate()) for _ in range(3))
    low.let(decided.slot, ABSENT)
    for criterion in criteria[:1]:
        _evaluate(low, criterion)
    done = []
    for number, criterion in enumerate(criteria):
        low.let(before.slot, _count(low, left))
        done.append(low.branch(operation(">", before, ONE)))
        if number:
            _evaluate(low, criterion)
        key, slot = criterion[0], low.temporary()
        standing = ir.Element(left, ir.Register(slot), low.players)
        value = ir.Element(key.base, ir.Register(slot), low.players)
        every = ir.Items(tuple(range(low.players)))
        low.let(best.slot, ir.Fold("max" if key.high else "min", slot, every, standing, value))
        for p in range(low.players):
            tied = operation("==", ir.Register(key.base + p), best)
            low.let(left + p, operation("and", ir.Register(left + p), tied))
        _decides(low, number, key, operation("<", _count(low, left), before), decided)
    low.land(*done)
    return decided


def _count(low: Lowering, flags: int) -> ir.Expr:
    slot = low.temporary()
    return ir.Fold(
        "count", slot, ir.Items(tuple(range(low.players))), ir.Element(flags, ir.Register(slot), low.players), None
    )


BLOCKS: Mapping[type[m.Step], LowerStep] = {
    m.Draft: draft,
    m.Auction: auction,
    m.Secret: secret,
    m.Decide: decide,
    m.Award: award,
    m.Rank: rank,
    m.Each: each,
}
