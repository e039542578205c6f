"""Checks of the end of the game and of tie-breaks."""

from __future__ import annotations

from collections.abc import Iterator

from rulespec.base.diagnostics import Finding
from rulespec.base.messages import NOTHING, Message, say
from rulespec.language.model import spec as m
from rulespec.language.model.constants import Setting
from rulespec.language.model.substitution import substitute
from rulespec.language.model.typed import CardField, Cards, Fold, Local, Members, Op, TExpr, Value
from rulespec.language.model.types import NONE
from rulespec.proofs.checks import locations
from rulespec.proofs.checks.assignments import everything, spoken
from rulespec.proofs.checks.effects import Conditions, placed, reached
from rulespec.proofs.checks.implications import implied

Chain = tuple[m.Criterion, ...]


def ends(spec: m.Spec) -> Iterator[Finding]:
    """Games that do not end with exactly one ranking in every setting."""
    last = _last(spec, spec.play, ())
    final = {step: conditions for step, conditions in last if isinstance(step, m.Rank)}
    for step in spec.steps():
        if isinstance(step, m.Rank) and step not in final:
            message = say("The ranking is not the last step, but it ends the game.")
            hint = say("Move it to the end of `play:`, outside of any other step.")
            yield locations.report(spec, "not-last", message, locations.of(spec, step), hint)
    ranks = [s for s in spec.steps() if isinstance(s, m.Rank)]
    # A ranking in the wrong place is reported alone: to move it may be all that is missing.
    if not ranks or (len(ranks) == len(final) and not _always(spec, list(final.values()))):
        message = (
            say("The game does not always rank its players.") if ranks else say("The game never ranks its players.")
        )
        place = locations.at(spec, None, "play")
        yield locations.report(spec, "no-end", message, place, say("End `play:` with a `rank:` step."))


def early(spec: m.Spec) -> Iterator[Finding]:
    """Steps that end the play in the setup, or in an option of a secret choice."""
    for body in (spec.setup, *(step.options for step in spec.steps() if isinstance(step, m.Secret))):
        # A step of a procedure that runs several times is reported once.
        for step in dict.fromkeys(reached(spec, body)):
            if isinstance(step, m.End):
                message, hint = say("The setup cannot end the play."), say("Move this step to `play:`.")
                if body is not spec.setup:
                    message = say("A secret choice cannot end the play, because the other choices still take effect.")
                    hint = say("Put the `end: play` under `then:`.")
                yield locations.report(spec, "nothing-to-leave", message, locations.of(spec, step), hint)


def _last(spec: m.Spec, body: m.Body, conditions: Conditions) -> Iterator[tuple[m.Step, Conditions]]:
    """The steps that may be the last one, each with the conditions under which it is in the game."""
    for step in reversed(body):
        inner = (*conditions, step.only_if) if step.only_if is not None else conditions
        if isinstance(step, m.Do):
            yield from _last(spec, step.body, inner)
        elif isinstance(step, m.Run):
            yield from _last(spec, spec.procedures[step.procedure].body, inner)
        else:
            yield step, inner
        # Notes do nothing. A step that is not in every game may leave the one before it as the last.
        if step.only_if is None and not isinstance(step, m.Note):
            return


def _always(spec: m.Spec, ranks: list[Conditions]) -> bool:
    """Whether every setting has exactly one of the rankings."""
    settings = everything(spec).settings([c for conditions in ranks for c in conditions])
    return settings is None or all(_present(setting, ranks) == 1 for setting in settings)


def _present(setting: Setting, ranks: list[Conditions]) -> int:
    return sum(all(setting.present(c) for c in conditions) for conditions in ranks)


def ties(spec: m.Spec) -> Iterator[Finding]:
    """Criteria after one that decides every tie, and chains that may leave a tie although the place is then lost."""
    for step in spec.steps():
        if isinstance(step, m.Award | m.Rank | m.Each):
            yield from _domains(spec, step.chain)
            yield from _after_seats(spec, step)
        if isinstance(step, m.Award) and step.left == "nobody" and not _decides(spec, step):
            message = say("Players may still be tied after the last criterion; then the place is not given.")
            hint = say("To give the place in every case, add `low: seat_of(…)` as the last criterion.")
            yield locations.report(spec, "may-still-tie", message, locations.of(spec, step, "award", "by"), hint)


def _domains(spec: m.Spec, chain: Chain) -> Iterator[Finding]:
    for link in chain:
        if link.each is not None:
            domain = link.each[1]
            message, hint = NOTHING, say("Name an enum or `player`.")
            if not isinstance(domain, Members):
                message = say("`each` in a chain needs an enum or `player`.")
            elif domain.start is not None:
                message = say("`each` in a chain goes through the members in their order and takes no `from`.")
                hint = say("List the members of the enum in the order in which they are compared.")
            if message:
                yield locations.report(spec, "links-not-fixed", message, locations.of(spec, link, "each"), hint)
            yield from _domains(spec, link.inner)


