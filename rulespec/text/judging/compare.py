"""Comparison of languages: what one text of a rule mentions and the others do not."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import attrgetter

from rulespec.base.diagnostics import Finding, Span, finding
from rulespec.base.messages import all_of, say
from rulespec.text.judging.contradictions import plain
from rulespec.text.judging.parallel import similarity
from rulespec.text.judging.witnesses import Of, doubts
from rulespec.text.languages.registry import find
from rulespec.text.reading.clauses import Clause, is_item, paragraphs
from rulespec.text.reading.contrasts.lexicon import AFFIRMED, MODALS, Gloss, value_in_words
from rulespec.text.reading.contrasts.negation import Contrast
from rulespec.text.reading.mentions import Reading
from rulespec.text.reading.once import once
from rulespec.text.reading.translation import Passage, Translation
from rulespec.text.rules.book import Book

MORE = 0.1
"""By how much each item that has moved is more similar to the one that it stands for than to the one in its place."""


MOST = 4_000
"""The most pairs of items that are compared: a list of 63 items. Longer lists are hostile."""


def reordered(here: Reading, others: Sequence[Reading]) -> Iterator[Span]:
    """The first item out of place of each list that every other text has in one and the same other order."""
    mine, theirs = _lists(here), [_lists(other) for other in others]
    for at, items in enumerate(mine):
        orders = {_order(items, lists[at]) if len(lists) == len(mine) else None for lists in theirs}
        order = orders.pop() if len(orders) == 1 else None
        if order is not None:
            first = next(item for place, item in zip(order, items, strict=True) if item is not items[place])
            yield Span(first.start, first.end)


def _lists(reading: Reading) -> list[list[Reading]]:
    grouped = groupby(
        paragraphs(reading.text, reading.start, reading.end), key=lambda span: is_item(reading.text, span.start)
    )
    return [[reading.part(span.start, span.end) for span in group] for is_list, group in grouped if is_list]


def _order(items: Sequence[Reading], others: Sequence[Reading]) -> tuple[int, ...] | None:
    """The places at which another list has our items; None if it has them in our order, or if that is not clear."""
    if len(items) != len(others) or len(items) ** 2 > MOST:
        return None
    likes = [[similarity(item, other) for other in others] for item in items]
    order = tuple(row.index(max(row)) if row[own] < max(row) else own for own, row in enumerate(likes))
    moved = [row[at] - row[own] for own, (at, row) in enumerate(zip(order, likes, strict=True)) if at != own]
    return order if moved and len(set(order)) == len(order) and min(moved) >= MORE else None


def concepts_of(passage: Passage, lang: str, book: Book) -> Mapping[str, tuple[int, int]]:
    """The things of the game that a text mentions, each with the span of its first mention.

    A cue is not a mention here: it is enough to understand a text, but not to say that the text names the thing.
    """
    found: dict[str, tuple[int, int]] = {}
    for mention in book.read(passage.text.text, lang).mentions:
        for concept in (mention.concept, *mention.also):
            if mention.status.is_term and book.keeps_to_one_term(concept):
                found.setdefault(concept, (mention.start, mention.end))
    return found


def understood(passage: Passage, lang: str, book: Book) -> frozenset[str]:
    """All concepts that a text mentions, cues included."""
    return frozenset(book.read(passage.text.text, lang).places)


def check(passage: Passage, lang: str, others: Iterable[Translation], book: Book) -> Iterator[Finding]:
    """Findings for things that only the text of a rule in this language mentions, or that only it leaves out.

    Languages word a rule differently: concepts in the facts of the rule, optional ones included, are not reported.
    """
    least = find(lang).level  # a text in a language of a lower level says things that are not read
    beside = [
        (one.passages[passage.id], one.lang)
        for one in others
        if one.lang != lang and passage.id in one.passages and find(one.lang).level >= least
    ]
    if not beside:
        return
    names = all_of([lang for _, lang in beside])
    yield from otherwise(passage, lang, beside, book, names)
    difference = differing(passage, lang, beside, book)
    for concept in difference.lacks if len(beside) > 1 else ():  # with two texts it is unknown which one is right
        if book.matters(passage.id, concept) and book.has_term(concept, lang):
            term = book.term(concept, lang)
            message = say("The text does not mention {lang}; {names} mention it here.", lang=term, names=names)
            hint = say("Add it, or add `{concept}` to the optional terms of the rule under `states:`.", concept=concept)
            yield finding("language-lacks", message, passage.source, passage.key, hint, passage.id, lang)
    for concept, (start, end) in difference.adds.items():
        if _is_unrelated(passage, lang, concept, beside, book):
            said = passage.text.text[start:end]
            message = say(
                "“{said}” is unrelated to this rule, and {names} do not mention it here.", said=said, names=names
            )
            hint = say("Check the word. If it is right, name what it means under the rule's `states:` with `about`.")
            yield passage.prose(lang).say("language-adds", message, start, end, hint)


def _is_unrelated(passage: Passage, lang: str, concept: str, beside: list[tuple[Passage, str]], book: Book) -> bool:
    """Whether a concept does not belong to the rule of a text.

    One that belongs to a rule connected with it is reported where it takes the place of another of its sort.
    """
    if book.may_mention(passage.id, concept):
        return False
    here = book.read(passage.text.text, lang)
    others = [book.read(other.text.text, other_lang) for other, other_lang in beside]
    alternative = book.is_alternative(passage.id, concept, here.places.keys())
    related = alternative or book.is_connected(passage.id, concept) or _shortened(concept, here)
    return not related or any(_is_rarer(one, here, others) for one in _similar(concept, others[0], book))


def _similar(concept: str, reading: Reading, book: Book) -> Iterator[str]:
    """The concepts of a reading that can be confused with another one."""
    sort = book.sort(concept)
    return (one for one in reading.named if sort and book.sort(one) == sort)


def _is_rarer(concept: str, here: Reading, others: Iterable[Reading]) -> bool:
    """Whether every other text mentions a concept more often."""
    return all(len(here.places.get(concept, ())) < len(other.places.get(concept, ())) for other in others)


def _shortened(concept: str, reading: Reading) -> bool:
    """Whether a concept is only mentioned in words that end another term: `that tile`, a turn-order tile."""
    said = {reading.text[m.start : m.end].lower() for m in reading.places[concept]}
    longer = {reading.text[m.start : m.end].lower() for m in reading.mentions if m.concept != concept}
    return all(any(other != word and other.endswith(word) for other in longer) for word in said)


@dataclass(frozen=True)
class Difference:
    """Concepts that only this text lacks, and those that only it mentions, with the span of the first mention."""

    lacks: tuple[str, ...]
    adds: Mapping[str, tuple[int, int]]


def differing(passage: Passage, lang: str, beside: list[tuple[Passage, str]], book: Book) -> Difference:
    """The difference of a text from all other texts of the rule, in things of the game."""
    here, also = understood(passage, lang, book), frozenset[str]()
    common: frozenset[str] | None = None
    for other, other_lang in beside:
        theirs = frozenset(concepts_of(other, other_lang, book))
        common = theirs if common is None else common & theirs
        also |= understood(other, other_lang, book)
    adds = {c: place for c, place in concepts_of(passage, lang, book).items() if c not in also}
    return Difference(tuple(sorted((common or frozenset()) - here)), adds)


def otherwise(
    passage: Passage, lang: str, beside: list[tuple[Passage, str]], book: Book, names: str
) -> Iterator[Finding]:
    """Findings for terms, numbers, contrasts, lists and denials that the other texts of the rule do not support."""
    here, prose = book.read(passage.text.text, lang), passage.prose(lang)
    others = [book.read(other.text.text, tongue) for other, tongue in beside]
    reported: list[int] = []
    for found in doubts(here, others, book):
        said = here.text[found.start : found.end]
        if found.of is Of.TERM:
            term = book.term(found.instead, lang)
            message = say(
                "The text says “{said}”, but {names} have {wanted} here.", said=said, names=names, wanted=term
            )
            yield prose.say("term-confused", message, found.start, found.end, say("Should it be {meant}?", meant=term))
            continue
        if found.contrast is None:
            name = "language-number"
            message = say(
                "The text says “{said}”, but {names} have {wanted} here.", said=said, names=names, wanted=found.instead
            )
        else:
            name = "language-contrast"
            instead = value_in_words(found.contrast.family, found.instead) if found.instead else ""
            value = say("“{value}”", value=instead) if instead else say("nothing like it")
            meant = Gloss(said, plain(found.contrast))
            message = say("The text says {said}, but other languages say {value} here.", said=meant, value=value)
            reported.append(found.start)
        yield prose.say(name, message, found.start, found.end, say("Correct the one that is wrong."))
    for span in reordered(here, others):
        message = say("The items stand in another order than in {names}.", names=names)
        yield prose.say("language-contrast", message, span.start, span.end, say("Put them into the order of the rule."))
    vague = frozenset(book.concepts[name] for name in ("card", "player") if name in book.concepts)
    for denial in denials(here, others, vague):
        one, clause = denial.predicate, denial.clause
        # A clause with a wrong contrast has its finding: that it denies something is often the same mistake.
        if not any(clause.start <= at < clause.end for at in reported):
            reported.append(one.start)
            said = here.text[one.start : one.end]
            denied = (
                say("The text affirms “{said}” here, but other languages deny it: “{against}”.")
                if one.value == AFFIRMED
                else say("The text denies “{said}” here, but other languages affirm it: “{against}”.")
            )
            message = say(denied, said=said, against=denial.against)
            yield prose.say("language-contrast", message, one.start, one.end, say("Correct the one that is wrong."))


LIKE = 0.2
"""The least similarity of two statements that are compared. Below it true texts of the development part disagree."""

LIKE_MODAL = 0.5
"""The same for what may or must be done and when: every text says that of several things."""

RARE = frozenset({"refund", "count", "matter"})
"""Predicates of which a rule says little else: statements of them are compared if the texts have no other ones."""

NEXT_BEST = 0.6
"""The share of the best similarity from which on another statement may be meant as well."""

UNCOMPARED = frozenset({"have"})
"""Predicates that only take up a negation."""

OF_CASES = frozenset({"left"})
"""Predicates that are compared in conditions, too. Other conditions may be said of either case: who is barred, who is
not."""


@dataclass(frozen=True)
class Denial:
    """A predicate of a text with its clause, and the words of another text that say the opposite."""

    predicate: Contrast
    clause: Clause
    against: str


@dataclass(frozen=True)
class _Statement:
    """A predicate in its clause, and the weight of each concept that it may be about: 1 for those of the clause, half
    for those of the rest of its sentence and of the head line of its list."""

    predicate: Contrast
    clause: Clause
    concepts: Mapping[str, float]


def denials(here: Reading, others: Sequence[Reading], vague: frozenset[str]) -> Iterator[Denial]:
    """The predicates that at least one other text contradicts and none supports. `vague` are concepts that nearly every
    clause mentions."""
    mine = [one for one in _statements(here) if one.predicate.family not in UNCOMPARED]
    for one in mine:
        if one.predicate.certain and (not one.predicate.conditional or one.predicate.family in OF_CASES):
            found = [_opposite(one, mine, _statements(other), vague) for other in others]
            against = [(each, other) for each, other in zip(found, others, strict=True) if isinstance(each, _Statement)]
            if against and not any(each is _SUPPORT for each in found):
                each, other = against[0]
                yield Denial(one.predicate, one.clause, other.text[each.clause.start : each.clause.end])


def _statements(reading: Reading) -> tuple[_Statement, ...]:
    return once(reading, "statements", lambda: tuple(_read(reading)))


def _read(reading: Reading) -> Iterator[_Statement]:
    for clause, predicates in groupby(reading.predicates, attrgetter("clause")):
        around = [clause.sentence, clause.head] if clause.head else [clause.sentence]
        # The concepts of a clause are among those of its sentence, too: the later entry counts.
        concepts = {concept: 0.5 for span in around for concept in reading.part(span.start, span.end).places}
        concepts |= dict.fromkeys(reading.part(clause.start, clause.end).places, 1.0)
        yield from (_Statement(one, clause, concepts) for one in predicates)


_SUPPORT = object()


def _opposite(
    one: _Statement, mine: Sequence[_Statement], theirs: Sequence[_Statement], vague: frozenset[str]
) -> object:
    """The statement of another text that says the opposite; `_SUPPORT` if one agrees, None if nothing is said of it."""
    said = one.predicate
    same = [each for each in theirs if said.family == each.predicate.family]
    same = [each for each in same if said.conditional == each.predicate.conditional]
    likes = [_like(one, each, vague) for each in same]
    best = max(likes, default=0.0)
    if best < (LIKE_MODAL if said.family in MODALS else LIKE) and not _is_only(said, mine, same):
        return None
    meant = [each for each, like in zip(same, likes, strict=True) if like >= best * NEXT_BEST]
    if any(each.predicate.value == said.value or not each.predicate.certain for each in meant):
        return _SUPPORT
    return None if any(_says(other, one, meant[0], best, vague) for other in mine) else meant[0]


def _is_only(said: Contrast, mine: Sequence[_Statement], same: Sequence[_Statement]) -> bool:
    """Whether a rare predicate is the only one in our text, and those of the other text all agree."""
    ours = [each for each in mine if each.predicate.family == said.family]
    return said.family in RARE and len(ours) == 1 and len({each.predicate.value for each in same}) == 1


def _says(other: _Statement, one: _Statement, meant: _Statement, best: float, vague: frozenset[str]) -> bool:
    """Whether another statement of our text may be what a statement of the other text means."""
    here, there = other.predicate, meant.predicate
    if (here.family, here.value) != (there.family, there.value):
        return False
    return other.clause.sentence == one.clause.sentence or _like(other, meant, vague) >= best / 2


def _like(one: _Statement, other: _Statement, vague: frozenset[str]) -> float:
    """The share of concepts that two statements have in common, from 0 to 1."""
    every = (one.concepts.keys() | other.concepts.keys()) - vague
    pairs = [(one.concepts.get(each, 0.0), other.concepts.get(each, 0.0)) for each in every]
    return sum(map(min, pairs)) / sum(map(max, pairs)) if pairs else 0.0
