"""Decks: files with cards that take the place of some that a spec lists."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from rulespec.diagnostics import Finding, Severity, finding
from rulespec.document import Mapping as MapNode
from rulespec.document import Node, Scalar, Sequence, parse
from rulespec.model.build import build
from rulespec.model.names import Names, suggest
from rulespec.model.nodes import entries, items, mapping, scalar, text
from rulespec.model.reader import Reader
from rulespec.model.spec import ManifestRow, Spec
from rulespec.model.types import NONE
from rulespec.model.written import written_value
from rulespec.schema.validate import findings as schema_findings
from rulespec.source import Source


@dataclass(frozen=True)
class Deck:
    """A deck of the right form: its document, and its findings (warnings at most)."""

    root: MapNode
    findings: tuple[Finding, ...]

    @property
    def source(self) -> Source:
        return self.root.source

    @property
    def game(self) -> Scalar:
        """The id of the game it is for, as it stands there."""
        return scalar(self.root.get("game"))

    def say(self, name: str, message: str, node: Node, hint: str) -> Finding:
        return finding(name, message, node.source, node.span, hint)


def read_deck(source: Source) -> tuple[Deck | None, list[Finding]]:
    """The deck in a text; None where its form is wrong. Never raises for bad text."""
    root, found = parse(source)
    found += schema_findings(root, source, "deck-1") if root is not None else ()
    if not isinstance(root, MapNode) or _wrong(found):
        return None, found
    return Deck(root, tuple(found)), found


def with_deck(root: Node, alone: Spec, deck: Deck) -> tuple[Spec | None, list[Finding]]:
    """The game with the cards of a deck, None where they do not fit; what is wrong with them.

    `root` is the document of the spec, and `alone` what it is without the deck.
    """
    if deck.game.text != alone.id:
        message = f"This deck is of the game `{deck.game.text}`, not of `{alone.id}`."
        return None, [deck.say("deck-other-game", message, deck.game, "Use it with its own game, or change `game:`.")]
    going, found = _going(alone, deck)
    if found:
        return None, found
    together, found = build(_overlay(mapping(root), alone, deck, going), alone.source)
    found += _incomplete(alone, deck, going)
    if together is None:
        return None, found
    found += _misfits(alone, together, deck, going)
    return (None if _wrong(found) else _sealed(alone, together, deck)), found


def _wrong(found: Iterable[Finding]) -> bool:
    return any(one.severity == Severity.ERROR for one in found)


def _sealed(alone: Spec, together: Spec, deck: Deck) -> Spec:
    # A control character stands in neither text, so no other two texts have the same digest.
    texts = f"{alone.source.text}\0{deck.source.text}"
    cards = replace(together.deck, totals=alone.deck.totals)
    return replace(together, deck=cards, digest=hashlib.sha256(texts.encode()).hexdigest())


# --- what goes out ---------------------------------------------------------------------------------------------------

_Wanted = Mapping[str, int]
"""Fields and the value of each that a card must have to go out."""


@dataclass(frozen=True)
class _Going:
    """The cards of the spec that go out, by their numbers, and what they were chosen by."""

    wanted: _Wanted
    cards: frozenset[int]


def _going(alone: Spec, deck: Deck) -> tuple[_Going, list[Finding]]:
    replaces = mapping(deck.root.get("replaces"))
    answers = {id_: ruling.options for id_, ruling in alone.rulings.items()}
    members = {name: enum.members for name, enum in alone.enums.items()}
    reader = Reader(deck.source, Names(alone.players, {**members}, {**answers}, {**alone.deck.fields}))
    wanted = {key.text: value for key, node in entries(replaces) if (value := _wanted(reader, key, node)) is not None}
    going = _Going(wanted, frozenset(_having(alone, wanted)))
    found = [*reader.findings, *_strangers(deck, replaces)]
    if not found and not going.cards:
        message = f"No card of {alone.title} has {'all of this' if len(wanted) > 1 else 'this'}."
        hint = f"Look the cards up with `ftk cards {alone.id}`."
        found.append(deck.say("deck-replaces-nothing", message, replaces, hint))
    return going, found


def _wanted(reader: Reader, key: Scalar, node: Node) -> int | None:
    """The value of a field that goes out; None after a finding."""
    type_ = reader.names.fields.get(key.text)
    if type_ is None:
        hint = suggest(key.text, reader.names.fields)
        reader.say("unknown-field", f"cards have no field `{key.text}`", key, hint)
    elif type_.kind == "set":
        message = f"`{key.text}` holds a set, and cards are chosen by fields with one value"
        reader.say("wrong-value", message, key, "Name another field.")
    else:
        return written_value(reader, type_.required(), text(node), node)
    return None


def _having(alone: Spec, wanted: _Wanted) -> Iterator[int]:
    columns = [(alone.deck.column(name), value) for name, value in wanted.items()]
    return (at for at, card in enumerate(alone.deck.cards) if all(card[i] == value for i, value in columns))


def _strangers(deck: Deck, replaces: MapNode) -> Iterator[Finding]:
    """Cards of the deck that say something else where those they replace are all alike."""
    for row in items(deck.root.get("cards")):
        for key, value in entries(replaces):
            own = mapping(row).get(key.text)
            if own is not None and any(text(item) != text(value) for item in items(own)):
                message = f"Every card of this deck has {key.text} {text(value)}, as those it replaces."
                yield deck.say("deck-other-card", message, own, "Delete it; other cards go into a deck of their own.")


# --- the document with the deck's rows -------------------------------------------------------------------------------


def _overlay(root: MapNode, alone: Spec, deck: Deck, going: _Going) -> MapNode:
    """The spec's document with the rows of the deck where the first card goes out. Its totals are compared later."""
    cards = mapping(root.get("cards"))
    rows: list[Node] = []
    coming = [*_coming(deck)]
    for row, entry in zip(items(cards.get("manifest")), alone.deck.rows, strict=True):
        if going.cards.isdisjoint(entry.cards):
            rows.append(row)
        else:
            rows += [*coming, *_staying(mapping(row), alone, entry, going.wanted)]
            coming = []
    manifest = Sequence(cards.span, tuple(rows), cards.source)
    rest = [(key, value) for key, value in cards.entries if key.text not in ("manifest", "totals")]
    key = cards.key("manifest")
    assert key is not None  # a card goes out, so there is a list of them
    return _with(root, {"cards": MapNode(cards.span, (*rest, (key, manifest)), cards.source)})


