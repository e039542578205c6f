"""The detectors of translations: a table of what is compared with the rules and with the other texts.

`benchmarks/ablation.py --translations` measures each row.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial

from rulespec.base.diagnostics import Finding, Position, Span
from rulespec.base.messages import Message, say
from rulespec.proofs.meaning import Proposition
from rulespec.text.checks import counted, foreign, generated, terms
from rulespec.text.checks.fact_findings import differing, lacking
from rulespec.text.checks.page import Page
from rulespec.text.checks.repetition import repeated
from rulespec.text.checks.roles.contradictions import role_contradictions
from rulespec.text.checks.typography import check as check_typography
from rulespec.text.judging import compare
from rulespec.text.judging.contradictions import plain
from rulespec.text.reading.contrasts.words import value_in_words
from rulespec.text.reading.mentions import Alone
from rulespec.text.reading.once import once
from rulespec.text.reading.placeholders import Filled
from rulespec.text.reading.prose import Prose, remarks, says_instead
from rulespec.text.rules import describe
from rulespec.text.seals import edits, outdated, untranslated


@dataclass(frozen=True)
class Rank:
    """Where a row has no findings: at those of the rows and kinds in `after`, in sentences of the description unless
    `everywhere`, and in games without a glossary if it needs one."""

    after: tuple[str, ...] = ("generated",)
    everywhere: bool = False
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
                if found.start not in known and (rank.everywhere or not page.is_true(found)):
                    at[one.name].add(found.start)
                    at[found.name].add(found.start)
                    yield one, found


def _edited(page: Page) -> Iterator[Finding]:
    assert page.translation is not None
    return edits.check(page.translation, page.passage, page.source, page.glossed, page.kept)


def _generated(page: Page) -> Iterator[Finding]:
    return generated.check(page.prose, page.passage.key, page.written)


def _contrasts(page: Page) -> Iterator[Finding]:
    for found in page.opposed:
        instead = say("it is {value}", value=value_in_words(found.claim.family, found.claim.value))
        yield _excluded(page, found.contrast.words, plain(found.contrast), instead, found.claim.proposition)


def _roles(page: Page) -> Iterator[Finding]:
    for found in role_contradictions(page.reading, page.prose.rule, page.book):
        yield _excluded(page, found.words, "", found.instead, found.proposition)


def _excluded(page: Page, words: Span, value: str, instead: Message, stated: Proposition) -> Finding:
    """The finding for words of a text, read as a value, and for what a proposition says instead.

    It has the sentence of the proposition if the language has descriptions.
    """
    prose, book = page.prose, page.book
    if prose.lang in describe.languages():
        sentence = describe.Description(book.spec, prose.lang, book.glossary).sentence(stated)
        instead = say("{instead}: {sentence}", instead=instead, sentence=sentence)
    else:
        instead = say("{instead}.", instead=instead)
    message = says_instead(prose.text[words.start : words.end], value, instead)
    hint = say("Correct the text, or the spec at `{rule}`.", rule=stated.rule or prose.rule)
    return prose.say("fact-contradicted", message, words.start, words.end, hint)


def _terms(page: Page) -> Iterator[Finding]:
    return terms.check(page.prose, page.reading, page.book)


def _outdated(page: Page) -> Iterator[Finding]:
    return outdated.check(page.passage, page.lang, page.book, page.versions)


def _placeholders(page: Page) -> Iterator[Finding]:
    text = page.passage.text
    for one in text.problems if isinstance(text, Filled) else ():
        yield page.prose.say("placeholder-wrong", one.message, one.start, one.end, one.hint)


def _typography(page: Page) -> Iterator[Finding]:
    return (found for prose in page.headed for found in _typography_of(prose, page))


def _typography_of(prose: Prose, page: Page) -> Iterator[Finding]:
    letters = page.glossed.letters if page.glossed is not None else frozenset[str]()
    check = partial(check_typography, letters=letters)
    if page.glossed is None:
        return check(prose)
    return _kept(page.glossed.read(prose.text, prose.lang).alone, ("typography", letters), check, prose)


def _foreign(page: Page) -> Iterator[Finding]:
    # A draft has the titles of the spec until it is translated.
    rule = page.spec.rules.get(page.passage.id)
    said = (prose for prose in page.headed if rule is None or prose.text != rule.title)
    return (found for prose in said for found in foreign.check(prose))


def _nouns(page: Page) -> Iterator[Finding]:
    return (found for prose in page.headed for found in _nouns_of(prose, page))


def _nouns_of(prose: Prose, page: Page) -> Iterator[Finding]:
    if page.glossed is None:
        return counted.check(prose)
    check = partial(counted.check, glossary=page.glossed.glossary)
    return _kept(page.glossed.read(prose.text, prose.lang).termed, "counted", check, prose)


def _kept(holder: Alone, key: object, check: Callable[[Prose], Iterator[Finding]], prose: Prose) -> Iterator[Finding]:
    """What a check says about a text, which is kept with its reading."""
    said = once(holder, key, lambda: remarks(check, prose))
    return check(prose) if said is None else (prose.say(*one) for one in said)


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
_DESCRIBED = (*_CONTRADICTED, "fact-missing", "order-contradicted")
_LACKING = (*_CONTRADICTED, "fact-missing", "number-unaccounted", "term-confused")
_OF_TERMS = ("term-forbidden", "term-misspelt", "term-repeated", "ambiguous")
_AMONG_LANGUAGES = ("language-lacks", "language-adds", "language-number", "language-contrast", "term-confused")
_AFTER_ROLES = ("generated", "contrasts", "roles")
_WORDING = (*_AFTER_ROLES, "facts", "missing", "repeated", "terms")
_LETTERS = Rank(("term-misspelt",), needs_glossary=False)
_NOUNS = Rank((), needs_glossary=False)
_APART = Rank(needs_glossary=False, everywhere=True)

STATEMENTS = (
    Detector(
        "generated", _generated, _DESCRIBED, "sentences like ours", "our description", "describe.yaml", Rank((), True)
    ),
    Detector("facts", differing, (*_CONTRADICTED, "order-contradicted"), "numbers, tables, lists", "facts of the rule"),
    Detector("contrasts", _contrasts, _CONTRADICTED, "contrasts", "what the rule does", "contrasts.yaml"),
    Detector("roles", _roles, _CONTRADICTED, "players and places", "what the rule does", "roles.yaml"),
    Detector("missing", lacking, _LACKING, "all that the text says", "facts of the rule"),
    Detector("repeated", repeated, ("number-repeated",), "choices of numbers", "each other"),
    Detector("terms", _terms, _OF_TERMS, "terms", "the glossary", "", Rank(_AFTER_ROLES)),
)
"""The detectors that need no other text and no earlier version."""

OUTDATED = Detector("outdated", _outdated, _CONTRADICTED, "words", "what the rule was", "", Rank(_WORDING, True))

DETECTORS = (
    Detector("edits", _edited, ("text-edited", "source-edited"), "the seal", "the words confirmed", "", _APART),
    Detector("placeholders", _placeholders, ("placeholder-wrong",), "placeholders", "the card", "", _APART),
    *STATEMENTS,
    OUTDATED,
    Detector("typography", _typography, (), "letters, marks, spaces", "the language", "", _LETTERS),
    Detector("foreign", _foreign, ("sentence-untranslated",), "words", "dictionaries of languages", "", _APART),
    Detector("nouns", _nouns, ("number-agreement",), "nouns with numbers", "the language", "counted.yaml", _NOUNS),
    Detector("examples", _examples, (), "worked examples", "the glossary, the language", "", _APART),
    Detector(
        "languages",
        _languages,
        _AMONG_LANGUAGES,
        "terms, numbers, contrasts",
        "the texts in other languages",
        "contrasts.yaml",
        Rank((*_WORDING, "outdated"), True),
    ),
)
