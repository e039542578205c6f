"""Checks of a publisher's raw text against the spec: missing rules, contradicted facts, terms and typography."""

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
from rulespec.text.content import Fact, Sequence, Words
from rulespec.text.edition import Edition
from rulespec.text.evidence import Wrong, judge
from rulespec.text.glossary import finder
from rulespec.text.justified import in_facts, is_justified
from rulespec.text.languages import LANGUAGES
from rulespec.text.prose import Prose, whole
from rulespec.text.raw import term_usage
from rulespec.text.raw.alignment import AlignedPassage, Alignment, align, alignable
from rulespec.text.raw.segments import Role, Segment
from rulespec.text.reading import Reading
from rulespec.text.render.order import rules_in_order
from rulespec.text.translation import Translation
from rulespec.text.typography import Spelling
from rulespec.text.typography import check as check_typography

NEAR = 2
"""How many neighbours of a rule, on either side in the spec, a text may state in the same sentence."""

AFTER = 8
"""How many sentences after its passage may still state facts of a rule: about one paragraph."""

ENOUGH = 0.3
"""The minimum share of the rules that a rulebook of this game states. Measured: 0.66 to 1.0 for rulebooks of the game,
0.0 to 0.42 for those of other games. A higher limit would refuse excerpts, so some other games are not refused."""


def check(
    source: Source,
    lang: str,
    book: Book,
    own: Translation | None,
    spelling: Spelling | None = None,
    players: int | None = None,
) -> Iterator[Finding]:
    """All findings for a raw text of a game in a language. `own` is our text of the game in that language, if any.

    `players` limits the check to the rules for one number of players; what the text says about others is not compared.
    Raises ValueError if the game is not for that number.
    """
    prose, text = whole(source, lang), source.text
    if players is not None:
        text = Edition(text, LANGUAGES[lang], book.spec.players, players).blanked()
        book = replace(book, spec=book.spec.edition(players))
    alignment = align(text, lang, book, own)
    if share(alignment) < ENOUGH:
        yield _other_game(prose, alignment)
        return
    yield from _left_out(prose, alignment)
    facts = list(_facts(prose, alignment))
    yield from facts
    contradicted = {found.start for found in facts if found.name == "fact-contradicted"}
    yield from (found for found in _numbers(prose, alignment) if found.start not in contradicted)
    words = list(term_usage.check(prose, alignment))
    yield from words
    # A misspelt term is reported once, by the check that knows the term.
    misspelt = {found.start for found in words if found.name == "term-misspelt"}
    yield from (found for found in _typography(prose, alignment, spelling) if found.start not in misspelt)


def _typography(prose: Prose, alignment: Alignment, spelling: Spelling | None) -> Iterator[Finding]:
    """Findings about letters and punctuation; names and addresses in the credits are left alone."""
    book = alignment.book
    credits_ = [prose.place(s.start, s.end) for s in alignment.segments if s.role == Role.CREDITS]
    starts, ends = ([prose.source.position(at) for at in places] for places in _unzipped(credits_))
    for found in check_typography(prose, spelling, book.letters, finder(book.glossary, prose.lang).has_word):
        index = bisect_right(starts, found.start) - 1
        if index < 0 or found.start >= ends[index]:
            yield found


def _unzipped(spans: list[Span]) -> tuple[list[int], list[int]]:
    return [span.start for span in spans], [span.end for span in spans]


def share(alignment: Alignment) -> float:
    """The share of the ordinary rules that a text states."""
    rules = ordinary(alignment.book.spec)
    return sum(alignment.stated(rule) > 0 for rule in rules) / max(1, len(rules))


def ordinary(spec: Spec) -> list[str]:
    """The rules of the rulebook that are in the game under the chosen rulings: every rulebook should state them."""
    in_game = {id_ for setting in settings(spec) for id_, _ in rules_in_order(setting)}
    return [id_ for id_ in alignable(spec) if id_ in in_game and spec.rules[id_].in_rulebook]


def _other_game(prose: Prose, alignment: Alignment) -> Finding:
    spec = alignment.book.spec
    found = round(share(alignment) * 100)
    message = f"This is not the rulebook of {spec.title}: it states only {found} % of its rules."
    return prose.say("other-game", message, 0, 0, "Check --spec and --lang, and that this is the right file.")


def _left_out(prose: Prose, alignment: Alignment) -> Iterator[Finding]:
    """Rules that the text does not state, each at the end of the last stated rule before it."""
    spec, after = alignment.book.spec, 0
    for rule in ordinary(spec):
        if alignment.stated(rule):
            after = alignment.passages[rule].end
            continue
        needs = "; ".join(str(fact) for fact in alignment.profiles[rule].facts if not fact.optional)
        message = f"Missing rule `{rule}`: {spec.rules[rule].title}."
        hint = f"Add it about here. Its facts: {needs}." if needs else "Add it about here."
        yield _at(prose, "text-missing", message, Span(after, after), hint, rule)


def _facts(prose: Prose, alignment: Alignment) -> Iterator[Finding]:
    for rule in ordinary(alignment.book.spec):
        if alignment.stated(rule):
            yield from _of_rule(prose, alignment, rule, alignment.passages[rule])


