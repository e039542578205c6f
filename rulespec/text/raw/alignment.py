"""Which sentences of a raw text state which rules: anchors (concepts, numbers) in the order of the spec.

Every rule has a profile: the concepts it must speak of, those our own text of it speaks of, and its numbers. A sentence
is scored against every profile, a walk over the text that follows the order of the rules picks one for each, and the
margin over the next best rule says how sure that is.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from heapq import nsmallest
from itertools import groupby
from operator import add, sub

from rulespec.text import facts
from rulespec.text.book import Book
from rulespec.text.evidence import judge
from rulespec.text.facts import ByKey, ByPlayers, Fact, Number, Words
from rulespec.text.facts import Sequence as Order
from rulespec.text.quantity import Quantity
from rulespec.text.raw.segments import Role, Segment, segments
from rulespec.text.reading import Reading
from rulespec.text.subjects import around
from rulespec.text.translation import Translation

REACH = 6
"""How many sentences a rule may be told in."""

ALIGNED = 0.3
"""What it counts, in coverage, that the sentence which is most surely the rule's is among them."""

STATED, DOUBTFUL = 0.75, 0.5
"""The coverage from which a rule counts as stated, and from which a sentence of its own may make it so."""

LOOSE = 1.5
"""Of the words of our own text another text need not use all."""

SURE = 0.5
"""The margin from which a sentence is surely of its rule."""

PATCHES = 3
"""A rule that is found in sentences of so many other rules, and in none of its own, is not told."""

LONGEST = 60
"""How many pieces, headings and components included, one passage has at the most: no rule of the games at hand comes
near it, and without a limit a list of n components has n² passages."""

TRIED = 8
"""How many stretches of text are looked at closely for each rule."""

NAMED, NEEDED, SPOKEN, NUMBER, STRANGE = 2.5, 1.0, 0.35, 0.5, 0.12
"""What a concept weighs that is named after the rule, that the rule needs, that our own text uses; what a number of the
rule weighs; and what a concept costs that the rule has nothing to do with. The fewer rules have a concept, the more."""

WHOLE = 1.5
"""What it weighs that one sentence speaks of all that a rule needs."""

STAY, STEP, JUMP, BACK, NOTHING = 0.0, 0.25, 0.35, 0.5, 1.2
"""The costs of going on with another rule, and what a sentence is worth that states none."""


_APART = (Role.COMPONENT, Role.EXAMPLE, Role.CREDITS, Role.FLAVOUR)


@dataclass(frozen=True)
class Profile:
    """What a rule is recognised by; `weights` by concept."""

    rule: str
    needed: frozenset[str]
    weights: Mapping[str, float]
    facts: tuple[Fact, ...]

    @cached_property
    def numbers(self) -> tuple[Fact, ...]:
        """The facts that must be stated and are more than words."""
        return tuple(fact for fact in self.facts if not fact.optional and not isinstance(fact.content, Words))

    @cached_property
    def total(self) -> float:
        """What the needed concepts weigh together."""
        return sum(self.weights[concept] for concept in self.needed)

    @property
    def lists(self) -> bool:
        """Whether the rule lists what is in the box: it counts three things or more."""
        counted = {fact.content.of for fact in self.facts if isinstance(fact.content, Number) and not fact.optional}
        return len(counted - {""}) >= 3

    @property
    def reach(self) -> int:
        """Over how many sentences it may be told: the more it needs, the more."""
        return {1: 2, 2: 2, 3: 4}.get(len(self.needed), REACH)


