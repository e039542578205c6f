"""Finds the terms of a glossary in a text."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from operator import attrgetter
from typing import TypeAlias

from rulespec.text.glossary import tokens
from rulespec.text.glossary.concepts import Glossary, Status
from rulespec.text.glossary.matcher import Hit, Matcher, Pattern, apart, patterns
from rulespec.text.glossary.near_matches import NearMatch, NearMatches
from rulespec.text.languages.registry import depends, find

GAP_WORDS, GAP_CHARACTERS = 5, 10
"""The most that ` … ` stands for: five words reach over a noun with its adjectives. Ten Chinese characters are about as
much."""

_ORDER = {status: place for place, status in enumerate(Status)}


@dataclass(frozen=True)
class Mention:
    """A term at `text[start:end]` with its concept and status. `term` is its form in the glossary.

    `also` are other concepts that share the term.
    """

    start: int
    end: int
    concept: str
    status: Status
    term: str
    also: tuple[str, ...] = ()


_Hit: TypeAlias = Hit[Pattern]


class Finder:
    """Finds the terms of a glossary in texts of one language (a BCP 47 tag)."""

    def __init__(self, glossary: Glossary, lang: str) -> None:
        self.lang = lang
        self.patterns = tuple(patterns(glossary, lang))
        gap = GAP_WORDS if find(lang).spaced else GAP_CHARACTERS
        self._matcher = Matcher(((pattern, pattern.pieces) for pattern in self.patterns), gap)
        self._near_matches = NearMatches(self.patterns, lang)
        # A variant has the texts of its game.
        self._found = lru_cache(maxsize=4096)(self._find)
        self._near = lru_cache(maxsize=4096)(self._find_near)

    def find(self, text: str) -> list[Mention]:
        """All terms, vague phrases and cues in a text, in order. Of overlapping terms the longest counts.

        A cue does not count if it overlaps a term of its concept or lies inside any term. A vague phrase always counts.
        """
        return list(self._found(text))

    def _find(self, text: str) -> list[Mention]:
        hits = list(self._matcher.hits(tokens.read(text, self.lang)))
        # The best first: of hits that overlap, `apart` lets the first count.
        hits.sort(key=lambda hit: (-hit.length, -hit.same, _ORDER[hit.of.status], hit.start))
        terms = apart(hit for hit in hits if hit.of.status.is_term)
        cues = [hit for hit in hits if hit.of.status == Status.CUE]
        groups = [
            *terms,
            *_by_concept(hit for hit in hits if hit.of.status == Status.VAGUE),
            *_by_concept(_cues_left(cues, terms)),
        ]
        return sorted(_mentions(groups), key=attrgetter("start", "end", "concept"))

    def has_word(self, word: str) -> bool:
        """Whether a word, in any inflected form, belongs to a term that is not forbidden."""
        return not self._words.isdisjoint(tokens.keys_of(tokens.plain(word), self.lang))

    @cached_property
    def _words(self) -> frozenset[str]:
        allowed = (pattern for pattern in self.patterns if pattern.status != Status.FORBIDDEN)
        return frozenset(key for one in allowed for piece in one.pieces for word in piece for key in word.keys)

    def near_matches(self, text: str) -> tuple[NearMatch, ...]:
        """Words that differ from a term in one letter, in order.

        In a term of several words, one word of five letters or more may differ. A term of one word is compared only
        with words that no dictionary lists.
        """
        return self._near(text)

    def _find_near(self, text: str) -> tuple[NearMatch, ...]:
        terms = [mention for mention in self.find(text) if mention.status.is_term]
        return tuple(self._near_matches.find(text, [(term.start, term.end) for term in terms]))


@depends
@lru_cache(maxsize=32)
def finder(glossary: Glossary, lang: str) -> Finder:
    """The cached finder of a glossary in a language."""
    return Finder(glossary, lang)


# --- which of several count ------------------------------------------------------------------------------------------


def _by_concept(hits: Iterable[_Hit]) -> list[list[_Hit]]:
    """For each concept, the hits that do not overlap."""
    found: dict[str, list[_Hit]] = defaultdict(list)
    for hit in hits:
        found[hit.of.concept].append(hit)
    return [group for of_one in found.values() for group in apart(of_one)]


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
    return held or any(hit.of.concept == cue.of.concept for hit in group)


def _mentions(groups: list[list[_Hit]]) -> Iterator[Mention]:
    for group in groups:
        first = min(group, key=lambda hit: _ORDER[hit.of.status])
        right = [hit for hit in group if hit.of.status != Status.FORBIDDEN]
        also = dict.fromkeys(hit.of.concept for hit in right if hit.of.concept != first.of.concept)
        yield Mention(first.start, first.end, first.of.concept, first.of.status, first.of.term, tuple(also))
