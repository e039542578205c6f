"""Ordinary least squares from exact cross products, with cluster-robust standard errors."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from operator import mul

from rulespec.play.balance.cross_products import CrossProducts, joined
from rulespec.play.balance.estimate import Estimate, around


@dataclass(frozen=True)
class Fit:
    """The coefficient of each column. A column that is missing from `effects` is a linear combination of those before
    it. `explained` is R²; NaN if the dependent variable is constant."""

    intercept: Estimate
    effects: Mapping[int, Estimate]
    explained: float
    rows: int


def fit(batches: Sequence[CrossProducts]) -> Fit:
    """Regresses the last column on the others; there is at least one batch, and one row.

    `batches` are independent groups of rows. Standard errors are cluster-robust by batch (Liang and Zeger 1986), with
    the small-sample correction that Stata calls CR1, and one degree of freedom less than batches. A game is never
    divided between batches, since its players are not independent.
    """
    whole = joined(batches)
    swept = _swept(whole)
    free = [i for i in range(whole.size - 1) if swept.used[i]]
    coefficients = {i: swept.coefficient(i) for i in free}
    scores = [_score(batch, free, coefficients) for batch in batches]
    few = _for_few(len(batches), whole.count, len(free))
    found = {}
    for i in free:
        inverse = [swept.inverse(i, j) for j in free]
        spread = sum(sum(map(mul, inverse, score)) ** 2 for score in scores)
        found[i] = around(coefficients[i], math.sqrt(few * spread), len(batches) - 1)
    return Fit(found.pop(0), found, _explained(whole, swept), whole.count)


def _for_few(batches: int, rows: int, rank: int) -> float:
    """The CR1 correction for few clusters and fitted columns; NaN without residual degrees of freedom."""
    return batches / (batches - 1) * (rows - 1) / (rows - rank) if batches > 1 and rows > rank else math.nan


def _score(batch: CrossProducts, free: Sequence[int], coefficients: Mapping[int, float]) -> list[float]:
    """The score X'u of a batch: each column times the residuals."""
    last = batch.size - 1
    return [batch.at(i, last) - sum(batch.at(i, j) * coefficients[j] for j in free) for i in free]


def _explained(whole: CrossProducts, swept: _Swept) -> float:
    last = whole.size - 1
    varies = whole.count * whole.at(last, last) - whole.at(0, last) ** 2
    left = swept.cells[last][last] * whole.count
    return 1 - left / (swept.over * varies) if varies else math.nan


@dataclass(frozen=True)
class _Swept:
    """X'X swept on every linearly independent column; its values are `cells` divided by `over`, all integers."""

    cells: list[list[int]]
    over: int
    used: list[bool]

    def coefficient(self, i: int) -> float:
        return self.cells[i][-1] / self.over

    def inverse(self, i: int, j: int) -> float:
        return self.cells[i][j] / self.over


def _swept(products: CrossProducts) -> _Swept:
    """The sweep operator of Goodnight (1979) without fractions. As in the elimination of Bareiss (1968), every number
    is a minor of X'X, so all divisions are exact, and a linearly dependent column leaves exactly 0.
    """
    cells = [[products.at(i, j) for j in range(products.size)] for i in range(products.size)]
    over, used = 1, [False] * products.size
    # Not the last column, which is the dependent variable.
    for k in range(products.size - 1):
        if cells[k][k]:
            over, used[k] = _sweep(cells, k, over), True
    return _Swept(cells, over, used)


def _sweep(cells: list[list[int]], k: int, over: int) -> int:
    """Sweeps on column k and returns the new common denominator."""
    pivot, column = cells[k][k], [row[k] for row in cells]
    for i, row in enumerate(cells):
        if i != k:
            cells[i] = [(a * pivot - column[i] * b) // over for a, b in zip(row, cells[k], strict=True)]
            cells[i][k] = -column[i]
    cells[k][k] = over
    return pivot
