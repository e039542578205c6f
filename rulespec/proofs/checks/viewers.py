"""What an expression reads of zones and values, and whether a player is known to see that."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TypeAlias

from rulespec.language.model import spec as m
from rulespec.language.model import typed as t
from rulespec.language.model.constants import Setting
from rulespec.language.model.folds import FOLDS, Gain
from rulespec.language.model.hiding import decisive, hidden_picks, reads, stored
from rulespec.language.model.sight import Sight
from rulespec.language.model.step import within
from rulespec.language.model.substitution import substitute, written_out
from rulespec.language.model.typed import Cards, Domain, Local, Sets, TExpr, Typed
from rulespec.language.model.types import NONE, PLAYER
from rulespec.proofs.checks import unparse
from rulespec.proofs.checks.implications import implied

Thing: TypeAlias = t.ZoneRef | t.Value
"""Something that not everybody may see: a zone, or a stored value."""


def looked(spec: m.Spec, node: t.TExpr, by: t.TExpr | None = None) -> Iterator[Thing]:
    """The zones whose cards an expression depends on, and not only on their number, and the stored values it reads.

    What it reads of each player in turn, it reads of the player `by` and of a neighbour: each may be hidden from `by`.
    """
    yield from _looked(spec, written_out(node), by)


def meant(name: str, domain: t.Domain, condition: t.TExpr | None, by: t.TExpr) -> Iterator[t.TExpr]:
    """Whom a variable that goes through all players stands for, besides others: the player `by`, and a neighbour.

    Not the one whom the condition leaves out. Nothing for variables of other domains.
    """
    if isinstance(domain, t.Members) and domain.type.kind == "player":
        asked = [one for one in implied(condition) if isinstance(one, t.Op)] if condition is not None else []
        about = {one.operator for one in asked if {*one.arguments} == {t.Local(PLAYER, name), by}}
        yield from () if "!=" in about else (by,)
        yield from () if "==" in about else (t.Seat(PLAYER, by, 1),)


def _looked(spec: m.Spec, node: t.TExpr, by: t.TExpr | None) -> Iterator[Thing]:
    if isinstance(node, t.Value):
        declared = spec.values[node.name]
        if declared.definition is None:
            yield node
        else:
            names = (index.name for index in declared.per)
            yield from looked(spec, substitute(declared.definition, dict(zip(names, node.arguments, strict=True))), by)
    elif isinstance(node, t.Repeated):
        yield t.Value(node.type, node.counter, ())
    elif isinstance(node, t.TopCard | t.NthCard):
        yield node.zone
    # A fold that names no card depends on their number alone, which everybody sees.
    elif isinstance(node, t.Fold) and isinstance(node.domain, t.Cards) and _names_cards(node):
        yield node.domain.zone
    if not _asks_for_any(node):
        for player in _players(node, by):
            for child in t.children(node):
                yield from _looked(spec, substitute(child, player), by)


def _players(node: t.TExpr, by: t.TExpr | None) -> Iterator[dict[str, t.TExpr]]:
    """What the variable of a fold stands for that goes through the players; nothing to replace in other nodes."""
    if not isinstance(node, t.Fold) or by is None:
        yield {}
        return
    found = [{node.variable: player} for player in meant(node.variable, node.domain, node.condition, by)]
    yield from found or [{}]


def _names_cards(fold: t.Fold) -> bool:
    inner = [part for part in (fold.condition, fold.body) if part is not None]
    named = any(isinstance(n, t.Local) and n.name == fold.variable for part in inner for n in t.walk(part))
    return named or FOLDS[fold.function].gain is Gain.ELEMENT


def _asks_for_any(node: t.TExpr) -> bool:
    """Whether an expression only tests if a zone holds a card, which every player sees."""
    if not isinstance(node, t.Op) or node.operator not in ("==", "!="):
        return False
    return {type(a) for a in node.arguments} in ({t.TopCard, t.Const}, {t.NthCard, t.Const}) and any(
        isinstance(a, t.Const) and a.value == NONE for a in node.arguments
    )


def named(spec: m.Spec, thing: Thing) -> str:
    """A zone or a value as it is written in a spec."""
    return unparse.place(spec, thing) if isinstance(thing, t.ZoneRef) else unparse.text(spec, thing)


def sight_of(spec: m.Spec, thing: Thing) -> Sight:
    """The declared sight of a zone or a value."""
    return spec.zones[thing.name].sight if isinstance(thing, t.ZoneRef) else spec.values[thing.name].sight


@dataclass(frozen=True)
class Viewed:
    """A zone or a value as one player looks at it under one setting."""

    setting: Setting
    thing: Thing
    player: t.TExpr

    @property
    def seen(self) -> bool | None:
        """Whether the player sees it; None if constants and equal expressions do not show that."""
        viewers = sight_of(self.setting.spec, self.thing).under(self.setting)
        if viewers.where is not None:
            asked = self._asked(viewers.viewer, viewers.where)
            return bool(self.setting.value(asked)) if t.constant(asked) else None
        if viewers.group in ("everybody", "nobody"):
            return viewers.group == "everybody"
        own = self._is_owner
        return None if own is None else own == (viewers.group == "owner")

    def known_by(self, facts: Collection[t.TExpr]) -> bool:
        """Whether the player sees it if these facts hold, or whoever sees it does not depend on the state."""
        viewers = sight_of(self.setting.spec, self.thing).under(self.setting)
        return viewers.where is None or _follows(self._asked(viewers.viewer, viewers.where), facts)

    def _asked(self, viewer: str, where: t.TExpr) -> t.TExpr:
        spec, name = self.setting.spec, self.thing.name
        zone = isinstance(self.thing, t.ZoneRef)
        names = spec.zones[name].names if zone else tuple(index.name for index in spec.values[name].per)
        return substitute(where, {**dict(zip(names, self._indices, strict=True)), viewer: self.player})

    @property
    def _indices(self) -> tuple[t.TExpr, ...]:
        return self.thing.indices if isinstance(self.thing, t.ZoneRef) else self.thing.arguments

    @property
    def _is_owner(self) -> bool | None:
        """Whether the player is the owner; None if that cannot be said."""
        spec = self.setting.spec
        zone, name = isinstance(self.thing, t.ZoneRef), self.thing.name
        own = m.owner_among(spec.zones[name].per if zone else [index.type for index in spec.values[name].per])
        if own is None or self._indices[own].type.kind != "player":
            return None
        (owner, steps), (player, more) = _seat(self._indices[own]), _seat(self.player)
        if t.constant(owner) and t.constant(player):
            steps, more = steps + self.setting.value(owner), more + self.setting.value(player)
        elif owner != player:
            return None
        # Steps to the left and to the right may lead around the table to the same seat.
        return (steps - more) % self.setting.players == 0


def _follows(condition: t.TExpr, facts: Collection[t.TExpr]) -> bool:
    """Whether a condition is one of some facts, an equality of equal parts, or made of such."""
    if condition in facts or not isinstance(condition, t.Op):
        return condition in facts
    if condition.operator in ("and", "or"):
        parts = (_follows(part, facts) for part in condition.arguments)
        return all(parts) if condition.operator == "and" else any(parts)
    first, *others = condition.arguments
    turned = replace(condition, arguments=condition.arguments[::-1])
    return condition.operator == "==" and (all(one == first for one in others) or turned in facts)


def _seat(player: t.TExpr) -> tuple[t.TExpr, int]:
    """A player, as a number of steps around the table from another expression."""
    if not isinstance(player, t.Seat):
        return player, 0
    around, steps = _seat(player.player)
    return around, steps + player.step


Names = frozenset[str]
_ASKING = (m.Choose, m.Secret, m.Draft, m.Auction, m.Option)
"""Steps at which all see that something is decided."""


def hidden_rules(spec: m.Spec) -> Names:
    """The rules inside conditions that read what not everybody sees."""
    found, before = _Found(), None
    while before != (before := found.known()):
        for body in (spec.setup, spec.play):
            _walk(spec, body, frozenset(), False, found)
        for one in spec.procedures.values():
            decided = one.name in found.called
            found.rules |= {one.rule} if decided and one.rule else set()
            _walk(spec, one.body, found.given[one.name], decided, found)
    return frozenset(found.rules)


def rules_inside(spec: m.Spec) -> Mapping[str, Names]:
    """By rule, itself and the rules that apply inside it, those of procedures included."""
    parts: list[tuple[str, m.Body]] = [(step.rule, (step,)) for step in spec.steps() if step.rule]
    parts += [(one.rule, one.body) for one in spec.procedures.values() if one.rule]
    return {rule: frozenset((rule, *_rules(spec, body, set()))) for rule, body in parts}


def _rules(spec: m.Spec, body: Iterable[m.Step], called: set[str]) -> Iterator[str]:
    for step in body:
        yield step.rule
        yield from _rules(spec, m.inside(step), called)
        if isinstance(step, m.Run) and step.procedure not in called:
            called.add(step.procedure)
            yield spec.procedures[step.procedure].rule
            yield from _rules(spec, spec.procedures[step.procedure].body, called)


class _Found:
    """What is known of a spec so far: its hidden rules, the untitled values that hidden things decide, the parameters
    of procedures that they do, and the procedures that only run if something hidden is so."""

    def __init__(self) -> None:
        self.rules, self.values, self.called = set[str](), set[str](), set[str]()
        self.given = defaultdict[str, Names](frozenset)

    def known(self) -> tuple[object, ...]:
        return {*self.rules}, {*self.values}, {*self.called}, {**self.given}


def _walk(spec: m.Spec, body: Iterable[m.Step], names: Names, decided: bool, found: _Found) -> None:
    """Goes through steps in which `names` stand for what is hidden; `decided` if something hidden decides on them."""
    for step in body:
        if decided and step.rule:
            found.rules.add(step.rule)
        carried = names | found.values
        if isinstance(step, m.Run):
            found.given[step.procedure] |= {name for name, value in step.arguments if _hidden(spec, value, carried)}
            found.called |= {step.procedure} if decided else set()
        if isinstance(step, m.Set | m.Connect) and not spec.values[step.target.name].title:
            parts = (*stored(step), *step.target.arguments)
            found.values |= {step.target.name for part in parts if decided or _hidden(spec, part, carried)}
        follows = _is_decided_unseen(spec, step, carried)
        depends = (follows and not isinstance(step, m.Let | m.Random)) or _left(spec, step, carried)
        _walk(spec, m.inside(step), names | {*_bound(spec, step, follows)}, decided or depends, found)


def _is_decided_unseen(spec: m.Spec, step: m.Step, names: Names) -> bool:
    """Whether something hidden decides on the variables of a step, or on the steps inside it."""
    return not isinstance(step, _ASKING) and any(_hidden(spec, part, names) for part in decisive(step))


def _left(spec: m.Spec, step: m.Step, names: Names) -> bool:
    """Whether something hidden decides when a loop is left."""
    leaves = isinstance(step, m.Each | m.Repeat) and any(isinstance(one, m.Leave) for one in m.nested(step))
    return leaves and any(_is_decided_unseen(spec, one, names) for one in m.nested(step) if not isinstance(one, m.Let))


def _bound(spec: m.Spec, step: m.Step, follows: bool) -> Iterator[str]:
    """The variables of a step that stand for what is hidden from some players."""
    if isinstance(step, m.Let | m.Random | m.Each):
        unseen = isinstance(step, m.Random) and step.seen_where is not None
        if follows or unseen or (isinstance(step, m.Each) and _closed(spec, step.domain)):
            yield step.variable
    elif isinstance(step, m.Option) and step.seen_by != "everybody":
        closed = any(_closed(spec, domain) for _, domain in step.picks)
        if closed or step.seen_by or hidden_picks(spec, step):
            opened = frozenset(_opened(spec, step.body))
            yield from (name for name, _ in step.picks if name not in opened)


def _opened(spec: m.Spec, body: m.Body) -> Iterator[str]:
    """The picked cards that certainly go where all see them."""
    for step in body:
        if isinstance(step, m.Do | m.Let):
            yield from _opened(spec, step.body)
        elif isinstance(step, m.Move) and isinstance(step.amount, Local) and not step.only_if:
            yield from (step.amount.name,) if spec.zones[step.target.name].sight.public else ()


def _closed(spec: m.Spec, domain: Domain) -> bool:
    """Whether not everybody sees the elements of a domain, which are cards."""
    of = domain.of if isinstance(domain, Sets) else domain
    return isinstance(of, Cards) and not spec.zones[of.zone.name].sight.public


def _hidden(spec: m.Spec, part: TExpr | Domain | m.Step | None, names: Names) -> bool:
    """Whether something reads what not everybody sees: what is named, or hidden zones and values."""
    if part is None:
        return False
    every = [part] if isinstance(part, Typed) else within(part, own=True)
    read = (thing for one in every if isinstance(one, Typed) for thing in looked(spec, one))  # type: ignore[arg-type]
    return reads(spec, part, names) or any(not sight_of(spec, thing).public for thing in read)
