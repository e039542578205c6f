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
from functools import cached_property
from heapq import nlargest

from rulespec.language.model.constants import settings
from rulespec.language.model.spec import Spec
from rulespec.proofs.meaning.rules import propositions
from rulespec.text.output.render.order import rules_in_order
from rulespec.text.raw.features import Features, features
from rulespec.text.raw.segments import Role, Segment, segments, with_components
from rulespec.text.raw.statements import Statements, statements
from rulespec.text.reading.mentions import Reading
from rulespec.text.reading.translation import Translation
from rulespec.text.reading.wiki import as_markdown
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
    known = statements(book, lang, own, _in_order(ordinary(book.spec), own))
    scores = dict(_scores(reading, parts, known))
    chances = dict(zip(scores, posterior(list(scores.values()), known.rules), strict=True))
    return Alignment(reading, parts, known, scores, chances, book, game or book.spec)


def _in_order(rules: Sequence[str], own: Translation | None) -> Sequence[str]:
    """Rules in the order of our own text; without one in that of the spec."""
    places = {rule: at for at, rule in enumerate(own.rules)} if own is not None else {}
    return sorted(rules, key=lambda rule: places.get(rule, -1))


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
