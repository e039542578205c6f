"""Changes of the cards: how many of each there are, what they show, and how sure that is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from rulespec.changes.change import Change, Side
from rulespec.changes.renames import Renames
from rulespec.model.spec import Deck, Spec
from rulespec.model.types import NONE

Card = tuple[tuple[str, str], ...]
"""What a card shows: the fields with a content and these contents, as a spec writes them."""


def card_changes(old: Spec, new: Spec, names: Renames) -> Iterator[Change]:
    """The cards of which there are more or fewer, those that show something else, and the status of cards."""
    was, now = Counter(_cards(old, names)), Counter(_cards(new, Renames()))
    other = dict(_replaced(was, now))
    for card in sorted({*was, *now} - {*other.values()}):
        after = other.get(card, card)
        if (was[card], card) != (now[after], after):
            before = _side(old, card, was[card], names)
            yield Change("cards-changed", _title(after), _users(new), before, _side(new, after, now[after], Renames()))
    yield from _status(old, new, names)


def _replaced(was: Counter[Card], now: Counter[Card]) -> Iterator[tuple[Card, Card]]:
    """Cards that are gone, and as many new ones that differ from them in one field."""
    added = [card for card in sorted(now) if card not in was]
    for card in sorted(was):
        same = [other for other in added if now[other] == was[card] and _fields_apart(card, other) == 1]
        if card not in now and same:
            added.remove(same[0])
            yield card, same[0]


def _fields_apart(card: Card, other: Card) -> int:
    return len({field for field, _ in set(card) ^ set(other)})


def _side(spec: Spec, card: Card, copies: int, names: Renames) -> Side:
    if not copies:
        return Side()
    at = next(i for i, shown in enumerate(_cards(spec, names)) if shown == card)
    row = next((row for row in spec.deck.rows if at in row.cards and row.source is spec.source), None)
    return Side(f"{copies} × {_title(card)}", row.span if row is not None else None)


def _cards(spec: Spec, names: Renames) -> Iterator[Card]:
    return (_card(spec, card, names) for card in spec.deck.cards)


def _card(spec: Spec, card: tuple[int, ...], names: Renames) -> Card:
    shown = [(field, value) for field, value in zip(spec.deck.fields, card, strict=True) if value != NONE]
    return tuple(sorted((names.of(("field", field))[1], _member(spec, field, value, names)) for field, value in shown))


def _member(spec: Spec, field: str, value: int, names: Renames) -> str:
    type_ = spec.deck.fields[field]
    member = spec.member(type_, value)
    return names.text(f"{type_.name}.{member}").partition(".")[2] if type_.kind == "enum" else member


def _title(card: Card) -> str:
    return ", ".join(f"{field} {content}" for field, content in card)


def _users(spec: Spec) -> tuple[str, ...]:
    return (spec.deck.leave_out_rule,) if spec.deck.leave_out_rule else ()


def _status(old: Spec, new: Spec, names: Renames) -> Iterator[Change]:
    """Cards with another status or other sources, all of one content together."""
    was, now = _sources(old, names), _sources(new, Renames())
    for card in sorted(was.keys() & now.keys()):
        if was[card] != now[card]:
            before, after = (", ".join(sorted(one[card])) for one in (was, now))
            yield Change("status-changed", _title(card), (), Side(before), Side(after))


def _sources(spec: Spec, names: Renames) -> dict[Card, set[str]]:
    deck: Deck = spec.deck
    found: dict[Card, set[str]] = {}
    for row in deck.rows:
        for card in row.cards:
            says = " ".join((row.status, *row.sources))
            found.setdefault(_card(spec, deck.cards[card], names), set()).add(says)
    return found
