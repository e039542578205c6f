"""A position as the page draws it: what one seat may know, in its language, as JSON values."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from rulespec.base.messages import say

if TYPE_CHECKING:
    from rulespec import State
    from rulespec.language.model import Type
    from rulespec.play.table import Row, Words


class Shown:
    """A position as a seat sees it, in the words of a language; None sees everything."""

    def __init__(self, state: State, words: Words, seat: int | None) -> None:
        self.state, self.words, self.seat = state, words, seat
        self.game = state.game

    def _name(self, name: str) -> str:
        """A name of the game in the language."""
        return self.words.of(say(name)).replace("_", " ")

    def _word(self, type_: Type, value: int) -> str:
        return self.words.word(self.game, type_, value)

    # zones

    def zones(self) -> list[dict[str, Any]]:
        """Every zone with cards."""
        views = self.state.view(self.seat).zones if self.seat is not None else self._everything()
        return [self._zone(*one) for one in views if one[1]]

    def _everything(self) -> Iterator[tuple[int, int, bool, list[int], list[None], dict[int, int]]]:
        faces = self.game.program.faces
        for number, cards in enumerate(self.state.z):
            shown = [faces[card] for card in cards]
            yield number, len(cards), True, shown if self.game.ordered[number] else sorted(shown), [], {}

    def _zone(self, number: int, size: int, visible: bool, faces: Any, places: Any, known: Any) -> dict[str, Any]:
        name, at = self.game.program.zones[number]
        declared = self.game.spec.zones[name]
        index = [(type_, one) for type_, one in zip(declared.per, at, strict=True) if type_.kind != "player"]
        placed = [face for face in places if face is not None]
        placed += [face for face, times in known.items() for _ in range(times)]
        return {
            "number": number,
            "title": " · ".join([self._name(declared.title), *(self._word(*one) for one in index)]),
            "owner": declared.owner(at),
            "index": [{"type": type_.name or type_.kind, "at": one} for type_, one in index],
            "size": size,
            "visible": visible,
            "cards": [self._card(face) for face in faces],
            "known": [self._card(face) for face in placed],
        }

    def _card(self, face: int) -> dict[str, Any]:
        name = self._name(self.game.names.face_names[face])
        return {
            "face": face,
            "name": name,
            "suit": self._suit(face),
            "fields": self._fields(face),
            "does": self._text(face),
        }

    def _fields(self, face: int) -> list[dict[str, Any]]:
        """The fields of a card that are not in its name: their labels and words."""
        deck = self.game.spec.deck
        rest = (name for name in deck.fields if name not in deck.face)
        found = deck.words(deck.cards[deck.first_of_face[face]], rest, self._word)
        return [{"label": self._name(name.replace("_", " ")), "word": word} for name, word in found.items() if word]

    def _text(self, face: int) -> str:
        """What a card does, in the words of its text; "" without one."""
        spec = self.game.spec
        rules = spec.rules_on(spec.deck.cards[spec.deck.first_of_face[face]])
        return "\n".join(filter(None, map(self.words.text, rules)))

    def _suit(self, face: int) -> str:
        """What the colour of a card stands for: of the fields in its name, the one with the fewest members."""
        deck, word = self.game.spec.deck, self.game.names.word
        card = dict(zip(deck.fields, deck.cards[deck.first_of_face[face]], strict=True))
        named = deck.names.get(card[deck.face[0]], "") if deck.face else ""
        shown = re.findall(r"{(\w+)}", named) or deck.face
        kinds = {name: type_ for name, type_ in deck.fields.items() if type_.kind == "enum" and "[" not in name}
        enums = [name for name in shown if name in kinds and word(kinds[name], card[name])]
        fewest = min(enums, key=lambda name: deck.fields[name].high, default="")
        return word(deck.fields[fewest], card[fewest]) if fewest else ""

    # values and actions

    def values(self) -> dict[str, Any]:
        """The values that say something."""
        from rulespec.play.table import values_of

        return values_of(self.state, self.seat, self.words).to_dict()

    def actions(self, seat: int) -> list[dict[str, Any]]:
        """The legal actions of a seat: their words, rules and parts."""
        from rulespec.play.table import choice_of

        return [self._action(row) for row in choice_of(self.state, seat, self.words).rows]

    def _action(self, row: Row) -> dict[str, Any]:
        labels = {part.name: part.label for part in row.parts}
        parts = [
            self._part(pick, at) | {"label": labels[pick.name]} for pick, at in self.game.actions.parts(row.action)
        ]
        return {"action": row.action, "text": row.words, "kind": row.open, "title": row.title, "parts": parts}

    def _part(self, pick: Any, at: int) -> dict[str, Any]:
        is_card = pick.type.kind == "card"
        word = self._name(self.game.names.face_names[at]) if is_card else self._word(pick.type, at)
        return {"name": pick.name, "type": pick.type.name or pick.type.kind, "at": at, "word": word}
