"""Checks of a publisher's raw text against the spec: what it contradicts, terms and typography."""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from rulespec.base.diagnostics import Finding, Severity, Span, finding
from rulespec.base.messages import NOTHING, Message, counted, say
from rulespec.base.source import Source
from rulespec.text.checks import foreign, terms
from rulespec.text.checks.typography import check as check_typography
from rulespec.text.checks.typography.spelling import Spelling
from rulespec.text.glossary.concepts import Status
from rulespec.text.glossary.finder import Mention, finder
from rulespec.text.judging.contradictions import plain
from rulespec.text.languages.registry import find
from rulespec.text.output.edition import Edition
from rulespec.text.raw.alignment import Alignment, align, as_markdown, is_of_game, share
from rulespec.text.raw.contrasts import wrong_contrasts
from rulespec.text.raw.numbers import wrong_numbers
from rulespec.text.raw.segments import Role
from rulespec.text.raw.tables import cells_of_tables, tables
from rulespec.text.reading.contrasts.lexicon import says_instead, value_in_words
from rulespec.text.reading.prose import Prose
from rulespec.text.reading.prose import whole as as_prose
from rulespec.text.reading.translation import Translation
from rulespec.text.rules.book import Book
from rulespec.text.rules.content import Sequence as Order
from rulespec.text.rules.describe.description import Description
from rulespec.text.rules.describe.grammar import languages
from rulespec.text.rules.evidence import Wrong, judge
from rulespec.text.rules.facts import of_rule


def check(
    source: Source,
    lang: str,
    book: Book,
    own: Translation | None,
    spelling: Spelling | None = None,
    players: int | None = None,
    aligned: Alignment | None = None,
) -> Iterator[Finding]:
    """All findings for a raw text of a game in a language. `own` is our text of the game in that language, if any.

    `players` limits the check to the rules for one number of players; what the text says about others is not compared.
    `aligned` is the alignment of the text (see `align_source`), if the caller has it. Raises ValueError if the game is
    not for that number.
    """
    prose = replace(as_prose(source, lang), text=as_markdown(source.text))
    alignment = aligned or align_source(source, lang, book, own, players)
    whole = alignment if players is None else align_source(source, lang, book, own)
    if not is_of_game(whole):
        message = say(
            "This is not the rulebook of {spec}: it mentions only {found} % of its terms.",
            spec=whole.book.spec.title,
            found=round(share(whole) * 100),
        )
        yield prose.say("other-game", message, 0, 0, say("Check --spec and --lang, and that this is the right file."))
        return
    yield from (one for _, one in detected(Raw(prose, alignment, spelling)))


def detected(raw: Raw) -> Iterator[tuple[Detector, Finding]]:
    """The findings of all detectors, without those about words that an earlier row of the table has found wrong."""
    on_line: defaultdict[int, list[Finding]] = defaultdict(list)
    for detector in DETECTORS:
        mine = [one for one in detector.findings(raw) if not _is_known(one, on_line)]
        for one in mine:
            for line in _lines(one):
                on_line[line].append(one)
        yield from ((detector, one) for one in mine)


def _is_known(one: Finding, on_line: Mapping[int, Sequence[Finding]]) -> bool:
    known = (other for line in _lines(one) for other in on_line.get(line, ()))
    return any(one.start < other.end and other.start < one.end for other in known)


def _lines(one: Finding) -> range:
    return range(one.start.line, one.end.line + 1)


def align_source(
    source: Source, lang: str, book: Book, own: Translation | None, players: int | None = None
) -> Alignment:
    """The alignment of a raw text, of what it says about one number of players if one is given.

    Raises ValueError if the game is not for that number.
    """
    if players is None:
        return align(source.text, lang, book, own)

    def edition(text: str) -> str:
        return Edition(text, find(lang), book.spec.players, players).blanked()

    if own is not None:
        texts = {id_: replace(one.text, text=edition(one.text.text)) for id_, one in own.rules.items()}
        own = replace(own, rules={id_: replace(one, text=texts[id_]) for id_, one in own.rules.items()})
    reduced = replace(book, spec=book.spec.edition(players))
    return align(edition(source.text), lang, reduced, own, book.spec)


