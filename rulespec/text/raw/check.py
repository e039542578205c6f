"""Checks of a publisher's raw text against the spec: missing rules, contradicted facts, terms and typography."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import chain, islice

from rulespec.diagnostics import Finding, Span, finding
from rulespec.meaning import Proposition
from rulespec.messages import Message, say
from rulespec.source import Source
from rulespec.text import counted, describe, terms
from rulespec.text.book import Book
from rulespec.text.content import ByKey, Fact, Number, Words
from rulespec.text.content import Sequence as Order
from rulespec.text.contradictions import plain
from rulespec.text.contrasts.words import value_in_words
from rulespec.text.edition import Edition
from rulespec.text.evidence import Verdict, Wrong, judge
from rulespec.text.facts import of_rule
from rulespec.text.glossary import finder
from rulespec.text.languages import find
from rulespec.text.prose import Prose, says_instead, whole
from rulespec.text.quantity import Quantity
from rulespec.text.raw import term_usage
from rulespec.text.raw.alignment import Alignment, align, scores_of
from rulespec.text.raw.alternatives import repeated
from rulespec.text.raw.columns import columns
from rulespec.text.raw.exchanged import exchanged
from rulespec.text.raw.keyed import keyed_tables
from rulespec.text.raw.lone_rows import wrong_rows
from rulespec.text.raw.misattributed import misattributed
from rulespec.text.raw.miscounts import miscounts
from rulespec.text.raw.near import near, states
from rulespec.text.raw.numbers import Unjustified, is_slip, unjustified
from rulespec.text.raw.omissions import has_table, is_stated, left_out, only_counts_some, share
from rulespec.text.raw.opposites import opposites
from rulespec.text.raw.replaced import replaced
from rulespec.text.raw.segments import Role
from rulespec.text.raw.strangers import strangers
from rulespec.text.raw.successions import disordered
from rulespec.text.raw.totals import excesses
from rulespec.text.raw.wording import opposed
from rulespec.text.reading import Reading
from rulespec.text.translation import Translation
from rulespec.text.typography import Spelling
from rulespec.text.typography import check as check_typography

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
    aligned: Alignment | None = None,
) -> Iterator[Finding]:
    """All findings for a raw text of a game in a language. `own` is our text of the game in that language, if any.

    `players` limits the check to the rules for one number of players; what the text says about others is not compared.
    `aligned` is the alignment of the text (see `align_source`), if the caller has it. Raises ValueError if the game is
    not for that number.
    """
    prose = whole(source, lang)
    alignment = aligned or align_source(source, lang, book, own, players)
    unsaid = _only_for_others(own, lang, book, players) if players is not None else frozenset[str]()
    if share(alignment) < ENOUGH:
        yield _other_game(prose, alignment)
        return
    left = unjustified(alignment)
    facts = [*_facts(prose, alignment, left), *_opposed(prose, alignment), *_strangers(prose, alignment)]
    others = (_excesses, _exchanged, _misattributed, _disordered)
    for more in (check_of(prose, alignment) for check_of in others):
        known = {found.start for found in facts}
        facts += [found for found in more if found.start not in known]
    # What a text contradicts, it does not leave out.
    wrong = {one.rule for one in facts if one.name != "fact-missing"}.union(one.rule for one in left)
    facts = [found for found in facts if found.name != "fact-missing" or found.rule not in wrong]
    wrong |= unsaid.union(found.rule for found in facts)
    missing = [found for found in left_out(prose, alignment) if found.rule not in wrong]
    yield from (*missing, *facts)
    contradicted = {found.start for found in facts if found.name == "fact-contradicted"}
    yield from (found for found in _numbers(prose, alignment, left) if found.start not in contradicted)
    yield from _repeated(prose, alignment.reading)
    # A forbidden word that contradicts the rule is reported once.
    rules = {found.rule for found in missing}
    words = [found for found in term_usage.check(prose, alignment, rules) if found.start not in contradicted]
    yield from words
    # A misspelt term is reported once, by the check that knows the term.
    misspelt = {found.start for found in words if found.name == "term-misspelt"}
    yield from (found for found in _typography(prose, alignment, spelling) if found.start not in misspelt)
    yield from _outside_credits(prose, alignment, counted.check(prose, book.glossary))


def align_source(
    source: Source, lang: str, book: Book, own: Translation | None, players: int | None = None
) -> Alignment:
    """The alignment of a raw text, of what it says about one number of players if one is given.

    Raises ValueError if the game is not for that number.
    """
    text = source.text
    if players is not None:
        text = Edition(text, find(lang), book.spec.players, players).blanked()
        book = replace(book, spec=book.spec.edition(players))
    return align(text, lang, book, own)


def _only_for_others(own: Translation | None, lang: str, book: Book, players: int) -> frozenset[str]:
    """The rules whose text, as we write it, is about other numbers of players only."""
    texts = {id_: passage.text.text for id_, passage in own.rules.items()} if own is not None else {}
    editions = {id_: Edition(ours, find(lang), book.spec.players, players) for id_, ours in texts.items()}
    return frozenset(id_ for id_, edition in editions.items() if not edition.reduced().strip())


def _typography(prose: Prose, alignment: Alignment, spelling: Spelling | None) -> Iterator[Finding]:
    """Findings about letters and punctuation; names and addresses in the credits are left alone."""
    book = alignment.book
    found = check_typography(prose, spelling, book.letters, finder(book.glossary, prose.lang).has_word)
    return _outside_credits(prose, alignment, found)


def _outside_credits(prose: Prose, alignment: Alignment, all_found: Iterable[Finding]) -> Iterator[Finding]:
    credits_ = [prose.place(s.start, s.end) for s in alignment.segments if s.role == Role.CREDITS]
    starts, ends = ([prose.source.position(at) for at in places] for places in _unzipped(credits_))
    for found in all_found:
        index = bisect_right(starts, found.start) - 1
        if index < 0 or found.start >= ends[index]:
            yield found


def _unzipped(spans: list[Span]) -> tuple[list[int], list[int]]:
    return [span.start for span in spans], [span.end for span in spans]


def _other_game(prose: Prose, alignment: Alignment) -> Finding:
    spec = alignment.book.spec
    found = round(share(alignment) * 100)
    message = say(
        "This is not the rulebook of {spec}: it states only {found} % of its rules.", spec=spec.title, found=found
    )
    return prose.say("other-game", message, 0, 0, say("Check --spec and --lang, and that this is the right file."))


def _facts(prose: Prose, alignment: Alignment, left: Sequence[Unjustified]) -> Iterator[Finding]:
    """The facts that the text contradicts or lacks. `left` are the numbers that no rule of their sentence has."""
    for column in columns(alignment):
        for cell, wants in column.wrong:
            yield _wrong_number(prose, alignment.book, column.rule, cell, wants)
    for lone in wrong_rows(alignment):
        yield _wrong_number(prose, alignment.book, lone.rule, lone.quantity, lone.instead)
    for table in keyed_tables(alignment):
        for cell, wants in table.wrong:
            yield _wrong_number(prose, alignment.book, table.rule, cell, wants)
    for rule in alignment.statements.rules:
        if is_stated(alignment, rule):
            yield from _of_rule(prose, alignment, rule, left)


def _of_rule(prose: Prose, alignment: Alignment, rule: str, left: Sequence[Unjustified]) -> Iterator[Finding]:
    """The facts of a rule that the text contradicts or lacks. Derived facts only justify numbers: a publisher's text
    may choose what it says of them. So it may of terms. The wrong numbers of a table are reported one by one."""
    for fact in of_rule(alignment.book.spec, rule):
        has_rows = isinstance(fact.content, ByKey) and has_table(alignment, rule)
        if not (fact.derived or isinstance(fact.content, Words) or has_rows or states(alignment, rule, fact)):
            yield from _of_fact(prose, alignment, rule, fact, left)


def _of_fact(
    prose: Prose, alignment: Alignment, rule: str, fact: Fact, left: Sequence[Unjustified]
) -> Iterator[Finding]:
    """The finding about a fact that the text contradicts or lacks."""
    whole_text, is_order = judge(fact, alignment.reading, alignment.book.concepts), isinstance(fact.content, Order)
    if whole_text.stated:
        return
    # A number that stands for this one is reported where it stands, for whichever rule it is.
    meant = {one.quantity.start for one in left if one.instead == str(fact.content)}
    guesses = (find(fact, rule, alignment) for find in (miscounts, replaced) if not meant)
    wrong = [*islice(chain(_wrong(fact, rule, alignment, left), *guesses), 1)]
    yield from (_contradiction(prose, alignment.book, rule, one, is_order) for one in wrong if one.start not in meant)
    instead = wrong or meant or any(_is_instead(one, fact, rule, alignment) for one in left)
    if not instead and not is_order and not only_counts_some(alignment, rule):
        yield from _missing(prose, alignment, rule, fact, whole_text)


def _missing(prose: Prose, alignment: Alignment, rule: str, fact: Fact, whole_text: Verdict) -> Iterator[Finding]:
    """The finding about a fact that the text lacks, if it must state it."""
    book, place = alignment.book, alignment.passages[rule]
    verdicts = [whole_text, *(judge(fact, part, book.concepts) for part in near(alignment, rule))]
    if book.spec.rules[rule].in_rulebook and (not fact.optional or verdicts[1].partly):
        lacks = min((terms.lacks(verdict, book, prose.lang) for verdict in verdicts), key=len)
        message = say("Missing fact of `{rule}`: {lacks}.", rule=rule, lacks=lacks)
        hint = say("Add it to this passage. If the text says it in other words, add these words to the glossary.")
        yield _at(prose, "fact-missing", message, Span(place.start, place.end), hint, rule)


def _is_instead(one: Unjustified, fact: Fact, rule: str, alignment: Alignment) -> bool:
    """Whether an unjustified number, which is reported anyway, may be the one of a fact."""
    near = rule in alignment.candidates(alignment.index_at(one.quantity.start))
    of_fact = isinstance(fact.content, Number) and is_slip(one.quantity, fact.content.value)
    return not one.instead and (one.rule == rule or (near and of_fact))


def _wrong(fact: Fact, rule: str, alignment: Alignment, left: Sequence[Unjustified]) -> Iterator[Wrong]:
    """What contradicts a fact: an order in one sentence or list, a number that no rule of its sentence has."""
    numbers = {one.quantity.start for one in left}
    for index in alignment.stating(rule):
        for reading in (alignment.sentence(index), *_together(alignment, rule, index)):
            for one in judge(fact, reading, alignment.book.concepts).wrong:
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


def _wrong_number(prose: Prose, book: Book, rule: str, number: Quantity, wants: str) -> Finding:
    said = prose.text[number.start : number.end]
    return _contradiction(prose, book, rule, Wrong(number.start, number.end, said, wants))


def _contradiction(prose: Prose, book: Book, rule: str, wrong: Wrong, is_order: bool = False) -> Finding:
    name = "order-contradicted" if is_order else "fact-contradicted"
    message = say(
        "The text says “{said}”; the spec says {wanted}.",
        said=wrong.says,
        wanted=book.in_terms(wrong.wants, prose.lang),
    )
    return _at(
        prose,
        name,
        message,
        Span(wrong.start, wrong.end),
        say("Correct the text, or the spec at `{rule}`.", rule=rule),
        rule,
    )


def _opposed(prose: Prose, alignment: Alignment) -> Iterator[Finding]:
    """Contrasts of the text that the rules of their sentences exclude, and words whose opposite our own text has."""
    found = [one for one in opposed(alignment) if not _is_in_label(prose, alignment, one.contrast.start)]
    for one in found:
        instead = say("it is {value}", value=value_in_words(one.claim.family, one.claim.value))
        instead = _with_sentence(instead, one.claim.proposition, prose.lang, alignment.book)
        yield _excluded(prose, one.contrast.words, plain(one.contrast), instead, one.rule)
    places = [one.contrast.words for one in found]
    for other in opposites(alignment):
        words = other.mark.words
        if _is_in_label(prose, alignment, words.start):
            continue
        if not any(words.start < span.end and span.start < words.end for span in places):
            places.append(words)
            yield _excluded(prose, words, "", say("{sentence}", sentence=other.witness.sentence), other.witness.rule)


_LABEL = re.compile(r"(?:<li>)?\s*(?:<b>|\*\*)[^<*\n]{1,60}[:：]\s*(?:</b>|\*\*)")
"""The label of a list item, in bold with a colon: it names what the item is about and states nothing."""


def _is_in_label(prose: Prose, alignment: Alignment, at: int) -> bool:
    """Whether an offset is in the label at the start of its sentence."""
    label = _LABEL.match(prose.text, alignment.segments[alignment.index_at(at)].start)
    return label is not None and at < label.end()


def _excluded(prose: Prose, words: Span, value: str, instead: Message, rule: str) -> Finding:
    message = says_instead(prose.text[words.start : words.end], value, instead)
    return _at(
        prose, "fact-contradicted", message, words, say("Correct the text, or the spec at `{rule}`.", rule=rule), rule
    )


def _with_sentence(instead: Message, stated: Proposition, lang: str, book: Book) -> Message:
    """What a text should say, with a proposition after a colon if the language has descriptions."""
    if lang not in describe.languages():
        return say("{instead}.", instead=instead)
    sentence = describe.Description(book.spec, lang, book.glossary).sentence(stated)
    return say("{instead}: {sentence}", instead=instead, sentence=sentence)


def _strangers(prose: Prose, alignment: Alignment) -> Iterator[Finding]:
    """Terms that the rules of their sentences exclude."""
    for found in strangers(alignment):
        start, end, meant = found.mention.start, found.mention.end, alignment.book.term(found.instead, prose.lang)
        message = say(
            "“{said}” is unrelated to `{rule}`, which needs {meant}.",
            said=prose.text[start:end],
            rule=found.rule,
            meant=meant,
        )
        yield _at(
            prose, "term-confused", message, Span(start, end), say("Should it be {meant}?", meant=meant), found.rule
        )


def _excesses(prose: Prose, alignment: Alignment) -> Iterator[Finding]:
    """Counts of more than the game has."""
    for found in excesses(alignment):
        message = say(
            "The text says “{said}”; the spec says {wanted}.",
            said=prose.text[found.start : found.end],
            wanted=found.total.fact.content,
        )
        hint = say("Correct the text, or the spec at `{rule}`.", rule=found.total.rule)
        yield _at(prose, "fact-contradicted", message, Span(found.start, found.end), hint, found.total.rule)


def _exchanged(prose: Prose, alignment: Alignment) -> Iterator[Finding]:
    """Terms, players and places where the rules of their sentences have others."""
    book = alignment.book
    for found in exchanged(alignment):
        if _is_ours(prose, alignment, found.value.start):
            continue
        name = found.instead
        meant = (
            book.term(name, prose.lang)
            if name in book.glossary.concepts
            else say("the {name}", name=name.replace("_", " "))
        )
        said = prose.text[found.value.start : found.value.end]
        instead = say("it is {value}", value=meant)
        sentence = " ".join(found.sentence.split())
        instead = (
            say("{instead}: {sentence}", instead=instead, sentence=sentence)
            if sentence
            else say("{instead}.", instead=instead)
        )
        message = says_instead(said, "", instead)
        hint = say("Correct the text, or the spec at `{rule}`.", rule=found.rule)
        yield _at(prose, "fact-contradicted", message, found.value.span, hint, found.rule)


def _misattributed(prose: Prose, alignment: Alignment) -> Iterator[Finding]:
    """Players who do what by our text others do."""
    for found in misattributed(alignment):
        words = found.agent.words[0]
        if not _is_ours(prose, alignment, words.start):
            yield _excluded(
                prose, words, "", say("another player does it: {sentence}", sentence=found.sentence), found.rule
            )


def _disordered(prose: Prose, alignment: Alignment) -> Iterator[Finding]:
    """Acts that follow each other in another order than in our text."""
    for found in disordered(alignment):
        if not _is_ours(prose, alignment, found.said.words.start):
            part = found.ours.sentence
            sentence = " ".join(part.text[part.start : part.end].split())
            yield _excluded(
                prose,
                found.said.words,
                "",
                say("the order is the other one: {sentence}", sentence=sentence),
                found.rule,
            )


def _numbers(prose: Prose, alignment: Alignment, left: Sequence[Unjustified]) -> Iterator[Finding]:
    """Numbers that none of the rules has which their sentence may state."""
    for found in left:
        start, end, rule = found.quantity.start, found.quantity.end, found.rule
        if found.instead:
            yield _wrong_number(prose, alignment.book, rule, found.quantity, found.instead)
        elif not _is_ours(prose, alignment, start):
            said = prose.text[start:end]
            message = say(
                "No rule stated here has the value “{said}”. The sentence seems to state `{rule}`.",
                said=said,
                rule=rule,
            )
            hint = say(
                "Compare it with the rule: ftk explain {rule} --spec {spec}", rule=rule, spec=alignment.book.spec.id
            )
            yield _at(prose, "number-unaccounted", message, Span(start, end), hint, rule)


def _repeated(prose: Prose, reading: Reading) -> Iterator[Finding]:
    """Numbers that a list of alternatives has twice."""
    for one in repeated(reading):
        message = say("“{prose}” is in this list twice.", prose=prose.text[one.start : one.end])
        yield prose.say("doubled-word", message, one.start, one.end, say("Correct one of the two."))


def _is_ours(prose: Prose, alignment: Alignment, at: int) -> bool:
    """Whether the sentence at an offset is one of our own texts, with what it says about other numbers of players."""
    sentence = alignment.segments[alignment.index_at(at)]
    return alignment.statements.has(prose.text[sentence.start : sentence.end])


def _at(prose: Prose, name: str, message: Message, span: Span, hint: Message, rule: str) -> Finding:
    return finding(name, message, prose.source, prose.place(span.start, span.end), hint, rule, prose.lang)
