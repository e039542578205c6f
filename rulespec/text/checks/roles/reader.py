"""Reads roles: whether a text takes cards from a place or puts them there, and which neighbours it speaks of."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from rulespec.base.diagnostics import Span
from rulespec.text.checks.roles.lexicon import Role, RoleLexicon, roles_of
from rulespec.text.languages import Language, Pattern
from rulespec.text.reading.segmentation import sentences


@dataclass(frozen=True)
class Placed:
    """The place at `text[start:end]` with its role. `words` are those that show the role, the place included."""

    start: int
    end: int
    role: Role
    words: Span


@dataclass(frozen=True)
class Person:
    """The words at `text[start:end]` for a player by the relation to another, such as the left neighbour."""

    start: int
    end: int
    relation: str


def read_places(text: str, language: Language, places: Sequence[Span], group: str = "places") -> tuple[Placed, ...]:
    """The role of each of the places, which are in order and do not overlap; all are neither without a lexicon.

    `group` is that of the terms: `places`, `holders` or `prizes`.
    """
    lexicon = roles_of(language)
    if lexicon is None or not places:
        return tuple(Placed(each.start, each.end, Role.NEITHER, each) for each in places)
    masked = _masked(text, places, lexicon)
    best: dict[int, tuple[Role, Span]] = {}
    for sentence in sentences(text, language, 0, len(text)):
        if any(sentence.start <= each.start < sentence.end for each in places):
            for start, role, words in _hits(masked, sentence, lexicon.patterns[group]):
                best[start] = _better(best.get(start), (role, words))
    found = ((each, *best.get(each.start, (Role.NEITHER, each))) for each in places)
    read = [Placed(each.start, each.end, role, words) for each, role, words in found]
    return tuple(_joined(text, read, lexicon) if group == "places" else read)


def _better(one: tuple[Role, Span] | None, other: tuple[Role, Span]) -> tuple[Role, Span]:
    """The reading that rests on more words; of two that rest on as many and differ, neither role."""
    if one is None or _length(one[1]) < _length(other[1]):
        return other
    if _length(one[1]) > _length(other[1]) or one[0] is other[0]:
        return one
    return Role.NEITHER, one[1]


def _length(span: Span) -> int:
    return span.end - span.start


def _masked(text: str, places: Sequence[Span], lexicon: RoleLexicon) -> str:
    parts, at = [], 0
    for number, each in enumerate(places):
        parts += [text[at : each.start], lexicon.mask(text[each.start : each.end], bool(number % 2))]
        at = each.end
    return "".join((*parts, text[at:]))


def _hits(masked: str, sentence: Span, patterns: Sequence[tuple[Role, Pattern]]) -> Iterator[tuple[int, Role, Span]]:
    """The start of a place, its role and the words that show it, for every match in a sentence."""
    for role, pattern in patterns:
        for found in pattern.finditer(masked, sentence.start, sentence.end, overlapped=True):
            yield found.start("zone"), role, Span(found.start(), found.end())


def _joined(text: str, read: list[Placed], lexicon: RoleLexicon) -> Iterator[Placed]:
    """The places; one without a role of its own has that of the place before it, if both are parts of one list."""
    before: Placed | None = None
    for each in read:
        alone = each.role is Role.NEITHER and each.words == Span(each.start, each.end)
        if before is not None and alone and any(p.fullmatch(text, before.end, each.start) for p in lexicon.joins):
            each = replace(each, role=before.role)
        yield each
        before = each


def read_people(text: str, language: Language) -> Iterator[Person]:
    """The neighbours that a text speaks of, in order."""
    lexicon = roles_of(language)
    people = () if lexicon is None else lexicon.people
    found = ((match, relation) for relation, pattern in people for match in pattern.finditer(text))
    hits = [Person(match.start(), match.end(), relation) for match, relation in found]
    hits.sort(key=lambda each: (each.start, -each.end))
    end = 0
    for each in hits:
        if each.start >= end:
            yield each
            end = each.end
