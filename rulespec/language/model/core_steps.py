"""Readers of the core steps: do, if, repeat, leave, end, each, random, let, choose, move, shuffle, set, run, note."""

from __future__ import annotations

import re
from dataclasses import replace

from rulespec.base.diagnostics import Span
from rulespec.base.messages import say
from rulespec.language.document import Mapping as MapNode
from rulespec.language.document import Node, Scalar
from rulespec.language.model import sights
from rulespec.language.model import spec as m
from rulespec.language.model.infer import Locals
from rulespec.language.model.names import suggest
from rulespec.language.model.narrowing import after
from rulespec.language.model.narrowing import known as narrowed
from rulespec.language.model.nodes import Broken, entries, items, mapping, scalar, text
from rulespec.language.model.reader import FAILED, NO_VALUE, NOWHERE, Reader
from rulespec.language.model.room import fits
from rulespec.language.model.steps import Common, Signature, StepReader, known
from rulespec.language.model.typed import Cards, Domain, Listed, Members, Range, TExpr, Value
from rulespec.language.model.types import BOOL, CARD, PLAYER, describe


def note(steps: StepReader, node: MapNode, scope: Locals, common: Common) -> m.Step:
    return m.Note(**common)


def do(steps: StepReader, node: MapNode, scope: Locals, common: Common) -> m.Step:
    return m.Do(body=steps.body(node.get("do"), scope), **common)


def if_(steps: StepReader, node: MapNode, scope: Locals, common: Common) -> m.Step:
    condition = steps.reader.expr(node.get("if"), scope, BOOL)
    facts = steps.reader.facts
    with steps.reader.given(narrowed(facts, condition)):
        then = steps.body(node.get("then"), scope)
    with steps.reader.given(narrowed(facts, condition, holds=False)):
        otherwise = steps.body(node.get("else"), scope)
    return m.If(condition=condition, then=then, otherwise=otherwise, **common)


_NAME = re.compile(r"[a-z][a-z0-9_]*")
_REPEAT = ("do", "while", "until", "at_most", "then")


def repeat(steps: StepReader, node: MapNode, scope: Locals, common: Common) -> m.Step:
    inner = mapping(node.get("repeat"))
    before = len(steps.called)
    while_ = steps.reader.condition(inner.get("while"), scope)
    facts = narrowed(steps.reader.facts, while_) if while_ is not None else steps.reader.facts
    with steps.inside_loop(common["rule"], repeats=True) as loop, steps.reader.given(facts):
        body = steps.body(inner.get("do"), scope)
    # Read without the facts of `while`: it is tested after the body, which may have changed what they are about.
    until = steps.reader.condition(inner.get("until"), scope)
    at_most = steps.reader.number(inner.get("at_most"), scope, 0) if inner.get("at_most") else None
    after = inner.get("then")
    then = None if isinstance(after, Scalar) and after.text == "error" else steps.body(after, scope)
    # An unknown key, which is not read here, may have been meant to end the repeat.
    understood = inner.get("do") is not None and all(key in _REPEAT for key, _ in inner.items())
    if understood and not loop.ends and while_ is None and until is None and (at_most is None or then is None):
        steps.unended.append((node.key("repeat") or node, [name for name, _, _ in steps.called[before:]]))
    return m.Repeat(body=body, while_=while_, until=until, at_most=at_most, then=then, **common)


def leave(steps: StepReader, node: MapNode, scope: Locals, common: Common) -> m.Step:
    named = scalar(node.get("leave"))
    if named.text == "repeat":
        steps.leave(node.key("leave") or node)
        return m.Leave(**common)
    steps.leave_named(named)
    return m.Leave(loop=named.text, **common)


def end(steps: StepReader, node: MapNode, scope: Locals, common: Common) -> m.Step:
    steps.end()
    return m.End(**common)


def each(steps: StepReader, node: MapNode, scope: Locals, common: Common) -> m.Step:
    variable, domain, inner = steps.binding(node.get("each"), scope)
    start, but = None, None
    if node.get("from") and domain is not None and not isinstance(domain, Members):
        message = say("`from` needs players or an enum to start within.")
        steps.reader.report("wrong-from", message, node.key("from") or node)
    elif node.get("from"):
        start = steps.reader.expr(node.get("from"), scope, domain.type if domain is not None else None)
    if node.get("but"):
        but = steps.reader.expr(node.get("but"), scope, domain.type if domain is not None else None)
    with steps.inside_loop(common["rule"]):
        body = steps.body(node.get("do"), inner)
    return m.Each(variable=variable, domain=known(domain), start=start, but=but, body=body, **common)


def random(steps: StepReader, node: MapNode, scope: Locals, common: Common) -> m.Step:
    variable, domain, inner = steps.binding(node.get("random"), scope)
    viewer, where = sights.of_draw(steps.reader, node.get("seen_by"), scope)
    body = steps.body(node.get("do"), inner)
    drawn = _drawn(steps, node, domain)
    return m.Random(variable=variable, domain=drawn, body=body, viewer=viewer, seen_where=where, **common)


