"""The random generator of a game: SplitMix64 (Steele, Lea, Flood 2014), one 64-bit number of state.

Small enough to be written the same in every backend; the same seed gives the same draws on any machine.
"""

from __future__ import annotations

MASK = 2**64 - 1
_GAMMA = 0x9E3779B97F4A7C15


def stream(seed: int, *path: int) -> int:
    """The generator state for a seed; `path` (a game's number, a player's) leads to streams of their own."""
    state = seed & MASK
    for number in path:
        state = mixed((state + _GAMMA * ((number & MASK) + 1)) & MASK)
    return state


def mixed(z: int) -> int:
    """The output function of SplitMix64."""
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
    return z ^ (z >> 31)


class Generator:
    """Draws from a stream; `state` is all there is to it."""

    __slots__ = ("state",)

    def __init__(self, state: int) -> None:
        self.state = state

    def below(self, bound: int) -> int:
        """A number from 0 to bound - 1, each as likely (Lemire 2019, on 32 bits). `bound` lies in 1..2**32 - 1."""
        while True:
            self.state = state = (self.state + _GAMMA) & MASK
            product = (mixed(state) >> 32) * bound
            low = product & 0xFFFFFFFF
            if low >= bound or low >= (2**32 - bound) % bound:
                return product >> 32
