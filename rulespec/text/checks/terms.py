"""Checks of the terms of the glossary in a text."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from itertools import pairwise

from rulespec.base.diagnostics import Finding, Span, finding
from rulespec.base.messages import Message, say
from rulespec.text.glossary import tokens
from rulespec.text.glossary.concepts import Glossary, Status
from rulespec.text.glossary.finder import Mention, finder
from rulespec.text.reading.clauses import sentences
from rulespec.text.reading.mentions import Reading
from rulespec.text.reading.prose import Prose
from rulespec.text.rules.book import Book
from rulespec.text.rules.content import Said, Words
from rulespec.text.rules.content import Sequence as Order
from rulespec.text.rules.evidence import Verdict, span_at
from rulespec.text.rules.subjects import is_about


def check(prose: Prose, reading: Reading, book: Book) -> Iterator[Finding]:
    """Findings about the terms of a text with rule ids: all that there are."""
    # Words that the glossary forbids for a concept, each reported once per line.
    seen: set[tuple[str, str, int]] = set()
    breaks = [match.start() for match in re.finditer("\n", prose.text)]
    for mention in reading.mentions:
        line = bisect_left(breaks, mention.start)
        if mention.status == Status.FORBIDDEN and (mention.concept, mention.term, line) not in seen:
            seen.add((mention.concept, mention.term, line))
            yield forbidden(prose, mention, book.glossary)
    yield from _vague(prose, reading, book)
    yield from slips(prose, reading, book)


def slips(prose: Prose, reading: Reading, book: Book) -> Iterator[Finding]:
    """Findings about repeated and misspelt terms."""
    yield from _repeated(prose, reading, book)
    # Near matches: words one letter away from a term, unless another word is meant that states a contrast.
    for miss in finder(book.glossary, prose.lang).near_matches(prose.text):
        stated = reading.contrasts_from(miss.start, miss.end)
        if not any(_is_other(prose.text[one.start : one.end], miss.term, prose.lang) for one in stated):
            message = say("“{found}” looks like a misspelling of the term “{term}”.", found=miss.found, term=miss.term)
            yield prose.say(
                "term-misspelt",
                message,
                miss.start,
                miss.end,
                say("Write “{term}”, in the right form.", term=miss.term),
            )


def forbidden(prose: Prose, mention: Mention, glossary: Glossary, more: str = "") -> Finding:
    """The finding about a word that the glossary forbids for a concept. `more` names its other places."""
    preferred = glossary.concepts[mention.concept].terms[prose.lang].preferred
    message = say(
        "“{prose}” is a forbidden term for `{concept}`{more}.",
        prose=prose.text[mention.start : mention.end],
        concept=mention.concept,
        more=more,
    )
    hint = say("Write “{preferred}”.", preferred=preferred.text) if preferred is not None else say("See the glossary.")
    return prose.say("term-forbidden", message, mention.start, mention.end, hint)


def _vague(prose: Prose, reading: Reading, book: Book) -> Iterator[Finding]:
    """Phrases that leave a ruling about the rule open and are not settled by their sentence, each ruling reported
    once."""
    reported: set[str] = set()
    glossary, rulings = book.glossary, book.spec.rulings
    spans = list(sentences(prose.text, reading.language, reading.start, reading.end))
    for mention in reading.mentions:
        concept = glossary.concepts[mention.concept]
        if mention.status != Status.VAGUE or concept.asks not in rulings or concept.asks in reported:
            continue
        if not is_about(book.spec, concept.asks, prose.rule):
            continue
        around = span_at(spans, mention.start) or Span(mention.start, mention.end)
        if reading.part(around.start, around.end).places.keys().isdisjoint(concept.settled_by):
            reported.add(concept.asks)
            said = prose.text[mention.start : mention.end]
            message = say("“{said}” is ambiguous: {question}", said=said, question=rulings[concept.asks].question)
            hint = say(
                "Be specific. The spec chooses `{options}` (ruling `{asks}`).",
                options=rulings[concept.asks].options[0],
                asks=concept.asks,
            )
            yield prose.say("ambiguous", message, mention.start, mention.end, hint)


def _is_other(said: str, term: str, lang: str) -> bool:
    """Whether words have no lemma in common with a term: нічого is no form of a word in «не дістається нікому»."""
    known = {key for word in tokens.read(term, lang) for key in word.keys}
    return known.isdisjoint(key for word in tokens.read(said, lang) for key in word.keys)


def _repeated(prose: Prose, reading: Reading, book: Book) -> Iterator[Finding]:
    """Enumerations with a repeated term: `a gold card or gold card`."""
    named = [mention for mention in reading.mentions if mention.status.is_term]
    for before, after in pairwise(named):
        joined = reading.language.enumeration.fullmatch(prose.text, before.end, after.start)
        noun = book.keeps_to_one_term(before.concept)
        if joined and noun and before.concept == after.concept and before.term == after.term:
            said = prose.text[before.start : after.end]
            message = say("“{said}” repeats a term.", said=said)
            yield prose.say("term-repeated", message, before.start, after.end, say("Replace one of the two."))


def unspoken(prose: Prose, place: Span, reading: Reading, wanted: Words, book: Book) -> Iterator[Finding]:
    """Required concepts that a passage does not mention, or replaces by another concept of the same sort."""
    named = [concept for concept in wanted.concepts if concept in book.glossary.concepts]  # see `unknown_concepts`
    known = [concept for concept in named if book.has_term(concept, prose.lang)]  # else see RS934
    lacking = [concept for concept in known if concept not in reading.places]
    unrelated = [m for m in reading.mentions if m.status.is_term and not book.may_mention(prose.rule, m.concept)]
    silent = []
    for concept in lacking:
        sort = book.sort(concept)
        taken = next((m for m in unrelated if sort and book.sort(m.concept) == sort), None)
        if taken is None:
            silent.append(book.term(concept, prose.lang))
            continue
        unrelated.remove(taken)
        said, meant = prose.text[taken.start : taken.end], book.term(concept, prose.lang)
        message = say("“{said}” is unrelated to this rule, which needs {meant}.", said=said, meant=meant)
        yield prose.say("term-confused", message, taken.start, taken.end, say("Should it be {meant}?", meant=meant))
    if silent:
        message = unmentioned(prose, silent)
        hint = say("Mention it. If the text does so in other words, add these words to the glossary.")
        yield finding("fact-missing", message, prose.source, place, hint, prose.rule, prose.lang)


def unmentioned(prose: Prose, silent: Sequence[str]) -> Message:
    """The message about what the text of a rule lacks, in words."""
    return say("Missing fact: the text of `{rule}` does not mention {silent}.", rule=prose.rule, silent=list(silent))


def missing(prose: Prose, verdict: Verdict, book: Book) -> Message:
    """The message about a fact that the text of a rule lacks, with the terms of its language."""
    content = verdict.fact.content
    if isinstance(content, Said):
        return unmentioned(prose, [content.naming(lambda name: _term_of(name, book, prose.lang))])
    if verdict.lacking:
        return unmentioned(prose, [book.term(concept, prose.lang) for concept in verdict.lacking])
    return say("Missing fact: {lacks}.", lacks=lacks(verdict, book, prose.lang))


def lacks(verdict: Verdict, book: Book, lang: str) -> str:
    """What a text lacks of a fact, an order as a whole, in the terms of its language."""
    content = verdict.fact.content
    return book.in_terms(str(content) if isinstance(content, Order) else verdict.lacks, lang)


def _term_of(name: str, book: Book, lang: str) -> str:
    """The term for a name of the spec; the name itself if it has none."""
    return book.term(book.concepts[name], lang) if name in book.concepts else f"`{name}`"
