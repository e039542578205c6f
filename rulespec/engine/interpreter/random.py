"""The random generator of a game: SplitMix64 (Steele, Lea, Flood 2014), one 64-bit number of state.

Every engine implements it identically, so a seed gives the same draws on any machine.
"""

from __future__ import annotations

from collections.abc import Callable

MASK = 2**64 - 1
GAMMA = 0x9E3779B97F4A7C15
"""The increment of SplitMix64: 2**64 divided by the golden ratio, made odd so that the stream has full period."""
SEED_BITS = 48
"""Bits of a random seed: fewer than 53, so that every reader of JSON keeps the seed of a log exactly."""


def stream(seed: int, *path: int) -> int:
    """The generator state for a seed. Every `path` (such as the number of a game) has a stream of its own."""
    state = seed & MASK
    for number in path:
        # The 1 keeps number 0 of seed 0 apart from the seed itself, since mixed(0) is 0.
        state = mixed((state + GAMMA * ((number & MASK) + 1)) & MASK)
    return state


def mixed(z: int) -> int:
    """The output function of SplitMix64."""
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
    return z ^ (z >> 31)


class Generator:
    """Draws numbers from a stream. `state` determines all further draws."""

    __slots__ = ("state",)

    def __init__(self, state: int) -> None:
        self.state = state

    def below(self, bound: int) -> int:
        """A uniform number from 0 to `bound - 1` (Lemire 2019, on 32 bits). `bound` is in 1..2**32 - 1."""
        while True:
            self.state = state = (self.state + GAMMA) & MASK
            product = (mixed(state) >> 32) * bound
            low = product & 0xFFFFFFFF
            # The exact test, after `or`, takes a division; few numbers need it.
            if low >= bound or low >= (2**32 - bound) % bound:
                return product >> 32


def shuffle(cards: list[int], below: Callable[[int], int]) -> None:
    """Shuffles cards in place with numbers drawn from 0 to a bound (Fisher and Yates, from the last card on)."""
    for last in range(len(cards) - 1, 0, -1):
        other = below(last + 1)
        cards[last], cards[other] = cards[other], cards[last]
