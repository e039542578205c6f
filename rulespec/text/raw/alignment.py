"""Alignment of the sentences of a raw text to rules: for each sentence how likely it states each rule.

A hidden Markov model: the states are the rules, in the order of our text, and none; a sentence is the likelier under a
rule, the more they have in common; the next sentence likely states the same rule or one soon after it. The forward and
backward passes give the probability of each state for each sentence (posterior decoding).
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property
from heapq import nlargest

import regex

from rulespec.base.characters import one_line
from rulespec.base.source import Source
from rulespec.language.model.constants import settings
from rulespec.language.model.spec import Spec
from rulespec.proofs.meaning.rules import propositions
from rulespec.text.output.render.book import rules_in_order
from rulespec.text.raw.segments import Role, Segment, segments, with_components
from rulespec.text.raw.statements import Features, Statements, features, statements
from rulespec.text.reading.mentions import Reading
from rulespec.text.reading.translation import Translation
from rulespec.text.rules import facts
from rulespec.text.rules.book import Book
from rulespec.text.rules.subjects import within

ALIGNED = (Role.RULE, Role.EXAMPLE, Role.TABLE, Role.COMPONENT)
"""The roles of segments that can state rules."""

HEADED = 0.25
"""The share of a score that a sentence has together with its heading: it settles what a short list item is about."""

WEIGHT, NONE = 7.0, 0.25
"""How much a score (0 to 2) adds to the logarithm of the likelihood of a rule, and the score of none. Fitted once: by
them the probabilities of 476 sentences whose rules are known (`unseen_development`, `tests/review_places.yaml`), in
eight groups, are right as often as they say."""

STEP, JUMP, BACK = 0.6, 0.4, 0.6
"""What another rule than that of the sentence before subtracts from the logarithm: always, for every factor of e in the
distance, and backward. Mild, so that lists in any order are read item by item."""

STATES = 8
"""How many rules with the best scores are states of a sentence; the others have no probability worth counting."""

LEAST = 0.05
"""The least probability at which a sentence may state a rule."""


@dataclass(frozen=True)
class Alignment:
    """The alignment of a raw text to the rules of a game."""

    reading: Reading
    segments: tuple[Segment, ...]
    statements: Statements
    scores: Mapping[int, Mapping[str, float]]
    """For every sentence, by its index among the segments: its score (0 to 2) for each rule that it resembles."""
    chances: Mapping[int, Mapping[str, float]]
    """For every sentence, by its index: the probability that it states each rule, the likeliest first."""
    book: Book = field(repr=False)
    game: Spec = field(repr=False)
    """The game for all its numbers of players, also if the book is for one."""

    @cached_property
    def rules(self) -> Mapping[int, tuple[str, float]]:
        """The likeliest rule of every sentence that likely states one, with its probability."""
        firsts = ((i, next(iter(row.items()), ("", 0.0)), sum(row.values())) for i, row in self.chances.items())
        return {i: (rule, chance) for i, (rule, chance), all_ in firsts if chance > 1 - all_}

    def rules_at(self, index: int) -> tuple[str, ...]:
        """The rules that a sentence may state, the likeliest first."""
        return tuple(rule for rule, chance in self.chances.get(index, {}).items() if chance >= LEAST)

    def indices(self, start: int, end: int) -> range:
        """The indices of the segments that start in `text[start:end]`."""
        return range(bisect_right(self._starts, start - 1), bisect_right(self._starts, end - 1))

    def index_at(self, offset: int) -> int:
        """The index of the segment that contains an offset, 0 if none does."""
        index = bisect_right(self._starts, offset) - 1
        return index if index >= 0 and offset < self.segments[index].end else 0

    @cached_property
    def _starts(self) -> list[int]:
        return [segment.start for segment in self.segments]

    def sentence(self, index: int) -> Reading:
        """The reading of the segment with an index."""
        return self.reading.part(self.segments[index].start, self.segments[index].end)

    @cached_property
    def asserted(self) -> tuple[int, ...]:
        """The sentences that assert something: no example and no question."""
        text = self.reading.text
        ends = {i: text[self.segments[i].start : self.segments[i].end].rstrip()[-1:] for i in self.scores}
        return tuple(i for i, end in ends.items() if self.segments[i].role != Role.EXAMPLE and end not in "?？")


def align(text: str, lang: str, book: Book, own: Translation | None, game: Spec | None = None) -> Alignment:
    """The alignment of a raw text to the rules of a game. `own` is our text of the game in that language, if any;
    `game` is the game for all numbers of players, if the book is for one."""
    # Offsets of this text are those of the file: `as_markdown` moves nothing.
    reading = book.read(as_markdown(text), lang)
    parts = tuple(with_components(segments(text, reading.language), reading, book))
    # Rules in the order of our own text; without one in that of the spec.
    places = {rule: at for at, rule in enumerate(own.rules)} if own is not None else {}
    known = statements(book, lang, own, sorted(ordinary(book.spec), key=lambda rule: places.get(rule, -1)))
    scores = dict(_scores(reading, parts, known))
    chances = dict(zip(scores, posterior(list(scores.values()), known.rules), strict=True))
    return Alignment(reading, parts, known, scores, chances, book, game or book.spec)


def ordinary(spec: Spec) -> list[str]:
    """The rules that a rulebook must state, of those that are in the game under the chosen rulings.

    A rule whose facts are all optional, such as an overview, repeats others: a rulebook may do without, and a sentence
    that looks like it belongs to one of the others.
    """
    stated = {rule: facts.of_rule(spec, rule) for rule in spec.rules}
    acting = {rule for rule in spec.rules for one in (rule, *within(spec, rule)) if propositions(spec).get(one)}
    in_game = {id_ for setting in settings(spec) for id_, _ in rules_in_order(setting)}
    required = (r for r, every in stated.items() if r in acting or not all(fact.optional for fact in every))
    return [rule for rule in required if rule in in_game]


# --- scores -----------------------------------------------------------------------------------------------------------


def _scores(reading: Reading, parts: Sequence[Segment], known: Statements) -> Iterator[tuple[int, Mapping[str, float]]]:
    """The score of each rule for every segment that can state rules, by its index."""
    heading: Features = frozenset()
    for i, segment in enumerate(parts):
        said = features(reading.part(segment.start, segment.end))
        if segment.role == Role.HEADING:
            heading = said
        elif segment.role in ALIGNED:
            alone = score(said, known)
            headed = score(said | heading, known) if heading else alone
            yield i, {rule: (1 - HEADED) * alone.get(rule, 0.0) + HEADED * one for rule, one in headed.items()}


def score(said: Features, known: Statements) -> Mapping[str, float]:
    """For each rule the best cosine of a statement, plus the share of the sentence that the rule explains."""
    best: Counter[str] = Counter()
    for place, cosine in known.by_feature.cosines(said).items():
        rule = known.every[place].rule
        best[rule] = max(best[rule], cosine)  # type: ignore[assignment]
    return {rule: share + best[rule] for rule, share in known.explained(said).items()}


# --- probabilities ----------------------------------------------------------------------------------------------------

_Column = Mapping[int, float]
"""A number for each state of a sentence: rules by their place in the order, and none as -1."""


def posterior(rows: Sequence[Mapping[str, float]], rules: Sequence[str]) -> Iterator[Mapping[str, float]]:
    """For every sentence the probability of each rule, the likeliest first. Takes a time that is linear in the text."""
    order = {rule: place for place, rule in enumerate(rules)}
    emitted = [_emitted(row, order) for row in rows]
    forward = list(_passed(emitted, backward=False))
    backward = list(_passed(emitted[::-1], backward=True))[::-1]
    for mine, before, after in zip(emitted, forward, backward, strict=True):
        joint = {state: mine[state] * before[state] * after[state] for state in mine}
        total = sum(joint.values())
        ranked = sorted(((-one / total, state) for state, one in joint.items() if state >= 0))
        yield {rules[state]: -one for one, state in ranked}


def _emitted(row: Mapping[str, float], order: Mapping[str, int]) -> _Column:
    best = nlargest(STATES, row.items(), key=lambda pair: (pair[1], -order[pair[0]]))
    top = max((one for _, one in best), default=NONE)
    states = {order[rule]: math.exp(WEIGHT * (one - top)) for rule, one in best}
    return states | {-1: math.exp(WEIGHT * (NONE - top))}


def _passed(emitted: Sequence[_Column], *, backward: bool) -> Iterator[_Column]:
    """For every sentence the probability of what stands before it (or after it) under each of its states, up to a
    common factor."""
    known: _Column = {}
    for mine in emitted:
        moved = {
            to: sum(one * _moved(to, at) if backward else one * _moved(at, to) for at, one in known.items())
            for to in mine
        }
        passed = moved if known else dict.fromkeys(mine, 1.0)
        yield passed
        total = sum(mine[state] * passed[state] for state in mine)
        known = {state: mine[state] * passed[state] / total for state in mine}


def _moved(before: int, to: int) -> float:
    """The weight of a step from one state to another in the next sentence."""
    if before == to:
        return 1.0
    if -1 in (before, to):
        return math.exp(-STEP)
    cost = STEP + JUMP * math.log(abs(to - before)) + (BACK if to < before else 0.0)
    return math.exp(-cost)


_HEADING = regex.compile(r"^(={1,6})[ \t]*+([^=\n]++)\1[ \t]*+$", regex.MULTILINE)
_ITEM = regex.compile(r"^[*#]+(?=[ \t])", regex.MULTILINE)


def as_markdown(text: str) -> str:
    """A text with `== Title ==` as `## Title`, and `#` and `**` before items as indented `-`, if it has such headings.

    Everything stays at its offset. Without such a heading a text is returned as it is: `#` begins a heading then.
    """
    if not _HEADING.search(text):
        return text
    # Items first: afterwards headings begin with `#`, as items did.
    listed = _ITEM.sub(lambda mark: " " * (len(mark[0]) - 1) + "-", text)
    return _HEADING.sub(lambda one: ("#" * len(one[1]) + " " + one[2].strip(" \t")).ljust(len(one[0])), listed)


ENOUGH, DENSE = 0.2, 1.0
"""A text is of another game if it mentions less than this share of the terms of the game, and less than this weight of
different terms for each sentence. Measured (`raw_development`): whole texts of the game mention 0.37 to 0.68 of its
terms, those of other games 0.09 to 0.41; in parts of 14 lines of the game a sentence has 1.07 to 7.4 of the weight."""

FAINT = 0.01
"""The least probability at which a sentence is shown beside a rule."""

STATED, PARTLY = 0.5, 0.15
"""The least score of a rule that is stated, or perhaps in part. Measured (`raw_development`): of the rules that a text
leaves out, 85 % have less than the first and 57 % less than the second; of those that it states, 37 % and 11 %."""


class Stated(StrEnum):
    """How much of a rule a text states."""

    STATED = "stated"
    PARTLY = "partly"
    NOT_FOUND = "not found"


@dataclass(frozen=True)
class Covered:
    """A rule that a rulebook must state, and the sentence of a text that states it best.

    `score` is the probability that the sentence states the rule or one inside it (0 to 1); `line` is its first line in
    the file, from 1, and `sentence` its words on one line. Without a sentence that may state the rule they are 0 and
    "".
    """

    rule: str
    title: str
    score: float
    line: int
    sentence: str

    @property
    def state(self) -> Stated:
        """How much of the rule the text states, by the score."""
        return Stated.STATED if self.score >= STATED else Stated.PARTLY if self.score >= PARTLY else Stated.NOT_FOUND


def coverage(alignment: Alignment, source: Source) -> Iterator[Covered]:
    """All rules that a rulebook must state, in the order of our text. `source` is the raw text."""
    for rule in alignment.statements.rules:
        title, (score, index) = alignment.book.spec.rules[rule].title, best_sentence(rule, alignment)
        if score >= FAINT:
            segment = alignment.segments[index]
            line = source.position(segment.start).line
            yield Covered(rule, title, score, line, one_line(source.text[segment.start : segment.end]))
        else:
            yield Covered(rule, title, 0.0, 0, "")


def best_sentence(rule: str, alignment: Alignment) -> tuple[float, int]:
    """The sentence that most likely states a rule or one inside it, with the probability; 0 if there is none."""
    group = (rule, *within(alignment.book.spec, rule))
    every = ((max(row.get(one, 0.0) for one in group), -i) for i, row in alignment.chances.items())
    score, place = max(every, default=(0.0, 0))
    return score, -place


def is_of_game(alignment: Alignment) -> bool:
    """Whether a text may be of the game, or a part of one that is."""
    return share(alignment) >= ENOUGH or _said(alignment) >= DENSE * len(alignment.chances) > 0


def share(alignment: Alignment) -> float:
    """The share of the terms of the rules that a text mentions, by weight, from 0 to 1."""
    weights = alignment.statements.weights
    return _said(alignment) / (sum(weight for name, weight in weights.items() if name[0] == "@") or 1.0)


def _said(alignment: Alignment) -> float:
    """The weight of the different terms that a text mentions."""
    weights = alignment.statements.weights
    return sum(weights.get(name, 0.0) for name in features(alignment.reading) if name[0] == "@")
