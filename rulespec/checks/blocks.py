"""Drafts and auctions: what their numbers and zones have to be."""

from __future__ import annotations

from collections.abc import Iterator

from rulespec.checks import locations, unparse
from rulespec.checks.assignments import Assignment, everything, spoken
from rulespec.diagnostics import Finding
from rulespec.model import spec as m
from rulespec.model.constants import Setting
from rulespec.model.typed import TExpr, constant


def drafts(spec: m.Spec) -> Iterator[Finding]:
    """Every drawn card finds a place, shows the face it should, and passes through the hands of its drawer."""
    for step in spec.steps():
        if isinstance(step, m.Draft):
            yield from _numbers(spec, step)
            yield from (found for place in step.places for found in _face(spec, place))
            yield from _look(spec, step)


def _numbers(spec: m.Spec, step: m.Draft) -> Iterator[Finding]:
    unsure = [(step, ("draft", "draws"))] if not constant(step.draws) else []
    unsure += [(place, ("limit",)) for place in step.places if not constant(place.limit)]  # type: ignore[misc]
    for where, path in unsure:
        message = f"How many cards {'are drawn' if where is step else 'go here'} must be known before the game begins."
        hint = "Use only `players`, rulings, tables and numbers."
        yield locations.report(spec, "not-constant", message, locations.of(spec, where, *path), hint)
    if not unsure:
        yield from _sum(spec, step)


def _sum(spec: m.Spec, step: m.Draft) -> Iterator[Finding]:
    """The first setting in which the places do not hold as many cards as are drawn."""
    mentioned = [step.draws, *(p.limit for p in step.places)]
    mentioned += [place.only_if for place in step.places if place.only_if is not None]
    for setting in everything(spec).settings(_with_presence(step, mentioned)) or []:
        room = sum(max(0, setting.value(p.limit)) for p in step.places if setting.present(p.only_if))
        draws = setting.value(step.draws)
        if setting.present(step.only_if) and room != draws:
            cards = f"{room} card{'s' * (room != 1)}"
            message = f"The places hold {cards}, but {draws} are drawn {spoken(setting, mentioned)}."
            place = locations.of(spec, step, "draft", "draws")
            yield locations.report(
                spec, "draft-does-not-add-up", message, place, "Change the limits or the number of draws."
            )
            return


def _with_presence(step: m.Step, mentioned: list[TExpr]) -> list[TExpr]:
    return [*mentioned, step.only_if] if step.only_if is not None else mentioned


def _face(spec: m.Spec, place: m.Place) -> Iterator[Finding]:
    zone = spec.zones[place.target.name]
    for setting in _ways_to_see(spec, zone):
        if (_seen_by(zone, setting) == "everybody") != (place.face == "up"):
            seen = "is not seen by everybody" if place.face == "up" else "is seen by everybody"
            message = f"A card cannot lie face {place.face} in `{zone.name}`, which {seen}."
            hint = f"Change the face, or who sees `{zone.name}`."
            yield locations.report(spec, "wrong-face", message, locations.of(spec, place, "face"), hint)
            return


def _ways_to_see(spec: m.Spec, zone: m.Zone) -> list[Setting]:
    return everything(spec).settings([zone.seen_if] if zone.seen_if is not None else []) or []


def _seen_by(zone: m.Zone, setting: Setting) -> str:
    return zone.seen_by if setting.present(zone.seen_if) else zone.or_seen_by


def _look(spec: m.Spec, step: m.Draft) -> Iterator[Finding]:
    zone, look = spec.zones[step.look.name], unparse.place(spec, step.look)
    seen = {_seen_by(zone, setting) for setting in _ways_to_see(spec, zone)}
    mine = zone.per is not None and step.look.index == step.by
    message = ""
    if step.look in (step.source, *(p.target for p in step.places)):
        message = f"Drawn cards are looked at in `{look}`, so they can neither come from there nor stay there."
    elif "nobody" in seen or ("owner" in seen and not mine):
        message = f"Drawn cards are looked at in `{look}`, which the player who draws does not always see."
    if message:
        hint = f"Use a zone that belongs to `{unparse.text(spec, step.by)}` and is seen by its owner."
        yield locations.report(spec, "wrong-look", message, locations.of(spec, step, "draft", "look"), hint)


def auctions(spec: m.Spec) -> Iterator[Finding]:
    """Somebody may bid at all."""
    for step in spec.steps():
        if isinstance(step, m.Auction):
            yield from _biddable(spec, step)


def _biddable(spec: m.Spec, step: m.Auction) -> Iterator[Finding]:
    for setting in everything(spec).settings(_with_presence(step, [step.cap])) or []:
        cap, opening = setting.value(step.cap), _least(step, setting)
        if setting.present(step.only_if) and cap < opening:
            message = f"Nobody can bid {spoken(setting, [step.cap])}: the highest bid is {cap}, the lowest {opening}."
            place = locations.of(spec, step, "auction", "cap")
            yield locations.report(spec, "auction-without-bids", message, place, "Raise `cap`.")
            return


def _least(step: m.Auction, setting: Setting) -> int:
    """The lowest first bid there can be."""
    assignment = Assignment(setting.spec, (setting.players,), setting.chosen)
    return max(assignment.least(step.opening), assignment.least(step.increment))
