"""The detectors of translations: a table of what is compared with the rules and with the other texts.

`benchmarks/ablation.py --translations` measures each row.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from rulespec.base.diagnostics import Finding, Position
from rulespec.base.messages import say
from rulespec.text.checks import cards, counted, foreign, terms
from rulespec.text.checks.fact_findings import differing, lacking
from rulespec.text.checks.page import Page
from rulespec.text.checks.typography import check as check_typography
from rulespec.text.judging import compare
from rulespec.text.judging.contradictions import plain
from rulespec.text.reading.contrasts.words import says_instead, value_in_words
from rulespec.text.reading.placeholders import Filled
from rulespec.text.reading.prose import Prose
from rulespec.text.rules.describe.description import Description
from rulespec.text.rules.describe.grammar import languages
from rulespec.text.seals import edits, untranslated


@dataclass(frozen=True)
class Rank:
    """Where a row has no findings: at those of the rows and kinds in `after`, and in games without a glossary if it
    needs one."""

    after: tuple[str, ...] = ()
    needs_glossary: bool = True


@dataclass(frozen=True)
class Detector:
    """What is compared. `codes` are the names of its findings, those of the whole group of typography if none are
    listed; `reads` and `judges` say what it reads in a text and what that is held against; `data` is the file of a
    language that it needs, "" if none.
    """

    name: str
    find: Callable[[Page], Iterable[Finding]]
    codes: tuple[str, ...]
    reads: str
    judges: str
    data: str = ""
    rank: Rank = Rank()


def detected(page: Page, detectors: Iterable[Detector] | None = None) -> Iterator[tuple[Detector, Finding]]:
    """The findings of the rows of the table, of all if none are given."""
    at: defaultdict[str, set[Position]] = defaultdict(set)
    for one in DETECTORS if detectors is None else detectors:
        rank = one.rank
        if page.glossed is not None or not rank.needs_glossary:
            known = set[Position]().union(*(at[name] for name in rank.after))
            for found in one.find(page):
                if found.start not in known:
                    at[one.name].add(found.start)
                    at[found.name].add(found.start)
                    yield one, found


def _edited(page: Page) -> Iterator[Finding]:
    assert page.translation is not None
    return edits.check(page.translation, page.passage, page.source, page.glossed, page.kept)


def _contrasts(page: Page) -> Iterator[Finding]:
    """Contrasts that the rule excludes, with what the rule does, as a sentence if the language has descriptions."""
    prose, book = page.prose, page.book
    for found in page.opposed:
        words, stated = found.contrast.words, found.claim.proposition
        value = value_in_words(found.claim.family, found.claim.value)
        described = Description(book.spec, prose.lang, book.glossary) if prose.lang in languages() else None
        sentence = described.sentence(stated) if described is not None else ""
        message = says_instead(prose.text[words.start : words.end], plain(found.contrast), value, sentence)
        hint = say("Correct the text, or the spec at `{rule}`.", rule=stated.rule or prose.rule)
        yield prose.say("fact-contradicted", message, words.start, words.end, hint)


def _terms(page: Page) -> Iterator[Finding]:
    return terms.check(page.prose, page.reading, page.book)


def _placeholders(page: Page) -> Iterator[Finding]:
    text = page.passage.text
    for one in text.problems if isinstance(text, Filled) else ():
        yield page.prose.say("placeholder-wrong", one.message, one.start, one.end, one.hint)


def _typography(page: Page) -> Iterator[Finding]:
    return (found for prose in page.headed for found in _typography_of(prose, page))


def _typography_of(prose: Prose, page: Page) -> Iterator[Finding]:
    return check_typography(prose, letters=page.glossed.letters if page.glossed is not None else frozenset())


def _foreign(page: Page) -> Iterator[Finding]:
    # A draft has the titles of the spec until it is translated.
    rule = page.spec.rules.get(page.passage.id)
    said = (prose for prose in page.headed if rule is None or prose.text != rule.title)
    return (found for prose in said for found in foreign.check(prose))


def _nouns(page: Page) -> Iterator[Finding]:
    return (found for prose in page.headed for found in _nouns_of(prose, page))


def _nouns_of(prose: Prose, page: Page) -> Iterator[Finding]:
    return counted.check(prose, glossary=page.glossed.glossary if page.glossed is not None else None)


def _examples(page: Page) -> Iterator[Finding]:
    for prose in page.examples:
        yield from _typography_of(prose, page)
        yield from _nouns_of(prose, page)
        if page.glossed is not None:
            yield from terms.check(prose, page.glossed.read(prose.text, prose.lang), page.glossed)


def _languages(page: Page) -> Iterator[Finding]:
    others = untranslated.translated_in(page.passage.id, page.others)
    return compare.check(page.passage, page.lang, others, page.book)


_CONTRADICTED = ("fact-contradicted",)
_LACKING = (*_CONTRADICTED, "fact-missing", "number-unaccounted", "term-confused")
_OF_TERMS = ("term-forbidden", "term-misspelt", "term-repeated", "ambiguous")
_AMONG_LANGUAGES = ("language-lacks", "language-adds", "language-number", "language-contrast", "term-confused")
_WORDING = ("contrasts", "facts", "missing", "terms")
_LETTERS = Rank(("term-misspelt",), needs_glossary=False)
_APART = Rank(needs_glossary=False)

STATEMENTS = (
    Detector("facts", differing, (*_CONTRADICTED, "order-contradicted"), "numbers, tables, lists", "facts of the rule"),
    Detector("contrasts", _contrasts, _CONTRADICTED, "contrasts", "what the rule does", "contrasts.yaml"),
    Detector("missing", lacking, _LACKING, "all that the text says", "facts of the rule"),
    Detector("terms", _terms, _OF_TERMS, "terms", "the glossary", "", Rank(("contrasts",))),
    Detector("cards", cards.check, (*_CONTRADICTED, "language-lacks"), "texts of cards", "those of other cards"),
)
"""The detectors that need no text in another language and no earlier version."""

DETECTORS = (
    Detector("edits", _edited, ("text-edited", "source-edited"), "the seal", "the words confirmed", "", _APART),
    Detector("placeholders", _placeholders, ("placeholder-wrong",), "placeholders", "the card", "", _APART),
    *STATEMENTS,
    Detector("typography", _typography, (), "letters, marks, spaces", "the language", "", _LETTERS),
    Detector("foreign", _foreign, ("sentence-untranslated",), "words", "dictionaries of languages", "", _APART),
    Detector("nouns", _nouns, ("number-agreement",), "nouns with numbers", "the language", "counted.yaml", _APART),
    Detector("examples", _examples, (), "worked examples", "the glossary, the language", "", _APART),
    Detector(
        "languages",
        _languages,
        _AMONG_LANGUAGES,
        "terms, numbers, contrasts",
        "the texts in other languages",
        "contrasts.yaml",
        Rank(_WORDING),
    ),
)
