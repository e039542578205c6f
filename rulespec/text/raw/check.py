"""A publisher's raw text against the spec: what it leaves out, what it has otherwise, how it says it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from rulespec.diagnostics import Finding, Span, finding
from rulespec.model.constants import settings
from rulespec.model.spec import Spec
from rulespec.source import Source
from rulespec.text.book import Book
from rulespec.text.evidence import Verdict, Wrong, judge, licensed
from rulespec.text.facts import Fact, Sequence, Words
from rulespec.text.marks import check as check_marks
from rulespec.text.prose import Prose, whole
from rulespec.text.raw import terms
from rulespec.text.raw.alignment import Alignment, Place, align
from rulespec.text.raw.segments import Role, Segment
from rulespec.text.reading import Reading
from rulespec.text.translation import Translation

STATED, LEFT_OUT = 0.75, 0.5
"""The coverage from which a rule counts as stated, and below which as left out; what lies between is doubtful."""

ENOUGH = 0.3
"""The share of the rules that a rulebook of this game states at the least."""


def check(source: Source, lang: str, book: Book, own: Translation | None) -> Iterator[Finding]:
    """Everything wrong with a raw text of a game in a language; `own` is our text of it, where there is one."""
    prose = whole(source, lang)
    alignment = align(source.text, lang, book, own)
    if share(alignment) < ENOUGH:
        yield _stranger(prose, alignment)
        return
    yield from _left_out(prose, alignment)
    yield from _facts(prose, alignment)
    yield from _numbers(prose, alignment)
    yield from terms.check(prose, alignment)
    yield from check_marks(prose, letters=book.letters)


def share(alignment: Alignment) -> float:
    """The share of the rules, of those every game has, that a text states."""
    rules = ordinary(alignment.book.spec)
    return sum(alignment.places[rule].coverage >= STATED for rule in rules) / max(1, len(rules))


def ordinary(spec: Spec) -> list[str]:
    """The rules that are in the game with the answers taken: those every rulebook tells."""
    every = settings(spec)
    return [rule.id for rule in spec.rules.values() if any(one.present(rule.only_if) for one in every)]


def _stranger(prose: Prose, alignment: Alignment) -> Finding:
    spec = alignment.book.spec
    found = round(share(alignment) * 100)
    message = f"This is not the rulebook of {spec.title}: only {found} % of its rules can be found here."
    return prose.say("other-game", message, 0, 0, "Check --spec and --lang, and that this is the right file.")


def _left_out(prose: Prose, alignment: Alignment) -> Iterator[Finding]:
    """Rules the text does not state, each where it would belong: after the last rule before it that is stated."""
    spec, after = alignment.book.spec, 0
    for rule in ordinary(spec):
        place = alignment.places[rule]
        if place.coverage >= LEFT_OUT:
            after = max(after, place.end) if place.coverage >= STATED else after
            continue
        told = "; ".join(str(fact) for fact in alignment.profiles[rule].facts if not fact.optional)
        message = f"The text leaves out the rule `{rule}`: {spec.rules[rule].title}."
        hint = f"It belongs about here. The rule: {told}." if told else "It belongs about here."
        yield _at(prose, "text-missing", message, Span(after, after), hint, rule)


def _facts(prose: Prose, alignment: Alignment) -> Iterator[Finding]:
    for rule in ordinary(alignment.book.spec):
        place = alignment.places[rule]
        if place.coverage >= LEFT_OUT:
            yield from _of_rule(prose, alignment, rule, place)


def _of_rule(prose: Prose, alignment: Alignment, rule: str, place: Place) -> Iterator[Finding]:
    near = _around(alignment, rule, place)
    for fact in alignment.profiles[rule].facts:
        verdict = _best(fact, near, alignment)
        if verdict.stated:
            continue
        for wrong in verdict.wrong:
            yield _contradiction(prose, rule, fact, wrong)
        if not verdict.wrong and not fact.optional:
            speaks = "does not speak of" if isinstance(fact.content, Words) else "does not say"
            message = f"The passage on `{rule}` {speaks} what the rule needs: {verdict.lacks}."
            hint = "Say it here, or, where it is said, add the wording to the glossary."
            yield _at(prose, "fact-missing", message, Span(place.start, place.end), hint, rule)


def _contradiction(prose: Prose, rule: str, fact: Fact, wrong: Wrong) -> Finding:
    name = "order-contradicted" if isinstance(fact.content, Sequence) else "fact-contradicted"
    message = f"The text says “{wrong.says}” where the spec has {wrong.wants}."
    return _at(prose, name, message, Span(wrong.start, wrong.end), f"Correct the text, or the spec at `{rule}`.", rule)


def _around(alignment: Alignment, rule: str, place: Place) -> list[Reading]:
    """Where the text may speak of a rule: its place, the sentences around it, and all sentences aligned to it."""
    pieces = alignment.segments
    inside = [i for i, s in enumerate(pieces) if place.start <= s.start < place.end]
    first, last = max(0, inside[0] - 1), min(len(pieces), inside[-1] + 3)
    readings = [
        alignment.reading.part(place.start, place.end),
        alignment.reading.part(pieces[first].start, pieces[last - 1].end),
    ]
    return readings + [
        alignment.part(pieces[i]) for i, (aligned, _) in alignment.rules.items() if aligned == rule
    ]


def _best(fact: Fact, near: list[Reading], alignment: Alignment) -> Verdict:
    """The most favourable verdict: a fact that is stated anywhere near is stated."""
    verdicts = [judge(fact, reading, alignment.book.concepts) for reading in near]
    return max(verdicts, key=lambda verdict: (verdict.stated, bool(verdict.wrong), -len(verdict.lacks)))


def _numbers(prose: Prose, alignment: Alignment) -> Iterator[Finding]:
    """Numbers in rules that neither the rule nor those around it account for."""
    for i, piece in enumerate(alignment.segments):
        if piece.role != Role.RULE or i not in alignment.rules:
            continue
        rule, sure = alignment.rules[i]
        part = alignment.part(piece)
        stated = tuple(_known(alignment, i, piece))
        for quantity in part.quantities:
            if not licensed(quantity, stated, part) and sure > 0:
                said = prose.text[quantity.start : quantity.end]
                message = f"Nothing in the rules told here is “{said}”; the sentence seems to be about `{rule}`."
                hint = "Compare it with the rule: ftk explain " + rule
                yield _at(prose, "number-unaccounted", message, Span(quantity.start, quantity.end), hint, rule)


def _known(alignment: Alignment, index: int, piece: Segment) -> Iterator[Fact]:
    """The facts that a sentence may be telling: of the rules aligned here and just around, or placed over it."""
    near = {alignment.rules[i][0] for i in range(index - 2, index + 3) if i in alignment.rules}
    over = {r for r, p in alignment.places.items() if p.start <= piece.start < p.end and p.coverage >= LEFT_OUT}
    for rule in near | over:
        yield from alignment.profiles[rule].facts


def _at(prose: Prose, name: str, message: str, span: Span, hint: str, rule: str) -> Finding:
    return finding(name, message, prose.source, prose.place(span.start, span.end), hint, rule, prose.lang)


def roles(alignment: Alignment) -> Counter[Role]:
    """How many pieces of each role a text has."""
    return Counter(piece.role for piece in alignment.segments)
