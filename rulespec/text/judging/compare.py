"""Comparison of languages: what one text of a rule mentions and the others do not."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction

from rulespec.base.diagnostics import Finding, finding
from rulespec.base.messages import all_of, say
from rulespec.text.glossary import Mention
from rulespec.text.judging.agreement import Beside, disagreements
from rulespec.text.judging.contradictions import names_thing, plain
from rulespec.text.judging.denials import denials
from rulespec.text.judging.parallel import Pairs, in_step, pair_at, side_by_side
from rulespec.text.languages import find
from rulespec.text.languages.quantity import Kind, Quantity
from rulespec.text.reading.contrasts.predicates import AFFIRMED
from rulespec.text.reading.contrasts.words import value_in_words
from rulespec.text.reading.mentions import Reading
from rulespec.text.reading.translation import Passage, Translation
from rulespec.text.rules.book import Book
from rulespec.text.rules.evidence import plain_values, values_of


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
    texts = [(tongue, one.text.text) for one, tongue in ((passage, lang), *beside)]
    yield from book.readings.unless_agreed(
        texts, book.roles_of_concepts, lambda: list(otherwise(passage, lang, beside, book, names))
    )
    # Not kept as the comparison above is: which concepts belong to a rule depends on what it does.
    difference = differing(passage, lang, beside, book)
    for concept in difference.lacks if len(beside) > 1 else ():  # with two texts it is unknown which one is right
        if book.matters(passage.id, concept):
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
    """Findings for terms and numbers if every other text has another one of the same sort in the same sentence."""
    here, prose = book.read(passage.text.text, lang), passage.prose(lang)
    others = [book.read(other.text.text, tongue) for other, tongue in beside]
    sides = [(other, in_step(here, other)) for other in others]
    for mention in here.mentions:
        meant = _meant(mention, _around(mention.start, here, sides), book)
        if meant:
            said, term = here.text[mention.start : mention.end], book.term(meant, lang)
            message = say(
                "The text says “{said}”, but {names} have {wanted} here.", said=said, names=names, wanted=term
            )
            yield prose.say(
                "term-confused", message, mention.start, mention.end, say("Should it be {meant}?", meant=term)
            )
    for quantity in here.quantities:
        around = _around(quantity.start, here, sides)
        wanted = _counted(quantity, around) or _ranged(quantity, around)
        if wanted:
            said = here.text[quantity.start : quantity.end]
            message = say(
                "The text says “{said}”, but {names} have {wanted} here.", said=said, names=names, wanted=wanted
            )
            yield prose.say(
                "language-number", message, quantity.start, quantity.end, say("Correct the one that is wrong.")
            )
    reported: list[int] = []
    beside_here = [Beside(other, side_by_side(here, other)) for other in others]
    for found in disagreements(here, beside_here, lambda contrast: names_thing(contrast, book)):
        contrast = found.contrast
        value = value_in_words(contrast.family, found.instead) if found.instead else say("nothing like it")
        said = here.text[contrast.start : contrast.end]
        message = say(
            "The text says “{said}” ({contrast}), but other languages say {value} here.",
            said=said,
            contrast=plain(contrast),
            value=value,
        )
        reported.append(contrast.start)
        yield prose.say(
            "language-contrast", message, contrast.start, contrast.end, say("Correct the one that is wrong.")
        )
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


def _around(place: int, here: Reading, sides: list[tuple[Reading, Pairs]]) -> Pairs:
    """For each other text, the passage around an offset with its counterpart; the whole texts if it has none.

    Empty if no other text has a counterpart.
    """
    beside = [pair_at(pairs, place) for _, pairs in sides]
    if not any(beside):
        return []
    return [pair or (here, other) for pair, (other, _) in zip(beside, sides, strict=True)]


def _meant(mention: Mention, pairs: Pairs, book: Book) -> str | None:
    """The concept of the same sort that every other text mentions instead, or None."""
    sort = book.sort(mention.concept) if mention.status.is_term else ""
    if not sort or not pairs or any(mention.concept in theirs.places for _, theirs in pairs):
        return None
    similar = [c for c in pairs[0][1].named if book.sort(c) == sort]
    instead = (c for c in similar if all(c in theirs.named and c not in ours.places for ours, theirs in pairs))
    return min(instead, default=None)


def _ranged(quantity: Quantity, pairs: Pairs) -> str | None:
    """The range that every other text has instead of a range with other ends, or None."""
    if quantity.kind != Kind.RANGE or any(_ends(quantity) in _ranges(theirs) for _, theirs in pairs):
        return None
    instead = [_ranges(theirs) - _ranges(ours) for ours, theirs in pairs]
    common = min(frozenset.intersection(*instead), default=None) if instead else None
    return "–".join(map(str, common)) if common else None


def _ranges(part: Reading) -> frozenset[tuple[Fraction, Fraction]]:
    return frozenset(_ends(one) for one in part.quantities if one.kind == Kind.RANGE)


def _ends(one: Quantity) -> tuple[Fraction, Fraction]:
    return one.value, one.value if one.high is None else one.high


def _counted(quantity: Quantity, pairs: Pairs) -> int | None:
    """The number that every other text has instead, or None."""
    values = plain_values((quantity,))
    if not values or not pairs or any(values & values_of(theirs) for _, theirs in pairs):
        return None
    instead = [values_of(theirs) - values_of(ours) for ours, theirs in pairs]
    return min(frozenset.intersection(*instead), default=None)
