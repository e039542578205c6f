"""The facts of rules that a raw text contradicts or lacks."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, islice

from rulespec.diagnostics import Finding, Span
from rulespec.messages import say
from rulespec.text.checks import terms
from rulespec.text.raw.alignment import Alignment, scores_of
from rulespec.text.raw.miscounts import miscounts
from rulespec.text.raw.near import near, states
from rulespec.text.raw.numbers import Unjustified, is_slip
from rulespec.text.raw.replaced import replaced
from rulespec.text.raw.said import Raw
from rulespec.text.raw.segments import Role
from rulespec.text.raw.stating import has_table, is_stated, only_counts_some
from rulespec.text.reading.mentions import Reading
from rulespec.text.rules.content import ByKey, Fact, Number, Words
from rulespec.text.rules.content import Sequence as Order
from rulespec.text.rules.evidence import Verdict, Wrong, judge
from rulespec.text.rules.facts import of_rule


def facts(raw: Raw) -> Iterator[Finding]:
    """Findings about the facts of the rules that a text states. Derived facts only justify numbers: a publisher's text
    may choose what it says of them. So it may of terms. The wrong numbers of a table are reported one by one."""
    alignment = raw.alignment
    for rule in alignment.statements.rules:
        if is_stated(alignment, rule):
            for fact in of_rule(raw.book.spec, rule):
                has_rows = isinstance(fact.content, ByKey) and has_table(alignment, rule)
                if not (fact.derived or isinstance(fact.content, Words) or has_rows or states(alignment, rule, fact)):
                    yield from _of_fact(raw, rule, fact)


def _of_fact(raw: Raw, rule: str, fact: Fact) -> Iterator[Finding]:
    """The finding about a fact that the text contradicts or lacks."""
    alignment = raw.alignment
    whole_text, is_order = judge(fact, alignment.reading, raw.book.concepts), isinstance(fact.content, Order)
    if whole_text.stated:
        return
    # A number that stands for this one is reported where it stands, for whichever rule it is.
    meant = {one.quantity.start for one in raw.left if one.instead == str(fact.content)}
    guesses = (find(fact, rule, alignment) for find in (miscounts, replaced) if not meant)
    wrong = [*islice(chain(_wrong(fact, rule, raw), *guesses), 1)]
    yield from (raw.contradiction(rule, one, is_order) for one in wrong if one.start not in meant)
    instead = wrong or meant or any(_is_instead(one, fact, rule, alignment) for one in raw.left)
    if not instead and not is_order and not only_counts_some(alignment, rule):
        yield from _missing(raw, rule, fact, whole_text)


def _missing(raw: Raw, rule: str, fact: Fact, whole_text: Verdict) -> Iterator[Finding]:
    """The finding about a fact that the text lacks, if it must state it."""
    book, place = raw.book, raw.alignment.passages[rule]
    verdicts = [whole_text, *(judge(fact, part, book.concepts) for part in near(raw.alignment, rule))]
    if book.spec.rules[rule].in_rulebook and (not fact.optional or verdicts[1].partly):
        lacks = min((terms.lacks(verdict, book, raw.prose.lang) for verdict in verdicts), key=len)
        message = say("Missing fact of `{rule}`: {lacks}.", rule=rule, lacks=lacks)
        hint = say("Add it to this passage. If the text says it in other words, add these words to the glossary.")
        yield raw.at("fact-missing", message, Span(place.start, place.end), rule, hint)


def _is_instead(one: Unjustified, fact: Fact, rule: str, alignment: Alignment) -> bool:
    """Whether a number that no rule of its sentence has may be the one of a fact."""
    near = rule in alignment.candidates(alignment.index_at(one.quantity.start))
    of_fact = isinstance(fact.content, Number) and is_slip(one.quantity, fact.content.value)
    return not one.instead and (one.rule == rule or (near and of_fact))


def _wrong(fact: Fact, rule: str, raw: Raw) -> Iterator[Wrong]:
    """What contradicts a fact: an order in one sentence or list, a number that no rule of its sentence has."""
    alignment, numbers = raw.alignment, {one.quantity.start for one in raw.left}
    for index in alignment.stating(rule):
        for reading in (alignment.sentence(index), *_together(alignment, rule, index)):
            for one in judge(fact, reading, raw.book.concepts).wrong:
                if isinstance(fact.content, Order):
                    is_meant = _is_about(alignment.index_at(one.start), rule, fact.content, alignment)
                else:
                    is_meant = any(one.start <= at < one.end for at in numbers)
                if is_meant:
                    yield one


OF_ORDER = 0.9
"""A list of names states the order of a rule only if the rule has this share of the best score of its sentence, with
the names or without. A set that is listed elsewhere has no order."""


def _is_about(index: int, rule: str, order: Order, alignment: Alignment) -> bool:
    """Whether a sentence with names of an order is about its rule."""
    concepts = alignment.book.glossary.concepts
    listed = [m for m in alignment.sentence(index).mentions if concepts[m.concept].names in order.names]
    rows = alignment.scores[index], scores_of(alignment, index, [Span(m.start, m.end) for m in listed])
    return any(row.get(rule, 0.0) >= OF_ORDER * max(row.values()) for row in rows)


def _together(alignment: Alignment, rule: str, index: int) -> Iterator[Reading]:
    """The passage around a sentence that states a rule, if it is running text or one list."""
    place = alignment.passages[rule]
    inside = alignment.indices(place.start, place.end)
    if index in inside and all(alignment.segments[i].role == Role.RULE for i in inside):
        yield alignment.reading.part(place.start, place.end)
