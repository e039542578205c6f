"""Names of places that the glossary does not have: “esteem deck” where a game has a personal deck and a favour deck."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from rulespec.text.glossary import Mention, Status, tokens
from rulespec.text.reading.mentions import Reading
from rulespec.text.rules.book import Book

_NAMES = (Status.PREFERRED, Status.ALLOWED, Status.FORM)


@dataclass(frozen=True)
class Head:
    """A place whose term is also the head of longer names of places: “deck” in “favour deck”.

    `last` and `first` say where it stands in them: «колода» in «особиста колода» and in «колода прихильності».
    """

    place: str
    last: bool
    first: bool


def unknown_places(reading: Reading, book: Book) -> Iterator[tuple[Mention, Mention]]:
    """Two terms side by side that look like the name of a place, but are none: another thing and the head."""
    lang = reading.language.tag
    heads = {head.place: head for head in _heads(book, lang)}
    named = [mention for mention in reading.mentions if mention.status in _NAMES]
    for before, after in pairwise(named):
        if heads.keys() & {before.concept, after.concept} and _adjacent(before, after, reading):
            last, first = heads.get(after.concept), heads.get(before.concept)
            if (last and last.last and _is_quality(before, book)) or (
                first and first.first and _is_quality(after, book)
            ):
                yield before, after


def _adjacent(before: Mention, after: Mention, reading: Reading) -> bool:
    between = reading.text[before.end : after.start]
    return 0 <= after.start - before.end <= 1 and between in ("", " ") and bool(between) == reading.language.spaced


def _is_quality(mention: Mention, book: Book) -> bool:
    """Whether a term is for an abstract thing with one term, such as esteem.

    Pieces, players, places, positions and kinds can stand beside a place by chance: the deck of cards, face down.
    """
    known = book.glossary.concepts[mention.concept]
    return known.one_term and not book.sort(known.id) and not book.is_component(known.id) and known.names != "player"


def _heads(book: Book, lang: str) -> tuple[Head, ...]:
    key = "heads of places", lang
    if key not in book.derived:
        book.derived[key] = tuple(_found_heads(book, lang))
    found: tuple[Head, ...] = book.derived[key]
    return found


def _found_heads(book: Book, lang: str) -> Iterator[Head]:
    names = {id_: tuple(_names(book, id_, lang)) for id_ in book.glossary.concepts if book.sort(id_) == "place"}
    for place, heads in names.items():
        longer = [words for other, each in names.items() if other != place for words in each]
        last = any(_ends(words, head) for words in longer for head in heads)
        first = any(_ends(words[::-1], head[::-1]) for words in longer for head in heads)
        if last or first:
            yield Head(place, last, first)


def _names(book: Book, concept: str, lang: str) -> Iterator[tuple[frozenset[str], ...]]:
    """The terms of a concept, each as the keys of its words."""
    terms = book.glossary.concepts[concept].terms.get(lang)
    for term in () if terms is None else (terms.preferred, *terms.allowed):
        if term is not None:
            yield tuple(frozenset(word.keys) for word in tokens.read(term.text, lang))


def _ends(words: tuple[frozenset[str], ...], head: tuple[frozenset[str], ...]) -> bool:
    """Whether words end in a head, with at least one word before it."""
    ending = words[-len(head) :]
    return len(words) > len(head) and all(word & key for word, key in zip(ending, head, strict=True))
