"""The facts of rules that a raw text contradicts."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, islice

from rulespec.base.diagnostics import Finding, Span
from rulespec.text.raw.alignment import Alignment, scores_of
from rulespec.text.raw.miscounts import miscounts
from rulespec.text.raw.near import states
from rulespec.text.raw.replaced import replaced
from rulespec.text.raw.said import Raw
from rulespec.text.raw.segments import Role
from rulespec.text.raw.stating import has_table, is_stated
from rulespec.text.reading.mentions import Reading
from rulespec.text.rules.content import ByKey, Fact, Words
from rulespec.text.rules.content import Sequence as Order
from rulespec.text.rules.evidence import Wrong, judge
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
    """The finding about a fact that the text contradicts, if it states it nowhere.

    A number that stands for this one is reported where it stands, for whichever rule it is.
    """
    alignment = raw.alignment
    if not judge(fact, alignment.reading, raw.book.concepts).stated:
        meant = {one.quantity.start for one in raw.left if one.instead == str(fact.content)}
        guesses = (find(fact, rule, alignment) for find in (miscounts, replaced) if not meant)
        wrong = islice(chain(_wrong(fact, rule, raw), *guesses), 1)
        is_order = isinstance(fact.content, Order)
        yield from (raw.contradiction(rule, one, is_order) for one in wrong if one.start not in meant)


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
