"""Which sentences of a raw text state which rules: anchors (concepts, numbers) in the order of the spec.

Every rule has a profile: the concepts it must speak of, those our own text of it speaks of, and its numbers. A sentence
is scored against every profile, a walk over the text that follows the order of the rules picks one for each, and the
margin over the next best rule says how sure that is.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import groupby

from rulespec.text import facts
from rulespec.text.book import Book
from rulespec.text.evidence import judge
from rulespec.text.facts import Fact, Words
from rulespec.text.raw.segments import Role, Segment, segments
from rulespec.text.reading import Reading
from rulespec.text.translation import Translation

REACH = 4
"""How many sentences a rule may be told in."""

ALIGNED = 0.15
"""What it counts, in coverage, that a sentence of a stretch is aligned to the rule."""

NAMED, NEEDED, SPOKEN, NUMBER, STRANGE = 2.5, 1.0, 0.35, 0.5, 0.12
"""What a concept weighs that is named after the rule, that the rule needs, that our own text uses; what a number of the
rule weighs; and what a concept costs that the rule has nothing to do with. The fewer rules have a concept, the more."""

STAY, STEP, JUMP, BACK, NOTHING = 0.0, 0.25, 0.35, 0.5, 1.2
"""The costs of going on with another rule, and what a sentence is worth that states none."""


@dataclass(frozen=True)
class Profile:
    """What a rule is recognised by; `weights` by concept."""

    rule: str
    needed: frozenset[str]
    weights: Mapping[str, float]
    facts: tuple[Fact, ...]


@dataclass(frozen=True)
class Place:
    """Where a text states a rule: `text[start:end]`, and how much of what the rule needs is there, from 0 to 1."""

    start: int
    end: int
    coverage: float


@dataclass(frozen=True)
class Alignment:
    """A raw text against the rules of a game."""

    reading: Reading
    segments: tuple[Segment, ...]
    profiles: Mapping[str, Profile]
    rules: Mapping[int, tuple[str, float]]
    """For every sentence, by its index among the segments, the rule it belongs to and how sure that is (0 to 1)."""
    book: Book = field(repr=False)

    @cached_property
    def places(self) -> Mapping[str, Place]:
        """For every rule the stretch of text that comes nearest to stating it."""
        return {rule: self._place(profile) for rule, profile in self.profiles.items()}

    def _place(self, profile: Profile) -> Place:
        own = [i for i, (rule, sure) in self.rules.items() if rule == profile.rule and sure > 0]
        aligned = [self.segments[i].start for i in own]

        def worth(place: Place) -> tuple[float, int]:
            here = any(place.start <= start < place.end for start in aligned)
            return place.coverage + (ALIGNED if here else 0.0), place.start - place.end

        return max(self._stretches(profile), key=worth)

    def _stretches(self, profile: Profile) -> Iterator[Place]:
        """Every stretch of a few sentences that speaks of the rule, unless it is wholly another one's."""
        yield Place(0, 0, 0.0)
        for run in self._runs:
            for i, first in enumerate(run):
                reach = len(run) if first.role == Role.COMPONENT else REACH
                for last in run[i : i + reach] if self._speaks(first, profile) else ():
                    if not self._another(profile, first.start, last.end):
                        yield Place(first.start, last.end, self.coverage(profile, first.start, last.end))

    @cached_property
    def _runs(self) -> list[list[Segment]]:
        """The sentences in which rules may be told; lists of components are for themselves."""
        told = [s for s in self.segments if s.role in (Role.RULE, Role.HEADING, Role.TABLE, Role.COMPONENT)]
        return [list(run) for _, run in groupby(told, key=lambda s: s.role == Role.COMPONENT)]

    def _speaks(self, segment: Segment, profile: Profile) -> bool:
        return not profile.weights.keys().isdisjoint(self.part(segment).places)

    def _another(self, profile: Profile, start: int, end: int) -> bool:
        """Whether a stretch states a rule that needs all this one needs, and more."""
        larger = self._larger[profile.rule]
        spoken = self.reading.part(start, end).places.keys() if larger else frozenset[str]()
        return any(other <= spoken for other in larger)

    @cached_property
    def _larger(self) -> Mapping[str, list[frozenset[str]]]:
        needs = {p.rule: p.needed for p in self.profiles.values()}
        return {rule: [other for other in needs.values() if need and need < other] for rule, need in needs.items()}

    def part(self, segment: Segment) -> Reading:
        return self._parts[segment.start]

    @cached_property
    def _parts(self) -> Mapping[int, Reading]:
        return {s.start: self.reading.part(s.start, s.end) for s in self.segments}

    def coverage(self, profile: Profile, start: int, end: int) -> float:
        """How much of what a rule needs a stretch of text says."""
        part = self.reading.part(start, end)
        weights = {concept: profile.weights[concept] for concept in profile.needed}
        told = sum(weight for concept, weight in weights.items() if concept in part.places)
        numbers = [fact for fact in profile.facts if not fact.optional and not isinstance(fact.content, Words)]
        right = sum(judge(fact, part, self.book.concepts).stated for fact in numbers)
        total = sum(weights.values()) + NUMBER * len(numbers)
        return (told + NUMBER * right) / total if total else 0.0