LIKELY, SURE = 0.7, 0.95
"""The score that a finding needs, and that from which it is an error: it is right in 95 of 100. Others are warnings."""

TERMED, MANY = 0.7, 10
"""The least share of the terms of a game that a text mentions which keeps to them, and how many sentences a text has
that may be judged by it. Measured: 0.76 to 0.85 for rulebooks
(`corpus`), 0.37 to 0.68 for summaries in words of their own (`raw_development`)."""

Scored = Iterator[tuple[float, Finding]]
"""Findings, each with the probability that it is right."""


@dataclass(frozen=True)
class Raw:
    """A raw text, its alignment to the rules, and a dictionary of its language, if any."""

    prose: Prose
    alignment: Alignment
    spelling: Spelling | None = None

    @property
    def book(self) -> Book:
        """The game with its glossary."""
        return self.alignment.book

    def contradiction(self, name: str, message: Message, words: Span, rule: str) -> Finding:
        """The finding about words that contradict a rule."""
        hint = say("Correct the text, or the spec at `{rule}`.", rule=rule)
        place = self.prose.place(words.start, words.end)
        return finding(name, message, self.prose.source, place, hint, rule, self.prose.lang)

    def wrong(self, rule: str, one: Wrong, name: str = "fact-contradicted") -> Finding:
        """The finding about words in place of a fact of a rule."""
        wanted = self.book.in_terms(one.wants, self.prose.lang)
        message = say("The text says “{said}”; the spec says {wanted}.", said=one.says, wanted=wanted)
        return self.contradiction(name, message, Span(one.start, one.end), rule)

    def wrong_number(self, rule: str, start: int, end: int, wants: str) -> Finding:
        """The finding about a number that a rule has otherwise."""
        return self.wrong(rule, Wrong(start, end, self.prose.text[start:end], wants))


@dataclass(frozen=True)
class Detector:
    """What is compared with the rules. `codes` are the names of its findings, those of the whole group of typography if
    none are listed; `reads` and `judges` say what it reads in a text and what that is held against; `data` is the file
    of a language that it needs, "" if none. `least` is the score that a finding needs."""

    name: str
    find: Callable[[Raw], Scored]
    codes: tuple[str, ...]
    reads: str
    judges: str
    data: str = ""
    least: float = 0.0

    def findings(self, raw: Raw) -> Iterator[Finding]:
        """The findings with the score that they need: warnings, if they are errors of which too few would be right."""
        for score, one in self.find(raw):
            if score >= self.least:
                doubtful = score < SURE and one.severity is Severity.ERROR
                yield replace(one, level=Severity.WARNING) if doubtful else one


def _tables(raw: Raw) -> Scored:
    for table in tables(raw.alignment):
        yield from ((SURE, raw.wrong_number(table.rule, cell.start, cell.end, wants)) for cell, wants in table.wrong)


def _orders(raw: Raw) -> Scored:
    """Lists of names in another order than a rule gives them, if no passage has the right order."""
    alignment, concepts = raw.alignment, raw.book.concepts
    for rule in alignment.statements.rules:
        facts = [fact for fact in of_rule(raw.book.spec, rule) if isinstance(fact.content, Order) and not fact.derived]
        for fact in facts:
            if not judge(fact, alignment.reading, concepts).stated:
                for index in alignment.asserted:
                    score = alignment.chances[index].get(rule, 0.0)
                    for one in judge(fact, alignment.sentence(index), concepts).wrong if score else ():
                        yield score, raw.wrong(rule, one, "order-contradicted")


