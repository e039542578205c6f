"""Changes of rules: new, gone, renamed, with other statements, in another order, or in other words."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from weakref import WeakKeyDictionary

from rulespec.language.model import spec as m
from rulespec.language.model.spec import Rule, Spec
from rulespec.proofs.meaning.digest import remainder_rule
from rulespec.text.rules.subjects import within
from rulespec.versions.changes import sides
from rulespec.versions.changes.both import Both, in_any_order
from rulespec.versions.changes.change import Change, Side
from rulespec.versions.changes.order import reordered
from rulespec.versions.changes.statements import statement_changes


def rule_changes(both: Both) -> Iterator[Change]:
    gone, added, kept = both.of_kind("rule")
    for name in gone:
        yield Change("rule-removed", name, (name,), sides.of_rule(both.old, name), Side())
    for name in added:
        yield Change("rule-added", name, (name,), Side(), sides.of_rule(both.new, name))
    for name, other in kept:
        if name != other:
            yield sides.renamed(both, "rule", name, other)
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
        yield Change("rule-changed", other, (other,), *sides.differing(both, name, other))


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
_KNOWN: WeakKeyDictionary[Spec, Mapping[str, tuple[str, ...]]] = WeakKeyDictionary()


def spoken(spec: Spec) -> Mapping[str, tuple[str, ...]]:
    """The words of the moves of each rule, in a sorted order, with numbers for the names of variables."""
    if spec not in _KNOWN:
        found: dict[str, list[str]] = {}
        for rule, body in _bodies(spec):
            for id_, says in _said(body, rule):
                found.setdefault(id_, []).append(says)
        _KNOWN[spec] = {id_: tuple(sorted(said)) for id_, said in found.items()}
    return _KNOWN[spec]


def _bodies(spec: Spec) -> Iterator[tuple[str, m.Body]]:
    """All steps of a spec, with the rule that they belong to if they have none of their own."""
    rest = remainder_rule(spec)
    yield from ((rest, spec.setup), (rest, spec.play))
    yield from ((procedure.rule or rest, procedure.body) for procedure in spec.procedures.values())


def _said(node: object, rule: str) -> Iterator[tuple[str, str]]:
    if isinstance(node, tuple):
        for item in node:
            yield from _said(item, rule)
    elif isinstance(node, m.Step):
        rule = node.rule or rule
        if isinstance(node, m.Option | m.Place):
            yield rule, _numbered(node)
        for _, part in m.own_fields(node):
            yield from _said(part, rule)


def _numbered(step: m.Option | m.Place) -> str:
    """The words of a move with numbers for variables: those of the move by place, others by first mention."""
    names = [name for name, _ in step.picks] if isinstance(step, m.Option) else []
    names += [name for name in _PLACEHOLDER.findall(step.says) if name not in names]
    return _PLACEHOLDER.sub(lambda match: f"{{{names.index(match[1])}", step.says)
