"""What a game calls things in one language: its names from the glossary, its rules from the texts."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from rulespec.games.rulebook import book_of, texts_of
from rulespec.language.model.spec import title_of
from rulespec.text.glossary.check import said_by
from rulespec.text.languages.registry import LANGUAGE_OF_SPECS, find
from rulespec.text.rules.describe.faces import face
from rulespec.text.rules.describe.grammar import grammar_in
from rulespec.text.rules.describe.terms import Names, Noun, Unnamed, nouns_of

if TYPE_CHECKING:
    from rulespec.engine.rules.ruleset import Ruleset
    from rulespec.games.api import Spec
    from rulespec.language.model.spec import Spec as Model


@dataclass(frozen=True)
class Lexicon:
    """The title of a game, its `names` by what the spec calls things, the `titles` and `texts` of rules by id, and the
    `nouns` of sentences by the names of the spec.

    What it lacks is said as the spec says it.
    """

    title: str = ""
    names: Mapping[str, str] = field(default_factory=dict)
    titles: Mapping[str, str] = field(default_factory=dict)
    texts: Mapping[str, str] = field(default_factory=dict)
    nouns: Mapping[str, Noun] = field(default_factory=dict)


def lexicon_of(spec: Spec, lang: str, *games: Ruleset) -> Lexicon:
    """The lexicon of a language (a BCP 47 tag) for all of these settings; one without texts has names only."""
    texts, book = texts_of(spec).get(lang), book_of(spec)
    titles = {id_: one.title for id_, one in texts.rules.items() if one.title} if texts is not None else {}
    nouns = nouns_of(book.glossary if book is not None else None, lang)
    return Lexicon(
        texts.title if texts is not None else "",
        names_of(spec, lang, nouns, titles, *games),
        titles,
        rule_texts(spec, lang),
        nouns,
    )


def rule_texts(spec: Spec, lang: str) -> dict[str, str]:
    """The text of each rule in a language, by its id."""
    translation = texts_of(spec).get(lang)
    return {} if translation is None else {id_: one.text.text.strip() for id_, one in translation.rules.items()}


def names_of(
    spec: Spec, lang: str, nouns: Mapping[str, Noun], titles: Mapping[str, str], *games: Ruleset
) -> dict[str, str]:
    """What the spec calls things, with the words of the language; `titles` are those of its rules.

    The language of specs has only those of members with numbers, such as `s1`: other names are more exact themselves.
    """
    terms = Names(spec.model, lang, nouns, titles)
    if lang == LANGUAGE_OF_SPECS:
        labels = ((says, label) for says in said_by(spec.model) if (label := terms.said(says)))
        return dict((*_numbered(spec.model, terms), *_faces(games[0], terms), *labels))
    first = games[0]  # what is declared is the same in all settings; what is said at the table depends on their options
    said = (pair for game in games for pair in _said(game, terms, titles))
    pairs = (*_declared(first, terms), *_faces(first, terms), *_titles(first, terms, titles), *said)
    return {english: own for english, own in pairs if own and own != english}


def _numbered(spec: Model, terms: Names) -> Iterator[tuple[str, str]]:
    """The members with a number in their name, and the terms for them."""
    numbered = ((name, one) for name, enum in spec.enums.items() for one in enum.members if re.search(r"\d", one))
    words = ((one, _member(terms, f"{name}.{one}")) for name, one in numbered)
    yield from ((one, own) for one, own in words if own and own != one)


def _declared(game: Ruleset, terms: Names) -> Iterator[tuple[str, str]]:
    spec = game.spec
    for name in spec.deck.declared:
        yield name.replace("_", " "), terms.term(name)
    for name, enum in spec.enums.items():
        yield name.replace("_", " "), terms.term(name)
        for member in enum.members:
            yield member, _member(terms, f"{name}.{member}")
    for name, zone in spec.zones.items():
        yield zone.title, terms.term(name)
    for name, value in spec.values.items():
        yield value.title or name, terms.term(name)


def _faces(game: Ruleset, terms: Names) -> Iterator[tuple[str, str]]:
    grammar = grammar_in(find(terms.lang))
    if grammar is None:
        return
    whole = replace(terms, whole=True)
    for number, words in enumerate(game.names.face_names):
        with suppress(Unnamed):
            yield words, face(whole, grammar, number)


def _member(terms: Names, name: str) -> str:
    """The term for a member, else the title of its text if it does something; "" without both."""
    if terms.is_worded(name):
        return terms.term(name)
    return terms.titles.get(name, "") if name in terms.spec.member_rules else ""


def _titles(game: Ruleset, terms: Names, titles: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    for id_, rule in game.spec.rules.items():
        yield rule.title, titles.get(id_) or title_of(terms.said(rule.says))


def _said(game: Ruleset, terms: Names, titles: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """What the spec says at the table, with labels. An option without one has the title of its rule, and what is
    picked, unless another one would read the same."""
    named = dict(_by_title(game, terms.lang, titles))
    times = Counter(named.values())
    yield from ((template, own) for template, own in named.items() if times[own] == 1)
    yield from ((says, terms.said(says)) for says in said_by(game.spec))


def _by_title(game: Ruleset, lang: str, titles: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    for option in game.program.options:
        title = titles.get(game.program.rules[option.rule], "")
        if title and option.size:
            said = game.actions.said(option.first)
            colon, comma = _MARKS.get(find(lang).script, (": ", ", "))
            named = comma.join("{" + name + "}" for name in said.values)
            yield said.template, f"{title}{colon}{named}" if named else title


_MARKS = {"Han": ("：", "、")}
"""The colon, and the comma of a list, of scripts that have their own."""
