"""Changes of the game as a whole: its players, its name, its components, and what its deck is."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rulespec.language.model.spec import Spec, field_of
from rulespec.proofs.meaning.digest import remainder_rule
from rulespec.proofs.meaning.rules import propositions
from rulespec.versions.changes.both import Both
from rulespec.versions.changes.cards import cards, title
from rulespec.versions.changes.change import Change, Side
from rulespec.versions.changes.renames import Renames


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
    labels = [_labels(spec) for spec in (both.old, both.new)]
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


def _labels(spec: Spec) -> str:
    """How cards are called, by the member of the first field of their face."""
    return "; ".join(f"{member}: {label}" for member, label in sorted(spec.deck.names.items()))


def _sequence_matters(spec: Spec) -> bool:
    """Whether cards start on a stack that no rule shuffles."""
    zone = spec.zones.get(spec.deck.start)
    acts = (one.act for stated in propositions(spec).values() for one in stated)
    shuffled = any(act.constructor == "shuffle" and any(p.name == spec.deck.start for p in act.walk()) for act in acts)
    return zone is not None and zone.ordered and not shuffled
