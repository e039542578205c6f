"""Changes of rules: new, gone, renamed, with other statements, in another order, or in other words."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from rulespec.base.diagnostics import Span
from rulespec.language.model import spec as m
from rulespec.language.model.phrase import Proposition
from rulespec.language.model.spec import Rule, Ruling, Spec
from rulespec.proofs.meaning.canonical import Form, rules_in, without_rules
from rulespec.proofs.meaning.differences import Kind as Difference
from rulespec.proofs.meaning.differences import differences
from rulespec.proofs.meaning.digest import remainder_rule
from rulespec.proofs.meaning.rules import propositions
from rulespec.text.rules.subjects import within
from rulespec.versions.changes.both import Both, in_any_order, written
from rulespec.versions.changes.change import Change, Side, came_or_went, declared, differing, renamed, stated
from rulespec.versions.changes.renames import Renames


def rule_changes(both: Both) -> Iterator[Change]:
    yield from came_or_went(both, "rule")
    for name, other in both.of_kind("rule")[2]:
        if name != other:
            yield renamed(both, "rule", name, other)
        if both.differ("rule", name, other):
            yield from _changed(both, name, other)
        yield from _worded_otherwise(both, name, other)


def _changed(both: Both, name: str, other: str) -> Iterator[Change]:
    """What differs in the steps of a rule. Rules in it that are new or gone are changes of their own."""
    was, now = both.own(name, other)
    if was == now:
        return
    found = list(statement_changes(both, name, other)) or list(_inside(both, other))
    if found:
        yield from found
    elif in_any_order(was) == in_any_order(now):
        yield reordered(both, name, other, was, now)
    else:
        yield Change("rule-changed", other, (other,), *differing(both, name, other))


def _inside(both: Both, name: str) -> Iterator[Change]:
    """What the rules inside a rule state otherwise, although their own steps are the same: the opening bid."""
    inner = set(within(both.new, name)) if name in both.new.rules else set()
    for one, other in both.of_kind("rule")[2]:
        if other in inner and not both.differ("rule", one, other):
            yield from statement_changes(both, one, other)


def _worded_otherwise(both: Both, name: str, other: str) -> Iterator[Change]:
    was, now = both.old.rules.get(name), both.new.rules.get(other)
    if was is None or now is None:
        return
    ours, theirs = _worded(both.old, was), _worded(both.new, now)
    if len(ours) != len(theirs) or not all(map(both.names.says, ours, theirs)):
        before, after = _without(ours, theirs), _without(theirs, ours)
        yield Change("words-changed", other, (other,), Side(before, was.span), Side(after, now.span))


def _without(some: tuple[str, ...], others: tuple[str, ...]) -> str:
    return " · ".join(part for part in some if part not in others)


def _worded(spec: Spec, rule: Rule) -> tuple[str, ...]:
    """What players and editors read of a rule: its title, note and origin, and the words of its moves."""
    titles = () if rule.says else (rule.title,)  # without a title, the words of its move are all there is to read
    return *titles, " ".join(rule.note.split()), rule.origin, *spoken(spec).get(rule.id, ())


_PLACEHOLDER = re.compile(r"\{(\w+)")


@lru_cache(maxsize=8)
def spoken(spec: Spec) -> Mapping[str, tuple[str, ...]]:
    """The words of the moves of each rule, in a sorted order, with numbers for the names of variables."""
    rest, found = remainder_rule(spec), dict[str, list[str]]()
    procedures = ((procedure.rule or rest, procedure.body) for procedure in spec.procedures.values())
    for rule, body in ((rest, spec.setup), (rest, spec.play), *procedures):
        for id_, says in _said(body, rule):
            found.setdefault(id_, []).append(says)
    return {id_: tuple(sorted(said)) for id_, said in found.items()}


def _said(node: object, rule: str) -> Iterator[tuple[str, str]]:
    if isinstance(node, tuple):
        for item in node:
            yield from _said(item, rule)
    elif isinstance(node, m.Step):
        rule = node.rule or rule
        if isinstance(node, m.Option | m.Place):
            # The words of a move with numbers for variables: those of the move by place, others by first mention.
            names = [name for name, _ in node.picks] if isinstance(node, m.Option) else []
            names += [name for name in _PLACEHOLDER.findall(node.says) if name not in names]
            yield rule, _PLACEHOLDER.sub(lambda match: f"{{{names.index(match[1])}", node.says)
        for _, part in m.own_fields(node):
            yield from _said(part, rule)


def ruling_changes(both: Both) -> Iterator[Change]:
    yield from came_or_went(both, "ruling")
    for name, other in both.of_kind("ruling")[2]:
        if name != other:
            yield renamed(both, "ruling", name, other)
        yield from _ruling(both, both.old.rulings[name], both.new.rulings[other])


def _ruling(both: Both, old: Ruling, new: Ruling) -> Iterator[Change]:
    users = both.users(("ruling", new.id), True)
    options = [both.names.text(f"{old.id}.{option}").partition(".")[2] for option in old.options]
    if options[0] != new.options[0]:
        yield Change("answer-changed", new.id, users, _side(old, old.options[:1]), _side(new, new.options[:1]))
    if more := [option for option in new.options if option not in options]:
        yield Change("answer-added", new.id, users, Side(), _side(new, more))
    if less := [option for option in options if option not in new.options]:
        yield Change("answer-removed", new.id, users, _side(old, less), Side())
    if old.question.split() != new.question.split():
        before, after = declared(both.old, "ruling", old.id), declared(both.new, "ruling", new.id)
        yield Change("question-changed", new.id, users, before, after)
    if set(old.silent) != set(new.silent):
        yield Change("silence-changed", new.id, users, _side(old, sorted(old.silent)), _side(new, sorted(new.silent)))


def _side(ruling: Ruling, names: Sequence[str]) -> Side:
    return Side(", ".join(names), ruling.span)


Pair = tuple[Proposition | None, Proposition | None]


def pairs(both: Both, was: Sequence[Proposition], now: Sequence[Proposition]) -> list[Pair]:
    """The statements that differ, old and new; None where one is new or gone."""
    return _differing(both, was, now)[0]


def _differing(both: Both, was: Sequence[Proposition], now: Sequence[Proposition]) -> tuple[list[Pair], list[Pair]]:
    """The statements that differ, and those that stand in another order."""
    named = [both.names.proposition(one) for one in was]
    changed: dict[int, Pair] = {}
    moved: list[Pair] = []
    for one in differences(named, now):
        if one.kind is Difference.ORDER:
            moved.append((one.old, one.new))
        else:
            changed[id(one.new or one.old)] = (one.old, one.new)
    added = ((None, one.old) for one in differences(now, named) if one.new is None)
    return [*changed.values(), *added], moved


def through(both: Both, users: Sequence[str]) -> Iterator[Pair]:
    """What rules state otherwise because of a declaration, although their own steps are the same."""
    back = {both.names.of(("rule", id_))[1]: id_ for id_ in both.old.rules}
    for rule in users:
        if rule in both.new.rules and rule in back and not both.differ("rule", back[rule], rule):
            yield from pairs(both, propositions(both.old).get(back[rule], ()), propositions(both.new).get(rule, ()))


def statement_changes(both: Both, name: str, other: str) -> Iterator[Change]:
    """The statements of a rule that differ: changed, gone, new, or in another order; each kind is one change."""
    was, now = propositions(both.old).get(name, ()), propositions(both.new).get(other, ())
    found: dict[str, tuple[list[Proposition | None], list[Proposition | None]]] = {}
    changed, moved = _differing(both, was, now)
    for before, after in changed:
        kind = "removed" if after is None else "added" if before is None else "changed"
        olds, news = found.setdefault(kind, ([], []))
        olds.append(before)
        news.append(after)
    for kind, (olds, news) in found.items():
        yield Change(f"statement-{kind}", other, (other,), stated(*olds), stated(*news))
    for before, after in moved:
        yield order_changed(other, stated(before, after), stated(after, before))


def only(pairs_: Sequence[Pair], before: Side, after: Side) -> tuple[Side, Side]:
    """Both sides with the statements that differ."""
    olds, news = (tuple(one for one in some if one is not None) for some in zip(*pairs_, strict=True))
    return replace(before, stated=olds), replace(after, stated=news)


def order_changed(name: str, before: Side, after: Side) -> Change:
    return Change("order-changed", name, (name,), before, after)


def reordered(both: Both, name: str, other: str, was: Form, now: Form) -> Change:
    """The change of a rule whose forms `was` and `now` have the same steps in another order.

    The rule that stands for the steps outside all rules is the game. A rule without steps, which only players read,
    says the same at any place: moving it concerns no other rule.
    """
    notes = both.notes & frozenset(rules_in(was))
    only_notes = without_rules(was, notes) == without_rules(now, notes)
    before, after = differing(both, name, other)
    if before.text != after.text:
        return Change("order-changed", other, tuple(sorted(notes)) if only_notes else (other,), before, after)
    ignored = frozenset() if only_notes else notes
    if name != remainder_rule(both.old):
        old, new = _moved(_inner(both.old, was, both.names), _inner(both.new, now, Renames()), ignored)
        return order_changed(other, _ordered_side(old), _ordered_side(new))
    gone, added = both.children
    old, new = _moved(_outside(both.old, both.names, gone), _outside(both.new, Renames(), added), ignored)
    return Change(
        "order-changed", "game", tuple(one.rule for one in new if one.rule), _ordered_side(old), _ordered_side(new)
    )


@dataclass(frozen=True)
class _Place:
    """A step: the id of its rule in the new version, empty without one, and that id or else what is written."""

    rule: str
    text: str
    span: Span


def _moved(
    old: Iterable[_Place], new: Iterable[_Place], ignored: frozenset[str]
) -> tuple[Sequence[_Place], Sequence[_Place]]:
    """Both orders from the first place that differs to the last, without the rules that are ignored."""
    was, now = ([one for one in places if one.rule not in ignored] for places in (old, new))
    start, end = _same(was, now), _same(was[::-1], now[::-1])
    return was[start : len(was) - end], now[start : len(now) - end]


def _inner(spec: Spec, form: Form, names: Renames) -> Iterator[_Place]:
    """The rules inside a rule."""
    for rule in rules_in(form):
        now = names.of(("rule", rule))[1]
        yield _Place(now, now, spec.rules[rule].span)


def _outside(spec: Spec, names: Renames, absent: frozenset[str]) -> Iterator[_Place]:
    """The steps of the setup and of the play, which are rules or outside all rules."""
    for step in (*spec.setup, *spec.play):
        if step.rule not in absent:
            rule = names.of(("rule", step.rule))[1] if step.rule else ""
            yield _Place(rule, rule or written(spec.source, step.span), step.span)


def _same(old: Sequence[_Place], new: Sequence[_Place]) -> int:
    """The number of places at the start that are the same."""
    pairs = enumerate(zip(old, new, strict=False))
    return next((at for at, (one, other) in pairs if one.text != other.text), min(len(old), len(new)))


def _ordered_side(places: Sequence[_Place]) -> Side:
    return Side(", ".join(one.text for one in places), places[0].span if places else None)
