"""The words of a game in the language of a reader: names, cards, actions and rules."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from ftk_cli.page.lexicon import Lexicon, kept, nearest
from rulespec.messages import Message, say, translated

if TYPE_CHECKING:
    from rulespec import Game, Spec
    from rulespec.messages import Catalog
    from rulespec.model import Type


class Words:
    """The words of one game in one language; what its texts do not name is in the words of its spec.

    It is a catalog of messages: ours are in the catalogs of findings, those with names of the game in its lexicon.
    """

    def __init__(self, game: Game, spec: Spec, lang: str) -> None:
        from rulespec.findings import catalog_of, known_language

        found = kept(spec.id)
        lexicon: Lexicon = found.get(nearest(lang, found), {})
        self.game, self.title = game, str(lexicon.get("title", game.spec.title))
        self._names: dict[str, str] = lexicon.get("names", {})
        self._rules: dict[str, dict[str, Any]] = lexicon.get("rules", {})
        self._base: Catalog | None = catalog_of(lang) if known_language(lang) else None

    # messages

    def of(self, message: str) -> str:
        """A message, or a name of the game, in the language."""
        return translated(message if isinstance(message, Message) else say(_literal(message)), self)

    def template(self, english: str) -> str:
        """A template of ours in the language, or a name of the game."""
        if english in self._names:
            return self._names[english]
        return self._base.template(english) if self._base is not None else english

    def plural(self, one: str, many: str, number: int) -> str:
        """The form of a template for a number."""
        if self._base is not None:
            return self._base.plural(one, many, number)
        return one if number == 1 else many

    # names

    def player(self, seat: int) -> str:
        return self.of(say("player {number}", number=seat + 1))

    def content(self, type_: Type, value: int) -> str:
        """What a value of a type is called; "" if it is absent."""
        from rulespec.model import NONE

        if value == NONE:
            return ""
        if type_.kind == "player":
            return self.player(value)
        if type_.kind == "card":
            return self.of(self.game.card_name(value))
        word = self.game.names.word(type_, value)
        members = word.split(" ") if type_.kind == "enum" else [word]
        return ", ".join(self.of(member).replace("_", " ") for member in members)

    def zone(self, number: int) -> str:
        """A zone without its owner."""
        name, index = self.game.program.zones[number]
        declared = self.game.spec.zones[name]
        of = zip(declared.per, index, strict=True)
        return " · ".join([self.of(declared.title), *(self.content(t, at) for t, at in of if t.kind != "player")])

    def owner(self, number: int) -> int | None:
        """The seat that a zone belongs to."""
        name, index = self.game.program.zones[number]
        return self.game.spec.zones[name].owner(index)

    def index(self, number: int) -> list[dict[str, Any]]:
        """What a zone is for, but its owner: members of enums, as actions pick them."""
        name, index = self.game.program.zones[number]
        of = zip(self.game.spec.zones[name].per, index, strict=True)
        return [{"type": type_.name or type_.kind, "at": at} for type_, at in of if type_.kind != "player"]

    def value(self, name: str) -> str:
        return self.of(self.game.spec.values[name].title or name)

    # cards

    def face(self, face: int) -> str:
        """A card in one line."""
        return self.of(self.game.names.face_names[face]).replace("_", " ")

    def fields(self, face: int) -> list[dict[str, Any]]:
        """The fields of a card that are not in its name: their labels and words."""
        from rulespec.model import NONE

        deck = self.game.spec.deck
        card = deck.cards[deck.first_of_face[face]]
        return [
            {"label": self.of(name.replace("_", " ")), "word": self.content(type_, value)}
            for (name, type_), value in zip(deck.fields.items(), card, strict=True)
            if value != NONE and name not in deck.face
        ]

    def suit(self, face: int) -> str:
        """What the colour of a card stands for: of the fields in its name, the one with the fewest members."""
        from rulespec.model import NONE

        deck = self.game.spec.deck
        card = dict(zip(deck.fields, deck.cards[deck.first_of_face[face]], strict=True))
        named = deck.names.get(card[deck.face[0]], "") if deck.face else ""
        shown = re.findall(r"{(\w+)}", named) or deck.face
        enums = [name for name in shown if deck.fields[name].kind == "enum" and card[name] != NONE]
        fewest = min(enums, key=lambda name: deck.fields[name].high, default="")
        return self.game.names.word(deck.fields[fewest], card[fewest]) if fewest else ""

    # actions and rules

    def action(self, action: int) -> str:
        return self.of(self.game.actions.said(action))

    def kind(self, action: int) -> str:
        """The words of an action with dots for what it picks."""
        said = self.game.actions.said(action)
        return self.of(Message(said.template, dict.fromkeys(said.values, "…")))

    def rule_title(self, rule: str) -> str:
        found = self.game.spec.rules.get(rule)
        return str(self._rules.get(rule, {}).get("title", "")) or (found.title if found is not None else "") or rule

    def rule(self, rule: str) -> dict[str, Any]:
        """A rule: its title, its text as Markdown, and what its steps do; "" and nothing without a text."""
        known = self._rules.get(rule, {})
        text, does = known.get("text", ""), known.get("does", [])
        return {"rule": rule, "title": self.rule_title(rule), "text": text, "does": does}


def _literal(text: str) -> str:
    """A text as a template without values."""
    return text.replace("{", "{{").replace("}", "}}")