def _drawn(steps: StepReader, node: MapNode, domain: Domain | None) -> Members | Range:
    place = next((value for _, value in entries(node.get("random"))), node)
    if isinstance(domain, Cards):
        hint = say("Move a random card: `move: {random: 1, from: …, to: …}`.")
        steps.reader.report("wrong-domain", say("`random` cannot draw a card."), place, hint)
    elif isinstance(domain, Listed):
        hint = say("Draw one of all with `{type}`, or a number, and go that many steps.", type=domain.type)
        steps.reader.report("wrong-domain", say("`random` cannot draw from a list of squares."), place, hint)
    elif isinstance(domain, Range) and domain.low.type.high > domain.high.type.low:
        steps.reader.report("empty-range", say("This range can be empty, but a draw needs at least one number."), place)
    return domain if isinstance(domain, Members | Range) else Members(PLAYER)


def let(steps: StepReader, node: MapNode, scope: Locals, common: Common) -> m.Step:
    """Several names in one step are steps inside each other: each value may use the names before it."""
    inner, named = scope, []
    for key, value in entries(node.get("let")):
        known = steps.reader.expr(value, inner)
        inner = {**inner, key.text: known.type if _nameable(steps, key, value, known, inner) else None}
        named.append((key, value, known))
    if not named:
        raise Broken
    body = steps.body(node.get("do"), inner)
    for key, value, known in reversed(named[1:]):
        body = (m.Let(variable=key.text, value=known, body=body, span=Span(key.span.start, value.span.end)),)
    key, _, known = named[0]
    return m.Let(variable=key.text, value=known, body=body, **common)


def _nameable(steps: StepReader, key: Scalar, value: Node, known: TExpr, scope: Locals) -> bool:
    """Whether the name is free, and the value one that a name can stand for."""
    if not steps.reader.local(key, scope) or known is FAILED:
        return False
    if known.type.kind not in ("card", "set", "several", "none"):
        return True
    what, hint = say("a card"), say("Move the card to a zone of its own, or go through the zone with `each`.")
    if known.type.kind == "set":
        what, hint = say("a set"), say("Ask for its members with `has`.")
    elif known.type.kind == "several":
        what, hint = say("a picked set"), say("Use the name under which it was picked.")
    elif known.type.kind == "none":
        what, hint = say("`none`"), say("Write `none` where it is used.")
    steps.reader.report("type-mismatch", say("`let` cannot name {what}.", what=what), value, hint)
    return False


def choose(steps: StepReader, node: MapNode, scope: Locals, common: Common) -> m.Step:
    inner = mapping(node.get("choose"))
    by = steps.reader.expr(inner.get("by"), scope, PLAYER)
    found = (steps.reader.attempt(steps.option, mapping(item), scope) for item in items(inner.get("options")))
    options = tuple(option for option in found if option is not None)
    none = text(inner.get("none")) if inner.get("none") else ""
    if none == "leave":
        steps.leave(inner.get("none") or node)
    seen_by = text(inner.get("seen_by")) if inner.get("seen_by") else ""
    return m.Choose(by=by, options=options, none=none, seen_by=seen_by, **common)


_MOVED = ("card", "cards", "top", "bottom", "random", "every")


def move(steps: StepReader, node: MapNode, scope: Locals, common: Common) -> m.Step:
    inner, read = mapping(node.get("move")), steps.reader
    how = next((key for key in _MOVED if inner.get(key) is not None), None)
    if how is None:
        raise Broken
    source, target = read.zone(inner.get("from"), scope), read.zone(inner.get("to"), scope)
    if source == target and source != NOWHERE:
        message = say("`from` and `to` name the same zone.")
        read.report("moves-nowhere", message, inner.get("to") or node, say("Name another zone, or delete the step."))
    amount, variable, where = None, "", None
    if how == "every":
        variable = text(inner.get(how))
        free = read.local(scalar(inner.get(how)), scope)
        where = read.condition(inner.get("where"), {**scope, variable: CARD if free else None})
    elif how == "cards":
        amount = _several(steps, scalar(inner.get(how)), scope)
    else:
        amount = _card_or_number(steps, how, inner.get(how), scope)
    step = m.Move(how=how, amount=amount, variable=variable, where=where, source=source, target=target, **common)
    # The interval of what failed means nothing, so it is not compared with the room in a zone.
    failed = FAILED in (amount, where) or NOWHERE in (source, target)
    return step if failed else replace(step, limited=not fits(step, read.names, read.facts))


def _card_or_number(steps: StepReader, how: str, node: Node | None, scope: Locals) -> TExpr:
    """The card of `card`, which may be absent, or a number of cards."""
    reader = steps.reader
    return reader.expr(node, scope, CARD.maybe()) if how == "card" else reader.number(node, scope, 0)


