"""Paper for cards: the sizes of pages, and where cards lie on them. All sizes are in millimetres."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil

CARD = (63, 88)
SIZES = {"a4": (210, 297), "letter": (215.9, 279.4), "card": CARD}
"""The pages by name. On `card`, a page is one card, as printers of cards want them."""
MOST_BLEED = 10
_MARGIN = 5
"""Room for the marks, which printers reach, too."""
_GRID = (10, 7)
"""The most columns and rows of a picture for a virtual table."""


@dataclass(frozen=True)
class Paper:
    """A page with a grid of cards in its middle. Each card is drawn `bleed` beyond its edges.

    A page with `margins` has marks to cut along, and a line at its foot. Without them its cards fill it, and its own
    bleed is theirs.
    """

    width: float
    height: float
    columns: int
    rows: int
    bleed: float = 0
    margins: bool = True

    @property
    def outside(self) -> float:
        """How far a page is drawn beyond its edges."""
        return 0 if self.margins else self.bleed

    @property
    def capacity(self) -> int:
        return self.columns * self.rows

    @property
    def xs(self) -> list[float]:
        """The left edges of the columns."""
        return _starts(self.width, self.columns, CARD[0], self.bleed * self.margins)

    @property
    def ys(self) -> list[float]:
        """The top edges of the rows."""
        return _starts(self.height, self.rows, CARD[1], self.bleed * self.margins)

    def places(self, back: bool = False) -> list[tuple[float, float]]:
        """The corners of the cards, row by row; of their backs from right to left, since the page is turned over."""
        xs = self.xs[::-1] if back else self.xs
        return [(x, y) for y in self.ys for x in xs]


def _starts(length: float, number: int, card: float, bleed: float) -> list[float]:
    pitch = card + 2 * bleed
    first = (length - number * pitch) / 2 + bleed
    return [round(first + at * pitch, 2) for at in range(number)]


def paper(name: str = "a4", bleed: float = 0) -> Paper:
    """A page of `SIZES` with as many cards as it holds, upright unless it holds more on its side."""
    short, long = SIZES[name]
    if (short, long) == CARD:
        return Paper(short, long, 1, 1, bleed, margins=False)
    return max((_filled(*size, bleed) for size in ((short, long), (long, short))), key=lambda page: page.capacity)


def _filled(width: float, height: float, bleed: float) -> Paper:
    columns, rows = (_fitting(side, card, bleed) for side, card in zip((width, height), CARD, strict=True))
    return Paper(width, height, columns, rows, bleed)


def _fitting(side: float, card: float, bleed: float) -> int:
    """How many cards fit beside each other."""
    return int((side - 2 * _MARGIN) // (card + 2 * bleed))


def grid(number: int) -> Paper:
    """The smallest picture for a number of cards, or the largest if they need several."""
    columns = min(number, _GRID[0])
    rows = min(ceil(number / columns), _GRID[1])
    return Paper(columns * CARD[0], rows * CARD[1], columns, rows, margins=False)
