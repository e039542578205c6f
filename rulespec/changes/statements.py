"""The statements of a rule that differ between two versions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from rulespec.changes import sides
from rulespec.changes.both import Both
from rulespec.changes.change import Change, Side
from rulespec.meaning import Proposition, propositions
from rulespec.meaning.differences import Kind as Difference
from rulespec.meaning.differences import differences

Pair = tuple[Proposition | None, Proposition | None]


def pairs(both: Both, was: Sequence[Proposition], now: Sequence[Proposition]) -> Iterator[Pair]:
    """The statements that differ, old and new; None where one is new or gone."""
    named = [both.names.proposition(one) for one in was]
    found = (one for one in differences(named, now) if one.kind is not Difference.ORDER)
    changed = {id(one.new or one.old): (one.old, one.new) for one in found}
    yield from changed.values()
    yield from ((None, one.old) for one in differences(now, named) if one.new is None)


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
    for before, after in pairs(both, was, now):
        kind = "removed" if after is None else "added" if before is None else "changed"
        olds, news = found.setdefault(kind, ([], []))
        olds.append(before)
        news.append(after)
    for kind, (olds, news) in found.items():
        yield Change(f"statement-{kind}", other, (other,), sides.stated(*olds), sides.stated(*news))
    named = [both.names.proposition(one) for one in was]
    for one in differences(named, now):
        if one.kind is Difference.ORDER:
            yield order_changed(other, sides.stated(one.old, one.new), sides.stated(one.new, one.old))


def order_changed(name: str, before: Side, after: Side) -> Change:
    return Change("order-changed", name, (name,), before, after)


def only(pairs_: Sequence[Pair], before: Side, after: Side) -> tuple[Side, Side]:
    """Both sides with the statements that differ."""
    olds, news = (tuple(one for one in some if one is not None) for some in zip(*pairs_, strict=True))
    return replace(before, stated=olds), replace(after, stated=news)
