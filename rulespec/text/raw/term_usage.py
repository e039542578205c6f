"""Checks of the terms in a raw text: forbidden, misspelt, doubled and undefined ones."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from rapidfuzz.distance.OSA import distance

from rulespec.diagnostics import Finding, finding
from rulespec.messages import NOTHING, counted, say
from rulespec.text.checks import terms
from rulespec.text.checks.roles import read_people
from rulespec.text.glossary import Mention, Status
from rulespec.text.raw.alignment import Alignment
from rulespec.text.raw.segments import Role
from rulespec.text.raw.stating import is_stated
from rulespec.text.reading.prose import Prose

SPELLING = 2
"""The maximum edit distance of two spellings of one word, which another check reports."""

PLAYER = "player"
"""The name of a player in every spec."""

_TERMS = (Status.PREFERRED, Status.ALLOWED, Status.FORM)


def check(prose: Prose, alignment: Alignment) -> Iterator[Finding]:
    """All findings about the terms of a raw text.

    A text in words of its own keeps to no glossary: what looks like a wrong or a misspelt term is another word.
    """
    if not alignment.is_in_own_words:
        yield from _forbidden(prose, alignment)
        yield from terms.slips(prose, alignment.reading, alignment.book)
        mentions = _in_rules(alignment)
        yield from _doubled(prose, alignment, mentions)
        yield from _undefined(prose, alignment, mentions)


def _in_rules(alignment: Alignment) -> list[Mention]:
    """The terms in rules and examples; flavour text and credits are not checked."""
    rules = [s for s in alignment.segments if s.role not in (Role.CREDITS, Role.FLAVOUR, Role.NOISE)]
    inside = (alignment.reading.mentions_from(s.start, s.end) for s in rules)
    return [mention for mentions in inside for mention in mentions if mention.status in _TERMS]


def _forbidden(prose: Prose, alignment: Alignment) -> Iterator[Finding]:
    """Words that the glossary forbids for a concept, each reported once with all of its lines.

    A text of others may use such a word throughout: that is one choice, not one mistake per line.
    """
    found = [one for one in alignment.reading.mentions if one.status == Status.FORBIDDEN]
    for mentions in _by_concept(found).values():
        for term in dict.fromkeys(one.term for one in mentions):
            same = [one for one in mentions if one.term == term]
            yield terms.forbidden(prose, same[0], alignment.book.glossary, _more(prose, same))


def _doubled(prose: Prose, alignment: Alignment, used: list[Mention]) -> Iterator[Finding]:
    """Two terms for one concept; the finding is on the term that is used less.

    Players are spoken of in many ways, and described by where they sit.
    """
    people = tuple(read_people(alignment.reading.text, alignment.reading.language))
    things = [one for one in used if not any(each.start < one.end and one.start < each.end for each in people)]
    for concept, mentions in _by_concept(things).items():
        by_term: dict[str, list[Mention]] = defaultdict(list)
        known = alignment.book.glossary.concepts[concept]
        for mention in mentions if known.one_term and known.names != PLAYER else ():
            by_term[_main(mention, prose.lang, alignment)].append(mention)
        preferred = known.terms[prose.lang].preferred
        model = preferred.text.casefold() if preferred is not None else ""
        most = max(by_term, key=lambda term: (len(by_term[term]), -distance(term, model)), default="")
        for term, found in by_term.items():
            if term != most and not _part(term, most) and not _spelling(term, most):
                first = found[0]
                said = prose.text[first.start : first.end]
                message = say(
                    "“{said}” means the same as “{most}”, which the text uses more often{found}.",
                    said=said,
                    most=most,
                    found=_more(prose, found),
                )
                yield prose.say("term-doubled", message, first.start, first.end, say("Use one term for one concept."))


def _main(mention: Mention, lang: str, alignment: Alignment) -> str:
    """The term of a mention; an inflected form counts as the preferred one."""
    terms = alignment.book.glossary.concepts[mention.concept].terms[lang]
    form = mention.status == Status.FORM and terms.preferred is not None
    return (terms.preferred.text if form and terms.preferred is not None else mention.term).casefold()


def _more(prose: Prose, found: list[Mention]) -> str:
    lines = sorted({prose.source.position(prose.place(m.start, m.end).start).line for m in found[1:]})
    also = counted("; also on line {lines}", "; also on lines {lines}", len(lines), lines=lines)
    return also if lines else NOTHING


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


def _undefined(prose: Prose, alignment: Alignment, used: list[Mention]) -> Iterator[Finding]:
    """Terms whose defining rule is missing from the text: no sentence has anything to do with it."""
    for concept, mentions in _by_concept(used).items():
        known = alignment.book.glossary.concepts[concept]
        rule = known.defined_by
        if rule not in alignment.statements.rules or not alignment.book.is_named_thing(concept):
            continue
        if is_stated(alignment, rule) or alignment.touches(rule):
            continue
        first = mentions[0]
        said = prose.text[first.start : first.end]
        title = alignment.book.spec.rules[rule].title
        message = say(
            "The text uses “{said}”, but the rule that defines it is missing: {title}.", said=said, title=title
        )
        span = prose.place(first.start, first.end)
        yield finding("term-undefined", message, prose.source, span, say("Add the rule."), rule, prose.lang)
