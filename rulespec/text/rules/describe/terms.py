"""The names of a spec in the words of a language."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

from rulespec.language.model.phrase import Phrase
from rulespec.language.model.spec import Spec, title_of
from rulespec.text.glossary.check import has_picks_of, names_of
from rulespec.text.glossary.concepts import Glossary


@dataclass(frozen=True)
class Names:
    """The names of a spec in a language: labels and preferred terms of the glossary, else titles and names of the spec.

    `titles` are the titles of rules in that language.
    """

    spec: Spec
    lang: str
    glossary: Glossary | None = None
    titles: Mapping[str, str] = field(default_factory=dict)

    def of(self, phrase: Phrase) -> str:
        """The name in a leaf phrase."""
        if phrase.constructor == "procedure":
            return self.title(phrase.name)
        return phrase.name if phrase.constructor in ("variable", "option") else self.term(phrase.name)

    def term(self, name: str) -> str:
        """The term for a name of the spec."""
        if name in self._terms:
            return self._terms[name]
        return self._title(name) or name.rpartition(".")[2].replace("_", " ")

    def said(self, says: str) -> str:
        """The label for what the spec says at the table (see `said_by`), with the names of all picks in braces; ""
        without one. What is a name of the spec as well has none.
        """
        label = self._terms.get(says, "") if says not in self._declared else ""
        return label if has_picks_of(label, says) else ""

    def is_worded(self, name: str) -> bool:
        """Whether a name of the spec has a term or a title; otherwise it is shown as the spec writes it."""
        return name in self._terms or bool(self._title(name)) or name in self.spec.deck.declared

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
    def _declared(self) -> frozenset[str]:
        return frozenset(names_of(self.spec))

    @cached_property
    def _terms(self) -> Mapping[str, str]:
        concepts = self.glossary.concepts.values() if self.glossary is not None else ()
        known = ((concept.names, concept.terms.get(self.lang)) for concept in concepts if concept.names)
        shown = ((name, terms.label or terms.preferred) for name, terms in known if terms is not None)
        return {name: term.text for name, term in shown if term is not None}
