"""Decks: files with cards that replace some cards of a spec."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from rulespec.base.diagnostics import Finding, Severity, finding
from rulespec.base.messages import Message, all_of, counted, say
from rulespec.base.source import Source
from rulespec.language.document import Mapping as MapNode
from rulespec.language.document import Node, Scalar, Sequence
from rulespec.language.formats import document
from rulespec.language.model.build import build
from rulespec.language.model.infer.advice import listed
from rulespec.language.model.names import Names, suggest
from rulespec.language.model.nodes import entries, items, mapping, scalar, text
from rulespec.language.model.reader import Reader
from rulespec.language.model.spec import Deck as Cards
from rulespec.language.model.spec import ManifestRow, Spec, field_of
from rulespec.language.model.types import NONE
from rulespec.language.model.written import written_value


@dataclass(frozen=True)
class Deck:
    """A deck file of the right form: its document and its findings, which are warnings at most."""

    root: MapNode
    findings: tuple[Finding, ...]

    @property
    def source(self) -> Source:
        return self.root.source

    @property
    def game(self) -> Scalar:
        """The node with the id of the game that the deck is for."""
        return scalar(self.root.get("game"))

    def report(self, name: str, message: Message, node: Node, hint: Message) -> Finding:
        return finding(name, message, node.source, node.span, hint)


def read_deck(source: Source) -> tuple[Deck | None, list[Finding]]:
    """The deck in a text; None if its form is wrong. Never raises for bad text."""
    root, found = document(source, "deck")
    if not isinstance(root, MapNode) or _wrong(found):
        return None, found
    return Deck(root, tuple(found)), found


def with_deck(root: Node, alone: Spec, deck: Deck) -> tuple[Spec | None, list[Finding]]:
    """The game with the cards of a deck, None if they do not fit; and the findings about them.

    `root` is the document of the spec, `alone` its model without the deck.
    """
    if deck.game.text != alone.id:
        message = say("This deck is for the game `{game}`, not for `{alone}`.", game=deck.game.text, alone=alone.id)
        hint = say("Use the deck with its own game, or change `game:`.")
        return None, [deck.report("deck-other-game", message, deck.game, hint)]
    going, found = _going(alone, deck)
    if found:
        return None, found
    together, found = build(_replaced(mapping(root), alone, deck, going), alone.source)
    found += _incomplete(alone, deck, going)
    if together is None:
        return None, found
    found += _misfits(alone, together, deck, going)
    return (None if _wrong(found) else _sealed(alone, together, deck)), found


def _wrong(found: Iterable[Finding]) -> bool:
    return any(one.severity == Severity.ERROR for one in found)


def _sealed(alone: Spec, together: Spec, deck: Deck) -> Spec:
    # Neither text contains a control character, so no other two texts have the same digest.
    texts = f"{alone.source.text}\0{deck.source.text}"
    cards = replace(together.deck, totals=alone.deck.totals)
    return replace(together, deck=cards, digest=hashlib.sha256(texts.encode()).hexdigest())


# --- the cards that are replaced -------------------------------------------------------------------------------------

_Wanted = Mapping[str, int]
"""The fields, with their values, of the cards that are replaced."""


@dataclass(frozen=True)
class _Going:
    """The numbers of the cards of the spec that are replaced, and the fields that select them."""

    wanted: _Wanted
    cards: frozenset[int]


def _going(alone: Spec, deck: Deck) -> tuple[_Going, list[Finding]]:
    replaces = mapping(deck.root.get("replaces"))
    answers = {id_: ruling.options for id_, ruling in alone.rulings.items()}
    members = {name: enum.members for name, enum in alone.enums.items()}
    # Unpacked for the type checker: in the dictionaries of names a value may be None.
    reader = Reader(deck.source, Names(alone.players, {**members}, {**answers}, {**alone.deck.fields}))
    reader.names.per_member = {**alone.deck.per_member}
    wanted = {key.text: value for key, node in entries(replaces) if (value := _wanted(reader, key, node)) is not None}
    going = _Going(wanted, frozenset(_having(alone, wanted)))
    found = [*reader.findings, *_strangers(deck, replaces)]
    if not found and not going.cards:
        message = counted(
            "No card of {game} has this value.",
            "No card of {game} has all of these values.",
            len(wanted),
            game=alone.title,
        )
        hint = say("List the cards with `ftk cards {alone}`.", alone=alone.id)
        found.append(deck.report("deck-replaces-nothing", message, replaces, hint))
    return going, found


def _wanted(reader: Reader, key: Scalar, node: Node) -> int | None:
    """The value of a field that selects cards; None after a finding."""
    type_ = reader.names.fields.get(key.text)
    if key.text in reader.names.per_member:
        message = say("`{key}` has a value for each member; cards are selected by fields with one value.", key=key.text)
        reader.report("wrong-value", message, key, say("Name another field."))
    elif type_ is None:
        known = reader.names.field_names
        hint = suggest(key.text, known) or listed(say("A card has {names}."), known)
        reader.report("unknown-field", say("Cards have no field `{name}`.", name=key.text), key, hint)
    elif type_.kind == "set":
        message = say("`{key}` holds a set; cards are selected by fields with one value.", key=key.text)
        reader.report("wrong-value", message, key, say("Name another field."))
    else:
        return written_value(reader, type_.required(), text(node), node)
    return None


def _having(alone: Spec, wanted: _Wanted) -> Iterator[int]:
    columns = [(alone.deck.column(name), value) for name, value in wanted.items()]
    return (at for at, card in enumerate(alone.deck.cards) if all(card[i] == value for i, value in columns))


def _strangers(deck: Deck, replaces: MapNode) -> Iterator[Finding]:
    """Cards of the deck with another value in a field that is the same on all cards they replace."""
    for row in items(deck.root.get("cards")):
        for key, value in entries(replaces):
            own = mapping(row).get(key.text)
            # A mapping of members is reported where the field is read.
            single = own if not isinstance(own, MapNode) else None
            if single is not None and any(text(item) != text(value) for item in items(single)):
                message = say(
                    "Every card of this deck must have {key} {value}, like the cards it replaces.",
                    key=key.text,
                    value=text(value),
                )
                yield deck.report(
                    "deck-other-card", message, single, say("Delete it, or move the card to another deck.")
                )


# --- the document with the deck's rows -------------------------------------------------------------------------------


def _replaced(root: MapNode, alone: Spec, deck: Deck, going: _Going) -> MapNode:
    """The document of the spec with the rows of the deck in place of the first replaced card, and without totals."""
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
    # Totals are compared later, by `_totals`: the finding belongs into the deck, not into the spec.
    rest = [(key, value) for key, value in cards.entries if key.text not in ("manifest", "totals")]
    key = cards.key("manifest")
    assert key is not None  # a card is replaced, so there is a list of cards
    return _with(root, {"cards": MapNode(cards.span, (*rest, (key, manifest)), cards.source)})


def _with(node: MapNode, values: Mapping[str, Node]) -> MapNode:
    changed = tuple((key, values.get(key.text, value)) for key, value in node.entries)
    return MapNode(node.span, changed, node.source)


def _coming(deck: Deck) -> Iterator[MapNode]:
    """The rows of the deck, each with the fields that they share."""
    common = mapping(deck.root.get("replaces")).entries
    for row in map(mapping, items(deck.root.get("cards"))):
        missing = ((key, value) for key, value in common if row.get(key.text) is None)
        yield MapNode(row.span, (*row.entries, *missing), row.source)


def _staying(row: MapNode, alone: Spec, entry: ManifestRow, wanted: _Wanted) -> Iterator[MapNode]:
    """What remains of a row that stands for several kinds of cards: one row for each kind that is not replaced."""
    fields = alone.deck.fields
    columns = [alone.deck.column(name) for name in wanted]
    sorts = dict.fromkeys(tuple(alone.deck.cards[card][i] for i in columns) for card in entry.cards)
    for sort in sorts:
        if sort != tuple(wanted.values()):
            words = zip(wanted, sort, strict=True)
            yield _with(row, {name: _word(row, name, alone.member(fields[name], value)) for name, value in words})


def _word(row: MapNode, field: str, word: str) -> Scalar:
    node = row.get(field)
    assert node is not None  # some cards of the row are replaced, so it has the field
    return Scalar(node.span, word, word, "", node.source)


# --- cards that do not fit -------------------------------------------------------------------------------------------


def _misfits(alone: Spec, together: Spec, deck: Deck, going: _Going) -> Iterator[Finding]:
    """A wrong number of cards; if the number is right, totals that no longer hold."""
    number = sum(len(entry.cards) for entry in together.deck.rows if entry.source == deck.source)
    heading = deck.root.key("cards") or deck.root
    if number != len(going.cards):
        message = say("This deck has {cards}; it replaces {replaced}.", cards=_cards(number), replaced=len(going.cards))
        yield deck.report(
            "deck-wrong-number", message, heading, say("Count the cards again, with lists, ranges and `copies`.")
        )
        return
    for words, number, total in _totals(alone, together):
        message = say(
            "With this deck the game has {cards} with {words}; its total is {total}.",
            cards=_cards(number),
            words=words,
            total=total,
        )
        yield deck.report("deck-breaks-total", message, heading, say("Compare the deck with the printed cards."))


def _cards(number: int) -> Message:
    return counted("{number} card", "{number} cards", number)


def _incomplete(alone: Spec, deck: Deck, going: _Going) -> Iterator[Finding]:
    """Rows without an optional field that every replaced card has."""
    columns = [(i, name) for i, (name, type_) in enumerate(alone.deck.fields.items()) if type_.optional]
    needed = [name for i, name in columns if all(alone.deck.cards[card][i] != NONE for card in going.cards)]
    for row in map(mapping, items(deck.root.get("cards"))):
        lacks = [f"`{name}`" for name in needed if name not in going.wanted and not _has(row, alone.deck, name)]
        if lacks:
            message = counted(
                "This card has no {fields}; every card it replaces has one.",
                "This card lacks {fields}; every card it replaces has them.",
                len(lacks),
                fields=all_of(lacks),
            )
            yield deck.report("deck-lacks-field", message, row, say("Add the value that is printed on the card."))


def _has(row: MapNode, cards: Cards, column: str) -> bool:
    """Whether a row says what its cards have in a column."""
    found, field = row.get(field_of(column)), cards.per_member.get(field_of(column))
    if field is None or not isinstance(found, MapNode):
        return found is not None
    return found.get(column.removeprefix(f"{field.name}[").removesuffix("]")) is not None


def _totals(alone: Spec, together: Spec) -> Iterator[tuple[str, int, int]]:
    """The totals of the game that do not match: what is counted, the number found, the number wanted."""
    for column, (name, type_) in enumerate(alone.deck.fields.items()):
        for value, total in alone.deck.totals.get(name, {}).items():
            counted = sum(card[column] == value for card in together.deck.cards)
            if counted != total:
                yield f"{name} {alone.member(type_, value)}", counted, total
