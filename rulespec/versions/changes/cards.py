"""Changes of the cards: how many of each there are, what they show, and how sure that is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from rulespec.language.model.spec import Deck, Spec, field_of
from rulespec.language.model.types import NONE, Type
from rulespec.versions.changes.change import Card, Change, Side
from rulespec.versions.changes.renames import Renames

Kinds = Mapping[Card, Counter[Card]]
"""The cards of every face, counted by all that they hold."""


def card_changes(old: Spec, new: Spec, names: Renames) -> Iterator[Change]:
    """The faces of which there are more, fewer or other cards, those that show something else, and the status."""
    was_shown = {names.of(("field", field_of(column)))[1] for column in old.deck.face}
    shared = [field for field in dict.fromkeys(map(field_of, new.deck.face)) if field in was_shown]
    was, now = _kinds(old, names, shared), _kinds(new, Renames(), shared)
    other = dict(_replaced(was, now))
    for face in (*was, *(face for face in now if face not in was and face not in other.values())):
        after = other.get(face, face)
        ours, theirs = was.get(face, Counter()), now.get(after, Counter())
        if ours != theirs:
            differing = {card for card in (*ours, *theirs) if ours[card] != theirs[card]}
            before, said = _side(old, differing, ours, names), _side(new, differing, theirs, Renames())
            users = (new.deck.leave_out_rule,) if new.deck.leave_out_rule else ()
            yield Change("cards-changed", title(after), users, before, said, face=after)
    yield from _status(old, new, names)


def _kinds(spec: Spec, names: Renames, face: Sequence[str]) -> Kinds:
    found: dict[Card, Counter[Card]] = {}
    for card in cards(spec, names):
        found.setdefault(_face(card, face), Counter())[card] += 1
    return found


def _face(card: Card, fields: Sequence[str]) -> Card:
    """What distinguishes a card from others, in the order of the face."""
    content = dict(card)
    return tuple((field, content[field]) for field in fields if field in content)


def _replaced(was: Kinds, now: Kinds) -> Iterator[tuple[Card, Card]]:
    """Faces that are gone, and new ones of as many cards that differ from them in one field."""
    added = [face for face in now if face not in was]
    for face in (face for face in was if face not in now):
        same = [o for o in added if now[o].total() == was[face].total() and _fields_apart(face, o) == 1]
        if same:
            added.remove(same[0])
            yield face, same[0]


def _fields_apart(card: Card, other: Card) -> int:
    return len({field for field, _ in set(card) ^ set(other)})


def _side(spec: Spec, differing: set[Card], every: Counter[Card], names: Renames) -> Side:
    """How many cards there are of each content of which the versions have different numbers."""
    shown = {card: copies for card, copies in every.items() if card in differing}
    if not shown:
        return Side()
    at = next(i for i, card in enumerate(cards(spec, names)) if card in shown)
    row = next(row for row in spec.deck.rows if at in row.cards)
    said = "; ".join(f"{copies} × {title(card)}" for card, copies in shown.items())
    counted = tuple((copies, card) for card, copies in shown.items())
    return Side(said, row.span, cards=counted)


def cards(spec: Spec, names: Renames) -> Iterator[Card]:
    """Every card of the deck, in its order."""
    return (_card(spec, card, names) for card in spec.deck.cards)


def _card(spec: Spec, card: tuple[int, ...], names: Renames) -> Card:
    said = spec.deck.words(card, spec.deck.fields, lambda type_, value: _member(spec, type_, value, names))
    return tuple((names.of(("field", field))[1], word) for field, word in said.items() if word)


def _member(spec: Spec, type_: Type, value: int, names: Renames) -> str:
    if value == NONE:
        return ""
    member = spec.member(type_, value)
    if type_.kind not in ("enum", "set"):
        return member
    return " ".join(names.text(f"{type_.name}.{one}").partition(".")[2] for one in member.split(" "))


def title(card: Card) -> str:
    """A card in words, such as `kind gold, value 3`."""
    return ", ".join(f"{field} {content}" for field, content in card)


def _status(old: Spec, new: Spec, names: Renames) -> Iterator[Change]:
    """Faces whose cards have another status or other sources; the contents of the cards are the same."""
    was, now = _sources(old, names), _sources(new, Renames())
    differing: dict[Card, list[Card]] = {}
    for card in was:
        if card in now and was[card] != now[card]:
            differing.setdefault(_face(card, new.deck.face), []).append(card)
    for face, some in differing.items():
        before, after = ("; ".join(f"{title(c)}: {', '.join(sorted(one[c]))}" for c in some) for one in (was, now))
        yield Change("status-changed", title(face), (), Side(before), Side(after), face=face)


def _sources(spec: Spec, names: Renames) -> dict[Card, set[str]]:
    deck: Deck = spec.deck
    found: dict[Card, set[str]] = {}
    for row in deck.rows:
        for card in row.cards:
            says = " ".join((row.status, *row.sources))
            found.setdefault(_card(spec, deck.cards[card], names), set()).add(says)
    return found
