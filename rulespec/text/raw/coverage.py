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
