"""Compares two versions of a spec: the changes of the game, matched by id, without those of order and layout."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from rulespec.language.model import spec as m
from rulespec.language.model import typed as t
from rulespec.language.model.spec import Spec, field_of
from rulespec.language.model.substitution import substitute
from rulespec.language.model.types import Type
from rulespec.proofs.meaning.canonical import Name
from rulespec.proofs.meaning.digest import remainder_rule
from rulespec.proofs.meaning.rules import propositions
from rulespec.versions.changes.both import Both, written
from rulespec.versions.changes.cards import card_changes, cards, title
from rulespec.versions.changes.change import DECLARED, Change, Impact, Side, as_written, came_or_went, declared, renamed
from rulespec.versions.changes.effects import Effects
from rulespec.versions.changes.proofs import Example
from rulespec.versions.changes.renames import Renames
from rulespec.versions.changes.rules import only, pairs, rule_changes, ruling_changes, through
from rulespec.versions.changes.settled import settled

_Renamed = Mapping[str, Mapping[str, str]]
"""The old name of each parameter by its new one, for each procedure."""


def with_old_parameters(old: m.Spec, new: m.Spec, names: Renames) -> m.Spec:
    """The new version, in which parameters that only have another name have their old one."""
    renamed = {name: found for name, one in new.procedures.items() if (found := _renamed(old, one, names))}
    if not renamed:
        return new
    bodies = {name: _rebuilt(getattr(new, name), {}, renamed) for name in ("setup", "play")}
    procedures = {name: _procedure(one, renamed) for name, one in new.procedures.items()}
    return replace(new, procedures=procedures, **bodies)


def _renamed(old: m.Spec, now: m.Procedure, names: Renames) -> Mapping[str, str]:
    """The old names of the parameters of a procedure: of those in one version only, the first of the same type."""
    was = next((one for one in old.procedures.values() if _is(one, now, names)), None)
    if was is None:
        return {}
    gone, added = _but(was.parameters, now.parameters), _but(now.parameters, was.parameters)
    found: dict[str, str] = {}
    for one in gone:
        same = (other.name for other in added if other.type == _type(one, names) and other.name not in found)
        found |= {name: one.name for name in [next(same, "")]}
    whole = len(gone) == len(added) == len(found) and "" not in found
    return found if whole and not set(_bound(now.body)) & {*found, *found.values()} else {}


def _type(one: m.Index, names: Renames) -> Type:
    """The type of a parameter of the old version in the new one."""
    return replace(one.type, name=names.of(("enum", one.type.name))[1])


def _is(was: m.Procedure, now: m.Procedure, names: Renames) -> bool:
    if was.rule or now.rule:
        return bool(was.rule and names.of(("rule", was.rule))[1] == now.rule)
    return names.of(("procedure", was.name))[1] == now.name


def _but(some: tuple[m.Index, ...], others: tuple[m.Index, ...]) -> list[m.Index]:
    known = {one.name for one in others}
    return [one for one in some if one.name not in known]


def _bound(body: m.Body) -> Iterator[str]:
    """The variables that steps and expressions bind."""
    for step in (inner for one in body for inner in m.nested(one)):
        yield from (name for name, _ in step.binds())
        yield from _in_expressions([value for _, value in m.own_fields(step)])


def _in_expressions(value: Any) -> Iterator[str]:
    """The variables that expressions bind, in a value of a step."""
    for one in value if isinstance(value, tuple | list) else (value,):
        if isinstance(one, tuple):
            yield from _in_expressions(one)
        elif isinstance(one, t.Part):
            yield from (part.variable for part in t.walk(one) if isinstance(part, t.Fold | t.Let))  # type: ignore[arg-type]


def _procedure(one: m.Procedure, renamed: _Renamed) -> m.Procedure:
    known = renamed.get(one.name, {})
    types = {index.name: index.type for index in one.parameters}
    scope = {new: t.Local(types[new], was) for new, was in known.items()}
    parameters = tuple(replace(index, name=known.get(index.name, index.name)) for index in one.parameters)
    return replace(one, parameters=parameters, body=_rebuilt(one.body, scope, renamed))


def _rebuilt(value: Any, scope: Mapping[str, t.TExpr], renamed: _Renamed) -> Any:
    """A step, or a field of one, with the old names."""
    if isinstance(value, tuple):
        return tuple(_rebuilt(item, scope, renamed) for item in value)
    if isinstance(value, m.Step):
        changed = {name: _rebuilt(part, scope, renamed) for name, part in m.own_fields(value)}
        if isinstance(value, m.Run):
            known = renamed.get(value.procedure, {})
            changed["arguments"] = tuple((known.get(name, name), given) for name, given in changed["arguments"])
        return replace(value, **changed)
    return substitute(value, scope) if isinstance(value, t.Part) else value  # type: ignore[type-var]


def game_changes(both: Both) -> Iterator[Change]:
    yield from _players(both.old.players, both.new.players)
    yield from _names(both.old, both.new)
    yield from _deck(both)
    for name in dict.fromkeys((*both.old.components, *both.new.components)):
        was, now = (str(spec.components.get(name, "")) for spec in (both.old, both.new))
        if was != now:
            yield Change("component-changed", name, (), Side(was), Side(now))


def _players(old: range, new: range) -> Iterator[Change]:
    if added := [str(n) for n in new if n not in old]:
        yield Change("players-added", "game", (), Side(), Side(", ".join(added)))
    if gone := [str(n) for n in old if n not in new]:
        yield Change("players-removed", "game", (), Side(", ".join(gone)), Side())


def _names(old: Spec, new: Spec) -> Iterator[Change]:
    for kind, was, now in (
        ("game-renamed", old.id, new.id),
        # A variant has the title of its overlay, which says nothing about what differs.
        *([("title-changed", old.title, new.title)] if old.variant == new.variant else ()),
        ("builds-on-changed", old.builds_on, new.builds_on),
    ):
        if was != now:
            yield Change(kind, "game", (), Side(was), Side(now))


def _deck(both: Both) -> Iterator[Change]:
    gone, added, _ = both.of_kind("field")
    old, new = both.old.deck, both.new.deck
    shown, now_shown = (dict.fromkeys(map(field_of, deck.face)) for deck in (old, new))
    kept = [both.names.of(("field", name))[1] for name in shown if name not in gone]
    faces, start = (_listed(kept), _listed(name for name in now_shown if name not in added)), both.names.text(old.start)
    for kind, was, now in (("faces-changed", *faces), ("start-changed", start, new.start)):
        if was != now:
            yield Change(kind, "cards", (), Side(was), Side(now))
    # How cards are called, by the member of the first field of their face.
    named = (sorted(deck.names.items()) for deck in (old, new))
    labels = ["; ".join(f"{member}: {label}" for member, label in some) for some in named]
    if not both.names.says(*labels):
        yield Change("words-changed", "cards", (), Side(labels[0]), Side(labels[1]))
    yield from _sequence(both)


def _sequence(both: Both) -> Iterator[Change]:
    """The order of the cards, where it can be seen."""
    was, now = list(cards(both.old, both.names)), list(cards(both.new, Renames()))
    if _sequence_matters(both.new) and was != now and sorted(was) == sorted(now):
        rules = (remainder_rule(both.new), *both.users(("zone", both.new.deck.start), True))
        before, after = (Side("; ".join(map(title, some))) for some in (was, now))
        yield Change("order-changed", "cards", rules, before, after)


def _listed(fields: Iterable[str]) -> str:
    return ", ".join(sorted(fields))


def _sequence_matters(spec: Spec) -> bool:
    """Whether cards start on a stack that no rule shuffles."""
    zone = spec.zones.get(spec.deck.start)
    acts = (one.act for stated in propositions(spec).values() for one in stated)
    shuffled = any(act.constructor == "shuffle" and any(p.name == spec.deck.start for p in act.walk()) for act in acts)
    return zone is not None and zone.ordered and not shuffled


def declaration_changes(both: Both) -> Iterator[Change]:
    for kind in DECLARED:
        yield from came_or_went(both, kind)
        for name, other in both.of_kind(kind)[2]:
            if name != other:
                yield renamed(both, kind, name, other)
            if both.differ(kind, name, other):
                yield _changed(both, kind, name, other)
    # Titles of zones and values, which players read.
    for kind in ("zone", "value"):
        for name, other in both.of_kind(kind)[2]:
            was, now = getattr(both.old, f"{kind}s")[name], getattr(both.new, f"{kind}s")[other]
            if was.title != now.title:
                users = both.users((kind, other), True)
                yield Change("words-changed", other, users, Side(was.title, was.span), Side(now.title, now.span))
    for (kind, name), now in both.names.names.items():
        if kind == "member":
            enum = now.partition(".")[0]
            users = both.users(("ruling" if enum in both.new.rulings else "enum", enum), True)
            yield Change("member-renamed", now, users, Side(name), Side(now))


_BEFORE_SIGHT = {"zone": 2, "value": 5}
"""The items of a canonical form before who sees it."""


def _changed(both: Both, kind: str, name: str, other: str) -> Change:
    """A declaration with another content; a zone may only be seen by others now."""
    users = tuple(dict.fromkeys((*both.users((kind, other), True), *both.users((kind, name), False))))
    was, now = both.form((kind, name)), both.after.of[kind, other].form
    rest = _BEFORE_SIGHT.get(kind, 0)
    only_seen = bool(rest) and isinstance(was, list) and isinstance(now, list) and was[:rest] == now[:rest]
    before, after = _both_sides(both, kind, name, other, users)
    return Change("sight-changed" if only_seen else f"{kind}-changed", other, users, before, after)


def _both_sides(both: Both, kind: str, name: str, other: str, users: tuple[str, ...]) -> tuple[Side, Side]:
    """What a declaration changes in words: in the rules that read it, else in its own; as it is written if nothing."""
    before, after = declared(both.old, kind, name), declared(both.new, kind, other)
    if before.stated and after.stated:
        differing = list(through(both, users)) or pairs(both, before.stated, after.stated)
        if differing:
            return only(differing, before, after)
    elif before.text != after.text or before.stated != after.stated:
        return before, after
    was, now = getattr(both.old, f"{kind}s")[name], getattr(both.new, f"{kind}s")[other]
    return as_written(both.old, was), as_written(both.new, now)


def check_changes(both: Both) -> Iterator[Change]:
    for name in ("invariants", "claims"):
        was, now = ({one.id: one for one in getattr(spec, name)} for spec in (both.old, both.new))
        for id_ in dict.fromkeys((*was, *now)):
            before, after = as_written(both.old, was.get(id_)), as_written(both.new, now.get(id_))
            if not both.names.says(before.text, after.text) and id_ not in both.same:
                yield Change("invariant-changed", id_, (), before, after)
    # Facts of rules that are in both versions; those of a rule that is new or gone come and go with it.
    kinds = {id_: "ruling" if id_ in both.old.rulings else "rule" for id_ in both.old.states}
    back = {both.names.of((kind, id_))[1]: id_ for id_, kind in kinds.items()}
    gone, added = both.children
    for rule in dict.fromkeys((*back, *both.new.states)):
        olds, news = _facts(both.old, back.get(rule, rule)), _facts(both.new, rule)
        if rule not in gone | added and not both.names.all_say(olds, news):
            yield Change("facts-changed", rule, (rule,), _side(both.old, rule, olds), _side(both.new, rule, news))


def _facts(spec: Spec, rule: str) -> list[str]:
    return [written(spec.source, fact.span) for fact in spec.states.get(rule, ())]


def _side(spec: Spec, rule: str, facts: list[str]) -> Side:
    stated = spec.states.get(rule, ())
    return Side("; ".join(facts), stated[0].span if stated else None)


@dataclass(frozen=True)
class Changes:
    """The changes from one version of a game to another, the most serious first."""

    old: Spec
    new: Spec
    every: tuple[Change, ...]

    @property
    def impact(self) -> Impact:
        """The greatest impact of the changes."""
        return max((one.impact for one in self.every), default=Impact.NONE)


_PARTS = (game_changes, declaration_changes, rule_changes, ruling_changes, check_changes)


def compare(old: Spec, new: Spec) -> Changes:
    """What changed in the game from `old` to `new`. Equal games, however they are written, have no changes."""
    both = Both(old, new)
    # With the old expressions where both are equal, and examples of positions where others differ.
    left = settled(old, with_old_parameters(old, new, both.names), both.names)
    if left.spec is not new or left.same:
        both = Both(old, left.spec, left.same)
    found = [_shown(change, left.examples) for changes in _PARTS for change in changes(both)]
    effects = Effects(old, new)
    judged = [effects.judged(one) for one in (*found, *card_changes(old, new, both.names))]
    order = {rule: at for at, rule in enumerate(new.rules)}
    return Changes(old, new, tuple(sorted(judged, key=lambda one: (-one.impact, _place(one, order)))))


_OF_RULES = ("statement", "order")


def _shown(change: Change, examples: Mapping[Name, tuple[Example, ...]]) -> Change:
    """The change with its examples."""
    kind, _, what = change.kind.rpartition("-")
    of = "rule" if kind in _OF_RULES else kind
    return replace(change, examples=examples.get((of, change.name), ())) if what == "changed" else change


def _place(change: Change, order: Mapping[str, int]) -> int:
    """The place of the first rule that a change concerns, in the order of the spec; the last without a rule."""
    return min((order[rule] for rule in change.rules if rule in order), default=len(order))
