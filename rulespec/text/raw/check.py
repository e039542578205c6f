"""A publisher's raw text against the spec: what it leaves out, what it has otherwise, how it says it."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice

from rulespec.diagnostics import Finding, Span, finding
from rulespec.model.constants import settings
from rulespec.model.spec import Spec
from rulespec.source import Source
from rulespec.text import terms
from rulespec.text.book import Book
from rulespec.text.evidence import Wrong, judge
from rulespec.text.facts import Fact, Sequence, Words
from rulespec.text.justified import accounted, is_justified
from rulespec.text.prose import Prose, whole
from rulespec.text.raw import term_usage
from rulespec.text.raw.alignment import AlignedPassage, Alignment, align
from rulespec.text.raw.segments import Role, Segment
from rulespec.text.reading import Reading
from rulespec.text.subjects import around
from rulespec.text.translation import Translation
from rulespec.text.typography import Spelling
from rulespec.text.typography import check as check_typography

NEAR = 2
"""How many rules on either side of a rule are told in one breath with it."""

AFTER = 8
"""Over how many further sentences a text may go on about a rule."""

ENOUGH = 0.3
"""The share of the rules that a rulebook of this game states at the least."""


def check(
    source: Source, lang: str, book: Book, own: Translation | None, spelling: Spelling | None = None
) -> Iterator[Finding]:
    """Everything wrong with a raw text of a game in a language; `own` is our text of it, where there is one."""
    prose = whole(source, lang)
    alignment = align(source.text, lang, book, own)
    if share(alignment) < ENOUGH:
        yield _stranger(prose, alignment)
        return
    yield from _left_out(prose, alignment)
    facts = list(_facts(prose, alignment))
    yield from facts
    contradicted = {found.start for found in facts if found.name == "fact-contradicted"}
    yield from (found for found in _numbers(prose, alignment) if found.start not in contradicted)
    words = list(term_usage.check(prose, alignment))
    yield from words
    # A slip in a term is told once, by the check that knows the term.
    slips = {found.start for found in words if found.name == "term-misspelt"}
    yield from (found for found in _marks(prose, alignment, spelling) if found.start not in slips)


def _marks(prose: Prose, alignment: Alignment, spelling: Spelling | None) -> Iterator[Finding]:
    """What is wrong with letters and marks; names and addresses in the credits are as they are."""
    credits_ = [prose.place(s.start, s.end) for s in alignment.segments if s.role == Role.CREDITS]
    starts, ends = ([prose.source.position(at) for at in places] for places in _unzipped(credits_))
    for found in check_typography(prose, spelling, alignment.book.letters):
        index = bisect_right(starts, found.start) - 1
        if index < 0 or found.start >= ends[index]:
            yield found


def _unzipped(spans: list[Span]) -> tuple[list[int], list[int]]:
    return [span.start for span in spans], [span.end for span in spans]


def share(alignment: Alignment) -> float:
    """The share of the rules, of those every game has, that a text states."""
    rules = ordinary(alignment.book.spec)
    return sum(alignment.told(rule) > 0 for rule in rules) / max(1, len(rules))


def ordinary(spec: Spec) -> list[str]:
    """The rules that are in the game with the answers taken: those every rulebook tells."""
    every = settings(spec)
    return [
        id_
        for id_ in spec.rules
        if any(all(one.present(spec.rules[rule].only_if) for rule in around(spec, id_)) for one in every)
    ]


def _stranger(prose: Prose, alignment: Alignment) -> Finding:
    spec = alignment.book.spec
    found = round(share(alignment) * 100)
    message = f"This is not the rulebook of {spec.title}: only {found} % of its rules can be found here."
    return prose.say("other-game", message, 0, 0, "Check --spec and --lang, and that this is the right file.")


def _left_out(prose: Prose, alignment: Alignment) -> Iterator[Finding]:
    """Rules the text does not state, each where it would belong: after the last rule before it that is stated."""
    spec, after = alignment.book.spec, 0
    for rule in ordinary(spec):
        if alignment.told(rule):
            after = alignment.passages[rule].end
            continue
        told = "; ".join(str(fact) for fact in alignment.profiles[rule].facts if not fact.optional)
        message = f"The text leaves out the rule `{rule}`: {spec.rules[rule].title}."
        hint = f"It belongs about here. The rule: {told}." if told else "It belongs about here."
        yield _at(prose, "text-missing", message, Span(after, after), hint, rule)


def _facts(prose: Prose, alignment: Alignment) -> Iterator[Finding]:
    for rule in ordinary(alignment.book.spec):
        if alignment.told(rule):
            yield from _of_rule(prose, alignment, rule, alignment.passages[rule])


def _of_rule(prose: Prose, alignment: Alignment, rule: str, place: AlignedPassage) -> Iterator[Finding]:
    here = alignment.reading.part(place.start, place.end)
    near = _around(alignment, rule, place)
    first = next((f.content for f in alignment.profiles[rule].facts if isinstance(f.content, Words)), None)
    for fact in alignment.profiles[rule].facts:
        verdicts = [judge(fact, reading, alignment.book.concepts) for reading in (here, *near)]
        if any(verdict.stated for verdict in verdicts):
            continue
        if isinstance(fact.content, Words):
            # By its first terms a rule is known; of what else our texts say another rulebook may be silent.
            if fact.content == first:
                lacking = Words(min(verdicts, key=lambda verdict: len(verdict.lacking)).lacking)
                span = prose.place(place.start, place.end)
                yield from terms.unspoken(replace(prose, rule=rule), span, here, lacking, alignment.book)
            continue
        # What stands further off may belong to another rule, so it can state a fact but not contradict it.
        contradicting = (w for verdict in verdicts[:2] for w in verdict.wrong)
        wrong = [*islice((w for w in contradicting if not _elsewhere(w, fact, rule, alignment)), 1)]
        for one in wrong:
            yield _contradiction(prose, rule, fact, one)
        if not wrong and (not fact.optional or verdicts[0].partly):
            lacks = min((verdict.lacks for verdict in verdicts), key=len)
            message = f"The passage on `{rule}` does not say what the rule needs: {lacks}."
            hint = "Say it here, or, where it is said, add the wording to the glossary."
            yield _at(prose, "fact-missing", message, Span(place.start, place.end), hint, rule)


def _elsewhere(wrong: Wrong, fact: Fact, rule: str, alignment: Alignment) -> bool:
    """Whether what looks wrong for one fact is right for another one of the rule, or of those told around it."""
    part = alignment.reading.part(wrong.start, wrong.end)
    if any(quantity in alignment.row_values for quantity in part.quantities):
        return False  # what stands in a table is a number of that table
    index = alignment.index_at(wrong.start)
    told = {*_told_at(alignment, index, alignment.segments[index]), rule}
    near = {one for other in told for one in _neighbours(alignment, other)}
    others = tuple(f for other in near for f in alignment.profiles[other].facts if f != fact)
    return bool(part.quantities) and all(accounted(quantity, others, part) for quantity in part.quantities)


def _contradiction(prose: Prose, rule: str, fact: Fact, wrong: Wrong) -> Finding:
    name = "order-contradicted" if isinstance(fact.content, Sequence) else "fact-contradicted"
    message = f"The text says “{wrong.says}” where the spec has {wrong.wants}."
    return _at(prose, name, message, Span(wrong.start, wrong.end), f"Correct the text, or the spec at `{rule}`.", rule)


def _around(alignment: Alignment, rule: str, place: AlignedPassage) -> list[Reading]:
    """Where the text may go on about a rule: the sentences around its place, its section, all that is aligned to it."""
    pieces = alignment.segments
    inside = alignment.indices(place.start, place.end)
    first, last = max(0, inside[0] - 2), min(len(pieces), inside[-1] + 1 + AFTER)
    section = [s for s in pieces if s.section == pieces[inside[0]].section]
    aligned = [alignment.part(pieces[i]) for i, (aligned, _) in alignment.rules.items() if aligned == rule]
    stretches = [(pieces[first].start, pieces[last - 1].end), (section[0].start, section[-1].end)]
    return [alignment.reading.part(start, end) for start, end in stretches] + aligned


def _numbers(prose: Prose, alignment: Alignment) -> Iterator[Finding]:
    """Numbers in rules that neither the rule nor those told around it account for."""
    for i, piece in enumerate(alignment.segments):
        rule, sure = alignment.rules.get(i, ("", 0.0))
        if piece.role != Role.RULE or not sure:
            continue
        part = alignment.part(piece)
        stated = tuple(_known(alignment, i, piece))
        for quantity in part.quantities:
            if not is_justified(quantity, stated, part, strict=False):
                said = prose.text[quantity.start : quantity.end]
                message = f"Nothing in the rules told here is “{said}”; the sentence seems to be about `{rule}`."
                hint = f"Compare it with the rule: ftk explain {rule} --spec {alignment.book.spec.id}"
                yield _at(prose, "number-unaccounted", message, Span(quantity.start, quantity.end), hint, rule)


def _known(alignment: Alignment, index: int, piece: Segment) -> Iterator[Fact]:
    """The facts that a sentence may be telling: of the rules aligned here and next to them, or placed over it."""
    told = _told_at(alignment, index, piece)
    for rule in {near for one in told for near in _neighbours(alignment, one)}:
        yield from alignment.profiles[rule].facts


def _told_at(alignment: Alignment, index: int, piece: Segment) -> set[str]:
    """The rules that a sentence and those right around it are aligned to, and those placed over it."""
    near = {alignment.rules[i][0] for i in range(index - 2, index + 3) if i in alignment.rules}
    over = {r for r, p in alignment.passages.items() if p.start <= piece.start < p.end and alignment.told(r)}
    return near | over


def _neighbours(alignment: Alignment, rule: str) -> list[str]:
    """A rule with the few before and after it in the spec: what people often tell in one breath."""
    rules = list(alignment.profiles)
    at = rules.index(rule)
    return rules[max(0, at - NEAR) : at + NEAR + 1]


def _at(prose: Prose, name: str, message: str, span: Span, hint: str, rule: str) -> Finding:
    return finding(name, message, prose.source, prose.place(span.start, span.end), hint, rule, prose.lang)