@dataclass(frozen=True)
class Candidate:
    """A few sentences in a row, perhaps with the heading before them: `text[start:end]`, what it speaks of, how many
    sentences it has, and whether it is a list of components."""

    start: int
    end: int
    spoken: frozenset[str]
    sentences: int
    components: bool

    def words(self, profile: Profile) -> float:
        """How much of what a rule needs (of what it is about, where it needs no words) it speaks of, from 0 to 1."""
        wanted = profile.needed or frozenset(profile.weights)
        told = sum(profile.weights[concept] for concept in self.spoken & wanted)
        return told / sum(profile.weights[concept] for concept in wanted) if told else 0.0

    def fits(self, profile: Profile) -> bool:
        """Whether it is short enough to tell a rule, or is a list and the rule lists components."""
        return profile.lists if self.components else self.sentences <= profile.reach


@dataclass(frozen=True)
class AlignedPassage:
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
    strengths: Mapping[int, float]
    """For every sentence how much speaks for its rule."""
    book: Book = field(repr=False)

    @cached_property
    def passages(self) -> Mapping[str, AlignedPassage]:
        """For every rule the stretch of text that comes nearest to stating it."""
        return {rule: self._place(profile) for rule, profile in self.profiles.items()}

    def _place(self, profile: Profile) -> AlignedPassage:
        anchor = self.anchors.get(profile.rule, -1)
        # Numbers cost time to judge, so only the stretches that speak most of the rule are asked for them.
        told = self._told_in(profile, anchor)
        ranked = nsmallest(TRIED, told, key=lambda one: (-one[0], one[1].end - one[1].start))
        places = [AlignedPassage(one.start, one.end, self._covered(profile, one)) for _, one in ranked]

        def worth(place: AlignedPassage) -> tuple[float, int]:
            here = place.start <= anchor < place.end
            patched = self._patched(profile.rule, place)
            return place.coverage + ALIGNED * (here - patched), place.start - place.end

        return max(places, key=worth, default=AlignedPassage(0, 0, 0.0))

    def _told_in(self, profile: Profile, anchor: int) -> Iterator[tuple[float, Candidate]]:
        """The stretches that speak of a rule and are not wholly another one's, with what speaks for each."""
        larger = self._larger[profile.rule]
        # What a candidate speaks of decides nearly everything, and few sets of concepts come in a text.
        shares: dict[frozenset[str], float | None] = {}
        for one in self._candidates:
            if one.spoken not in shares:
                whole = any(other <= one.spoken for other in larger) or one.spoken.isdisjoint(profile.weights)
                shares[one.spoken] = None if whole else one.words(profile)
            share = shares[one.spoken]
            if share is not None and one.fits(profile):
                yield share + (ALIGNED if one.start <= anchor < one.end else 0.0), one

    @cached_property
    def anchors(self) -> Mapping[str, int]:
        """Where the sentence begins for which most speaks that it is the rule's, for every rule that has any."""
        best: dict[str, tuple[float, int]] = {}
        for i, (rule, sure) in self.rules.items():
            if sure > 0 and self.segments[i].role != Role.EXAMPLE:
                best[rule] = max(best.get(rule, (0.0, -1)), (self.strengths[i], self.segments[i].start))
        return {rule: start for rule, (_, start) in best.items()}

    def told(self, rule: str) -> float:
        """How surely the text states a rule: the coverage of its place, nothing where hardly half of it is there and
        no sentence is the rule's own."""
        return self._told[rule]

    @cached_property
    def _told(self) -> Mapping[str, float]:
        return {rule: self._stated(rule, place) for rule, place in self.passages.items()}

    def _stated(self, rule: str, place: AlignedPassage) -> float:
        anchored = place.start <= self.anchors.get(rule, -1) < place.end
        likely = place.coverage >= STATED or (place.coverage >= DOUBTFUL and (anchored or self._in_order(rule)))
        return place.coverage if likely and not self._patched(rule, place) else 0.0

    def _patched(self, rule: str, place: AlignedPassage) -> bool:
        """Whether what a rule needs is only found with other rules: in sentences none of which is its own, of several
        rules, or surely of one that has all these words too and is no part of it."""
        profile, part = self.profiles[rule], self.reading.part(place.start, place.end)
        inside = {self.rules[i] for i in self.indices(place.start, place.end) if i in self.rules}
        others = {other for other, _ in inside}
        if not others or rule in others or profile.lists:
            return False
        theirs = {concept for other in others for concept in self.profiles[other].weights}
        apart = all(sure >= SURE and rule not in around(self.book.spec, other) for other, sure in inside)
        return len(others) >= PATCHES or (apart and profile.needed & part.places.keys() <= theirs)

    def indices(self, start: int, end: int) -> range:
        """The indices of the segments that begin in `text[start:end]`."""
        return range(bisect_left(self._starts, start), bisect_left(self._starts, end))

    @cached_property
    def _starts(self) -> list[int]:
        return [segment.start for segment in self.segments]

    def index_at(self, offset: int) -> int:
        """The index of the segment that an offset lies in, 0 where it lies in none."""
        index = bisect_left(self._starts, offset + 1) - 1
        return index if index >= 0 and offset < self.segments[index].end else 0

    @cached_property
    def row_values(self) -> frozenset[Quantity]:
        """The quantities that are values of a table by number of players."""
        return frozenset(quantity for row in self.reading.rows for quantity in row.values)

    def _in_order(self, rule: str) -> bool:
        """Whether the place of a rule lies between those of the rules before and after it, both stated."""
        rules = list(self.profiles)
        at = rules.index(rule)
        around = [self.passages[near] for near in rules[max(0, at - 1) : at + 2]]
        sure = all(place.coverage >= DOUBTFUL for place in around if place is not self.passages[rule])
        return sure and [p.start for p in around] == sorted(p.start for p in around)

    @cached_property
    def _candidates(self) -> list[Candidate]:
        """Every stretch of a few sentences in which a rule may be told."""
        return [candidate for run in self._runs for candidate in _candidates(run, self._parts)]

    @cached_property
    def _runs(self) -> list[list[Segment]]:
        """The sentences in which rules may be told one after the other; lists of components are for themselves."""
        pieces = (s for s in self.segments if s.role != Role.NOISE)
        runs = groupby(pieces, key=lambda s: s.role if s.role in _APART else Role.RULE)
        return [list(run) for role, run in runs if role in (Role.RULE, Role.COMPONENT)]

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
        """How much of what a rule needs a stretch of text says, its numbers included."""
        return self._covered(profile, Candidate(start, end, frozenset(self.reading.part(start, end).places), 1, False))

    def _covered(self, profile: Profile, candidate: Candidate) -> float:
        part = self.reading.part(candidate.start, candidate.end)
        told = sum(profile.weights[concept] for concept in profile.needed & candidate.spoken)
        right = sum(judge(fact, part, self.book.concepts).stated for fact in profile.numbers)
        total = profile.total + NUMBER * len(profile.numbers)
        if not total:  # a rule whose facts need nothing is known by the words of our own text alone
            spoken = sum(weight for concept, weight in profile.weights.items() if concept in candidate.spoken)
            return min(1.0, LOOSE * spoken / sum(profile.weights.values())) if profile.weights else 0.0
        return (told + NUMBER * right) / total


