"""The terms in a rulebook with their definitions, which a reader opens where the term stands."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from html import escape, unescape

from rulespec.text.glossary.finder import Mention, finder
from rulespec.text.languages.registry import LANGUAGE_OF_SPECS, find
from rulespec.text.output.render.book import Rulebook
from rulespec.text.output.render.index import Entry
from rulespec.text.output.render.sections import RuleSection
from rulespec.text.reading.segmentation import paragraphs

_TAG = re.compile(r"(<[^>]*>)")


@dataclass(frozen=True)
class Definition:
    """A term, what it is, and the section that explains it."""

    id: str
    term: str
    text: str
    section: RuleSection


def definitions(rulebook: Rulebook) -> dict[str, Definition]:
    """The definitions of the terms of the index, by concept: the note of the glossary in its own language, in others
    the paragraph with the term in the section that explains it."""
    noted = find(rulebook.lang).tag == LANGUAGE_OF_SPECS
    return {entry.concept.id: _definition(rulebook, entry, noted) for entry in rulebook.index}


def _definition(rulebook: Rulebook, entry: Entry, noted: bool) -> Definition:
    id_, section = entry.concept.id, entry.section
    text = entry.concept.note if noted and entry.concept.note else _paragraph(rulebook, id_, section.text)
    return Definition(id_, entry.term, text, section)


def _paragraph(rulebook: Rulebook, concept: str, text: str) -> str:
    """The first paragraph of a text with a term of a concept, else its first one."""
    assert rulebook.book is not None
    named = finder(rulebook.book.glossary, rulebook.lang).find(text)
    place = next((one.start for one in named if one.concept == concept), 0)
    return next((text[one.start : one.end] for one in paragraphs(text) if place < one.end), "")


def marked_terms(
    html: str, rulebook: Rulebook, known: Mapping[str, Definition], mark: Callable[[Definition, str], str]
) -> str:
    """The HTML of a text in which the first mention of each known term is what `mark` makes of its HTML."""
    if rulebook.book is None:
        return html
    find_in, left = finder(rulebook.book.glossary, rulebook.lang).find, dict(known)
    parts = _TAG.split(html)
    for at in range(0, len(parts), 2):  # every other one is a tag
        text = unescape(parts[at])
        parts[at] = "".join(_marked(text, _first(find_in(text), left), mark))
    return "".join(parts)


def _first(mentions: list[Mention], left: dict[str, Definition]) -> Iterator[tuple[Mention, Definition]]:
    """The mentions of terms that are left, each of which is then left no more."""
    for mention in mentions:
        if mention.status.is_term and (found := left.pop(mention.concept, None)) is not None:
            yield mention, found


def _marked(
    text: str, found: Iterator[tuple[Mention, Definition]], mark: Callable[[Definition, str], str]
) -> Iterator[str]:
    at = 0
    for mention, definition in found:
        if mention.start >= at:
            yield escape(text[at : mention.start], quote=False)
            yield mark(definition, escape(text[mention.start : mention.end], quote=False))
            at = mention.end
    yield escape(text[at:], quote=False)
