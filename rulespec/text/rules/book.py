"""A game with its glossary: the reference for every text of the game."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Set
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

from rulespec.base.diagnostics import Finding, finding
from rulespec.base.messages import quoted, say
from rulespec.language.model.spec import Spec
from rulespec.proofs.meaning.rules import propositions
from rulespec.text.glossary.concepts import Glossary
from rulespec.text.glossary.finder import finder
from rulespec.text.languages.record import Language
from rulespec.text.languages.registry import find
from rulespec.text.reading.mentions import Reading, read
from rulespec.text.reading.once import once
from rulespec.text.rules.content import Names, Sequence, Words, in_terms
from rulespec.text.rules.derived import own_names
from rulespec.text.rules.facts import contents, of_rule
from rulespec.text.rules.subjects import calls, next_to, outer, within


@dataclass(frozen=True)
class Book:
    """A sealed spec with its glossary. Every text of the game is checked against both."""

    spec: Spec
    glossary: Glossary

    @cached_property
    def concepts(self) -> Mapping[str, str]:
        """The concept for each name of the spec."""
        every = self.glossary.concepts.values()
        return {concept.names: concept.id for concept in every if concept.names and not concept.is_label}

    @cached_property
    def letters(self) -> frozenset[str]:
        """The Latin letters printed on cards."""
        members = (member for enum in self.spec.enums.values() for member in enum.members)
        return frozenset(member for member in members if len(member) == 1)

    def is_thing(self, concept: str) -> bool:
        """Whether a concept is a thing of the game: a card, zone, value or role, as opposed to an action."""
        names = self.glossary.concepts[concept].names
        return bool(names) and names not in self.spec.rules and names not in self.spec.rulings

    def is_component(self, concept: str) -> bool:
        """Whether a concept is in the box: a component, cards, or a kind of cards."""
        names = self.glossary.concepts[concept].names
        kinds = {type_.name for type_ in self.spec.deck.fields.values() if type_.kind == "enum"}
        return names == "card" or names in self.spec.components or names.rpartition(".")[0] in kinds

    def is_named_thing(self, concept: str) -> bool:
        """Whether a thing of the game has one name in texts: a piece, a place, a kind, a role.

        Derived values and card fields have none, because texts describe them in many ways.
        """
        names = self.glossary.concepts[concept].names
        value = self.spec.values.get(names)
        derived = value is not None and value.definition is not None
        return self.is_thing(concept) and names not in self.spec.deck.declared and not derived

    def keeps_to_one_term(self, concept: str) -> bool:
        """Whether texts use one term for a concept. Cards and players are excluded: nearly every text mentions them."""
        known = self.glossary.concepts[concept]
        named = known.one_term or self.is_thing(concept)
        return named and not known.any_of and known.names not in ("card", "player")

    def sort(self, concept: str) -> str:
        """The sort of a concept, "" for none. Concepts of one sort can be confused with each other."""
        known = self.glossary.concepts[concept]
        if known.sort:
            return known.sort
        names = known.names
        group, _, member = names.rpartition(".")
        if member and group in self.spec.enums:
            return group
        value = self.spec.values.get(names)
        role = value is not None and value.type.kind == "player"
        return "place" if names in self.spec.zones else "role" if role else ""

    def term(self, concept: str, lang: str) -> str:
        """The preferred term of a concept in a language, in quotation marks."""
        terms = self.glossary.concepts[concept].terms.get(lang)
        named = terms.preferred if terms is not None else None
        return say("“{term}”", term=named.text) if named is not None else f"`{concept}`"

    def has_term(self, name: str, lang: str) -> bool:
        """Whether the glossary has terms in a language for a name of the spec, or for a concept."""
        concept = self.glossary.concepts.get(self.concepts.get(name, name))
        return concept is not None and lang in concept.terms

    def in_terms(self, text: str, lang: str) -> str:
        """A text about facts with the terms of a language in place of names of the spec, where it has terms."""
        return in_terms(text, lambda name: self._term_of(name, lang))

    def _term_of(self, name: str, lang: str) -> str:
        concept = self.glossary.concepts.get(self.concepts.get(name, name))
        terms = concept.terms.get(lang) if concept is not None else None
        return terms.preferred.text if terms is not None and terms.preferred is not None else ""

    def may_mention(self, rule: str, concept: str) -> bool:
        """Whether a text of a rule may mention a concept without being about something else.

        Concepts that are no names of the spec are only judged if they can be confused with others.
        """
        known = self.glossary.concepts[concept]
        unnamed = not known.names and not self.sort(concept)
        return unnamed or concept in self.needs(rule) or known.names in self._permitted(rule)

    def introduced(self, rule: str) -> tuple[str, ...]:
        """The things with one term that the text of a rule introduces by the glossary, without those that its facts
        ask for. Actions can be described in too many ways."""
        defined = (concept for concept in self.glossary.concepts.values() if concept.defined_by == rule)
        named = (one.id for one in defined if one.one_term and self.is_named_thing(one.id))
        return tuple(concept for concept in named if concept not in self.needs(rule))

    def is_connected(self, rule: str, concept: str) -> bool:
        """Whether the rules around a rule, those next to it or those that run its procedure name a concept themselves.

        Roles are left out: who acts is never said in passing.
        """
        return concept in once(self, ("around", rule), lambda: self._around(rule))

    def _around(self, rule: str) -> frozenset[str]:
        rules = (*outer(self.spec, rule), *next_to(self.spec, rule))
        stated = [one for other in rules for one in propositions(self.spec).get(other, ())]
        names = {name for one in (*stated, *calls(self.spec, rule)) for name in own_names(one)}
        found = {self.concepts[name] for name in names if name in self.concepts}
        found |= {concept for other in next_to(self.spec, rule) for concept in self.needs(other)}
        return frozenset(one for one in found if self.sort(one) != "role")

    def is_alternative(self, rule: str, concept: str, mentioned: Set[str]) -> bool:
        """Whether a concept is another member of an enum of which the text mentions the members that the rule names."""
        enum = self.glossary.concepts[concept].names.rpartition(".")[0]
        if enum not in self.spec.enums or enum not in self._permitted(rule):
            return False
        stated = [one for other in (rule, *within(self.spec, rule)) for one in propositions(self.spec).get(other, ())]
        named = {name for one in stated for name in own_names(one) if name.rpartition(".")[0] == enum}
        meant = {self.concepts[name] for name in named if name in self.concepts}
        return bool(meant & mentioned)

    def matters(self, rule: str, concept: str) -> bool:
        """Whether what a rule does needs a concept: its own steps name it, and its facts do not ask for it.

        Only things with a name of their own: texts describe fields of cards and derived values in many ways.
        """
        named = {name for one in propositions(self.spec).get(rule, ()) for name in own_names(one)}
        known = self.glossary.concepts[concept].names in named and concept not in self.needs(rule)
        return known and self.is_named_thing(concept)

    def _permitted(self, rule: str) -> frozenset[str]:
        stated = (fact.content for fact in of_rule(self.spec, rule))
        names = (name for content in stated if isinstance(content, Names) for name in content.names)
        return once(self, ("permitted", rule), lambda: frozenset(names))

    def needs(self, rule: str) -> frozenset[str]:
        """The concepts that the facts of a rule mention or list, optional ones included."""
        stated = contents(self.spec, rule)
        named = {n for content in stated if isinstance(content, Sequence) for n in content.names}
        words = {c for content in stated if isinstance(content, Words) for c in content.concepts}
        return frozenset(words | {self.concepts[name] for name in named if name in self.concepts})

    def read(self, text: str, lang: str) -> Reading:
        """The reading of a text. Each text is read once."""
        return self._readings.read(text, lang)

    @cached_property
    def _readings(self) -> Readings:
        return readings(self.glossary, self.spec.players)

    @cached_property
    def derived(self) -> dict[object, Any]:
        """Cache of other modules: what they derived from the game, by a key of their own."""
        return {}


def unknown_concepts(glossary: Glossary, spec: Spec) -> Iterator[Finding]:
    """One finding with all concepts that the facts of a spec mention and the glossary lacks."""
    named = {concept.names for concept in glossary.concepts.values()}
    stated = [content for rule in (*spec.rules, *spec.rulings) for content in contents(spec, rule)]
    words = {c for content in stated if isinstance(content, Words) for c in content.concepts}
    lacking = sorted(words - glossary.concepts.keys())
    lacking += sorted({n for content in stated if isinstance(content, Sequence) for n in content.names} - named)
    if lacking:
        message = say("Missing concepts, which the facts of the spec mention: {names}.", names=quoted(lacking))
        hint = say("Add them (a name of the spec goes under `names:`), or correct `states:` in the spec.")
        yield finding("glossary-lacks", message, glossary.source, glossary.place, hint)


_MOST = 4000
"""The most readings of a game in a language that are kept. A game has about 300 texts, with its variants."""


@lru_cache(maxsize=8)
def readings(glossary: Glossary, players: range) -> Readings:
    """The readings of texts of a game with a glossary, for a range of players: one object for all versions of it."""
    return Readings(glossary, players)


class Readings:
    """The readings of texts of a game with a glossary, for a range of players."""

    def __init__(self, glossary: Glossary, players: range) -> None:
        self._glossary = glossary
        self._players = players
        self._by_language: dict[str, tuple[Language, dict[str, Reading]]] = {}

    def read(self, text: str, lang: str) -> Reading:
        """The reading of a text."""
        language = find(lang)
        known, texts = self._by_language.get(lang, (None, {}))
        # By identity: another project may have brought another record for this tag into use.
        if known is not language or len(texts) >= _MOST:
            _, texts = self._by_language[lang] = language, {}
        if text not in texts:
            glossary, terms = self._glossary, finder(self._glossary, lang)
            texts[text] = read(text, language, terms, self._players, glossary.groups, glossary.player)
        return texts[text]
