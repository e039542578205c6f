"""The index of a rulebook: its terms, each with the section that explains it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from unicodedata import normalize

from rulespec.text.glossary.concepts import Concept
from rulespec.text.languages.registry import find
from rulespec.text.rules.book import Book


@dataclass(frozen=True)
class Entry:
    """A term with the section that explains it."""

    term: str
    section: RuleSection
    concept: Concept


def index(book: Book, lang: str, sections: Sequence[RuleSection]) -> list[Entry]:
    """The terms of the things of a game that the sections mention, in the order of the alphabet.

    The section that explains a term is the one of its `defined_by`, or the first that has it in bold, in its title or
    in its text.
    """
    found = list(_entries(book, lang, sections))
    return sorted(found, key=lambda entry: _sorted_as(entry.term, lang))


def _entries(book: Book, lang: str, sections: Sequence[RuleSection]) -> Iterator[Entry]:
    # Each section with the concepts that its title and its text mention by a term.
    mentioned = [(one, book.read(one.title, lang).named, book.read(one.text, lang).named) for one in sections]
    for concept in book.glossary.concepts.values():
        terms = concept.terms.get(lang)
        if terms is None or terms.preferred is None or not _is_listed(book, concept):
            continue
        # A label is the noun for a place whose term is a verb.
        term, bold = (terms.label or terms.preferred).text, f"**{terms.preferred.text.lower()}"
        ranks = [
            # False comes before True, so the section that explains a term has the least tuple.
            (section.id != concept.defined_by, bold not in section.text.lower(), concept.id not in title, at)
            for at, (section, title, body) in enumerate(mentioned)
            if concept.id in title | body
        ]
        if ranks:
            yield Entry(term, sections[min(ranks)[-1]], concept)


def _is_listed(book: Book, concept: Concept) -> bool:
    """Whether a concept is a component, a kind of cards, a place or a role; not what every page mentions."""
    is_member = concept.names.rpartition(".")[0] in book.spec.enums
    thing = book.is_component(concept.id) or book.sort(concept.id) in ("place", "role") or is_member
    return thing and concept.names not in ("card", "player")


def _sorted_as(term: str, lang: str) -> list[tuple[int, str]]:
    """A sort key by the alphabet of a language; signs outside it come first, in the order of Unicode."""
    alphabet = find(lang).alphabet
    return [(alphabet.find(sign), sign) for sign in normalize("NFKC", term).lower()]


@dataclass(frozen=True)
class RuleSection:
    """One rule of a rulebook, with what its text says for the number of players. `depth` is 1 for a rule that is not
    inside another."""

    id: str
    title: str
    text: str
    depth: int
    examples: tuple[str, ...] = ()

    @property
    def parts(self) -> tuple[str, ...]:
        """The text and the worked examples."""
        return (self.text, *self.examples)
