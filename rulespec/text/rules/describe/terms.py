"""The names of a spec in the words of a language."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

import regex

from rulespec.language.model.phrase import Phrase
from rulespec.language.model.spec import Spec, title_of
from rulespec.text.glossary.check import has_picks_of, names_of
from rulespec.text.glossary.concepts import Glossary, Terms

_CASE = regex.compile(r"{(\w+)\.\w+}")


class Unnamed(Exception):
    """Raised for a name of the spec that has no word in the language: a sentence with it is said in another one."""


@dataclass(frozen=True)
class Noun:
    """What a name of the spec is called: `text` alone, and in the cases of the language. `gender` is what other words
    agree with, `becomes` the sentence that says a change of the value. A case and the sentence may have the indices of
    a value or zone in braces."""

    text: str
    gender: str = ""
    cases: Mapping[str, str] = field(default_factory=dict)
    becomes: str = ""


def nouns_of(glossary: Glossary | None, lang: str) -> dict[str, Noun]:
    """The nouns of a language, by the names of the spec: labels and preferred terms of the glossary."""
    concepts = glossary.concepts.values() if glossary is not None else ()
    known = ((concept.names, concept.terms.get(lang)) for concept in concepts if concept.names)
    return {name: noun for name, terms in known if terms is not None and (noun := _noun(terms)) is not None}


def _noun(terms: Terms) -> Noun | None:
    term = terms.label or terms.preferred
    if term is None:
        return None
    cases = {case: form.text for case, form in terms.cases.items()}
    gender, becomes = (one.text if one is not None else "" for one in (terms.gender, terms.becomes))
    return Noun(term.text, gender, cases, becomes)


@dataclass(frozen=True)
class Names:
    """The names of a spec in a language: its nouns, else titles and names of the spec.

    `titles` are the titles of rules in that language. With `whole`, a name without a word in the language raises
    `Unnamed`, unless it is no word at all, such as the letter of a card: a sentence is never in two languages.
    """

    spec: Spec
    lang: str
    nouns: Mapping[str, Noun] = field(default_factory=dict)
    titles: Mapping[str, str] = field(default_factory=dict)
    whole: bool = False

    def of(self, phrase: Phrase) -> str:
        """The name in a leaf phrase. Raises Unnamed if a whole sentence lacks it."""
        if phrase.constructor == "procedure":
            return self._checked(self.title(phrase.name), phrase.name in self.titles or phrase.name in self.nouns)
        if phrase.constructor == "option":
            return self.said(phrase.name) or phrase.name
        if phrase.constructor == "variable":
            return self._parameters.get(phrase.name, phrase.name)
        return self.word(phrase.name)

    def word(self, name: str) -> str:
        """The term for a name in a sentence. Raises Unnamed if a whole sentence lacks it."""
        return self._checked(self.term(name), name in self.nouns or bool(self._title_of_card(name)))

    def _checked(self, words: str, own: bool) -> str:
        if self.whole and not own and is_word(words):
            raise Unnamed(words)
        return words

    def term(self, name: str) -> str:
        """The term for a name of the spec, as it stands alone."""
        if name in self.nouns:
            return self.nouns[name].text
        return self._title_of_card(name) or self._title(name) or name.rpartition(".")[2].replace("_", " ")

    def form(self, name: str, case: str) -> str | None:
        """The noun for a name in a case, None if that is not known; for "" the form that stands alone, as `term`."""
        known = self.nouns.get(name)
        if case:
            return known.cases.get(case) if known is not None else None
        return known.cases.get("nom", known.text) if known is not None else self.word(name)

    def own_form(self, name: str, case: str) -> str | None:
        """The form that the glossary has of a noun in a case, None without one."""
        return self.nouns[name].cases.get(case) if name in self.nouns else None

    def gender(self, name: str) -> str:
        """The gender of the noun for a name, "" if it is not known."""
        return self.nouns[name].gender if name in self.nouns else ""

    def sentence(self, value: str) -> str | None:
        """The sentence that says a change of a value; None if it has none of its own."""
        return (self.nouns[value].becomes or None) if value in self.nouns else None

    def said(self, says: str) -> str:
        """The label for what the spec says at the table (see `said_by`), with the names of all picks in braces; ""
        without one. What is a name of the spec as well has none.
        """
        return _CASE.sub(r"{\1}", self.label(says))

    def label(self, says: str) -> str:
        """The same, with the cases of picks: “play {c.acc}”."""
        label = self.nouns[says].text if says in self.nouns and says not in self._declared else ""
        return label if has_picks_of(label, says) else ""

    def is_worded(self, name: str) -> bool:
        """Whether a name of the spec has a term or a title; otherwise it is shown as the spec writes it."""
        return name in self.nouns or bool(self._title(name)) or name in self.spec.deck.declared

    def _title_of_card(self, name: str) -> str:
        """The title, in the language, of the rule that says what cards of a member do; "" for any other name."""
        return self.titles.get(name, "") if name.partition(".")[0] in self.spec.enums else ""

    def _title(self, name: str) -> str:
        declared = self.spec.zones.get(name) or self.spec.values.get(name)
        return declared.title if declared is not None else ""

    def title(self, rule: str) -> str:
        """The title of a rule; an option without one has its words, a procedure that is no rule its term or name."""
        known = self.spec.rules.get(rule)
        if known is None:
            return self.titles.get(rule) or self.term(rule)
        return self.titles.get(rule) or title_of(self.said(known.says)) or known.title or self.term(rule)

    @cached_property
    def _parameters(self) -> Mapping[str, str]:
        """The nouns of parameters of procedures."""
        named = (name.rpartition(".") for name in self.nouns)
        return {name: self.nouns[f"{of}.{name}"].text for of, _, name in named if of in self.spec.procedures}

    @cached_property
    def _declared(self) -> frozenset[str]:
        return frozenset(names_of(self.spec))


def is_word(name: str) -> bool:
    """Whether a name is a word of a language: a letter of a card and a square of a board, such as a1, are in none."""
    return regex.search(r"\p{L}{3}", name) is not None
