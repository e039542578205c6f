"""Finds the terms of a glossary in a text."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from operator import attrgetter

from rulespec.text.glossary import tokens
from rulespec.text.glossary.concepts import Glossary, Status
from rulespec.text.glossary.near_matches import NearMatch, NearMatches
from rulespec.text.glossary.patterns import Pattern, Piece, patterns
from rulespec.text.glossary.tokens import Joint, Token
from rulespec.text.languages import find

GAP_WORDS, GAP_CHARACTERS = 5, 10
"""The most that ` … ` stands for: five words reach over a noun with its adjectives. Ten Chinese characters are about as
much."""

_ORDER = {status: place for place, status in enumerate(Status)}


@dataclass(frozen=True)
class Mention:
    """A term at `text[start:end]` with its concept and status. `term` is its form in the glossary.

    `also` are other concepts that share the term, `forbidden_for` those that forbid it.
    """

    start: int
    end: int
    concept: str
    status: Status
    term: str
    also: tuple[str, ...] = ()
    forbidden_for: tuple[str, ...] = ()


@dataclass(frozen=True)
class _Hit:
    """A match of a pattern. `length` counts letters outside gaps, `same` counts words that are not inflected."""

    start: int
    end: int
    length: int
    same: int
    pattern: Pattern


class Finder:
    """Finds the terms of a glossary in texts of one language (a BCP 47 tag)."""

    def __init__(self, glossary: Glossary, lang: str) -> None:
        self.lang = lang
        self.patterns = tuple(patterns(glossary, lang))
        self._gap = GAP_WORDS if find(lang).spaced else GAP_CHARACTERS
        self._near_matches = NearMatches(self.patterns, lang)
        self._by_first: dict[str, list[Pattern]] = defaultdict(list)
        for pattern in self.patterns:
            for key in pattern.pieces[0][0].keys:
                self._by_first[key].append(pattern)

    def find(self, text: str) -> list[Mention]:
        """All terms, vague phrases and cues in a text, in order. Of overlapping terms the longest counts.

        A cue does not count if it overlaps a term of its concept or lies inside any term. A vague phrase always counts.
        """
        hits = list(self._hits(tokens.read(text, self.lang)))
        hits.sort(key=lambda hit: (-hit.length, -hit.same, _ORDER[hit.pattern.status], hit.start))
        terms = _apart(hit for hit in hits if hit.pattern.status.is_term)
        cues = [hit for hit in hits if hit.pattern.status == Status.CUE]
        groups = [
            *terms,
            *_by_concept(hit for hit in hits if hit.pattern.status == Status.VAGUE),
            *_by_concept(_cues_left(cues, terms)),
        ]
        return sorted(_mentions(groups), key=attrgetter("start", "end", "concept"))

    def near_matches(self, text: str) -> Iterator[NearMatch]:
        """Words that differ from a term in one letter, in order.

        In a term of several words, one word of five letters or more may differ. A term of one word is compared only
        with words that no dictionary lists.
        """
        terms = [mention for mention in self.find(text) if mention.status.is_term]
        yield from self._near_matches.find(text, [(term.start, term.end) for term in terms])

    def _hits(self, tokens: list[Token]) -> Iterator[_Hit]:
        for at, token in enumerate(tokens):
            tried: set[int] = set()
            for key in token.keys:
                for pattern in self._by_first.get(key, ()):
                    if id(pattern) not in tried:
                        tried.add(id(pattern))
                        yield from self._hit(tokens, at, pattern)

    def _hit(self, tokens: list[Token], at: int, pattern: Pattern) -> Iterator[_Hit]:
        found = _match(tokens, at, pattern.pieces, self._gap)
        if found:
            length = sum(token.end - token.start for token, _ in found)
            same = sum(token.raw == word for token, word in found)
            yield _Hit(found[0][0].start, found[-1][0].end, length, same, pattern)


@lru_cache(maxsize=32)
def finder(glossary: Glossary, lang: str) -> Finder:
    """The cached finder of a glossary in a language."""
    return Finder(glossary, lang)


# --- one pattern at one place ----------------------------------------------------------------------------------------

_Found = list[tuple[Token, str]]


def _match(tokens: list[Token], at: int, pieces: tuple[Piece, ...], gap: int) -> _Found:
    """The words that match the pieces of a term from `at` on; empty if they do not match."""
    here = _piece(tokens, at, pieces[0])
    if not here or len(pieces) == 1:
        return here
    after = at + len(here)
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


# --- which of several count ------------------------------------------------------------------------------------------


def _apart(hits: Iterable[_Hit]) -> list[list[_Hit]]:
    """The hits that count, best first, each grouped with equal hits on the same words."""
    taken: dict[int, list[_Hit]] = {}
    groups: list[list[_Hit]] = []
    for hit in hits:
        over = {id(group): group for place in range(hit.start, hit.end) if (group := taken.get(place))}
        if not over:
            groups.append([hit])
            taken.update(dict.fromkeys(range(hit.start, hit.end), groups[-1]))
        for group in over.values():
            if _equal(hit, group[0]):
                group.append(hit)
    return groups


def _equal(one: _Hit, other: _Hit) -> bool:
    return (one.start, one.end, one.length, one.same) == (other.start, other.end, other.length, other.same)


def _by_concept(hits: Iterable[_Hit]) -> list[list[_Hit]]:
    """For each concept, the hits that do not overlap."""
    found: dict[str, list[_Hit]] = defaultdict(list)
    for hit in hits:
        found[hit.pattern.concept].append(hit)
    return [group for of_one in found.values() for group in _apart(of_one)]


def _cues_left(cues: Iterable[_Hit], terms: list[list[_Hit]]) -> Iterator[_Hit]:
    """The cues that give way to none of the terms, which do not overlap each other."""
    ordered = sorted(terms, key=lambda group: group[0].start)
    starts = [group[0].start for group in ordered]
    for cue in cues:
        near = ordered[max(0, bisect_right(starts, cue.start) - 1) : bisect_left(starts, cue.end)]
        if not any(_gives_way(cue, group) for group in near):
            yield cue


def _gives_way(cue: _Hit, group: list[_Hit]) -> bool:
    term = group[0]
    if cue.end <= term.start or term.end <= cue.start:
        return False
    held = term.start <= cue.start and cue.end <= term.end
    return held or any(hit.pattern.concept == cue.pattern.concept for hit in group)


def _mentions(groups: list[list[_Hit]]) -> Iterator[Mention]:
    for group in groups:
        first = min(group, key=lambda hit: _ORDER[hit.pattern.status])
        right = [hit for hit in group if hit.pattern.status != Status.FORBIDDEN]
        wrong = [hit for hit in group if hit.pattern.status == Status.FORBIDDEN]
        yield Mention(
            first.start,
            first.end,
            first.pattern.concept,
            first.pattern.status,
            first.pattern.term,
            also=_others(right, first),
            forbidden_for=_others(wrong, first),
        )


def _others(hits: list[_Hit], first: _Hit) -> tuple[str, ...]:
    return tuple(dict.fromkeys(h.pattern.concept for h in hits if h.pattern.concept != first.pattern.concept))