def _several(steps: StepReader, node: Scalar, scope: Locals) -> TExpr:
    """The name of a picked set of cards."""
    found = steps.reader.expr(node, scope)
    if found is FAILED or (found.type.of is not None and found.type.of.kind == "card"):
        return found
    hint = say("Move one card with `card:`, a number of cards with `top:` or `random:`, or all with `every:`.")
    steps.reader.report(
        "type-mismatch",
        say("This is {type}, but a picked set of cards is needed.", type=describe(found.type)),
        node,
        hint,
    )
    return FAILED


def show(steps: StepReader, node: MapNode, scope: Locals, common: Common) -> m.Step:
    inner, read = mapping(node.get("show")), steps.reader
    how = next((key for key in ("card", "top", "bottom", "every") if inner.get(key) is not None), None)
    if how is None:
        raise Broken
    source = read.zone(inner.get("from"), scope)
    everybody = scalar(inner.get("to")).text == "everybody"
    to = None if everybody else read.expr(inner.get("to"), scope, PLAYER)
    amount, variable, where = None, "", None
    if how == "every":
        variable = text(inner.get(how))
        free = read.local(scalar(inner.get(how)), scope)
        where = read.condition(inner.get("where"), {**scope, variable: CARD if free else None})
    else:
        amount = _card_or_number(steps, how, inner.get(how), scope)
    return m.Show(how=how, amount=amount, variable=variable, where=where, source=source, to=to, **common)


def shuffle(steps: StepReader, node: MapNode, scope: Locals, common: Common) -> m.Step:
    return m.Shuffle(zone=steps.reader.zone(node.get("shuffle"), scope), **common)


def set_(steps: StepReader, node: MapNode, scope: Locals, common: Common) -> m.Step:
    assignments = []
    for key, value in entries(node.get("set")):
        target = steps.reader.stored(key, scope)
        found, limited = _content(steps.reader, target, value, scope)
        span = Span(key.span.start, value.span.end)
        assignments.append(m.Set(target=target, value=found, limited=limited, span=span))
        # Values are set one after the other, so the next one is read without the facts that this one ends.
        steps.reader.facts = after(steps.reader.facts, assignments[-1:], steps.reader.names)
    return m.Do(body=tuple(assignments), **common)


def _content(reader: Reader, target: Value, node: Node, scope: Locals) -> tuple[TExpr, bool]:
    """What a value is set to, and whether that may be outside of the bounds of its type, which play must test."""
    if target is NO_VALUE:
        return reader.expr(node, scope), False
    shape, type_ = reader.names.values[target.name], target.type
    if shape is None or not shape.bounded or type_.kind != "int":
        return reader.expr(node, scope, type_), False
    found = reader.number(node, scope)
    # Only what is never within the bounds is a mistake; what may be outside of them is tested in play.
    if found is not FAILED and (found.type.high < type_.low or type_.high < found.type.low):
        return reader.expr(node, scope, type_), False  # reports it
    return found, found is not FAILED and not type_.low <= found.type.low <= found.type.high <= type_.high


def run(steps: StepReader, node: MapNode, scope: Locals, common: Common) -> m.Step:
    called = scalar(node.get("run"))
    # What cannot be a name is reported by the schema.
    if called.text not in steps.procedures and not _NAME.fullmatch(called.text):
        raise Broken
    if called.text not in steps.procedures:
        hint = suggest(called.text, steps.procedures) or say("Declare it under `procedures:`.")
        steps.reader.report("unknown-name", say("There is no procedure `{called}`.", called=called.text), called, hint)
    else:
        steps.call(called.text, called)
    given = arguments(steps, node, called, steps.procedures.get(called.text), called.text, scope)
    return m.Run(procedure=called.text, arguments=given, **common)


def arguments(
    steps: StepReader, node: MapNode, place: Scalar, parameters: Signature | None, called: str, scope: Locals
) -> tuple[tuple[str, TExpr], ...]:
    """The arguments under `with` of what is called; those that are missing are reported at a place."""
    given = list(entries(node.get("with")))
    if parameters is None:
        # The parameters of an unknown or broken procedure are not known; arguments are read for mistakes of their own.
        return tuple((key.text, steps.reader.expr(value, scope)) for key, value in given)
    # The schema has already reported a parameter that stands next to `with:` instead of under it.
    for missing in [p for p in parameters if p not in {key.text for key, _ in given} and node.key(p) is None]:
        message = say("`{called}` is called without its parameter `{missing}`.", called=called, missing=missing)
        steps.reader.report("wrong-arguments", message, place, say("Add `{missing}:` under `with:`.", missing=missing))
    for key, _ in given:
        if key.text not in parameters:
            hint = suggest(key.text, parameters)
            steps.reader.report(
                "wrong-arguments",
                say("`{called}` has no parameter `{key}`.", called=called, key=key.text),
                key,
                hint,
            )
    return tuple((key.text, steps.reader.expr(value, scope, parameters.get(key.text))) for key, value in given)
