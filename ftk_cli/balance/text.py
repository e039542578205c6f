"""A balance report for a terminal: sentences, and tables with a small plot next to every figure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import isfinite
from typing import TYPE_CHECKING

from ftk_cli.language import localized
from ftk_cli.report.display import folded, harmless, width
from rulespec.base.messages import say
from rulespec.play.balance.sentences import NOTHING, caveat, headline
from rulespec.play.balance.view import sections

if TYPE_CHECKING:
    from rulespec.play.balance.estimate import Estimate
    from rulespec.play.balance.result import Balance
    from rulespec.play.balance.view import Axis, Section, Table

WIDEST = 112
"""Columns of a report at most: longer lines of prose are hard to read."""

_PLOT = range(20, 41)
"""Columns of a plot. In fewer, intervals look the same; more add nothing, since a figure has three digits."""


@dataclass(frozen=True)
class Marks:
    """The characters of plots: the ends of an interval, its line, the estimate, and the reference value."""

    low: str = "├"
    line: str = "─"
    middle: str = "●"
    high: str = "┤"
    reference: str = "│"

    @classmethod
    def of(cls, encoding: str | None) -> Marks:
        """Box-drawing characters if the encoding has them, else ASCII."""
        try:
            "├─●┤│".encode(encoding or "utf-8")
        except (LookupError, UnicodeEncodeError):
            return cls("|", "-", "o", "|", ":")
        return cls()


@dataclass(frozen=True)
class Look:
    """The layout of a report: its width, its characters, without the caveat (`quiet`), with all tables (`verbose`)."""

    width: int
    marks: Marks
    quiet: bool = False
    verbose: bool = False


def text(balance: Balance, look: Look) -> str:
    """The whole report, ending in a newline."""
    room = min(look.width, WIDEST)
    lines = [harmless(localized(headline(balance))), *_made(balance)]
    lines += [] if look.quiet else folded(localized(caveat(balance)), room)
    for section in sections(balance):
        lines += ["", *section_lines(section, room, look)]
    return "\n".join(line.rstrip() for line in lines) + "\n"


def _made(balance: Balance) -> Iterator[str]:
    rate = say("{seconds:.1f} s ({engine}); 95 % confidence intervals", seconds=balance.seconds, engine=balance.engine)
    answers = [f"{id_}={answer}" for id_, answer in balance.chosen.items()]
    yield localized(say("{first}; {second}", first=say("{names}", names=answers), second=rate) if answers else rate)


def section_lines(section: Section, room: int, look: Look) -> Iterator[str]:
    yield localized(section.title).upper()
    for sentence in section.text:
        yield from folded(harmless(localized(sentence)), room)
    for table in section.tables:
        if table.rows and (look.verbose or not table.more):
            yield ""
            yield harmless(localized(table.title))
            yield from _table(table, room, look.marks)


def _table(table: Table, room: int, marks: Marks) -> Iterator[str]:
    columns = [_left([localized(table.label), *(harmless(localized(row.label)) for row in table.rows)])]
    if table.figure:
        columns.append(_right([localized(table.figure), *(_figure(table, row.estimate) for row in table.rows)]))
        columns.append(_left([localized(say("interval")), *(_interval(table, row.estimate) for row in table.rows)]))
    for i, head in enumerate(table.heads):
        columns.append(_right([localized(head), *(localized(row.cells[i]) for row in table.rows)]))
    left = room - sum(width(column[0]) + 2 for column in columns)
    if table.figure and left >= _PLOT.start:
        columns.append(_plot(table, table.axis, min(left, _PLOT.stop - 1), marks))
    yield from ("  ".join(cells) for cells in zip(*columns, strict=True))


def _figure(table: Table, estimate: Estimate | None) -> str:
    return localized(table.format(estimate.value)) if estimate is not None else NOTHING


def _interval(table: Table, estimate: Estimate | None) -> str:
    return localized(table.interval(estimate)) if estimate is not None else ""


def _left(cells: Sequence[str]) -> list[str]:
    room = max(map(width, cells))
    return [cell + " " * (room - width(cell)) for cell in cells]


def _right(cells: Sequence[str]) -> list[str]:
    room = max(map(width, cells))
    return [" " * (room - width(cell)) + cell for cell in cells]


# --- plots -----------------------------------------------------------------------------------------------------------


def _plot(table: Table, axis: Axis, room: int, marks: Marks) -> list[str]:
    """The axis, and below it each figure as a dot on its interval."""
    ticks = [(localized(table.format.tick(tick, axis.digits)), axis.place(tick)) for tick in axis.ticks]
    reference = axis.place(table.reference) if table.reference is not None else None
    return [_scale(ticks, room), *(whisker(row.estimate, axis, reference, room, marks) for row in table.rows)]


def _scale(ticks: Sequence[tuple[str, float]], room: int) -> str:
    """The ticks, each centred at its position. The outermost are always there, others if there is room."""
    line = [" "] * room
    for label, place in (ticks[0], ticks[-1], *ticks[1:-1]):
        start = min(max(0, _cell(place, room) - (len(label) - 1) // 2), room - len(label))
        if not "".join(line[max(0, start - 1) : start + len(label) + 1]).strip():
            line[start : start + len(label)] = label
    return "".join(line)


def _cell(place: float, room: int) -> int:
    return min(max(0, round(place * (room - 1))), room - 1)


def whisker(estimate: Estimate | None, axis: Axis, reference: float | None, room: int, marks: Marks) -> str:
    """One figure on the axis, in `room` columns: `├──●──┤`. Missing parts are not drawn."""
    line = [" "] * room
    if reference is not None:
        line[_cell(reference, room)] = marks.reference
    if estimate is not None and isfinite(estimate.low):
        low, high = (_cell(axis.place(end), room) for end in (estimate.low, estimate.high))
        line[low : high + 1] = [marks.low, *marks.line * (high - low - 1), marks.high][: high - low + 1]
    if estimate is not None and isfinite(estimate.value):
        line[_cell(axis.place(estimate.value), room)] = marks.middle
    return "".join(line)