def _of_rule(prose: Prose, alignment: Alignment, rule: str, place: AlignedPassage) -> Iterator[Finding]:
    here = alignment.reading.part(place.start, place.end)
    near = _around(alignment, rule, place)
    required = (fact.content for fact in alignment.profiles[rule].facts if not fact.optional)
    first = next((content for content in required if isinstance(content, Words)), None)
    # Derived facts justify numbers. A publisher's text may choose what it says of them.
    for fact in (fact for fact in alignment.profiles[rule].facts if not fact.derived):
        verdicts = [judge(fact, reading, alignment.book.concepts) for reading in (here, *near)]
        if any(verdict.stated for verdict in verdicts):
            continue
        if isinstance(fact.content, Words):
            # The first terms identify the rule; another rulebook need not use the other terms of our texts.
            if fact.content == first:
                lacking = Words(min(verdicts, key=lambda verdict: len(verdict.lacking)).lacking)
                span = prose.place(place.start, place.end)
                yield from terms.unspoken(replace(prose, rule=rule), span, here, lacking, alignment.book)
            continue
        # A distant sentence may belong to another rule: it can state a fact but not contradict it.
        contradicting = (w for verdict in verdicts[:2] for w in verdict.wrong)
        wrong = [*islice((w for w in contradicting if not _elsewhere(w, fact, rule, alignment)), 1)]
        for one in wrong:
            yield _contradiction(prose, rule, fact, one)
        if not wrong and (not fact.optional or verdicts[0].partly):
            lacks = min((verdict.lacks for verdict in verdicts), key=len)
            message = f"Missing fact of `{rule}`: {lacks}."
            hint = "Add it to this passage. If the text says it in other words, add these words to the glossary."
            yield _at(prose, "fact-missing", message, Span(place.start, place.end), hint, rule)


def _elsewhere(wrong: Wrong, fact: Fact, rule: str, alignment: Alignment) -> bool:
    """Whether a value that contradicts one fact states another fact of the rule or of its neighbours."""
    part = alignment.reading.part(wrong.start, wrong.end)
    if any(quantity in alignment.row_values for quantity in part.quantities):
        return False  # a cell of a table belongs to that table
    index = alignment.index_at(wrong.start)
    here = {*_rules_at(alignment, index, alignment.segments[index]), rule}
    near = {one for other in here for one in _neighbours(alignment, other)}
    others = tuple(f for other in near for f in alignment.profiles[other].facts if f != fact and not f.derived)
    return bool(part.quantities) and all(in_facts(quantity, others, part) for quantity in part.quantities)


def _contradiction(prose: Prose, rule: str, fact: Fact, wrong: Wrong) -> Finding:
    name = "order-contradicted" if isinstance(fact.content, Sequence) else "fact-contradicted"
    message = f"The text says “{wrong.says}”; the spec says {wrong.wants}."
    return _at(prose, name, message, Span(wrong.start, wrong.end), f"Correct the text, or the spec at `{rule}`.", rule)


def _around(alignment: Alignment, rule: str, place: AlignedPassage) -> list[Reading]:
    """Where else the text may state a rule: around its passage, in its section, in all sentences aligned to it."""
    parts = alignment.segments
    inside = alignment.indices(place.start, place.end)
    first, last = max(0, inside[0] - 2), min(len(parts), inside[-1] + 1 + AFTER)
    section = [s for s in parts if s.section == parts[inside[0]].section]
    aligned = [alignment.part(parts[i]) for i, (aligned, _) in alignment.rules.items() if aligned == rule]
    passages = [(parts[first].start, parts[last - 1].end), (section[0].start, section[-1].end)]
    return [alignment.reading.part(start, end) for start, end in passages] + aligned


def _numbers(prose: Prose, alignment: Alignment) -> Iterator[Finding]:
    """Numbers in rules that neither the rule nor its neighbours justify."""
    for i, segment in enumerate(alignment.segments):
        rule, sure = alignment.rules.get(i, ("", 0.0))
        if segment.role != Role.RULE or not sure:
            continue
        part = alignment.part(segment)
        stated = tuple(_known(alignment, i, segment))
        for quantity in part.quantities:
            if not is_justified(quantity, stated, part, strict=False):
                said = prose.text[quantity.start : quantity.end]
                message = f"No rule stated here has the value “{said}”. The sentence seems to state `{rule}`."
                hint = f"Compare it with the rule: ftk explain {rule} --spec {alignment.book.spec.id}"
                yield _at(prose, "number-unaccounted", message, Span(quantity.start, quantity.end), hint, rule)


def _known(alignment: Alignment, index: int, segment: Segment) -> Iterator[Fact]:
    """The facts that a sentence may state: those of the rules at this segment and of their neighbours."""
    here = _rules_at(alignment, index, segment)
    for rule in {near for one in here for near in _neighbours(alignment, one)}:
        yield from alignment.profiles[rule].facts


def _rules_at(alignment: Alignment, index: int, segment: Segment) -> set[str]:
    """The rules aligned to a sentence and to the two on either side, and those whose passage contains it."""
    near = {alignment.rules[i][0] for i in range(index - 2, index + 3) if i in alignment.rules}
    over = {r for r, p in alignment.passages.items() if p.start <= segment.start < p.end and alignment.stated(r)}
    return near | over


def _neighbours(alignment: Alignment, rule: str) -> list[str]:
    """A rule with its neighbours in the spec, which texts often state together."""
    rules = list(alignment.profiles)
    at = rules.index(rule)
    return rules[max(0, at - NEAR) : at + NEAR + 1]


def _at(prose: Prose, name: str, message: str, span: Span, hint: str, rule: str) -> Finding:
    return finding(name, message, prose.source, prose.place(span.start, span.end), hint, rule, prose.lang)