def _candidates(run: list[Segment], parts: Mapping[int, Reading]) -> Iterator[Candidate]:
    """A heading is said with everything that stands under it."""
    components = run[0].role == Role.COMPONENT
    heading = frozenset[str]()
    for i, first in enumerate(run):
        heading = frozenset(parts[first.start].places) if first.role == Role.HEADING else heading
        spoken, sentences = heading, 0
        for last in run[i : i + LONGEST]:
            spoken |= frozenset(parts[last.start].places)
            sentences += last.role != Role.HEADING
            if sentences > REACH and not components:
                break
            yield Candidate(first.start, last.end, spoken, sentences, components)


def align(text: str, lang: str, book: Book, own: Translation | None) -> Alignment:
    """A raw text aligned to the rules of a game; `own` is our text of the game in that language, where there is one."""
    reading = book.read(text, lang)
    pieces = tuple(_with_components(segments(text, reading.language), reading, book))
    profiles = _known_profiles(book, own, lang)
    sentences = [i for i, s in enumerate(pieces) if s.role in (Role.RULE, Role.EXAMPLE, Role.TABLE, Role.COMPONENT)]
    scores = [_scores(reading.part(pieces[i].start, pieces[i].end), list(profiles.values()), book) for i in sentences]
    path = _walk(scores)
    names = list(profiles)
    rules = {
        i: (names[state], _margin(row, state))
        for i, state, row in zip(sentences, path, scores, strict=True)
        if state < len(names)
    }
    strengths = {i: max(row) for i, row in zip(sentences, scores, strict=True)}
    return Alignment(reading, pieces, profiles, rules, strengths, book)


