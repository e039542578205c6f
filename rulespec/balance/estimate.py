"""Figures with their 95 % intervals, and tests, worked out from exact sums over games.

Games are independent of each other; what happens to the players of one game is not. So a game is what is counted, and
everything that is divided by a number of games is a mean or a ratio of means.
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
"""A weighted sum of columns: by column its weight."""


@dataclass(frozen=True)
class Estimate:
    """A figure with its 95 % interval and standard error; NaN where there is none. `freedom` as Student's t takes
    it."""

    value: float
    low: float = math.nan
    high: float = math.nan
    error: float = math.nan
    freedom: int = 0

    @property
    def chance(self) -> float:
        """How likely chance alone would bring it so far from 0: the p-value of Student's t, NaN without an error."""
        if math.isnan(self.error) or self.freedom < 1:
            return math.nan
        if not self.error:
            return 1.0 if self.value == 0 else 0.0
        return student_tail(self.value / self.error, self.freedom)

    def to_dict(self) -> dict[str, Any]:
        return {"value": self.value, "low": self.low, "high": self.high}


def around(value: float, error: float, freedom: int) -> Estimate:
    """A figure with Student's interval around it."""
    if freedom < 1 or math.isnan(error):
        return Estimate(value)
    reach = student_reach(freedom) * error
    return Estimate(value, value - reach, value + reach, error, freedom)


def mean(products: CrossProducts, weights: Weights, scale: int = 1) -> Estimate:
    """The mean over games of a weighted sum of columns, divided by `scale`."""
    if not products.count:
        return Estimate(math.nan)
    n, total, squares = products.count, products.total(weights), products.product(weights, weights)
    value = total / (n * scale)
    if n < 2:
        return Estimate(value)
    # The numerator is a whole number, and never below 0 but by rounding, which there is none.
    error = math.sqrt((n * squares - total * total) / (n * n * (n - 1))) / scale
    return around(value, error, n - 1)


def ratio(products: CrossProducts, over: Weights, under: Weights, scale: int = 1) -> Estimate:
    """The sum of one thing for each of another, both counted by game: Cochran (1977), 2.11 and 6.3. Divided by
    `scale`."""
    n, y, x = products.count, products.total(over), products.total(under)
    if not x:
        return Estimate(math.nan)
    value = y / (x * scale)
    if n < 2:
        return Estimate(value)
    # The sum of (y - R x)², with R = sum y / sum x, times (sum x)² to stay whole.
    xx, xy, yy = products.product(over, over), products.product(over, under), products.product(under, under)
    left = x * x * xx - 2 * x * y * xy + y * y * yy
    error = math.sqrt(left / (x**4) * n / (n - 1)) / scale
    return around(value, error, n - 1)


def share(products: CrossProducts, part: Weights, whole: Weights, parts: int = 1) -> Estimate:
    """How much of the whole a part of it is, from 0 to 1: Wilson's interval (1927), or that of a ratio within 0 and 1
    where a game counts more than once, since what happens twice in a game is not independent. `parts` as the scale of
    the part: a part that shares is smaller, and Wilson's interval then rather too wide."""
    found, times = ratio(products, part, whole, parts), products.total(whole)
    if products.product(whole, whole) == times:
        value, low, high = proportion(products.total(part) / parts, times)
        return Estimate(value, low, high, found.error, found.freedom)
    return Estimate(found.value, max(found.low, 0.0), min(found.high, 1.0), found.error, found.freedom)


@dataclass(frozen=True)
class Test:
    """A chi-square with its degrees of freedom, and how likely chance alone would bring one at least as large."""

    __test__ = False  # for pytest, which looks for tests by this name

    statistic: float
    freedom: int
    p: float

    @property
    def shows(self) -> bool:
        """More than chance explains, at the usual 5 %."""
        return self.p < 0.05

    def to_dict(self) -> dict[str, Any]:
        return {"statistic": self.statistic, "freedom": self.freedom, "p": self.p}


def equality_test(products: CrossProducts, columns: Sequence[int]) -> Test | None:
    """Whether columns, one for each seat, differ by more than chance; None where they never differ within a game.

    If seats made no difference, the numbers of one game could stand in any order. That gives Friedman's (1937)
    statistic with the numbers themselves in place of ranks; of wins it is Cochran's (1950) Q, and Pearson's (1900)
    chi-square where nobody shares one.
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
    """Which of several p-values show something, so that one in twenty whole families at most is wrong anywhere: Holm
    (1979). NaN shows nothing."""
    order = sorted((p, i) for i, p in enumerate(chances) if not math.isnan(p))
    shown = [False] * len(chances)
    for rank, (p, i) in enumerate(order):
        if p > level / (len(order) - rank):
            break
        shown[i] = True
    return shown
