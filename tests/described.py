"""Specs described: a translation that is made of descriptions, and a glossary for it."""

from __future__ import annotations

import json

from rulespec.base.source import Source
from rulespec.language.model.spec import Spec
from rulespec.text.glossary.concepts import read
from rulespec.text.reading.translation import Passage, Translation
from rulespec.text.reading.translation import read as read_text
from rulespec.text.rules import facts
from rulespec.text.rules.book import Book
from rulespec.text.rules.describe.description import Description
from rulespec.text.rules.describe.facts import as_translation


def translated(spec: Spec, lang: str, book: Book, known: dict[str, Passage]) -> Translation:
    titles = {id_: passage.title for id_, passage in known.items()}
    made, wrong = read_text(as_translation(Description(spec, lang, book.glossary, titles), known))
    assert made is not None, [found.message for found in wrong]
    return made


def _required(spec: Spec) -> set[str]:
    """The concepts that the facts of a spec mention."""
    contents = [fact.content for rule in (*spec.rules, *spec.rulings) for fact in facts.of_rule(spec, rule)]
    listed = {concept for content in contents if isinstance(content, facts.Words) for concept in content.concepts}
    return listed | {of for content in contents if (of := getattr(content, "of", ""))}


def small_book(spec: Spec, lang: str) -> Book:
    """A spec with a glossary of its zones and titled values, each with its title, and of what its facts mention."""
    zones = {f"zone_{zone.name}": (zone.name, zone.title) for zone in spec.zones.values() if zone.title}
    values = {f"value_{value.name}": (value.name, value.title) for value in spec.values.values() if value.title}
    concepts = {
        id_: {"names": name, "note": f"The {title}.", lang: {"preferred": title}}
        for id_, (name, title) in {**zones, **values}.items()
    }
    concepts |= {of: {"note": "A component.", lang: {"preferred": of.replace("_", " ")}} for of in _required(spec)}
    source = Source("glossary.yaml", json.dumps({"glossary": 1, "game": spec.id, "concepts": concepts}))
    glossary, wrong = read(source)
    assert glossary is not None, [found.message for found in wrong]
    return Book(spec, glossary)
