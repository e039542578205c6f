"""The axis of a plot: round ticks, and the position of a value."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

_STEPS = (1.0, 2.0, 5.0, 10.0)
"""Steps between ticks, times a power of ten: those that people read without counting."""

_INTERVALS = 4
"""At most this many steps between the extreme values, so that most labels fit below a narrow plot."""


@dataclass(frozen=True)
class Axis:
    """Ticks in equal steps; `digits` is the number of decimals that distinguish them."""

    ticks: tuple[float, ...]
    digits: int

    @classmethod
    def over(cls, values: Iterable[float]) -> Axis:
        """The axis that covers all finite values; from 0 to 1 if there are none."""
        finite = [value for value in values if math.isfinite(value)] or [0.0, 1.0]
        low, high = min(finite), max(finite)
        if low == high:
            low, high = low - (abs(low) / 10 or 1), high + (abs(high) / 10 or 1)
        step = _step((high - low) / _INTERVALS)
        # A value that should be a multiple of the step may miss it by a rounding error.
        first, last = math.floor(round(low / step, 6)), math.ceil(round(high / step, 6))
        ticks = tuple(number * step for number in range(first, last + 1))
        return cls(ticks, max(0, -math.floor(math.log10(step) + 1e-9)))

    def place(self, value: float) -> float:
        """The position of a value: 0 at the first tick, 1 at the last."""
        return (value - self.ticks[0]) / (self.ticks[-1] - self.ticks[0])


def _step(least: float) -> float:
    size = 10.0 ** math.floor(math.log10(least))
    return next(step * size for step in _STEPS if step * size >= least * (1 - 1e-9))