def _links(chain: Chain, conditions: Conditions = ()) -> Iterator[tuple[m.Criterion, Conditions]]:
    """Every criterion in order, with the conditions under which it is in the game."""
    for link in chain:
        here = (*conditions, link.only_if) if link.only_if is not None else conditions
        if link.each is None:
            yield link, here
        yield from _links(link.inner, here)


def compared(spec: m.Spec) -> Iterator[Finding]:
    """Chains without a criterion in some setting."""
    reported: set[m.Step] = set()
    for step, around in placed(spec):
        if isinstance(step, m.Award | m.Rank) and step not in reported and (when := _bare(spec, step, around)):
            reported.add(step)
            message = say("This chain has no criterion {when}.", when=when)
            place = locations.of(spec, step, "award" if isinstance(step, m.Award) else "rank", "by")
            yield locations.report(
                spec, "nothing-compared", message, place, say("Remove the `only_if` of one criterion.")
            )


def _bare(spec: m.Spec, step: m.Award | m.Rank, around: Conditions) -> Message:
    """A setting, in words, in which a chain has no criterion; empty if there is none."""
    links = [conditions for _, conditions in _links(step.chain)]
    if () in links:
        return NOTHING
    mentioned = [*around, *(c for conditions in links for c in conditions)]
    settings = everything(spec).settings(mentioned)
    if settings is None:
        return say("under some rulings")
    bare = (s for s in settings if all(map(s.present, around)) and not _present(s, links))
    return next((spoken(setting, mentioned) for setting in bare), NOTHING)


def _after_seats(spec: m.Spec, step: m.Award | m.Rank | m.Each) -> Iterator[Finding]:
    """Criteria after the seats, which are never compared because two players never share a seat."""
    assignment, decided = everything(spec), False
    for link, conditions in _links(step.chain):
        if decided:
            message = say("This criterion is never compared: the seats before it decide every tie.")
            hint = say("Delete it, or move it before the seats.")
            place = locations.of(spec, link, "high" if link.high else "low")
            yield locations.report(spec, "never-reached", message, place, hint)
            return
        player = step.variable if isinstance(step, m.Each) else step.player
        decided = _by_seat(link, player) and all(assignment.known(c) for c in conditions)


def _by_seat(link: m.Criterion, player: str) -> bool:
    by = link.by
    return isinstance(by, Op) and by.operator == "seat_of" and _is_player(by.arguments[0], player)


def _is_player(node: TExpr | None, player: str) -> bool:
    return isinstance(node, Local) and node.name == player


def _decides(spec: m.Spec, step: m.Award) -> bool:
    """Whether in every setting some criterion decides every tie."""
    links = [
        (link, conditions)
        for link, conditions in _links(step.chain)
        if _by_seat(link, step.player) or (link.by is not None and _own_card(spec, link.by, step.player))
    ]
    settings = everything(spec).settings([c for _, conditions in links for c in conditions])
    return settings is None or all(any(all(map(s.present, cs)) for _, cs in links) for s in settings)


def _own_card(spec: m.Spec, by: TExpr, player: str) -> bool:
    """Whether this is an extreme of a field of the player's cards with different values on all cards of a group."""
    if isinstance(by, Value) and (definition := spec.values[by.name].definition) is not None:
        names = (index.name for index in spec.values[by.name].per)
        return _own_card(spec, substitute(definition, dict(zip(names, by.arguments, strict=True))), player)
    if not isinstance(by, Fold) or by.function not in ("min", "max") or not isinstance(by.domain, Cards):
        return False
    field, group = _field(by.body, by.variable), list(_group(by))
    owners = by.domain.zone.indices
    return bool(field) and len(owners) == 1 and _is_player(owners[0], player) and _distinct(spec, [field, *group])


def _field(node: TExpr | None, card: str) -> str:
    mine = isinstance(node, CardField) and isinstance(node.card, Local) and node.card.name == card
    return node.field if mine and isinstance(node, CardField) else ""


def _group(fold: Fold) -> Iterator[str]:
    """The fields with one value on all cards that the fold visits."""
    for fact in implied(fold.condition) if fold.condition is not None else ():
        if isinstance(fact, Op) and fact.operator == "==":
            yield from (name for a in fact.arguments if (name := _field(a, fold.variable)))


def _distinct(spec: m.Spec, names: list[str]) -> bool:
    columns = [spec.deck.column(name) for name in names]
    # A card without the field cannot be the extreme one.
    keys = [key for card in spec.deck.cards if (key := tuple(card[i] for i in columns))[0] != NONE]
    return len(set(keys)) == len(keys)
