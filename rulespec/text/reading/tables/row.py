"""Rows of a table by number of players, and what they are read from."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

from rulespec.base.diagnostics import Span
from rulespec.text.languages.quantity.quantity import Kind, Quantity
from rulespec.text.languages.record import Language
from rulespec.text.reading.tables.counts import player_counts

COUNTED = frozenset({Kind.CARDINAL, Kind.SIGNED, Kind.RANGE, Kind.NOTHING, Kind.RELATIVE})
"""Kinds of quantities that are amounts. The others are ordinals, references and list numbers."""


@dataclass(frozen=True)
class TableRow:
    """The values for some player counts. `keys` are the quantities that state the counts. Rows of one list, table or
    sentence have the same number `table`."""

    counts: tuple[int, ...]
    keys: tuple[Quantity, ...]
    values: tuple[Quantity, ...]
    table: int = 0


@dataclass(frozen=True)
class Key:
    """Player counts stated together: `2, 3 or 4 players`."""

    counts: tuple[int, ...]
    quantities: tuple[Quantity, ...]


@dataclass(frozen=True)
class Table:
    """What the rows of a text are read from: its quantities, of which some are numbers of players."""

    text: str
    language: Language
    quantities: tuple[Quantity, ...]
    players: range
    people: Mapping[int, int] = field(default_factory=dict, compare=False)
    """Words for players, for a language whose record has no pattern for them: their ends by their starts."""
    inline: dict[Span, tuple[TableRow, ...]] = field(default_factory=dict, compare=False, repr=False)
    """Cache of the rows of sentences: a text is read in many overlapping passages."""

    def numbers(self, span: Span) -> list[Quantity]:
        """The amounts that start in a span."""
        first, after = bisect_left(self._starts, span.start), bisect_left(self._starts, span.end)
        return [q for q in self.quantities[first:after] if q.kind in COUNTED]

    @cached_property
    def _starts(self) -> list[int]:
        return [q.start for q in self.quantities]

    @cached_property
    def keys(self) -> dict[int, tuple[int, ...]]:
        """The numbers of players, by the start offset of their quantity."""
        return player_counts(self.text, self.language, self.quantities, self.players, self.people)
