"""Which rules a raw text states: all that a rulebook must state, each with the sentence that states it best."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from rulespec.base.characters import one_line
from rulespec.base.source import Source
from rulespec.text.raw.alignment import Alignment
from rulespec.text.raw.features import features
from rulespec.text.rules.subjects import within

ENOUGH = 0.2
"""The least share of the terms of a game that its rulebook mentions. Measured (`raw_development`): 0.37 to 0.68 for
rulebooks of the game, 0.09 to 0.41 for those of other games. A higher limit would refuse excerpts."""

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

    `score` is the probability that a sentence states the rule or one inside it (0 to 1); `line` is the first line of
    the best sentence in the file, from 1, and `sentence` its words on one line. Without a sentence that resembles the
    rule they are 0 and "".
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
        if score:
            segment = alignment.segments[index]
            line = source.position(segment.start).line
            yield Covered(rule, title, score, line, one_line(source.text[segment.start : segment.end]))
        else:
            yield Covered(rule, title, 0.0, 0, "")


def best_sentence(rule: str, alignment: Alignment) -> tuple[float, int]:
    """The probability that a sentence of a text states a rule or one inside it, and the sentence that states the rule
    best; 0 if no sentence resembles it."""
    group = (rule, *within(alignment.book.spec, rule))
    every = [(min(1.0, sum(row.get(one, 0.0) for one in group)), row, -i) for i, row in alignment.chances.items()]
    best = max(((row.get(rule, 0.0), score, i) for score, row, i in every), default=(0.0, 0.0, 0))
    return max((score for score, _, _ in every), default=0.0), -best[2]


def share(alignment: Alignment) -> float:
    """The share of the terms of the rules that a text mentions, by weight, from 0 to 1."""
    said, weights = features(alignment.reading), alignment.statements.weights
    known = [name for name in weights if name[0] == "@"]
    return sum(weights[name] for name in known if name in said) / (sum(weights[name] for name in known) or 1.0)
