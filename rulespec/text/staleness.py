"""Findings about stale texts: what a rule does now that it did not when its text was confirmed, at the sentence that
speaks of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rulespec.diagnostics import Finding, Span, finding
from rulespec.meaning import CONSTRUCTORS, Proposition
from rulespec.meaning.rules import names
from rulespec.messages import chained, counted, say
from rulespec.model.spec import Spec
from rulespec.text import describe, facts
from rulespec.text.book import Book
from rulespec.text.confirmation import Changes, changes, is_stale
from rulespec.text.reading import Reading
from rulespec.text.segmentation import passages
from rulespec.text.translation import Passage, Translation

_SHOWN = 2
"""The most new statements in a message. `ftk explain` shows all."""


def check(translation: Translation, passage: Passage, spec: Spec, book: Book | None) -> Iterator[Finding]:
    """The findings for a passage whose rule or ruling has changed: one for each sentence that new statements concern,
    or one at the passage."""
    if passage.id not in (*spec.rules, *spec.rulings) or not is_stale(passage.confirmed, spec, passage.id):
        return
    what = (
        say("The ruling `{id}` has changed since this text was confirmed. {change}")
        if passage.id in spec.rulings
        else say("The rule `{id}` has changed since this text was confirmed. {change}")
    )
    found = changes(passage.confirmed, spec, passage.id)
    placed = _placed(found.new, passage, translation.lang, book)
    for place, stated in placed.items() or [(None, ())]:
        said = (
            _now(stated, translation.lang, book)
            if stated
            else _otherwise(found, spec, passage.id, book, translation.lang)
        )
        message = say(what, id=passage.id, change=said)
        hint = say("Compare the text with the rule, then run `ftk text status --confirm`.")
        prose = passage.prose(translation.lang)
        if place is None:
            yield finding("text-stale", message, passage.source, passage.key, hint, passage.id, translation.lang)
        else:
            yield prose.say("text-stale", message, place.start, place.end, hint)


def _placed(
    new: Sequence[Proposition], passage: Passage, lang: str, book: Book | None
) -> dict[Span | None, tuple[Proposition, ...]]:
    """The new statements by the sentence that speaks of them; None if there is no such sentence."""
    found: dict[Span | None, tuple[Proposition, ...]] = {}
    if book is None or lang not in describe.languages():
        return found
    reading = book.read(passage.text.text, lang)
    for one in new:
        place = _sentence(one, reading, book)
        found[place] = (*found.get(place, ()), one)
    return found


def _sentence(one: Proposition, reading: Reading, book: Book) -> Span | None:
    """The sentence with the most names and contrast families of a statement; None if no sentence has a name of it.

    Of equal ones the first. A statement of changed values still has its names and families.
    """
    concepts = {book.concepts[name] for name in names(one) if name in book.concepts}
    families = {family for phrase in one.phrases() for family, _ in CONSTRUCTORS[phrase.constructor].says}

    def shared(span: Span) -> tuple[int, int]:
        part = reading.part(span.start, span.end)
        return len(concepts & part.places.keys()), len(families & {c.family for c in part.contrasts})

    spans = list(passages(reading.text, reading.language, reading.start, reading.end))
    best = max(spans, key=shared, default=None)
    return best if best is not None and shared(best)[0] else None


def _now(stated: Sequence[Proposition], lang: str, book: Book | None) -> str:
    """The new statements as sentences of the text's language."""
    assert book is not None  # statements have places only with a glossary
    description = describe.Description(book.spec, lang, book.glossary)
    said = "; ".join(f"“{description.sentence(one)}”" for one in stated[:_SHOWN])
    if more := len(stated[_SHOWN:]):
        return counted("New: {said}, and {number} more", "New: {said}, and {number} more", more, said=said)
    return say("New: {said}", said=said)


def _otherwise(found: Changes, spec: Spec, id_: str, book: Book | None, lang: str) -> str:
    """What has changed if no statement is new, or none can be said in this language."""
    if found.facts:
        now = chained(say("{first}; {second}"), [str(fact) for fact in facts.listed(spec, id_)]) or say("none")
        return say("Facts now: {now}.", now=book.in_terms(now, lang) if book is not None else now)
    if found.new:
        return say("Its steps are different.")
    return (
        say("Something that it did is gone.")
        if found.gone
        else say("Its steps are the same, but not what they refer to.")
    )
