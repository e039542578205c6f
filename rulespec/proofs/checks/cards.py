"""Checks of cards: their members are in play, a loop over them visits each once, only a stack has a known order."""

from __future__ import annotations

from collections.abc import Iterator

from rulespec.base.diagnostics import Finding, finding
from rulespec.base.messages import Message, say
from rulespec.language.model import spec as m
from rulespec.language.model.constants import Setting
from rulespec.language.model.typed import Cards, Local, NthCard, Part, ZoneRef, walk
from rulespec.language.model.types import NONE, Type, enum
from rulespec.proofs.checks import locations
from rulespec.proofs.checks.assignments import everything, spoken


def in_play(spec: m.Spec) -> Iterator[Finding]:
    """Rows of the manifest with a card of a member that is not in play; each row once."""
    enums = [name for name, declared in spec.enums.items() if declared.in_play is not None]
    conditions = [c for name in enums if (c := spec.enums[name].in_play) is not None]
    mentioned = conditions + ([spec.deck.leave_out] if spec.deck.leave_out is not None else [])
    reported: set[int] = set()
    for setting in (everything(spec).settings(mentioned) or []) if enums else ():
        for at, strange in _strangers(setting, {name: setting.in_play(name) for name in enums}):
            if at not in reported:
                reported.add(at)
                when = spoken(setting, mentioned)
                message = say(
                    "A card of {strange} is in the game {when}, but {strange} is not in play.",
                    strange=strange,
                    when=when,
                )
                hint = say("Add a condition on the card under `leave_out:`.")
                yield finding("card-out-of-play", message, spec.source, spec.deck.rows[at].span, hint)


def _strangers(setting: Setting, playing: dict[str, tuple[int, ...]]) -> Iterator[tuple[int, str]]:
    """Numbers of manifest rows, each with a member that is on one of its cards and not in play."""
    rows = [at for at, row in enumerate(setting.spec.deck.rows) for _ in row.cards]
    for card in setting.cards:
        strange = _strange(setting, card, playing)
        if strange:
            yield rows[card], strange


def _strange(setting: Setting, card: int, playing: dict[str, tuple[int, ...]]) -> str:
    """A member on a card that is not in play; empty if there is none."""
    deck = setting.spec.deck
    for type_, value in zip(deck.fields.values(), deck.cards[card], strict=True):
        if value != NONE and value not in playing.get(type_.name, (value,)):
            return setting.spec.member(type_, value)
    shown = (member for field in deck.per_member.values() for member in _valued(setting, card, field))
    return next((setting.spec.member(type_, at) for type_, at in shown if at not in playing.get(type_.name, (at,))), "")


def _valued(setting: Setting, card: int, field: m.PerMember) -> Iterator[tuple[Type, int]]:
    """The members for which a card has another value than those that a row need not write."""
    deck = setting.spec.deck
    for at, column in enumerate(field.columns if field.unwritten is not None else ()):
        if deck.cards[card][deck.column(column)] != field.unwritten:
            yield enum(field.enum), at


def each_its_own(spec: m.Spec) -> Iterator[Finding]:
    """Moves in a loop over the cards of a zone that take other cards out of it: one could be visited twice."""
    for step in spec.steps():
        if isinstance(step, m.Each) and isinstance(step.domain, Cards):
            for taking, flow in _flows(spec, step.body, set()):
                own = flow.one and isinstance(flow.card, Local) and flow.card.name == step.variable
                if flow.source.name == step.domain.zone.name and not own:
                    message = say(
                        "This takes cards out of `{source}` inside a loop over its cards.", source=flow.source.name
                    )
                    hint = say(
                        "Move only `{variable}` out of it, or move the cards to another zone before the loop.",
                        variable=step.variable,
                    )
                    yield locations.report(spec, "takes-others", message, locations.of(spec, taking), hint)


def _flows(spec: m.Spec, body: m.Body, run: set[str]) -> Iterator[tuple[m.Step, m.Flow]]:
    """Every flow of cards in a body and in the procedures it runs, with its step; not drafts, which were always let
    pass here: to refuse one is a change of the format."""
    for step in (inner for top in body for inner in m.nested(top)):
        yield from ((step, flow) for flow in step.flows() if not isinstance(step, m.Draft))
        if isinstance(step, m.Run) and step.procedure not in run:
            run.add(step.procedure)
            yield from _flows(spec, spec.procedures[step.procedure].body, run)


_HINT = say("Add `order: stack` to the zone, or choose the card: with `pick`, `random`, or `highest` and `lowest`.")


def unordered(spec: m.Spec) -> Iterator[Finding]:
    """Cards that are named by a place in a zone without an order that players know."""
    for step in spec.steps(core=False):
        for zone in _asked_by(step):
            if not spec.zones[zone.name].ordered:
                yield locations.report(spec, "no-order", _message(zone), locations.of(spec, step), _HINT)
                break
    for name, value in spec.values.items():
        for zone in _asked(value.definition) if value.definition is not None else ():
            if not spec.zones[zone.name].ordered:
                place = locations.at(spec, None, "values", name, "is")
                yield locations.report(spec, "no-order", _message(zone), place, _HINT)
                break


def _message(zone: ZoneRef) -> Message:
    return say(
        "The cards in `{zone}` have no order that players know, so they cannot be counted from an end.", zone=zone.name
    )


def _asked_by(step: m.Step) -> Iterator[ZoneRef]:
    """The zones in which a step counts cards from an end, without the steps inside it."""
    if isinstance(step, m.Move | m.Show) and step.how == "bottom":
        yield step.source
    if isinstance(step, m.Move) and step.at is not None:
        yield step.target
    for _, value in m.own_fields(step):
        for part in value if isinstance(value, tuple) else (value,):
            if isinstance(part, Part):
                yield from _asked(part)


def _asked(node: Part) -> Iterator[ZoneRef]:
    return (part.zone for part in walk(node) if isinstance(part, NthCard))  # type: ignore[arg-type]
