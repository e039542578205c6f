"""Parallel passages: the sentences of two texts of one rule that say the same."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise, product
from typing import TypeAlias

from rulespec.text.reading.clauses import passages
from rulespec.text.reading.mentions import Reading
from rulespec.text.reading.once import once
from rulespec.text.rules.evidence import values_of

Pairs: TypeAlias = list[tuple[Reading, Reading]]
"""Parallel passages of two texts, in the order of the first."""

Features: TypeAlias = frozenset[object]

_Groups: TypeAlias = dict[int, dict[int, Features]]
"""What groups of sentences are about, by the number of sentences and the position after the last one."""

_MOST = 4_000
"""The most pairs of sentences that are compared: a rule of 60 sentences in both languages. Longer texts are hostile."""

_SHAPES = ((1, 1), (1, 2), (2, 1))
"""How many sentences of each text make a pair: translators split and join sentences."""

_LIKE = 0.15
"""The least similarity of a pair: one common concept among six or seven. Below it sentences are unrelated."""


def side_by_side(one: Reading, other: Reading) -> Pairs:
    """The parallel sentences of two texts: the monotone alignment of greatest similarity (Gale and Church 1993, with
    shared concepts, numbers and contrast families instead of lengths)."""
    mine, theirs = _sentences(one), _sentences(other)
    if not mine or not theirs or len(mine) * len(theirs) > _MOST:
        return []
    return [(_joined(one, mine[a:b]), _joined(other, theirs[c:d])) for a, b, c, d in _aligned(mine, theirs)]


def pair_at(pairs: Pairs, place: int) -> tuple[Reading, Reading] | None:
    """The pair whose first passage contains an offset. The first passages are sorted and disjoint."""
    index = bisect_right(pairs, place, key=lambda pair: pair[0].start) - 1
    return pairs[index] if index >= 0 and place < pairs[index][0].end else None


def _sentences(reading: Reading) -> list[Reading]:
    spans = passages(reading.text, reading.language, reading.start, reading.end)
    return [reading.part(span.start, span.end) for span in spans]


def _joined(reading: Reading, parts: Sequence[Reading]) -> Reading:
    return reading.part(parts[0].start, parts[-1].end)


def _aligned(mine: Sequence[Reading], theirs: Sequence[Reading]) -> Iterator[tuple[int, int, int, int]]:
    """The groups of sentences that belong together, as slices of both texts."""
    ours, other = _groups(mine), _groups(theirs)
    best: dict[tuple[int, int], tuple[float, tuple[int, int]]] = {(0, 0): (0.0, (0, 0))}
    # Row by row, so that all positions from which this one can be reached are known.
    for at in product(range(len(mine) + 1), range(len(theirs) + 1)):
        if at != (0, 0):
            best[at] = max(_ways(best, at, ours, other))
    yield from reversed(list(_path(best, (len(mine), len(theirs)))))


def _ways(
    best: dict[tuple[int, int], tuple[float, tuple[int, int]]],
    at: tuple[int, int],
    ours: _Groups,
    theirs: _Groups,
) -> Iterator[tuple[float, tuple[int, int]]]:
    """The scores of all ways to reach a pair of positions, each with its last step."""
    i, j = at
    if i:
        yield best[i - 1, j][0], (1, 0)
    if j:
        yield best[i, j - 1][0], (0, 1)
    for a, b in _SHAPES:
        if a <= i and b <= j:
            # Weighted by the number of sentences: else two pairs would be worth more than one of three sentences that
            # is as alike.
            gain = (_similarity(ours[a][i], theirs[b][j]) - _LIKE) * (a + b) / 2
            yield best[i - a, j - b][0] + gain, (a, b)


def _groups(parts: Sequence[Reading]) -> _Groups:
    """The features of the last sentence, and of the last two, before each position."""
    single = [_features_of(part) for part in parts]
    return {1: dict(enumerate(single, 1)), 2: {at: a | b for at, (a, b) in enumerate(pairwise(single), 2)}}


def _path(
    best: dict[tuple[int, int], tuple[float, tuple[int, int]]], at: tuple[int, int]
) -> Iterator[tuple[int, int, int, int]]:
    i, j = at
    while (i, j) != (0, 0):
        a, b = best[i, j][1]
        if a and b:
            yield i - a, i, j - b, j
        i, j = i - a, j - b


def _features_of(part: Reading) -> Features:
    """What a sentence is about, in any language: concepts, numbers and the families of its contrasts."""
    families = (("contrast", one.family) for one in part.contrasts)
    return once(part, "features", lambda: frozenset((*part.places, *values_of(part), *families)))


@lru_cache(maxsize=65_536)
def _similarity(one: Features, other: Features) -> float:
    """The share of features that two passages have in common, from 0 to 1."""
    return len(one & other) / len(one | other) if one | other else 0.0


def similarity(one: Reading, other: Reading) -> float:
    """The share of what two passages are about that they have in common, from 0 to 1."""
    return _similarity(_features_of(one), _features_of(other))


def likeness(one: Reading, other: Reading) -> float:
    """The share of concepts and numbers that two passages have in common, from 0 to 1."""
    return _similarity(_said(one), _said(other))


def _said(part: Reading) -> frozenset[str | int]:
    return frozenset((*part.places, *values_of(part)))
