"""Language against language: what one text of a rule speaks of and the others do not."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from rulespec.diagnostics import Finding, finding
from rulespec.text.book import Book
from rulespec.text.translation import Passage, Translation


def concepts_of(passage: Passage, lang: str, book: Book) -> Mapping[str, tuple[int, int]]:
    """The things of the game that a text speaks of, and where each first stands.

    A cue alone is enough to be understood, but too little to say that the text speaks of the thing.
    """
    found: dict[str, tuple[int, int]] = {}
    for mention in book.read(passage.text.text, lang).mentions:
        for concept in (mention.concept, *mention.also):
            if mention.status.is_term and book.keeps_to_one_term(concept):
                found.setdefault(concept, (mention.start, mention.end))
    return found


def understood(passage: Passage, lang: str, book: Book) -> frozenset[str]:
    """All concepts that a reader of the text understands, cues included."""
    return frozenset(book.read(passage.text.text, lang).places)


def check(translation: Translation, others: Iterable[Translation], book: Book) -> Iterator[Finding]:
    """Where a translation alone speaks of a thing that its rule is not about, or alone leaves out what all others name.

    Each language words a rule in its own way: what the rule's facts list, as optional too, may be said or not.
    """
    others = [other for other in others if other.lang != translation.lang]
    for id_, passage in translation.passages.items():
        beside = [(other, other.passages[id_]) for other in others if id_ in other.passages]
        if not beside:
            continue
        names = " and ".join(one.lang for one, _ in beside)
        difference = differing(passage, translation.lang, [(other, one.lang) for one, other in beside], book)
        for concept in difference.lacks if len(beside) > 1 else ():  # of two texts, nobody knows which one is right
            if book.is_thing(concept) and concept not in book.needs(id_):
                message = f"The text does not speak of {book.term(concept, translation.lang)}, but {names} do here."
                hint = f"Say it; where it may be left out, add `{concept}` to the rule's `states:` as optional."
                yield finding("language-lacks", message, translation.source, passage.key, hint, id_, translation.lang)
        for concept, (start, end) in difference.adds.items():
            names_it = book.glossary.concepts[concept].names in book.subjects.get(id_, ())
            if not names_it and concept not in book.needs(id_):
                said = passage.text.text[start:end]
                message = f"“{said}” has no part in this rule, and {names} do not speak of it here."
                hint = f"Check the word; where it is right, add `{concept}` to the rule's `states:` as optional."
                yield passage.prose(translation.lang).say("language-adds", message, start, end, hint)


@dataclass(frozen=True)
class Difference:
    """What a text alone does not speak of, and what it alone speaks of, with the place of the first mention."""

    lacks: tuple[str, ...]
    adds: Mapping[str, tuple[int, int]]


def differing(passage: Passage, lang: str, beside: list[tuple[Passage, str]], book: Book) -> Difference:
    """How a text differs from all others of the same rule, in things of the game."""
    here, also = understood(passage, lang, book), frozenset[str]()
    common: frozenset[str] | None = None
    for other, other_lang in beside:
        told = frozenset(concepts_of(other, other_lang, book))
        common = told if common is None else common & told
        also |= understood(other, other_lang, book)
    adds = {c: place for c, place in concepts_of(passage, lang, book).items() if c not in also}
    return Difference(tuple(sorted((common or frozenset()) - here)), adds)
