"""Nouns, and cases of nouns, that the generated sentences of a language lack in a glossary."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from rulespec.base.diagnostics import Finding, finding
from rulespec.base.messages import counted, say
from rulespec.language.model.phrase import Phrase, number
from rulespec.language.model.spec import Spec
from rulespec.text.glossary.concepts import Glossary
from rulespec.text.languages.registry import LANGUAGE_OF_SPECS, find
from rulespec.text.rules.describe.description import Description
from rulespec.text.rules.describe.grammar import grammar_in, grammar_of
from rulespec.text.rules.describe.linearise import Linearizer
from rulespec.text.rules.describe.lines import sentence
from rulespec.text.rules.describe.style import Style
from rulespec.text.rules.describe.terms import Names, is_word, nouns_of

_SHOWN = 8
"""The most names in one message."""


@dataclass(frozen=True)
class _Asked(Names):
    """Names that remember the forms that were wanted and are not there: the cases by name, "" for the noun itself."""

    missed: dict[str, dict[str, None]] = field(default_factory=dict)

    def form(self, name: str, case: str) -> str | None:
        found = super().form(name, case)
        if found is None or (name not in self.nouns and is_word(found)):
            self.missed.setdefault(name, {})[case if name in self.nouns else ""] = None
        return found


@dataclass(frozen=True)
class _Written(Description):
    """A description that is written with names that remember."""

    asked: _Asked | None = None

    @property
    def say(self) -> Linearizer:
        assert self.asked is not None
        return Linearizer(self.asked, grammar_of(self.lang))


def lacking_nouns(glossary: Glossary, spec: Spec) -> Iterator[Finding]:
    """For each language with a grammar, what its sentences about the game lack, with the first sentence that does."""
    for lang in glossary.languages():
        if lang != LANGUAGE_OF_SPECS and grammar_in(find(lang)) is not None:
            names = _Asked(spec, lang, nouns_of(glossary, lang))
            sentences = list(_sentences(names))
            if names.missed:
                lacking = names.term(next(iter(names.missed)))
                yield _finding(glossary, names, next((text for text in sentences if lacking in text), ""))


def _sentences(names: _Asked) -> Iterator[str]:
    """What rules do, and what is reported of each zone and value with a title."""
    spec, say = names.spec, Style(Linearizer(names, grammar_of(names.lang)))
    for rule in _Written(spec, names.lang, asked=names).rules():
        yield from (line.text for line in (*rule.lines, *rule.definitions))
    for name in (name for name, zone in spec.zones.items() if zone.title):
        zone = Phrase("thing", name=name)
        yield sentence(say, Phrase("moves_unseen", (zone, zone, number(2)), kind="several"))
        yield sentence(say, Phrase("reshuffled", (zone,)))
    for name in (name for name, value in spec.values.items() if value.title and value.start is not None):
        yield sentence(say, Phrase("now", (Phrase("thing", name=name), number(1)), kind="number"))


def _finding(glossary: Glossary, names: _Asked, example: str) -> Finding:
    shown = [
        say("`{name}` ({cases})", name=name, cases=forms) if (forms := list(filter(None, cases))) else f"`{name}`"
        for name, cases in list(names.missed.items())[:_SHOWN]
    ]
    listed = {"lang": names.lang, "nouns": shown, "sentence": example}
    message = say("Sentences in {lang} lack {nouns}: “{sentence}”", **listed)
    if more := len(names.missed) - len(shown):
        message = counted(
            "Sentences in {lang} lack {nouns} and {number} more: “{sentence}”",
            "Sentences in {lang} lack {nouns} and {number} more: “{sentence}”",
            more,
            **listed,
        )
    hint = say("Add a term, or its forms under `cases`. Without them a sentence is stiff, or in English.")
    by_name = {concept.names: concept.key for concept in glossary.concepts.values()}
    place = next((by_name[name] for name in names.missed if name in by_name), glossary.place)
    return finding("noun-lacking", message, glossary.source, place, hint, lang=names.lang)
