"""The combinatorial number system: the sets of k things, numbered from 0 without gaps.

Things are numbered, and each exists in some copies, so a set may hold a thing several times. The things of a set are
written from the highest to the lowest, and sets are numbered in the order of these lists. So the number of a set is a
sum: each thing adds the number of ways to fill its place and those after it with lower things only. Without copies
these are binomial coefficients.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

Ranks = tuple[tuple[int, ...], ...]
"""For each place of a set, from the highest thing on: what every thing adds to the number of the set there."""


def number_of_sets(copies: Sequence[int], size: int) -> int:
    """The number of sets of a size, given the copies of each thing."""
    return list(_ways(copies, size))[-1][size]


def ranks(copies: Sequence[int], size: int) -> Ranks:
    """What each thing adds to the number of a set of a size, place by place."""
    below = list(_ways(copies, size))[:-1]
    return tuple(tuple(ways[left] for ways in below) for left in range(size, 0, -1))


def _ways(copies: Sequence[int], size: int) -> Iterator[list[int]]:
    """For each thing, the ways to take 0 to `size` of the lower ones; at last those to take any things."""
    ways = [1] + [0] * size
    yield ways
    for copy in copies:
        # Of this thing 0 to `copy` are taken, and lower ones for the rest.
        ways = [sum(ways[max(0, taken - copy) : taken + 1]) for taken in range(size + 1)]
        yield ways


def things(number: int, system: Ranks) -> list[int]:
    """The things of the set with a number, from the highest to the lowest."""
    found = []
    for place in system:
        # Ranks never fall from one thing to the next, so the highest thing whose rank fits is the one.
        thing = max(one for one, rank in enumerate(place) if rank <= number)
        number -= place[thing]
        found.append(thing)
    return found
