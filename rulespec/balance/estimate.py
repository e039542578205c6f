"""Estimates with 95 % confidence intervals, and significance tests, from exact sums over games.

Games are independent of each other; the players of one game are not. So the unit of observation is the game, and every
estimate is a mean over games or a ratio of such means.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from rulespec.balance.cross_products import CrossProducts
from rulespec.balance.distributions import chi_square_tail, student_reach, student_tail
from rulespec.simulate.figures import proportion

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
