"""The detectors of raw texts: a table of what is compared with the rules, in the order in which they are believed.

`benchmarks/ablation.py` measures each row. A row stays if it finds at least 1 % of the mistakes of its kind, and at
least 85 % of what it finds is right.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from rulespec.base.diagnostics import Finding, Span
from rulespec.base.messages import NOTHING, say
from rulespec.text.checks import foreign
from rulespec.text.checks.typography import check as check_typography
from rulespec.text.glossary import finder
from rulespec.text.judging.contradictions import plain
from rulespec.text.raw import term_usage
from rulespec.text.raw.columns import columns
from rulespec.text.raw.keyed import keyed_tables
from rulespec.text.raw.opposites import opposites
from rulespec.text.raw.pairs import mispaired
from rulespec.text.raw.said import Raw, with_sentence
from rulespec.text.raw.segments import Role
from rulespec.text.raw.stated_facts import facts
from rulespec.text.raw.wording import opposed
from rulespec.text.reading.contrasts.words import value_in_words
from rulespec.text.rules import describe

CONTRADICTED = ("fact-contradicted",)


@dataclass(frozen=True)
class Detector:
    """What is compared with the rules. `codes` are the names of its findings, those of the whole
    group of typography or terms if none are listed; `reads` and `judges` say what it reads in a text and what that is
    held against; `data` is the file of a language that it needs, "" if none."""

    name: str
    find: Callable[[Raw], Iterable[Finding]]
    codes: tuple[str, ...]
    reads: str
    judges: str
    data: str = ""


def _tables(raw: Raw) -> Iterator[Finding]:
    alignment = raw.alignment
    for column in columns(alignment):
        yield from (raw.wrong_number(column.rule, cell, wants) for cell, wants in column.wrong)
    for table in keyed_tables(alignment):
        yield from (raw.wrong_number(table.rule, cell, wants) for cell, wants in table.wrong)


def _contrasts(raw: Raw) -> Iterator[Finding]:
    book, lang = raw.book, raw.prose.lang
    described = describe.Description(book.spec, lang, book.glossary) if lang in describe.languages() else None
    for one in opposed(raw.alignment):
        if not _is_in_label(raw, one.contrast.start):
            instead = say("it is {value}", value=value_in_words(one.claim.family, one.claim.value))
            sentence = described.sentence(one.claim.proposition) if described is not None else NOTHING
            yield raw.excluded(one.contrast.words, with_sentence(instead, sentence), one.rule, plain(one.contrast))


def _opposites(raw: Raw) -> Iterator[Finding]:
    for one in opposites(raw.alignment):
        if not _is_in_label(raw, one.mark.words.start):
            sentence = say("{sentence}", sentence=one.witness.sentence)
            yield raw.excluded(one.mark.words, sentence, one.witness.rule)


_LABEL = re.compile(r"(?:<li>)?\s*(?:<b>|\*\*)[^<*\n]{1,60}[:：]\s*(?:</b>|\*\*)")
"""The label of a list item, in bold with a colon: it names what the item is about and states nothing."""


def _is_in_label(raw: Raw, at: int) -> bool:
    """Whether an offset is in the label at the start of its sentence."""
    label = _LABEL.match(raw.prose.text, raw.alignment.segments[raw.alignment.index_at(at)].start)
    return label is not None and at < label.end()


def _pairs(raw: Raw) -> Iterator[Finding]:
    for one in mispaired(raw.alignment):
        if not raw.is_ours(one.value.start):
            term = raw.book.term(one.ours, raw.prose.lang)
            instead = with_sentence(say("it is {value}", value=term))
            yield raw.excluded(Span(one.value.start, one.value.end), instead, one.rule)


def _numbers(raw: Raw) -> Iterator[Finding]:
    yield from (raw.wrong_number(one.rule, one.quantity, one.instead) for one in raw.left if one.instead)


def _terms(raw: Raw) -> Iterator[Finding]:
    yield from term_usage.check(raw.prose, raw.alignment)


def _typography(raw: Raw) -> Iterator[Finding]:
    known = finder(raw.book.glossary, raw.prose.lang).has_word
    yield from _outside_credits(raw, check_typography(raw.prose, raw.spelling, raw.book.letters, known))


def _foreign(raw: Raw) -> Iterator[Finding]:
    yield from _outside_credits(raw, foreign.check(raw.prose))


def _outside_credits(raw: Raw, all_found: Iterable[Finding]) -> Iterator[Finding]:
    """The findings that are not in the credits, whose names and addresses are left alone."""
    places = [raw.prose.place(s.start, s.end) for s in raw.alignment.segments if s.role == Role.CREDITS]
    starts = [raw.prose.source.position(one.start) for one in places]
    ends = [raw.prose.source.position(one.end) for one in places]
    for found in all_found:
        index = bisect_right(starts, found.start) - 1
        if index < 0 or found.start >= ends[index]:
            yield found


_TERMS = ("term-forbidden", "term-misspelt", "term-doubled", "term-repeated", "term-undefined")
_ORDER = ("order-contradicted",)

DETECTORS = (
    Detector("tables", _tables, CONTRADICTED, "tables by players or by names", "numbers of the rule"),
    Detector("facts", facts, (*CONTRADICTED, *_ORDER), "numbers, names, lists", "facts of the rule"),
    Detector("contrasts", _contrasts, CONTRADICTED, "contrasts", "what the rule does", "contrasts.yaml"),
    Detector("opposites", _opposites, CONTRADICTED, "contrasts, conditions", "our text of the rule", "cases.yaml"),
    Detector("pairs", _pairs, CONTRADICTED, "terms with numbers", "our text of the rule"),
    Detector("numbers", _numbers, CONTRADICTED, "numbers", "numbers of the rules that the sentence may state"),
    Detector("terms", _terms, _TERMS, "terms", "the glossary"),
    Detector("foreign", _foreign, ("sentence-untranslated",), "words", "dictionaries of languages"),
    Detector("typography", _typography, (), "letters, marks, words of a dictionary", "the language"),
)
"""A finding about words that an earlier row has a finding about is left out."""
