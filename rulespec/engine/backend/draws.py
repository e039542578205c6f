"""The random numbers of random.py, 96 at a time, for plain Python: many at once cost little more than one.

They are computed in one large integer with a lane of 128 bits for each state of the generator, which has room for the
product of two 64-bit numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import chain, count
from struct import Struct

_GAMMA, _FACTOR_1, _FACTOR_2 = 0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB
_LANES, _BITS = 96, 128
"""Numbers that are computed at once, and the bits of each. With fewer numbers the overhead per block grows; with
more, a short stream computes many that it does not use."""

_ONES = sum(1 << _BITS * lane for lane in range(_LANES))
_STATES = sum(_GAMMA * (lane + 1) << _BITS * lane for lane in range(_LANES))
_LOW = _ONES * (2**64 - 1)
_NUMBERS = Struct("<" + "I12x" * _LANES)

Stream = Callable[[], int]
"""Returns the next number."""


def numbers_from(state: int) -> Iterator[int]:
    """The 32-bit numbers of the generator."""
    return chain.from_iterable(map(_block, count(state, _GAMMA * _LANES)))


def _block(state: int) -> tuple[int, ...]:
    z = state % 2**64 * _ONES + _STATES & _LOW
    z = ((z ^ z >> 30) & _LOW) * _FACTOR_1 & _LOW
    z = ((z ^ z >> 27) & _LOW) * _FACTOR_2 & _LOW
    return _NUMBERS.unpack(((z ^ z >> 31) >> 32 & _LOW).to_bytes(_NUMBERS.size, "little"))


def again(stream: Stream, product: int, bound: int) -> int:
    """A number below a bound from the product of a 32-bit number and the bound; draws again until it is accepted."""
    while product & 2**32 - 1 < (2**32 - bound) % bound:
        product = stream() * bound
    return product >> 32
