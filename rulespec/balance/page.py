"""A report on balance as one HTML page that needs nothing else: no script, no font, no picture from elsewhere."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

from rulespec.balance import sentences
from rulespec.balance.estimate import Estimate
from rulespec.balance.result import Balance
from rulespec.balance.view import FigureRow, Table, sections
from rulespec.pages import templates


def html(balance: Balance) -> str:
    """The report as a self-contained HTML page. Every section has its id as anchor."""
    environment = templates("rulespec.balance")
    environment.filters["minus"] = _minus
    return environment.get_template("balance.html.j2").render(
        balance=balance,
        headline=sentences.headline(balance),
        caveat=sentences.CAVEAT,
        sections=list(sections(balance)),
        plot=Plot,
    )


def _minus(text: str) -> str:
    """A figure with the sign that is printed for less than nothing."""
    return text.replace("-", "\N{MINUS SIGN}")


@dataclass(frozen=True)
class Plot:
    """Where things of a table stand from left to right, in per cent of the width of a plot."""

    table: Table

    def at(self, value: float) -> str:
        return f"{_MARGIN + (100 - 2 * _MARGIN) * self.table.axis.place(value):.2f}%"

    def ticks(self) -> Iterator[tuple[str, str]]:
        """Each tick in words, with its place."""
        for tick in self.table.axis.ticks:
            yield self.table.format.tick(tick, self.table.axis.digits), self.at(tick)

    def has(self, estimate: Estimate | None) -> bool:
        return estimate is not None and math.isfinite(estimate.value)

    def reaches(self, estimate: Estimate) -> bool:
        return math.isfinite(estimate.low)

    def words(self, row: FigureRow) -> str:
        """A figure with its interval, for those who do not see the plot."""
        if row.estimate is None or not math.isfinite(row.estimate.value):
            return "no figure"
        value = self.table.format(row.estimate.value)
        if not self.reaches(row.estimate):
            return value
        return f"{value}, 95 % interval {self.table.interval(row.estimate)}"


_MARGIN = 4
"""Left and right of a plot, so that the outermost marks and ticks are not cut off."""
