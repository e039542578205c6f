"""Alignment of the sentences of a raw text to rules, by anchors (concepts and numbers) in the order of the spec.

Every rule has a profile: the concepts its text must mention, those that our own text mentions, and its numbers. Each
sentence is scored against every profile. A Viterbi search that favours the order of the rules then picks one rule per
sentence. The margin over the next best rule is the confidence.
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

from rulespec.meaning import propositions
from rulespec.model.spec import Spec
from rulespec.text import facts
from rulespec.text.book import Book
from rulespec.text.content import ByKey, ByPlayers, Fact, Number, Said, Words
from rulespec.text.content import Sequence as Order
from rulespec.text.derived import own_names
from rulespec.text.evidence import judge
from rulespec.text.quantity import Quantity
from rulespec.text.raw.segments import Role, Segment, segments
from rulespec.text.reading import Reading
from rulespec.text.subjects import around, within
from rulespec.text.translation import Translation

REACH = 6
"""The maximum number of sentences of a candidate passage. Longer rules (up to 12 sentences in our texts) are found by
their densest part; longer candidates would swallow the neighbouring rules."""

ALIGNED = 0.3
"""The bonus, in units of coverage, for a passage that contains the sentence aligned to the rule with the best score.
Less than one missed concept costs in most rules, so it decides between passages that are about equal."""

STATED, DOUBTFUL = 0.75, 0.5
"""The coverage from which a rule counts as stated, and the coverage from which it does if a sentence is aligned to it.
Chosen by trial on `tests/corpus`: three quarters of the anchors, or half of them and a sentence of its own."""

LOOSE = 1.5
"""The factor on the coverage of a rule without facts, which is recognised by the concepts of our own text alone.
Two thirds of them are enough, because another text uses other words."""

SURE = 0.5
"""The margin from which the rule of a sentence is certain: its score is twice that of the next rule."""

PATCHES = 3
"""A rule without a sentence of its own, whose anchors are spread over this many other rules, counts as not stated.
Two rules are often stated in one sentence, three are not."""

LONGEST = 60
"""The maximum number of segments of one passage, headings and components included. No rule of the shipped games comes
close. Without a limit a list of n components has n² passages."""

TRIED = 8
"""How many passages are judged with their numbers for each rule. Judging numbers is the slow part, and the
passages are ranked by their concepts before."""

NAMED, NEEDED, SPOKEN, NUMBER, STRANGE = 2.5, 1.0, 0.35, 0.5, 0.12
"""Weights, chosen by trial on `tests/corpus`: of the concept that names the rule, of a concept the rule needs, of a
concept that our own text mentions, of a number of the rule; and the cost of a concept unrelated to the rule. Weights of
concepts are multiplied by their inverse document frequency over the rules."""

WHOLE = 1.5
"""The bonus for a sentence that mentions every concept a rule needs: more than one needed concept."""

STAY, STEP, JUMP, BACK, NOTHING = 0.0, 0.25, 0.35, 0.5, 1.2
"""Transition costs of the search (same rule, another rule, per logarithm of the distance, backward) and the score of
stating no rule. Chosen by trial on `tests/corpus`; forward jumps are cheap because texts leave rules out."""


_APART = (Role.COMPONENT, Role.EXAMPLE, Role.CREDITS, Role.FLAVOUR)


@dataclass(frozen=True)
class Profile:
    """The anchors by which a rule is recognised; `weights` maps each concept to its weight."""

    rule: str
    needed: frozenset[str]
    weights: Mapping[str, float]
    facts: tuple[Fact, ...]

    @cached_property
    def numbers(self) -> tuple[Fact, ...]:
        """The required facts that are not mere terms."""
        return tuple(fact for fact in self.facts if not fact.optional and not isinstance(fact.content, Words))

    @cached_property
    def total(self) -> float:
        """The sum of the weights of the needed concepts."""
        return sum(self.weights[concept] for concept in self.needed)

    @property
    def lists(self) -> bool:
        """Whether the rule is a component list: it counts three or more different things."""
        counted = {fact.content.of for fact in self.facts if isinstance(fact.content, Number) and not fact.optional}
        return len(counted - {""}) >= 3

    @property
    def reach(self) -> int:
        """The maximum number of sentences that state it; it grows with the number of needed concepts."""
        return {1: 2, 2: 2, 3: 4}.get(len(self.needed), REACH)


@dataclass(frozen=True)
class Candidate:
    """A candidate passage for a rule: a few consecutive sentences, optionally with the heading before them.

    It is `text[start:end]`. `spoken` holds the concepts it mentions, `sentences` the number of its sentences;
    `components` says whether it is a component list.
    """

    start: int
    end: int
    spoken: frozenset[str]
    sentences: int
    components: bool

    def words(self, profile: Profile) -> float:
        """The weighted share (0 to 1) of the needed concepts that it mentions; of all concepts if none is needed."""
        wanted = profile.needed or frozenset(profile.weights)
        found = sum(profile.weights[concept] for concept in self.spoken & wanted)
        return found / sum(profile.weights[concept] for concept in wanted) if found else 0.0

    def fits(self, profile: Profile) -> bool:
        """Whether it is short enough for the rule, or both are component lists."""
        return profile.lists if self.components else self.sentences <= profile.reach


@dataclass(frozen=True)
class AlignedPassage:
    """The passage aligned to a rule: `text[start:end]`, and its coverage of what the rule needs, from 0 to 1."""

    start: int
    end: int
    coverage: float


@dataclass(frozen=True)
class Alignment:
    """The alignment of a raw text to the rules of a game."""

    reading: Reading
    segments: tuple[Segment, ...]
    profiles: Mapping[str, Profile]
    rules: Mapping[int, tuple[str, float]]
    """For every sentence, by its index among the segments: the rule aligned to it and the confidence (0 to 1)."""
    strengths: Mapping[int, float]
    """For every sentence, by its index: the score of its rule."""
    book: Book = field(repr=False)

    @cached_property
    def passages(self) -> Mapping[str, AlignedPassage]:
        """For every rule the passage with the best coverage."""
        return {rule: self._best(profile) for rule, profile in self.profiles.items()}

    def _best(self, profile: Profile) -> AlignedPassage:
        anchor = self.anchors.get(profile.rule, -1)
        # Judging numbers is slow, so only the passages with the best concepts are judged with them.
        likely = self._likely(profile, anchor)
        ranked = nsmallest(TRIED, likely, key=lambda one: (-one[0], one[1].end - one[1].start))
        passages = [AlignedPassage(one.start, one.end, self._covered(profile, one)) for _, one in ranked]

        def worth(passage: AlignedPassage) -> tuple[float, int]:
            here = passage.start <= anchor < passage.end
            borrowed = self._borrowed(profile.rule, passage)
            return passage.coverage + ALIGNED * (here - borrowed), passage.start - passage.end

        return max(passages, key=worth, default=AlignedPassage(0, 0, 0.0))

    def _likely(self, profile: Profile, anchor: int) -> Iterator[tuple[float, Candidate]]:
        """The candidates that mention concepts of a rule and do not cover a larger rule, each with its score."""
        larger = self._larger[profile.rule]
        # The score depends mostly on the set of concepts, and a text has few different sets: cache by set.
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
        """For every rule with an aligned sentence: the start of the sentence with the best score."""
        best: dict[str, tuple[float, int]] = {}
        for i, (rule, sure) in self.rules.items():
            if sure > 0 and self.segments[i].role != Role.EXAMPLE:
                best[rule] = max(best.get(rule, (0.0, -1)), (self.strengths[i], self.segments[i].start))
        return {rule: start for rule, (_, start) in best.items()}

    def stated(self, rule: str) -> float:
        """The coverage of a rule that the text states, 0 if it does not state the rule."""
        return self._stated[rule]

    @cached_property
    def _stated(self) -> Mapping[str, float]:
        return {rule: self._if_stated(rule, passage) for rule, passage in self.passages.items()}

    def _if_stated(self, rule: str, passage: AlignedPassage) -> float:
        anchored = passage.start <= self.anchors.get(rule, -1) < passage.end
        doubtful = passage.coverage >= DOUBTFUL and (anchored or self._in_order(rule))
        likely = passage.coverage >= STATED or doubtful
        return passage.coverage if likely and not self._borrowed(rule, passage) else 0.0

    def _borrowed(self, rule: str, passage: AlignedPassage) -> bool:
        """Whether the anchors of a passage belong to other rules.

        No sentence in it is aligned to the rule, and its sentences are aligned to several rules, or with certainty to
        an unrelated rule that has the same concepts.
        """
        profile, part = self.profiles[rule], self.reading.part(passage.start, passage.end)
        inside = {self.rules[i] for i in self.indices(passage.start, passage.end) if i in self.rules}
        others = {other for other, _ in inside}
        if not others or rule in others or profile.lists:
            return False
        theirs = {concept for other in others for concept in self.profiles[other].weights}
        apart = all(sure >= SURE and rule not in around(self.book.spec, other) for other, sure in inside)
        return len(others) >= PATCHES or (apart and profile.needed & part.places.keys() <= theirs)

    def indices(self, start: int, end: int) -> range:
        """The indices of the segments that start in `text[start:end]`."""
        return range(bisect_left(self._starts, start), bisect_left(self._starts, end))

    @cached_property
    def _starts(self) -> list[int]:
        return [segment.start for segment in self.segments]

    def index_at(self, offset: int) -> int:
        """The index of the segment that contains an offset, 0 if none does."""
        index = bisect_left(self._starts, offset + 1) - 1
        return index if index >= 0 and offset < self.segments[index].end else 0

    @cached_property
    def row_values(self) -> frozenset[Quantity]:
        """The quantities that are cells of a table by number of players."""
        return frozenset(quantity for row in self.reading.rows for quantity in row.values)

    def _in_order(self, rule: str) -> bool:
        """Whether the passage of a rule lies between those of the previous and the next rule, both stated."""
        rules = list(self.profiles)
        at = rules.index(rule)
        three = [self.passages[near] for near in rules[max(0, at - 1) : at + 2]]
        sure = all(passage.coverage >= DOUBTFUL for passage in three if passage is not self.passages[rule])
        return sure and [p.start for p in three] == sorted(p.start for p in three)

    @cached_property
    def _candidates(self) -> list[Candidate]:
        """Every candidate passage."""
        return [candidate for run in self._runs for candidate in _candidates(run, self._parts)]

    @cached_property
    def _runs(self) -> list[list[Segment]]:
        """Runs of segments that can state rules; a component list is a run of its own."""
        read = (s for s in self.segments if s.role != Role.NOISE)
        runs = groupby(read, key=lambda s: s.role if s.role in _APART else Role.RULE)
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
        """The share of what a rule needs that a passage states, numbers included, from 0 to 1."""
        return self._covered(profile, Candidate(start, end, frozenset(self.reading.part(start, end).places), 1, False))

    def _covered(self, profile: Profile, candidate: Candidate) -> float:
        part = self.reading.part(candidate.start, candidate.end)
        mentioned = sum(profile.weights[concept] for concept in profile.needed & candidate.spoken)
        right = sum(judge(fact, part, self.book.concepts).stated for fact in profile.numbers)
        total = profile.total + NUMBER * len(profile.numbers)
        if not total:  # a rule without required facts is recognised by the concepts of our own text alone
            spoken = sum(weight for concept, weight in profile.weights.items() if concept in candidate.spoken)
            return min(1.0, LOOSE * spoken / sum(profile.weights.values())) if profile.weights else 0.0
        return (mentioned + NUMBER * right) / total


def _candidates(run: list[Segment], parts: Mapping[int, Reading]) -> Iterator[Candidate]:
    """The candidates of a run. The concepts of a heading count for every candidate below it."""
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
    """The alignment of a raw text to the rules of a game. `own` is our text of the game in that language, if any."""
    reading = book.read(text, lang)
    parts = tuple(_with_components(segments(text, reading.language), reading, book))
    profiles = _known_profiles(book, own, lang)
    sentences = [i for i, s in enumerate(parts) if s.role in (Role.RULE, Role.EXAMPLE, Role.TABLE, Role.COMPONENT)]
    scores = [_scores(reading.part(parts[i].start, parts[i].end), list(profiles.values()), book) for i in sentences]
    path = _walk(scores)
    names = list(profiles)
    rules = {
        i: (names[state], _margin(row, state))
        for i, state, row in zip(sentences, path, scores, strict=True)
        if state < len(names)
    }
    strengths = {i: max(row, default=0.0) for i, row in zip(sentences, scores, strict=True)}
    return Alignment(reading, parts, profiles, rules, strengths, book)


def _with_components(found: list[Segment], reading: Reading, book: Book) -> Iterator[Segment]:
    """The segments, with the role of components for three or more consecutive counts of things in the box."""
    for listed, run in groupby(found, key=lambda segment: _is_count(segment, reading, book)):
        several = list(run)
        whole = listed and len(several) >= 3
        yield from (replace(segment, role=Role.COMPONENT) if whole else segment for segment in several)


def _is_count(segment: Segment, reading: Reading, book: Book) -> bool:
    """Whether a segment starts with a number of components, or is a component followed by its number."""
    part = reading.part(segment.start, segment.end)
    things = [m for m in part.mentions if book.is_component(m.concept)]
    if segment.role not in (Role.RULE, Role.HEADING) or not part.quantities or not things:
        return False
    number, thing = part.quantities[0], things[0]
    leading = number.start - segment.start <= 1 and 0 <= thing.start - number.end <= 3
    trailing = thing.start == segment.start and 0 <= part.quantities[-1].start - thing.end <= 3
    return leading or (trailing and segment.end - part.quantities[-1].end <= 3)


def _known_profiles(book: Book, own: Translation | None, lang: str) -> dict[str, Profile]:
    key = (lang, own.source.text if own is not None else "")
    if key not in book.profiles:
        book.profiles[key] = {profile.rule: profile for profile in _profiles(book, own, lang)}
    known: dict[str, Profile] = book.profiles[key]
    return known


def alignable(spec: Spec) -> list[str]:
    """The rules that a rulebook must state.

    A rule whose facts are all optional, such as an overview, repeats others: a rulebook may do without, and a sentence
    that looks like it belongs to one of the others.
    """
    stated = {rule: facts.of_rule(spec, rule) for rule in spec.rules}
    acting = {rule for rule in spec.rules for one in (rule, *within(spec, rule)) if propositions(spec).get(one)}
    return [rule for rule, every in stated.items() if rule in acting or not all(fact.optional for fact in every)]


def _profiles(book: Book, own: Translation | None, lang: str) -> Iterator[Profile]:
    spec, rules = book.spec, alignable(book.spec)
    spoken: dict[str, frozenset[str]] = {}
    for rule in rules:
        passage = own.rules.get(rule) if own is not None else None
        spoken[rule] = frozenset(book.read(passage.text.text, lang).places) if passage is not None else frozenset()
    needed = {rule: _needed(book, rule, spoken[rule]) for rule in rules}
    spread = Counter(concept for rule in rules for concept in spoken[rule] | needed[rule])
    for rule in rules:
        weights = {}
        for concept in spoken[rule] | needed[rule]:
            rare = math.log(1 + len(rules) / spread[concept])
            named = book.glossary.concepts[concept].names == rule
            weights[concept] = rare * (NAMED if named else NEEDED if concept in needed[rule] else SPOKEN)
        yield Profile(rule, needed[rule], weights, facts.of_rule(spec, rule))


def _needed(book: Book, rule: str, spoken: frozenset[str]) -> frozenset[str]:
    """The concepts that identify a rule: its first required terms, or what its steps name.

    Of these only those count that our own text has (`spoken`). If it has none, what the rule introduces counts.
    """
    stated = [fact.content for fact in facts.of_rule(book.spec, rule) if not fact.optional]
    words = frozenset(next((content.concepts for content in stated if isinstance(content, Words)), ()))
    if words and not propositions(book.spec).get(rule):
        return words
    named = {name for content in stated if isinstance(content, Order | Said) for name in content.names}
    counted = {content.of for content in stated if isinstance(content, Number | ByPlayers | ByKey)}
    about = {book.concepts[name] for name in {*named, *counted, *_acted_on(book.spec, rule)} if name in book.concepts}
    introduced = {one.id for one in book.glossary.concepts.values() if rule in (one.defined_by, one.names)}
    return frozenset(words | (about & spoken or introduced & spoken or about or introduced))


def _acted_on(spec: Spec, rule: str) -> set[str]:
    """The zones, roles, values and kinds of cards in the steps of a rule, without flags and fields of cards."""
    named = {name for one in propositions(spec).get(rule, ()) for name in own_names(one)}
    flags = {value.name for value in spec.values.values() if value.type.kind == "bool"}
    return named - flags - {*spec.enums, *spec.deck.fields}


def _scores(part: Reading, profiles: list[Profile], book: Book) -> list[float]:
    spoken = frozenset(part.places)
    return [_score(part, spoken, profile, book) for profile in profiles]


def _score(part: Reading, spoken: frozenset[str], profile: Profile, book: Book) -> float:
    score = sum(profile.weights[concept] for concept in spoken if concept in profile.weights)
    score += WHOLE if profile.needed and profile.needed <= spoken else 0.0
    strange = sum(STRANGE for concept in spoken if concept not in profile.weights)
    if score and part.quantities:
        numbers = [fact for fact in profile.facts if not fact.derived and not isinstance(fact.content, Words)]
        score += NUMBER * sum(judge(fact, part, book.concepts).stated for fact in numbers[:4])
    return score - strange


def _walk(scores: Sequence[Sequence[float]]) -> list[int]:
    """The index of a rule for every sentence, or one past the last for none: the path with the best total (Viterbi)."""
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
