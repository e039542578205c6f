"""A game and the words it is told in."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from rulespec.diagnostics import Finding, Span, finding
from rulespec.model.spec import Spec
from rulespec.text.facts import Sequence, Words, contents
from rulespec.text.glossary import Glossary, finder
from rulespec.text.language import LANGUAGES
from rulespec.text.reading import Reading, read
from rulespec.text.subjects import subjects


@dataclass(frozen=True)
class Book:
    """A game and the words it is told in: what every text of it is held against."""

    spec: Spec
    glossary: Glossary

    @cached_property
    def concepts(self) -> Mapping[str, str]:
        """The concept for each name of the spec."""
        return {concept.names: concept.id for concept in self.glossary.concepts.values() if concept.names}

    @cached_property
    def letters(self) -> frozenset[str]:
        """The Latin letters that stand on cards."""
        members = (member for enum in self.spec.enums.values() for member in enum.members)
        return frozenset(member for member in members if len(member) == 1)

    @cached_property
    def subjects(self) -> Mapping[str, frozenset[str]]:
        """For every rule the names of the spec that its steps speak of."""
        return subjects(self.spec)

    def is_thing(self, concept: str) -> bool:
        """Whether a concept is a thing of the game: a card, zone, value, role. Actions may be worded as one likes."""
        names = self.glossary.concepts[concept].names
        return bool(names) and names not in self.spec.rules and names not in self.spec.rulings

    def needs(self, rule: str) -> frozenset[str]:
        """The concepts that the rule's facts speak of or list, optional ones included."""
        stated = contents(self.spec, rule)
        named = {n for content in stated if isinstance(content, Sequence) for n in content.names}
        words = {c for content in stated if isinstance(content, Words) for c in content.concepts}
        return frozenset(words | {self.concepts[name] for name in named if name in self.concepts})

    def read(self, text: str, lang: str) -> Reading:
        return read(text, LANGUAGES[lang], finder(self.glossary, lang), self.spec.players)


def unknown_concepts(glossary: Glossary, spec: Spec) -> Iterator[Finding]:
    """What the facts of a spec speak of and the glossary has no concept for, once, as a list."""
    named = {concept.names for concept in glossary.concepts.values()}
    stated = [content for rule in (*spec.rules, *spec.rulings) for content in contents(spec, rule)]
    words = {c for content in stated if isinstance(content, Words) for c in content.concepts}
    lacking = sorted(words - glossary.concepts.keys())
    lacking += sorted({n for content in stated if isinstance(content, Sequence) for n in content.names} - named)
    if lacking:
        names = ", ".join(f"`{name}`" for name in lacking)
        message = f"The facts of the spec need concepts that are not here: {names}."
        hint = "Add them, or correct `states:` in the spec; a name of the spec goes under `names:`."
        yield finding("glossary-lacks", message, glossary.source, Span(0, 0), hint)