def _with_components(pieces: list[Segment], reading: Reading, book: Book) -> Iterator[Segment]:
    """Pieces that are no more than a number and a thing out of the box, three or more in a row, list components."""
    for listed, run in groupby(pieces, key=lambda piece: _lists(piece, reading, book)):
        several = list(run)
        whole = listed and len(several) >= 3
        yield from (replace(piece, role=Role.COMPONENT) if whole else piece for piece in several)


def _lists(piece: Segment, reading: Reading, book: Book) -> bool:
    """Whether a piece begins with a number of things out of the box, or is such a thing and its number."""
    part = reading.part(piece.start, piece.end)
    things = [m for m in part.mentions if book.is_component(m.concept)]
    if piece.role not in (Role.RULE, Role.HEADING) or not part.quantities or not things:
        return False
    number, thing = part.quantities[0], things[0]
    leading = number.start - piece.start <= 1 and 0 <= thing.start - number.end <= 3
    trailing = thing.start == piece.start and 0 <= part.quantities[-1].start - thing.end <= 3
    return leading or (trailing and piece.end - part.quantities[-1].end <= 3)


def _known_profiles(book: Book, own: Translation | None, lang: str) -> dict[str, Profile]:
    key = (lang, own.source.text if own is not None else "")
    if key not in book.profiles:
        book.profiles[key] = {profile.rule: profile for profile in _profiles(book, own, lang)}
    known: dict[str, Profile] = book.profiles[key]
    return known


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
    """The concepts of the rule's first words, or of its other facts where it has none."""
    stated = [fact.content for fact in facts.of_rule(book.spec, rule) if not fact.optional]
    words = [content for content in stated if isinstance(content, Words)]
    if words:
        return frozenset(words[0].concepts)
    named = {name for content in stated if isinstance(content, Order) for name in content.names}
    counted = {content.of for content in stated if isinstance(content, Number | ByPlayers | ByKey)}
    return frozenset(book.concepts[name] for name in named | counted if name in book.concepts)


def _scores(part: Reading, profiles: list[Profile], book: Book) -> list[float]:
    spoken = frozenset(part.places)
    return [_score(part, spoken, profile, book) for profile in profiles]


def _score(part: Reading, spoken: frozenset[str], profile: Profile, book: Book) -> float:
    told = sum(profile.weights[concept] for concept in spoken if concept in profile.weights)
    told += WHOLE if profile.needed and profile.needed <= spoken else 0.0
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
    costs = [[_cost(before, to, states) for before in range(states)] for to in range(states)]
    best = [*scores[0], NOTHING]
    back: list[list[int]] = []
    for row in scores[1:]:
        arrived = [list(map(sub, best, cost)) for cost in costs]
        most = list(map(max, arrived))
        back.append([there.index(value) for there, value in zip(arrived, most, strict=True)])
        best = list(map(add, most, (*row, NOTHING)))
    path = [max(range(states), key=best.__getitem__)]
    for came in reversed(back):
        path.append(came[path[-1]])
    return path[::-1]


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
