"""Checks that legal actions and the conditions of `seen_by` do not reveal what is hidden."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields
from itertools import product

from rulespec.base.diagnostics import Finding
from rulespec.base.messages import say
from rulespec.language.model import spec as m
from rulespec.language.model import typed as t
from rulespec.language.model.hiding import Storing, hidden_picks, hiding, shown, stored, target_of
from rulespec.language.model.sight import Sight
from rulespec.language.model.substitution import substitute
from rulespec.language.model.types import PLAYER
from rulespec.proofs.checks import locations
from rulespec.proofs.checks.assignments import everything
from rulespec.proofs.checks.effects import Conditions, placed
from rulespec.proofs.checks.implications import implied, negation
from rulespec.proofs.checks.trials import deciding
from rulespec.proofs.checks.viewers import Thing, Viewed, looked, meant, sight_of
from rulespec.proofs.checks.viewers import named as written

Passed = tuple[m.Show | m.Move, ...]
"""Steps before a choice that let its player know a zone they do not see."""

Facts = frozenset[t.TExpr]
"""Conditions that hold."""

_HINT = say("Move an unseen card with `move: {random: 1, from: …, to: …}`, or change `seen_by:` of the zone.")
_PICK_HINT = say("Let the player who picked it choose, or announce what is picked: `seen_by: everybody`.")
_CHANCE_HINT = say("Say who sees it: add `seen_by: {viewer: v, where: …}` or `seen_by: nobody` next to `random`.")
_SIGHT_HINT = say("Read only what the viewer sees: what has a title and `seen_by: everybody`, or is the viewer's own.")


def reads(spec: m.Spec) -> Iterator[Finding]:
    """Options whose picks or conditions read a zone that the player who chooses cannot see; each once."""
    reported: set[m.Step] = set()
    named, passed, guards = _named(spec), dict(_passed(spec)), _guards(spec)
    for step, where in placed(spec):
        if not isinstance(step, m.Choose | m.Secret):
            continue
        by = step.by if isinstance(step, m.Choose) else t.Local(PLAYER, step.player)
        for option in step.options:
            here = (*where, *_settled(option))
            around = named.get(step, {}), passed.get(step, ()), guards[option]
            if option not in reported and (found := _hidden(spec, option, by, here, *around)):
                reported.add(option)
                key, thing = found
                message = say(
                    "This reads hidden information: the player who chooses cannot see `{thing}`.", thing=thing
                )
                yield locations.report(spec, "looks-unseen", message, locations.of(spec, option, key), _HINT)


def picks(spec: m.Spec) -> Iterator[Finding]:
    """Options that read what another player has picked unseen right before."""
    named = _named(spec)
    for asked in (step for step in spec.steps() if isinstance(step, m.Choose)):
        for option in asked.options:
            others = [one for one in m.nested(option) if isinstance(one, m.Choose) and one.by != asked.by]
            hidden = _unseen_picks(spec, option) if others else frozenset()
            for inner in others if hidden else ():
                yield from _picked_unseen(spec, inner, hidden, named.get(inner, {}))


def _unseen_picks(spec: m.Spec, option: m.Option) -> frozenset[str]:
    """The picks that only the player who chooses sees. Not cards: those may have gone where all see them."""
    if option.seen_by == "everybody":
        return frozenset()
    public = (names for target, names in shown(spec, option.body) if spec.values[target.name].sight.public)
    cards = (name for name, of in option.picks if isinstance(of.of if isinstance(of, t.Sets) else of, t.Cards))
    return hidden_picks(spec, option).difference(cards, *public)


def _picked_unseen(
    spec: m.Spec, choose: m.Choose, hidden: frozenset[str], named: Mapping[str, t.TExpr]
) -> Iterator[Finding]:
    for option in choose.options:
        read: list[tuple[str, t.TExpr | t.Domain]] = [("pick", substitute(domain, named)) for _, domain in option.picks]
        read += [("if", substitute(option.condition, named))] if option.condition is not None else []
        for key, part in read:
            if found := next((n.name for n in t.walk(part) if isinstance(n, t.Local) and n.name in hidden), None):
                message = say(
                    "This reads hidden information: the player who chooses cannot see `{thing}`.", thing=found
                )
                yield locations.report(spec, "looks-unseen", message, locations.of(spec, option, key), _PICK_HINT)
                break


def _named(spec: m.Spec) -> dict[m.Step, dict[str, t.TExpr]]:
    """For every step inside a `let`, what the names stand for."""
    found: dict[m.Step, dict[str, t.TExpr]] = {}
    for let in spec.steps():
        if isinstance(let, m.Let):
            # Outer steps come first, so the names that the value uses are known.
            value = substitute(let.value, found.get(let, {}))
            for step in m.nested(let):
                found[step] = {**found.get(step, {}), let.variable: value}
    return found


def _passed(spec: m.Spec) -> Iterator[tuple[m.Step, Passed]]:
    """For every step, what has been shown or moved right before it: in the same bodies, and since the last shuffle."""
    for body in (spec.setup, spec.play, *(one.body for one in spec.procedures.values())):
        yield from _passed_in(body, ())


def _passed_in(body: m.Body, before: Passed) -> Iterator[tuple[m.Step, Passed]]:
    for step in body:
        yield step, before
        for item in fields(step):
            inner = getattr(step, item.name)
            if isinstance(inner, tuple):
                # What has been shown before a loop may have changed in its second round.
                known = () if isinstance(step, m.Each | m.Repeat) else before
                yield from _passed_in(tuple(one for one in inner if isinstance(one, m.Step)), known)
        if isinstance(step, m.Show | m.Move):
            before = (*_still(before, step), step)
        elif not isinstance(step, m.Choose | m.Note):
            before = ()


def _still(before: Passed, step: m.Show | m.Move) -> Passed:
    """What is still known of zones after a step: nothing of those that cards leave or enter."""
    if isinstance(step, m.Show):
        return before
    changed = {step.source.name, step.target.name}
    return tuple(one for one in before if changed.isdisjoint((one.source.name, _zone_of(one).name)))


def _zone_of(step: m.Show | m.Move) -> t.ZoneRef:
    """The zone that a step lets a player know."""
    return step.source if isinstance(step, m.Show) else step.target


def _told(spec: m.Spec, step: m.Show | m.Move, thing: Thing, by: t.TExpr) -> bool:
    """Whether a step has just shown the player what lies in a zone, or put there what the player sees."""
    if isinstance(step, m.Show):
        return step.source == thing and step.to in (None, by)
    if step.target != thing or step.at is not None:
        return False
    return all(Viewed(setting, step.source, by).seen for setting in everything(spec).settings([]) or [])


def _guards(spec: m.Spec) -> dict[m.Step, Facts]:
    """For every step, what conditions around it and its own say, in each run."""
    found: dict[m.Step, Facts] = {}
    for body in (spec.setup, spec.play):
        for step, facts in _guarded(spec, body, frozenset()):
            found[step] = found.get(step, facts) & facts
    return found


def _guarded(spec: m.Spec, body: m.Body, facts: Facts) -> Iterator[tuple[m.Step, Facts]]:
    for step in body:
        condition = step.when if isinstance(step, m.DecisionRow) else getattr(step, "condition", None)
        holds = facts.union(implied(condition)) if condition is not None else facts
        yield step, holds
        if isinstance(step, m.If):
            yield from _guarded(spec, step.then, holds)
            yield from _guarded(spec, step.otherwise, facts.union(implied(negation(step.condition))))
        elif isinstance(step, m.Run):
            given = {
                value.name: t.Local(value.type, name) for name, value in step.arguments if isinstance(value, t.Local)
            }
            inner = frozenset(substitute(fact, given) for fact in facts)
            yield from _guarded(spec, spec.procedures[step.procedure].body, inner)
        else:
            yield from _guarded(spec, m.inside(step), holds)


def _settled(option: m.Option) -> Iterator[t.TExpr]:
    """The constant conditions under which the option is legal."""
    for condition in (option.only_if, option.condition):
        yield from filter(t.constant, implied(condition) if condition is not None else ())


def _hidden(
    spec: m.Spec,
    option: m.Option,
    by: t.TExpr,
    around: Conditions,
    named: Mapping[str, t.TExpr],
    before: Passed,
    facts: Facts,
) -> tuple[str, str] | None:
    """The key of an option that reads what is hidden, and that as it is written; None if there is nothing."""
    condition = substitute(option.condition, named) if option.condition is not None else None
    picks = [(name, substitute(domain, named)) for name, domain in option.picks]
    tried = [substitute(part, named) for part in deciding(spec, option)]
    facts = frozenset(substitute(fact, named) for fact in facts)
    for key, thing in _read(spec, picks, condition, tried, by):
        if _unseen(spec, thing, by, around, facts) and not any(_told(spec, step, thing, by) for step in before):
            return key, written(spec, thing)
    return None


def _read(
    spec: m.Spec,
    picks: Sequence[tuple[str, t.Domain]],
    condition: t.TExpr | None,
    tried: Sequence[t.TExpr],
    by: t.TExpr,
) -> Iterator[tuple[str, Thing]]:
    """What the picks, the condition and the tried steps of an option read, each with its key; of players that are
    picked, what is read of the player who chooses, and of a neighbour."""
    players = {name: found for name, of in picks if (found := [*meant(name, of, condition, by)])}
    for who in product(*players.values()):
        named = dict(zip(players, who, strict=True))
        domains = [substitute(of, named) for _, of in picks]
        picked = [of.of if isinstance(of, t.Sets) else of for of in domains]
        yield from (("pick", domain.zone) for domain in picked if isinstance(domain, t.Cards))
        # What there is to pick, or how much of it, can follow from what is hidden as well.
        parts = [part for domain in domains for part in t.children(domain)]
        yield from (("pick", thing) for part in parts for thing in looked(spec, part, by))
        if condition is not None:
            yield from (("if", thing) for thing in looked(spec, substitute(condition, named), by))
        yield from (("if_after", thing) for part in tried for thing in looked(spec, substitute(part, named), by))


def _unseen(spec: m.Spec, thing: Thing, by: t.TExpr, around: Conditions, facts: Facts) -> bool:
    """Whether the player cannot see it in some setting, as far as constants show; or may not, if that depends on a
    condition on players which does not follow from facts."""
    condition = sight_of(spec, thing).condition
    mentioned = [*around, *([condition] if condition is not None else [])]
    for setting in everything(spec).settings(mentioned) or []:
        # A solo player may be asked to name a card drawn from the real deck, so nothing is hidden from them.
        if setting.players > 1 and all(map(setting.present, around)):
            if (seen := Viewed(setting, thing, by).seen) is False:
                return True
            cases = _cases(by, facts) if seen is None else ()
            if not all(Viewed(setting, thing, one).known_by(known) for one, known in cases):
                return True
    return False


def _cases(by: t.TExpr, facts: Facts) -> Iterator[tuple[t.TExpr, Facts]]:
    """Who a player may be, with what holds then."""
    if isinstance(by, t.If):
        yield from _cases(by.then, facts.union(implied(by.condition)))
        yield from _cases(by.otherwise, facts.union(implied(negation(by.condition))))
    else:
        yield by, facts


def conditions(spec: m.Spec) -> Iterator[Finding]:
    """Conditions of `seen_by` that read what the viewer may not see."""
    for name, zone in spec.zones.items():
        yield from _of_sight(spec, ("zones", name), zone.sight)
    for name, value in spec.values.items():
        yield from _of_sight(spec, ("values", name), value.sight)


def chance(spec: m.Spec) -> Iterator[Finding]:
    """What everybody sees drawn at random, and what goes into a value or zone that not everybody sees."""
    for step in spec.steps():
        if isinstance(step, m.Random) and step.seen_where is None:
            for target in hiding(spec, step.body, frozenset((step.variable,))):
                if not _hidden_too(spec, target):
                    message = say(
                        "Everybody sees `{variable}`, but not everybody sees `{target}`.",
                        variable=step.variable,
                        target=written(spec, target_of(target)),
                    )
                    yield locations.report(spec, "public-chance", message, locations.of(spec, step), _CHANCE_HINT)
                    break


def _hidden_too(spec: m.Spec, target: Storing) -> bool:
    """Whether what is stored also depends on something that not everybody sees."""
    read = (one for one in stored(target) if one is not None)
    return any(not sight_of(spec, thing).public for one in read for thing in looked(spec, one))


def _of_sight(spec: m.Spec, path: tuple[str, str], sight: Sight) -> Iterator[Finding]:
    viewers = sight.viewers
    if viewers.where is None:
        return
    for thing in looked(spec, viewers.where):
        if not _known(spec, thing, t.Local(PLAYER, viewers.viewer)):
            message = say(
                "This condition reads `{thing}`, which `{viewer}` may not see.",
                thing=written(spec, thing),
                viewer=viewers.viewer,
            )
            place = locations.at(spec, None, *path, "seen_by", "where")
            yield locations.report(spec, "sight-reads-unseen", message, place, _SIGHT_HINT)
            return


def _known(spec: m.Spec, thing: Thing, viewer: t.TExpr) -> bool:
    """Whether a player certainly knows it: it is shown, and they see it in every setting."""
    if isinstance(thing, t.Value) and not spec.values[thing.name].title:
        return False
    # Remembered positions are no events, so whoever looks on does not know how many are like the present one.
    if isinstance(thing, t.Value) and spec.values[thing.name].definition is not None:
        return False
    condition = sight_of(spec, thing).condition
    found = everything(spec).settings([condition] if condition is not None else []) or []
    return all(Viewed(setting, thing, viewer).seen for setting in found)
