"""The statements of a rule that differ between two versions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from rulespec.language.model.phrase import Proposition
from rulespec.proofs.meaning.differences import Kind as Difference
from rulespec.proofs.meaning.differences import differences
from rulespec.proofs.meaning.rules import propositions
from rulespec.versions.changes import sides
from rulespec.versions.changes.both import Both
from rulespec.versions.changes.change import Change, Side
from rulespec.versions.changes.order import order_changed

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
        yield Change(f"statement-{kind}", other, (other,), sides.stated(*olds), sides.stated(*news))
    for before, after in moved:
        yield order_changed(other, sides.stated(before, after), sides.stated(after, before))


def only(pairs_: Sequence[Pair], before: Side, after: Side) -> tuple[Side, Side]:
    """Both sides with the statements that differ."""
    olds, news = (tuple(one for one in some if one is not None) for some in zip(*pairs_, strict=True))
    return replace(before, stated=olds), replace(after, stated=news)
