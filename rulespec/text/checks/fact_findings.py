"""Findings about the facts of a rule: what a text says otherwise, what it lacks, and numbers that are no facts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Set

from rulespec.base.diagnostics import Finding, finding
from rulespec.base.messages import Message, say
from rulespec.text.checks import terms
from rulespec.text.checks.page import Page
from rulespec.text.judging.units import misplaced
from rulespec.text.languages.quantity.quantity import Kind, Quantity
from rulespec.text.languages.record import Language
from rulespec.text.reading.mentions import Reading
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
from rulespec.text.rules.evidence import Verdict


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
    yield from _miscounted(page)


def _miscounted(page: Page) -> Iterator[Finding]:
    """Numbers of the rule that the text gives to another thing."""
    prose, book = page.prose, page.book
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
            yield _silent(page, verdict)
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


def _silent(page: Page, verdict: Verdict) -> Finding:
    prose = page.prose
    message = terms.missing(prose, verdict, page.book)
    return finding("fact-missing", message, prose.source, page.passage.key, _how(verdict.fact), prose.rule, prose.lang)


def _how(fact: Fact) -> Message:
    if isinstance(fact.content, Number):
        return say("Write the number in digits or in words.")
    listed = isinstance(fact.content, Sequence)
    return say("List them in this order.") if listed else say("State it in a sentence, a list or a table.")
