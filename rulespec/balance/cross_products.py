"""Exact sums of products: all that means, ratios and regressions need to know of any number of games."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from operator import mul


@dataclass
class CrossProducts:
    """The sums of the products of some columns with each other. Column 0 is 1 in every row, so its row of the matrix
    holds how many rows there were and the sum of every column.

    All numbers are whole: parts joined in any order come to the same. `cells` holds `size` rows one after the other;
    those below the diagonal stay 0.
    """

    size: int
    cells: list[int] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.cells = self.cells or [0] * (self.size * self.size)

    def add(self, columns: Sequence[Sequence[int]]) -> None:
        """Adds rows, given as all columns but that of ones, equally long."""
        every = [[1] * len(columns[0]), *columns]
        for i, a in enumerate(every):
            for j in range(i, self.size):
                self.cells[i * self.size + j] += sum(map(mul, a, every[j]))

    def add_row(self, row: Sequence[tuple[int, int]]) -> None:
        """Adds one row, given as its numbers that are not 0: columns, rising, with what stands there."""
        for n, (i, x) in enumerate(row):
            base = i * self.size
            for j, y in row[n:]:
                self.cells[base + j] += x * y

    def join(self, other: CrossProducts) -> None:
        self.cells = [a + b for a, b in zip(self.cells, other.cells, strict=True)]

    def at(self, i: int, j: int) -> int:
        """The sum of the products of two columns."""
        return self.cells[min(i, j) * self.size + max(i, j)]

    @property
    def count(self) -> int:
        """How many rows."""
        return self.cells[0]

    def total(self, weights: Mapping[int, int]) -> int:
        """The sum of a weighted sum of columns."""
        return sum(w * self.at(0, i) for i, w in weights.items())

    def product(self, a: Mapping[int, int], b: Mapping[int, int]) -> int:
        """The sum of the products of two weighted sums of columns."""
        return sum(v * w * self.at(i, j) for i, v in a.items() for j, w in b.items())

    def merged(self, groups: Sequence[Sequence[int]]) -> CrossProducts:
        """The same of new columns, each the sum of some of these; every column is in one group at most. The new column
        0 is this one's, and not among the groups."""
        place = {column: new for new, group in enumerate(groups, 1) for column in group} | {0: 0}
        merged = CrossProducts(len(groups) + 1)
        for i, j, value in self._everything():
            if i in place and j in place and place[i] <= place[j]:
                merged.cells[place[i] * merged.size + place[j]] += value
        return merged

    def _everything(self) -> Iterator[tuple[int, int, int]]:
        """All cells of the whole symmetrical matrix."""
        for i in range(self.size):
            for j in range(self.size):
                yield i, j, self.at(i, j)


def joined(parts: Sequence[CrossProducts]) -> CrossProducts:
    """All parts together; there is at least one."""
    whole = CrossProducts(parts[0].size)
    for part in parts:
        whole.join(part)
    return whole
