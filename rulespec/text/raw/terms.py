"""The words of a raw text: wrong, doubled, confused, unexplained or open to two readings."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from rulespec.diagnostics import Finding, finding
from rulespec.text import terms
from rulespec.text.glossary import Mention, Status
from rulespec.text.prose import Prose
from rulespec.text.raw.alignment import Alignment
from rulespec.text.raw.segments import Role

_TERMS = (Status.PREFERRED, Status.ALLOWED, Status.FORM)


def check(prose: Prose, alignment: Alignment) -> Iterator[Finding]:
    """Everything wrong with the words of a raw text."""
    told = _told(alignment)
    yield from terms.forbidden(prose, alignment.reading, alignment.book.glossary)
    yield from terms.misspelt(prose, alignment.book.glossary)
    yield from _doubled(prose, alignment, told)
    yield from _undefined(prose, alignment, told)


def _told(alignment: Alignment) -> list[Mention]:
    """The terms in rules and examples; flavour and credits may use words as they like."""
    spans = [(s.start, s.end) for s in alignment.segments if s.role not in (Role.CREDITS, Role.FLAVOUR, Role.NOISE)]
    mentions = (m for m in alignment.reading.mentions if m.status in _TERMS)
    return [m for m in mentions if any(start <= m.start < end for start, end in spans)]


def _doubled(prose: Prose, alignment: Alignment, told: list[Mention]) -> Iterator[Finding]:
    """Two terms for one thing; the one used less is the one to change."""
    for concept, mentions in _by_concept(told).items():
        if not alignment.book.is_thing(concept):
            continue
        by_term: dict[str, list[Mention]] = defaultdict(list)
        for mention in mentions:
            by_term[mention.term.casefold()].append(mention)
        most = max(by_term, key=lambda term: (len(by_term[term]), -by_term[term][0].start))
        for term, found in by_term.items():
            if term != most and not _part(term, most):
                first = found[0]
                said = prose.text[first.start : first.end]
                more = f" and {len(found) - 1} more times" if len(found) > 1 else ""
                main = by_term[most][0].term
                message = f"“{said}” (here{more}) is another word for “{main}”, which the text uses more."
                yield prose.say("term-doubled", message, first.start, first.end, "Keep to one term for one thing.")


def _part(one: str, other: str) -> bool:
    """Whether one term is a short or a longer form of the other."""
    first, second = set(one.split()), set(other.split())
    return one in other or other in one or first <= second or second <= first


def _by_concept(mentions: list[Mention]) -> dict[str, list[Mention]]:
    found: dict[str, list[Mention]] = defaultdict(list)
    for mention in mentions:
        found[mention.concept].append(mention)
    return found


def _undefined(prose: Prose, alignment: Alignment, told: list[Mention]) -> Iterator[Finding]:
    """Terms whose rule the text leaves out."""
    for concept, mentions in _by_concept(told).items():
        known = alignment.book.glossary.concepts[concept]
        place = alignment.places.get(known.defined_by)
        if place is None or place.coverage >= 0.5 or not alignment.book.is_thing(concept):
            continue
        first = mentions[0]
        said = prose.text[first.start : first.end]
        title = alignment.book.spec.rules[known.defined_by].title
        message = f"The text uses “{said}”, but leaves out the rule that explains it: {title}."
        span = prose.place(first.start, first.end)
        yield finding("term-undefined", message, prose.source, span, "Add the rule.", known.defined_by, prose.lang)