def align(text: str, lang: str, book: Book, own: Translation | None) -> Alignment:
    """A raw text aligned to the rules of a game; `own` is our text of the game in that language, where there is one."""
    reading = book.read(text, lang)
    pieces = tuple(_with_components(segments(text, reading.language), reading, book))
    profiles = {profile.rule: profile for profile in _profiles(book, own, lang)}
    sentences = [i for i, s in enumerate(pieces) if s.role in (Role.RULE, Role.EXAMPLE, Role.TABLE, Role.COMPONENT)]
    scores = [_scores(reading.part(pieces[i].start, pieces[i].end), list(profiles.values()), book) for i in sentences]
    path = _walk(scores)
    names = list(profiles)
    rules = {
        i: (names[state], _margin(row, state))
        for i, state, row in zip(sentences, path, scores, strict=True)
        if state < len(names)
    }
    return Alignment(reading, pieces, profiles, rules, book)


def _with_components(pieces: list[Segment], reading: Reading, book: Book) -> Iterator[Segment]:
    """Pieces that are no more than a number and a thing of the game belong to a list of components."""
    for piece in pieces:
        part = reading.part(piece.start, piece.end)
        things = [m for m in part.mentions if book.is_thing(m.concept)]
        covered = sum(m.end - m.start for m in things) + sum(q.end - q.start for q in part.quantities)
        bare = sum(c.isalnum() for c in reading.text[piece.start : piece.end])
        listed = piece.role in (Role.RULE, Role.HEADING) and part.quantities and things and covered >= 0.75 * bare
        yield replace(piece, role=Role.COMPONENT) if listed else piece


def _profiles(book: Book, own: Translation | None, lang: str) -> Iterator[Profile]:
    spec = book.spec
    spoken: dict[str, frozenset[str]] = {}
    for rule in spec.rules:
        passage = own.rules.get(rule) if own is not None else None
        spoken[rule] = frozenset(book.read(passage.text.text, lang).places) if passage is not None else frozenset()
    needed = {rule: _needed(book, rule) for rule in spec.rules}
    spread = Counter(concept for rule in spec.rules for concept in spoken[rule] | needed[rule])
    for rule in spec.rules:
        weights = {}
        for concept in spoken[rule] | needed[rule]:
            rare = math.log(1 + len(spec.rules) / spread[concept])
            named = book.glossary.concepts[concept].names == rule
            weights[concept] = rare * (NAMED if named else NEEDED if concept in needed[rule] else SPOKEN)
        yield Profile(rule, needed[rule], weights, facts.of_rule(spec, rule))


def _needed(book: Book, rule: str) -> frozenset[str]:
    stated = (fact for fact in facts.of_rule(book.spec, rule) if not fact.optional)
    return frozenset(c for fact in stated if isinstance(fact.content, Words) for c in fact.content.concepts)


def _scores(part: Reading, profiles: list[Profile], book: Book) -> list[float]:
    spoken = frozenset(part.places)
    return [_score(part, spoken, profile, book) for profile in profiles]


def _score(part: Reading, spoken: frozenset[str], profile: Profile, book: Book) -> float:
    told = sum(profile.weights[concept] for concept in spoken if concept in profile.weights)
    strange = sum(STRANGE for concept in spoken if concept not in profile.weights)
    if told and part.quantities:
        numbers = [fact for fact in profile.facts if not isinstance(fact.content, Words)]
        told += NUMBER * sum(judge(fact, part, book.concepts).stated for fact in numbers[:4])
    return told - strange


def _walk(scores: Sequence[Sequence[float]]) -> list[int]:
    """For every sentence a rule, or one past the last for none: the best way through that keeps to the order."""
    if not scores:
        return []
    states = len(scores[0]) + 1
    best = [*scores[0], NOTHING]
    back: list[list[int]] = []
    for row in scores[1:]:
        came = [_from(best, to) for to in range(states)]
        best = [
            best[came[to]] - _cost(came[to], to, states) + (row[to] if to < states - 1 else NOTHING)
            for to in range(states)
        ]
        back.append(came)
    path = [max(range(states), key=best.__getitem__)]
    for came in reversed(back):
        path.append(came[path[-1]])
    return path[::-1]


def _from(best: Sequence[float], to: int) -> int:
    return max(range(len(best)), key=lambda before: best[before] - _cost(before, to, len(best)))


def _cost(before: int, to: int, states: int) -> float:
    if before == to:
        return STAY
    if states - 1 in (before, to):
        return STEP
    distance = to - before
    return STEP + (JUMP * math.log(distance) if distance > 0 else BACK + JUMP * math.log(-distance))


def _margin(row: Sequence[float], state: int) -> float:
    others = max((score for i, score in enumerate(row) if i != state), default=0.0)
    return max(0.0, min(1.0, (row[state] - max(others, 0.0)) / row[state])) if row[state] > 0 else 0.0
