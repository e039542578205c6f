"""Words of a sentence for a phrase: its numbers, the names in it, and the contrasts that it states."""

from __future__ import annotations

from collections.abc import Set

from rulespec.base.diagnostics import Span
from rulespec.proofs.meaning import CONSTRUCTORS, Phrase, Proposition
from rulespec.text.glossary import Mention
from rulespec.text.judging.contradictions import names_thing
from rulespec.text.languages.quantity import Kind
from rulespec.text.reading.mentions import Reading
from rulespec.text.rules.book import Book
from rulespec.text.rules.evidence import says

Pairs = Set[tuple[str, str]]
"""Contrasts: pairs of a family and a value."""


def concepts_of(phrase: Phrase, book: Book) -> frozenset[str]:
    """The concepts of the names in a phrase."""
    known = book.concepts
    named = {part.name for part in phrase.walk() if part.constructor in _NAMED}
    return frozenset(known[name] for name in named if name in known)


_NAMED = {"zone", "value", "table", "field", "member", "members", "procedure"}


def mentions_of(part: Reading, concepts: Set[str]) -> list[Mention]:
    """The mentions of some concepts, in order."""
    found = (mention for concept in concepts for mention in part.places.get(concept, ()))
    return sorted(found, key=lambda mention: (mention.start, -mention.end))


def words_for(was: Phrase, now: Phrase | None, one: Proposition, part: Reading, book: Book) -> Span | None:
    """The words of a sentence for what a phrase of a statement has and its new version has not: a number, a contrast or
    a name."""
    return (
        _number(was, now, part, book, _of_players(was, one))
        or contrasted(contrasts_of(was) - _every_contrast(now), part, book, concepts_of(one.act, book))
        or _name(was, now, part, book)
    )


def _number(was: Phrase, now: Phrase | None, part: Reading, book: Book, of_players: bool) -> Span | None:
    gone = amounts_of(was) - (amounts_of(now) if now is not None else set())
    for quantity in part.quantities:
        said = (quantity.start in part.counts) is of_players and any(says(quantity, value) for value in gone)
        if said and (quantity.kind not in (Kind.ARTICLE, Kind.NOTHING) or _counts(quantity.end, part, book)):
            return Span(quantity.start, quantity.end)
    return None


def _of_players(number: Phrase, one: Proposition) -> bool:
    """Whether a number is one of players in a statement."""
    return any(
        number in phrase.parts and (phrase.constructor == "with_players" or Phrase("player_count") in phrase.parts)
        for phrase in one.phrases()
    )


def _counts(end: int, part: Reading, book: Book) -> bool:
    """Whether the word after an article or a “no” is a component, such as a card."""
    return any(book.is_component(m.concept) for m in part.mentions if 0 <= m.start - end <= 1)


def amounts_of(phrase: Phrase) -> set[int]:
    """The numbers in a phrase."""
    return {value for part in phrase.walk() for _, value in part.amount}


def _name(was: Phrase, now: Phrase | None, part: Reading, book: Book) -> Span | None:
    gone = concepts_of(was, book) - (concepts_of(now, book) if now is not None else frozenset())
    found = next(iter(mentions_of(part, gone)), None)
    return None if found is None else Span(found.start, found.end)


def contrasted(pairs: Pairs, part: Reading, book: Book, about: Set[str] = frozenset()) -> Span | None:
    """The first contrast of some pairs. The name of a thing states none, unless the statement is about the thing; bare
    negations are left out, because they may belong to anything."""
    for found in part.contrasts:
        named = found.within not in about and names_thing(found, book)
        if found.family != "truth" and (found.family, found.value) in pairs and not named:
            return found.words
    return None


def contrasts_of(phrase: Phrase) -> set[tuple[str, str]]:
    """The contrasts that a phrase states."""
    return {pair for part in phrase.walk() for pair in CONSTRUCTORS[part.constructor].says}


def of_head(phrase: Phrase) -> set[tuple[str, str]]:
    """The contrasts that the constructor of a phrase states or implies."""
    row = CONSTRUCTORS[phrase.constructor]
    return {*row.says, *row.implies}


def _every_contrast(phrase: Phrase | None) -> set[tuple[str, str]]:
    return {pair for part in phrase.walk() for pair in of_head(part)} if phrase is not None else set()
