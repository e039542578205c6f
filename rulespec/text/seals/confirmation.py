"""Confirmations: what a text was last compared with, so that a changed rule makes its text stale."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from rulespec.base.diagnostics import Finding, Related, Span, finding
from rulespec.base.messages import Message, chained, counted, say
from rulespec.base.project import shown
from rulespec.base.wording import unmarked
from rulespec.language.document import parse
from rulespec.language.model.phrase import Proposition
from rulespec.language.model.spec import Spec
from rulespec.proofs.meaning import ownership
from rulespec.proofs.meaning.constructors import CONSTRUCTORS
from rulespec.proofs.meaning.digest import digest as digest_meaning
from rulespec.proofs.meaning.rules import defined, names
from rulespec.text.reading.ignores import ignores
from rulespec.text.reading.mentions import Reading
from rulespec.text.reading.translation import Passage, Seal, Translation
from rulespec.text.rules import facts
from rulespec.text.rules.book import Book
from rulespec.text.rules.claims import own
from rulespec.text.rules.describe.description import Description
from rulespec.text.rules.describe.grammar import languages

DIGITS = 4
"""The hexadecimal digits that a statement has in a confirmation. A rule has up to 40 statements: with 16 bits a changed
one looks like one of them in less than one case of 1,500, and then only the sentence is not named."""

_DIGESTS = {"1": 2, "2": 2, "3": 3}
"""How many digests of a rule a seal has, by the number that it begins with: 2 lacks what is around the rule and belongs
to it, and the digests of 1 were made otherwise. Seals of today begin with 3."""


@dataclass(frozen=True)
class Changes:
    """What has changed since a text was confirmed: whether its facts have, the statements that are new, and whether
    some are gone. Definitions of names count as new only if no step is."""

    facts: bool
    new: tuple[Proposition, ...]
    gone: bool


def confirmation(spec: Spec, id_: str) -> str:
    """What the seal of a text says of a rule or ruling that it agrees with today.

    The number of the kind of seals; three digests, of the facts under `states:`, of what the rule does, and of what is
    around it and belongs to it; then a short one for each of its statements. Raises KeyError for an unknown id.
    """
    said = "".join(dict.fromkeys(map(_digest, statements(spec, id_))))
    return f"{does(spec, id_)}-{said}" if said else does(spec, id_)


def does(spec: Spec, id_: str) -> str:
    """The digests of what a rule or ruling does and of what belongs to it: its `confirmation` without the statements.

    Raises KeyError for an unknown id.
    """
    return f"3-{facts.digest(spec, id_)}-{digest_meaning(spec, id_)}-{ownership.belonging(spec, id_)}"


def agree(was: str, now: str) -> bool:
    """Whether earlier digests of what a rule does, those of a seal with its statements or those that `does` gave, are
    the present ones."""
    number, *known = was.split("-")
    digests = _DIGESTS.get(number, 0)
    return digests > 0 and known[:digests] == now.split("-")[1 : digests + 1]


def renewed(translation: Translation, spec: Spec, versions: Iterable[Spec]) -> Translation:
    """The translation with present confirmations in place of those of formats 1 and 2.

    Such a text counts as confirmed with the first version of the spec that has its digests, among those that are kept
    before the present one. If none has them, a text of format 1, whose digests were made otherwise, is stale if its
    rule was another one in any of the `versions`; else it counts as confirmed with the spec.
    """
    if all(one.confirmed[:1] in ("", "3") for one in translation.passages.values()):
        return translation
    every = (*versions, spec)
    rules, rulings = (
        {id_: replace(one, seal=_renewed(one, every)) for id_, one in texts.items()}
        for texts in (translation.rules, translation.rulings)
    )
    return replace(translation, rules=rules, rulings=rulings)


def _renewed(passage: Passage, every: Sequence[Spec]) -> Seal:
    known = [one for one in every if passage.id in one.rules or passage.id in one.rulings]
    if passage.confirmed[:1] in ("", "3") or not known:
        return passage.seal
    was = next((one for one in known if is_unchanged(passage.confirmed, one, passage.id)), None)
    if was is None and passage.confirmed.startswith("1"):
        now = known[-1]
        was = next((one for one in known if does(one, passage.id) != does(now, passage.id)), now)
    return replace(passage.seal, rule=confirmation(was, passage.id)) if was is not None else passage.seal


def is_stale(confirmed: str, spec: Spec, id_: str, versions: Iterable[Spec] = ()) -> bool:
    """Whether a rule or ruling has changed since its text was confirmed; False for a text that was never confirmed.

    If the version that the text was confirmed with is among the `versions`, it is compared with the spec, and each
    change counts at the rules that it belongs to. Else every text is stale whose digests have changed.
    """
    if is_unchanged(confirmed, spec, id_):
        return False
    old = version_of(confirmed, id_, versions)
    return old is None or any(id_ in group for group in due(old, spec))


def is_unchanged(confirmed: str, spec: Spec, id_: str) -> bool:
    """Whether nothing of a rule or ruling, of what its steps name, nor of what belongs to it has changed since its text
    was confirmed; True for a text that was never confirmed."""
    return not confirmed or agree(confirmed, does(spec, id_))


def version_of(confirmed: str, id_: str, versions: Iterable[Spec]) -> Spec | None:
    """The version that the text of a rule or ruling was confirmed with; None if it is not among the versions."""
    known = (one for one in versions if id_ in one.rules or id_ in one.rulings)
    return next((one for one in known if confirmation(one, id_) == confirmed), None) if confirmed else None


@lru_cache(maxsize=8)
def due(old: Spec, new: Spec) -> tuple[ownership.Group, ...]:
    """The rules and rulings of both versions whose texts are due, grouped by what has changed.

    Cards and numbers of players belong to the rules that have facts of them.
    """
    parts = dict(ownership.due(old, new))
    both = old.rules.keys() | old.rulings.keys()
    counted = [id_ for id_ in (*new.rules, *new.rulings) if id_ in both and _has_new_facts(old, new, id_)]
    other = {id_ for name, group in parts.items() if name != ownership.GAME for id_ in group}
    if ownership.GAME in parts and (of_cards := tuple(id_ for id_ in counted if id_ not in other)):
        parts[ownership.GAME] = of_cards
    known = {id_ for group in parts.values() for id_ in group}
    return tuple(dict.fromkeys((*parts.values(), *((id_,) for id_ in counted if id_ not in known))))


def _has_new_facts(old: Spec, new: Spec, id_: str) -> bool:
    """Whether there are facts under `states:` that a text must give now."""
    known = {fact.content for fact in facts.listed(old, id_)}
    return any(not fact.optional and fact.content not in known for fact in facts.listed(new, id_))


def changes(confirmed: str, spec: Spec, id_: str) -> Changes:
    """What has changed since a stale text was confirmed."""
    # The number of the seal, the digest of the facts and others, then short ones of the statements.
    number, *digests = confirmed.split("-")
    said = "".join(digests[_DIGESTS[number] :])
    known = {said[at : at + DIGITS] for at in range(0, len(said), DIGITS)}
    now = {_digest(one): one for one in statements(spec, id_)}
    new = [one for short, one in now.items() if short not in known]
    steps = [one for one in new if not one.definition]
    return Changes(digests[0] != facts.digest(spec, id_), tuple(steps or new), bool(known - now.keys()))


def statements(spec: Spec, id_: str) -> Iterator[Proposition]:
    """The propositions of a rule, or those that the other answers of a ruling bring in, and the definitions of their
    names."""
    stated = own(spec, id_)
    yield from stated
    known = defined(spec)
    for name in dict.fromkeys(name for one in stated for name in names(one)):
        yield from known.get(name, ())


def _digest(one: Proposition) -> str:
    """The digest of a statement, which does not depend on where in the spec it is."""
    said = f"{one} within {' & '.join(map(str, one.within))} ruling {one.ruling}"
    return hashlib.sha256(said.encode()).hexdigest()[:DIGITS]


_SHOWN = 2
"""The most new statements in a message. `ftk explain` shows all."""


_Placed = dict[Span | None, tuple[Proposition, ...]]
"""New statements by the sentence that speaks of them; None if there is no such sentence."""


def stale(
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
