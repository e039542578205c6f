"""Exact cross products (X'X): all that means, ratios and regressions need of any number of games."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from operator import mul


@dataclass
class CrossProducts:
    """The matrix X'X of integer columns. Column 0 is 1 in every row of X, so row 0 of the matrix holds the number of
    rows and the sum of every column.

    All numbers are integers, so parts can be joined in any order. `cells` holds the `size` rows of the matrix one after
    the other; the cells below the diagonal stay 0.
    """

    size: int
    cells: list[int] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.cells = self.cells or [0] * (self.size * self.size)

    def add(self, columns: Sequence[Sequence[int]]) -> None:
        """Adds rows, given as columns of equal length without the column of ones."""
        every = [[1] * len(columns[0]), *columns]
        for i, a in enumerate(every):
            for j in range(i, self.size):
                self.cells[i * self.size + j] += sum(map(mul, a, every[j]))

    def add_row(self, row: Sequence[tuple[int, int]]) -> None:
        """Adds one sparse row: pairs of column and value, with rising columns."""
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
        """The number of rows."""
        return self.cells[0]

    def total(self, weights: Mapping[int, int]) -> int:
        """The sum over rows of a linear combination of columns."""
        return sum(w * self.at(0, i) for i, w in weights.items())

    def product(self, a: Mapping[int, int], b: Mapping[int, int]) -> int:
        """The sum over rows of the product of two linear combinations of columns."""
        return sum(v * w * self.at(i, j) for i, v in a.items() for j, w in b.items())

    def merged(self, groups: Sequence[Sequence[int]]) -> CrossProducts:
        """The cross products of new columns, each the sum of a group of these. A column is in one group at most.
        Column 0 stays and is not among the groups."""
        place = {column: new for new, group in enumerate(groups, 1) for column in group} | {0: 0}
        merged = CrossProducts(len(groups) + 1)
        for i, j, value in self._symmetric():
            # Only cells on and above the diagonal are kept, as in `add`.
            if i in place and j in place and place[i] <= place[j]:
                merged.cells[place[i] * merged.size + place[j]] += value
        return merged

    def _symmetric(self) -> Iterator[tuple[int, int, int]]:
        """All cells of the symmetric matrix."""
        for i in range(self.size):
            for j in range(self.size):
                yield i, j, self.at(i, j)


def joined(parts: Sequence[CrossProducts]) -> CrossProducts:
    """The sum of all parts, of which there is at least one."""
    whole = CrossProducts(parts[0].size)
    for part in parts:
        whole.join(part)
    return whole
