"""The detectors of translations: a table of what is compared with the rules and with the other texts.

`benchmarks/ablation.py --translations` measures each row.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Set
from dataclasses import dataclass

from rulespec.base.diagnostics import Finding, Position, finding
from rulespec.base.messages import Message, say
from rulespec.text.checks import cards, counted, foreign, terms
from rulespec.text.checks.page import Page
from rulespec.text.checks.typography import check as check_typography
from rulespec.text.judging import compare
from rulespec.text.judging.contradictions import plain
from rulespec.text.judging.units import misplaced
from rulespec.text.languages.quantity.quantity import Kind, Quantity
from rulespec.text.languages.record import Language
from rulespec.text.reading.contrasts.lexicon import says_instead, value_in_words
from rulespec.text.reading.mentions import Reading
from rulespec.text.reading.placeholders import Filled
from rulespec.text.reading.prose import Prose
from rulespec.text.rules.book import Book
from rulespec.text.rules.content import (
    ByKey,
    ByPlayers,
    Content,
    Extent,
    Fact,
    Names,
    Number,
    Said,
    Sequence,
    Words,
    of_players,
)
from rulespec.text.rules.describe.description import Description
from rulespec.text.rules.describe.grammar import languages
from rulespec.text.seals import edits
from rulespec.text.seals.since import translated_in


def differing(page: Page) -> Iterator[Finding]:
    """Values and orders of the text that differ from those of the rule."""
    prose, book = page.prose, page.book
    for verdict in page.verdicts:
        for wrong in verdict.wrong:
            order = isinstance(verdict.fact.content, Sequence)
            name = "order-contradicted" if order else "fact-contradicted"
            wanted = book.in_terms(wrong.wants, prose.lang)
            message = say("The text says “{said}”; the spec says {wanted}.", said=wrong.says, wanted=wanted)
            if order:
                message = say(
                    "“{says}” is in the wrong place. The order in the spec: {wants}.",
                    says=wrong.says,
                    wants=terms.lacks(verdict, book, prose.lang),
                )
            hint = say("Correct the text, or the spec at `{rule}`.", rule=prose.rule)
            yield prose.say(name, message, wrong.start, wrong.end, hint)
    # Numbers of the rule that the text gives to another thing.
    for one in misplaced(prose.rule, page.reading, book):
        said = prose.text[one.start : one.end]
        wanted = book.in_terms(str(Number(one.unit.value, one.unit.concept)), prose.lang)
        message = say("The text says “{said}”; the spec says {wanted}.", said=said, wanted=wanted)
        hint = say("Correct the text, or the spec at `{rule}`.", rule=prose.rule)
        yield prose.say("fact-contradicted", message, one.start, one.end, hint)


def _is_opposed(content: Content, families: Set[str]) -> bool:
    """Whether a fact is said by contrasts, and the text contradicts one of their families: that is reported there."""
    return isinstance(content, Said) and any(family in families for family, _ in content.contrasts)


def lacking(page: Page) -> Iterator[Finding]:
    """Missing facts and unjustified numbers. A missing number and an unjustified one count as one contradiction."""
    prose, reading, book = page.prose, page.reading, page.book
    families = {one.contrast.family for one in page.opposed}
    verdicts = [verdict for verdict in page.verdicts if not _is_opposed(verdict.fact.content, families)]
    wrong = {at for verdict in verdicts for one in verdict.wrong for at in range(one.start, one.end)}
    left = dict.fromkeys(q for q in page.unjustified if q.start not in wrong)
    for verdict in verdicts:
        if verdict.stated or verdict.wrong or (verdict.fact.optional and not verdict.partly):
            continue
        if not _can_be_found(verdict.fact.content, reading.language, book):
            continue
        if isinstance(verdict.fact.content, Words):
            yield from terms.unspoken(prose, page.passage.key, reading, verdict.fact.content, book)
            continue
        instead = _by_row(verdict.fact.content, left.keys(), reading)
        likely = _likely(verdict.fact.content, left, page)
        if not instead and likely is not None:
            instead = {likely: terms.lacks(verdict, book, prose.lang)}
        for number, wanted in instead.items():
            left.pop(number, None)
            said = prose.text[number.start : number.end]
            message = say("The text says “{said}”; the spec says {wanted}.", said=said, wanted=wanted)
            yield prose.say("fact-contradicted", message, number.start, number.end, say("Correct the number."))
        if not instead:
            message, place = terms.missing(prose, verdict, book), page.passage.key
            yield finding("fact-missing", message, prose.source, place, _how(verdict.fact), prose.rule, prose.lang)
    for number in left:
        said = prose.text[number.start : number.end]
        message = say("The rule has no value “{said}”.", said=said)
        hint = say(
            "Correct the number, or add what it belongs to under `states: {rule}:` (`about`) in the spec.",
            rule=prose.rule,
        )
        yield prose.say("number-unaccounted", message, number.start, number.end, hint)


def _can_be_found(content: Content, language: Language, book: Book) -> bool:
    """Whether a fact can be found in a text of a language: one said by contrasts needs a lexicon of them, one that is
    named needs terms of the names."""
    if isinstance(content, Said):
        known = not content.contrasts or language.file("contrasts.yaml") is not None
        return known and (not content.names or any(book.has_term(name, language.tag) for name in content.names))
    if isinstance(content, ByKey | Sequence | Names):
        names = content.rows if isinstance(content, ByKey) else content.names
        return all(book.has_term(name, language.tag) for name in names if isinstance(name, str))
    return True


def _by_row(content: Content, left: Set[Quantity], reading: Reading) -> dict[Quantity, str]:
    """The wanted value for each number of a table in which no row is right."""
    found: dict[Quantity, str] = {}
    if not isinstance(content, ByPlayers):
        return found
    for row in reading.rows:
        values = [value for value in row.values if value in left]
        if len(values) == 1 and len(row.counts) == 1 and row.counts[0] in content.rows:
            found[values[0]] = of_players(content.rows[row.counts[0]], row.counts[0])
    return found


_BESIDE = 4
"""The most characters between a number and the thing that it counts: 6 **approvals**, 6張贊成卡."""


def _likely(content: Content, left: Mapping[Quantity, None], page: Page) -> Quantity | None:
    """The number that most likely contradicts a missing fact: one that counts the same thing, else the first number
    left, but not the end of a range that is right."""
    if isinstance(content, Sequence | Said):
        return None
    if isinstance(content, Number) and content.of:
        facts = (one.fact.content for one in page.verdicts)
        right = {fact.value for fact in facts if isinstance(fact, Number) and fact.of == content.of}
        things, text = page.reading.places.get(content.of, ()), page.prose.text
        for number in page.reading.quantities:
            between = [text[number.end : one.start] for one in things if 0 <= one.start - number.end <= _BESIDE]
            beside = any("\n" not in one and not page.reading.language.clause.search(one) for one in between)
            counts = number.kind == Kind.CARDINAL and number.start not in page.reading.counts
            if (
                counts
                and number.value not in (1, *right)
                and (beside or any(number.start == one.end for one in things))
            ):
                return number
    ends = (content.low, content.high) if isinstance(content, Extent) else ()
    return next((number for number in left if str(number.value) not in ends), next(iter(left), None))


def _how(fact: Fact) -> Message:
    if isinstance(fact.content, Number):
        return say("Write the number in digits or in words.")
    listed = isinstance(fact.content, Sequence)
    return say("List them in this order.") if listed else say("State it in a sentence, a list or a table.")


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
    others = translated_in(page.passage.id, page.others)
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
