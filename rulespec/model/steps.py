"""Steps and blocks: from nodes to the sealed model's steps."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rulespec.diagnostics import Span
from rulespec.document import Mapping as MapNode
from rulespec.document import Node, Scalar
from rulespec.model import spec as m
from rulespec.model.names import suggest
from rulespec.model.reader import Broken, Locals, Reader, entries, items, mapping, members, stand_in, text
from rulespec.model.typed import Cards, Domain, Range
from rulespec.model.types import BOOL, CARD, PLAYER, Type, integer

Signature = dict[str, Type | None]


class StepReader:
    """Reads the steps of one spec. `procedures` maps each procedure to its parameters, None for a broken one."""

    def __init__(self, reader: Reader, procedures: dict[str, Signature | None]) -> None:
        self.reader = reader
        self.procedures = procedures
        self.rules: dict[str, m.Rule] = {}
        self.calls: dict[str, list[tuple[str, Scalar]]] = {}
        self.inside = ""
        self.loops = 0

    def procedure(self, name: str, node: Node, parameters: Signature) -> m.Body:
        """The body of a procedure; its calls are remembered to find recursion."""
        self.inside = name
        self.calls[name] = []
        try:
            return self.body(node, parameters)
        finally:
            self.inside = ""

    def body(self, node: Node | None, scope: Locals) -> m.Body:
        """A list of steps, or one step; broken steps are left out, the schema has named them."""
        steps = []
        for item in items(node):
            try:
                steps.append(self.step(mapping(item), scope))
            except Broken:
                self.reader.names.broken = True
        return tuple(steps)

    def step(self, node: MapNode, scope: Locals) -> m.Step:
        common = self.common(node, scope)
        operation = next((key for key in OPERATIONS if node.get(key) is not None), None)
        if operation is None:
            return m.Note(**common)
        return OPERATIONS[operation](self, node, scope, common)

    def common(self, node: MapNode, scope: Locals, title: str = "") -> dict[str, Any]:
        """What every step has: its place, its rule id, and whether it is there at all."""
        only_if = self.reader.fixed(node.get("only_if"), scope, BOOL) if node.get("only_if") else None
        rule = ""
        if (id_node := node.get("id")) is not None:
            rule = text(id_node)
            note = text(node.get("note")) if node.get("note") else ""
            named = text(node.get("title")) if node.get("title") else title or rule
            self.declare(m.Rule(rule, named, note, node.span, only_if), id_node)
        return {"span": node.span, "rule": rule, "only_if": only_if}

    def declare(self, rule: m.Rule, node: Node) -> None:
        if rule.id in self.rules:
            line = self.reader.source.position(self.rules[rule.id].span.start).line
            self.reader.say("duplicate-id", f"the id `{rule.id}` is already used at line {line}", node, "Ids are public names: give each rule its own.")
        self.rules.setdefault(rule.id, rule)

    def binding(self, node: Node | None, scope: Locals) -> tuple[str, Domain, Locals]:
        """`{name: domain}`: the name, the domain, and the scope with the name in it."""
        pairs = list(entries(node))
        if len(pairs) != 1:
            raise Broken
        key, value = pairs[0]
        domain = self.reader.domain(value, scope)
        self.fresh(key, scope)
        return key.text, domain or stand_in(), {**scope, key.text: members(domain)}

    def fresh(self, key: Scalar, scope: Locals) -> None:
        names = self.reader.names
        taken = ((scope, "a variable"), (names.values, "a value"), (names.zones, "a zone"), (names.tables, "a table"), (names.answers, "a ruling"))
        what = next((kind for group, kind in taken if key.text in group), None)
        if what is not None:
            self.reader.say("name-taken", f"`{key.text}` is already {what}", key, "Choose another name.")


Parser = Callable[[StepReader, MapNode, Locals, dict[str, Any]], m.Step]


def _note(steps: StepReader, node: MapNode, scope: Locals, common: dict[str, Any]) -> m.Step:
    return m.Note(**common)


def _do(steps: StepReader, node: MapNode, scope: Locals, common: dict[str, Any]) -> m.Step:
    return m.Do(body=steps.body(node.get("do"), scope), **common)


def _if(steps: StepReader, node: MapNode, scope: Locals, common: dict[str, Any]) -> m.Step:
    condition = steps.reader.expr(node.get("if"), scope, BOOL)
    then, otherwise = steps.body(node.get("then"), scope), steps.body(node.get("else"), scope)
    return m.If(condition=condition, then=then, otherwise=otherwise, **common)


def _repeat(steps: StepReader, node: MapNode, scope: Locals, common: dict[str, Any]) -> m.Step:
    inner = mapping(node.get("repeat"))
    steps.loops += 1
    body = steps.body(inner.get("do"), scope)
    steps.loops -= 1
    while_, until = (steps.reader.condition(inner.get(key), scope) for key in ("while", "until"))
    at_most = steps.reader.number(inner.get("at_most"), scope) if inner.get("at_most") else None
    return m.Repeat(body=body, while_=while_, until=until, at_most=at_most, **common)


def _leave(steps: StepReader, node: MapNode, scope: Locals, common: dict[str, Any]) -> m.Step:
    if not steps.loops:
        steps.reader.say("nothing-to-leave", "there is no repeat around this step to leave", node)
    return m.Leave(**common)


def _each(steps: StepReader, node: MapNode, scope: Locals, common: dict[str, Any]) -> m.Step:
    variable, domain, inner = steps.binding(node.get("each"), scope)
    start, but = (steps.reader.expr(node.get(key), scope, domain.type) if node.get(key) else None for key in ("from", "but"))
    if start is not None and domain.type.kind != "player":
        steps.reader.say("wrong-from", "only players sit in a circle, so only they can be gone through `from` one of them", node.get("from") or node)
    return m.Each(variable=variable, domain=domain, start=start, but=but, body=steps.body(node.get("do"), inner), **common)


def _random(steps: StepReader, node: MapNode, scope: Locals, common: dict[str, Any]) -> m.Step:
    variable, domain, inner = steps.binding(node.get("random"), scope)
    if isinstance(domain, Cards):
        steps.reader.say("wrong-domain", "a card at random is taken with `move: {random: 1, …}`", node.get("random") or node)
        domain = stand_in()  # type: ignore[assignment]
    if isinstance(domain, Range) and domain.low.type.high > domain.high.type.low:
        steps.reader.say("empty-range", "this range can be empty, and nothing can be drawn from it", node.get("random") or node)
    assert not isinstance(domain, Cards)
    return m.Random(variable=variable, domain=domain, body=steps.body(node.get("do"), inner), **common)


def _choose(steps: StepReader, node: MapNode, scope: Locals, common: dict[str, Any]) -> m.Step:
    inner = mapping(node.get("choose"))
    by = steps.reader.expr(inner.get("by"), scope, PLAYER)
    options = tuple(_option(steps, mapping(item), scope) for item in items(inner.get("options")))
    none = text(inner.get("none")) if inner.get("none") else ""
    if none == "leave" and not steps.loops:
        steps.reader.say("nothing-to-leave", "there is no repeat around this choice to leave", inner.get("none") or node)
    return m.Choose(by=by, options=options, none=none, **common)


def _option(steps: StepReader, node: MapNode, scope: Locals) -> m.Option:
    common = steps.common(node, scope)
    picks: list[tuple[str, Domain]] = []
    inner = dict(scope)
    for key, value in entries(node.get("pick")):
        domain = steps.reader.domain(value, scope)
        steps.fresh(key, inner)
        picks.append((key.text, domain or stand_in()))
        inner[key.text] = members(domain)
    condition = steps.reader.condition(node.get("if"), inner)
    says = _says(steps, node, inner)
    return m.Option(says=says, picks=tuple(picks), condition=condition, body=steps.body(node.get("do"), inner), **common)


def _says(steps: StepReader, node: MapNode, scope: Locals) -> str:
    """The words of a choice; every `{name}` in them must be known there."""
    said = node.get("says")
    words = text(said) if said is not None else ""
    for piece in words.split("{")[1:]:
        name, closed, _ = piece.partition("}")
        if said is not None and (not closed or name not in scope):
            known = ", ".join(f"`{{{n}}}`" for n in scope) or "none"
            steps.reader.say("unknown-name", f"`{{{name}}}` is nothing that can be said here; known: {known}", said, suggest(name, list(scope)))
    return words


def _move(steps: StepReader, node: MapNode, scope: Locals, common: dict[str, Any]) -> m.Step:
    inner = mapping(node.get("move"))
    how = next((key for key in ("card", "top", "random", "every") if inner.get(key) is not None), None)
    if how is None:
        raise Broken
    source, target = steps.reader.zone(inner.get("from"), scope), steps.reader.zone(inner.get("to"), scope)
    amount, variable, where = None, "", None
    if how == "every":
        variable = text(inner.get(how))
        where = steps.reader.condition(inner.get("where"), {**scope, variable: CARD})
    elif how == "card":
        amount = steps.reader.expr(inner.get(how), scope, CARD)
    else:
        amount = steps.reader.number(inner.get(how), scope)
        if amount.type.low < 0:
            steps.reader.say("out-of-range", f"this can be {amount.type.low}; a number of cards is never below 0", inner.get(how) or node)
    return m.Move(how=how, amount=amount, variable=variable, where=where, source=source, target=target, **common)


def _shuffle(steps: StepReader, node: MapNode, scope: Locals, common: dict[str, Any]) -> m.Step:
    return m.Shuffle(zone=steps.reader.zone(node.get("shuffle"), scope), **common)


def _set(steps: StepReader, node: MapNode, scope: Locals, common: dict[str, Any]) -> m.Step:
    assignments = []
    for key, value in entries(node.get("set")):
        target = steps.reader.value(key, scope)
        wanted = target.type if target.name else None
        assignments.append(m.Set(target=target, value=steps.reader.expr(value, scope, wanted), span=Span(key.span.start, value.span.end)))
    return m.Do(body=tuple(assignments), **common)


def _run(steps: StepReader, node: MapNode, scope: Locals, common: dict[str, Any]) -> m.Step:
    called = node.get("run")
    name = text(called)
    assert isinstance(called, Scalar)
    if name not in steps.procedures:
        steps.reader.say("unknown-name", f"there is no procedure `{name}`", called, suggest(name, list(steps.procedures)))
        raise Broken
    steps.calls.setdefault(steps.inside, []).append((name, called))
    parameters = steps.procedures[name]
    if parameters is None:
        raise Broken
    given = {key.text: (key, value) for key, value in entries(node.get("with"))}
    for missing in [p for p in parameters if p not in given]:
        steps.reader.say("wrong-arguments", f"`{name}` also needs `{missing}`", called, "Give it under `with:`.")
    for extra in [p for p in given if p not in parameters]:
        steps.reader.say("wrong-arguments", f"`{name}` takes no `{extra}`", given[extra][0], suggest(extra, list(parameters)))
    arguments = tuple((p, steps.reader.expr(given[p][1], scope, t)) for p, t in parameters.items() if p in given)
    return m.Run(procedure=name, arguments=arguments, **common)


def _draft(steps: StepReader, node: MapNode, scope: Locals, common: dict[str, Any]) -> m.Step:
    inner, read = mapping(node.get("draft")), steps.reader
    by = read.expr(inner.get("by"), scope, PLAYER)
    source, look = read.zone(inner.get("from"), scope), read.zone(inner.get("look"), scope)
    draws = read.number(inner.get("draws"), scope)
    places = tuple(_place(steps, mapping(item), scope) for item in items(inner.get("places")))
    return m.Draft(by=by, source=source, look=look, draws=draws, places=places, **common)


def _place(steps: StepReader, node: MapNode, scope: Locals) -> m.Place:
    common = steps.common(node, scope)
    target, limit = steps.reader.zone(node.get("to"), scope), steps.reader.number(node.get("limit"), scope)
    then = steps.body(node.get("then"), {**scope, "card": CARD})
    title = text(node.get("title")) if node.get("title") else common["rule"]
    return m.Place(title=title, says=_says(steps, node, scope), target=target, face=text(node.get("face")), limit=limit, then=then, **common)


def _auction(steps: StepReader, node: MapNode, scope: Locals, common: dict[str, Any]) -> m.Step:
    inner, read = mapping(node.get("auction")), steps.reader
    bidder, _, bidding = steps.binding(inner.get("bidders"), scope)
    cap = read.fixed(inner.get("cap"), scope, None)
    won: Locals = {**scope, "winner": PLAYER, "price": integer(0, max(0, cap.type.high))}
    cannot_pay = mapping(inner.get("cannot_pay"))
    return m.Auction(
        lot=read.zone(inner.get("lot"), scope),
        bidder=bidder,
        eligible=read.condition(inner.get("if"), bidding),
        start=read.expr(inner.get("from"), scope, PLAYER),
        opening=read.number(inner.get("opening"), scope),
        increment=read.number(inner.get("raise"), scope),
        cap=cap,
        limit=read.number(inner.get("limit"), bidding),
        means=read.number(inner.get("means"), bidding),
        bid=_option(steps, mapping(inner.get("bid")), {**bidding, "amount": cap.type}),
        passing=_option(steps, mapping(inner.get("pass")), bidding),
        before=steps.body(inner.get("before"), scope),
        pays=steps.body(inner.get("pays"), won),
        takes=steps.body(inner.get("takes"), won),
        cannot_pay=(m.Do(body=steps.body(cannot_pay.get("do"), won), **steps.common(cannot_pay, won)),),
        again_from=read.expr(cannot_pay.get("from"), won, PLAYER),
        nobody=steps.body(inner.get("nobody"), scope),
        **common,
    )


def _decide(steps: StepReader, node: MapNode, scope: Locals, common: dict[str, Any]) -> m.Step:
    inner = mapping(node.get("decide"))
    rows = tuple(_row(steps, mapping(item), scope) for item in items(inner.get("rows")))
    otherwise = inner.get("otherwise")
    impossible = isinstance(otherwise, Scalar)
    rest = None if impossible else steps.body(otherwise, scope)
    return m.Decide(hit=text(inner.get("hit")), rows=rows, otherwise=rest, **common)


def _row(steps: StepReader, node: MapNode, scope: Locals) -> m.Row:
    common = steps.common(node, scope)
    return m.Row(when=steps.reader.expr(node.get("when"), scope, BOOL), body=steps.body(node.get("do"), scope), **common)


def _award(steps: StepReader, node: MapNode, scope: Locals, common: dict[str, Any]) -> m.Step:
    inner = mapping(node.get("award"))
    variable, domain, each = steps.binding(inner.get("each"), scope)
    player, _, both = steps.binding(inner.get("among"), each)
    return m.Award(
        variable=variable,
        domain=domain,
        player=player,
        eligible=steps.reader.condition(inner.get("if"), both),
        chain=_chain(steps, inner.get("by"), both),
        left=text(inner.get("left")),
        places=tuple(_prize(steps, mapping(item), each, both) for item in items(inner.get("places"))),
        **common,
    )


def _prize(steps: StepReader, node: MapNode, each: Locals, both: Locals) -> m.Prize:
    common = steps.common(node, each)
    gives = steps.reader.value(node.get("gives"), each)
    if gives.name and not gives.type.accepts(PLAYER.maybe()):
        steps.reader.say("type-mismatch", "a place is given by setting a value of type `player?`", node.get("gives") or node)
    worth = steps.reader.number(node.get("worth"), each) if node.get("worth") else None
    return m.Prize(title=text(node.get("title")), gives=gives, worth=worth, condition=steps.reader.condition(node.get("if"), both), **common)


def _chain(steps: StepReader, node: Node | None, scope: Locals) -> tuple[m.Criterion, ...]:
    return tuple(_criterion(steps, mapping(item), scope) for item in items(node))


def _criterion(steps: StepReader, node: MapNode, scope: Locals) -> m.Criterion:
    common = steps.common(node, scope)
    if node.get("each") is not None:
        variable, domain, inner = steps.binding(node.get("each"), scope)
        return m.Criterion(title="", each=(variable, domain), inner=_chain(steps, node.get("by"), inner), **common)
    key = "high" if node.get("high") is not None else "low"
    by = steps.reader.expr(node.get(key), scope)
    if by.type.kind not in ("int", "enum", "none"):
        steps.reader.say("type-mismatch", "players are ordered by a number or an enum", node.get(key) or node)
    title = text(node.get("title")) if node.get("title") else common["rule"]
    return m.Criterion(title=title, high=key == "high", by=by, **common)


def _rank(steps: StepReader, node: MapNode, scope: Locals, common: dict[str, Any]) -> m.Step:
    inner = mapping(node.get("rank"))
    player, _, both = steps.binding(inner.get("among"), scope)
    return m.Rank(player=player, chain=_chain(steps, inner.get("by"), both), left=text(inner.get("left")), **common)


# `each` and `random` have a `do` beside them, so they are looked for first.
OPERATIONS: dict[str, Parser] = {
    "each": _each,
    "random": _random,
    "do": _do,
    "if": _if,
    "repeat": _repeat,
    "leave": _leave,
    "choose": _choose,
    "move": _move,
    "shuffle": _shuffle,
    "set": _set,
    "run": _run,
    "draft": _draft,
    "auction": _auction,
    "decide": _decide,
    "award": _award,
    "rank": _rank,
    "note": _note,
}
