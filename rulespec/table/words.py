"""The words of a game in a language: its names from the glossary, its actions by the titles of its rule texts."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import TYPE_CHECKING

from rulespec.findings.catalog import DEFAULT_LANGUAGE, catalog_of, known_language
from rulespec.messages import Message, translated
from rulespec.text.languages import LANGUAGES
from rulespec.text.languages.han import in_form

if TYPE_CHECKING:
    from rulespec.api import Spec
    from rulespec.engine.ruleset import Ruleset
    from rulespec.model.types import Type
    from rulespec.text.describe.terms import Names
    from rulespec.text.translation import Translation


class Words:
    """Messages as they are: in English, with the names that the spec has."""

    lang = ""

    def of(self, message: str) -> str:
        """A message in these words."""
        return str(message)

    def text(self, rule: str) -> str:
        """The text of a rule in the language, "" if it has none."""
        return ""

    def title(self, rule: str, otherwise: str) -> str:
        """The title of a rule in the language."""
        return otherwise

    def game(self, otherwise: str) -> str:
        """The title of the game in the language."""
        return otherwise


PLAIN = Words()


class WordsIn(Words):
    """The words of a language (a BCP 47 tag) that the game has texts in."""

    def __init__(self, spec: Spec, game: Ruleset, lang: str) -> None:
        self.lang, self._spec, self._game = lang, spec, game
        self._base = catalog_of(_catalog_tag(lang))
        self._form = LANGUAGES[lang].han_form if lang in LANGUAGES and not known_language(lang) else ""

    def of(self, message: str) -> str:
        return translated(message, self) if isinstance(message, Message) else str(message)

    def template(self, english: str) -> str:
        """A template of ours in the language, or a name of the game. See `rulespec.messages.Catalog`."""
        found = self._base.template(english) if self._base is not None else english
        return in_form(found, self._form) if found != english else self.names.get(english, english)

    def plural(self, one: str, many: str, number: int) -> str:
        """The form of a template for a number."""
        return in_form((self._base or _ENGLISH).plural(one, many, number), self._form)

    def text(self, rule: str) -> str:
        found = self._texts.rules.get(rule) if self._texts is not None else None
        return found.text.text.strip() if found is not None else ""

    def title(self, rule: str, otherwise: str) -> str:
        found = self._texts.rules.get(rule) if self._texts is not None else None
        return (found.title if found is not None else "") or otherwise

    def game(self, otherwise: str) -> str:
        return (self._texts.title if self._texts is not None else "") or otherwise

    @cached_property
    def _texts(self) -> Translation | None:
        from rulespec.rulebook import texts_of

        return texts_of(self._spec).get(self.lang)

    @cached_property
    def names(self) -> Mapping[str, str]:
        """What the spec calls things, with the words of the language."""
        from rulespec.rulebook import book_of
        from rulespec.text.describe.terms import Names

        book = book_of(self._spec)
        terms = Names(self._spec.model, self.lang, book.glossary if book is not None else None)
        return {english: own for english, own in self._pairs(terms) if english and own}

    def _pairs(self, terms: Names) -> Iterator[tuple[str, str]]:
        spec = self._game.spec
        for name, enum in spec.enums.items():
            yield name.replace("_", " "), terms.term(name)
            for member in enum.members:
                if terms.is_worded(f"{name}.{member}"):
                    yield member, terms.term(f"{name}.{member}")
        for name, zone in spec.zones.items():
            yield zone.title, terms.term(name)
        for name, value in spec.values.items():
            yield value.title or name, terms.term(name)
        for face, card in zip(self._game.names.face_names, spec.deck.first_of_face, strict=True):
            yield face, self._face(terms, card) or face
        for id_, rule in spec.rules.items():
            yield rule.title, self.title(id_, rule.title)
        yield from self._actions()

    def _face(self, terms: Names, card: int) -> str:
        """A card as its face shows it, field by field; "" for one with a name that has words of its own."""
        deck = self._game.spec.deck
        fields = dict(zip(deck.fields, deck.cards[card], strict=True))
        named = deck.names.get(fields[deck.face[0]]) if deck.face else None
        shown = deck.face if named is None else re.findall(r"{(\w+)}", named)
        if named is not None and re.search(r"\w", re.sub(r"{\w+}", "", named)):
            return ""
        said = (self._content(terms, deck.fields[name], fields[name]) for name in shown)
        return " ".join(word for word in said if word)

    def _content(self, terms: Names, type_: Type, value: int) -> str:
        word = self._game.names.word(type_, value)
        name = f"{type_.name}.{word}"
        return terms.term(name) if type_.kind == "enum" and terms.is_worded(name) else word

    def _actions(self) -> Iterator[tuple[str, str]]:
        """The templates of options that pick something: the title of their rule, and what is picked."""
        actions = self._game.actions
        for option in self._game.program.options:
            rule = self._game.program.rules[option.rule]
            title = self.title(rule, "")
            if title and option.size:
                said = actions.said(option.first)
                named = ", ".join("{" + name + "}" for name in said.values)
                yield said.template, f"{title}: {named}" if named else title


def _catalog_tag(lang: str) -> str:
    """The tag of the catalog for a language: for other characters of Chinese than a catalog has, it is converted."""
    return lang if known_language(lang) else lang.partition("-")[0]


class _English:
    def plural(self, one: str, many: str, number: int) -> str:
        return one if number == 1 else many


_ENGLISH = _English()


def words_in(spec: Spec, game: Ruleset, lang: str) -> Words:
    """The words of a language for a game; those of the spec for ""."""
    return WordsIn(spec, game, lang) if lang else PLAIN


def languages_of(spec: Spec) -> tuple[str, ...]:
    """The languages that a game can be played in: those it has texts in."""
    from rulespec.rulebook import texts_of

    return tuple(texts_of(spec)) or (DEFAULT_LANGUAGE,)
