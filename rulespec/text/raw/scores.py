"""Scores of sentences: what each has in common with the statements of each rule, alone and under its heading."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from rulespec.text.raw.features import Features, features
from rulespec.text.raw.segments import Role, Segment
from rulespec.text.raw.statements import Statements
from rulespec.text.reading.mentions import Reading

ALIGNED = (Role.RULE, Role.EXAMPLE, Role.TABLE, Role.COMPONENT)
"""The roles of segments that can state rules."""

HEADED = 0.25
"""The share of a score that a sentence has together with its heading: it settles what a short list item is about."""


def all_scores(
    reading: Reading, parts: Sequence[Segment], known: Statements
) -> Iterator[tuple[int, Mapping[str, float]]]:
    """The score of each rule for every segment that can state rules, by its index."""
    heading: Features = frozenset()
    for i, segment in enumerate(parts):
        if segment.role == Role.HEADING:
            heading = features(reading.part(segment.start, segment.end))
        elif segment.role in ALIGNED:
            yield i, scores_under(features(reading.part(segment.start, segment.end)), heading, known)


def scores_under(said: Features, heading: Features, known: Statements) -> Mapping[str, float]:
    """The score of each rule for a sentence under a heading."""
    alone = _alone(said, known)
    if not heading:
        return alone
    headed = _alone(said | heading, known)
    return {rule: (1 - HEADED) * score + HEADED * headed[rule] for rule, score in alone.items()}


def _alone(said: Features, known: Statements) -> dict[str, float]:
    """For every rule the best cosine of a statement, plus the share of the sentence that the rule explains."""
    total = known.weight(said)
    if not total:
        return dict.fromkeys(known.rules, 0.0)
    best = dict.fromkeys(known.rules, 0.0)
    for index, cosine in known.similarities(said).items():
        rule = known.every[index].rule
        if cosine > best[rule]:
            best[rule] = cosine
    return {rule: weight / total + best[rule] for rule, weight in known.explained(said).items()}
