"""Estimates with 95 % confidence intervals, and significance tests, from exact sums over games.

Games are independent of each other; the players of one game are not. So the unit of observation is the game, and every
estimate is a mean over games or a ratio of such means.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, TypeAlias

from rulespec.play.balance.cross_products import CrossProducts
from rulespec.play.simulate.figures import proportion

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


Weights: TypeAlias = Mapping[int, int]
"""A linear combination of columns: the weight of each."""


@dataclass(frozen=True)
class Estimate:
    """An estimate with its 95 % confidence interval and standard error; NaN if there is none. `freedom` are the degrees
    of freedom of Student's t."""

    value: float
    low: float = math.nan
    high: float = math.nan
    error: float = math.nan
    freedom: int = 0

    @property
    def chance(self) -> float:
        """The p-value of a two-sided t-test against 0; NaN without a standard error."""
        if math.isnan(self.error) or self.freedom < 1:
            return math.nan
        if not self.error:
            return 1.0 if self.value == 0 else 0.0
        return student_tail(self.value / self.error, self.freedom)

    def to_dict(self) -> dict[str, Any]:
        return {"value": self.value, "low": self.low, "high": self.high}


def around(value: float, error: float, freedom: int) -> Estimate:
    """An estimate with its t interval."""
    if freedom < 1 or math.isnan(error):
        return Estimate(value)
    reach = student_reach(freedom) * error
    return Estimate(value, value - reach, value + reach, error, freedom)


def mean(products: CrossProducts, weights: Weights, scale: int = 1) -> Estimate:
    """The mean over games of a linear combination of columns, divided by `scale`."""
    if not products.count:
        return Estimate(math.nan)
    n, total, squares = products.count, products.total(weights), products.product(weights, weights)
    value = total / (n * scale)
    if n < 2:
        return Estimate(value)
    # The numerator is an exact integer, so rounding cannot make it negative.
    error = math.sqrt((n * squares - total * total) / (n * n * (n - 1))) / scale
    return around(value, error, n - 1)


def ratio(products: CrossProducts, over: Weights, under: Weights, scale: int = 1) -> Estimate:
    """The ratio of two sums over games, divided by `scale`: Cochran (1977), 2.11 and 6.3."""
    n, y, x = products.count, products.total(over), products.total(under)
    if not x:
        return Estimate(math.nan)
    value = y / (x * scale)
    if n < 2:
        return Estimate(value)
    # The sum of (y - R x)², with R = sum y / sum x, times (sum x)² so that it stays an integer.
    xx, xy, yy = products.product(over, over), products.product(over, under), products.product(under, under)
    left = x * x * xx - 2 * x * y * xy + y * y * yy
    error = math.sqrt(left / (x**4) * n / (n - 1)) / scale
    return around(value, error, n - 1)


def share(products: CrossProducts, part: Weights, whole: Weights, parts: int = 1) -> Estimate:
    """A proportion with Wilson's (1927) interval, or that of a ratio, cut to 0 and 1, if a game counts more than once:
    events of one game are not independent. `parts` is the scale of the numerator. Wilson's interval is too wide for
    shared wins, which have a smaller variance."""
    found, times = ratio(products, part, whole, parts), products.total(whole)
    if products.product(whole, whole) == times:
        value, low, high = proportion(products.total(part) / parts, times)
        return Estimate(value, low, high, found.error, found.freedom)
    return Estimate(found.value, max(found.low, 0.0), min(found.high, 1.0), found.error, found.freedom)


@dataclass(frozen=True)
class Test:
    """The result of a chi-square test: statistic, degrees of freedom and p-value."""

    __test__ = False  # pytest takes classes of this name for tests

    statistic: float
    freedom: int
    p: float

    @property
    def shows(self) -> bool:
        """Whether the result is significant at the usual 5 %."""
        return self.p < 0.05

    def to_dict(self) -> dict[str, Any]:
        return {"statistic": self.statistic, "freedom": self.freedom, "p": self.p}


def equality_test(products: CrossProducts, columns: Sequence[int]) -> Test | None:
    """Tests whether the columns of the seats have equal means; None if they never differ within a game.

    Without a seat effect, the values of one game are exchangeable. That gives Friedman's (1937) statistic with the
    values in place of ranks. For wins it is Cochran's (1950) Q, and without shared wins Pearson's (1900) chi-square.
    """
    seats, sums = len(columns), [products.at(0, i) for i in columns]
    together: Weights = dict.fromkeys(columns, 1)
    within = seats * sum(products.at(i, i) for i in columns) - products.product(together, together)
    if not within:
        return None
    between = seats * sum(s * s for s in sums) - sum(sums) ** 2
    statistic = (seats - 1) * between / within
    return Test(statistic, seats - 1, chi_square_tail(statistic, seats - 1))


def holm(chances: Sequence[float], level: float = 0.05) -> list[bool]:
    """Which of several p-values are significant with a family-wise error rate of `level`: Holm (1979). NaN is not."""
    order = sorted((p, i) for i, p in enumerate(chances) if not math.isnan(p))
    shown = [False] * len(chances)
    for rank, (p, i) in enumerate(order):
        if p > level / (len(order) - rank):
            break
        shown[i] = True
    return shown
