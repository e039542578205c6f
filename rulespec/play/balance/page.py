"""A balance report as one self-contained HTML page: no script, and no external font or image."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

from rulespec.base.findings.catalog import DEFAULT_LANGUAGE, text_in
from rulespec.base.messages import say
from rulespec.base.pages import templates
from rulespec.play.balance import sentences
from rulespec.play.balance.estimate import Estimate
from rulespec.play.balance.result import Balance
from rulespec.play.balance.view import FigureRow, Table, sections


def html(balance: Balance, lang: str = DEFAULT_LANGUAGE) -> str:
    """The report as HTML, in a language. The id of each section is its anchor."""

    def of(text: str) -> str:
        return text_in(text, lang)

    environment = templates("rulespec.play.balance", of=of)
    environment.filters["minus"] = lambda text: minus(of(text))
    return environment.get_template("balance.html.j2").render(
        lang=lang,
        said=_SAID,
        balance=balance,
        headline=sentences.headline(balance),
        lead=say(
            "How balanced it is for {players}, and what its parts are worth to them", players=sentences.players(balance)
        ),
        caveat=sentences.caveat(balance),
        sections=list(sections(balance)),
        plot=Plot,
    )


_SAID = {
    "title": say("balance"),
    "games": say("games"),
    "seed": say("seed"),
    "engine": say("engine"),
    "parts": say("Parts of the report"),
    "questions": say("The questions"),
    "or": say("or"),
    "interval": say("95 % interval"),
    "plot": say("plot"),
    "figure": say("a figure with its 95 % interval"),
    "reference": say("where nothing makes a difference"),
    "open": say("not clearly away from it"),
}
"""What stands around the figures."""


def minus(text: str) -> str:
    """A figure with a typographic minus sign."""
    return text.replace("-", "\N{MINUS SIGN}")


@dataclass(frozen=True)
class Plot:
    """Horizontal positions in the plot of a table, in per cent of its width."""

    table: Table

    def at(self, value: float) -> str:
        return f"{_MARGIN + (100 - 2 * _MARGIN) * self.table.axis.place(value):.2f}%"

    def ticks(self) -> Iterator[tuple[str, str]]:
        """The label and position of each tick."""
        for tick in self.table.axis.ticks:
            yield self.table.format.tick(tick, self.table.axis.digits), self.at(tick)

    def has(self, estimate: Estimate | None) -> bool:
        return estimate is not None and math.isfinite(estimate.value)

    def reaches(self, estimate: Estimate) -> bool:
        return math.isfinite(estimate.low)

    def words(self, row: FigureRow) -> str:
        """A figure with its interval as text, for screen readers."""
        if row.estimate is None or not math.isfinite(row.estimate.value):
            return say("no figure")
        value = self.table.format(row.estimate.value)
        if not self.reaches(row.estimate):
            return value
        interval = self.table.interval(row.estimate)
        return say("{value}, 95 % confidence interval {interval}", value=value, interval=interval)


_MARGIN = 4
"""Per cent left and right of a plot, so that the outermost labels are not cut off."""
