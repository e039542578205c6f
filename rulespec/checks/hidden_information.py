"""Checks that legal actions do not reveal hidden cards."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from rulespec.checks import locations, unparse
from rulespec.checks.assignments import everything
from rulespec.checks.effects import Conditions, placed
from rulespec.checks.implications import implied, substitute
from rulespec.diagnostics import Finding
from rulespec.model import spec as m
from rulespec.model.constants import Setting
from rulespec.model.typed import (
    Cards,
    Const,
    Fold,
    Local,
    Op,
    Sets,
    TExpr,
    TopCard,
    Value,
    ZoneRef,
    children,
    constant,
    walk,
)
from rulespec.model.types import NONE, PLAYER

_HINT = "Move an unseen card with `move: {random: 1, from: …, to: …}`, or change `seen_by:` of the zone."


def reads(spec: m.Spec) -> Iterator[Finding]:
    """Options whose picks or conditions read a zone that the player who chooses cannot see; each once."""
    reported: set[m.Step] = set()
    named = _named(spec)
    for step, around in placed(spec):
        if not isinstance(step, m.Choose | m.Secret):
            continue
        by = step.by if isinstance(step, m.Choose) else Local(PLAYER, step.player)
        for option in step.options:
            here = (*around, *_settled(option))
            if option not in reported and (found := _hidden(spec, option, by, here, named.get(step, {}))):
                reported.add(option)
                key, zone = found
                message = f"This reads hidden information: the player who chooses cannot see `{zone}`."
                yield locations.report(spec, "looks-unseen", message, locations.of(spec, option, key), _HINT)


def _named(spec: m.Spec) -> dict[m.Step, dict[str, TExpr]]:
    """For every step inside a `let`, what the names stand for."""
    found: dict[m.Step, dict[str, TExpr]] = {}
    for let in spec.steps():
        if isinstance(let, m.Let):
            value = substitute(let.value, found.get(let, {}))
            for step in m.nested(let):
                found[step] = {**found.get(step, {}), let.variable: value}
    return found


def _settled(option: m.Option) -> Iterator[TExpr]:
    """The constant conditions under which the option is legal."""
    for condition in (option.only_if, option.condition):
        yield from filter(constant, implied(condition) if condition is not None else ())


def _hidden(
    spec: m.Spec, option: m.Option, by: TExpr, around: Conditions, named: Mapping[str, TExpr]
) -> tuple[str, str] | None:
    """The key of an option that reads a hidden zone, and the zone as it is written; None if there is none."""
    condition = substitute(option.condition, named) if option.condition is not None else None
    picked = [domain.of if isinstance(domain, Sets) else domain for _, domain in option.picks]
    seen = [("pick", domain.zone) for domain in picked if isinstance(domain, Cards)]
    seen += [("if", zone) for zone in _looked(spec, condition)] if condition is not None else []
    for key, zone in seen:
        if _unseen(spec, zone, by, around):
            return key, unparse.place(spec, zone)
    return None


def _looked(spec: m.Spec, node: TExpr) -> Iterator[ZoneRef]:
    """The zones whose cards an expression depends on, and not only on their number."""
    if isinstance(node, Value) and (definition := spec.values[node.name].definition) is not None:
        names = (index.name for index in spec.values[node.name].per)
        yield from _looked(spec, substitute(definition, dict(zip(names, node.arguments, strict=True))))
    elif isinstance(node, TopCard):
        yield node.zone
    elif isinstance(node, Fold) and isinstance(node.domain, Cards) and _tells_cards(node):
        yield node.domain.zone
    if not _asks_for_any(node):
        for child in children(node):
            yield from _looked(spec, child)


def _tells_cards(fold: Fold) -> bool:
    inner = [part for part in (fold.condition, fold.body) if part is not None]
    named = any(isinstance(n, Local) and n.name == fold.variable for part in inner for n in walk(part))
    return named or fold.function == "first"


def _asks_for_any(node: TExpr) -> bool:
    """Whether an expression only tests if a zone holds a card, which every player sees."""
    if not isinstance(node, Op) or node.operator not in ("==", "!="):
        return False
    return {type(a) for a in node.arguments} == {TopCard, Const} and any(
        isinstance(a, Const) and a.value == NONE for a in node.arguments
    )


def _unseen(spec: m.Spec, zone: ZoneRef, by: TExpr, around: Conditions) -> bool:
    """Whether the player cannot see the zone in some setting, as far as constants show."""
    declared = spec.zones[zone.name]
    mentioned = [*around, *([declared.seen_if] if declared.seen_if is not None else [])]
    for setting in everything(spec).settings(mentioned) or []:
        # A solo player may be asked to name a card drawn from the real deck, so nothing is hidden from them.
        if setting.players > 1 and all(map(setting.present, around)):
            seen_by = declared.seen_by if setting.present(declared.seen_if) else declared.or_seen_by
            if seen_by == "nobody" or (seen_by == "owner" and _another(setting, declared.owner(zone.indices), by)):
                return True
    return False


def _another(setting: Setting, owner: TExpr | None, by: TExpr) -> bool:
    """Whether two players are always different."""
    if owner is None or owner.type.kind != "player" or not (constant(owner) and constant(by)):
        return False
    return setting.value(owner) != setting.value(by)
