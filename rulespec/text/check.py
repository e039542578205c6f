"""Checks of a translation against its spec, its glossary and the other languages."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping, Set
from dataclasses import replace
from difflib import get_close_matches
from functools import partial
from itertools import pairwise
from pathlib import PurePath

import regex

from rulespec.diagnostics import Finding, Position, Report, Span, finding
from rulespec.document import parse
from rulespec.meaning import Proposition
from rulespec.messages import Message, say
from rulespec.model.spec import Spec
from rulespec.text import (
    compare,
    counted,
    describe,
    edits,
    facts,
    generated,
    outdated,
    staleness,
    terms,
    untranslated,
)
from rulespec.text.book import Book
from rulespec.text.confirmation import renewed
from rulespec.text.content import ByKey, ByPlayers, Content, Extent, Fact, Names, Number, Said, Sequence, Words
from rulespec.text.contradictions import contradictions, plain
from rulespec.text.contrasts.words import value_in_words
from rulespec.text.evidence import LISTED, Verdict, comma_part, judge, line_at
from rulespec.text.ignores import without_ignored
from rulespec.text.incidental import is_incidental
from rulespec.text.justified import is_justified
from rulespec.text.kept_words import Kept, nothing
from rulespec.text.languages import Language, Pattern, find, nearest
from rulespec.text.once import once
from rulespec.text.prose import Prose, remarks, says_instead
from rulespec.text.quantity import Quantity
from rulespec.text.reading import Reading
from rulespec.text.roles.contradictions import role_contradictions
from rulespec.text.stated_numbers import is_stated
from rulespec.text.tables import COUNTED
from rulespec.text.translation import Passage, Translation
from rulespec.text.typography import check as check_typography
from rulespec.text.typography.scripts import is_in_script


def check(
    translation: Translation,
    spec: Spec,
    book: Book | None,
    others: Iterable[Translation],
    versions: Iterable[Spec] = (),
    only: Container[str] | None = None,
    kept: Kept = nothing,
) -> Iterator[Finding]:
    """All findings for a translation. Without a glossary its sentences are not checked.

    `versions` are earlier versions of the spec, which are iterated over more than once: a text is also compared with
    what has changed since the version that it was confirmed with. Its words then and those of its source are `kept`.
    Single texts are checked only if `only` is None or has the id of their rule or ruling.
    """
    translation = renewed(translation, spec, versions)
    if wrong := list(_language(translation)):
        yield from wrong  # what is written in another language lacks everything
        return
    yield from edits.wrong_source(translation, others)
    for what, passages, known in (
        ("rule", translation.rules, {rule.id: rule.title for rule in spec.rules.values()}),
        ("ruling", translation.rulings, {ruling.id: ruling.question for ruling in spec.rulings.values()}),
    ):
        yield from _missing(translation, what, passages, known)
        yield from _extra(translation, what, passages, known)
    source = edits.source_among(translation, others)
    drafts = untranslated.untranslated_ids(translation, source)
    if wrong := list(_script(translation, drafts)):
        yield from wrong
        return
    yield from untranslated.check(translation, source, translation.passages)
    for id_, passage in translation.passages.items():
        if id_ not in drafts and (only is None or id_ in only):
            yield from check_text(translation, passage, spec, book, others, versions, kept)


def check_text(
    translation: Translation,
    passage: Passage,
    spec: Spec,
    book: Book | None,
    others: Iterable[Translation],
    versions: Iterable[Spec] = (),
    kept: Kept = nothing,
) -> Iterator[Finding]:
    """All findings for the text of one rule or ruling of a translation; see `check`."""
    source = edits.source_among(translation, others)
    if untranslated.is_untranslated(passage, translation.lang, source):
        yield from untranslated.check(translation, source, [passage.id])
        return
    yield from staleness.check(translation, passage, spec, book, versions)
    yield from edits.check(translation, passage, source, book, kept)
    prose, titles = passage.prose(translation.lang), translation.titles
    written = generated.read(prose, book, titles) if book is not None else generated.Generated()
    true = generated.true_places(prose, written)
    said = list(_confirmed(passage, prose, book, written, versions)) if book is not None else []
    yield from said
    # A misspelt term is reported once, by the check that knows the term.
    misspelt = {found.start for found in said if found.name == "term-misspelt"}
    for found in _typography(translation, passage, book):
        if found.start not in misspelt and not _within(found, true):
            yield found
    yield from (found for found in _counted(translation, passage, book) if not _within(found, true))
    yield from _examples(translation, passage, book)
    if book is not None:
        reported = {found.start for found in said}
        differing = compare.check(passage, translation.lang, untranslated.translated_in(passage.id, others), book)
        yield from (one for one in differing if one.start not in reported)


CONTRADICTIONS = ("fact-contradicted", "order-contradicted")
"""The findings for what a text says and the spec excludes."""


def contradicted(translation: Translation, book: Book, versions: Iterable[Spec] = ()) -> tuple[str, ...]:
    """The ids of the rules and rulings whose texts contradict the spec, in the order of the translation."""
    passages, lang, titles = translation.passages.values(), translation.lang, translation.titles
    found = [one for passage in passages for one in _said(passage, lang, book, titles, versions)]
    left = without_ignored(Report.of(found), translation.source, parse(translation.source)[0]).findings
    return tuple(dict.fromkeys(one.rule for one in left if one.rule and one.name in CONTRADICTIONS))


def _said(
    passage: Passage, lang: str, book: Book, titles: Mapping[str, str], versions: Iterable[Spec]
) -> Iterator[Finding]:
    """The findings about what a passage says."""
    prose = passage.prose(lang)
    yield from _confirmed(passage, prose, book, generated.read(prose, book, titles), versions)


def _confirmed(
    passage: Passage, prose: Prose, book: Book, written: generated.Generated, versions: Iterable[Spec]
) -> Iterator[Finding]:
    """The findings about what a passage says, and those about what it says of the version that it was confirmed with;
    each place is reported once."""
    said = list(_check_text(prose, passage.key, book, written))
    yield from said
    known = {found.start for found in said}
    yield from (one for one in outdated.check(passage, prose.lang, book, versions) if one.start not in known)


def check_passage(prose: Prose, place: Span, book: Book) -> Iterator[Finding]:
    """All findings for the text of one rule alone; `place` is the span for what is missing."""
    yield from _check_text(prose, place, book, generated.read(prose, book, {}))


def _check_text(prose: Prose, place: Span, book: Book, written: generated.Generated) -> Iterator[Finding]:
    """The findings for a text with the sentences of its description, which are true by construction."""
    true = generated.true_places(prose, written)
    differing = list(generated.check(prose, place, written))
    yield from differing
    known = {found.start for found in differing}
    for found in _check_wording(prose, place, book):
        if found.start not in known and not _within(found, true):
            yield found


def _within(found: Finding, places: Iterable[tuple[Position, Position]]) -> bool:
    """Whether a finding starts in one of the places."""
    return any(start <= found.start < end for start, end in places)


def _in_passing(fact: Fact) -> bool:
    """Whether a fact is a number that some step mentions: only a clause about that step justifies it (`is_stated`).

    Every text says 0 and 1 of many things.
    """
    return fact.derived and isinstance(fact.content, Number) and fact.content.value > 1


def _check_wording(prose: Prose, place: Span, book: Book) -> Iterator[Finding]:
    """The findings about numbers, orders, contrasts and terms."""
    reading = book.read(prose.text, prose.lang)
    introduced = Fact(Words(book.introduced(prose.rule)), derived=True)
    stated = (*facts.of_rule(book.spec, prose.rule), introduced)
    listed = tuple(fact for fact in stated if not _in_passing(fact))
    left = (q for q in reading.quantities if not is_justified(q, listed, reading))
    unjustified = [
        q
        for q in left
        if not is_stated(q, prose.rule, reading, book) and not is_incidental(q, prose.rule, reading, book)
    ]
    verdicts = [_settled(judge(fact, reading, book.concepts), unjustified) for fact in stated]
    yield from _wrong(prose, verdicts, book)
    excluded = list(_opposite(prose, reading, book))
    opposite = [*(found for found, _ in excluded), *_other_roles(prose, reading, book)]
    yield from opposite
    families = {family for _, family in excluded}
    silent = [verdict for verdict in verdicts if not _is_opposed(verdict.fact.content, families)]
    yield from _lacking(prose, place, reading, silent, unjustified, book)
    yield from repeated(prose, reading)
    known = {found.start for found in opposite}
    yield from (found for found in terms.check(prose, reading, book) if found.start not in known)


def _settled(verdict: Verdict, unjustified: list[Quantity]) -> Verdict:
    """The verdict on a derived fact: another fact may justify the numbers that contradict it, and nothing need be said
    in full."""
    if not verdict.fact.derived or not verdict.fact.optional:
        return verdict
    at = {quantity.start for quantity in unjustified}
    wrong = tuple(one for one in verdict.wrong if one.start in at)
    return replace(verdict, wrong=wrong, partly=verdict.partly and _is_table(verdict.fact.content))


def _is_table(content: Content) -> bool:
    """Whether a fact has so many different values that a text with most of them lists them all."""
    return isinstance(content, ByPlayers | ByKey) and len(set(content.rows.values())) > LISTED


_COMMAS = regex.compile(r"\s*[,，、]\s*")


def repeated(prose: Prose, reading: Reading) -> Iterator[Finding]:
    """Choices with a repeated number: `4 or 4`, `4, 4 or 5`, `5, 4 or 5`."""
    numbers = reading.quantities
    for i, (before, after) in enumerate(pairwise(numbers)):
        last = numbers[i + 2] if i + 2 < len(numbers) else after
        choice = _between(reading.language.either, before, after, prose)
        listed = _between(_COMMAS, before, after, prose) and _between(reading.language.either, after, last, prose)
        beginning = listed and _same(before, after) and not _end_and_start(before, after, reading)
        if (choice and _same(before, after)) or beginning or (listed and _same(before, last)):
            end = last.end if listed and not beginning else after.end
            message = say("“{prose}” repeats a number.", prose=prose.text[before.start : end])
            yield prose.say("number-repeated", message, before.start, end, say("Correct one of them."))


def _same(one: Quantity, other: Quantity) -> bool:
    return (one.kind, one.value, one.high) == (other.kind, other.value, other.high)


def _end_and_start(before: Quantity, after: Quantity, reading: Reading) -> bool:
    """Whether one number ends a row of a table and the next begins another: `5 gives 2, 2 or 3 gives 1`."""
    line = line_at(reading, before.start) or Span(before.start, after.end)
    ending, beginning = (comma_part(reading, quantity, line.start, line.end) for quantity in (before, after))
    earlier = reading.quantities_from(ending[0], before.start)
    later = list(reading.quantities_from(after.end, beginning[1]))
    return any(q.kind in COUNTED for q in earlier) and len(later) > 1


def _between(pattern: Pattern | None, before: Quantity, after: Quantity, prose: Prose) -> bool:
    if pattern is None or before.end >= after.start:
        return False
    return pattern.fullmatch(prose.text, before.end, after.start) is not None


def _wrong(prose: Prose, verdicts: list[Verdict], book: Book) -> Iterator[Finding]:
    for verdict in verdicts:
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


def _is_opposed(content: Content, families: Set[str]) -> bool:
    """Whether a fact is said by contrasts, and the text contradicts one of their families: that is reported there."""
    return isinstance(content, Said) and any(family in families for family, _ in content.contrasts)


def _opposite(prose: Prose, reading: Reading, book: Book) -> Iterator[tuple[Finding, str]]:
    """Contrasts of the text that the rule excludes, each with its family."""
    for found in contradictions(reading, prose.rule, book):
        instead = say("it is {value}", value=value_in_words(found.claim.family, found.claim.value))
        value = plain(found.contrast)
        said = _excluded(prose, found.contrast.words, value, instead, found.claim.proposition, book)
        yield said, found.contrast.family


def _other_roles(prose: Prose, reading: Reading, book: Book) -> Iterator[Finding]:
    """Places and players of the text that the rule excludes."""
    for found in role_contradictions(reading, prose.rule, book):
        yield _excluded(prose, found.words, "", found.instead, found.proposition, book)


def _excluded(prose: Prose, words: Span, value: str, instead: Message, stated: Proposition, book: Book) -> Finding:
    """The finding for words of a text, read as a value, and for what a proposition says instead.

    It has the sentence of the proposition if the language has descriptions.
    """
    said = prose.text[words.start : words.end]
    if prose.lang in describe.languages():
        sentence = describe.Description(book.spec, prose.lang, book.glossary).sentence(stated)
        instead = say("{instead}: {sentence}", instead=instead, sentence=sentence)
    else:
        instead = say("{instead}.", instead=instead)
    message = says_instead(said, value, instead)
    hint = say("Correct the text, or the spec at `{rule}`.", rule=stated.rule or prose.rule)
    return prose.say("fact-contradicted", message, words.start, words.end, hint)


def _lacking(
    prose: Prose, place: Span, reading: Reading, verdicts: list[Verdict], unjustified: list[Quantity], book: Book
) -> Iterator[Finding]:
    """Missing facts and unjustified numbers. A missing number and an unjustified one count as one contradiction."""
    wrong = {at for verdict in verdicts for one in verdict.wrong for at in range(one.start, one.end)}
    left = dict.fromkeys(q for q in unjustified if q.start not in wrong)
    for verdict in verdicts:
        if verdict.stated or verdict.wrong or (verdict.fact.optional and not verdict.partly):
            continue
        if not _can_be_found(verdict.fact.content, reading.language, book):
            continue
        if isinstance(verdict.fact.content, Words):
            yield from terms.unspoken(prose, place, reading, verdict.fact.content, book)
        elif left and not isinstance(verdict.fact.content, Sequence | Said):
            instead = _by_row(verdict.fact.content, left.keys(), reading) or {
                _likely(verdict.fact.content, left): terms.lacks(verdict, book, prose.lang)
            }
            for number, wanted in instead.items():
                del left[number]
                said = prose.text[number.start : number.end]
                message = say("The text says “{said}”; the spec says {wanted}.", said=said, wanted=wanted)
                yield prose.say("fact-contradicted", message, number.start, number.end, say("Correct the number."))
        else:
            yield _silent(prose, place, verdict, book)
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
            found[values[0]] = say(
                "{value} with {number} players", value=content.rows[row.counts[0]], number=row.counts[0]
            )
    return found


def _likely(content: Content, left: Mapping[Quantity, None]) -> Quantity:
    """The number that most likely contradicts a missing fact: the first, but not the end of a range that is right."""
    ends = (content.low, content.high) if isinstance(content, Extent) else ()
    return next((number for number in left if str(number.value) not in ends), next(iter(left)))


def _silent(prose: Prose, place: Span, verdict: Verdict, book: Book) -> Finding:
    message = terms.missing(prose, verdict, book)
    return finding("fact-missing", message, prose.source, place, _how(verdict.fact), prose.rule, prose.lang)


def _how(fact: Fact) -> Message:
    if isinstance(fact.content, Number):
        return say("Write the number in digits or in words.")
    listed = isinstance(fact.content, Sequence)
    return say("List them in this order.") if listed else say("State it in a sentence, a list or a table.")


def _typography(translation: Translation, passage: Passage, book: Book | None) -> Iterator[Finding]:
    yield from _typography_of(passage.prose(translation.lang), book)
    if passage.heading is not None:
        heading = passage.heading
        yield from _typography_of(
            Prose(heading.text, translation.lang, heading.source, heading.value_span, passage.id), book
        )


def _counted(translation: Translation, passage: Passage, book: Book | None) -> Iterator[Finding]:
    """The nouns of a text and its heading that do not agree with their numbers."""
    yield from _counted_of(passage.prose(translation.lang), book)
    if passage.heading is not None:
        heading = passage.heading
        prose = Prose(heading.text, translation.lang, heading.source, heading.value_span, passage.id)
        yield from _counted_of(prose, book)


def _counted_of(prose: Prose, book: Book | None) -> Iterator[Finding]:
    if book is None:
        return counted.check(prose)
    check = partial(counted.check, glossary=book.glossary)
    said = once(book.read(prose.text, prose.lang).alone, "counted", lambda: remarks(check, prose))
    return check(prose) if said is None else (prose.say(*one) for one in said)


def _typography_of(prose: Prose, book: Book | None) -> Iterator[Finding]:
    if book is None:
        return check_typography(prose)
    alone, letters = book.read(prose.text, prose.lang).alone, book.letters
    check = partial(check_typography, letters=letters)
    said = once(alone, ("typography", letters), lambda: remarks(check, prose))
    return check(prose) if said is None else (prose.say(*one) for one in said)


def _examples(translation: Translation, passage: Passage, book: Book | None) -> Iterator[Finding]:
    """Terms and typography of the worked examples. Their numbers are compared with the cases that prove them."""
    for example in passage.examples:
        prose = example.prose(translation.lang, passage.id)
        yield from _typography_of(prose, book)
        yield from _counted_of(prose, book)
        if book is not None:
            yield from terms.check(prose, book.read(prose.text, prose.lang), book)


def _language(translation: Translation) -> Iterator[Finding]:
    named = PurePath(translation.source.path).stem
    if named != translation.lang and nearest(named) == named:
        message = say("The file name says {named}, but `lang:` says {lang}.", named=named, lang=translation.lang)
        hint = say("Correct `lang:`, or rename the file.")
        yield finding("text-other-language", message, translation.source, translation.lang_place, hint)


def _script(translation: Translation, drafts: Container[str]) -> Iterator[Finding]:
    """A file whose texts, drafts left out, are written in another script than their language."""
    tag, script = translation.lang, find(translation.lang).script
    said = " ".join(one.text.text for id_, one in translation.passages.items() if id_ not in drafts)
    if not is_in_script(said, script):
        message = say(
            "`{tag}` is written in {script}, but nearly all letters of the text are not.", script=script, tag=tag
        )
        hint = say("Correct `lang:`, or name the script in the tag, as in `sr-Latn`.")
        yield finding("other-script", message, translation.source, translation.lang_place, hint)


_WITHOUT_TEXT = {
    "rule": say("The rule `{id}` has no text in {lang}: {text}"),
    "ruling": say("The ruling `{id}` has no text in {lang}: {text}"),
}
_NOT_IN_SPEC = {"rule": say("The spec has no rule `{id}`."), "ruling": say("The spec has no ruling `{id}`.")}


def _missing(
    translation: Translation, what: str, passages: Mapping[str, Passage], known: Mapping[str, str]
) -> Iterator[Finding]:
    source, place = translation.source, translation.place
    meant = {near for id_ in passages if id_ not in known for near in _near(id_, passages, known)}
    for id_ in known:
        if id_ not in passages and id_ not in meant:
            said = known[id_] if known[id_].endswith((".", "?")) else f"{known[id_]}."
            message = say(_WITHOUT_TEXT[what], id=id_, lang=translation.lang, text=said)
            hint = say("Add it under `{section}:`.", section=f"{what}s")
            yield finding("text-missing", message, source, place, hint, id_, translation.lang)


def _near(id_: str, passages: Mapping[str, Passage], known: Mapping[str, str]) -> list[str]:
    """The rule without a text that an unknown id most likely means."""
    return get_close_matches(id_, [one for one in known if one not in passages], n=1)


def _extra(
    translation: Translation, what: str, passages: Mapping[str, Passage], known: Mapping[str, str]
) -> Iterator[Finding]:
    for passage in passages.values():
        if passage.id not in known:
            near = _near(passage.id, passages, known)
            hint = (
                say("Did you mean `{name}`?", name=near[0])
                if near
                else say("Delete the text, or add the rule to the spec.")
            )
            message = say(_NOT_IN_SPEC[what], id=passage.id)
            yield finding("text-extra", message, passage.source, passage.key, hint, lang=translation.lang)
