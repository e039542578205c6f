"""The words of a raw text: wrong, doubled, confused, unexplained or open to two readings."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from rapidfuzz.distance.OSA import distance

from rulespec.diagnostics import Finding, finding
from rulespec.text import terms
from rulespec.text.glossary import Mention, Status
from rulespec.text.prose import Prose
from rulespec.text.raw.alignment import Alignment
from rulespec.text.raw.segments import Role

FAINT = 0.34
"""The coverage below which a rule is hardly touched on, so that whoever reads its terms is lost."""

SPELLING = 2
"""Words that differ in no more letters than this are one word in two spellings, which is found as such."""

_TERMS = (Status.PREFERRED, Status.ALLOWED, Status.FORM)


def check(prose: Prose, alignment: Alignment) -> Iterator[Finding]:
    """Everything wrong with the words of a raw text."""
    told = _told(alignment)
    yield from terms.check(prose, alignment.reading, alignment.book)
    yield from _doubled(prose, alignment, told)
    yield from _undefined(prose, alignment, told)


def _told(alignment: Alignment) -> list[Mention]:
    """The terms in rules and examples; flavour and credits may use words as they like."""
    rules = [s for s in alignment.segments if s.role not in (Role.CREDITS, Role.FLAVOUR, Role.NOISE)]
    inside = (alignment.reading.mentions_from(s.start, s.end) for s in rules)
    return [mention for mentions in inside for mention in mentions if mention.status in _TERMS]


def _doubled(prose: Prose, alignment: Alignment, told: list[Mention]) -> Iterator[Finding]:
    """Two terms for one thing; the one used less is the one to change."""
    for concept, mentions in _by_concept(told).items():
        by_term: dict[str, list[Mention]] = defaultdict(list)
        for mention in mentions if alignment.book.glossary.concepts[concept].one_term else ():
            by_term[_main(mention, prose.lang, alignment)].append(mention)
        preferred = alignment.book.glossary.concepts[concept].terms[prose.lang].preferred
        model = preferred.text.casefold() if preferred is not None else ""
        most = max(by_term, key=lambda term: (len(by_term[term]), -distance(term, model)), default="")
        for term, found in by_term.items():
            if term != most and not _part(term, most) and not _spelling(term, most):
                first = found[0]
                said = prose.text[first.start : first.end]
                message = f"“{said}” is another word for “{most}”, which the text uses more{_more(prose, found)}."
                yield prose.say("term-doubled", message, first.start, first.end, "Keep to one term for one thing.")


def _main(mention: Mention, lang: str, alignment: Alignment) -> str:
    """The term of a mention; an inflected form counts as the preferred one."""
    terms = alignment.book.glossary.concepts[mention.concept].terms[lang]
    form = mention.status == Status.FORM and terms.preferred is not None
    return (terms.preferred.text if form and terms.preferred is not None else mention.term).casefold()


def _more(prose: Prose, found: list[Mention]) -> str:
    lines = sorted({prose.source.position(prose.place(m.start, m.end).start).line for m in found[1:]})
    return f"; also on line{'s' * (len(lines) > 1)} {', '.join(map(str, lines))}" if lines else ""


def _spelling(one: str, other: str) -> bool:
    return one.isascii() and " " not in one + other and distance(one, other) <= SPELLING


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
        place = alignment.passages.get(known.defined_by)
        if place is None or place.coverage >= FAINT or not alignment.book.is_named_thing(concept):
            continue
        first = mentions[0]
        said = prose.text[first.start : first.end]
        title = alignment.book.spec.rules[known.defined_by].title
        message = f"The text uses “{said}”, but leaves out the rule that explains it: {title}."
        span = prose.place(first.start, first.end)
        yield finding("term-undefined", message, prose.source, span, "Add the rule.", known.defined_by, prose.lang)
