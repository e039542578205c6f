"""Propositions of the core steps."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from rulespec.base.diagnostics import Span
from rulespec.language.model import step as s
from rulespec.language.model import typed as t
from rulespec.language.model.spec import Spec
from rulespec.language.model.typed import TExpr
from rulespec.language.model.types import CARD, PLAYER, Type
from rulespec.proofs.meaning import blocks
from rulespec.proofs.meaning.expressions import Wording
from rulespec.proofs.meaning.phrase import Phrase, Proposition, number
from rulespec.proofs.meaning.scene import Scene, face_of, of_option, verb_of


def of_body(body: s.Body, scene: Scene) -> Iterator[Proposition]:
    """The propositions of steps in order, those of rules inside them included."""
    for step in body:
        here = scene.named(step)
        if here is not None:
            yield from _STEPS[type(step)](step, here)


def _note(step: s.Note, scene: Scene) -> Iterator[Proposition]:
    yield from ()


def _do(step: s.Do, scene: Scene) -> Iterator[Proposition]:
    yield from scene.body(step.body)


def _if(step: s.If, scene: Scene) -> Iterator[Proposition]:
    for body, wanted in ((step.then, True), (step.otherwise, False)):
        inside = scene.where(step.condition, wanted)
        if inside is not None:
            yield from inside.body(body)


def _repeat(step: s.Repeat, scene: Scene) -> Iterator[Proposition]:
    say = scene.say
    head = () if step.while_ is None else (Phrase("repeat_while", (say(step.while_),)),)
    for act in head:
        yield scene.fact(step.span, act)
    yield from scene.inside(*head).body(step.body)
    until = say(step.until) if step.until is not None else Phrase("false")
    if until.constructor != "false":
        yield scene.fact(step.span, Phrase("repeat_until", (until,)))
    if step.at_most is not None and step.then is not None:
        yield scene.fact(step.span, Phrase("repeat_at_most", (say(step.at_most),)))
        yield from scene.under(Phrase("after_at_most", (say(step.at_most),))).body(step.then)
    elif step.while_ is None and until.constructor == "false":
        yield scene.fact(step.span, Phrase("repeat"))


def _leave(step: s.Leave, scene: Scene) -> Iterator[Proposition]:
    named = Phrase("leave_named", (Phrase("procedure", name=step.loop),))
    yield scene.fact(step.span, named if step.loop else Phrase("leave_loop"))


def _end(step: s.End, scene: Scene) -> Iterator[Proposition]:
    yield scene.fact(step.span, Phrase("end_play"))


def _each(step: s.Each, scene: Scene) -> Iterator[Proposition]:
    say = scene.say
    variable = say.variable(step.variable, step.domain.type)
    but = () if step.but is None else (say(step.but),)
    head = Phrase("each", (variable, say.domain(step.domain), *but))
    if isinstance(step.domain, t.Range) and say(step.domain.low) == number(1):
        head = Phrase("each_count", (variable, say(step.domain.high), *but))
    if step.start is not None:
        head = Phrase("each_from", (variable, say(step.start), *but))
    yield scene.fact(step.span, head)
    yield from scene.inside(head).body(step.body)


def _random(step: s.Random, scene: Scene) -> Iterator[Proposition]:
    say = scene.say
    parts = (say.variable(step.variable, step.domain.type), say.domain(step.domain))
    yield scene.fact(step.span, Phrase("pick_random", parts))
    if step.viewer and step.seen_where is not None:
        who = (say.variable(step.viewer, PLAYER), say(step.seen_where))
        yield scene.fact(step.span, Phrase("drawn_for_some", (parts[0], *who)))
    elif step.seen_where is not None:
        yield scene.fact(step.span, Phrase("drawn_for_none", parts[:1]))
    yield from scene.body(step.body)


def _let(step: s.Let, scene: Scene) -> Iterator[Proposition]:
    say = scene.say
    yield scene.fact(step.span, Phrase("let", (say.variable(step.variable, step.value.type), say(step.value))))
    yield from scene.body(step.body)


def _choose(step: s.Choose, scene: Scene) -> Iterator[Proposition]:
    by = scene.say(step.by)
    for option in step.options:
        yield from of_option(option, by, verb_of(step.options, scene), scene)
    if step.none in ("skip", "leave"):
        yield scene.fact(step.span, Phrase(f"unable_{step.none}", (by,)))


def _move(step: s.Move, scene: Scene) -> Iterator[Proposition]:
    say = scene.say
    face = () if scene.in_secret else face_of(scene.spec, step.target.name)
    return _of_cards("move", step, (say.zone(step.source), say.zone(step.target), *face), scene)


def _show(step: s.Show, scene: Scene) -> Iterator[Proposition]:
    say = scene.say
    viewers = Phrase("everybody") if step.to is None else say(step.to)
    return _of_cards("show", step, (say.zone(step.source), viewers), scene)


def _of_cards(verb: str, step: s.Move | s.Show, places: tuple[Phrase, ...], scene: Scene) -> Iterator[Proposition]:
    say = scene.say
    if step.how == "every":
        narrowed = step.where is not None and not say.decided(step.where)
        variable = say.variable(step.variable, CARD)
        parts = (variable, say(step.where), *places) if narrowed and step.where is not None else places
        yield scene.fact(step.span, Phrase(f"{verb}_matching" if narrowed else f"{verb}_all", parts))
        return
    assert step.amount is not None
    yield scene.fact(step.span, Phrase(f"{verb}_{step.how}", (say(step.amount), *places)))


def _shuffle(step: s.Shuffle, scene: Scene) -> Iterator[Proposition]:
    yield scene.fact(step.span, Phrase("shuffle", (scene.say.zone(step.zone),)))


def _set(step: s.Set, scene: Scene) -> Iterator[Proposition]:
    yield scene.fact(step.span, _changed(step, scene))


def _changed(step: s.Set, scene: Scene) -> Phrase:
    say = scene.say
    target = say.value(step.target.name, step.target.arguments)
    change = _change(step.target, step.value, say)
    if change is not None:
        return Phrase(change[0], (target, *change[1:]))
    value = say(step.value)
    named = {"true": "becomes_true", "false": "becomes_false", "nothing": "becomes_nothing"}.get(value.constructor)
    if named:
        return Phrase(named, (target,))
    return Phrase("becomes_if" if step.value.type.kind == "bool" else "becomes", (target, value))


def _change(target: t.Value, value: TExpr, say: Wording) -> tuple[Any, ...] | None:
    """A gain or a loss of the value itself: its constructor, the amount, and the limits if it has any."""
    if isinstance(value, t.Op) and value.operator == "clamp":
        inner = _change(target, value.arguments[0], say)
        return inner and (*inner, Phrase("limits", tuple(map(say, value.arguments[1:]))))
    if isinstance(value, t.Op) and value.operator in ("+", "-"):
        kept, by = value.arguments
        # The fallback says where counting begins if there is no value yet; it is a gain all the same.
        if isinstance(kept, t.Op) and kept.operator == "??":
            kept = kept.arguments[0]
        if kept == target:
            direction = _direction(value.operator, by.type)
            reverse = direction == "changes_by" and value.operator == "-"
            return (direction, Phrase("negative", (say(by),)) if reverse else say(by))
    return None


def _direction(operator: str, by: Type) -> str:
    """Whether adding or subtracting an amount makes a value greater, smaller, or either."""
    if by.low < 0 < by.high:
        return "changes_by"
    return "increase" if (operator == "+") == (by.low >= 0) else "decrease"


def _transfer(step: s.Transfer, scene: Scene) -> Iterator[Proposition]:
    say = scene.say
    ends = (say.place(step.source), say.place(step.target))
    kind = step.source.arguments[-1:] if scene.spec.values[step.source.name].kind is not None else ()
    act = Phrase("transfer", (say(step.amount), *ends, *map(say, kind)))
    if step.domain is not None:
        each = (say.variable(step.variable, step.domain.type), say.domain(step.domain))
        act = Phrase("transfer_each", (*each, say(step.amount), *ends))
    yield scene.fact(step.span, act)
    if step.jokers is not None:
        yield scene.fact(step.span, Phrase("jokers", tuple(map(say.place, step.jokers))))
    if step.short == "as_many":
        yield scene.fact(step.span, Phrase("too_few_move"))


def _connect(step: s.Connect, scene: Scene) -> Iterator[Proposition]:
    say = scene.say
    marked = say.value(step.target.name, step.target.arguments)
    variable = say.variable(step.variable, step.domain.type)
    parts = (marked, variable, say(step.start), say(step.through))
    if step.ahead is not None:
        ahead = (say.variable(step.ahead, step.near.type), say.domain(step.near))
        yield scene.fact(step.span, Phrase("connect_both", (*parts, *ahead)))
    else:
        yield scene.fact(step.span, Phrase("connect", parts))


def _run(step: s.Run, scene: Scene) -> Iterator[Proposition]:
    say = scene.say
    procedure = scene.spec.procedures[step.procedure]
    types = {index.name: index.type for index in procedure.parameters}
    arguments = (Phrase("argument", (say.variable(name, types[name]), say(value))) for name, value in step.arguments)
    # Its steps are stated once, by its own rule or as a definition (`rules.py`), not wherever it runs.
    named = Phrase("procedure", name=procedure.rule or procedure.name)
    yield scene.fact(step.span, Phrase("carry_out", (named, *arguments)))


def _effect(step: s.Effect, scene: Scene) -> Iterator[Proposition]:
    say, procedure = scene.say, scene.spec.procedures[step.procedure]
    (_, effect), *given = step.arguments
    member = say(_whose(effect, scene.spec))
    types = {index.name: index.type for index in procedure.parameters}
    arguments = (Phrase("argument", (say.variable(name, types[name]), say(value))) for name, value in given)
    if procedure.moment:
        moment = Phrase("procedure", name=procedure.name)
        yield scene.fact(step.span, Phrase("effect_when", (member, moment, *arguments)))
    else:
        yield scene.fact(step.span, Phrase("effect", (member, *arguments)))


def _whose(member: TExpr, spec: Spec) -> TExpr:
    """The card whose effect it is, if its cards have only one; else the member."""
    enums = {one.parameters[0].type for one in spec.procedures.values() if one.moment is not None}
    single = sum(type_.required() in enums for type_ in spec.deck.fields.values()) == 1
    return member.card if isinstance(member, t.CardField) and single else member


def _decide(step: s.Decide, scene: Scene) -> Iterator[Proposition]:
    """The rows in order; of the first that applies, each row but the first is an alternative to those before it."""
    for index, row in enumerate(step.rows):
        named = scene.named(row)
        if named is not None and isinstance(row, s.MemberEffect):
            yield from _of_member(row, named)
            continue
        inside = named and named.where(row.when)
        if inside is not None:
            before = step.hit == "first" and index > 0
            yield from _row(row.rule, row.body, inside.under(Phrase("otherwise")) if before else inside, row.span)
    if step.otherwise:
        yield from scene.under(Phrase("otherwise")).body(step.otherwise)


def _of_member(row: s.MemberEffect, scene: Scene) -> Iterator[Proposition]:
    """What a member does, by its own rule; the moment is said if the enum has several."""
    around = replace(scene, within=())
    yield from (around.fact(row.span, moment) for moment in scene.within)
    yield from _row(row.rule, row.body, scene, row.span)


def _row(rule: str, body: s.Body, scene: Scene, span: Span) -> Iterator[Proposition]:
    """What a row does; a row with a rule of its own but without acts says only when it applies."""
    found = list(scene.body(body))
    if rule and not any(one.rule == rule for one in found):
        yield scene.fact(span, Phrase("applies"))
    yield from found


_STEPS: Mapping[type, Callable[[Any, Scene], Iterator[Proposition]]] = {
    s.Note: _note,
    s.Do: _do,
    s.If: _if,
    s.Repeat: _repeat,
    s.Leave: _leave,
    s.End: _end,
    s.Each: _each,
    s.Random: _random,
    s.Let: _let,
    s.Choose: _choose,
    s.Move: _move,
    s.Show: _show,
    s.Shuffle: _shuffle,
    s.Set: _set,
    s.Transfer: _transfer,
    s.Connect: _connect,
    s.Run: _run,
    s.Effect: _effect,
    s.Decide: _decide,
    s.Draft: blocks.of_draft,
    s.Auction: blocks.of_auction,
    s.Secret: blocks.of_secret,
    s.Award: blocks.of_award,
    s.Rank: blocks.of_rank,
}