def _with(node: MapNode, values: Mapping[str, Node]) -> MapNode:
    changed = tuple((key, values.get(key.text, value)) for key, value in node.entries)
    return MapNode(node.span, changed, node.source)


def _coming(deck: Deck) -> Iterator[MapNode]:
    """The rows of the deck, each with the fields that all of them have."""
    common = mapping(deck.root.get("replaces")).entries
    for row in map(mapping, items(deck.root.get("cards"))):
        missing = ((key, value) for key, value in common if row.get(key.text) is None)
        yield MapNode(row.span, (*row.entries, *missing), row.source)


def _staying(row: MapNode, alone: Spec, entry: ManifestRow, wanted: _Wanted) -> Iterator[MapNode]:
    """What is left of a row that stands for several sorts of cards: a row for each sort that does not go out."""
    fields = alone.deck.fields
    columns = [alone.deck.column(name) for name in wanted]
    sorts = dict.fromkeys(tuple(alone.deck.cards[card][i] for i in columns) for card in entry.cards)
    for sort in sorts:
        if sort != tuple(wanted.values()):
            words = zip(wanted, sort, strict=True)
            yield _with(row, {name: _word(row, name, alone.member(fields[name], value)) for name, value in words})


def _word(row: MapNode, field: str, word: str) -> Scalar:
    node = row.get(field)
    assert node is not None  # some cards of the row go out, so it has the field
    return Scalar(node.span, word, word, "", node.source)


# --- what does not fit -----------------------------------------------------------------------------------------------


def _misfits(alone: Spec, together: Spec, deck: Deck, going: _Going) -> Iterator[Finding]:
    """Another number of cards, or else totals that no longer hold: with a card too few, some total is always wrong."""
    number = sum(len(entry.cards) for entry in together.deck.rows if entry.source is deck.source)
    heading = deck.root.key("cards") or deck.root
    if number != len(going.cards):
        message = f"This deck has {_cards(number)}, the game has {len(going.cards)} of them."
        yield deck.say("deck-wrong-number", message, heading, "Count lists, ranges and `copies` too.")
        return
    for words, counted, total in _totals(alone, together):
        message = f"With this deck the game has {_cards(counted)} with {words}; its total says {total}."
        yield deck.say("deck-breaks-total", message, heading, "Compare the deck with the cards once more.")


def _cards(number: int) -> str:
    return f"{number} card{'s' * (number != 1)}"


def _incomplete(alone: Spec, deck: Deck, going: _Going) -> Iterator[Finding]:
    """Rows without a field that need not be there by its type, but is on every card that goes out."""
    columns = [(i, name) for i, (name, type_) in enumerate(alone.deck.fields.items()) if type_.optional]
    needed = [name for i, name in columns if all(alone.deck.cards[card][i] != NONE for card in going.cards)]
    for row in map(mapping, items(deck.root.get("cards"))):
        lacks = [f"`{name}`" for name in needed if name not in going.wanted and row.get(name) is None]
        if lacks:
            message = f"This card has no {' and no '.join(lacks)}; every card that goes out has {_it(lacks)}."
            yield deck.say("deck-lacks-field", message, row, "Look it up on the card.")


def _it(named: list[str]) -> str:
    return "one" if len(named) == 1 else "them"


def _totals(alone: Spec, together: Spec) -> Iterator[tuple[str, int, int]]:
    """The totals of the game that the cards do not add up to: of what, how many there are, how many there should be."""
    for column, (name, type_) in enumerate(alone.deck.fields.items()):
        for value, total in alone.deck.totals.get(name, {}).items():
            counted = sum(card[column] == value for card in together.deck.cards)
            if counted != total:
                yield f"{name} {alone.member(type_, value)}", counted, total
