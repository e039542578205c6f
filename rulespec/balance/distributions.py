"""Tail probabilities of the chi-square and Student's t distribution, for integer degrees of freedom.

Both are finite sums then, so nothing has to converge.
"""

from __future__ import annotations

import math
from functools import lru_cache

_NEARLY_NORMAL = 1000
"""With more degrees of freedom, the normal distribution replaces Student's: the 95 % quantiles differ by 0.1 %, and the
sum would have 500 terms."""


def chi_square_tail(x: float, freedom: int) -> float:
    """The probability of a chi-square above x. `freedom` is at least 1.

    Abramowitz and Stegun (1964), 26.4.4 and 26.4.5: the incomplete gamma function by its recurrence.
    """
    if x <= 0:
        return 1.0
    half = x / 2
    a, tail = (1.0, math.exp(-half)) if freedom % 2 == 0 else (0.5, math.erfc(math.sqrt(half)))
    while a < freedom / 2:
        tail += math.exp(a * math.log(half) - half - math.lgamma(a + 1))
        a += 1
    return min(tail, 1.0)


def student_tail(t: float, freedom: int) -> float:
    """The probability of Student's t (Gosset 1908) beyond t on either side. `freedom` is at least 1.

    Abramowitz and Stegun (1964), 26.7.3 and 26.7.4.
    """
    if freedom > _NEARLY_NORMAL or math.isinf(t):
        return math.erfc(abs(t) / math.sqrt(2))
    angle = math.atan(abs(t) / math.sqrt(freedom))
    odd, square = freedom % 2, math.cos(angle) ** 2
    term, total = math.sin(angle) * (math.cos(angle) if odd else 1.0), 0.0
    for n in range(2 + odd, freedom + 1, 2):
        total += term
        term *= square * (n - 1) / n
    inside = 2 / math.pi * (angle + total) if odd else total
    return max(0.0, 1 - inside)


@lru_cache(maxsize=256)
def student_reach(freedom: int) -> float:
    """Half the width of a 95 % confidence interval in standard errors; infinite without a degree of freedom."""
    if freedom < 1:
        return math.inf
    # From 1.96 (normal) to 12.7 (one degree of freedom); 60 bisections reach the precision of a float.
    low, high = 1.9, 13.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if student_tail(middle, freedom) > 0.05 else (low, middle)
    return high
