"""Findings about stale texts: what a rule does now that it did not when its text was confirmed, at the sentence that
speaks of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from rulespec.base.diagnostics import Finding, Related, Span, finding
from rulespec.base.messages import Message, chained, counted, say
from rulespec.base.project import shown
from rulespec.base.wording import unmarked
from rulespec.language.document import parse
from rulespec.language.model.phrase import Proposition
from rulespec.language.model.spec import Spec
from rulespec.proofs.meaning import ownership
from rulespec.proofs.meaning.constructors import CONSTRUCTORS
from rulespec.proofs.meaning.rules import defined, names
from rulespec.text.reading.ignores import ignores
from rulespec.text.reading.mentions import Reading
from rulespec.text.reading.translation import Passage, Translation
from rulespec.text.rules import facts
from rulespec.text.rules.book import Book
from rulespec.text.rules.describe.description import Description
from rulespec.text.rules.describe.grammar import languages
from rulespec.text.seals.confirmation import Changes, changes, due, is_unchanged, version_of

_SHOWN = 2
"""The most new statements in a message. `ftk explain` shows all."""


_Placed = dict[Span | None, tuple[Proposition, ...]]
"""New statements by the sentence that speaks of them; None if there is no such sentence."""


def check(
    translation: Translation, passages: Iterable[Passage], spec: Spec, book: Book | None, versions: Iterable[Spec] = ()
) -> Iterator[Finding]:
    """The findings for texts of a translation whose rules or rulings have changed since they were confirmed.

    There is one for each reason, at the text that is nearest to it: for each sentence that new statements concern, or
    one at the whole text. Other texts that are due for the same reason are related places, and so are sentences that
    state what a declaration was, such as a range, if that has changed.
    """
    # Until the version that a text was confirmed with is known: None if it is not kept.
    stale: dict[Spec | None, dict[str, Passage]] = {}
    known = spec.rules.keys() | spec.rulings.keys()
    for passage in passages:
        id_, confirmed = passage.id, passage.confirmed
        if id_ in known and not is_unchanged(confirmed, spec, id_):
            stale.setdefault(version_of(confirmed, id_, versions), {})[id_] = passage
    comments = list(ignores(translation.source, parse(translation.source)[0])) if stale else []
    for old, those in stale.items():
        left = dict(those)
        groups = [those] if old is None else due(old, spec)
        for group in groups:
            due_now = [left.pop(id_) for id_ in group if id_ in left]
            found = [list(_changed(passage, translation.lang, spec, book)) for passage in due_now]
            # A comment that ignores the finding about one text is not about the others.
            alone = [some for some in found if any(one.covers(some[0]) for one in comments)]
            yield from (_one(some) for some in alone)
            if together := [some for some in found if some not in alone]:
                yield _one(*together)
        if old is not None and book is not None and translation.lang in languages():
            for passage in left.values():
                yield from _restated(passage, translation.lang, old, book)


def _one(own: Sequence[Finding], *others: Sequence[Finding]) -> Finding:
    """The first finding of a text, with its other places and those of the other texts that are due for one reason."""
    first, *more = own
    same = [replace(one, message=say("`{id}` is due for the same reason.", id=one.rule)) for one, *_ in others]
    places = [Related(one.message, shown(one.path), one.start, one.end, one.name, one.rule) for one in (*more, *same)]
    return replace(first, related=(*first.related, *places))


def _changed(passage: Passage, lang: str, spec: Spec, book: Book | None) -> Iterator[Finding]:
    """The findings for a text whose rule or ruling has changed."""
    id_ = passage.id
    found = changes(passage.confirmed, spec, id_)
    for place, stated in (_placed(found.new, passage, lang, book) or {None: ()}).items():
        said = _now(stated, lang, book) if stated else _otherwise(found, spec, id_, book, lang)
        yield _stale(passage, lang, place, say(_CHANGED[id_ in spec.rulings], id=id_, change=said))


_CHANGED = {
    True: say("The ruling `{id}` has changed since this text was confirmed. {change}"),
    False: say("The rule `{id}` has changed since this text was confirmed. {change}"),
}
"""The message, by whether it is about a ruling."""


def _stale(passage: Passage, lang: str, place: Span | None, message: Message) -> Finding:
    hint = say("Compare the text with the rule, then run `ftk text status --confirm`.")
    if place is None:
        return finding("text-stale", message, passage.source, passage.key, hint, passage.id, lang)
    return passage.prose(lang).say("text-stale", message, place.start, place.end, hint)


def _restated(passage: Passage, lang: str, old: Spec, book: Book) -> Iterator[Finding]:
    """The findings for sentences with the name, all numbers and all contrasts of what a declaration meant."""
    placed: _Placed = {}
    reading = book.read(passage.text.text, lang)
    for name, one in ownership.redefined(old, book.spec):
        numbers = {value for part in one.act.walk() for _, value in part.amount}
        pairs = {pair for part in one.act.walk() for pair in CONSTRUCTORS[part.constructor].says}
        for span in reading.sentences if numbers or pairs else ():
            part = reading.part(span.start, span.end)
            given = {number for q in part.quantities for number in (q.value, q.high)}
            stated = {(each.family, each.value) for each in part.contrasts}
            if book.concepts.get(name) in part.places and numbers <= given and pairs <= stated:
                now = (new for new in defined(book.spec)[name] if new not in defined(old)[name])
                placed[span] = (*placed.get(span, ()), *now)
                break
    for place, new in placed.items():
        said = _now(new, lang, book)
        message = say("What this sentence states has changed since the text was confirmed. {change}", change=said)
        yield _stale(passage, lang, place, message)


def _placed(new: Sequence[Proposition], passage: Passage, lang: str, book: Book | None) -> _Placed:
    """The sentences that speak of new statements."""
    found: _Placed = {}
    if book is None or lang not in languages():
        return found
    reading = book.read(passage.text.text, lang)
    for one in new:
        place = sentence_about(one, reading, book)
        found[place] = (*found.get(place, ()), one)
    return found


def sentence_about(one: Proposition, reading: Reading, book: Book) -> Span | None:
    """The sentence with the most names and contrast families of a statement; None if no sentence has a name of it.

    Of equal ones the first. A statement of changed values still has its names and families.
    """
    concepts = {book.concepts[name] for name in names(one) if name in book.concepts}
    families = {family for phrase in one.phrases() for family, _ in CONSTRUCTORS[phrase.constructor].says}

    def shared(span: Span) -> tuple[int, int]:
        part = reading.part(span.start, span.end)
        return len(concepts & part.places.keys()), len(families & {c.family for c in part.contrasts})

    best = max(reading.sentences, key=shared, default=None)
    return best if best is not None and shared(best)[0] else None


def _now(stated: Sequence[Proposition], lang: str, book: Book | None) -> str:
    """The new statements as sentences of the text's language."""
    assert book is not None  # statements have places only with a glossary
    description = Description(book.spec, lang, book.glossary)
    quoted = [say("“{sentence}”", sentence=unmarked(description.sentence(one))) for one in stated[:_SHOWN]]
    said = chained(say("{first}; {second}"), quoted)
    if more := len(stated[_SHOWN:]):
        return counted("New: {said}, and {number} more", "New: {said}, and {number} more", more, said=said)
    return say("New: {said}", said=said)


def _otherwise(found: Changes, spec: Spec, id_: str, book: Book | None, lang: str) -> str:
    """What has changed if no statement is new, or none can be said in this language."""
    if found.facts:
        now = chained(say("{first}; {second}"), [str(fact) for fact in facts.listed(spec, id_)]) or say("none")
        return say("Facts now: {now}.", now=book.in_terms(now, lang) if book is not None else now)
    if found.new:
        return say("Its steps are different.")
    return (
        say("Something that it did is gone.")
        if found.gone
        else say("Its steps are the same, but not what they refer to.")
    )
