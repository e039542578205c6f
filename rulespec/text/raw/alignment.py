"""Alignment of the sentences of a raw text to rules, by what they have in common with the statements of the rules.

Every sentence is compared with every statement of every rule (`statements`). A Viterbi search that mildly favours the
order of the rules then picks one rule per sentence. Other rules with about the same score may share the sentence.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from statistics import median

from rulespec.base.diagnostics import Span
from rulespec.language.model.constants import settings
from rulespec.language.model.spec import Spec
from rulespec.proofs.meaning import propositions
from rulespec.text.languages.quantity import Quantity
from rulespec.text.output.render.order import rules_in_order
from rulespec.text.raw.components import with_components
from rulespec.text.raw.features import Features, features
from rulespec.text.raw.parts import parts
from rulespec.text.raw.path import best_path
from rulespec.text.raw.scores import all_scores, scores_under
from rulespec.text.raw.segments import Role, Segment, segments
from rulespec.text.raw.statements import Statements, statements
from rulespec.text.reading.mentions import Reading
from rulespec.text.reading.translation import Translation
from rulespec.text.reading.wiki import as_markdown
from rulespec.text.rules import facts
from rulespec.text.rules.book import Book
from rulespec.text.rules.subjects import around, within

QUESTION_MARKS = ("?", "？")

SHARED = 0.8
"""A sentence may state each rule whose score is at least this share of the best one."""

STATED = 0.62
"""The share of the usual support from which a sentence states a rule. Rulebooks word rules more fully than players do,
so the usual support is that which three quarters of the rules of a text exceed. Chosen by trial on the set
`corpus`."""

MOST = 4
"""How many rules one sentence is compared with."""

SHORT = 3.0
"""The weight of common features at which a part supports a rule half: one rare term."""

FAINT = 0.2
"""The least cosine of a part and a statement that is looked at further, and the least support that counts."""

OWN_WORDS = 0.5
"""The median support of the sentences of a text below which it is in words of its own. Measured: 0.53 to 0.81 for
rulebooks (the evaluation set `corpus`), 0.06 to 0.67 for summaries of players."""

ENOUGH = 10
"""The fewest sentences whose median says how a text is worded."""

CERTAIN = 1.15
"""The score (0 to 2) from which a sentence fits a rule fully."""

REACH = 6
"""How many segments around its best sentence the passage of a rule has at most on each side."""


@dataclass(frozen=True)
class AlignedPassage:
    """The passage aligned to a rule: `text[start:end]`, and how well it fits, from 0 to 1."""

    start: int
    end: int
    coverage: float


@dataclass(frozen=True)
class Alignment:
    """The alignment of a raw text to the rules of a game."""

    reading: Reading
    segments: tuple[Segment, ...]
    statements: Statements
    scores: Mapping[int, Mapping[str, float]]
    """For every sentence, by its index among the segments: its score (0 to 2) for each rule."""
    rules: Mapping[int, tuple[str, float]]
    """For every sentence, by its index: the rule aligned to it and the confidence (0 to 1)."""
    book: Book = field(repr=False)
    game: Spec = field(repr=False)
    """The game for all its numbers of players, also if the book is for one."""

    @cached_property
    def shared(self) -> Mapping[int, tuple[str, ...]]:
        """For every sentence the rules that it may state, the likeliest first."""
        return {i: tuple(self._shared(i, row)) for i, row in self.scores.items()}

    def _shared(self, index: int, row: Mapping[str, float]) -> Iterator[str]:
        if index in self.rules:
            mine = self.rules[index][0]
            yield mine
            least = SHARED * max(row.values())
            ranked = sorted((-score, rule) for rule, score in row.items() if score >= least and rule != mine)
            yield from (rule for _, rule in ranked)

    def rules_at(self, index: int) -> tuple[str, ...]:
        """The rules that a sentence may state, the likeliest first; at most `MOST`."""
        return self.shared.get(index, ())[:MOST]

    def candidates(self, index: int) -> tuple[str, ...]:
        """The rules that a sentence or one of its parts may state, the likeliest first."""
        return self._candidates.get(index, ())

    @cached_property
    def _candidates(self) -> Mapping[int, tuple[str, ...]]:
        stated: dict[int, list[str]] = {i: list(self.rules_at(i)) for i in self.scores}
        for rule, every in self._stating.items():
            for i in every:
                stated[i].append(rule)
        return {i: tuple(dict.fromkeys(rules)) for i, rules in stated.items()}

    @cached_property
    def _stating(self) -> Mapping[str, Mapping[int, float]]:
        """For every rule the sentences that state it, each with how well its best part does."""
        best = sorted(max(every.values(), default=0.0) for every in self._supporting.values())
        least = STATED * best[len(best) // 4] if best else 0.0
        return {
            rule: {i: support for i, support in every.items() if support >= max(least, FAINT)}
            for rule, every in self._supporting.items()
        }

    @cached_property
    def _supporting(self) -> Mapping[str, Mapping[int, float]]:
        found: dict[str, dict[int, float]] = {rule: {} for rule in self.statements.rules}
        for i in self.scores:
            if self.segments[i].role != Role.EXAMPLE:
                for rule, support in self._supported(i).items():
                    found[rule][i] = support
        return found

    def _supported(self, index: int) -> dict[str, float]:
        """How well the parts of a sentence state each rule, from 0 to about 1.5.

        A part supports a rule by what it has in common with a core statement. It does so less if it is short, and if
        the sentence belongs to an unrelated rule.
        """
        row, sentence = self.scores[index], self.sentence(index)
        found: dict[str, float] = {}
        for span in parts(sentence):
            said = features(self.reading.part(span.start, span.end))
            for rule, support in self._supports(said):
                found[rule] = max(found.get(rule, 0.0), support)
        return {rule: support * self._belonging(rule, row) ** 2 for rule, support in found.items()}

    def _supports(self, said: Features) -> Iterator[tuple[str, float]]:
        """How well a part of a sentence supports the rules that have a core statement like it."""
        known = self.statements
        total, explained = known.weight(said, 1.0) or 1.0, known.explained(said)
        for at, cosine in known.similarities(said, 1.0).items():
            one = known.every[at]
            if one.core and cosine >= FAINT:
                common = known.weight(said & one.features)
                yield one.rule, (cosine + explained[one.rule] / total / 2) * common / (common + SHORT)

    def _belonging(self, rule: str, row: Mapping[str, float]) -> float:
        """The score of a rule as a share of the best score of an unrelated rule, at most 1."""
        related = self._related[rule]
        other = max((score for one, score in row.items() if one not in related), default=0.0)
        mine = max(row.get(one, 0.0) for one in related)
        return min(1.0, mine / other) if other else 1.0

    @cached_property
    def _related(self) -> Mapping[str, frozenset[str]]:
        """For every rule those around it and inside it, itself included."""
        spec = self.book.spec
        return {rule: frozenset((*around(spec, rule), *within(spec, rule))) for rule in self.statements.rules}

    def stating(self, rule: str) -> Mapping[int, float]:
        """The sentences that state a rule, by their index, each with how well it does."""
        return self._stating.get(rule, {})

    def stated(self, rule: str) -> float:
        """How well the text states a rule or a rule inside it (0 to 1), 0 if it does not."""
        inside = (rule, *within(self.book.spec, rule))
        return min(1.0, max((fit for one in inside for fit in self.stating(one).values()), default=0.0))

    @cached_property
    def is_in_own_words(self) -> bool:
        """Whether most sentences of the text are worded unlike ours."""
        most = [self._most[i] for i in self.scores if self.segments[i].role != Role.EXAMPLE]
        return len(most) >= ENOUGH and median(most) < OWN_WORDS

    @cached_property
    def _most(self) -> Counter[int]:
        """For every sentence its greatest support of a rule."""
        found: Counter[int] = Counter()
        for every in self._supporting.values():
            found |= Counter(every)
        return found

    def fit(self, index: int, rule: str) -> float:
        """How well a sentence fits a rule, from 0 to 1."""
        return min(1.0, self.scores.get(index, {}).get(rule, 0.0) / CERTAIN)

    @cached_property
    def passages(self) -> Mapping[str, AlignedPassage]:
        """For every rule the passage around the sentence with the best score."""
        return {rule: self._passage(rule) for rule in self.statements.rules}

    def _passage(self, rule: str) -> AlignedPassage:
        # By the negative index, the first of sentences with equal scores.
        best = max(((row.get(rule, 0.0), -i) for i, row in self.scores.items()), default=(0.0, 0))
        score, index = best[0], -best[1]
        if not score:
            return AlignedPassage(0, 0, 0.0)
        first, last = self._extended(rule, index, -1), self._extended(rule, index, 1)
        return AlignedPassage(self.segments[first].start, self.segments[last].end, min(1.0, score / CERTAIN))

    def _extended(self, rule: str, index: int, way: int) -> int:
        """The last segment of the run of sentences that may state a rule, in one direction."""
        last = index
        for i in range(index + way, index + way * (REACH + 1), way):
            if i in self.scores and rule in self.shared[i]:
                last = i
            elif i in self.scores:
                break
        return last

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
    def row_keys(self) -> frozenset[Quantity]:
        """The quantities that are numbers of players of rows of a table."""
        return frozenset(key for row in self.reading.rows for key in row.keys)

    def sentence(self, index: int) -> Reading:
        """The reading of the segment with an index."""
        return self.part(self.segments[index])

    def is_asserted(self, index: int) -> bool:
        """Whether a sentence asserts something: a rule or a row of a table that is no question."""
        segment = self.segments[index]
        asked = self.reading.text[segment.start : segment.end].rstrip().endswith(QUESTION_MARKS)
        return segment.role in (Role.RULE, Role.TABLE) and not asked

    def part(self, segment: Segment) -> Reading:
        """The reading of a segment."""
        return self._parts[segment.start]

    @cached_property
    def _parts(self) -> Mapping[int, Reading]:
        return {s.start: self.reading.part(s.start, s.end) for s in self.segments}


def align(text: str, lang: str, book: Book, own: Translation | None, game: Spec | None = None) -> Alignment:
    """The alignment of a raw text to the rules of a game. `own` is our text of the game in that language, if any;
    `game` is the game for all numbers of players, if the book is for one."""
    # Offsets of this text are those of the file: `as_markdown` moves nothing.
    reading = book.read(as_markdown(text), lang)
    parts = tuple(with_components(segments(text, reading.language), reading, book))
    known = statements(book, lang, own, _in_order(ordinary(book.spec), own))
    scores = dict(all_scores(reading, parts, known))
    rows = [[row.get(rule, 0.0) for rule in known.rules] for row in scores.values()]
    rules = {
        i: (known.rules[state], _margin(row, state))
        for i, state, row in zip(scores, best_path(rows), rows, strict=True)
        # The state behind the last rule is that of no rule.
        if state < len(known.rules)
    }
    return Alignment(reading, parts, known, scores, rules, book, game or book.spec)


def _in_order(rules: Sequence[str], own: Translation | None) -> Sequence[str]:
    """Rules in the order of our own text; without one in that of the spec."""
    places = {rule: at for at, rule in enumerate(own.rules)} if own is not None else {}
    return sorted(rules, key=lambda rule: places.get(rule, -1))


def alignable(spec: Spec) -> list[str]:
    """The rules that a rulebook must state.

    A rule whose facts are all optional, such as an overview, repeats others: a rulebook may do without, and a sentence
    that looks like it belongs to one of the others.
    """
    stated = {rule: facts.of_rule(spec, rule) for rule in spec.rules}
    acting = {rule for rule in spec.rules for one in (rule, *within(spec, rule)) if propositions(spec).get(one)}
    return [rule for rule, every in stated.items() if rule in acting or not all(fact.optional for fact in every)]


def ordinary(spec: Spec) -> list[str]:
    """The rules that are in the game under the chosen rulings."""
    in_game = {id_ for setting in settings(spec) for id_, _ in rules_in_order(setting)}
    return [id_ for id_ in alignable(spec) if id_ in in_game]


def scores_of(alignment: Alignment, index: int, but: Sequence[Span]) -> Mapping[str, float]:
    """The score of each rule for a sentence without some words in it."""
    reading, before = alignment.reading, alignment.segments[: index + 1]
    headings = (one for one in reversed(before) if one.role == Role.HEADING)
    heading = next((features(reading.part(one.start, one.end)) for one in headings), frozenset())
    return scores_under(features(alignment.part(before[-1]), but), heading, alignment.statements)


def _margin(row: Sequence[float], state: int) -> float:
    others = max((score for i, score in enumerate(row) if i != state), default=0.0)
    return max(0.0, min(1.0, (row[state] - max(others, 0.0)) / row[state])) if row[state] > 0 else 0.0
