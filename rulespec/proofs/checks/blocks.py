"""Checks of drafts, auctions and transfers: their numbers and zones, and amounts that change while tokens move."""

from __future__ import annotations

from collections.abc import Iterator

from rulespec.base.diagnostics import Finding
from rulespec.base.messages import NOTHING, counted, say
from rulespec.language.model import spec as m
from rulespec.language.model.constants import Setting
from rulespec.language.model.sight import PUBLIC
from rulespec.language.model.typed import Local, TExpr, Value, constant, walk
from rulespec.proofs.checks import locations, unparse
from rulespec.proofs.checks.assignments import Assignment, everything, spoken
from rulespec.proofs.checks.conditions import inline


def drafts(spec: m.Spec) -> Iterator[Finding]:
    """Drafts whose places do not hold the drawn cards, show the wrong face, or whose drawer cannot see the cards."""
    for step in spec.steps():
        if isinstance(step, m.Draft):
            yield from _numbers(spec, step)
            yield from (found for place in step.places for found in _face(spec, place))
            yield from _look(spec, step)


def _numbers(spec: m.Spec, step: m.Draft) -> Iterator[Finding]:
    unsure = [(step, ("draft", "draws"))] if not constant(step.draws) else []
    unsure += [(place, ("limit",)) for place in step.places if not constant(place.limit)]  # type: ignore[misc]
    for where, path in unsure:
        message = (
            say("The number of cards drawn is not known before the game begins.")
            if where is step
            else say("The number of cards placed here is not known before the game begins.")
        )
        hint = say("Use only `players`, rulings, tables and numbers.")
        yield locations.report(spec, "not-constant", message, locations.of(spec, where, *path), hint)
    if not unsure:
        yield from _sum(spec, step)


def _sum(spec: m.Spec, step: m.Draft) -> Iterator[Finding]:
    """The first setting in which the limits of the places do not add up to the number of draws."""
    mentioned = [step.draws, *(p.limit for p in step.places)]
    mentioned += [place.only_if for place in step.places if place.only_if is not None]
    for setting in everything(spec).settings(_with_presence(step, mentioned)) or []:
        room = sum(max(0, setting.value(p.limit)) for p in step.places if setting.present(p.only_if))
        draws = setting.value(step.draws)
        if setting.present(step.only_if) and room != draws:
            cards = counted("{number} card", "{number} cards", room)
            message = say(
                "The places hold {cards}, but {draws} are drawn, {setting}.",
                cards=cards,
                draws=draws,
                setting=spoken(setting, mentioned),
            )
            place = locations.of(spec, step, "draft", "draws")
            yield locations.report(
                spec, "draft-does-not-add-up", message, place, say("Change the limits or the number of draws.")
            )
            return


def _with_presence(step: m.Step, mentioned: list[TExpr]) -> list[TExpr]:
    return [*mentioned, step.only_if] if step.only_if is not None else mentioned


def _face(spec: m.Spec, place: m.Place) -> Iterator[Finding]:
    zone = spec.zones[place.target.name]
    for setting in _ways_to_see(spec, zone):
        if (zone.sight.under(setting) == PUBLIC) != (place.face == "up"):
            message = (
                say("This card lies face up, but its zone `{zone}` is not visible to everybody.", zone=zone.name)
                if place.face == "up"
                else say("This card lies face down, but its zone `{zone}` is visible to everybody.", zone=zone.name)
            )
            hint = say("Change `face:`, or `seen_by:` of `{zone}`.", zone=zone.name)
            yield locations.report(spec, "wrong-face", message, locations.of(spec, place, "face"), hint)
            return


def _ways_to_see(spec: m.Spec, zone: m.Zone) -> list[Setting]:
    condition = zone.sight.condition
    return everything(spec).settings([condition] if condition is not None else []) or []


def _look(spec: m.Spec, step: m.Draft) -> Iterator[Finding]:
    zone, look = spec.zones[step.look.name], unparse.place(spec, step.look)
    seen = {zone.sight.under(setting).group for setting in _ways_to_see(spec, zone)}
    mine = zone.owner(step.look.indices) == step.by
    message = NOTHING
    if step.look in (step.source, *(p.target for p in step.places)):
        message = say(
            "`{look}` is where drawn cards are looked at, so it cannot be the source or a place of the draft.",
            look=look,
        )
    elif seen & {"nobody", "others", "where"} or ("owner" in seen and not mine):
        message = say("The player who draws does not always see `{look}`, where drawn cards are looked at.", look=look)
    if message:
        hint = say("Use a zone of `{by}` that its owner sees.", by=unparse.text(spec, step.by))
        yield locations.report(spec, "wrong-look", message, locations.of(spec, step, "draft", "look"), hint)


def auctions(spec: m.Spec) -> Iterator[Finding]:
    """Auctions without a legal bid in some setting."""
    for step in spec.steps():
        if isinstance(step, m.Auction):
            yield from _biddable(spec, step)


def _biddable(spec: m.Spec, step: m.Auction) -> Iterator[Finding]:
    for setting in everything(spec).settings(_with_presence(step, [step.cap])) or []:
        cap, opening = setting.value(step.cap), _least(step, setting)
        if setting.present(step.only_if) and cap < opening:
            message = say(
                "No bid is possible {setting}: the cap is {cap}, the lowest bid {opening}.",
                setting=spoken(setting, [step.cap]),
                cap=cap,
                opening=opening,
            )
            place = locations.of(spec, step, "auction", "cap")
            yield locations.report(
                spec, "auction-without-bids", message, place, say("Raise `cap`, or lower `opening`.")
            )
            return


def _least(step: m.Auction, setting: Setting) -> int:
    """The lowest possible first bid; `raise` is added to bids, of which there is none yet."""
    return Assignment(setting.spec, (setting.players,), setting.chosen).least(step.opening)


def amounts(spec: m.Spec) -> Iterator[Finding]:
    """Amounts that the same transfer changes while it goes through the kinds of tokens."""
    for step in spec.steps():
        if not isinstance(step, m.Transfer) or step.domain is None:
            continue
        own = Local(step.source.type, step.variable)
        for place in sorted({*_changing(inline(step.amount, spec), step, spec, own)})[:1]:
            message = say("This depends on `{place}`, which changes while tokens of other kinds move.", place=place)
            hint = say("Read it before: put the step under `let`.")
            found = locations.of(spec, step, "transfer", "tokens")
            yield locations.report(spec, "amount-changes", message, found, hint)


def _changing(amount: TExpr, step: m.Transfer, spec: m.Spec, own: TExpr | None) -> Iterator[str]:
    """The places that an amount reads and the transfer changes before: all but those of its `own` kind."""
    changed = {place.name for place in step.changes()}
    for part in (part for part in walk(amount) if isinstance(part, Value)):
        definition = spec.values[part.name].definition
        if definition is not None:
            # Its variables may have the name of the kind.
            yield from _changing(definition, step, spec, None)
        elif part.name in changed and own not in part.arguments[-1:]:
            yield part.name
