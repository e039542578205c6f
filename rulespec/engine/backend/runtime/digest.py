"""A digest of numbers in their order: 128 bits that machine code computes as Python does (see observed.py).

Two histories that differ have the same digest with a probability of about 2**-128. It is no cryptographic hash.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import IntEnum

from rulespec.language.model.types import LIMIT

Digest = tuple[int, int]
"""Two numbers of 64 bits."""

EMPTY: Digest = (0, 0)
FIRST, SECOND = 0xBF58476D1CE4E5B9, 0x94D049BB133111EB
"""Odd factors, those of SplitMix64."""
MASK = 2**64 - 1


UNDISCLOSED = LIMIT + 1
"""What stands for a number that a player does not see: no expression is that large."""


class Kind(IntEnum):
    """The kinds of what players observe (see observer.py), in a digest of it."""

    CHOICE = 1
    KIND = 2
    MOVE = 3
    MOVE_ALL = 4
    SHOW = 5
    SHUFFLE = 6
    SET = 7
    RANDOM = 8
    UNSEEN = 9
    AWARD = 10
    RANK = 11
    STOPPED = 12
    BROKEN = 13
    ZONE = 14
    VALUE = 15
    SINK = 16


def bits_of(players: Iterable[int]) -> int:
    """A bit for each player; the players must differ."""
    return sum(1 << player for player in players)


def extended(digest: Digest, numbers: Iterable[int]) -> Digest:
    """The digest after more numbers, of which 64 bits count."""
    a, b = digest
    for number in numbers:
        a = ((a ^ number) & MASK) * FIRST & MASK
        a ^= a >> 32
        # The second half takes the first one in, so a difference that the first half loses again stays.
        b = (b ^ a) * SECOND & MASK
        b ^= b >> 29
    return a, b


def mixed(number: int) -> int:
    """A number of 64 bits for the sum that stands for several numbers without an order."""
    return extended((0, number), (number,))[1]


def together(numbers: Iterable[int]) -> int:
    """One number for several without an order."""
    return sum(map(mixed, numbers)) & MASK


def as_bytes(digest: Digest) -> bytes:
    """The digest as 16 bytes."""
    a, b = digest
    return (a << 64 | b).to_bytes(16, "little")


def from_bytes(digest: bytes) -> Digest:
    """Two numbers from 16 bytes."""
    return int.from_bytes(digest[:8], "little"), int.from_bytes(digest[8:], "little")


def headed(kind: int, number: int, place: int, other: int = 0) -> int:
    """One number for a kind and what it is about: a number of 15 bits or -1, and two of 16 bits or one of 32."""
    return (kind << 48) + (number + 1 << 32) + (place << 16) + other
