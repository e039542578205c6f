"""The words of a game in a language: its own from its lexicon, those of messages from the catalogs."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from rulespec.base.findings.catalog import DEFAULT_LANGUAGE, catalog_of
from rulespec.base.messages import say, translated
from rulespec.engine.knowledge.results import player_words
from rulespec.games.rulebook import texts_of
from rulespec.language.model.types import NONE
from rulespec.play.table.lexicon import Lexicon, lexicon_of, rule_texts
from rulespec.text.languages.han import in_form
from rulespec.text.languages.registry import find
from rulespec.text.rules.describe.grammar import grammar_in, grammar_of
from rulespec.text.rules.describe.linearise import Linearizer
from rulespec.text.rules.describe.lines import sentence
from rulespec.text.rules.describe.naming import Style
from rulespec.text.rules.describe.terms import Names

if TYPE_CHECKING:
    from rulespec.engine.rules.ruleset import Ruleset
    from rulespec.games.api import Spec
    from rulespec.language.model.phrase import Phrase
    from rulespec.language.model.spec import Spec as Model
    from rulespec.language.model.types import Type


class Words:
    """A catalog of messages (see `rulespec.base.messages.Catalog`) in the words of a language (a BCP 47 tag) and of a
    game.

    Without a language, messages are as they are: in English, with the names that the spec has.
    """

    def __init__(self, lang: str = "", lexicon: Lexicon | None = None) -> None:
        self.lang, self.lexicon = lang, lexicon or Lexicon()
        self._linearizer: Linearizer | None = None
        # Without a grammar what happens is said in English, and messages around it are, too.
        self._catalog = catalog_of(lang.partition("-")[0]) if lang and is_spoken(lang) else None
        self._form = find(lang).han_form if self._catalog is not None else ""  # which the catalog is converted to

    def phrase(self, spec: Model, phrase: Phrase, case: str = "") -> str:
        """What is said of a game, in the language, or in English if that lacks a name in it; in the case `alone` as a
        label, where a grammar has that."""
        return self._linearizer_for(spec).written(lambda say: say(phrase, case)).replace("_", " ")

    def option(self, spec: Model, says: str) -> str:
        """The template of an option with the cases of its picks; "" where the language has none."""
        return self._linearizer_for(spec).template(says)

    def picked(self, spec: Model, template: str, name: str, pick: Phrase) -> str:
        """What stands in the template of an option for a pick of one thing."""
        return self._linearizer_for(spec).written(lambda say: say.picked(template, name, pick)).replace("_", " ")

    def sentence(self, spec: Model, said: Phrase) -> str:
        """The same as a sentence: with a capital letter and a full stop, unless it has one."""
        text = self._linearizer_for(spec).written(lambda say: sentence(Style(say), said))
        return _STOPS.sub(r"\1", text.replace("_", " "))

    def _linearizer_for(self, spec: Model) -> Linearizer:
        if self._linearizer is None or self._linearizer.names.spec is not spec:
            self._linearizer = self._linearizer_of(spec)
        return self._linearizer

    def _linearizer_of(self, spec: Model) -> Linearizer:
        if not self.lang or not is_spoken(self.lang):
            return Linearizer(Names(spec, DEFAULT_LANGUAGE), grammar_of(DEFAULT_LANGUAGE))
        is_own = self.lang == DEFAULT_LANGUAGE
        names = Names(spec, self.lang, self.lexicon.nouns, self.lexicon.titles, whole=not is_own)
        return Linearizer(names, grammar_of(self.lang), self.of, None if is_own else PLAIN._linearizer_of(spec))

    @property
    def is_english(self) -> bool:
        """Whether messages are in English: without a language, and in one without a grammar."""
        return self._catalog is None

    def of(self, message: str) -> str:
        """A message in these words."""
        return translated(message, self) if self.lang else str(message)

    def template(self, english: str) -> str:
        """A name of the game, or a template of ours, in the language. A game may name things as we name others."""
        own = self.lexicon.names.get(english)
        if own is not None or self._catalog is None:
            return own or english
        return in_form(self._catalog.template(english), self._form)

    def plural(self, one: str, many: str, number: int) -> str:
        """The form of a template for a number."""
        if self._catalog is None:
            return one if number == 1 else many
        return in_form(self._catalog.plural(one, many, number), self._form)

    def player(self, seat: int) -> str:
        """A player, by the seat from 0."""
        return self.of(player_words(seat))

    def word(self, game: Ruleset, type_: Type, value: int) -> str:
        """What a value of a type is called; "" if it is absent."""
        if value == NONE:
            return ""
        if type_.kind == "player":
            return self.player(value)
        word = game.names.word(type_, value)
        members = word.split(" ") if type_.kind == "set" else [word]
        return ", ".join(self.of(say(member)) for member in members).replace("_", " ")

    def field(self, name: str) -> str:
        """The label of a field of cards."""
        noun = self.lexicon.nouns.get(name)
        return noun.text if noun is not None else self.of(say(name.replace("_", " ")))

    def has_sentence(self, value: str) -> bool:
        """Whether the language has a sentence that reports a change of a value."""
        return value in self.lexicon.nouns and bool(self.lexicon.nouns[value].becomes)

    def text(self, rule: str) -> str:
        """The text of a rule in the language, "" if it has none."""
        return self.lexicon.texts.get(rule, "")

    def title(self, rule: str, otherwise: str) -> str:
        """The title of a rule in the language; the title in the spec may have words of its own, as an option has."""
        return self.lexicon.titles.get(rule) or self.lexicon.names.get(otherwise, otherwise)

    def game(self, otherwise: str) -> str:
        """The title of the game in the language."""
        return self.lexicon.title or otherwise


PLAIN = Words()

_STOPS = re.compile("([.…。])[.。]$")
"""A full stop too many: messages in a sentence may have one of their own."""


def words_in(spec: Spec, game: Ruleset, lang: str) -> Words:
    """The words of a language for a game; those of the spec for "", with the English texts of rules.

    Without a grammar of the language only the texts of rules are in it: names of the game would stand in English
    sentences."""
    if not lang or not is_spoken(lang):
        return Words(lang, Lexicon(texts=rule_texts(spec, lang or DEFAULT_LANGUAGE)))
    return Words(lang, lexicon_of(spec, lang, game))


def is_spoken(lang: str) -> bool:
    """Whether a language has a grammar, in which what happens in a game is reported."""
    return grammar_in(find(lang)) is not None


def languages_of(spec: Spec) -> tuple[str, ...]:
    """The languages that a game can be played in: those it has texts in."""
    return tuple(texts_of(spec)) or (DEFAULT_LANGUAGE,)
