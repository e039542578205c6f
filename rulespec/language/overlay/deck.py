"""Decks: overlays of the manifest, whose rows take the place of all cards with given values."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rulespec.base.messages import Message, all_of, counted, say
from rulespec.language.document import parse
from rulespec.language.document.nodes import Mapping, Node, Scalar, Sequence
from rulespec.language.document.unparse import unparse
from rulespec.language.model import manifest
from rulespec.language.model.names import Names
from rulespec.language.model.nodes import entries, items, mapping, text
from rulespec.language.model.reader import Reader
from rulespec.language.model.spec import ManifestRow, Spec
from rulespec.language.model.types import NONE
from rulespec.language.model.written import written_value
from rulespec.language.overlay.file import MANIFEST, Overlay
from rulespec.language.overlay.merge import put, put_rows
from rulespec.language.overlay.patch import edited
from rulespec.language.overlay.stack import Joined


def with_deck(alone: Spec, overlay: Overlay) -> Joined:
    """The spec with the cards of a deck, None if they do not fit; and the findings about them."""
    deck = _Deck(alone, overlay)
    for check in (_game, _values, _fields, _numbers):
        check(deck)
        if deck.reader.findings:
            return None, deck.reader.findings
    root = mapping(parse(alone.source)[0])
    return unparse(deck.joined(root), (*alone.source.files, overlay.source), alone.variant, (root, overlay.root)), []


class _Deck:
    """A deck with the spec `alone`, whose cards it replaces.

    `written` are its rows, and `rows` the same with the fields that they share. `wanted` are the fields, with their
    values, that select the cards that are `going`; `coming` are those of the deck. `reader` collects the findings.
    """

    def __init__(self, alone: Spec, overlay: Overlay) -> None:
        self.alone, self.cards, self.game = alone, alone.deck.cards, overlay.base
        # Unpacked for the type checker: in the dictionaries of names a value may be None.
        members, deck = {name: enum.members for name, enum in alone.enums.items()}, alone.deck
        names = Names(alone.players, {**members}, fields={**deck.fields}, per_member={**deck.per_member})
        self.reader = Reader(overlay.source, names)
        self.heading = overlay.root.key("cards") or overlay.root
        self.replaces = mapping(overlay.root.get("replaces"))
        self.written = [mapping(row) for row in items(overlay.root.get("cards"))]
        self.rows = [edited(self.replaces, row) for row in self.written]
        self.wanted: dict[str, int] = {}
        self.going: set[int] = set()
        self.coming: tuple[tuple[int, ...], ...] = ()

    def kind(self, card: int) -> dict[str, int]:
        """What a card has in the fields that select cards."""
        return {name: self.cards[card][self.alone.deck.column(name)] for name in self.wanted}

    def joined(self, root: Mapping) -> Mapping:
        """The document of the spec with the rows of the deck in place of the first card that they replace."""
        written = mapping(root.get("cards")).get(MANIFEST)
        assert written is not None  # a card is replaced, so there is a list of cards
        rows = zip(items(written), self.alone.deck.rows, strict=True)
        return put_rows(root, Sequence(written.span, tuple(self._together(rows)), written.source))

    def _together(self, rows: Iterable[tuple[Node, ManifestRow]]) -> Iterator[Node]:
        coming = self.rows
        for row, entry in rows:
            if self.going.isdisjoint(entry.cards):
                yield row
                continue
            yield from coming
            coming = []
            # Of a row that stands for several kinds of cards, there remains one for each kind that is not replaced.
            kinds = {tuple(kind.values()): kind for kind in map(self.kind, entry.cards) if kind != self.wanted}
            yield from (self._of_kind(mapping(row), kind) for kind in kinds.values())

    def _of_kind(self, row: Mapping, kind: dict[str, int]) -> Mapping:
        for name, value in kind.items():
            node = row.get(name)
            assert node is not None  # some cards of the row are replaced, so it has the field
            word = self.alone.member(self.alone.deck.fields[name], value)
            row = put(row, name, Scalar(node.span, word, word, "", node.source))
        return row


# --- cards that do not fit: each check runs if the ones before it find nothing ----------------------------------------


def _game(deck: _Deck) -> None:
    game, alone = deck.game, deck.alone.id
    if game.text != alone:
        message = say("This deck is for the game `{game}`, not for `{alone}`.", game=game.text, alone=alone)
        deck.reader.report("deck-other-game", message, game, say("Use the deck with its own game, or change `game:`."))


def _values(deck: _Deck) -> None:
    """Reads which cards are replaced. The cards of the deck must have the same values as these."""
    for key, node in entries(deck.replaces):
        if (value := _wanted(deck.reader, key, node)) is not None:
            deck.wanted[key.text] = value
        for own in (row.get(key.text) for row in deck.written):
            # A mapping of members is reported where the field is read.
            if own is not None and not isinstance(own, Mapping) and any(text(one) != text(node) for one in items(own)):
                message = say(
                    "Every card of this deck must have {key} {value}, like the cards it replaces.",
                    key=key.text,
                    value=text(node),
                )
                hint = say("Delete it, or move the card to another deck.")
                deck.reader.report("deck-other-card", message, own, hint)
    deck.going = {card for card in range(len(deck.cards)) if deck.kind(card) == deck.wanted}
    if not deck.reader.findings and not deck.going:
        message = counted(
            "No card of {game} has this value.",
            "No card of {game} has all of these values.",
            len(deck.wanted),
            game=deck.alone.title,
        )
        hint = say("List the cards with `ftk cards {alone}`.", alone=deck.alone.id)
        deck.reader.report("deck-replaces-nothing", message, deck.replaces, hint)


def _wanted(reader: Reader, key: Scalar, node: Node) -> int | None:
    """The value of a field that selects cards; None after a finding."""
    type_ = reader.names.fields.get(key.text)
    if key.text in reader.names.per_member or (type_ is not None and type_.kind == "set"):
        message = say("`{key}` may have several values; cards are selected by fields with one value.", key=key.text)
        reader.report("wrong-value", message, key, say("Name another field."))
    elif manifest.known_field(reader, key.text, key) and type_ is not None:
        return written_value(reader, type_.required(), text(node), node)
    return None


def _fields(deck: _Deck) -> None:
    """Reads the cards of the deck. They must have the optional fields that every replaced card has."""
    deck.coming = manifest.cards(deck.reader, deck.rows, manifest.Declared(deck.alone.sources, deck.alone.tables)).cards
    columns = [(at, name) for at, (name, type_) in enumerate(deck.alone.deck.fields.items()) if type_.optional]
    needed = [name for at, name in columns if all(deck.cards[card][at] != NONE for card in deck.going)]
    for row in deck.written:
        if lacks := [f"`{name}`" for name in needed if name not in deck.wanted and _value(row, name) is None]:
            message = counted(
                "This card has no {fields}; every card it replaces has one.",
                "This card lacks {fields}; every card it replaces has them.",
                len(lacks),
                fields=all_of(lacks),
            )
            hint = say("Add the value that is printed on the card.")
            deck.reader.report("deck-lacks-field", message, row, hint)


def _value(row: Mapping, column: str) -> Node | None:
    """What a row says of a column: of a field, or of one of the members that it has values for."""
    name, _, member = column.partition("[")
    node = row.get(name)
    return node.get(member.removesuffix("]")) if member and isinstance(node, Mapping) else node


def _numbers(deck: _Deck) -> None:
    """The deck must have as many cards as it replaces; and the totals of the game must hold."""
    going, coming = len(deck.going), len(deck.coming)
    if going != coming:
        message = say("This deck has {cards}; it replaces {replaced}.", cards=_cards(coming), replaced=going)
        hint = say("Count the cards again, with lists, ranges and `copies`.")
        deck.reader.report("deck-wrong-number", message, deck.heading, hint)
        return
    together = [*(one for card, one in enumerate(deck.cards) if card not in deck.going), *deck.coming]
    for column, (name, type_) in enumerate(deck.alone.deck.fields.items()):
        for value, total in deck.alone.deck.totals.get(name, {}).items():
            number = sum(card[column] == value for card in together)
            if number != total:
                message = say(
                    "With this deck the game has {cards} with {words}; its total is {total}.",
                    cards=_cards(number),
                    words=f"{name} {deck.alone.member(type_, value)}",
                    total=total,
                )
                hint = say("Compare the deck with the printed cards.")
                deck.reader.report("deck-breaks-total", message, deck.heading, hint)


def _cards(number: int) -> Message:
    return counted("{number} card", "{number} cards", number)
