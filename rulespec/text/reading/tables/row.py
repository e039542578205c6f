"""Rows of a table by number of players, and what they are read from."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import regex

from rulespec.base.diagnostics import Span
from rulespec.text.languages.quantity.quantity import Kind, Quantity
from rulespec.text.languages.record import Language, Pattern, match_end, matches

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


NOBODY: Mapping[int, int] = {}
_ANY_WORD = regex.compile(r"\s*+[,、，/]?\s*+(?:\p{L}{1,7}\s*+)?")
_GAP = re.compile(r"[\s\-‑*_]{1,4}")

COUNTS = (Kind.CARDINAL, Kind.RANGE)
"""The kinds of quantities that can be player counts."""


def player_counts(
    text: str,
    language: Language,
    quantities: tuple[Quantity, ...],
    players: range,
    people: Mapping[int, int] = NOBODY,
) -> dict[int, tuple[int, ...]]:
    """The quantities that are player counts, such as `2, 3 or 4 players`, by their start.

    `people` are words for players, for a language whose record has no pattern for them: their ends by their starts.
    """
    found: dict[int, tuple[int, ...]] = {}
    for i, quantity in enumerate(quantities):
        end = _people(text, language, quantity, people) if quantity.kind in COUNTS else None
        # "One player" usually means any player. A count of one is written in digits.
        anybody = quantity.value == 1 and not any(c.isdecimal() for c in text[quantity.start : quantity.end])
        if end is None or anybody:
            continue
        found[quantity.start] = _bounded(text, language, quantity, end, players)
        for at in range(i, 0, -1):
            before, after = quantities[at - 1], quantities[at]
            joined = before.end < after.start and _joint(language).fullmatch(text, before.end, after.start)
            if before.kind not in COUNTS or not joined or before.value >= after.value:
                break
            found[before.start] = counts_of(before)
    return {**found, **_elided(text, language, quantities, players, found)} if "\n" in text else found


_ITEM = re.compile(r"^[^\S\n]*[-*•·–—][^\S\n]*(.+)$", re.MULTILINE)


def _elided(
    text: str,
    language: Language,
    quantities: tuple[Quantity, ...],
    players: range,
    found: Mapping[int, tuple[int, ...]],
) -> dict[int, tuple[int, ...]]:
    """The counts of items of a list that leave out the word for players: “with 3 players: 4”, then “with 4: 3”."""
    elided: dict[int, tuple[int, ...]] = {}
    starts, head, end = [one.start for one in quantities], "", 0
    for item in _ITEM.finditer(text):
        inside = quantities[bisect_left(starts, item.start(1)) : bisect_left(starts, item.end())]
        words = text[item.start(1) : inside[0].start].strip() if inside else ""
        follows = bool(words) and words == head and not text[end : item.start()].strip()
        marked = bool(inside) and inside[0].start in found
        if follows and not marked:
            counts = _list(text, language, inside)
            alone = len(counts) < len(inside) and _MARK.match(text, counts[-1].end) is not None
            if alone and all(one.kind in COUNTS and {*counts_of(one)} <= {*players} for one in counts):
                elided |= {one.start: counts_of(one) for one in counts}
        head, end = words if follows or marked else "", item.end()
    return elided


_MARK = re.compile(r"\s*[:：,，—–-]")
"""What stands behind a count that no noun follows."""


def _list(text: str, language: Language, numbers: Sequence[Quantity]) -> list[Quantity]:
    """The first of numbers, with those that a conjunction joins to it: “5 or 6”."""
    counts = [numbers[0]]
    for one in numbers[1:]:
        if one.value <= counts[-1].value or not _joint(language).fullmatch(text, counts[-1].end, one.start):
            break
        counts.append(one)
    return counts


def _joint(language: Language) -> Pattern:
    """What may stand between two counts. Without a record any word may be the one for “to”: 3 bis 5."""
    return language.joint if language.players is not None else _ANY_WORD


def _people(text: str, language: Language, quantity: Quantity, people: Mapping[int, int]) -> int | None:
    """The end of the words that make a quantity a player count; None if it is none."""
    if language.players is None:
        gap = _GAP.match(text, quantity.end)
        return people.get(gap.end() if gap else quantity.end)
    adverb = language.counts_people
    after = match_end(language.players, text, quantity.end)
    for more in (language.fewer, language.more):  # three or more players
        if after is None and (said := match_end(more, text, quantity.end)) is not None:
            after = match_end(language.players, text, said)
    if after is None and adverb is not None and adverb.fullmatch(text, quantity.start, quantity.end):
        return quantity.end
    return after


def _bounded(text: str, language: Language, quantity: Quantity, end: int, players: range) -> tuple[int, ...]:
    """The counts of `4 players`, `4 players or fewer`, `4 or more players`."""
    counts = counts_of(quantity)
    if any(matches(language.fewer, text, at) for at in (end, quantity.end)):
        return tuple(n for n in players if n <= counts[-1])
    if any(matches(language.more, text, at) for at in (end, quantity.end)):
        return tuple(n for n in players if n >= counts[0])
    return counts


def counts_of(quantity: Quantity) -> tuple[int, ...]:
    low, high = int(quantity.value), int(quantity.high if quantity.high is not None else quantity.value)
    # Bounded, because a range in a text may have any size.
    return tuple(range(low, min(high, low + 20) + 1))
