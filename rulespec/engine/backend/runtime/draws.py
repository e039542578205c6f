"""The random numbers of random.py, 64 at a time, for plain Python: many at once cost little more than one.

They are computed in one large integer with a lane of 128 bits for each state of the generator, which has room for the
product of two 64-bit numbers. At the end, the numbers of all lanes are moved side by side into a quarter of the lanes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import chain
from struct import Struct

_GAMMA, _FACTOR_1, _FACTOR_2 = 0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB
_LANES, _BITS = 64, 128
"""Numbers that are computed at once, and the bits of each. With fewer numbers the overhead per block grows; with
more, a short stream computes many that it does not use."""

_QUARTER = _LANES // 4
_ORDER = [quarter * _QUARTER + lane for lane in range(_QUARTER) for quarter in (2, 0, 3, 1)]
"""The lane of each number: at the end, a lane of the first quarter holds its own and those of three others."""

_ONES = sum(1 << _BITS * lane for lane in range(_LANES))
_STATES = sum(_GAMMA * (number + 1) << _BITS * lane for number, lane in enumerate(_ORDER))
_STEP = _GAMMA * _LANES % 2**64 * _ONES
_LOW, _NUMBER = _ONES * (2**64 - 1), _ONES * (2**32 - 1 << 32)
_BY_TWO_QUARTERS, _BY_A_QUARTER = _BITS * 2 * _QUARTER + 32, _BITS * _QUARTER - 64
_FIRST_QUARTER = (1 << _BITS * _QUARTER) - 1
_NUMBERS = Struct(f"<{_LANES}I")

Stream = Callable[[], int]
"""Returns the next number."""


def numbers_from(state: int) -> Iterator[int]:
    """The 32-bit numbers of the generator."""
    return chain.from_iterable(_blocks(state))


def _blocks(state: int) -> Iterator[tuple[int, ...]]:
    states = state % 2**64 * _ONES + _STATES & _LOW
    while True:
        z = ((states ^ states >> 30) & _LOW) * _FACTOR_1 & _LOW
        z = ((z ^ z >> 27) & _LOW) * _FACTOR_2 & _LOW
        z = (z ^ z >> 31) & _NUMBER
        z |= z >> _BY_TWO_QUARTERS
        z |= z >> _BY_A_QUARTER
        yield _NUMBERS.unpack((z & _FIRST_QUARTER).to_bytes(_NUMBERS.size, "little"))
        states = states + _STEP & _LOW


def again(stream: Stream, product: int, bound: int) -> int:
    """A number below a bound from the product of a 32-bit number and the bound; draws again until it is accepted."""
    while product & 2**32 - 1 < (2**32 - bound) % bound:
        product = stream() * bound
    return product >> 32
