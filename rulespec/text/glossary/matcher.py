"""Matches phrases against the words of a text, word by word through their keys."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Generic, NamedTuple, TypeAlias, TypeVar

from rulespec.text.glossary import tokens
from rulespec.text.glossary.concepts import Glossary, Status
from rulespec.text.glossary.tokens import Joint, Token
from rulespec.text.languages.registry import find

T = TypeVar("T")


class Word(NamedTuple):
    """A word of a phrase in lower case, with the keys that it matches by."""

    raw: str
    keys: frozenset[str]


Piece: TypeAlias = tuple[Word, ...]
"""Words that follow each other directly. A phrase is one piece or several with gaps between them."""


@dataclass(frozen=True)
class Hit(Generic[T]):
    """A match of a phrase. `of` is what the phrase stands for.

    `length` counts letters outside gaps, `same` counts words that are not inflected.
    """

    start: int
    end: int
    length: int
    same: int
    of: T


class Matcher(Generic[T]):
    """Finds many phrases at once. `gap` is the most words that a gap in a phrase stands for."""

    def __init__(self, phrases: Iterable[tuple[T, tuple[Piece, ...]]], gap: int = 0) -> None:
        self._gap = gap
        self._by_first: dict[str, list[tuple[T, tuple[Piece, ...]]]] = defaultdict(list)
        for phrase in phrases:
            for key in phrase[1][0][0].keys:
                self._by_first[key].append(phrase)

    def hits(self, tokens: list[Token]) -> Iterator[Hit[T]]:
        """Every match of every phrase, in order of their first words. Matches may overlap."""
        for at, token in enumerate(tokens):
            tried: set[int] = set()
            for key in token.keys:
                for phrase in self._by_first.get(key, ()):
                    # A word may share several keys with a phrase. By identity, since a hash would be one of all its
                    # words.
                    if id(phrase) not in tried:
                        tried.add(id(phrase))
                        yield from self._hit(tokens, at, phrase)

    def _hit(self, tokens: list[Token], at: int, phrase: tuple[T, tuple[Piece, ...]]) -> Iterator[Hit[T]]:
        of, pieces = phrase
        found = _match(tokens, at, pieces, self._gap)
        if found:
            length = sum(token.end - token.start for token, _ in found)
            same = sum(token.raw == word for token, word in found)
            yield Hit(found[0][0].start, found[-1][0].end, length, same, of)


def apart(hits: Iterable[Hit[T]]) -> list[list[Hit[T]]]:
    """The hits that count, best first, each grouped with equal hits on the same words."""
    taken: dict[int, list[Hit[T]]] = {}
    groups: list[list[Hit[T]]] = []
    for hit in hits:
        # By character: comparing each hit with all before it would be quadratic.
        over = {id(group): group for place in range(hit.start, hit.end) if (group := taken.get(place))}
        if not over:
            groups.append([hit])
            taken.update(dict.fromkeys(range(hit.start, hit.end), groups[-1]))
        for group in over.values():
            if _equal(hit, group[0]):
                group.append(hit)
    return groups


def _equal(one: Hit[T], other: Hit[T]) -> bool:
    return (one.start, one.end, one.length, one.same) == (other.start, other.end, other.length, other.same)


# --- one phrase at one place -----------------------------------------------------------------------------------------

_Found = list[tuple[Token, str]]


def _match(tokens: list[Token], at: int, pieces: tuple[Piece, ...], gap: int) -> _Found:
    """The words that match the pieces of a phrase from `at` on; empty if they do not match."""
    here = _piece(tokens, at, pieces[0])
    if not here or len(pieces) == 1:
        return here
    after = at + len(here)
    # The shortest gap first: what a phrase spans must not reach over a nearer end of it.
    for skipped in range(gap + 1):
        if after + skipped >= len(tokens) or tokens[after + skipped].joint == Joint.END:
            return []
        rest = _match(tokens, after + skipped, pieces[1:], gap)
        if rest:
            return here + rest
    return []


def _piece(tokens: list[Token], at: int, piece: Piece) -> _Found:
    if at + len(piece) > len(tokens):
        return []
    found = []
    for place, word in enumerate(piece):
        token = tokens[at + place]
        if (place and token.joint != Joint.NEXT) or word.keys.isdisjoint(token.keys):
            return []
        found.append((token, word.raw))
    return found


GAP = re.compile(r"\s*(?:…+|\.{3,})\s*")
"""The gap in an allowed term, a vague phrase or a cue, which stands for a few words."""


@dataclass(frozen=True)
class Pattern:
    """A term of a concept as pieces of words. Gaps are between the pieces."""

    concept: str
    status: Status
    term: str
    pieces: tuple[Piece, ...]


def patterns(glossary: Glossary, lang: str) -> Iterator[Pattern]:
    """The patterns of a glossary in a language. Terms without a word have none, and labels are not searched for."""
    every = (
        (one.id, *each) for one in glossary.concepts.values() if lang in one.terms for each in one.terms[lang].each()
    )
    for concept, status, term in every:
        pieces = tuple(_gap_or_words(piece, lang) for piece in GAP.split(term.text))
        if all(pieces) and status != Status.LABEL:
            yield Pattern(concept, status, term.text, pieces)


def _gap_or_words(text: str, lang: str) -> Piece:
    language = find(lang)
    return tuple(Word(token.raw, tokens.term_keys(token, language)) for token in tokens.read(text, lang))