def _contrasts(raw: Raw) -> Scored:
    book, lang = raw.book, raw.prose.lang
    described = Description(book.spec, lang, book.glossary) if lang in languages() else None
    for one in wrong_contrasts(raw.alignment):
        value, sentence = None, one.sentence
        if one.claim is not None:
            value = value_in_words(one.claim.family, one.claim.value)
            sentence = described.sentence(one.claim.proposition) if described is not None else ""
        words = one.contrast.words
        message = says_instead(raw.prose.text[words.start : words.end], plain(one.contrast), value, sentence)
        yield one.chance, raw.contradiction("fact-contradicted", message, words, one.rule)


def _numbers(raw: Raw) -> Scored:
    for one in wrong_numbers(raw.alignment, cells_of_tables(raw.alignment)):
        yield one.chance, raw.wrong_number(one.rule, one.quantity.start, one.quantity.end, one.instead)


def _terms(raw: Raw) -> Scored:
    """Words that the glossary forbids for a concept, each once with all of its lines, and misspelt terms.

    A text in words of its own keeps to no glossary: what looks like a wrong or a misspelt term is another word.
    """
    if share(raw.alignment) < TERMED and len(raw.alignment.asserted) >= MANY:
        return
    found: defaultdict[tuple[str, str], list[Mention]] = defaultdict(list)
    for mention in raw.alignment.reading.mentions:
        if mention.status == Status.FORBIDDEN:
            found[mention.concept, mention.term].append(mention)
    for same in found.values():
        yield 1.0, terms.forbidden(raw.prose, same[0], raw.book.glossary, _more(raw.prose, same[1:]))
    yield from ((1.0, one) for one in terms.slips(raw.prose, raw.alignment.reading, raw.book))


def _more(prose: Prose, found: list[Mention]) -> Message:
    lines = sorted({prose.source.position(prose.place(m.start, m.end).start).line for m in found})
    return counted("; also on line {lines}", "; also on lines {lines}", len(lines), lines=lines) if lines else NOTHING


def _typography(raw: Raw) -> Scored:
    known = finder(raw.book.glossary, raw.prose.lang).has_word
    return _outside_credits(raw, check_typography(raw.prose, raw.spelling, raw.book.letters, known))


def _foreign(raw: Raw) -> Scored:
    return _outside_credits(raw, foreign.check(raw.prose))


def _outside_credits(raw: Raw, every: Iterable[Finding]) -> Scored:
    """The findings that are not in the credits, whose names and addresses are left alone."""
    places = [raw.prose.place(s.start, s.end) for s in raw.alignment.segments if s.role == Role.CREDITS]
    starts = [raw.prose.source.position(one.start) for one in places]
    ends = [raw.prose.source.position(one.end) for one in places]
    for found in every:
        index = bisect_right(starts, found.start) - 1
        if index < 0 or found.start >= ends[index]:
            yield 1.0, found


_CONTRADICTED = ("fact-contradicted",)
_OF_TERMS = ("term-forbidden", "term-misspelt", "term-repeated")

DETECTORS = (
    Detector("tables", _tables, _CONTRADICTED, "tables by players or by names", "facts of the rule, our text of it"),
    Detector("orders", _orders, ("order-contradicted",), "names in a row", "facts of the rule", "", LIKELY),
    Detector(
        "contrasts",
        _contrasts,
        _CONTRADICTED,
        "contrasts",
        "what the rule does, our sentences",
        "contrasts.yaml",
        LIKELY,
    ),
    Detector("numbers", _numbers, _CONTRADICTED, "numbers", "facts of the rule, our sentences", "", LIKELY),
    Detector("terms", _terms, _OF_TERMS, "terms", "the glossary"),
    Detector("foreign", _foreign, ("sentence-untranslated",), "words", "dictionaries of languages"),
    Detector("typography", _typography, (), "letters, marks, words of a dictionary", "the language"),
)
"""A finding about words that an earlier row has a finding about is left out."""
