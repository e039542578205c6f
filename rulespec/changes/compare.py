"""Compares two versions of a spec: the changes of the game, matched by id, without those of order and layout."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Protocol

from rulespec.changes.cards import card_changes
from rulespec.changes.change import Change, Side
from rulespec.changes.effects import Effects
from rulespec.changes.kinds import Impact
from rulespec.changes.renames import Renames, renames
from rulespec.changes.written import written
from rulespec.diagnostics import Span
from rulespec.meaning import Proposition, defined, propositions, remainder_rule
from rulespec.meaning.canonical import Form, Name, Parts, parts
from rulespec.meaning.differences import Kind as Difference
from rulespec.meaning.differences import differences
from rulespec.model.spec import Rule, Ruling, Spec


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


def compare(old: Spec, new: Spec) -> Changes:
    """What changed in the game from `old` to `new`. Equal games, however they are written, have no changes."""
    both = _Both(old, new)
    found = [*_game(both), *_declarations(both), *_rules(both), *_rulings(both), *_checks(both)]
    effects = Effects(old, new)
    judged = [effects.judged(one) for one in (*found, *card_changes(old, new, both.names))]
    return Changes(old, new, tuple(sorted(judged, key=lambda one: (-one.impact, _place(one, new)))))


def _place(change: Change, spec: Spec) -> int:
    """The place of the first rule that a change concerns, in the order of the spec; the last without a rule."""
    order = list(spec.rules)
    return min((order.index(rule) for rule in change.rules if rule in spec.rules), default=len(order))


@dataclass(frozen=True)
class _Both:
    """Both versions, their parts, and the names that became others."""

    old: Spec
    new: Spec

    @cached_property
    def before(self) -> Parts:
        return parts(self.old, remainder_rule(self.old))

    @cached_property
    def after(self) -> Parts:
        return parts(self.new, remainder_rule(self.new))

    @cached_property
    def names(self) -> Renames:
        return renames(self.old, self.new, self.before, self.after)

    def of_kind(self, kind: str) -> tuple[list[str], list[str], list[tuple[str, str]]]:
        """The names of a kind that are gone, those that are new, and the pairs of names in both."""
        was = [name for of, name in self.before.of if of == kind]
        now = [name for of, name in self.after.of if of == kind]
        pairs = [(name, self.names.of((kind, name))[1]) for name in was]
        kept = [(name, other) for name, other in pairs if other in now]
        there = {other for _, other in kept}
        return [n for n in was if self.names.of((kind, n))[1] not in now], [n for n in now if n not in there], kept

    def form(self, name: Name) -> Form:
        """The form of a part of the old version, in the names of the new one."""
        return self.names.part(name, self.before.of[name].form)

    def differ(self, kind: str, name: str, other: str) -> bool:
        return self.form((kind, name)) != self.after.of[kind, other].form

    def users(self, name: Name, new: bool) -> tuple[str, ...]:
        """The rules that name a part, directly or through other parts, in the names of the new version."""
        of = (self.after if new else self.before).of
        reached, waiting = {name}, [name]
        while waiting:
            one = waiting.pop()
            more = [each for each, part in of.items() if one in part.uses and each not in reached]
            reached.update(more)
            waiting += [each for each in more if each[0] != "rule"]
        rules = [each for kind, each in of if kind == "rule" and (kind, each) in reached]
        return tuple(rules if new else (self.names.of(("rule", each))[1] for each in rules))


def _game(both: _Both) -> Iterator[Change]:
    old, new = both.old, both.new
    if added := [str(n) for n in new.players if n not in old.players]:
        yield Change("players-added", "game", (), Side(), Side(", ".join(added)))
    if gone := [str(n) for n in old.players if n not in new.players]:
        yield Change("players-removed", "game", (), Side(", ".join(gone)), Side())
    for kind, was, now in (
        ("game-renamed", old.id, new.id),
        ("title-changed", old.title, new.title),
        ("builds-on-changed", old.builds_on, new.builds_on),
    ):
        if was != now:
            yield Change(kind, "game", (), Side(was), Side(now))
    shown = [(", ".join(sorted(one.deck.face)), one.deck.start) for one in (old, new)]
    for kind, before, after in zip(("faces-changed", "start-changed"), *shown, strict=True):
        if both.names.text(before) != after:
            yield Change(kind, "cards", (), Side(before), Side(after))
    for name in dict.fromkeys((*old.components, *new.components)):
        was, now = (str(spec.components.get(name, "")) for spec in (old, new))
        if was != now:
            yield Change("component-changed", name, (), Side(was), Side(now))


_DECLARED = ("enum", "field", "table", "value", "zone", "procedure")


def _declarations(both: _Both) -> Iterator[Change]:
    for kind in _DECLARED:
        gone, added, kept = both.of_kind(kind)
        for name in gone:
            yield Change(f"{kind}-removed", name, both.users((kind, name), False), _side(both.old, kind, name), Side())
        for name in added:
            yield Change(f"{kind}-added", name, both.users((kind, name), True), Side(), _side(both.new, kind, name))
        for name, other in kept:
            if name != other:
                yield _renamed(both, kind, name, other)
            if both.differ(kind, name, other):
                yield from _changed(both, kind, name, other)
    yield from _titles(both)
    for (kind, name), now in both.names.names.items():
        if kind == "member":
            users = both.users(("enum", now.partition(".")[0]), True)
            yield Change("member-renamed", now, users, Side(name), Side(now))


def _titles(both: _Both) -> Iterator[Change]:
    """Titles of zones and values that players read."""
    for kind in ("zone", "value"):
        for name, other in both.of_kind(kind)[2]:
            was, now = getattr(both.old, f"{kind}s")[name], getattr(both.new, f"{kind}s")[other]
            if was.title != now.title:
                users = both.users((kind, other), True)
                yield Change("words-changed", other, users, Side(was.title, was.span), Side(now.title, now.span))


def _changed(both: _Both, kind: str, name: str, other: str) -> Iterator[Change]:
    """A declaration with another content; a zone may only be seen by others now."""
    users = tuple(dict.fromkeys((*both.users((kind, other), True), *both.users((kind, name), False))))
    was, now = both.form((kind, name)), both.after.of[kind, other].form
    only_seen = kind == "zone" and isinstance(was, list) and isinstance(now, list) and was[:2] == now[:2]
    before, after = _side(both.old, kind, name), _side(both.new, kind, other)
    if before.stated and after.stated:
        pairs = list(_through(both, users)) or list(_pairs(both, before.stated, after.stated))
        before = replace(before, stated=tuple(one for one, _ in pairs if one is not None))
        after = replace(after, stated=tuple(one for _, one in pairs if one is not None))
        if not pairs:  # the same sentences, such as for another order of a zone
            declared = getattr(both.old, f"{kind}s")[name], getattr(both.new, f"{kind}s")[other]
            before, after = _written(both.old, declared[0]), _written(both.new, declared[1])
    yield Change("sight-changed" if only_seen else f"{kind}-changed", other, users, before, after)


_Pair = tuple[Proposition | None, Proposition | None]


class _Spanned(Protocol):
    @property
    def span(self) -> Span: ...


def _pairs(both: _Both, was: Sequence[Proposition], now: Sequence[Proposition]) -> Iterator[_Pair]:
    """The statements that differ, old and new; None where one is new or gone."""
    named = [both.names.proposition(one) for one in was]
    found = (one for one in differences(named, now) if one.kind is not Difference.ORDER)
    changed = {id(one.new or one.old): (one.old, one.new) for one in found}
    yield from changed.values()
    yield from ((None, one.old) for one in differences(now, named) if one.new is None)


def _through(both: _Both, users: Sequence[str]) -> Iterator[_Pair]:
    """What rules state otherwise because of a declaration, although their own steps are the same."""
    back = {both.names.of(("rule", id_))[1]: id_ for id_ in both.old.rules}
    for rule in users:
        if rule in both.new.rules and rule in back and not both.differ("rule", back[rule], rule):
            was, now = propositions(both.old).get(back[rule], ()), propositions(both.new).get(rule, ())
            yield from _pairs(both, was, now)


def _span(spec: Spec, kind: str, name: str) -> Span | None:
    declared = getattr(spec, f"{kind}s", {}).get(name)
    return declared.span if declared is not None else None


def _renamed(both: _Both, kind: str, name: str, other: str) -> Change:
    """A part with another name, each name at its place."""
    users = (other,) if kind == "rule" else both.users((kind, other), True)
    before, after = Side(name, _span(both.old, kind, name)), Side(other, _span(both.new, kind, other))
    return Change(f"{kind}-renamed", other, users, before, after)


def _side(spec: Spec, kind: str, name: str) -> Side:
    """A declaration in one version: what it means in words, or what it lists."""
    span = _span(spec, kind, name)
    if kind == "enum":
        return Side(", ".join(spec.enums[name].members), span)
    if kind == "field":
        return Side(str(spec.deck.fields[name]), span)
    return Side("", span, defined(spec).get(name, ()))


def _rules(both: _Both) -> Iterator[Change]:
    gone, added, kept = both.of_kind("rule")
    for name in gone:
        yield Change("rule-removed", name, (name,), _rule(both.old, name), Side())
    for name in added:
        yield Change("rule-added", name, (name,), Side(), _rule(both.new, name))
    for name, other in kept:
        if name != other:
            yield _renamed(both, "rule", name, other)
        yield from _of_rule(both, name, other)


def _of_rule(both: _Both, name: str, other: str) -> Iterator[Change]:
    """What differs in a rule that is in both versions. What only its declarations change is said of these."""
    if both.differ("rule", name, other):
        found = list(_statements(both, name, other))
        before, after = _written(both.old, both.old.rules.get(name)), _written(both.new, both.new.rules.get(other))
        yield from found or [Change("rule-changed", other, (other,), before, after)]
    was, now = both.old.rules.get(name), both.new.rules.get(other)
    if was is not None and now is not None and _worded(was) != _worded(now):
        gone, new = _without(_worded(was), _worded(now)), _without(_worded(now), _worded(was))
        yield Change("words-changed", other, (other,), Side(gone, was.span), Side(new, now.span))


def _without(some: tuple[str, ...], others: tuple[str, ...]) -> str:
    return " · ".join(part for part in some if part not in others)


def _worded(rule: Rule) -> tuple[str, ...]:
    """What players and editors read of a rule."""
    return rule.title, " ".join(rule.note.split()), rule.origin


def _rule(spec: Spec, name: str) -> Side:
    declared = spec.rules.get(name)
    stated = propositions(spec).get(name, ())
    return Side("" if stated or declared is None else declared.title, declared.span if declared else None, stated)


def _statements(both: _Both, name: str, other: str) -> Iterator[Change]:
    """The statements of a rule that differ: changed, gone, new, or in another order."""
    was = [both.names.proposition(one) for one in propositions(both.old).get(name, ())]
    now = propositions(both.new).get(other, ())
    for before, after in _pairs(both, propositions(both.old).get(name, ()), now):
        if after is None:
            yield Change("statement-removed", other, (other,), _stated(before), Side())
        else:
            kind = "statement-added" if before is None else "statement-changed"
            yield Change(kind, other, (other,), _stated(before), _stated(after))
    for one in differences(was, now):
        if one.kind is Difference.ORDER:
            yield Change("order-changed", other, (other,), _stated(one.old, one.new), _stated(one.new, one.old))


def _stated(*stated: Proposition | None) -> Side:
    there = tuple(one for one in stated if one is not None)
    return Side("", there[0].span, there) if there else Side()


def _rulings(both: _Both) -> Iterator[Change]:
    gone, added, kept = both.of_kind("ruling")
    for name in gone:
        ruling = both.old.rulings[name]
        yield Change("ruling-removed", name, both.users(("ruling", name), False), _asked(ruling), Side())
    for name in added:
        ruling = both.new.rulings[name]
        yield Change("ruling-added", name, both.users(("ruling", name), True), Side(), _asked(ruling))
    for name, other in kept:
        if name != other:
            yield _renamed(both, "ruling", name, other)
        yield from _answers(both, both.old.rulings[name], both.new.rulings[other])


def _answers(both: _Both, old: Ruling, new: Ruling) -> Iterator[Change]:
    users = both.users(("ruling", new.id), True)
    if old.options[0] != new.options[0]:
        yield Change("answer-changed", new.id, users, _side_of(old, old.options[:1]), _side_of(new, new.options[:1]))
    if more := [option for option in new.options if option not in old.options]:
        yield Change("answer-added", new.id, users, Side(), _side_of(new, more))
    if less := [option for option in old.options if option not in new.options]:
        yield Change("answer-removed", new.id, users, _side_of(old, less), Side())
    if old.question.split() != new.question.split() or old.silent != new.silent:
        yield Change("question-changed", new.id, users, _asked(old), _asked(new))


def _asked(ruling: Ruling) -> Side:
    return Side(" ".join(ruling.question.split()), ruling.span)


def _side_of(ruling: Ruling, options: Sequence[str]) -> Side:
    return Side(", ".join(options), ruling.span)


def _checks(both: _Both) -> Iterator[Change]:
    """Invariants and claims, which only the checker reads, and facts that texts must state."""
    old, new = both.old, both.new
    for name in ("invariants", "claims"):
        was, now = ({one.id: one for one in getattr(spec, name)} for spec in (old, new))
        for id_ in dict.fromkeys((*was, *now)):
            one, other = was.get(id_), now.get(id_)
            before, after = (_written(spec, each) for spec, each in ((old, one), (new, other)))
            if both.names.text(before.text) != after.text:
                yield Change("invariant-changed", id_, (), before, after)
    back = {both.names.of(("rule", id_))[1]: id_ for id_ in old.states}
    for rule in dict.fromkeys((*back, *new.states)):
        mine, theirs = _facts(old, back.get(rule, rule)), _facts(new, rule)
        if both.names.loose(mine.text) != theirs.text:
            yield Change("facts-changed", rule, (rule,), mine, theirs)


def _written(spec: Spec, declared: _Spanned | None) -> Side:
    """A declaration as it is written, in one line."""
    return Side() if declared is None else Side(written(spec.source, declared.span), declared.span)


def _facts(spec: Spec, rule: str) -> Side:
    stated = spec.states.get(rule, ())
    return Side("; ".join(written(spec.source, fact.span) for fact in stated), stated[0].span if stated else None)
